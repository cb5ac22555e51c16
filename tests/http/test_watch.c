/* The parts of the watch: blocks, what is due, topics, and the news that wake it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "http/block.h"
#include "http/due.h"
#include "http/topic.h"

static void
expect_bytes(const struct block *block, bool chunked, const char *wanted)
{
	size_t len;
	const char *bytes = block_bytes(block, chunked, &len);
	assert_int_equal(len, strlen(wanted));
	assert_memory_equal(bytes, wanted, len);
}

static void
a_block_is_a_chunk_or_what_is_inside(void **state)
{
	(void)state;
	struct block *block = block_new("0123456789abcdef!", 17, false);
	expect_bytes(block, true, "11\r\n0123456789abcdef!\r\n");
	expect_bytes(block, false, "0123456789abcdef!");
	block_release(block);
	block = block_new("bye", 3, true);
	assert_true(block->last);
	expect_bytes(block, true, "3\r\nbye\r\n0\r\n\r\n");
	expect_bytes(block, false, "bye");
	block_release(block);
	block = block_new("", 0, true);
	expect_bytes(block, true, "0\r\n\r\n");
	expect_bytes(block, false, "");
	block_release(block);
}

static void
the_first_block_has_the_head(void **state)
{
	(void)state;
	struct block *block = block_first("HEAD\r\n\r\n", 8, "hi", 2, true);
	expect_bytes(block, true, "HEAD\r\n\r\n2\r\nhi\r\n");
	block_release(block);
	block = block_first("HEAD\r\n\r\n", 8, "hi", 2, false);
	expect_bytes(block, false, "HEAD\r\n\r\nhi");
	block_release(block);
}

static void
a_block_is_there_while_somebody_holds_it(void **state)
{
	(void)state;
	struct block *block = block_new("x", 1, false);
	assert_ptr_equal(block_hold(block), block);
	block_release(block);
	expect_bytes(block, false, "x");
	block_release(block);
	block_release(NULL);
}

static void
what_is_due_comes_in_order(void **state)
{
	(void)state;
	struct due_list list = {0};
	struct due_entry entries[4];
	assert_int_equal(due_next(&list, -1), -1);
	for (int i = 0; i < 4; i++)
		due_add(&list, &entries[i], 10 * i);
	assert_int_equal(due_next(&list, 5), 0);
	due_remove(&list, &entries[0]);
	due_remove(&list, &entries[2]);
	assert_null(due_first(&list, 9));
	assert_ptr_equal(due_first(&list, 10), &entries[1]);
	assert_int_equal(due_next(&list, 5), 5);
	assert_int_equal(due_next(&list, -1), 10);
	due_remove(&list, &entries[1]);
	assert_ptr_equal(due_first(&list, 30), &entries[3]);
	due_remove(&list, &entries[3]);
	assert_null(due_first(&list, INT64_MAX));
	due_add(&list, &entries[0], 7);
	assert_ptr_equal(due_first(&list, 7), &entries[0]);
}

static struct stream
log_of(const char *id, enum stream_source source, int64_t key)
{
	struct stream stream = {.source = source, .key = key};
	memcpy(stream.id, id, strlen(id));
	return stream;
}

static void
count(void *arg, struct topic *topic)
{
	unsigned *topics = arg;
	(void)topic;
	++*topics;
}

static void
a_topic_is_there_while_somebody_watches_it(void **state)
{
	(void)state;
	struct changes *changes = calloc(1, sizeof *changes);
	struct topic_table *table = calloc(1, sizeof *table);
	struct stream game = log_of("aaaaaaaaaaaaaaaaaaaaaaaaaa", STREAM_GAME, 7);
	unsigned slot = changes_slot(game.id), topics = 0;
	enum fault fault = FAULT_NONE;
	const char *why;
	topic_open(table, changes, 2);
	struct topic *topic = topic_enter(table, &game, &fault, &why);
	assert_non_null(topic);
	assert_ptr_equal(topic_enter(table, &game, &fault, &why), topic);
	assert_null(topic_enter(table, &game, &fault, &why));
	assert_int_equal(fault, FAULT_TOO_MANY_STREAMS);
	assert_non_null(strstr(why, "one game"));
	assert_int_equal(changes->watched[slot], 1);
	topic_leave(table, topic);
	/* While it is being served it stays, for those who come then. */
	topic->pending = true;
	topic_leave(table, topic);
	assert_ptr_equal(topic_enter(table, &game, &fault, &why), topic);
	topic_leave(table, topic);
	topic->pending = false;
	topic_tidy(table, topic);
	topic_each(table, slot, count, &topics);
	assert_int_equal(topics + changes->watched[slot], 0);
	topic_close(table);
	free(table);
	free(changes);
}

static void
players_whose_key_was_given_again_are_kept_apart(void **state)
{
	(void)state;
	struct changes *changes = calloc(1, sizeof *changes);
	struct topic_table *table = calloc(1, sizeof *table);
	struct stream ada = log_of("aaaaaaaaaaaaaaaaaaaaaaaaaa", STREAM_PLAYER, 7),
		      zoe = log_of("zzzzzzzzzzzzzzzzzzzzzzzzzz", STREAM_PLAYER, 7);
	unsigned topics = 0;
	enum fault fault;
	const char *why;
	topic_open(table, changes, 2);
	struct topic *hers = topic_enter(table, &ada, &fault, &why), *other = topic_enter(table, &zoe, &fault, &why);
	assert_ptr_not_equal(hers, other);
	assert_int_equal(changes->watched[CHANGES_ANY], 2);
	topic_each_of_player(table, 7, count, &topics);
	topic_each_of_player(table, 8, count, &topics);
	topic_each_of_player(table, 7 + CHANGES_SLOTS, count, &topics);
	assert_int_equal(topics, 2);
	topic_leave(table, hers);
	topic_leave(table, other);
	topic_close(table);
	free(table);
	free(changes);
}

static bool
is_told(struct changes *changes)
{
	uint64_t times = 0;
	return read(changes->event, &times, sizeof times) == sizeof times;
}

static void
news_are_told_of_what_is_watched_alone(void **state)
{
	(void)state;
	struct changes *changes = calloc(1, sizeof *changes);
	uint64_t news[CHANGES_WORDS], none[CHANGES_WORDS] = {0};
	changes->event = eventfd(0, EFD_NONBLOCK);
	changes_watch(changes, 77);
	changes_publish(changes, 78, 1);
	changes_tell(changes);
	assert_false(is_told(changes));
	changes_publish(changes, 77, 2);
	changes_tell(changes);
	assert_true(is_told(changes));
	changes_take(changes, news);
	assert_true(news[1] == UINT64_C(1) << 13);
	changes_take(changes, news);
	assert_memory_equal(news, none, sizeof news);
	changes_watch(changes, CHANGES_ANY);
	changes_unwatch(changes, 77);
	changes_publish(changes, 77, 3);
	changes_tell(changes);
	changes_take(changes, news);
	assert_true(is_told(changes) && news[1] == 0 && news[CHANGES_ANY / 64] == 1);
	close(changes->event);
	free(changes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_block_is_a_chunk_or_what_is_inside),
	    cmocka_unit_test(the_first_block_has_the_head),
	    cmocka_unit_test(a_block_is_there_while_somebody_holds_it),
	    cmocka_unit_test(what_is_due_comes_in_order),
	    cmocka_unit_test(a_topic_is_there_while_somebody_watches_it),
	    cmocka_unit_test(players_whose_key_was_given_again_are_kept_apart),
	    cmocka_unit_test(news_are_told_of_what_is_watched_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "http/topic.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "http/figures.h"

void
topic_open(struct topic_table *table, struct changes *changes, unsigned most)
{
	table->changes = changes;
	table->most = most;
	pthread_mutex_init(&table->lock, NULL);
}

void
topic_close(struct topic_table *table)
{
	pthread_mutex_destroy(&table->lock);
}

static bool
is_about(const struct topic *topic, const struct stream *stream)
{
	/* Keys of players may be given again. */
	return topic->about.source == stream->source && topic->about.key == stream->key &&
	       strcmp(topic->about.id, stream->id) == 0;
}

/* Games stand where their changes are told; players, of whom the news tell the key, by that. */
static unsigned
slot_of(const struct stream *stream)
{
	return stream->source == STREAM_GAME ? changes_slot(stream->id) : (unsigned)(stream->key % CHANGES_SLOTS);
}

/* Under the lock. */
static struct topic *
find(struct topic_table *table, const struct stream *stream)
{
	unsigned slot = slot_of(stream);
	for (struct topic *topic = table->slots[slot]; topic != NULL; topic = topic->next)
		if (is_about(topic, stream))
			return topic;
	struct topic *topic = memory_take(sizeof *topic);
	if (topic == NULL)
		return NULL;
	*topic = (struct topic){
	    .next = table->slots[slot],
	    .slot = slot,
	    .watched = stream->source == STREAM_GAME ? slot : CHANGES_ANY,
	    .about = *stream,
	};
	table->slots[slot] = topic;
	changes_watch(table->changes, topic->watched);
	return topic;
}

struct topic *
topic_enter(struct topic_table *table, const struct stream *stream, enum fault *fault, const char **why)
{
	pthread_mutex_lock(&table->lock);
	struct topic *topic = find(table, stream);
	*why = NULL;
	if (topic == NULL) {
		*fault = FAULT_OUT_OF_MEMORY;
	} else if (topic->count >= table->most) {
		figures_refused(FIGURES_STREAMS_GAME);
		*fault = FAULT_TOO_MANY_STREAMS;
		*why = stream->source == STREAM_GAME ? "as many streams are open as there may be of one game"
						     : "as many streams are open as there may be of one player";
		topic = NULL;
	} else {
		topic->count++;
	}
	pthread_mutex_unlock(&table->lock);
	return topic;
}

/* Under the lock; true if nobody watches it any more: then it is out of the table. */
static bool
take_out(struct topic_table *table, struct topic *topic)
{
	if (topic->count > 0 || topic->pending || topic->cached)
		return false;
	struct topic **at = &table->slots[topic->slot];
	while (*at != topic)
		at = &(*at)->next;
	*at = topic->next;
	return true;
}

static void
leave(struct topic_table *table, struct topic *topic, unsigned count)
{
	pthread_mutex_lock(&table->lock);
	topic->count -= count;
	bool gone = take_out(table, topic);
	pthread_mutex_unlock(&table->lock);
	if (!gone)
		return;
	changes_unwatch(table->changes, topic->watched);
	free(topic);
}

void
topic_leave(struct topic_table *table, struct topic *topic)
{
	leave(table, topic, 1);
}

void
topic_tidy(struct topic_table *table, struct topic *topic)
{
	leave(table, topic, 0);
}

void
topic_each_of_player(struct topic_table *table, int64_t player, void (*each)(void *arg, struct topic *topic), void *arg)
{
	pthread_mutex_lock(&table->lock);
	for (struct topic *topic = table->slots[player % CHANGES_SLOTS]; topic != NULL; topic = topic->next)
		if (topic->about.source == STREAM_PLAYER && topic->about.key == player)
			each(arg, topic);
	pthread_mutex_unlock(&table->lock);
}

void
topic_each(struct topic_table *table, unsigned slot, void (*each)(void *arg, struct topic *topic), void *arg)
{
	pthread_mutex_lock(&table->lock);
	for (struct topic *topic = table->slots[slot]; topic != NULL; topic = topic->next)
		each(arg, topic);
	pthread_mutex_unlock(&table->lock);
}

void
topic_forget(struct topic *topic)
{
	for (unsigned form = 0; form < STREAM_FORMS; form++)
		for (unsigned seated = 0; seated < 2; seated++) {
			block_release(topic->cache[form][seated]);
			topic->cache[form][seated] = NULL;
		}
}

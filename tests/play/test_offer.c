/* Offers: who is asked, what ends one, and what comes of those that are agreed. */
#include "play/offer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "play/clock.h"
#include "play/game_write.h"
#include "play/seat.h"
#include "world.h"

enum { EVENTS_MAX = 256, DAY_MS = 24 * 60 * 60 * 1000 };

static const char *
new_id(void)
{
	static char ids[64][ID_LEN + 1];
	static unsigned count;
	char *id = ids[count % 64];
	snprintf(id, ID_LEN + 1, "%026u", count++);
	return id;
}

/* A game with a clock of so many days a move. */
static void
create_timed(struct world *world, enum variant variant, unsigned days, struct game *game)
{
	struct game_plan plan = {
	    .variant = variant,
	    .listed = true,
	    .clock = {.type = "per_move", .per_move_seconds = days * (DAY_MS / 1000)},
	};
	world_plan(world, &plan, game);
}

static enum fault
offer_with(
    struct world *world, struct game *game, struct holder holder, struct offer_request request, struct offer_row *made)
{
	request.id = new_id();
	return offer_make(world->db, world->now_ms++, game, &holder, &request, made);
}

/* An offer that must be made. */
static struct offer_row
offer(struct world *world, struct game *game, unsigned seat, struct offer_request request)
{
	struct offer_row made;
	assert_int_equal(offer_with(world, game, world_holder(seat), request, &made), FAULT_NONE);
	return made;
}

static enum fault
refused(struct world *world, struct game *game, unsigned seat, struct offer_request request)
{
	struct offer_row made;
	struct game copy = *game;
	enum fault fault = offer_with(world, &copy, world_holder(seat), request, &made);
	assert_int_equal(copy.row.seq, game->row.seq);
	return fault;
}

static enum fault
answer(struct world *world, struct game *game, unsigned seat, const struct offer_row *made, bool accept)
{
	struct holder holder = world_holder(seat);
	struct offer_answer answer = {.id = made->id, .accept = accept};
	return offer_answer(world->db, world->now_ms++, game, &holder, &answer);
}

static void
accept(struct world *world, struct game *game, unsigned seat, const struct offer_row *made)
{
	assert_int_equal(answer(world, game, seat, made, true), FAULT_NONE);
}

static void
decline(struct world *world, struct game *game, unsigned seat, const struct offer_row *made)
{
	assert_int_equal(answer(world, game, seat, made, false), FAULT_NONE);
}

static void
resign(struct world *world, struct game *game, unsigned seat)
{
	assert_int_equal(game_resign(world->db, world->arena, world->now_ms++, game, seat), FAULT_NONE);
}

/* What the log says since an event: "offer_made:1 offer_answered:2:accepted:open …" */
static const char *
log_after(struct world *world, const struct game *game, unsigned seq)
{
	static char text[2048];
	struct event_row rows[EVENTS_MAX];
	unsigned count = world_events(world, game, rows, EVENTS_MAX);
	assert_int_equal(count, game->row.seq);
	text[0] = '\0';
	for (unsigned i = seq; i < count; i++) {
		char *end = text + strlen(text);
		const char *answer = strstr(rows[i].data, "\"answer\":"),
			   *status = strstr(rows[i].data, "\"status\":\"");
		int len = snprintf(end, 128, "%s%s", i == seq ? "" : " ", rows[i].type);
		if (rows[i].seat != 0)
			len += snprintf(end + len, 64, ":%u", rows[i].seat);
		if (answer != NULL)
			snprintf(
			    end + len, 64, ":%.1s:%.*s", answer + 10, (int)strcspn(status + 10, "\""), status + 10);
	}
	return text;
}

/* As it is stored, and by the rules. */
static void
expect_sound(struct world *world, const struct game *game)
{
	struct game stored;
	assert_int_equal(game_load(world->db, world->arena, game->row.id, &stored), FAULT_NONE);
	assert_int_equal(stored.row.offers, game->row.offers);
	for (unsigned i = 0; i < stored.row.offers; i++) {
		const struct offer_row *a = offer_find(game, stored.offers[i].id), *b = &stored.offers[i];
		assert_non_null(a);
		assert_string_equal(a->kind, b->kind);
		assert_int_equal(a->seat, b->seat);
		assert_int_equal(a->ply, b->ply);
		assert_int_equal(a->subject, b->subject);
		assert_int_equal(a->asked, b->asked);
		assert_int_equal(a->accepted, b->accepted);
		assert_int_equal(a->declined, b->declined);
		assert_int_equal(a->at_ms, b->at_ms);
		assert_int_equal(a->due_ms, b->due_ms);
	}
	world_same(world, game);
	world_expect_sound(world);
}

static const struct offer_request a_draw = {.kind = OFFER_DRAW};
static const struct offer_request a_pause = {.kind = OFFER_PAUSE};
static const struct offer_request a_resume = {.kind = OFFER_RESUME};

static void
two_agree_on_a_draw(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_HALMA_2, &game);
	world_play(world, &game, "l2-k3");
	struct offer_row draw = offer(world, &game, 1, a_draw);
	assert_int_equal(draw.asked, 2);
	assert_int_equal(offer_waiting(&game), 2);
	/* The offerer cannot accept his own; a stranger and a bad id are told. */
	assert_int_equal(answer(world, &game, 1, &draw, true), FAULT_NOT_ASKED);
	assert_int_equal(answer(world, &game, 0, &draw, true), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(refused(world, &game, 2, a_draw), FAULT_OFFER_OPEN);
	struct offer_row none = draw;
	none.id[0] = 'x';
	assert_int_equal(answer(world, &game, 2, &none, true), FAULT_NO_SUCH_OFFER);
	expect_sound(world, &game);
	accept(world, &game, 2, &draw);
	assert_string_equal(game.row.status, "finished");
	assert_string_equal(game.row.reason, "agreement");
	assert_int_equal(game.row.winner, 0);
	assert_int_equal(game.row.offers, 0);
	assert_string_equal(log_after(world, &game, 3), "offer_made:1 offer_answered:2:a:agreed game_finished");
	assert_int_equal(answer(world, &game, 2, &draw, true), FAULT_NO_SUCH_OFFER);
	assert_int_equal(refused(world, &game, 2, a_draw), FAULT_GAME_OVER);
	struct text text = world_record_text(world, &game);
	assert_non_null(strstr(text.bytes, "1 draw agreement\ndraw, agreement\n"));
	text_free(&text);
	expect_sound(world, &game);
}

/* The move of the one who offered leaves it open, that of one who has accepted too; that of one who has not declines.
 */
static void
moves_decline_a_draw(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	struct offer_row draw = offer(world, &game, 1, a_draw);
	assert_int_equal(draw.asked, 14);
	world_play(world, &game, "c1-d3");
	assert_int_equal(game.row.offers, 1);
	accept(world, &game, 2, &draw);
	accept(world, &game, 2, &draw);
	assert_int_equal(offer_waiting(&game), 12);
	world_play_random(world, &game);
	assert_int_equal(game.row.offers, 1);
	expect_sound(world, &game);
	world_play_random(world, &game);
	assert_int_equal(game.row.offers, 0);
	assert_string_equal(log_after(world, &game, 2), "offer_made:1 move_played:1 offer_answered:2:a:open "
							"move_played:2 move_played:3 offer_answered:3:d:declined");
	expect_sound(world, &game);
	/* Who has accepted may still decline. */
	draw = offer(world, &game, 1, a_draw);
	accept(world, &game, 3, &draw);
	decline(world, &game, 3, &draw);
	assert_int_equal(game.row.offers, 0);
	/* And one is withdrawn by the seat that made it, and by no other. */
	draw = offer(world, &game, 2, a_draw);
	struct holder holder = world_holder(3), own = world_holder(2);
	assert_int_equal(
	    offer_withdraw(world->db, world->now_ms++, &game, &holder, draw.id, false), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(
	    offer_withdraw(world->db, world->now_ms++, &game, &own, draw.id, true), FAULT_PRECONDITION_FAILED);
	assert_int_equal(offer_withdraw(world->db, world->now_ms++, &game, &own, draw.id, false), FAULT_NONE);
	assert_int_equal(offer_withdraw(world->db, world->now_ms++, &game, &own, draw.id, false), FAULT_NO_SUCH_OFFER);
	assert_string_equal(strrchr(log_after(world, &game, 2), ' '), " offer_answered:2:u:withdrawn");
	expect_sound(world, &game);
}

/* A seat that goes out is asked no longer: the last acceptance may be missing no more. */
static void
whoever_goes_out_is_not_asked(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	struct offer_row draw = offer(world, &game, 1, a_draw);
	accept(world, &game, 2, &draw);
	accept(world, &game, 3, &draw);
	unsigned seq = game.row.seq;
	resign(world, &game, 4);
	assert_string_equal(game.row.reason, "agreement");
	assert_string_equal(log_after(world, &game, seq), "seat_out:4 offer_answered:u:agreed game_finished");
	expect_sound(world, &game);

	/* One who made an offer takes it with him. */
	world_create(world, VARIANT_IUVO_4, &game);
	draw = offer(world, &game, 4, a_draw);
	seq = game.row.seq;
	resign(world, &game, 4);
	assert_string_equal(log_after(world, &game, seq), "seat_out:4 offer_answered:u:void");
	assert_int_equal(game.row.offers, 0);
	expect_sound(world, &game);

	/* At the end the log says no more. */
	world_create(world, VARIANT_IUVO_2, &game);
	draw = offer(world, &game, 1, a_draw);
	seq = game.row.seq;
	resign(world, &game, 2);
	assert_string_equal(log_after(world, &game, seq), "seat_out:2 game_finished");
	assert_int_equal(game.row.offers, 0);
	expect_sound(world, &game);
}

static struct offer_request
to_ply(unsigned ply)
{
	return (struct offer_request){.kind = OFFER_TAKEBACK, .ply = ply};
}

static void
a_takeback_is_agreed(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_2, &game);
	assert_int_equal(refused(world, &game, 1, to_ply(0)), FAULT_NO_TAKEBACK);
	world_play(world, &game, "a1-b3 a7-b5");
	struct game stood = game;
	world_play(world, &game, "c1-d3");
	assert_int_equal(refused(world, &game, 1, to_ply(3)), FAULT_NO_TAKEBACK);
	struct offer_row back = offer(world, &game, 1, to_ply(2));
	struct offer_row draw = offer(world, &game, 1, a_draw);
	accept(world, &game, 2, &back);
	assert_int_equal(game.row.ply, 2);
	assert_string_equal(game.row.position, stood.row.position);
	/* A draw stays on offer. */
	assert_int_equal(game.row.offers, 1);
	assert_non_null(offer_find(&game, draw.id));
	expect_sound(world, &game);
	world_play(world, &game, "e1-d3");
	back = offer(world, &game, 1, to_ply(0));
	unsigned seq = game.row.seq;
	/* Another move, and it is void; it declines the draw as well. */
	world_play_random(world, &game);
	assert_string_equal(
	    log_after(world, &game, seq), "move_played:2 offer_answered:2:d:declined offer_answered:u:void");
	assert_int_equal(game.row.offers, 0);
	expect_sound(world, &game);
}

static void
a_takeback_asks_those_whom_it_brings_back(void **state)
{
	struct world *world = *state;
	struct game game;
	unsigned ply = 0;
	for (unsigned round = 0; round < 300 && ply == 0; round++) {
		world_create(world, VARIANT_IUVO_4, &game);
		while (game.position.turn != 0 && game.position.out == 0)
			world_play_random(world, &game);
		ply = game.position.turn == 0 ? 0 : game.row.ply;
	}
	assert_int_not_equal(ply, 0);
	unsigned maker = game.position.turn, out = game.position.out;
	assert_int_equal(refused(world, &game, (unsigned)__builtin_ctz(out) + 1, to_ply(ply - 1)), FAULT_SEAT_OUT);
	struct offer_row back = offer(world, &game, maker, to_ply(ply - 1));
	assert_int_equal(back.asked, 15 & ~(1 << (maker - 1)));
	for (unsigned seat = 1; seat <= 4; seat++)
		if (seat != maker) {
			assert_int_equal(game.row.ply, ply);
			accept(world, &game, seat, &back);
		}
	assert_int_equal(game.row.ply, ply - 1);
	assert_int_equal(game.position.out, 0);
	expect_sound(world, &game);
}

/* A takeback falls with a seat that goes out, and cannot go behind it afterwards. */
static void
a_takeback_falls_with_a_resignation(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	world_play(world, &game, "c1-d3");
	world_play_random(world, &game);
	offer(world, &game, 1, to_ply(1));
	unsigned seq = game.row.seq;
	resign(world, &game, 4);
	assert_string_equal(log_after(world, &game, seq), "seat_out:4 offer_answered:u:void");
	world_play_random(world, &game);
	assert_int_equal(refused(world, &game, 1, to_ply(1)), FAULT_NO_TAKEBACK);
	struct offer_row back = offer(world, &game, 1, to_ply(2));
	assert_int_equal(back.asked, 6);
	expect_sound(world, &game);
}

static void
clocks_are_paused_and_resumed(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_2, &game);
	assert_int_equal(refused(world, &game, 1, a_pause), FAULT_NO_CLOCK);
	assert_int_equal(refused(world, &game, 1, a_resume), FAULT_NO_CLOCK);
	create_timed(world, VARIANT_IUVO_2, 1, &game);
	assert_int_equal(refused(world, &game, 1, a_resume), FAULT_CLOCK_NOT_PAUSED);
	struct offer_row pause = offer(world, &game, 1, a_pause);
	int64_t deadline_ms = game.row.deadline_ms;
	world->now_ms += 1000;
	accept(world, &game, 2, &pause);
	int64_t left_ms = deadline_ms - game.row.updated_ms;
	assert_int_equal(game.row.paused_ms, left_ms);
	assert_int_equal(game.row.deadline_ms, 0);
	assert_int_equal(refused(world, &game, 1, a_pause), FAULT_CLOCK_PAUSED);
	assert_string_equal(log_after(world, &game, 2), "offer_made:1 offer_answered:2:a:agreed clock_paused:1");
	expect_sound(world, &game);

	/* Declined it stands: after the notice the clock runs, and not before. */
	struct offer_row resume = offer(world, &game, 2, a_resume);
	assert_int_equal(resume.due_ms, resume.at_ms + LIMIT_NOTICE_MS);
	assert_int_equal(offer_due(&game), resume.due_ms);
	decline(world, &game, 1, &resume);
	decline(world, &game, 1, &resume);
	assert_int_equal(game.row.offers, 1);
	assert_int_equal(offer_waiting(&game), 0);
	expect_sound(world, &game);
	world->now_ms = resume.due_ms - 1;
	assert_int_equal(offer_pass(world->db, world->now_ms, &game), FAULT_NONE);
	assert_int_equal(game.row.offers, 1);
	assert_int_equal(offer_pass(world->db, ++world->now_ms, &game), FAULT_NONE);
	assert_int_equal(game.row.offers, 0);
	assert_int_equal(game.row.paused_ms, -1);
	assert_int_equal(game.row.deadline_ms, resume.due_ms + left_ms);
	assert_string_equal(
	    log_after(world, &game, 5), "offer_made:2 offer_answered:1:d:open offer_answered:u:agreed clock_resumed:1");
	expect_sound(world, &game);

	/* Accepted it is done at once. */
	pause = offer(world, &game, 2, a_pause);
	accept(world, &game, 1, &pause);
	resume = offer(world, &game, 1, a_resume);
	decline(world, &game, 2, &resume);
	accept(world, &game, 2, &resume);
	assert_int_equal(game.row.paused_ms, -1);
	expect_sound(world, &game);
}

static struct offer_request
of_seat(unsigned seat)
{
	return (struct offer_request){.kind = OFFER_HANDOVER, .seat = seat};
}

static enum fault
take(struct world *world, struct game *game, unsigned seat)
{
	struct seat_request request = {
	    .seat = seat, .name = "Zoe", .token = "zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2zoe2"};
	return seat_take(world->db, world->now_ms++, game, &request);
}

static void
a_holder_hands_his_seat_over(void **state)
{
	struct world *world = *state;
	struct game game;
	struct game_secrets secrets;
	struct holder holder;
	create_timed(world, VARIANT_IUVO_4, 1, &game);
	world_secrets(0, &secrets);
	world_play(world, &game, "c1-d3");
	struct offer_row draw = offer(world, &game, 1, a_draw);
	accept(world, &game, 2, &draw);
	struct offer_row pause = offer(world, &game, 2, a_pause);
	struct offer_row over = offer(world, &game, 2, of_seat(0));
	assert_int_equal(over.subject, 2);
	assert_int_equal(over.asked, 13);
	assert_int_equal(over.due_ms, 0);
	accept(world, &game, 1, &over);
	accept(world, &game, 3, &over);
	assert_int_equal(world_token(world, &game, secrets.seat_tokens[1], &holder), FAULT_NONE);
	unsigned seq = game.row.seq;
	accept(world, &game, 4, &over);
	assert_string_equal(
	    log_after(world, &game, seq), "offer_answered:4:a:agreed seat_left:2 offer_answered:u:void");
	assert_string_equal(game.row.status, "active");
	assert_string_equal(game.seats[1].kind, "open");
	assert_null(game.seats[1].name);
	assert_int_equal(game_open_seats(&game), 2);
	assert_int_equal(world_token(world, &game, secrets.seat_tokens[1], &holder), FAULT_TOKEN_UNKNOWN);
	/* His offers are void; what he has accepted whoever takes the seat has not. */
	assert_null(offer_find(&game, pause.id));
	assert_int_equal(offer_find(&game, draw.id)->accepted, 0);
	assert_int_equal(offer_find(&game, draw.id)->asked, 12);
	expect_sound(world, &game);
	assert_int_equal(refused(world, &game, 1, of_seat(2)), FAULT_SEAT_OPEN);
	/* The clock went on; whoever takes the seat has a whole move's time. */
	world->now_ms += DAY_MS / 2;
	assert_int_equal(take(world, &game, 2), FAULT_NONE);
	assert_int_equal(game.row.deadline_ms, game.row.updated_ms + DAY_MS);
	assert_int_equal(game_open_seats(&game), 0);
	assert_string_equal(strrchr(log_after(world, &game, seq), ' '), " seat_taken:2");
	assert_string_equal(game.row.status, "active");
	assert_int_equal(offer_find(&game, draw.id)->asked, 14);
	accept(world, &game, 2, &draw);
	world_play_random(world, &game);
	expect_sound(world, &game);
}

/* Nobody sits in a seat that was handed over: what the others agree on is done without it. */
static void
a_seat_in_which_nobody_sits_is_not_asked(void **state)
{
	struct world *world = *state;
	struct game game;
	create_timed(world, VARIANT_IUVO_4, 30, &game);
	world_play(world, &game, "c1-d3");
	struct offer_row back = offer(world, &game, 1, (struct offer_request){.kind = OFFER_TAKEBACK});
	struct offer_row over = offer(world, &game, 2, of_seat(2));
	assert_int_equal(back.asked, 14);
	for (unsigned seat = 1; seat <= 4; seat += seat == 1 ? 2 : 1)
		accept(world, &game, seat, &over);
	assert_int_equal(game_open_seats(&game), 2);
	assert_int_equal(offer_find(&game, back.id)->asked, 12);
	assert_int_equal(offer_waiting(&game), 12);
	expect_sound(world, &game);
	/* Whoever takes it is asked as the others are, until it is empty again. */
	assert_int_equal(take(world, &game, 2), FAULT_NONE);
	assert_int_equal(offer_find(&game, back.id)->asked, 14);
	over = offer(world, &game, 2, of_seat(2));
	for (unsigned seat = 1; seat <= 4; seat += seat == 1 ? 2 : 1)
		accept(world, &game, seat, &over);
	accept(world, &game, 3, &back);
	accept(world, &game, 4, &back);
	assert_int_equal(game.row.ply, 0);
	struct offer_row pause = offer(world, &game, 1, a_pause);
	assert_int_equal(pause.asked, 12);
	accept(world, &game, 3, &pause);
	accept(world, &game, 4, &pause);
	assert_true(game.row.paused_ms >= 0);
	expect_sound(world, &game);
	struct offer_row draw = offer(world, &game, 3, a_draw);
	assert_int_equal(draw.asked, 9);
	accept(world, &game, 1, &draw);
	accept(world, &game, 4, &draw);
	assert_string_equal(game.row.reason, "agreement");
	expect_sound(world, &game);
}

/* A seat alone agrees on nothing: whoever takes the other one is asked. */
static void
nobody_agrees_with_himself(void **state)
{
	struct world *world = *state;
	struct game game;
	create_timed(world, VARIANT_IUVO_2, 30, &game);
	struct offer_row draw = offer(world, &game, 2, a_draw), over = offer(world, &game, 1, of_seat(1));
	accept(world, &game, 2, &over);
	assert_int_equal(game_open_seats(&game), 1);
	assert_string_equal(game.row.status, "active");
	assert_int_equal(offer_find(&game, draw.id)->asked, 1);
	struct offer_row pause = offer(world, &game, 2, a_pause);
	assert_int_equal(pause.asked, 1);
	assert_int_equal(game.row.paused_ms, -1);
	expect_sound(world, &game);
	assert_int_equal(take(world, &game, 1), FAULT_NONE);
	accept(world, &game, 1, &pause);
	assert_true(game.row.paused_ms >= 0);
	accept(world, &game, 1, &draw);
	assert_string_equal(game.row.reason, "agreement");
	expect_sound(world, &game);
}

static void
a_departed_holder_gets_notice(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_4, &game);
	struct offer_row over = offer(world, &game, 1, of_seat(3));
	assert_int_equal(over.asked, 10);
	assert_int_equal(offer_waiting(&game), 14);
	accept(world, &game, 2, &over);
	assert_int_equal(offer_due(&game), 0);
	accept(world, &game, 4, &over);
	/* All have accepted; from now on he has time to say that he is there. */
	assert_int_equal(offer_due(&game), game.row.updated_ms + LIMIT_NOTICE_MS);
	assert_int_equal(offer_waiting(&game), 4);
	expect_sound(world, &game);
	struct game before = game;
	world->now_ms = offer_due(&game) - 1;
	assert_int_equal(offer_pass(world->db, world->now_ms, &game), FAULT_NONE);
	assert_int_equal(game_open_seats(&game), 0);
	assert_int_equal(offer_pass(world->db, ++world->now_ms, &game), FAULT_NONE);
	assert_int_equal(game_open_seats(&game), 4);
	assert_string_equal(log_after(world, &game, before.row.seq), "offer_answered:u:agreed seat_left:3");
	expect_sound(world, &game);
	/* One in which nobody sits is not asked about another; with its taker the acceptance of all is missing again.
	 */
	over = offer(world, &game, 1, of_seat(4));
	assert_int_equal(over.asked, 2);
	accept(world, &game, 2, &over);
	assert_int_not_equal(offer_due(&game), 0);
	assert_int_equal(take(world, &game, 3), FAULT_NONE);
	assert_int_equal(offer_due(&game), 0);
	assert_int_equal(offer_find(&game, over.id)->asked, 6);
	expect_sound(world, &game);
}

static void
a_holder_who_is_there_keeps_his_seat(void **state)
{
	struct world *world = *state;
	struct game game;
	world_create(world, VARIANT_IUVO_2, &game);
	/* There is nobody else to ask: the notice begins at once. */
	struct offer_row over = offer(world, &game, 2, of_seat(1));
	assert_int_equal(over.asked, 0);
	assert_int_equal(over.due_ms, over.at_ms + LIMIT_NOTICE_MS);
	unsigned seq = game.row.seq;
	world_play(world, &game, "a1-b3");
	assert_string_equal(log_after(world, &game, seq), "move_played:1 offer_answered:u:void");
	world_play(world, &game, "a7-b5");
	over = offer(world, &game, 2, of_seat(1));
	decline(world, &game, 1, &over);
	assert_int_equal(game.row.offers, 0);
	/* He may agree as well, and then nobody waits. */
	over = offer(world, &game, 2, of_seat(1));
	accept(world, &game, 1, &over);
	assert_int_equal(game_open_seats(&game), 1);
	/* The other may go too: there is nobody left to ask. */
	seq = game.row.seq;
	offer(world, &game, 2, of_seat(2));
	assert_string_equal(log_after(world, &game, seq), "offer_made:2 offer_answered:u:agreed seat_left:2");
	assert_int_equal(game_open_seats(&game), 3);
	assert_string_equal(game.row.status, "active");
	expect_sound(world, &game);
	assert_int_equal(take(world, &game, 1), FAULT_NONE);
	assert_string_equal(game.row.status, "active");
	expect_sound(world, &game);
	/* His own offer to go is not void by his moves. */
	offer(world, &game, 1, of_seat(1));
	assert_int_equal(game_open_seats(&game), 3);
}

static void
what_cannot_be_offered(void **state)
{
	struct world *world = *state;
	struct game game;
	struct offer_row made;
	struct holder nobody = {0};
	struct holder both = {.known = true, .seats = 3};
	struct game_plan plan = {.variant = VARIANT_IUVO_4, .open = {true}};
	world_plan(world, &plan, &game);
	assert_int_equal(refused(world, &game, 2, a_draw), FAULT_GAME_NOT_STARTED);
	world_create(world, VARIANT_IUVO_4, &game);
	assert_int_equal(offer_with(world, &game, nobody, a_draw, &made), FAULT_TOKEN_REQUIRED);
	assert_int_equal(offer_with(world, &game, both, a_draw, &made), FAULT_WHICH_SEAT);
	assert_int_equal(refused(world, &game, 0, a_draw), FAULT_NOT_YOUR_SEAT);
	struct offer_request stale = {.kind = OFFER_DRAW, .stale = true}, other = {.kind = OFFER_DRAW, .seat = 2};
	assert_int_equal(refused(world, &game, 1, stale), FAULT_PRECONDITION_FAILED);
	assert_int_equal(refused(world, &game, 1, other), FAULT_NOT_YOUR_SEAT);
	assert_int_equal(offer_with(world, &game, nobody, of_seat(2), &made), FAULT_TOKEN_REQUIRED);
	assert_int_equal(refused(world, &game, 0, of_seat(2)), FAULT_NOT_YOUR_SEAT);
	resign(world, &game, 4);
	assert_int_equal(refused(world, &game, 4, a_draw), FAULT_SEAT_OUT);
	assert_int_equal(refused(world, &game, 1, of_seat(4)), FAULT_SEAT_OUT);
	/* One who has several seats names the one that acts; of a handover the one that is to be given. */
	other.seat = 2;
	assert_int_equal(offer_with(world, &game, both, other, &made), FAULT_NONE);
	assert_int_equal(made.seat, 2);
	assert_int_equal(made.asked, 5);
	assert_int_equal(offer_with(world, &game, both, of_seat(3), &made), FAULT_NONE);
	assert_int_equal(made.seat, 1);
	assert_int_equal(made.subject, 3);
	struct offer_answer unsaid = {.id = made.id, .accept = true};
	assert_int_equal(offer_answer(world->db, world->now_ms, &game, &both, &unsaid), FAULT_WHICH_SEAT);
	unsaid.seat = 2;
	unsaid.stale = true;
	assert_int_equal(offer_answer(world->db, world->now_ms, &game, &both, &unsaid), FAULT_PRECONDITION_FAILED);
	expect_sound(world, &game);
	world_create(world, VARIANT_HALMA_2, &game);
	assert_int_equal(refused(world, &game, 1, of_seat(3)), FAULT_NO_SUCH_SEAT);
}

/* Withdrawn games have no offers any more. */
static void
withdrawal_ends_offers(void **state)
{
	struct world *world = *state;
	struct game game;
	struct holder creator = world_holder(0);
	world_create(world, VARIANT_IUVO_2, &game);
	offer(world, &game, 1, a_draw);
	assert_int_equal(game_withdraw(world->db, world->now_ms++, &game, &creator, false), FAULT_NONE);
	assert_int_equal(game.row.offers, 0);
	assert_int_equal(refused(world, &game, 1, a_draw), FAULT_GAME_WITHDRAWN);
	expect_sound(world, &game);
}

/* What is stored of offers without a word of it in the log, and the other way round. */
static void
forged_offers_are_found(void **state)
{
	(void)state;
	static const struct {
		const char *sql, *line;
	} plants[] = {
	    {"DELETE FROM offers", "offers: stored 0, counted 1, open in the log 1"},
	    {"UPDATE games SET offers = 0", "offers: stored 1, counted 0, open in the log 1"},
	    {"UPDATE offers SET kind = 'pause'", "offers: 000000000000000000000"},
	    {"UPDATE events SET type = 'seat_rekeyed' WHERE seq = 3", "offers: stored 1, counted 1, open in the log 0"},
	    {"UPDATE events SET data = '{}' WHERE seq = 3", "offers: seq 3: offer_made: the data tell of no offer"},
	    {"INSERT INTO events SELECT game, 4, type, at, ply, seat, data FROM events WHERE seq = 3",
		"seq: stored 3, the log ends with 4"},
	};
	for (unsigned i = 0; i < sizeof plants / sizeof *plants; i++) {
		void *own = NULL;
		struct game game;
		assert_int_equal(world_open(&own), 0);
		struct world *world = own;
		world_create(world, VARIANT_IUVO_2, &game);
		offer(world, &game, 1, a_draw);
		expect_sound(world, &game);
		world_expect_difference(world, plants[i].sql, plants[i].line);
		assert_int_equal(world_close(&own), 0);
	}
}

/* One step of a random game: an offer, an answer, a resignation, a seat that is taken, time that passes, or a move. */
static void
step(struct world *world, struct game *game)
{
	struct offer_row made;
	unsigned seat = 1 + world_random(world, game->seat_count), what = world_random(world, 20);
	static const enum offer_kind kinds[] = {OFFER_TAKEBACK, OFFER_TAKEBACK, OFFER_TAKEBACK, OFFER_TAKEBACK,
	    OFFER_PAUSE, OFFER_RESUME, OFFER_HANDOVER, OFFER_HANDOVER, OFFER_DRAW};
	struct offer_request request = {
	    .kind = kinds[world_random(world, sizeof kinds / sizeof *kinds)],
	    .ply = world_random(world, game->row.ply + 1),
	};
	if (request.kind == OFFER_HANDOVER)
		request.seat = world_random(world, game->seat_count + 1);
	if (what < 6) {
		offer_with(world, game, world_holder(seat), request, &made);
	} else if (what < 14 && game->row.offers > 0) {
		made = game->offers[world_random(world, game->row.offers)];
		for (seat = 1; seat <= game->seat_count; seat++)
			if (world_random(world, 3) != 0)
				answer(world, game, seat, &made, world_random(world, 8) != 0);
	} else if (what == 14) {
		game_resign(world->db, world->arena, world->now_ms++, game, seat);
	} else if (what == 15) {
		take(world, game, seat);
	} else if (what == 16) {
		world->now_ms += LIMIT_NOTICE_MS;
		assert_int_equal(offer_pass(world->db, world->now_ms, game), FAULT_NONE);
	} else {
		world_play_random(world, game);
	}
}

/* Whoever is to move is in and can move, or the game is over; and what is stored is what is in memory. */
static void
anything_in_any_order(void **state)
{
	struct world *world = *state;
	static struct move moves[MOVES_MAX];
	unsigned taken_back = 0;
	for (unsigned round = 0; round < 12 * VARIANT_COUNT; round++) {
		struct game game;
		create_timed(world, (enum variant)(round % VARIANT_COUNT), 400, &game);
		for (unsigned n = 0; n < 60 && game.position.turn != 0; n++) {
			unsigned ply = game.row.ply;
			step(world, &game);
			taken_back += game.row.ply < ply;
			world_same(world, &game);
			if (game.position.turn == 0)
				continue;
			assert_false(position_out(&game.position, game.position.turn));
			assert_true(position_moves(&game.position, &game.past, moves) > 0);
			for (unsigned i = 0; i < game.row.offers; i++) {
				const struct offer_row *offer = &game.offers[i];
				bool another = offer->subject != 0 && offer->subject != offer->seat;
				assert_false(position_out(&game.position, offer->seat));
				assert_true((offer->asked & ~offer->accepted) != 0 || another);
			}
		}
		expect_sound(world, &game);
	}
	assert_true(taken_back > 20);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_open, world_close)
	const struct CMUnitTest tests[] = {
	    TEST(two_agree_on_a_draw),
	    TEST(moves_decline_a_draw),
	    TEST(whoever_goes_out_is_not_asked),
	    TEST(a_takeback_is_agreed),
	    TEST(a_takeback_asks_those_whom_it_brings_back),
	    TEST(a_takeback_falls_with_a_resignation),
	    TEST(clocks_are_paused_and_resumed),
	    TEST(a_holder_hands_his_seat_over),
	    TEST(a_seat_in_which_nobody_sits_is_not_asked),
	    TEST(nobody_agrees_with_himself),
	    TEST(a_departed_holder_gets_notice),
	    TEST(a_holder_who_is_there_keeps_his_seat),
	    TEST(what_cannot_be_offered),
	    TEST(withdrawal_ends_offers),
	    cmocka_unit_test(forged_offers_are_found),
	    TEST(anything_in_any_order),
	};
	return cmocka_run_group_tests_name("play offer", tests, NULL, NULL);
}

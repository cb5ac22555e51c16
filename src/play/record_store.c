/* Records out of and into the store: record_of and record_import of record.h. */
#include "play/record.h"

#include <string.h>

#include "base/limits.h"
#include "engine/history.h"
#include "play/audience.h"
#include "play/game_write.h"
#include "play/past.h"
#include "play/quote.h"
#include "play/turn.h"

/* Tags are kept as one JSON object, in their order; nothing is written if there is none. */
static void
write_tags(const struct record *record, struct text *json)
{
	for (unsigned i = 0; i < record->tag_count; i++) {
		text_char(json, i == 0 ? '{' : ',');
		quote_json(json, record->tags[i].name);
		text_char(json, ':');
		quote_json(json, record->tags[i].value);
	}
	if (record->tag_count > 0)
		text_char(json, '}');
}

/* FAULT_DAMAGED_GAME if it is not what write_tags writes. */
static enum fault
read_tags(struct arena *arena, const char *json, struct record *record)
{
	if (json == NULL)
		return FAULT_NONE;
	record->tags = arena_take(arena, LIMIT_TAGS * sizeof *record->tags);
	if (record->tags == NULL)
		return FAULT_OUT_OF_MEMORY;
	char before = '{';
	while (*json == before && record->tag_count < LIMIT_TAGS) {
		struct record_tag *tag = &record->tags[record->tag_count++];
		json++;
		if ((tag->name = quote_json_read(arena, &json)) == NULL || *json++ != ':')
			return FAULT_DAMAGED_GAME;
		if ((tag->value = quote_json_read(arena, &json)) == NULL)
			return FAULT_DAMAGED_GAME;
		before = ',';
	}
	return strcmp(json, "}") == 0 ? FAULT_NONE : FAULT_DAMAGED_GAME;
}

static enum fault
read_moves(struct db *db, struct arena *arena, const struct game *game, struct record *record)
{
	unsigned count = game->row.ply, got = 0;
	struct move_text text;
	if (count == 0)
		return FAULT_NONE;
	struct move_row *rows = arena_take(arena, count * sizeof *rows);
	record->moves = arena_take(arena, count * sizeof *record->moves);
	if (rows == NULL || record->moves == NULL)
		return FAULT_OUT_OF_MEMORY;
	enum fault fault = moves_of(db, arena, game->row.game, 1, rows, count, &got);
	if (fault != FAULT_NONE)
		return fault;
	for (unsigned i = 0; i < got; i++)
		if (rows[i].ply != i + 1 || !rows[i].agrees || !turn_read(&rows[i], &text, &record->moves[i]))
			return FAULT_DAMAGED_GAME;
	record->move_count = got;
	return got == count ? FAULT_NONE : FAULT_DAMAGED_GAME;
}

static enum fault
read_endings(struct db *db, struct arena *arena, const struct game *game, struct record *record)
{
	struct ending_row rows[SEATS_MAX];
	unsigned count;
	enum fault fault = game_endings(db, arena, game, rows, &count);
	if (fault != FAULT_NONE)
		return fault;
	for (unsigned i = 0; i < count; i++) {
		struct record_ending *ending = &record->endings[i];
		ending->ply = rows[i].ply;
		ending->seat = rows[i].seat;
		if (!reason_find(rows[i].reason, strlen(rows[i].reason), &ending->reason))
			return FAULT_DAMAGED_GAME;
	}
	record->ending_count = count;
	return FAULT_NONE;
}

enum fault
record_of(struct db *db, struct arena *arena, const struct game *game, struct record *record)
{
	struct record made = {
	    .variant = game->variant,
	    .over = game->position.turn == 0,
	    .winner = game->position.winner,
	    .reason = (enum reason)game->position.reason,
	};
	for (unsigned i = 0; i < game->seat_count; i++)
		made.names[i] = game->seats[i].name;
	enum fault fault = game_position_at(db, arena, game, 0, &made.start);
	if (fault == FAULT_NONE)
		fault = read_tags(arena, game->row.tags, &made);
	if (fault == FAULT_NONE)
		fault = read_moves(db, arena, game, &made);
	if (fault == FAULT_NONE)
		fault = read_endings(db, arena, game, &made);
	if (fault == FAULT_NONE)
		*record = made;
	return fault;
}

static enum fault
import_ending(struct turn *turn, const struct record *record, unsigned n)
{
	const struct record_ending *ending = &record->endings[n];
	if (ending->reason == REASON_AGREEMENT)
		return turn_agree(turn, n);
	return turn_drop(turn, ending->seat, ending->reason, n);
}

/* All turns of a record, in a game that was just created, whose past is kept in *history. */
static enum fault
import_turns(struct turn *turn, const struct record *record, struct history *history)
{
	struct game *game = turn->game;
	struct move_row row;
	enum fault fault = FAULT_NONE;
	unsigned ending = 0;
	for (unsigned ply = 0;; ply++) {
		for (; ending < record->ending_count && record->endings[ending].ply == ply; ending++)
			if ((fault = import_ending(turn, record, ending)) != FAULT_NONE)
				return fault;
		if (ply == record->move_count)
			return FAULT_NONE;
		if ((fault = turn_play(turn, record->moves[ply], &row)) != FAULT_NONE)
			return fault;
		history_add(history, row.left);
		game->past = history_past(history);
	}
}

/* Writes the game's row with all that its turns have changed. */
static enum fault
settle(struct db *db, struct arena *arena, struct game *game, const struct history *history)
{
	unsigned char *marks = arena_take(arena, history->count * MOVES_MARK_LEN + 1);
	if (marks == NULL)
		return FAULT_OUT_OF_MEMORY;
	for (unsigned i = 0; i < history->count; i++)
		moves_mark(history->keys[i], marks + i * MOVES_MARK_LEN);
	game->row.marks = marks;
	game->row.marks_len = history->count * MOVES_MARK_LEN;
	game->row.twice_len = game->past.count * sizeof(uint64_t);
	enum fault fault = past_write(arena, &game->past, &game->row.twice);
	if (fault == FAULT_NONE)
		fault = game_write(db, game, game);
	game->row.marks = NULL;
	game->row.marks_len = 0;
	game->hushed = false;
	return fault != FAULT_NONE ? fault : audience_tell(db, game, 1, 0);
}

enum fault
record_import(struct db *db, struct arena *arena, int64_t now_ms, const struct record *record, bool listed,
    const struct player_row *player, const struct game_secrets *secrets, struct game *game)
{
	struct text tags = TEXT_EMPTY;
	struct game made;
	struct game_plan plan = {
	    .variant = record->variant,
	    .start = &record->start,
	    .listed = listed,
	    .imported = true,
	};
	enum fault fault = FAULT_OUT_OF_MEMORY;
	memcpy(plan.names, record->names, sizeof plan.names);
	for (unsigned i = 0; i < SEATS_MAX && player != NULL; i++)
		plan.owners[i] = (struct seat_owner){.player = player->player, .id = player->id};
	plan.creator = player == NULL ? 0 : player->player;
	write_tags(record, &tags);
	struct turn *turn = turn_begin(arena, db, now_ms, false, &made);
	struct history *history = arena_take(arena, sizeof *history);
	if (turn == NULL || history == NULL || text_failed(&tags))
		goto done;
	/* In the arena, since the game outlives this function. */
	if (tags.len > 0 && (plan.tags = arena_copy(arena, tags.bytes, tags.len)) == NULL)
		goto done;

	history_begin(history, &record->start);
	fault = game_create(db, arena, now_ms, &plan, secrets, &made);
	if (fault == FAULT_NONE)
		fault = import_turns(turn, record, history);
	if (fault == FAULT_NONE)
		fault = settle(db, arena, &made, history);
	if (fault == FAULT_NONE)
		*game = made;
done:
	text_free(&tags);
	return fault;
}

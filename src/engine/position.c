#include "engine/position.h"

#include "engine/rules.h"

const struct rules *const rules_table[FAMILY_COUNT] = {
#define F(name, row) [name] = &row,
    FAMILY_TABLE(F)
#undef F
};

static const struct rules *
rules_at(const struct position *position)
{
	return rules_of((enum variant)position->variant);
}

void
position_start(enum variant variant, struct position *position)
{
	*position = (struct position){.variant = (uint8_t)variant, .turn = 1, .resting = CELL_NONE};
	rules_of(variant)->start(position);
	position->key = position_key(position);
}

uint64_t
position_key(const struct position *position)
{
	return rules_at(position)->stones_key(position) ^ zobrist_resting(position->resting) ^
	       zobrist_turn(position->turn) ^ zobrist_out(position->out);
}

bool
position_start_counts(enum variant variant)
{
	return rules_of(variant)->start_counts;
}

bool
position_start_key(const struct position *start, uint64_t *key)
{
	if (!rules_at(start)->start_counts)
		return false;
	*key = start->key ^ zobrist_out(start->out);
	return true;
}

unsigned
position_moves(const struct position *position, const struct past *past, struct move *moves)
{
	return position->turn == 0 ? 0 : rules_at(position)->moves(position, past, moves);
}

unsigned
position_count(const struct position *position, const struct past *past)
{
	return position->turn == 0 ? 0 : rules_at(position)->count(position, past);
}

enum verdict
position_judge(const struct position *position, const struct past *past, const struct move_text *text,
    struct move *move, struct judgement *judgement)
{
	struct judgement unasked_judgement;
	struct move unasked_move;
	return rules_at(position)->judge(
	    position, past, text, move ? move : &unasked_move, judgement ? judgement : &unasked_judgement);
}

void
position_play(const struct position *before, const struct past *past, struct move move, struct position *after,
    struct change *change)
{
	struct change unasked;
	if (!change)
		change = &unasked;
	*after = *before;
	*change = (struct change){0};
	rules_at(after)->play(after, past, move, change);
}

void
position_drop(const struct position *before, const struct past *past, unsigned seat, enum reason reason,
    struct position *after, struct change *change)
{
	struct change unasked;
	if (!change)
		change = &unasked;
	*after = *before;
	*change = (struct change){0};
	rules_at(after)->drop(after, past, seat, reason, change);
}

void
position_agree(const struct position *before, struct position *after)
{
	*after = *before;
	rules_end(after, 0, REASON_AGREEMENT);
}

void
position_path(const struct position *position, struct move move, struct path *path)
{
	rules_at(position)->path(position, move, path);
}

int
position_owners(const struct position *position, cell_t cell)
{
	return rules_at(position)->owners(position, cell);
}

unsigned
position_stones(const struct position *position, cell_t *cells)
{
	return rules_at(position)->stones(position, cells);
}

enum phase
position_phase(const struct position *position)
{
	return rules_at(position)->phase(position);
}

bool
position_has_chains(enum variant variant)
{
	return rules_of(variant)->chains;
}

bool
position_has_camps(enum variant variant)
{
	return rules_of(variant)->camps;
}

unsigned
position_targets(enum variant variant, unsigned seat, cell_t *cells)
{
	return rules_of(variant)->targets(variant, seat, cells);
}

bool
position_is_start(const struct position *position)
{
	const struct rules *rules = rules_at(position);
	unsigned seats = variant_row((enum variant)position->variant)->seats;

	if (position->turn == 0 || rules_in_count(position) < 2)
		return false;
	for (unsigned seat = 1; seat <= seats; seat++)
		if (!position_out(position, seat) && (!rules->holds(position, seat) || rules->arrived(position, seat)))
			return false;
	return rules->count(position, NULL) != 0;
}

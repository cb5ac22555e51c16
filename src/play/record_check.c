/* Whether a record that somebody sent is a game by the rules: record_check of record.h. */
#include "play/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "engine/history.h"

enum { WHY_MAX = 512 };

/* A check under way. */
struct check {
	struct arena *arena;
	const struct record_draft *draft;
	struct record_fault *where;
	struct record record;
	struct position position;
	struct history *history;
};

/* Says where and why, in a sentence, and returns the fault. */
static enum fault __attribute__((format(printf, 5, 6)))
refuse(struct check *check, enum fault fault, struct record_place at, const char *member, const char *format, ...)
{
	char why[WHY_MAX];
	va_list values;
	va_start(values, format);
	int len = vsnprintf(why, sizeof why, format, values);
	va_end(values);
	if (len >= WHY_MAX)
		len = (int)text_utf8_prefix(why, WHY_MAX - 1);
	const char *copy = len < 0 ? NULL : arena_copy(check->arena, why, (size_t)len);
	if (copy == NULL)
		return FAULT_OUT_OF_MEMORY;
	*check->where = (struct record_fault){
	    .line = at.line,
	    .column = at.column,
	    .ply = -1,
	    .ending = -1,
	    .item = -1,
	    .verdict = VERDICT_LEGAL,
	    .member = member,
	    .why = copy,
	};
	return fault;
}

static enum fault
check_variant(struct check *check)
{
	const struct record_draft *draft = check->draft;
	if (draft->variant == NULL)
		return refuse(check, FAULT_MALFORMED_RECORD, draft->variant_at, "variant", "The variant is missing.");
	if (!variant_find(draft->variant, strlen(draft->variant), &check->record.variant))
		return refuse(check, FAULT_MALFORMED_RECORD, draft->variant_at, "variant", "There is no such variant.");
	return FAULT_NONE;
}

static enum fault
check_start(struct check *check)
{
	const struct record_draft *draft = check->draft;
	struct record_place at = draft->start_at;
	struct text_fault why;
	struct position *start = &check->record.start;
	if (draft->start == NULL) {
		position_start(check->record.variant, start);
		return FAULT_NONE;
	}
	if (!notation_read_position(draft->start, strlen(draft->start), start, &why)) {
		if (at.line > 0)
			at.column += (unsigned)text_utf8_count(draft->start, why.at);
		return refuse(check, FAULT_MALFORMED_RECORD, at, "start", "The start is not a position: %s: %s.",
		    why.field, why.why);
	}
	if (start->variant != check->record.variant)
		return refuse(
		    check, FAULT_MALFORMED_RECORD, at, "start", "The start is a position of another variant.");
	if (!position_is_start(start))
		return refuse(check, FAULT_NOT_A_START, at, "start", "A game cannot start from this position.");
	return FAULT_NONE;
}

/* Whether a text has from min to max code points that may stand in a name, or be one of also. */
static bool
is_text(const char *text, size_t min, size_t max, const char *also)
{
	size_t len = strlen(text), at = 0, count = 0;
	if (text_utf8_prefix(text, len) != len)
		return false;
	while (at < len) {
		uint32_t code_point = text_utf8_next(text, len, &at);
		bool extra = code_point < 0x80 && strchr(also, (int)code_point) != NULL;
		if (!extra && !text_name_char(code_point))
			return false;
		count++;
	}
	return count >= min && count <= max;
}

static enum fault
check_names(struct check *check)
{
	const struct record_draft *draft = check->draft;
	unsigned seats = variant_row(check->record.variant)->seats;
	for (unsigned i = 0; i < draft->name_count; i++) {
		enum fault fault = FAULT_NONE;
		if (draft->names[i] == NULL)
			continue;
		if (i >= seats)
			fault = refuse(check, FAULT_MALFORMED_RECORD, draft->names_at[i], "seats",
			    "The variant has no more than %u seats.", seats);
		else if (!is_text(draft->names[i], 1, LIMIT_NAME, ""))
			fault = refuse(check, FAULT_MALFORMED_RECORD, draft->names_at[i], "seats",
			    "A name has 1 to %d characters, none of them a control or text-direction character.",
			    LIMIT_NAME);
		if (fault != FAULT_NONE) {
			check->where->item = (int)i;
			return fault;
		}
		check->record.names[i] = draft->names[i];
	}
	return FAULT_NONE;
}

/* NULL if the i-th tag is as it should be, else why not. */
static const char *
tag_fault(const struct record_draft *draft, unsigned i)
{
	if (i >= LIMIT_TAGS)
		return "There are too many tags.";
	if (!is_text(draft->tags[i].name, 1, LIMIT_TAG_NAME, ""))
		return "The name of a tag is empty, too long or holds a control or text-direction character.";
	if (!is_text(draft->tags[i].value, 0, LIMIT_TAG_VALUE, "\n\t"))
		return "The value of a tag is too long or holds a control or text-direction character.";
	for (unsigned j = 0; j < i; j++)
		if (strcmp(draft->tags[j].name, draft->tags[i].name) == 0)
			return "The tag stands twice.";
	return NULL;
}

static enum fault
check_tags(struct check *check)
{
	const struct record_draft *draft = check->draft;
	for (unsigned i = 0; i < draft->tag_count; i++) {
		const char *why = tag_fault(draft, i);
		struct record_place at = draft->tags_at == NULL ? (struct record_place){0} : draft->tags_at[i];
		if (why == NULL)
			continue;
		enum fault fault = refuse(check, FAULT_MALFORMED_RECORD, at, "tags", "%s", why);
		check->where->item = (int)i;
		return fault;
	}
	check->record.tag_count = draft->tag_count;
	check->record.tags = draft->tags;
	return FAULT_NONE;
}

/* What is wrong with an ending whatever the moves: its number, its seat. */
static const char *
ending_fault(const struct check *check, unsigned i)
{
	const struct record_draft *draft = check->draft;
	const struct record_ending *ending = &draft->endings[i];
	bool agreed = ending->reason == REASON_AGREEMENT;
	if (ending->ply > draft->move_count || (i > 0 && ending->ply < draft->endings[i - 1].ply))
		return "An ending stands at a ply that is not played, or before the ending ahead of it.";
	if (!agreed && ending->reason != REASON_RESIGNED && ending->reason != REASON_TIMEOUT)
		return "An ending is resigned, timeout or agreement.";
	if (agreed != (ending->seat == 0) || ending->seat > variant_row(check->record.variant)->seats)
		return "An ending is of a seat of the variant, an agreed draw of none.";
	return NULL;
}

static enum fault
check_endings(struct check *check)
{
	const struct record_draft *draft = check->draft;
	for (unsigned i = 0; i < draft->ending_count; i++) {
		const char *why = ending_fault(check, i);
		if (why == NULL)
			continue;
		enum fault fault = refuse(check, FAULT_MALFORMED_RECORD, draft->endings_at[i], "endings", "%s", why);
		check->where->ending = (int)i;
		return fault;
	}
	check->record.ending_count = draft->ending_count;
	memcpy(check->record.endings, draft->endings, sizeof check->record.endings);
	return FAULT_NONE;
}

static enum fault
replay_ending(struct check *check, unsigned i)
{
	const struct record_ending *ending = &check->record.endings[i];
	const char *why = NULL;
	if (check->position.turn == 0)
		why = "The game is over already.";
	else if (ending->seat != 0 && position_out(&check->position, ending->seat))
		why = "The seat is out already.";
	if (why != NULL) {
		enum fault fault =
		    refuse(check, FAULT_RECORD_CONTRADICTED, check->draft->endings_at[i], "endings", "%s", why);
		check->where->ending = (int)i;
		return fault;
	}
	struct past past = history_past(check->history);
	if (ending->seat == 0)
		position_agree(&check->position, &check->position);
	else
		position_drop(&check->position, &past, ending->seat, ending->reason, &check->position, NULL);
	return FAULT_NONE;
}

static struct record_place
move_place(const struct record_draft *draft, unsigned i)
{
	return draft->moves_at == NULL ? (struct record_place){0} : draft->moves_at[i];
}

/* Reads and judges move i; refuses it as unreadable, after the end, or illegal. */
static enum fault
judge_move(struct check *check, unsigned i, const struct past *past, struct move *move)
{
	const char *text = check->draft->moves[i];
	struct record_place at = move_place(check->draft, i);
	struct move_text written;
	struct text_fault why;
	if (!notation_read_move(text, strlen(text), &written, &why)) {
		if (at.line > 0)
			at.column += (unsigned)text_utf8_count(text, why.at);
		return refuse(check, FAULT_MALFORMED_RECORD, at, "moves", "The text is not a move: %s.", why.why);
	}
	if (check->position.turn == 0)
		return refuse(check, FAULT_RECORD_CONTRADICTED, at, "moves", "The game is over after ply %u.", i);
	enum verdict verdict = position_judge(&check->position, past, &written, move, NULL);
	if (verdict == VERDICT_LEGAL)
		return FAULT_NONE;
	const struct verdict_row *row = verdict_row(verdict);
	enum fault fault = refuse(check, FAULT_RECORD_ILLEGAL_MOVE, at, "moves", "%s: %s (%s).", text, row->title,
	    row->rule[variant_row(check->record.variant)->family]);
	check->where->verdict = verdict;
	return fault;
}

static enum fault
replay_move(struct check *check, unsigned i)
{
	struct past past = history_past(check->history);
	struct move *move = &check->record.moves[i];
	struct change change;
	enum fault fault = judge_move(check, i, &past, move);
	if (fault == FAULT_NONE) {
		position_play(&check->position, &past, *move, &check->position, &change);
		history_add(check->history, change.left);
	} else {
		check->where->ply = (int)i + 1;
	}
	return fault;
}

static enum fault
replay(struct check *check)
{
	unsigned ending = 0, count = check->draft->move_count;
	enum fault fault;
	check->position = check->record.start;
	history_begin(check->history, &check->record.start);
	for (unsigned ply = 0;; ply++) {
		for (; ending < check->record.ending_count && check->record.endings[ending].ply == ply; ending++)
			if ((fault = replay_ending(check, ending)) != FAULT_NONE)
				return fault;
		if (ply == count)
			return FAULT_NONE;
		if ((fault = replay_move(check, ply)) != FAULT_NONE)
			return fault;
	}
}

static enum fault
check_outcome(struct check *check)
{
	const struct record_draft *draft = check->draft;
	const struct position *position = &check->position;
	const char *reason = reason_word((enum reason)position->reason);
	bool over = position->turn == 0;
	check->record.over = over;
	check->record.winner = position->winner;
	check->record.reason = (enum reason)position->reason;
	if (!draft->outcome_known || (!over && !draft->over))
		return FAULT_NONE;
	if (over && draft->over && draft->winner == position->winner && draft->reason == position->reason)
		return FAULT_NONE;
	struct record_place at = draft->outcome_at;
	if (!over)
		return refuse(check, FAULT_RECORD_CONTRADICTED, at, "outcome", "By the moves, the game goes on.");
	if (position->winner == 0)
		return refuse(check, FAULT_RECORD_CONTRADICTED, at, "outcome", "By the moves: draw, %s.", reason);
	return refuse(check, FAULT_RECORD_CONTRADICTED, at, "outcome", "By the moves: seat %u wins, %s.",
	    position->winner, reason);
}

/* Room for the replay, within the limits. */
static enum fault
take_room(struct check *check)
{
	unsigned count = check->draft->move_count;
	if (count > PLIES_MAX)
		return refuse(check, FAULT_MALFORMED_RECORD, move_place(check->draft, PLIES_MAX), "moves",
		    "A game has at most %d plies.", PLIES_MAX);
	check->record.move_count = count;
	check->record.moves = arena_take(check->arena, (count + 1) * sizeof *check->record.moves);
	check->history = arena_take(check->arena, sizeof *check->history);
	return check->record.moves == NULL || check->history == NULL ? FAULT_OUT_OF_MEMORY : FAULT_NONE;
}

enum fault
record_check(struct arena *arena, const struct record_draft *draft, struct record *record, struct record_fault *where)
{
	static enum fault (*const steps[])(struct check *) = {
	    check_variant,
	    check_start,
	    check_names,
	    check_tags,
	    check_endings,
	    take_room,
	    replay,
	    check_outcome,
	};
	struct check check = {.arena = arena, .draft = draft, .where = where};
	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
		enum fault fault = steps[i](&check);
		if (fault != FAULT_NONE)
			return fault;
	}
	*record = check.record;
	return FAULT_NONE;
}

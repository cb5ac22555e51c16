/* iuvod perft. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command.h"
#include "engine/notation.h"
#include "engine/perft.h"

static const char *position_text; /* NULL: the start of a variant */
static bool divide;

static const struct option_row rows[] = {
    {"divide", OPTION_FLAG, &divide, .help = "the count below each first move, too"},
    {"position", OPTION_TEXT, &position_text, "TEXT", .help = "counts from this position, not from a start"},
};

_Static_assert(PLIES_MAX == 4096, "the depth that set.number tells");

static const struct option_set set = {
    .usage = "iuvod perft [OPTION]... VARIANT DEPTH\n       iuvod perft [OPTION]... --position TEXT DEPTH",
    .about = "Counts the sequences of DEPTH legal moves; repetition is left out.  The last line is\n"
	     "`nodes N`.\n\nVariants:"
#define V(name, id, title, family, files, ranks, seats) " " id
    VARIANT_TABLE(V)
#undef V
	,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operands = 2,
    .number = "a depth is a whole number from 0 to 4096",
};

static bool
read_depth(const char *text, unsigned *depth)
{
	uint64_t number;
	if (!text_read_uint(text, strlen(text), PLIES_MAX, &number)) {
		option_wrong(&set, "'%s': %s", text, set.number);
		return false;
	}
	*depth = (unsigned)number;
	return true;
}

static bool
read_position(const char *text, struct position *position)
{
	struct text_fault fault;
	if (notation_read_position(text, strlen(text), position, &fault))
		return true;
	option_wrong(&set, "--position, column %zu (%s): %s", fault.at + 1, fault.field, fault.why);
	return false;
}

static bool
read_variant(const char *text, struct position *position)
{
	enum variant variant;
	if (!variant_find(text, strlen(text), &variant)) {
		option_wrong(&set, "'%s': there is no such variant%s", text,
		    strpbrk(text, " /") == NULL ? "" : "; a position is given with --position");
		return false;
	}
	position_start(variant, position);
	return true;
}

/* What is counted, from the operands. */
static bool
read_operands(int count, char **operands, struct position *position, unsigned *depth)
{
	int wanted = position_text == NULL ? 2 : 1;
	if (count > wanted)
		option_wrong(&set, "'%s': not expected here, since --position names the variant", operands[0]);
	else if (count < wanted)
		option_wrong(
		    &set, count == 0 && wanted == 2 ? "a variant and a depth are missing" : "a depth is missing");
	else
		return (position_text == NULL ? read_variant(operands[0], position)
					      : read_position(position_text, position)) &&
		       read_depth(operands[count - 1], depth);
	return false;
}

static uint64_t
print_divided(const struct position *position, unsigned depth)
{
	struct move moves[MOVES_MAX];
	unsigned count = position_moves(position, NULL, moves);
	uint64_t total = 0;

	for (unsigned i = 0; i < count; i++) {
		struct position after;
		char text[MOVE_TEXT_MAX];
		position_play(position, NULL, moves[i], &after, NULL);
		uint64_t below = perft_count(&after, depth - 1);
		notation_move(moves[i], text);
		printf("%s %" PRIu64 "\n", text, below);
		total += below;
	}
	return total;
}

static int
run(const struct position *position, unsigned depth)
{
	uint64_t nodes = divide && depth > 0 ? print_divided(position, depth) : perft_count(position, depth);
	printf("nodes %" PRIu64 "\n", nodes);
	return command_end(COMMAND_DONE);
}

int
command_perft(int argc, char **argv)
{
	struct position position;
	unsigned depth;
	int first, status = command_read(&set, argc, argv, &first);
	if (status != COMMAND_GO)
		return status;
	if (!read_operands(argc - first, argv + first, &position, &depth))
		return COMMAND_USAGE;
	return run(&position, depth);
}

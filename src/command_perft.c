#include "command_perft.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/notation.h"
#include "engine/perft.h"

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

static const char usage[] = "Usage: iuvod perft [--divide] VARIANT DEPTH\n"
			    "       iuvod perft [--divide] --position 'TEXT' DEPTH\n"
			    "\n"
			    "Counts the sequences of DEPTH legal moves from the start of a variant or from a\n"
			    "position; repetition is left out.  The last line is `nodes N`.\n"
			    "\n"
			    "      --divide         print the count below each first move\n"
			    "      --position=TEXT  count from this position\n"
			    "      --help           print this and exit\n"
			    "\n"
			    "Variants:";

/* What is asked for. */
struct request {
	const char *position_text; /* NULL for the start of a variant */
	bool divide;
	bool help;
	unsigned depth;
};

static void
print_usage(FILE *file)
{
	fputs(usage, file);
	for (unsigned i = 0; i < VARIANT_COUNT; i++)
		fprintf(file, " %s", variant_row((enum variant)i)->id);
	fputc('\n', file);
}

static int
wrong_use(const char *why, const char *what)
{
	fprintf(stderr, "iuvod perft: %s%s%s\n", why, what ? ": " : "", what ? what : "");
	fputs("Try `iuvod perft --help`.\n", stderr);
	return STATUS_USAGE;
}

/* False after an option that is unknown or incomplete, which getopt has told. */
static bool
read_options(int argc, char **argv, struct request *request)
{
	static const struct option options[] = {
	    {"divide", no_argument, NULL, 'd'},
	    {"position", required_argument, NULL, 'p'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int option;

	optind = 0; /* the command line has been read once, by main */
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'd')
			request->divide = true;
		else if (option == 'p')
			request->position_text = optarg;
		else if (option == 'h')
			request->help = true;
		else
			return false;
	}
	return true;
}

/* A depth is a short decimal number; no game is longer than its top. */
static bool
read_depth(const char *text, unsigned *depth)
{
	unsigned number = 0;
	size_t len = strspn(text, "0123456789");
	if (len == 0 || text[len] != '\0' || len > 4)
		return false;
	for (; *text; text++)
		number = number * 10 + (unsigned)(*text - '0');
	if (number > PLIES_MAX)
		return false;
	*depth = number;
	return true;
}

static bool
read_position(const char *text, struct position *position)
{
	struct text_fault fault;
	if (notation_read_position(text, strlen(text), position, &fault))
		return true;
	fprintf(stderr, "iuvod perft: position, column %zu (%s): %s\n", fault.at + 1, fault.field, fault.why);
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
run(const struct request *request, const struct position *position)
{
	uint64_t nodes;
	if (request->divide && request->depth > 0)
		nodes = print_divided(position, request->depth);
	else
		nodes = perft_count(position, request->depth);
	printf("nodes %" PRIu64 "\n", nodes);
	if (fflush(stdout) != 0) {
		perror("iuvod perft");
		return STATUS_FAILED;
	}
	return 0;
}

int
command_perft(int argc, char **argv)
{
	struct request request = {0};
	struct position position;
	enum variant variant;

	if (!read_options(argc, argv, &request))
		return wrong_use("these options are not understood", NULL);
	if (request.help) {
		print_usage(stdout);
		return 0;
	}
	int wanted = request.position_text ? 1 : 2;
	if (argc - optind != wanted)
		return wrong_use(request.position_text ? "a depth is needed, and nothing else"
						       : "a variant and a depth are needed, and nothing else",
		    NULL);
	if (!read_depth(argv[argc - 1], &request.depth))
		return wrong_use("a depth is a number from 0 to 4096", argv[argc - 1]);
	if (request.position_text) {
		if (!read_position(request.position_text, &position))
			return STATUS_FAILED;
	} else {
		if (!variant_find(argv[optind], strlen(argv[optind]), &variant))
			return wrong_use("there is no such variant", argv[optind]);
		position_start(variant, &position);
	}
	return run(&request, &position);
}

/* iuvod match: what is asked of it, and what it prints; match.c plays. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command.h"
#include "engine/level.h"
#include "match.h"

static uint64_t games = 200, opening = 4, plies = 0, seed = 1, threads = 1, megabytes = 16, first_seats = 2;
static uint64_t skip = 0;
static bool ladder;

static const struct option_row rows[] = {
    {"games", OPTION_NUMBER, &games, "N", 1, 1000000, .help = "how many, rounded up to whole openings"},
    {"skip", OPTION_NUMBER, &skip, "N", 0, 1000000,
	.help = "openings that are left out, to go on where a shorter match ended"},
    {"opening", OPTION_NUMBER, &opening, "N", 0, 32, .help = "plies at random, and up to three more"},
    {"plies", OPTION_NUMBER, &plies, "N", 0, PLIES_MAX,
	.help = "a game of so many counts as drawn; 0: 600, with four seats 2000"},
    {"seed", OPTION_NUMBER, &seed, "N", 0, UINT32_MAX, .help = "of all chance: the same seed, the same match"},
    {"seats", OPTION_NUMBER, &first_seats, "N", 1, 2, .help = "of FIRST, where the variant has four"},
    {"threads", OPTION_NUMBER, &threads, "N", 1, 256, .help = "games that are played at once"},
    {"hash", OPTION_NUMBER, &megabytes, "MIB", 1, COMMAND_SEARCH_MIB_MOST, .help = "memory of each search"},
    {"ladder", OPTION_FLAG, &ladder, .help = "each level against the one two below"},
};

static const struct option_set set = {
    .usage = "iuvod match [OPTION]... VARIANT FIRST SECOND\n       iuvod match [OPTION]... --ladder VARIANT",
    .about = "Plays the engine against itself, from openings drawn by lot, each once in every\n"
	     "seating, and prints the score of FIRST with an interval of 95 % and what it means in\n"
	     "Elo.  A player is `level:N` or `nodes:N`.  With four seats each has two, in all six\n"
	     "seatings, and a win of either counts; with --seats 1 FIRST has one and SECOND three.\n"
	     "Who has no seat left has lost, whichever of the other's would win; a draw is shared out\n"
	     "among all seats.\n"
	     "The same options print the same, whatever the number of threads.\n\nVariants:"
#define V(name, id, title, family, files, ranks, seats) " " id
    VARIANT_TABLE(V)
#undef V
	,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operands = 3,
};

/* Which openings they are: how many, after how many that were left out, of which seed. */
static void
print_openings(const struct match_plan *plan)
{
	printf("%u opening%s", plan->openings, plan->openings == 1 ? "" : "s");
	if (plan->skipped)
		printf(" after %u", plan->skipped);
	printf(", seed %" PRIu64 "\n", plan->seed);
}

static bool
read_player(const char *text, struct match_player *player)
{
	if (match_read_player(text, player))
		return true;
	option_wrong(&set, "'%s': a player is level:N, from 1 to 10, or nodes:N", text);
	return false;
}

static bool
read_operands(int count, char **operands, struct match_plan *plan)
{
	int wanted = ladder ? 1 : 3;
	if (count < wanted)
		option_wrong(&set,
		    ladder ? "a variant is missing" : "a variant and two players are wanted: VARIANT FIRST SECOND");
	else if (count > wanted)
		option_wrong(&set, "'%s': not expected here, since --ladder names the players", operands[1]);
	else if (!variant_find(operands[0], strlen(operands[0]), &plan->variant))
		option_wrong(&set, "'%s': there is no such variant", operands[0]);
	else
		return ladder || (read_player(operands[1], &plan->first) && read_player(operands[2], &plan->second));
	return false;
}

/* Whether both players have as many seats: only then has a share a meaning in Elo. */
static bool
is_even(const struct match_score *score)
{
	return score->draw == 0.5;
}

/* The Elo of a share and of the ends of its interval. */
static void
print_elo(const struct match_score *score)
{
	double least, most;
	match_interval(score, &least, &most);
	printf("Elo %+.0f (%+.0f to %+.0f)\n", match_elo(match_share(score)), match_elo(least), match_elo(most));
}

static void
print_side(const char *name, const struct match_score *score, unsigned side)
{
	double moves = score->moves[side] ? (double)score->moves[side] : 1;
	printf("%s: %.0f nodes and depth %.1f a move\n", name, (double)score->nodes[side] / moves,
	    (double)score->depths[side] / moves);
}

static void
print_games(const struct match_score *score, unsigned seats)
{
	unsigned ended = score->games - score->settled;
	printf("plies %.1f a game", (double)score->plies / score->games);
	for (unsigned seat = 1; seat <= seats && ended; seat++)
		printf("%s %u: %.1f %%", seat == 1 ? "; won by seat" : "", seat, 100.0 * score->by_seat[seat] / ended);
	printf("\nends:");
	for (unsigned i = REASON_NONE + 1; i < REASON_COUNT; i++)
		if (score->by_reason[i])
			printf(" %s %u", reason_word((enum reason)i), score->by_reason[i]);
	if (score->settled)
		printf(" seats of one player left %u", score->settled);
	if (score->cut)
		printf(" too long %u", score->cut);
	putchar('\n');
}

static bool
play(const struct match_plan *plan, struct match_score *score)
{
	if (match_play(plan, score))
		return true;
	command_say("there is no memory or no thread for the match");
	return false;
}

static int
run_match(const struct match_plan *plan, char **operands)
{
	struct match_score score;
	unsigned seats = variant_row(plan->variant)->seats;
	if (!play(plan, &score))
		return COMMAND_FAILED;
	printf("%s: %s against %s, %u games from ", operands[0], operands[1], operands[2], score.games);
	print_openings(plan);
	double least, most;
	match_interval(&score, &least, &most);
	printf("won %u, drawn %u, lost %u: %.1f %% (%.1f to %.1f)\n", score.won, score.drawn, score.lost,
	    100 * match_share(&score), 100 * least, 100 * most);
	if (is_even(&score))
		print_elo(&score);
	else
		printf("an equal player would have %.1f %%\n", 100 * score.draw);
	print_games(&score, seats);
	print_side(operands[1], &score, 0);
	print_side(operands[2], &score, 1);
	return COMMAND_DONE;
}

/* The table of levels: each against the one two below it. */
static int
run_ladder(struct match_plan *plan, const char *variant)
{
	printf("%s, ", variant);
	print_openings(plan);
	printf(
	    "%-8s %8s %7s %7s %7s %9s %7s %6s\n", "level", "against", "share", "from", "to", "Elo", "plies", "drawn");
	for (unsigned level = LEVEL_LEAST + 2; level <= LEVEL_MOST; level++) {
		struct match_score score;
		plan->first = (struct match_player){.level = level};
		plan->second = (struct match_player){.level = level - 2};
		if (!play(plan, &score))
			return COMMAND_FAILED;
		double least, most;
		match_interval(&score, &least, &most);
		printf("%-8u %8u %5.1f %% %5.1f %% %5.1f %% ", level, level - 2, 100 * match_share(&score), 100 * least,
		    100 * most);
		if (is_even(&score))
			printf("%+9.0f", match_elo(match_share(&score)));
		else
			printf("%9s", "-");
		printf(" %7.1f %6u\n", (double)score.plies / score.games, score.drawn);
		fflush(stdout);
	}
	return COMMAND_DONE;
}

int
command_match(int argc, char **argv)
{
	struct match_plan plan = {0};
	int first, status = command_read(&set, argc, argv, &first);
	if (status != COMMAND_GO)
		return status;
	if (!read_operands(argc - first, argv + first, &plan))
		return COMMAND_USAGE;
	unsigned seats = variant_row(plan.variant)->seats;
	plan.first_seats = seats == 2 ? 1 : (unsigned)first_seats;
	unsigned seatings = match_seatings(&plan);
	plan.openings = (unsigned)((games + seatings - 1) / seatings);
	plan.skipped = (unsigned)skip;
	plan.opening_plies = (unsigned)opening;
	plan.plies = plies ? (unsigned)plies : seats == 2 ? 600 : 2000;
	plan.seed = seed;
	plan.threads = (unsigned)threads;
	plan.memory = megabytes << 20;
	return command_end(ladder ? run_ladder(&plan, argv[first]) : run_match(&plan, argv + first));
}

/* iuvod engine: a protocol of lines in the manner of UCI.  They are read and answered here, and searches run beside. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyst.h"
#include "base/text.h"
#include "command.h"
#include "config.h"
#include "engine/notation.h"
#include "input.h"
#include "order.h"

enum { MEBIBYTES_MOST = 65536 };

static uint64_t megabytes = 16;

static const struct option_row rows[] = {
    {"hash", OPTION_NUMBER, &megabytes, "MIB", 1, MEBIBYTES_MOST, .help = "memory of the search"},
};

static const struct option_set set = {
    .usage = "iuvod engine [OPTION]...",
    .about = "Reads commands line by line from standard input and answers on standard output, in\n"
	     "the manner of UCI.  README.md has the commands; `help` lists them.",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
};

/* What the program knows between two lines. */
struct session {
	struct analyst *analyst;
	struct position position;
	struct history history;
};

/*
 * What is wrong with a line is told in one.  The stream is held meanwhile, since a
 * search says lines of its own; so it is for every answer of several pieces that one may meet.
 */
static void
complain(const char *what, const char *word)
{
	flockfile(stdout);
	fputs("error ", stdout);
	fputs(what, stdout);
	if (word) {
		fputs(": ", stdout);
		text_show(stdout, word);
	}
	putchar('\n');
	fflush(stdout);
	funlockfile(stdout);
}

/* The next word of a line, NULL at its end. */
static char *
next_word(char **rest)
{
	return strtok_r(NULL, " \t\r", rest);
}

static void
begin_game(struct session *session, const struct position *start)
{
	session->position = *start;
	history_begin(&session->history, start);
}

/* Plays moves from the position on; false, told, at the first that is none. */
static bool
play_moves(struct session *session, char **rest)
{
	for (char *word; (word = next_word(rest)) != NULL;) {
		struct move_text text;
		struct text_fault fault;
		struct move move;
		struct change change;
		struct past past = history_past(&session->history);
		if (!notation_read_move(word, strlen(word), &text, &fault) || session->position.turn == 0 ||
		    position_judge(&session->position, &past, &text, &move, NULL) != VERDICT_LEGAL) {
			complain("no legal move", word);
			return false;
		}
		position_play(&session->position, &past, move, &session->position, &change);
		history_add(&session->history, change.left);
	}
	return true;
}

/* position VARIANT | FIVE FIELDS, [moves MOVE...]: all of it, or what is wrong changes nothing. */
static void
read_position(struct session *session, char **rest)
{
	char text[POSITION_TEXT_MAX] = "";
	size_t len = 0;
	struct position position;
	struct text_fault fault;
	enum variant variant;
	char *word;

	while ((word = next_word(rest)) != NULL && strcmp(word, "moves") != 0) {
		size_t more = strlen(word);
		if (len + more + 2 > sizeof text) {
			complain("no position", word);
			return;
		}
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "", word);
	}
	if (variant_find(text, len, &variant))
		position_start(variant, &position);
	else if (!strchr(text, ' ')) {
		complain(len ? "no such variant" : "a variant or a position is wanted", len ? text : NULL);
		return;
	} else if (!notation_read_position(text, len, &position, &fault)) {
		complain(fault.why, fault.field);
		return;
	}
	static struct session next;
	next.analyst = session->analyst;
	begin_game(&next, &position);
	if (!word || play_moves(&next, rest))
		*session = next;
}

/* Whether a seat has a move to be looked for; told if none has. */
static bool
goes_on(const struct session *session)
{
	char why[64];
	struct past past = history_past(&session->history);
	if (session->position.turn == 0) {
		complain("the game is over", NULL);
		return false;
	}
	if (position_count(&session->position, &past) > 0)
		return true;
	snprintf(why, sizeof why, "seat %u has no legal move", session->position.turn);
	complain("the game is over", why);
	return false;
}

static void
go(struct session *session, char **rest)
{
	if (!goes_on(session))
		return;
	struct analyst_order order;
	struct order_fault fault;
	if (!order_read(rest, &order, &fault)) {
		complain(fault.what, fault.word);
		return;
	}
	if (!analyst_go(session->analyst, &session->position, &session->history, &order))
		complain("there is no thread for the search", NULL);
}

static void
identify(void)
{
	flockfile(stdout);
	printf("id name %s\nvariants", PACKAGE_STRING);
#define V(name, id, title, family, files, ranks, seats) printf(" %s", id);
	VARIANT_TABLE(V)
#undef V
	puts("\nuciok");
	funlockfile(stdout);
}

static void
show(const struct session *session)
{
	char text[POSITION_TEXT_MAX];
	notation_position(&session->position, text);
	printf("position %s\n", text);
	if (session->position.turn == 0)
		printf("over winner %u reason %s\n", session->position.winner,
		    reason_word((enum reason)session->position.reason));
}

static void
list_moves(const struct session *session)
{
	static struct move moves[MOVES_MAX];
	struct past past = history_past(&session->history);
	unsigned count = position_moves(&session->position, &past, moves);
	fputs("moves", stdout);
	for (unsigned i = 0; i < count; i++) {
		char text[MOVE_TEXT_MAX];
		notation_move(moves[i], text);
		printf(" %s", text);
	}
	putchar('\n');
}

static void
help(void)
{
	puts("uci | isready | position VARIANT [moves MOVE...] | position POSITION [moves MOVE...]\n"
	     "go [nodes N] [depth N] [movetime MS] [level N] [lines N] [seed N] [infinite]\n"
	     "stop | show | moves | ucinewgame | help | quit");
}

/* A line that a running search does not mind; false if it is another. */
static bool
obey_at_once(struct session *session, const char *word)
{
	if (strcmp(word, "stop") == 0)
		analyst_stop(session->analyst);
	else if (strcmp(word, "isready") == 0)
		puts("readyok");
	else if (strcmp(word, "uci") == 0)
		identify();
	else if (strcmp(word, "help") == 0)
		help();
	else
		return false;
	return true;
}

/* False for `quit`. */
static bool
obey(struct session *session, char *line)
{
	char *rest, *word = strtok_r(line, " \t\r", &rest);
	bool running = analyst_runs(session->analyst);
	if (word == NULL)
		return true;
	if (strcmp(word, "quit") == 0)
		return false;
	if (obey_at_once(session, word))
		;
	else if (running)
		complain("a search is running; stop it first", word);
	else if (strcmp(word, "position") == 0)
		read_position(session, &rest);
	else if (strcmp(word, "go") == 0)
		go(session, &rest);
	else if (strcmp(word, "show") == 0)
		show(session);
	else if (strcmp(word, "moves") == 0)
		list_moves(session);
	else if (strcmp(word, "ucinewgame") == 0)
		; /* no search knows of another: there is nothing to forget */
	else if (strcmp(word, "setoption") == 0)
		complain("there are no options; memory is `iuvod engine --hash MIB`", NULL);
	else
		complain("no command; try help", word);
	fflush(stdout);
	return true;
}

/* Waits for input, no longer than the search that runs may take; false at the end of input. */
static bool
read_more(struct session *session, struct input *input)
{
	struct pollfd file = {.fd = STDIN_FILENO, .events = POLLIN};
	int ready = poll(&file, 1, analyst_left(session->analyst));
	if (ready == 0 && analyst_left(session->analyst) == 0)
		analyst_hurry(session->analyst);
	if (ready <= 0)
		return ready == 0 || errno == EINTR;
	return input_read(input);
}

/* Obeys the lines that are complete; false for `quit`. */
static bool
obey_lines(struct session *session, struct input *input)
{
	enum input_found found;
	char *line;
	while ((found = input_next(input, &line)) != INPUT_NOTHING) {
		if (found == INPUT_TOO_LONG)
			complain("a line is too long", NULL);
		else if (found == INPUT_NUL)
			complain("a line holds a NUL byte", NULL);
		else if (!obey(session, line))
			return false;
	}
	return true;
}

static int
run(void)
{
	static struct session session;
	static struct input input;
	struct position start;

	session.analyst = analyst_open((size_t)megabytes << 20);
	if (session.analyst == NULL) {
		command_say("there is no memory for the search");
		return COMMAND_FAILED;
	}
	input = (struct input){.len = 0};
	position_start(VARIANT_IUVO_2, &start);
	begin_game(&session, &start);
	bool more = true, quit;
	while (!(quit = !obey_lines(&session, &input)) && more)
		more = read_more(&session, &input);
	if (!quit)
		analyst_finish(session.analyst);
	analyst_close(session.analyst);
	return ferror(stdout) ? COMMAND_FAILED : COMMAND_DONE;
}

int
command_engine(int argc, char **argv)
{
	int first, status = command_read(&set, argc, argv, &first);
	return status == COMMAND_GO ? run() : status;
}

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

static uint64_t megabytes = 16;

static const struct option_row rows[] = {
    {"hash", OPTION_NUMBER, &megabytes, "MIB", 1, COMMAND_SEARCH_MIB_MOST, .help = "memory of the search"},
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
	bool quits;
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

/* The start of a variant or any position; false, told, if it is neither. */
static bool
read_place(char *text, struct position *position)
{
	struct text_fault fault;
	enum variant variant;
	size_t len = strlen(text), first = strcspn(text, " ");
	if (len == 0) {
		complain("a variant or a position is wanted", NULL);
	} else if (!variant_find(text, first, &variant)) {
		text[first] = '\0';
		complain("no such variant", text);
	} else if (first == len) {
		position_start(variant, position);
		return true;
	} else if (notation_read_position(text, len, position, &fault)) {
		return true;
	} else {
		complain(fault.why, fault.field);
	}
	return false;
}

/* position VARIANT | FIVE FIELDS, [moves MOVE...]: all of it, or what is wrong changes nothing. */
static void
set_position(struct session *session, char **rest)
{
	static struct session next;
	char text[POSITION_TEXT_MAX] = "";
	size_t len = 0;
	struct position position;
	char *word;

	while ((word = next_word(rest)) != NULL && strcmp(word, "moves") != 0) {
		size_t more = strlen(word);
		if (len + more + 2 > sizeof text) {
			complain("no position", word);
			return;
		}
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "", word);
	}
	if (!read_place(text, &position))
		return;
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
identify(struct session *session, char **rest)
{
	(void)session;
	(void)rest;
	flockfile(stdout);
	printf("id name %s\nvariants", PACKAGE_STRING);
#define V(name, id, title, family, files, ranks, seats) printf(" %s", id);
	VARIANT_TABLE(V)
#undef V
	puts("\nuciok");
	funlockfile(stdout);
}

static void
say_ready(struct session *session, char **rest)
{
	(void)session;
	(void)rest;
	puts("readyok");
}

static void
show(struct session *session, char **rest)
{
	char text[POSITION_TEXT_MAX];
	(void)rest;
	notation_position(&session->position, text);
	printf("position %s\n", text);
	if (session->position.turn == 0)
		printf("over winner %u reason %s\n", session->position.winner,
		    reason_word((enum reason)session->position.reason));
}

static void
list_moves(struct session *session, char **rest)
{
	static struct move moves[MOVES_MAX];
	struct past past = history_past(&session->history);
	unsigned count = position_moves(&session->position, &past, moves);
	(void)rest;
	fputs("moves", stdout);
	for (unsigned i = 0; i < count; i++) {
		char text[MOVE_TEXT_MAX];
		notation_move(moves[i], text);
		printf(" %s", text);
	}
	putchar('\n');
}

static void
stop(struct session *session, char **rest)
{
	(void)rest;
	analyst_stop(session->analyst);
}

/* No search knows of another: there is nothing to forget. */
static void
forget(struct session *session, char **rest)
{
	(void)session;
	(void)rest;
}

static void
refuse_option(struct session *session, char **rest)
{
	(void)session;
	(void)rest;
	complain("there are no options; memory is `iuvod engine --hash MIB`", NULL);
}

static void
help(struct session *session, char **rest)
{
	(void)session;
	(void)rest;
	puts("uci | isready | position VARIANT [moves MOVE...] | position POSITION [moves MOVE...]\n"
	     "go [nodes N] [depth N] [movetime MS] [level N] [lines N] [seed N] [infinite]\n"
	     "stop | show | moves | ucinewgame | help | quit");
}

static void
quit(struct session *session, char **rest)
{
	(void)rest;
	session->quits = true;
}

/* The commands. */
static const struct {
	const char *word;
	bool at_once; /* a running search does not mind */
	bool alone;   /* nothing may stand behind it */
	void (*obey)(struct session *session, char **rest);
} commands[] = {
    {"uci", true, true, identify},
    {"isready", true, true, say_ready},
    {"position", false, false, set_position},
    {"go", false, false, go},
    {"stop", true, true, stop},
    {"show", false, true, show},
    {"moves", false, true, list_moves},
    {"ucinewgame", false, true, forget},
    {"setoption", false, false, refuse_option},
    {"help", true, true, help},
    {"quit", true, true, quit},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void
obey(struct session *session, char *line)
{
	char *rest, *word = strtok_r(line, " \t\r", &rest), *extra;
	bool running = analyst_runs(session->analyst);
	unsigned at = 0;
	if (word == NULL)
		return;
	while (at < COMMANDS && strcmp(word, commands[at].word) != 0)
		at++;
	if (at == COMMANDS)
		complain("no such command (try help)", word);
	else if (running && !commands[at].at_once)
		complain("a search is running (stop ends it)", word);
	else if (commands[at].alone && (extra = next_word(&rest)) != NULL)
		complain("nothing may stand behind this command", extra);
	else
		commands[at].obey(session, &rest);
	fflush(stdout);
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

/* Obeys the lines that are complete, to `quit`. */
static void
obey_lines(struct session *session, struct input *input)
{
	enum input_found found;
	char *line;
	while (!session->quits && (found = input_next(input, &line)) != INPUT_NOTHING) {
		if (found == INPUT_TOO_LONG)
			complain("a line is too long", NULL);
		else if (found == INPUT_NUL)
			complain("a line holds a NUL byte", NULL);
		else
			obey(session, line);
	}
}

static int
run(void)
{
	static struct session session;
	static struct input input;
	struct position start;
	bool more = true;

	session.analyst = analyst_open((size_t)megabytes << 20);
	if (session.analyst == NULL) {
		command_say("there is no memory for the search");
		return COMMAND_FAILED;
	}
	input = (struct input){.len = 0};
	session.quits = false;
	position_start(VARIANT_IUVO_2, &start);
	begin_game(&session, &start);
	for (;;) {
		obey_lines(&session, &input);
		if (session.quits || !more)
			break;
		more = read_more(&session, &input);
	}
	if (!session.quits)
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

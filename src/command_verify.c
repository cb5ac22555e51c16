/* iuvod verify; and command_examine, by which other commands look through a data file, too. */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "command.h"
#include "play/verify.h"
#include "store/integrity.h"

/* The file's name, and how often something was wrong with the file as such. */
struct examined {
	const char *shown;
	uint64_t wrong;
};

static void
print_difference(void *arg, const char *id, const char *line)
{
	(void)arg;
	text_show(stdout, id);
	fputs(": ", stdout);
	text_show(stdout, line);
	putchar('\n');
}

static void
print_wrong(void *arg, const char *line)
{
	struct examined *examined = arg;
	examined->wrong++;
	print_difference(NULL, examined->shown, line);
}

/* SQLite names what it has found in the file. */
static void
say_error(const char *shown, const char *error)
{
	char why[1024];
	snprintf(why, sizeof why, "%s: %s", shown, error);
	command_say(why);
}

bool
command_examine(const char *path, const char *shown, bool allowed, struct command_finding *finding)
{
	char why[512];
	struct verify_count count = {0};
	struct examined examined = {shown, 0};
	struct db *db = db_open(path, allowed ? DB_COPY : DB_INSPECT, why, sizeof why);
	if (db == NULL) {
		command_say(why);
		return false;
	}
	enum fault fault = integrity_check(db, print_wrong, &examined);
	if (fault == FAULT_NONE && db_schema(db) == db_schema_latest())
		fault = verify_all(db, &count, print_difference, NULL);
	if (fault != FAULT_NONE)
		say_error(shown, db_error(db));
	*finding =
	    (struct command_finding){count.games, count.plies, count.differences + examined.wrong, db_schema(db)};
	db_close(db);
	return fault == FAULT_NONE;
}

static int
verify(const char *path)
{
	struct command_finding finding = {0};
	bool done = command_examine(path, path, false, &finding);
	if (finding.schema != 0)
		printf("%" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " differences\n", finding.games, finding.plies,
		    finding.differences);
	return command_end(done && finding.differences == 0 ? COMMAND_DONE : COMMAND_FAILED);
}

int
command_verify(int argc, char **argv)
{
	static const struct command_words words = {
	    .usage = "iuvod verify [OPTION]...",
	    .about = "Looks whether the file hangs together, replays every stored game by the rules and\n"
		     "compares each position and outcome with what is stored, game by game as it then\n"
		     "stands; a server may go on meanwhile.  Prints each difference; the status is 1 if\n"
		     "there is one.",
	    .database = "the file of data; it is not changed",
	};
	const char *database = COMMAND_DATABASE;
	int status = command_read_file(&words, argc, argv, &database, NULL);
	return status == COMMAND_GO ? verify(database) : status;
}

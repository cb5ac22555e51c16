#include <inttypes.h>
#include <stdio.h>

#include "base/option.h"
#include "command.h"
#include "store/copy.h"

/* The pages alone: nobody who serves waits for more. */
static bool
fill(struct copy *copy, const char *from)
{
	char why[512];
	struct db *db = db_open(from, DB_COPY, why, sizeof why);
	bool done = db != NULL && copy_fill(copy, db, from, why, sizeof why);
	if (!done)
		command_say(why);
	db_close(db);
	return done;
}

static bool
examine(const struct copy *copy, const char *from, struct command_finding *finding)
{
	char why[512];
	if (!command_examine(copy_name(copy), from, true, finding))
		return false;
	if (finding->differences == 0)
		return true;
	snprintf(why, sizeof why, "%s is damaged: no copy of it was kept", from);
	command_say(why);
	return false;
}

static bool
place(struct copy *copy, const char **aside)
{
	char why[512];
	bool done = copy_place(copy, aside, why, sizeof why);
	if (!done)
		command_say(why);
	return done;
}

/* Makes a data file of another: all of it, or nothing. */
static int
copy_file(const char *from, const char *to, enum copy_over over)
{
	char why[512];
	const char *aside = NULL;
	struct command_finding finding = {0};
	struct copy *copy = copy_begin(to, over, why, sizeof why);
	if (copy == NULL)
		command_say(why);
	bool done = copy != NULL && fill(copy, from) && examine(copy, from, &finding) && place(copy, &aside);
	if (done)
		printf("%s: schema %u, %" PRIu64 " games, %" PRIu64 " plies\n", to, finding.schema, finding.games,
		    finding.plies);
	if (aside != NULL)
		printf("what was there before: %s\n", aside);
	copy_end(copy);
	return done ? COMMAND_DONE : COMMAND_FAILED;
}

static int
read_and_copy(const struct option_set *set, int argc, char **argv, const char **database, bool restoring)
{
	int first;
	enum option_end end = option_read(set, argc, argv, &first);
	if (end == OPTION_GO && (first == argc || *argv[first] == '\0'))
		end = option_wrong(set, "the name of the copy is missing");
	if (end != OPTION_GO)
		return end == OPTION_SHOWN ? COMMAND_DONE : COMMAND_USAGE;
	const char *copy = argv[first];
	return restoring ? copy_file(copy, *database, COPY_ASIDE) : copy_file(*database, copy, COPY_NEW);
}

int
command_backup(int argc, char **argv)
{
	const char *database = "iuvod.sqlite";
	const struct option_row rows[] = {
	    {"database", OPTION_TEXT, &database, "FILE", .help = "the file of data; it is not changed"},
	};
	const struct option_set set = {
	    .usage = "iuvod backup [OPTION]... FILE",
	    .about = "Copies the file of data, as it stands at one moment, to FILE, which must not be there\n"
		     "yet.  A server goes on meanwhile.  The copy is looked through as by `iuvod verify`,\n"
		     "and gets its name when it is found good and is on the disk.",
	    .rows = rows,
	    .count = 1,
	    .operands = 1,
	};
	return read_and_copy(&set, argc, argv, &database, false);
}

int
command_restore(int argc, char **argv)
{
	const char *database = "iuvod.sqlite";
	const struct option_row rows[] = {
	    {"database", OPTION_TEXT, &database, "FILE", .help = "the file of data that is replaced"},
	};
	const struct option_set set = {
	    .usage = "iuvod restore [OPTION]... FILE",
	    .about = "Puts the copy FILE, which `iuvod backup` has made, into the place of the file of data,\n"
		     "while nobody serves it, when it was looked through as by `iuvod verify`.  What stood\n"
		     "there is kept beside it, with .before-restore behind its name.",
	    .rows = rows,
	    .count = 1,
	    .operands = 1,
	};
	return read_and_copy(&set, argc, argv, &database, true);
}

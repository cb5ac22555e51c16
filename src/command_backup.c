/* iuvod backup and iuvod restore; and command_make, by which other commands make a data file, too. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "tidy.h"

/* The pages alone: nobody who serves waits for more. */
static bool
fill(struct copy *copy, const char *from, char *why, size_t room)
{
	struct db *db = db_open(from, DB_COPY, why, room);
	bool done = db != NULL && copy_fill(copy, db, from, why, room);
	db_close(db);
	return done;
}

/* True if it is sound. */
static bool
examine(const struct copy *copy, const char *from, struct command_finding *finding)
{
	char why[512];
	if (!command_examine(copy_name(copy), from, true, finding))
		return false;
	if (finding->differences == 0)
		return true;
	snprintf(why, sizeof why, "%s is damaged: nothing was made of it", from);
	command_say(why);
	return false;
}

static void
say_made(const char *to, const struct command_finding *finding, const char *aside)
{
	printf("%s: schema %u, ", to, finding->schema);
	if (finding->schema == db_schema_latest())
		printf("%" PRIu64 " games, %" PRIu64 " plies\n", finding->games, finding->plies);
	else
		printf("whose games this program, of schema %u, does not replay\n", db_schema_latest());
	if (aside != NULL)
		printf("what was there before: %s\n", aside);
}

int
command_make(const char *to, enum copy_over over, const char *from,
    bool (*filler)(struct copy *copy, const char *from, char *why, size_t room))
{
	char why[512];
	const char *aside = NULL;
	struct command_finding finding;
	int status = COMMAND_FAILED;
	tidy_hold();
	struct copy *copy = copy_begin(to, over, why, sizeof why);
	tidy_begin(copy);
	if (copy == NULL || !filler(copy, from, why, sizeof why)) {
		command_say(why);
	} else if (examine(copy, from, &finding)) {
		tidy_hold();
		if (copy_place(copy, &aside, why, sizeof why)) {
			say_made(to, &finding, aside);
			status = COMMAND_DONE;
		} else {
			command_say(why);
		}
	}
	copy_end(copy);
	tidy_end();
	return status;
}

int
command_backup(int argc, char **argv)
{
	static const struct command_words words = {
	    .usage = "iuvod backup [OPTION]... FILE",
	    .about = "Copies the file of data, as it stands at one moment, to FILE, which must not be there\n"
		     "yet.  A server goes on meanwhile.  The copy is looked through as by `iuvod verify`,\n"
		     "and gets its name when it is found good and is on the disk.",
	    .database = "the file of data; it is not changed",
	};
	const char *database = COMMAND_DATABASE, *copy;
	int status = command_read_file(&words, argc, argv, &database, &copy);
	return status == COMMAND_GO ? command_make(copy, COPY_NEW, database, fill) : status;
}

int
command_restore(int argc, char **argv)
{
	static const struct command_words words = {
	    .usage = "iuvod restore [OPTION]... FILE",
	    .about = "Puts the copy FILE, which `iuvod backup` has made, into the place of the file of data,\n"
		     "while nobody serves it, when it was looked through as by `iuvod verify`.  What stood\n"
		     "there is kept beside it, with .before-restore behind its name.",
	    .database = "the file of data that is replaced",
	};
	const char *database = COMMAND_DATABASE, *copy;
	int status = command_read_file(&words, argc, argv, &database, &copy);
	return status == COMMAND_GO ? command_make(database, COPY_ASIDE, copy, fill) : status;
}

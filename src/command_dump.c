/* iuvod dump and iuvod load. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "store/dump.h"

static int
dump(const char *database)
{
	char why[512];
	struct db *db = db_open(database, DB_INSPECT, why, sizeof why);
	bool done = db != NULL && dump_write(db, stdout, why, sizeof why);
	if (done && fflush(stdout) != 0) {
		snprintf(why, sizeof why, "cannot write: %s", strerror(errno));
		done = false;
	}
	if (!done)
		command_say(why);
	db_close(db);
	return done ? COMMAND_DONE : COMMAND_FAILED;
}

static bool
fill(struct copy *copy, const char *from, char *why, size_t room)
{
	(void)from;
	return dump_read(copy, stdin, why, room);
}

int
command_dump(int argc, char **argv)
{
	static const struct command_words words = {
	    .usage = "iuvod dump [OPTION]...",
	    .about = "Writes all that the file of data holds, as it stands at one moment, to standard\n"
		     "output: a line of JSON for each row, which `iuvod load` reads.  A server goes on\n"
		     "meanwhile.",
	    .database = "the file of data; it is not changed",
	};
	const char *database = COMMAND_DATABASE;
	int status = command_read_file(&words, argc, argv, &database, NULL);
	return status == COMMAND_GO ? dump(database) : status;
}

int
command_load(int argc, char **argv)
{
	static const struct command_words words = {
	    .usage = "iuvod load [OPTION]...",
	    .about = "Makes a file of data of what `iuvod dump` has written, read from standard input:\n"
		     "the whole of it, looked through as by `iuvod verify`, or nothing.",
	    .database = "the file of data; it must not be there yet",
	};
	const char *database = COMMAND_DATABASE;
	int status = command_read_file(&words, argc, argv, &database, NULL);
	return status == COMMAND_GO ? command_make(database, COPY_NEW, "the dump", fill) : status;
}

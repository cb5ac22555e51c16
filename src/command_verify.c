#include <inttypes.h>
#include <stdio.h>

#include "base/option.h"
#include "base/text.h"
#include "command.h"
#include "play/verify.h"
#include "store/db.h"

static void
print_difference(void *arg, const char *id, const char *line)
{
	(void)arg;
	text_show(stdout, id);
	fputs(": ", stdout);
	text_show(stdout, line);
	putchar('\n');
}

static int
verify(const char *path)
{
	char why[512];
	struct verify_count count = {0};
	struct db *db = db_open(path, DB_INSPECT, why, sizeof why);
	if (db == NULL) {
		command_say(why);
		return COMMAND_FAILED;
	}
	enum fault fault = verify_all(db, &count, print_difference, NULL);
	if (fault != FAULT_NONE)
		fprintf(stderr, "iuvod: %s: %s\n", path, db_error(db));
	printf("%" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " differences\n", count.games, count.plies,
	    count.differences);
	db_close(db);
	return fault == FAULT_NONE && count.differences == 0 ? COMMAND_DONE : COMMAND_FAILED;
}

int
command_verify(int argc, char **argv)
{
	const char *path = "iuvod.sqlite";
	const struct option_row rows[] = {
	    {"database", OPTION_TEXT, &path, "FILE", .help = "the file of data; it is not changed"},
	};
	const struct option_set set = {
	    .usage = "iuvod verify [OPTION]...",
	    .about = "Replays every stored game by the rules and compares each position and outcome with\n"
		     "what is stored.  Prints each difference; the status is 1 if there is one.",
	    .rows = rows,
	    .count = 1,
	};
	int first;
	switch (option_read(&set, argc, argv, &first)) {
	case OPTION_GO:
		return verify(path);
	case OPTION_SHOWN:
		return COMMAND_DONE;
	case OPTION_WRONG:
		break;
	}
	return COMMAND_USAGE;
}

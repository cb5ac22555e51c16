/* Reading the command line of a command, for those that have nothing special there. */
#include "command.h"

int
command_read(const struct option_set *set, int argc, char **argv, int *first)
{
	switch (option_read(set, argc, argv, first)) {
	case OPTION_GO:
		return COMMAND_GO;
	case OPTION_SHOWN:
		return COMMAND_DONE;
	case OPTION_WRONG:
		break;
	}
	return COMMAND_USAGE;
}

int
command_read_file(const struct command_words *words, int argc, char **argv, const char **database, const char **copy)
{
	const struct option_row row = {"database", OPTION_TEXT, database, "FILE", .help = words->database};
	const struct option_set set = {
	    .usage = words->usage,
	    .about = words->about,
	    .rows = &row,
	    .count = 1,
	    .environment = true,
	    .operands = copy != NULL,
	    .meant = copy == NULL ? "database" : NULL,
	};
	int first;
	int status = command_read(&set, argc, argv, &first);
	if (status != COMMAND_GO || copy == NULL)
		return status;
	if (first == argc || *argv[first] == '\0') {
		option_wrong(&set, "the name of the copy is missing");
		return COMMAND_USAGE;
	}
	*copy = argv[first];
	return COMMAND_GO;
}

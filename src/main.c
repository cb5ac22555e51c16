#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_perft.h"
#include "config.h"

/* One row per command: what is run and what --help prints. */
static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"serve", command_serve, "serves the games over HTTP"},
    {"verify", command_verify, "replays every stored game and compares it with what is stored"},
    {"perft", command_perft, "counts the sequences of legal moves from a position"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void
print_help(FILE *out)
{
	fprintf(out, "Usage: iuvod COMMAND [OPTION]...\n"
		     "Plays the board games Iuvo and Halma by post, over HTTP.\n\nCommands:\n");
	for (unsigned i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].help);
	fprintf(out, "\n'iuvod COMMAND --help' tells the options of a command, 'iuvod --version' the version.\n");
}

int
main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_help(stdout);
		return COMMAND_DONE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts(PACKAGE_STRING);
		return COMMAND_DONE;
	}
	for (unsigned i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "iuvod: '%s': there is no such %s\nTry 'iuvod --help'.\n", argv[1],
	    argv[1][0] == '-' ? "option" : "command");
	return COMMAND_USAGE;
}

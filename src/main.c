/* The list of commands, and what is asked of the program itself. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command.h"
#include "config.h"

/* One row per command: what is run and what --help prints. */
static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"serve", command_serve, "serves games over HTTP from one file of data"},
    {"verify", command_verify, "replays every stored game and compares it with the file"},
    {"backup", command_backup, "copies the file of data while it is served"},
    {"restore", command_restore, "puts such a copy into the place of the file of data"},
    {"dump", command_dump, "writes the whole server as lines of JSON"},
    {"load", command_load, "makes a file of data of such lines"},
    {"migrate", command_migrate, "brings the file of data up to date, or tries it"},
    {"perft", command_perft, "counts the sequences of legal moves from a position"},
    {"engine", command_engine, "plays by a protocol of lines, for other programs"},
    {"match", command_match, "plays the engine against itself and measures it"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void
print_help(void)
{
	puts("Usage: iuvod COMMAND [OPTION]...\n"
	     "Plays the board games Iuvo and Halma by post, over HTTP.\n\nCommands:");
	for (unsigned i = 0; i < COMMANDS; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].help);
	puts("\nOptions of serve, with their defaults (verify, backup, restore, dump, load and\n"
	     "migrate take --database, too):");
	command_serve_options();
	puts("\niuvod COMMAND --help tells more of a command, iuvod --version the version.");
}

void
command_say(const char *why)
{
	fputs("iuvod: ", stderr);
	text_show(stderr, why);
	fputc('\n', stderr);
}

int
command_end(int status)
{
	bool lost = fflush(stdout) != 0;
	if (!lost && !ferror(stdout))
		return status;
	fprintf(stderr, "iuvod: standard output: %s\n", lost ? strerror(errno) : "not all of it could be written");
	return COMMAND_FAILED;
}

/* What somebody may mean who does not know that it is an option. */
static const char *
meant(const char *word)
{
	static const char *const version[] = {"version", "-v", "-V"};
	for (unsigned i = 0; i < sizeof version / sizeof *version; i++)
		if (strcmp(word, version[i]) == 0)
			return "--version";
	return "--help";
}

int
main(int argc, char **argv)
{
	/* A file that may not grow (ulimit -f) is told by the write that fails. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		fprintf(stderr, "iuvod: a command is missing\nTry 'iuvod --help'.\n");
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_help();
		return command_end(COMMAND_DONE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts(PACKAGE_STRING);
		return command_end(COMMAND_DONE);
	}
	for (unsigned i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	fputs("iuvod: '", stderr);
	text_show(stderr, argv[1]);
	fprintf(stderr, "': there is no such %s\nTry 'iuvod %s'.\n", argv[1][0] == '-' ? "option" : "command",
	    meant(argv[1]));
	return COMMAND_USAGE;
}

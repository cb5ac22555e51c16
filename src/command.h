/*
 * The commands of the program.  Each reads its own command line, argv[0] being
 * the command's name, and returns the status with which the program ends.
 */
#ifndef IUVOD_COMMAND_H
#define IUVOD_COMMAND_H

enum {
	COMMAND_DONE = 0,
	COMMAND_FAILED = 1, /* it could not be done, or a difference was found */
	COMMAND_USAGE = 2   /* the command line is wrong */
};

int command_serve(int argc, char **argv);
void command_serve_options(void); /* prints them, for iuvod --help */
int command_verify(int argc, char **argv);
int command_perft(int argc, char **argv);
int command_engine(int argc, char **argv);
int command_match(int argc, char **argv);

/* One line to standard error, `iuvod: WHY`; a damaged file's own words may stand in it. */
void command_say(const char *why);

#endif

/* `iuvod perft`: counts of move sequences (RULES.md T3). */
#ifndef IUVOD_COMMAND_PERFT_H
#define IUVOD_COMMAND_PERFT_H

/*
 * Runs the command; argv[0] is the word perft.  Returns the exit status: 0, 1
 * for a position that cannot be read, 2 for a wrong use; then a line on
 * standard error says why.
 */
int command_perft(int argc, char **argv);

#endif

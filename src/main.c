#include <stdio.h>
#include <string.h>

#include "command_perft.h"

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "perft") == 0)
		return command_perft(argc - 1, argv + 1);
	puts("iuvod");
	return 0;
}

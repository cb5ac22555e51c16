#include <stdio.h>

int
main(void)
{
	puts("iuvod");
	return 0;
}

#include "tests/engine/twin_group.h"

struct twin *twin;

int
twin_group_open(void **state)
{
	(void)state;
	twin = twin_new();
	return 0;
}

int
twin_group_close(void **state)
{
	(void)state;
	twin_free(twin);
	return 0;
}

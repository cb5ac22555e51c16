/* The one twin that the tests of a group share: cmocka's set-up and tear-down of the group. */
#ifndef IUVOD_TESTS_TWIN_GROUP_H
#define IUVOD_TESTS_TWIN_GROUP_H

#include "tests/engine/twin.h"

extern struct twin *twin;

int twin_group_open(void **state);
int twin_group_close(void **state);

#endif

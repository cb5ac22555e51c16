/*
 * A directory of its own for a test, and nothing left of it afterwards.  It knows
 * nothing of cmocka, since fuzz targets use it too.
 */
#ifndef IUVOD_TESTS_FOLDER_H
#define IUVOD_TESTS_FOLDER_H

#include <stdbool.h>

enum { FOLDER_MAX = 128, FOLDER_FILE_MAX = FOLDER_MAX + 32 };

/* Makes /tmp/iuvod-NAME-…, or the same within another directory; false if that is not possible. */
bool folder_make(const char *within, const char *name, char path[FOLDER_MAX]);

/* Removes it with its files and empty directories, hidden ones apart; false if something stays. */
bool folder_remove(const char *path);

#endif

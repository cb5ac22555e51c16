#include "tests/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool
folder_make(const char *within, const char *name, char path[FOLDER_MAX])
{
	int len = snprintf(path, FOLDER_MAX, "%s/iuvod-%s-XXXXXX", within == NULL ? "/tmp" : within, name);
	return len < FOLDER_MAX && mkdtemp(path) != NULL;
}

bool
folder_remove(const char *path)
{
	struct dirent **entries;
	char file[FOLDER_MAX + 256];
	int count = scandir(path, &entries, NULL, NULL);
	for (int i = 0; i < count; i++) {
		snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && unlink(file) != 0)
			rmdir(file);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return rmdir(path) == 0;
}

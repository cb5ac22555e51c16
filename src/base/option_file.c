/* The file of options: a line `name = value` each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/option_inside.h"

#define BLANKS " \t\r\v\f"

/* The file as it was read; values point into it. */
static char file_text[OPTION_FILE_MAX + 1];

static bool
load_file(const char *path, const char **why)
{
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		*why = strerror(errno);
		return false;
	}
	errno = 0;
	size_t len = fread(file_text, 1, sizeof file_text, file);
	*why = ferror(file) ? strerror(errno) : NULL;
	fclose(file);
	if (*why == NULL && len > OPTION_FILE_MAX)
		*why = "is too long to be a file of options";
	else if (*why == NULL && memchr(file_text, '\0', len) != NULL)
		*why = "is no text";
	if (*why == NULL)
		file_text[len] = '\0';
	return *why == NULL;
}

/* Cuts off blanks on both sides. */
static char *
trim(char *text)
{
	text += strspn(text, BLANKS);
	size_t len = strlen(text);
	while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL)
		len--;
	text[len] = '\0';
	return text;
}

static const struct option_row *
find_name(const struct option_set *set, const char *name)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->rows[i].help != NULL && set->rows[i].kind != OPTION_FILE &&
		    strcmp(set->rows[i].name, name) == 0)
			return &set->rows[i];
	return NULL;
}

/* One line of the file: `name = value`, a comment, or nothing. */
static enum option_end
read_file_line(const struct option_set *set, const char *path, unsigned line, char *text)
{
	char name[OPTION_SOURCE_MAX];
	text = trim(text);
	if (*text == '\0' || *text == '#')
		return OPTION_GO;
	char *equals = strchr(text, '=');
	if (equals == NULL)
		return option_wrong(set, "%s, line %u: must be `name = value`", path, line);
	*equals = '\0';
	text = trim(text);
	const struct option_row *row = find_name(set, text);
	if (row == NULL)
		return option_wrong(set, "%s, line %u: '%s': there is no such option", path, line, text);
	unsigned i = (unsigned)(row - set->rows);
	if (option_source(i)[0] != '\0')
		return option_wrong(set, "%s, line %u: %s stands in the file twice", path, line, text);
	snprintf(name, sizeof name, "%s, line %u: %s", path, line, text);
	return option_take(set, i, name, trim(equals + 1));
}

enum option_end
option_read_file(const struct option_set *set, unsigned file)
{
	enum option_end end = OPTION_GO;
	const char *path = *(const char *const *)set->rows[file].value, *why;
	if (path == NULL)
		return OPTION_GO;
	if (!load_file(path, &why))
		return option_wrong(set, "%s '%s': %s", option_source(file), path, why);
	char *next = file_text;
	for (unsigned line = 1; next != NULL && end == OPTION_GO; line++) {
		char *text = strsep(&next, "\n");
		end = read_file_line(set, path, line, text);
	}
	return end;
}

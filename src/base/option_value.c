/* Values of options: each kind is read here, written, and told in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/option_inside.h"
#include "base/text.h"

static void
allowed_choices(const struct option_row *row, char *text, size_t room)
{
	int at = snprintf(text, room, "one of");
	for (unsigned i = 0; row->choices[i] != NULL && at > 0 && (size_t)at < room; i++)
		at += snprintf(text + at, room - (size_t)at, "%s %s", i == 0 ? "" : ",", row->choices[i]);
}

static const char *
any_text(const struct option_row *row)
{
	return row->shown != NULL && strcmp(row->shown, "FILE") == 0 ? "the name of a file"
								     : "a text that is not empty";
}

void
option_allowed(const struct option_row *row, char *text, size_t room)
{
	switch (row->kind) {
	case OPTION_FLAG:
		snprintf(text, room, "yes or no");
		break;
	case OPTION_NUMBER:
		snprintf(text, room, "a whole number from %" PRIu64 " to %" PRIu64, row->least, row->most);
		break;
	case OPTION_CHOICE:
		allowed_choices(row, text, room);
		break;
	case OPTION_TEXT:
	case OPTION_FILE:
		snprintf(text, room, "%s", row->allowed == NULL ? any_text(row) : row->allowed);
		break;
	}
}

void
option_value(const struct option_row *row, char *text, size_t room)
{
	const char *now = "";
	if (row->kind == OPTION_FLAG)
		now = *(const bool *)row->value ? "yes" : "no";
	else if (row->kind == OPTION_CHOICE)
		now = row->choices[*(const unsigned *)row->value];
	else if (row->kind != OPTION_NUMBER && *(const char *const *)row->value != NULL)
		now = *(const char *const *)row->value;
	if (row->kind == OPTION_NUMBER)
		snprintf(text, room, "%" PRIu64, *(const uint64_t *)row->value);
	else
		snprintf(text, room, "%s", now);
}

static bool
read_flag(const struct option_row *row, const char *text)
{
	bool yes = text == NULL || strcmp(text, "yes") == 0;
	if (!yes && strcmp(text, "no") != 0)
		return false;
	*(bool *)row->value = yes;
	return true;
}

static bool
read_text(const struct option_row *row, const char *text)
{
	if (*text == '\0')
		return false;
	*(const char **)row->value = text;
	return true;
}

static bool
read_number(const struct option_row *row, const char *text)
{
	uint64_t value;
	if (!text_read_uint(text, strlen(text), row->most, &value) || value < row->least)
		return false;
	*(uint64_t *)row->value = value;
	return true;
}

static bool
read_choice(const struct option_row *row, const char *text)
{
	for (unsigned i = 0; row->choices[i] != NULL; i++)
		if (strcmp(row->choices[i], text) == 0) {
			*(unsigned *)row->value = i;
			return true;
		}
	return false;
}

bool
option_read_value(const struct option_row *row, const char *text)
{
	switch (row->kind) {
	case OPTION_FLAG:
		return read_flag(row, text);
	case OPTION_TEXT:
	case OPTION_FILE:
		return read_text(row, text);
	case OPTION_NUMBER:
		return read_number(row, text);
	case OPTION_CHOICE:
		return read_choice(row, text);
	}
	return false;
}

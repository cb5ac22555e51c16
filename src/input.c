#include "input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Drops what was obeyed, so that there is room for a line of any length that is allowed. */
static void
make_room(struct input *input)
{
	input->len -= input->taken;
	memmove(input->bytes, input->bytes + input->taken, input->len);
	input->taken = 0;
}

bool
input_read(struct input *input)
{
	make_room(input);
	ssize_t got = read(STDIN_FILENO, input->bytes + input->len, sizeof input->bytes - input->len);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	input->ended = got <= 0;
	input->len += got > 0 ? (size_t)got : 0;
	return !input->ended;
}

/* Passes over the rest of a line that is too long; false if its end has not come yet. */
static bool
pass(struct input *input)
{
	char *begin = input->bytes + input->taken, *end = memchr(begin, '\n', input->len - input->taken);
	input->taken = end ? (size_t)(end - input->bytes) + 1 : input->len;
	input->passes = end == NULL;
	return end != NULL;
}

enum input_found
input_next(struct input *input, char **line)
{
	if (input->passes && !pass(input))
		return INPUT_NOTHING;
	char *begin = input->bytes + input->taken;
	size_t left = input->len - input->taken;
	char *end = memchr(begin, '\n', left);
	if (end == NULL && left > LIMIT_COMMAND) {
		input->taken = input->len;
		input->passes = true;
		return INPUT_TOO_LONG;
	}
	if (end == NULL && (!input->ended || left == 0))
		return INPUT_NOTHING;
	if (end == NULL)
		end = begin + left; /* there is room: a line is one byte shorter than all of it */
	*end = '\0';
	input->taken = (size_t)(end - input->bytes) + (end < begin + left);
	*line = begin;
	return strlen(begin) < (size_t)(end - begin) ? INPUT_NUL : INPUT_LINE;
}

#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { BUFFER = 16 * 1024, LINE_MAX_BYTES = 4096 };

static _Atomic int lowest = LOG_INFO;
static _Thread_local char buffer[BUFFER];
static _Thread_local size_t used;

/* Held for a write: a pipe takes only 4096 bytes at once, and then another thread's lines would come between. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void
log_set_level(enum log_level level)
{
	atomic_store_explicit(&lowest, (int)level, memory_order_relaxed);
}

int
log_enabled(enum log_level level)
{
	return (int)level >= atomic_load_explicit(&lowest, memory_order_relaxed);
}

void
log_flush(void)
{
	size_t done = 0;
	int before = errno;
	if (used == 0)
		return;
	pthread_mutex_lock(&writing);
	while (done < used) {
		ssize_t wrote = write(STDERR_FILENO, buffer + done, used - done);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			break; /* nobody reads them: they are lost, and the service goes on */
		done += (size_t)wrote;
	}
	pthread_mutex_unlock(&writing);
	used = 0;
	errno = before;
}

/* Copies at most room bytes; returns how many. */
static size_t
copy(char *at, size_t room, const char *bytes, size_t len)
{
	len = len < room ? len : room;
	memcpy(at, bytes, len);
	return len;
}

/* The time of this moment as text: written anew only when the millisecond has changed. */
static const char *
now_text(size_t *len)
{
	static _Thread_local int64_t written_ms = INT64_MIN;
	static _Thread_local size_t written_len;
	static _Thread_local char text[CLOCK_TEXT_MAX];
	int64_t now = clock_now_ms();
	if (now != written_ms) {
		written_len = clock_text(now, text);
		written_ms = now;
	}
	*len = written_len;
	return text;
}

/* Writes `time=… level=… event=EVENT ` into at[room]; returns its length. */
static size_t
begin(char *at, size_t room, enum log_level level, const char *event)
{
	static const char *const names[] = {
	    " level=debug event=", " level=info event=", " level=warn event=", " level=error event="};
	size_t len, end = copy(at, room, "time=", strlen("time="));
	const char *time = now_text(&len);
	end += copy(at + end, room - end, time, len);
	end += copy(at + end, room - end, names[level], strlen(names[level]));
	end += copy(at + end, room - end, event, strlen(event));
	return end + copy(at + end, room - end, " ", 1);
}

/* Writes a line into at[LINE_MAX_BYTES], cut where it does not fit; returns its length with the newline. */
static size_t
line(char *at, enum log_level level, const char *event, const char *format, va_list values)
{
	size_t room = LINE_MAX_BYTES - 1, end = begin(at, room, level, event);
	int len = vsnprintf(at + end, room - end + 1, format, values);
	end += len < 0 ? 0 : (size_t)len < room - end ? (size_t)len : room - end;
	while (end > 0 && at[end - 1] == ' ')
		end--; /* an event without values */
	for (size_t i = 0; i < end; i++)
		if ((unsigned char)at[i] < ' ')
			at[i] = '?'; /* something was not quoted: it shall not make a line of its own */
	at[end] = '\n';
	return end + 1;
}

void
log_line(enum log_level level, const char *event, const char *format, ...)
{
	if (!log_enabled(level))
		return;
	if (sizeof buffer - used < LINE_MAX_BYTES)
		log_flush();
	va_list values;
	va_start(values, format);
	used += line(buffer + used, level, event, format, values);
	va_end(values);
	/* What an operator must see does not wait for the thread to become idle. */
	if (level == LOG_ERROR)
		log_flush();
}

static bool
is_plain(unsigned char c)
{
	return c > ' ' && c < 0x7F && c != '"' && c != '\\' && c != '=';
}

/* "-" stands for no value, so that value itself is quoted. */
static bool
needs_quotes(const char *value)
{
	if (*value == '\0' || strcmp(value, "-") == 0)
		return true;
	for (; *value != '\0'; value++)
		if (!is_plain((unsigned char)*value))
			return true;
	return false;
}

static size_t
escape(unsigned char c, char out[4])
{
	static const char hex[] = "0123456789abcdef";
	if (c == '"' || c == '\\') {
		out[0] = '\\';
		out[1] = (char)c;
		return 2;
	}
	if (c >= ' ' && c < 0x7F) {
		out[0] = (char)c;
		return 1;
	}
	memcpy(out, (char[]){'\\', 'x', hex[c >> 4], hex[c & 15]}, 4);
	return 4;
}

static void
quote(const char *value, char *out, size_t room)
{
	static const char cut_mark[] = "\"...";
	size_t at = 0, len;
	char piece[4];
	out[0] = '\0';
	if (room < sizeof cut_mark + 1)
		return; /* too small even for `""...` */
	out[at++] = '"';
	for (; *value != '\0'; value++, at += len) {
		len = escape((unsigned char)*value, piece);
		if (at + len + sizeof cut_mark > room) {
			memcpy(out + at, cut_mark, sizeof cut_mark);
			return;
		}
		memcpy(out + at, piece, len);
	}
	memcpy(out + at, "\"", 2);
}

const char *
log_quote(const char *value, char *out, unsigned room)
{
	if (room == 0)
		return out;
	if (value == NULL)
		snprintf(out, room, "-");
	else if (!needs_quotes(value) && strlen(value) < room)
		strcpy(out, value);
	else
		quote(value, out, room);
	return out;
}

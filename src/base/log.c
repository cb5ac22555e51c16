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

enum { BUFFER = 16 * 1024, LINE_MAX_BYTES = 4096, QUOTED_MAX = 512 };

static _Atomic int lowest = LOG_INFO;
static _Thread_local char buffer[BUFFER];
static _Thread_local size_t used;
static _Thread_local size_t line_begin; /* of the line that is being written */

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

/* Puts bytes at the end of the line that grows at the end of the buffer, as far as they fit, with a byte kept for the
 * newline. */
static void
put(const char *bytes, size_t len)
{
	size_t room = line_begin + LINE_MAX_BYTES - 1 - used;
	if (len > room)
		len = room;
	memcpy(buffer + used, bytes, len);
	used += len;
}

static void
puts_line(const char *string)
{
	put(string, strlen(string));
}

/* The time as text; within a second only its last digits change. */
static void
put_time(void)
{
	static _Thread_local int64_t second = -1;
	static _Thread_local char time[CLOCK_TEXT_MAX];
	static _Thread_local size_t len;
	int64_t now = clock_now_ms();
	if (second != now / 1000) {
		second = now / 1000;
		len = clock_text(now, time);
	}
	unsigned ms = (unsigned)(now % 1000);
	memcpy(time + len - 4, (char[]){(char)('0' + ms / 100), (char)('0' + ms / 10 % 10), (char)('0' + ms % 10)}, 3);
	put(time, len);
}

static void
begin(enum log_level level, const char *event)
{
	static const char *const names[] = {
	    " level=debug event=", " level=info event=", " level=warn event=", " level=error event="};
	if (sizeof buffer - used < LINE_MAX_BYTES)
		log_flush();
	line_begin = used;
	puts_line("time=");
	put_time();
	puts_line(names[level]);
	puts_line(event);
}

void
log_end(void)
{
	buffer[used++] = '\n';
}

void
log_line(enum log_level level, const char *event, const char *format, ...)
{
	if (!log_enabled(level))
		return;
	begin(level, event);
	puts_line(" ");
	va_list values;
	va_start(values, format);
	size_t room = line_begin + LINE_MAX_BYTES - used;
	int len = vsnprintf(buffer + used, room, format, values);
	va_end(values);
	used += len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
	while (buffer[used - 1] == ' ')
		used--; /* an event without values */
	for (size_t i = line_begin; i < used; i++)
		if ((unsigned char)buffer[i] < ' ')
			buffer[i] = '?'; /* something was not quoted: it shall not make a line of its own */
	log_end();
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

/* ---- in pieces ---- */

int
log_begin(enum log_level level, const char *event)
{
	if (!log_enabled(level))
		return 0;
	begin(level, event);
	return 1;
}

static void
put_key(const char *key)
{
	puts_line(" ");
	puts_line(key);
	puts_line("=");
}

void
log_text(const char *key, const char *value)
{
	char quoted[QUOTED_MAX];
	put_key(key);
	puts_line(value == NULL || needs_quotes(value) ? log_quote(value, quoted, sizeof quoted) : value);
}

/* Digits of a base up to 16, at least as many as given. */
static void
put_number(uint64_t value, unsigned base, unsigned least)
{
	static const char hex[] = "0123456789abcdef";
	char digits[24];
	size_t at = sizeof digits;
	for (; value != 0 || least > 0; value /= base, least -= least > 0)
		digits[--at] = hex[value % base];
	put(digits + at, sizeof digits - at);
}

void
log_uint(const char *key, uint64_t value)
{
	put_key(key);
	put_number(value, 10, 1);
}

void
log_hex(const char *key, const char *before, uint64_t value)
{
	put_key(key);
	puts_line(before);
	puts_line("-");
	put_number(value, 16, 1);
}

void
log_us_as_ms(const char *key, uint64_t us)
{
	put_key(key);
	put_number(us / 1000, 10, 1);
	puts_line(".");
	put_number(us % 1000, 10, 3);
}

#include "base/manager.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"

enum { SOCKETS_MOST = 64, LINES_MAX = 512 };

static struct sockaddr_un notified;
static socklen_t notified_len; /* 0: nobody */
static int64_t watchdog_us;
static unsigned sockets;
static char names_given[1024]; /* of them, with colons between */

/* The number of a variable; false if it is there and none. */
static bool
read_number(const char *name, uint64_t most, uint64_t *value, char *why, size_t room)
{
	const char *text = getenv(name);
	*value = 0;
	if (text == NULL || text_read_uint(text, strlen(text), most, value))
		return true;
	snprintf(why, room, "%s in the environment: '%s' must be a whole number up to %llu", name, text,
	    (unsigned long long)most);
	return false;
}

/* Whether what is said is said to this process: a child of the one that was meant inherits the variables. */
static bool
is_for_us(const char *name, bool unless_said)
{
	const char *text = getenv(name);
	uint64_t pid;
	if (text == NULL)
		return unless_said;
	return text_read_uint(text, strlen(text), INT32_MAX, &pid) && pid == (uint64_t)getpid();
}

/* A path, or with @ in place of the NUL a name without a file. */
static bool
read_notified(char *why, size_t room)
{
	const char *path = getenv("NOTIFY_SOCKET");
	if (path == NULL || *path == '\0')
		return true;
	size_t len = strlen(path);
	if ((*path != '/' && *path != '@') || len >= sizeof notified.sun_path) {
		snprintf(why, room, "NOTIFY_SOCKET in the environment: '%s' names no socket", path);
		return false;
	}
	notified.sun_family = AF_UNIX;
	memcpy(notified.sun_path, path, len + 1);
	if (*path == '@')
		notified.sun_path[0] = '\0';
	notified_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	return true;
}

/* What is too long belongs to more sockets than are looked at. */
static void
keep_names(const char *text)
{
	if (text != NULL && strlen(text) < sizeof names_given)
		memcpy(names_given, text, strlen(text) + 1);
}

bool
manager_begin(char *why, size_t room)
{
	static const char *const names[] = {
	    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"};
	uint64_t us = 0, count = 0;
	bool sound = read_notified(why, room);
	if (sound && is_for_us("WATCHDOG_PID", true))
		sound = read_number("WATCHDOG_USEC", INT64_MAX, &us, why, room);
	if (sound && is_for_us("LISTEN_PID", false))
		sound = read_number("LISTEN_FDS", SOCKETS_MOST, &count, why, room);
	if (count > 0)
		keep_names(getenv("LISTEN_FDNAMES"));
	watchdog_us = (int64_t)us;
	sockets = (unsigned)count;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
	return sound;
}

unsigned
manager_sockets(void)
{
	return sockets;
}

unsigned
manager_sockets_named(const char *name)
{
	unsigned found = 0;
	const char *from = names_given;
	for (unsigned i = 0; i < sockets && i < 32 && *from != '\0'; i++) {
		size_t len = strcspn(from, ":");
		if (len == strlen(name) && memcmp(from, name, len) == 0)
			found |= 1u << i;
		from += len + (from[len] == ':');
	}
	return found;
}

int64_t
manager_watchdog_us(void)
{
	return watchdog_us;
}

void
manager_tell(const char *format, ...)
{
	char lines[LINES_MAX];
	va_list values;
	if (notified_len == 0)
		return;
	va_start(values, format);
	int len = vsnprintf(lines, sizeof lines, format, values);
	va_end(values);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	size_t told = len < 0 ? 0 : (size_t)len < sizeof lines ? (size_t)len : sizeof lines - 1;
	(void)!sendto(fd, lines, told, MSG_NOSIGNAL | MSG_DONTWAIT, (const void *)&notified, notified_len);
	close(fd);
}

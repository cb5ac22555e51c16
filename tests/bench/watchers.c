/*
 * Readers of streams of a server at 127.0.0.1, many, from one thread.
 *
 *     watchers PORT COUNT FILE      streams of the paths in FILE, one a line, in turn
 *
 * Prints `open` when each has had its first bytes.  Then, for each line on
 * standard input, how many events have come since the last and when the first
 * and the last of them did, in microseconds of CLOCK_MONOTONIC:
 *
 *     events=N first_us=T last_us=T
 *
 * Addresses are 127.0.0.2 and on, a thousand streams of each.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { PATHS_MAX = 100 * 1000, OF_ONE_ADDRESS = 1000, READ_ROOM = 64 * 1024, EVENTS_MAX = 256 };

static struct {
	unsigned count;
	char *paths[PATHS_MAX];
} plan;

static struct {
	long events;
	int64_t first_us, last_us;
	unsigned open; /* streams that have had their first bytes */
	unsigned char *begun;
} seen;

static void
read_paths(const char *name)
{
	FILE *file = fopen(name, "r");
	char line[512];
	if (file == NULL)
		bench_die(name, strerror(errno));
	while (plan.count < PATHS_MAX && fgets(line, sizeof line, file) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		plan.paths[plan.count++] = strdup(line);
	}
	fclose(file);
	if (plan.count == 0)
		bench_die(name, "no paths");
}

static void
raise_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void
open_stream(unsigned index, uint16_t port, int epoll)
{
	char request[1024];
	struct sockaddr_in from = {
	    .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + index / OF_ONE_ADDRESS)};
	struct sockaddr_in to = {
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)index};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (void *)&from, sizeof from) != 0 || connect(fd, (void *)&to, sizeof to) != 0)
		bench_die("connect", strerror(errno));
	int len = snprintf(request, sizeof request,
	    "GET %s HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n", plan.paths[index % plan.count]);
	if (send(fd, request, (size_t)len, MSG_NOSIGNAL) != len)
		bench_die("send", strerror(errno));
	event.data.u64 |= (uint64_t)fd << 32;
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		bench_die("epoll_ctl", strerror(errno));
}

/* Events in some bytes; none is cut in two, since the server sends them whole and they are read as fast. */
static void
count_events(const char *bytes, size_t len, int64_t now)
{
	const char *at = bytes, *end = bytes + len;
	while ((at = memmem(at, (size_t)(end - at), "\nevent: ", 8)) != NULL) {
		seen.first_us = seen.events++ == 0 ? now : seen.first_us;
		seen.last_us = now;
		at += 8;
	}
}

static void
take(uint64_t tag)
{
	static char bytes[READ_ROOM];
	unsigned index = (uint32_t)tag;
	ssize_t got = recv((int)(tag >> 32), bytes, sizeof bytes, MSG_DONTWAIT);
	if (got == 0 || (got < 0 && errno != EAGAIN))
		bench_die("recv", got == 0 ? "a stream has ended" : strerror(errno));
	if (got < 0)
		return;
	if (!seen.begun[index]) {
		if (strncmp(bytes, "HTTP/1.1 200", 12) != 0)
			bench_die("reply", bytes);
		seen.begun[index] = 1;
		seen.open++;
	}
	count_events(bytes, (size_t)got, bench_now_us());
}

/* False at the end of the input. */
static bool
report(void)
{
	char line[64];
	ssize_t got = read(STDIN_FILENO, line, sizeof line);
	if (got <= 0)
		return false;
	printf(
	    "events=%ld first_us=%lld last_us=%lld\n", seen.events, (long long)seen.first_us, (long long)seen.last_us);
	fflush(stdout);
	seen.events = 0;
	return true;
}

static bool
turn(int epoll, int ms)
{
	struct epoll_event events[EVENTS_MAX];
	int count = epoll_wait(epoll, events, EVENTS_MAX, ms);
	for (int i = 0; i < count; i++) {
		if (events[i].data.u64 == UINT64_MAX) {
			if (!report())
				return false;
		} else {
			take(events[i].data.u64);
		}
	}
	return true;
}

int
main(int argc, char **argv)
{
	struct epoll_event input = {.events = EPOLLIN, .data.u64 = UINT64_MAX};
	unsigned wanted = argc == 4 ? (unsigned)atoi(argv[2]) : 0;
	if (wanted < 1) {
		fputs("usage: watchers PORT COUNT FILE\n", stderr);
		return 2;
	}
	read_paths(argv[3]);
	raise_files();
	seen.begun = calloc(wanted, 1);
	int epoll = epoll_create1(0);
	if (seen.begun == NULL || epoll < 0)
		bench_die("memory", strerror(errno));
	/* Some at a time: the server's queue of new connections is not endless. */
	for (unsigned i = 0; i < wanted; i++) {
		open_stream(i, (uint16_t)atoi(argv[1]), epoll);
		while (i > seen.open + 100)
			turn(epoll, -1);
	}
	while (seen.open < wanted)
		turn(epoll, -1);
	puts("open");
	fflush(stdout);
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0)
		bench_die("epoll_ctl", strerror(errno));
	while (turn(epoll, -1))
		continue;
	return 0;
}

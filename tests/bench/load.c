/*
 * A load on an HTTP server at 127.0.0.1, from one thread: connections that are
 * kept alive, each with one request at a time.
 *
 *     load get PORT CONNECTIONS SECONDS FILE           requests of the paths in FILE, one a line, in turn
 *     load play PORT CONNECTIONS SECONDS VARIANT MOVES random games; ends after MOVES moves, if not 0
 *
 * Prints requests (in play: moves) of the measured time, which begins when the
 * connections have warmed up; all requests; and latencies in microseconds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "load_player.h"
#include "tests/bench/bench.h"

enum {
	CONNECTIONS_MAX = 1024,
	PATHS_MAX = 4096,
	REQUEST_ROOM = 4096,
	REPLY_ROOM = 256 * 1024,
	WARM_US = 200 * 1000,
	BUCKETS = 1024 /* 32 to each power of two */
};

struct connection {
	int fd;
	int64_t sent_us;
	size_t len;
	char *reply;
	struct player *player; /* NULL: gets */
	unsigned next_path;
};

static struct {
	unsigned connections;
	double seconds;
	long moves_wanted;
	unsigned path_count;
	char *paths[PATHS_MAX];
} plan;

static struct {
	int64_t begin_us, end_us; /* of the measured time */
	long all, measured, moves;
	long buckets[BUCKETS];
} seen;

/* Latencies: exact below 32, then 32 buckets to each doubling. */

static unsigned
bucket_of(int64_t us)
{
	unsigned shift = us < 32 ? 0 : (unsigned)(63 - __builtin_clzll((unsigned long long)us)) - 5;
	unsigned bucket = shift * 32 + (unsigned)(us >> shift);
	return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static int64_t
us_of(unsigned bucket)
{
	unsigned shift = bucket < 64 ? 0 : bucket / 32 - 1;
	return (int64_t)(bucket - shift * 32) << shift;
}

static int64_t
percentile(unsigned per_mille)
{
	long left = seen.measured * (long)per_mille / 1000;
	for (unsigned i = 0; i < BUCKETS; i++) {
		left -= seen.buckets[i];
		if (left < 0)
			return us_of(i);
	}
	return 0;
}

static void
send_request(struct connection *connection)
{
	char request[REQUEST_ROOM];
	size_t len;
	if (connection->player != NULL) {
		len = player_request(connection->player, request, sizeof request);
	} else {
		const char *path = plan.paths[connection->next_path++ % plan.path_count];
		len = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: bench\r\n\r\n", path);
	}
	if (len == 0 || len >= sizeof request)
		bench_die("request", "too long");
	connection->len = 0;
	connection->sent_us = bench_now_us();
	if (send(connection->fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
		bench_die("send", strerror(errno));
}

static void
count_reply(const struct connection *connection, bool counts)
{
	int64_t now = bench_now_us();
	seen.all++;
	if (!counts || now < seen.begin_us || now > seen.end_us)
		return;
	seen.measured++;
	seen.buckets[bucket_of(now - connection->sent_us)]++;
}

static void
take_reply(struct connection *connection, const char *body)
{
	int status = atoi(connection->reply + strlen("HTTP/1.1 "));
	bool move = false;
	bool good = connection->player == NULL ? status == 200 : player_reply(connection->player, status, body, &move);
	if (!good)
		bench_die("reply", connection->reply);
	seen.moves += move;
	count_reply(connection, move || connection->player == NULL);
}

/* The length of the whole reply, as far as it is known; 0 if its head is not there yet. */
static size_t
reply_length(const struct connection *connection, const char **body)
{
	const char *end = strstr(connection->reply, "\r\n\r\n");
	if (end == NULL)
		return 0;
	*body = end + 4;
	for (const char *line = connection->reply; line < end; line = strstr(line, "\r\n") + 2) {
		if (strncasecmp(line, "content-length:", 15) == 0)
			return (size_t)(*body - connection->reply) + strtoul(line + 15, NULL, 10);
	}
	bench_die("reply", "no Content-Length");
	return 0;
}

/* True once the reply is whole. */
static bool
receive(struct connection *connection)
{
	ssize_t got = recv(connection->fd, connection->reply + connection->len, REPLY_ROOM - 1 - connection->len, 0);
	if (got <= 0)
		bench_die("recv", got == 0 ? "the server has closed the connection" : strerror(errno));
	connection->len += (size_t)got;
	connection->reply[connection->len] = '\0';
	const char *body;
	size_t whole = reply_length(connection, &body);
	if (whole >= REPLY_ROOM || (whole != 0 && connection->len > whole))
		bench_die("reply", "longer than it should be");
	if (whole == 0 || connection->len < whole)
		return false;
	take_reply(connection, body);
	return true;
}

static void
connect_to(struct connection *connection, uint16_t port, int epoll)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int on = 1;
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
	connection->fd = socket(AF_INET, SOCK_STREAM, 0);
	connection->reply = malloc(REPLY_ROOM);
	if (connection->fd < 0 || connection->reply == NULL ||
	    connect(connection->fd, (void *)&address, sizeof address) != 0 ||
	    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, connection->fd, &event) != 0)
		bench_die("connect", strerror(errno));
}

static bool
goes_on(void)
{
	return bench_now_us() < seen.end_us && (plan.moves_wanted == 0 || seen.moves < plan.moves_wanted);
}

static void
run(int epoll)
{
	struct epoll_event events[CONNECTIONS_MAX];
	while (goes_on()) {
		int count = epoll_wait(epoll, events, CONNECTIONS_MAX, 100);
		for (int i = 0; i < count; i++) {
			if (receive(events[i].data.ptr))
				send_request(events[i].data.ptr);
		}
	}
	if (bench_now_us() < seen.end_us)
		seen.end_us = bench_now_us();
}

static void
read_paths(const char *name)
{
	FILE *file = fopen(name, "r");
	char *line = NULL;
	size_t room = 0;
	if (file == NULL)
		bench_die(name, strerror(errno));
	while (plan.path_count < PATHS_MAX && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		plan.paths[plan.path_count++] = strdup(line);
	}
	free(line);
	fclose(file);
	if (plan.path_count == 0)
		bench_die(name, "no paths");
}

static void
usage(void)
{
	fputs("usage: load get PORT CONNECTIONS SECONDS FILE\n"
	      "       load play PORT CONNECTIONS SECONDS VARIANT MOVES\n",
	    stderr);
	exit(2);
}

int
main(int argc, char **argv)
{
	static struct connection connections[CONNECTIONS_MAX];
	enum variant variant = VARIANT_IUVO_2;
	bool play = argc == 7 && strcmp(argv[1], "play") == 0;
	if (!play && (argc != 6 || strcmp(argv[1], "get") != 0))
		usage();
	plan.connections = (unsigned)atoi(argv[3]);
	plan.seconds = atof(argv[4]);
	if (plan.connections < 1 || plan.connections > CONNECTIONS_MAX || plan.seconds <= 0)
		usage();
	if (play && !variant_find(argv[5], strlen(argv[5]), &variant))
		usage();
	if (play)
		plan.moves_wanted = atol(argv[6]);
	else
		read_paths(argv[5]);
	int epoll = epoll_create1(0);
	for (unsigned i = 0; i < plan.connections; i++) {
		connect_to(&connections[i], (uint16_t)atoi(argv[2]), epoll);
		connections[i].player = play ? player_new(variant, i + 1) : NULL;
		connections[i].next_path = i;
	}
	seen.begin_us = bench_now_us() + WARM_US;
	seen.end_us = seen.begin_us + (int64_t)(plan.seconds * 1e6);
	for (unsigned i = 0; i < plan.connections; i++)
		send_request(&connections[i]);
	run(epoll);
	printf("requests=%ld seconds=%.3f all=%ld moves=%ld p50_us=%lld p99_us=%lld\n", seen.measured,
	    (double)(seen.end_us - seen.begin_us) / 1e6, seen.all, seen.moves, (long long)percentile(500),
	    (long long)percentile(990));
	return 0;
}

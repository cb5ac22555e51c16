/*
 * A yardstick: the HTTP library alone, set up as the service sets it up (loop
 * threads, each with a daemon on an epoll of its own; one thread that accepts),
 * answering every request with the same bytes.
 *
 *     bare_http LOOPS BYTES
 */
#include "config.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPS_MAX = 16, POOL_BYTES = 32 * 1024, CONNECTIONS = 1100, IDLE_SECONDS = 75 };

struct arrival {
	struct arrival *next;
	struct sockaddr_storage address;
	socklen_t len;
	int fd;
};

struct loop {
	struct MHD_Daemon *daemon;
	int epoll, event;
	pthread_mutex_t lock;
	struct arrival *arrivals; /* under the lock */
};

static struct MHD_Response *answer;

static enum MHD_Result
handle(void *cls, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_len, void **context)
{
	static int seen;
	(void)cls, (void)url, (void)method, (void)version, (void)upload;
	if (*context == NULL) {
		*context = &seen;
		return MHD_YES;
	}
	if (*upload_len > 0) {
		*upload_len = 0;
		return MHD_YES;
	}
	return MHD_queue_response(connection, MHD_HTTP_OK, answer);
}

static void
fail(const char *what)
{
	fprintf(stderr, "bare_http: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void
watch(const struct loop *loop, int fd, int tag)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = tag};
	if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		fail("epoll_ctl");
}

static void
take_arrivals(struct loop *loop)
{
	uint64_t count;
	(void)!read(loop->event, &count, sizeof count);
	pthread_mutex_lock(&loop->lock);
	struct arrival *arrivals = loop->arrivals;
	loop->arrivals = NULL;
	pthread_mutex_unlock(&loop->lock);
	for (struct arrival *next; arrivals != NULL; arrivals = next) {
		next = arrivals->next;
		MHD_add_connection(loop->daemon, arrivals->fd, (void *)&arrivals->address, arrivals->len);
		free(arrivals);
	}
}

static void *
run(void *arg)
{
	struct loop *loop = arg;
	for (;;) {
		MHD_UNSIGNED_LONG_LONG timeout;
		struct epoll_event events[16];
		int ms = MHD_get_timeout(loop->daemon, &timeout) == MHD_YES ? (int)timeout : -1;
		int count = epoll_wait(loop->epoll, events, 16, ms);
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == loop->event)
				take_arrivals(loop);
		}
		MHD_run(loop->daemon);
	}
	return NULL;
}

static void
open_loop(struct loop *loop)
{
	pthread_t thread;
	loop->epoll = epoll_create1(0);
	loop->event = eventfd(0, EFD_NONBLOCK);
	pthread_mutex_init(&loop->lock, NULL);
	loop->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL,
	    NULL, handle, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
	    (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
	if (loop->epoll < 0 || loop->event < 0 || loop->daemon == NULL)
		fail("daemon");
	watch(loop, loop->event, loop->event);
	watch(loop, MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, -1);
	if (pthread_create(&thread, NULL, run, loop) != 0)
		fail("thread");
}

static int
listen_anywhere(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (void *)&address, sizeof address) != 0 || listen(fd, 1024) != 0 ||
	    getsockname(fd, (void *)&address, &len) != 0)
		fail("listen");
	printf("listening on http://127.0.0.1:%u\n", ntohs(address.sin_port));
	fflush(stdout);
	return fd;
}

static void
accept_one(int listening, struct loop *loop)
{
	struct arrival *arrival = malloc(sizeof *arrival);
	uint64_t one = 1;
	if (arrival == NULL)
		fail("memory");
	arrival->len = sizeof arrival->address;
	arrival->fd = accept4(listening, (void *)&arrival->address, &arrival->len, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (arrival->fd < 0) {
		free(arrival);
		return;
	}
	pthread_mutex_lock(&loop->lock);
	arrival->next = loop->arrivals;
	loop->arrivals = arrival;
	pthread_mutex_unlock(&loop->lock);
	(void)!write(loop->event, &one, sizeof one);
}

int
main(int argc, char **argv)
{
	static struct loop loops[LOOPS_MAX];
	unsigned count = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
	size_t bytes = argc == 3 ? (size_t)atol(argv[2]) : 0;
	if (count < 1 || count > LOOPS_MAX || bytes < 1) {
		fprintf(stderr, "usage: bare_http LOOPS BYTES\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	char *body = malloc(bytes);
	if (body == NULL)
		fail("memory");
	memset(body, 'x', bytes);
	answer = MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_FREE);
	MHD_add_response_header(answer, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
	for (unsigned i = 0; i < count; i++)
		open_loop(&loops[i]);
	int listening = listen_anywhere();
	for (unsigned next = 0;; next++)
		accept_one(listening, &loops[next % count]);
}

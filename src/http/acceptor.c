#include "config.h"

#include "http/acceptor.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/log.h"

enum { PAUSE_MS = 20 /* between looks when no more may be accepted */ };

static struct loop *
least_loaded(const struct acceptor *acceptor)
{
	struct loop *best = &acceptor->loops[0];
	unsigned least = atomic_load_explicit(&best->load, memory_order_relaxed);
	for (unsigned i = 1; i < acceptor->loop_count; i++) {
		unsigned load = atomic_load_explicit(&acceptor->loops[i].load, memory_order_relaxed);
		if (load < least) {
			least = load;
			best = &acceptor->loops[i];
		}
	}
	return best;
}

/* Whether more may be accepted at once after such an error. */
static bool
goes_on(int error, int *pause_ms)
{
	if (error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS) {
		log_line(LOG_WARN, "accept_failed", "error=%d", error);
		*pause_ms = PAUSE_MS;
	}
	return error == ECONNABORTED || error == EINTR;
}

/* False if there is nothing to accept, or no means to. */
static bool
accept_one(struct acceptor *acceptor, const struct listener *listener, int *pause_ms)
{
	struct arrival *arrival = malloc(sizeof *arrival);
	if (arrival == NULL) {
		*pause_ms = PAUSE_MS;
		return false;
	}
	*arrival = (struct arrival){.address_len = sizeof arrival->address};
	arrival->fd =
	    accept4(listener->fd, (void *)&arrival->address, &arrival->address_len, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (arrival->fd < 0) {
		int error = errno;
		free(arrival);
		return goes_on(error, pause_ms);
	}
	arrival->place = guard_enter(acceptor->guard, ip_of_socket((const void *)&arrival->address), &arrival->served);
	if (arrival->place == NULL) {
		close(arrival->fd);
		free(arrival);
		return true;
	}
	if (listener->tls && !tls_wrap(acceptor->tls, arrival)) {
		int error = errno;
		guard_leave(acceptor->guard, arrival->place);
		close(arrival->fd);
		free(arrival);
		return goes_on(error, pause_ms);
	}
	loop_give(least_loaded(acceptor), arrival);
	return true;
}

/* All that there is, one from each socket in turn, as long as there is room. */
static void
accept_ready(struct acceptor *acceptor, int *pause_ms)
{
	for (bool any = true; any;) {
		any = false;
		for (unsigned i = 0; i < acceptor->listeners.count && guard_has_room(acceptor->guard); i++)
			any |= accept_one(acceptor, &acceptor->listeners.all[i], pause_ms);
	}
}

static void *
run(void *arg)
{
	struct acceptor *acceptor = arg;
	struct pollfd polled[1 + LISTENERS_MAX] = {{.fd = acceptor->stop, .events = POLLIN}};
	for (unsigned i = 0; i < acceptor->listeners.count; i++)
		polled[1 + i] = (struct pollfd){.fd = acceptor->listeners.all[i].fd, .events = POLLIN};
	for (int pause_ms = 0;;) {
		poll(polled, pause_ms == 0 ? 1 + acceptor->listeners.count : 1, pause_ms == 0 ? -1 : pause_ms);
		pause_ms = 0;
		accept_ready(acceptor, &pause_ms);
		if (polled[0].revents != 0)
			break; /* after the last look: who has connected by now is served */
		if (!guard_has_room(acceptor->guard))
			pause_ms = PAUSE_MS;
		log_flush();
	}
	log_flush();
	return NULL;
}

bool
acceptor_open(struct acceptor *acceptor, struct guard *guard)
{
	*acceptor = (struct acceptor){.guard = guard, .stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	return acceptor->stop >= 0;
}

bool
acceptor_start(struct acceptor *acceptor, struct loop *loops, unsigned loop_count, char *why, size_t room)
{
	acceptor->loops = loops;
	acceptor->loop_count = loop_count;
	acceptor->runs = pthread_create(&acceptor->thread, NULL, run, acceptor) == 0;
	if (!acceptor->runs)
		snprintf(why, room, "cannot start a thread");
	return acceptor->runs;
}

void
acceptor_stop(struct acceptor *acceptor)
{
	uint64_t one = 1;
	if (acceptor->runs) {
		(void)!write(acceptor->stop, &one, sizeof one);
		pthread_join(acceptor->thread, NULL);
	}
	acceptor->runs = false;
	listeners_close(&acceptor->listeners);
	if (acceptor->stop >= 0)
		close(acceptor->stop);
	acceptor->stop = -1;
}

#include "http/linger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

struct lingering {
	struct lingering *next, **at;
	int fd;
	int64_t until_us;
	size_t left; /* bytes that may still be thrown away */
};

static void
drop(struct linger_list *list, struct lingering *linger)
{
	*linger->at = linger->next;
	if (linger->next != NULL)
		linger->next->at = linger->at;
	list->count--;
	close(linger->fd);
	free(linger);
}

void
linger_add(struct linger_list *list, int fd, int64_t now_us)
{
	struct lingering *linger = list->count < LINGER_MAX ? malloc(sizeof *linger) : NULL;
	if (linger == NULL)
		return;
	*linger = (struct lingering){
	    .next = list->first,
	    .at = &list->first,
	    .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
	    .until_us = now_us + LINGER_MS * INT64_C(1000),
	    .left = LIMIT_BODY_DRAIN,
	};
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = linger};
	if (linger->fd < 0 || epoll_ctl(list->epoll, EPOLL_CTL_ADD, linger->fd, &event) != 0) {
		if (linger->fd >= 0)
			close(linger->fd);
		free(linger);
		return;
	}
	if (list->first != NULL)
		list->first->at = &linger->next;
	list->first = linger;
	list->count++;
	shutdown(linger->fd, SHUT_WR);
}

/* Enough was thrown away.  The rest stays unread, and only the end of it is waited for. */
static void
stop_reading(struct linger_list *list, struct lingering *linger)
{
	struct epoll_event event = {.events = EPOLLRDHUP, .data.ptr = linger};
	if (epoll_ctl(list->epoll, EPOLL_CTL_MOD, linger->fd, &event) != 0)
		drop(list, linger);
}

void
linger_ready(struct linger_list *list, struct lingering *linger)
{
	char waste[16 * 1024];
	while (linger->left > 0) {
		size_t want = linger->left < sizeof waste ? linger->left : sizeof waste;
		ssize_t got = recv(linger->fd, waste, want, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			drop(list, linger);
			return;
		}
		linger->left -= (size_t)got;
		if (linger->left == 0) {
			stop_reading(list, linger);
			return;
		}
	}
	drop(list, linger); /* the other side has closed */
}

void
linger_sweep(struct linger_list *list, int64_t now_us)
{
	for (struct lingering *linger = list->first, *next; linger != NULL; linger = next) {
		next = linger->next;
		if (linger->until_us <= now_us)
			drop(list, linger);
	}
}

void
linger_close_all(struct linger_list *list)
{
	while (list->first != NULL)
		drop(list, list->first);
}

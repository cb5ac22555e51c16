/*
 * Lingering: a socket that is closed while the sender still writes is reset, and
 * the sender may never see the answer that it was refused with.  So the socket
 * is kept a little longer, and what arrives is thrown away: up to
 * LIMIT_BODY_DRAIN bytes, and no longer than LINGER_MS.  One thread's own.
 */
#ifndef IUVOD_HTTP_LINGER_H
#define IUVOD_HTTP_LINGER_H

#include <stdint.h>

enum { LINGER_MS = 2000, LINGER_MAX = 64 };

struct linger_list {
	int epoll; /* where the owner waits; events carry the entry's address as ptr */
	struct lingering *first;
	unsigned count;
};

struct lingering;

/* Keeps a duplicate of a connected socket, the sending side closed; of too many, it keeps none. */
void linger_add(struct linger_list *list, int fd, int64_t now_us);

/* Events of epoll for an entry: reads what is there, and closes when the other side has, or sent too much. */
void linger_ready(struct linger_list *list, struct lingering *linger);

/* Closes those whose time is over. */
void linger_sweep(struct linger_list *list, int64_t now_us);

void linger_close_all(struct linger_list *list);

#endif

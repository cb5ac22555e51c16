/*
 * The sockets that the server listens on: of TCP, or of the Unix domain with a
 * file that is made and removed again; opened here, or handed over by the service
 * manager, who then owns their files.
 */
#ifndef IUVOD_HTTP_LISTENERS_H
#define IUVOD_HTTP_LISTENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "http/address.h"

enum { LISTENERS_MAX = 16, LISTENER_TEXT_MAX = 272 };

struct listener {
	char text[LISTENER_TEXT_MAX]; /* the address as it was given, for messages */
	struct address address;
	bool tls;
	int fd; /* -1: does not listen */
	char url[ADDRESS_URL_MAX];
	bool made; /* the file of a Unix-domain socket, which is then this one: */
	dev_t device;
	ino_t inode;
};

struct listeners {
	unsigned count;
	struct listener all[LISTENERS_MAX];
};

/* Reads a list of addresses with commas between them, each with https:// or http:// before it, or nothing, which is the
 * second; false with a line in why[room]. */
bool listeners_read(const char *text, struct listeners *listeners, char *why, size_t room);

/* The same, where a port alone is one of loopback. */
bool listeners_read_local(const char *text, struct listeners *listeners, char *why, size_t room);

/*
 * Takes all addresses that were read, so that nobody else has them; until listeners_listen a
 * client is refused.  The file of a Unix-domain socket gets the mode; one that
 * is there is replaced if nobody answers at it.  On failure false with a line in
 * why[room], and listeners_close is to be called.
 */
bool listeners_bind(struct listeners *listeners, unsigned mode, char *why, size_t room);

/* Listens on all of them.  False as above. */
bool listeners_listen(struct listeners *listeners, char *why, size_t room);

/* Hands them over to another: what is left of them is none. */
struct listeners listeners_move(struct listeners *listeners);

/*
 * Takes sockets that are listening already, from a first descriptor on, in place of what
 * was read.  Bit i of tls: the one i behind the first speaks TLS.
 */
bool listeners_adopt(struct listeners *listeners, int first, unsigned count, unsigned tls, char *why, size_t room);

/* Whether one of them speaks TLS. */
bool listeners_have_tls(const struct listeners *listeners);

/* Those that listen and those that are bound only; what was read only is forgotten. */
void listeners_close(struct listeners *listeners);

#endif

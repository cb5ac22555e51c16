/* ADDRESS:PORT and [ADDRESS]:PORT, as --listen takes them and as URLs have them. */
#ifndef IUVOD_HTTP_ADDRESS_H
#define IUVOD_HTTP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

enum { ADDRESS_URL_MAX = 80 };

struct address {
	socklen_t len;
	struct sockaddr_storage storage;
};

/* Reads a text; a name is looked up.  False with a line in why[room]. */
bool address_read(const char *text, struct address *address, char *why, size_t room);

/* Listens there, without waiting on accept.  The descriptor, or -1 with a line in why[room]. */
int address_listen(const struct address *address, const char *text, char *why, size_t room);

/* http://ADDRESS:PORT of a socket that listens; false if the system does not tell. */
bool address_url(int fd, char url[ADDRESS_URL_MAX]);

#endif

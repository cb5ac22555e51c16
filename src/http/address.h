/* ADDRESS:PORT, [ADDRESS]:PORT and unix:PATH, as --listen takes them. */
#ifndef IUVOD_HTTP_ADDRESS_H
#define IUVOD_HTTP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { ADDRESS_URL_MAX = 120 };

struct address {
	socklen_t len;
	struct sockaddr_storage storage;
};

/* Reads a text; a name is looked up.  False with a line in why[room]. */
bool address_read(const char *text, struct address *address, char *why, size_t room);

/* The path of the file of a Unix-domain socket; NULL of another address. */
const char *address_path(const struct address *address);

/* http://ADDRESS:PORT of a socket that listens, with that scheme, or unix:PATH; false if the system does not tell. */
bool address_url(int fd, const char *scheme, char url[ADDRESS_URL_MAX]);

#endif

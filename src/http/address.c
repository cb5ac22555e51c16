#include "http/address.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { HOST_MAX = 256, PORT_MAX = 65535 };

/* Splits the text into host and port; false if it has another form. */
static bool
split(const char *text, char host[HOST_MAX], const char **port)
{
	uint64_t number;
	const char *from = text, *colon = strrchr(text, ':'), *to = colon;
	if (colon == NULL || !text_read_uint(colon + 1, strlen(colon + 1), PORT_MAX, &number))
		return false;
	if (*from == '[') {
		from++;
		to--;
		if (to < from || *to != ']')
			return false;
	} else if (memchr(from, ':', (size_t)(to - from)) != NULL) {
		return false; /* an IPv6 address without brackets: where it ends is anybody's guess */
	}
	if (to == from || to - from >= HOST_MAX)
		return false;
	snprintf(host, HOST_MAX, "%.*s", (int)(to - from), from);
	*port = colon + 1;
	return true;
}

bool
address_read(const char *text, struct address *address, char *why, size_t room)
{
	char host[HOST_MAX];
	const char *port;
	if (!split(text, host, &port)) {
		snprintf(why, room, "must be ADDRESS:PORT or [ADDRESS]:PORT with a port from 0 to %d", PORT_MAX);
		return false;
	}
	struct addrinfo *found, wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	int error = getaddrinfo(host, port, &wanted, &found);
	if (error != 0) {
		snprintf(why, room, "%s", gai_strerror(error));
		return false;
	}
	address->len = found->ai_addrlen;
	memcpy(&address->storage, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return true;
}

int
address_listen(const struct address *address, const char *text, char *why, size_t room)
{
	int on = 1;
	int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	    bind(fd, (const void *)&address->storage, address->len) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	snprintf(why, room, "cannot listen on %s: %s", text, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
address_url(int fd, char url[ADDRESS_URL_MAX])
{
	struct sockaddr_storage bound;
	socklen_t len = sizeof bound;
	char host[INET6_ADDRSTRLEN], port[8];
	if (getsockname(fd, (void *)&bound, &len) != 0 || getnameinfo((void *)&bound, len, host, sizeof host, port,
							      sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return false;
	bool v6 = bound.ss_family == AF_INET6;
	snprintf(url, ADDRESS_URL_MAX, "http://%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", port);
	return true;
}

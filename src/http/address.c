#include "http/address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { HOST_MAX = 256, PORT_MAX = 65535 };

#define UNIX "unix:"

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

static bool
read_path(const char *path, struct address *address, char *why, size_t room)
{
	struct sockaddr_un *unix_address = (void *)&address->storage;
	size_t len = strlen(path), most = sizeof unix_address->sun_path - 1;
	if (len == 0 || len > most) {
		snprintf(why, room, "the path of a socket has 1 to %zu bytes, and this has %zu", most, len);
		return false;
	}
	*address = (struct address){.len = sizeof *unix_address};
	unix_address->sun_family = AF_UNIX;
	memcpy(unix_address->sun_path, path, len);
	return true;
}

bool
address_read(const char *text, struct address *address, char *why, size_t room)
{
	if (strncmp(text, UNIX, strlen(UNIX)) == 0)
		return read_path(text + strlen(UNIX), address, why, room);
	char host[HOST_MAX];
	const char *port;
	if (!split(text, host, &port)) {
		snprintf(why, room,
		    "must be PORT, ADDRESS:PORT or [ADDRESS]:PORT with a port from 0 to %d, an address with "
		    "https:// before it for TLS, or unix:PATH",
		    PORT_MAX);
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

const char *
address_path(const struct address *address)
{
	return address->storage.ss_family == AF_UNIX
		   ? ((const struct sockaddr_un *)(const void *)&address->storage)->sun_path
		   : NULL;
}

bool
address_url(int fd, const char *scheme, char url[ADDRESS_URL_MAX])
{
	struct address bound = {.len = sizeof bound.storage};
	char host[INET6_ADDRSTRLEN], port[8];
	if (getsockname(fd, (void *)&bound.storage, &bound.len) != 0)
		return false;
	if (address_path(&bound) != NULL) {
		snprintf(url, ADDRESS_URL_MAX, "unix:%s", address_path(&bound));
		return true;
	}
	if (getnameinfo((void *)&bound.storage, bound.len, host, sizeof host, port, sizeof port,
		NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return false;
	bool v6 = bound.storage.ss_family == AF_INET6;
	snprintf(url, ADDRESS_URL_MAX, "%s://%s%s%s:%s", scheme, v6 ? "[" : "", host, v6 ? "]" : "", port);
	return true;
}

/*
 * The address of a client: of the Internet, IPv4 as it is mapped into IPv6, or
 * none, as the other end of a Unix-domain socket.  A plain value.
 */
#ifndef IUVOD_HTTP_IP_H
#define IUVOD_HTTP_IP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { IP_TEXT_MAX = INET6_ADDRSTRLEN, IP_PEER_MAX = IP_TEXT_MAX + 8 };

struct ip {
	unsigned char bytes[16]; /* all zero: none */
};

/* Of a socket's other end. */
struct ip ip_of_socket(const struct sockaddr *address);

/* Writes a socket's other end with its port, as logs tell it. */
void ip_write_peer(const struct sockaddr_storage *address, char out[IP_PEER_MAX]);

/* Reads the text of an address without a port, 192.0.2.1 or 2001:db8::1; false if it is none that a host can have. */
bool ip_read(const char *text, size_t len, struct ip *ip);

/* Writes it as it is read; "unix" if there is none.  Returns text. */
const char *ip_text(struct ip ip, char text[IP_TEXT_MAX]);

bool ip_is_v4(struct ip ip);
bool ip_equal(struct ip a, struct ip b);

/* Whether it is of this machine: loopback, or a Unix-domain socket. */
bool ip_is_local(struct ip ip);

/*
 * The number by which its use is counted: an IPv6 address by its first 64 bits,
 * since whoever has one has all of them.
 */
uint64_t ip_key(struct ip ip);

#endif

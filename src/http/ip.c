#include "http/ip.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static const unsigned char MAPPED[12] = {[10] = 0xff, [11] = 0xff};

static struct ip
of_v4(const void *v4)
{
	struct ip ip;
	memcpy(ip.bytes, MAPPED, sizeof MAPPED);
	memcpy(ip.bytes + sizeof MAPPED, v4, 4);
	return ip;
}

struct ip
ip_of_socket(const struct sockaddr *address)
{
	struct ip ip = {{0}};
	if (address->sa_family == AF_INET)
		return of_v4(&((const struct sockaddr_in *)(const void *)address)->sin_addr);
	if (address->sa_family == AF_INET6)
		memcpy(ip.bytes, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, sizeof ip.bytes);
	return ip;
}

void
ip_write_peer(const struct sockaddr_storage *address, char out[IP_PEER_MAX])
{
	char text[INET6_ADDRSTRLEN] = "?";
	const struct sockaddr_in *v4 = (const void *)address;
	const struct sockaddr_in6 *v6 = (const void *)address;
	if (address->ss_family == AF_INET) {
		inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
		snprintf(out, IP_PEER_MAX, "%s:%u", text, ntohs(v4->sin_port));
	} else if (address->ss_family == AF_UNIX) {
		snprintf(out, IP_PEER_MAX, "unix");
	} else {
		inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
		snprintf(out, IP_PEER_MAX, "[%s]:%u", text, ntohs(v6->sin6_port));
	}
}

/* 0.0.0.0 and :: are nobody's address, and the second means none here. */
static bool
is_unspecified(struct ip ip)
{
	static const unsigned char zero[16];
	return memcmp(ip.bytes, zero, 16) == 0 || (ip_is_v4(ip) && memcmp(ip.bytes + 12, zero, 4) == 0);
}

bool
ip_read(const char *text, size_t len, struct ip *ip)
{
	char copy[IP_TEXT_MAX];
	struct ip found;
	struct in_addr v4;
	if (len >= sizeof copy || memchr(text, '\0', len) != NULL)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, &v4) == 1)
		found = of_v4(&v4);
	else if (inet_pton(AF_INET6, copy, found.bytes) != 1)
		return false;
	if (is_unspecified(found))
		return false;
	*ip = found;
	return true;
}

const char *
ip_text(struct ip ip, char text[IP_TEXT_MAX])
{
	static const struct ip none;
	if (ip_equal(ip, none))
		return strcpy(text, "unix");
	const char *end = ip_is_v4(ip) ? inet_ntop(AF_INET, ip.bytes + sizeof MAPPED, text, IP_TEXT_MAX)
				       : inet_ntop(AF_INET6, ip.bytes, text, IP_TEXT_MAX);
	return end == NULL ? strcpy(text, "?") : end;
}

bool
ip_is_v4(struct ip ip)
{
	return memcmp(ip.bytes, MAPPED, sizeof MAPPED) == 0;
}

bool
ip_equal(struct ip a, struct ip b)
{
	return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

bool
ip_is_local(struct ip ip)
{
	static const unsigned char zero[15];
	/* ::1, and all zero, which is none. */
	if (memcmp(ip.bytes, zero, sizeof zero) == 0 && ip.bytes[15] <= 1)
		return true;
	return ip_is_v4(ip) && ip.bytes[12] == 127;
}

uint64_t
ip_key(struct ip ip)
{
	/* No host has an address that begins with 64 bits of ones or with 32 of zeros: these keys are free. */
	static const struct ip none;
	uint64_t key = 0;
	if (ip_equal(ip, none))
		return UINT64_MAX;
	for (unsigned i = ip_is_v4(ip) ? 12 : 0; i < (ip_is_v4(ip) ? 16 : 8); i++)
		key = key << 8 | ip.bytes[i];
	return key;
}

#include "http/trust.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { BITS = 128, BITS_V4 = 32 };

static bool
bit(struct ip ip, unsigned at)
{
	return (ip.bytes[at / 8] >> (7 - at % 8) & 1) != 0;
}

/* Why the text is no range; NULL if it is one. */
static const char *
read_range(const char *text, size_t len, struct trust_range *range)
{
	const char *slash = memchr(text, '/', len);
	size_t host_len = slash == NULL ? len : (size_t)(slash - text);
	uint64_t bits;
	*range = (struct trust_range){.bits = BITS};
	if (len == 4 && memcmp(text, "unix", 4) == 0)
		return NULL;
	if (!ip_read(text, host_len, &range->first))
		return "must be an address, a network as 10.0.0.0/8, or unix";
	if (slash == NULL)
		return NULL;
	unsigned most = memchr(text, ':', host_len) == NULL ? BITS_V4 : BITS;
	if (!text_read_uint(slash + 1, len - host_len - 1, most, &bits) || bits == 0)
		return most == BITS ? "a network of IPv6 has 1 to 128 bits" : "a network of IPv4 has 1 to 32 bits";
	range->bits = BITS - most + (unsigned)bits;
	for (unsigned at = range->bits; at < BITS; at++)
		if (bit(range->first, at))
			return "bits are set behind those of the network";
	return NULL;
}

bool
trust_read(const char *list, struct trust *trust, char *why, size_t room)
{
	struct trust found = {0};
	for (const char *at = list; at != NULL;) {
		size_t len = strcspn(at, ",");
		if (found.count == TRUST_MAX) {
			snprintf(why, room, "at most %d can be named", TRUST_MAX);
			return false;
		}
		const char *wrong = read_range(at, len, &found.ranges[found.count++]);
		if (wrong != NULL) {
			snprintf(why, room, "'%.*s': %s", (int)len, at, wrong);
			return false;
		}
		at = at[len] == '\0' ? NULL : at + len + 1;
	}
	*trust = found;
	return true;
}

static bool
is_in(const struct trust_range *range, struct ip ip)
{
	unsigned bytes = range->bits / 8, rest = range->bits % 8;
	if (memcmp(ip.bytes, range->first.bytes, bytes) != 0)
		return false;
	return rest == 0 || (ip.bytes[bytes] ^ range->first.bytes[bytes]) >> (8 - rest) == 0;
}

bool
trust_has(const struct trust *trust, struct ip ip)
{
	for (unsigned i = 0; i < trust->count; i++)
		if (is_in(&trust->ranges[i], ip))
			return true;
	return false;
}

#include "http/forwarded.h"

#include <string.h>
#include <strings.h>

/* The longest address with brackets and a port; what is longer is none. */
enum { NODE_MAX = IP_TEXT_MAX + 16, PORT_DIGITS = 5 };

const char *const forwarded_names[] = {"x-forwarded-for", "forwarded", NULL};

struct reader {
	const char *at, *end;
};

static void
add_hop(struct forwarded *forwarded, bool known, struct ip ip)
{
	if (forwarded->begun && known && trust_has(forwarded->trust, ip))
		return;
	forwarded->begun = true;
	forwarded->known = known;
	forwarded->ip = ip;
}

/* ---- an address with or without a port: `node` of RFC 7239, 6 ---- */

static bool
is_alphanumeric(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Digits, or a name that hides them. */
static bool
is_port(const char *text, size_t len)
{
	bool hidden = len > 1 && text[0] == '_';
	if (len == 0 || (!hidden && len > PORT_DIGITS))
		return false;
	for (size_t i = hidden ? 1 : 0; i < len; i++)
		if (hidden ? !is_alphanumeric(text[i]) && strchr("._-", text[i]) == NULL
			   : text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

static bool
read_bracketed(const char *text, size_t len, struct ip *ip)
{
	const char *bracket = memchr(text, ']', len);
	if (bracket == NULL || memchr(text, ':', (size_t)(bracket - text)) == NULL)
		return false;
	size_t rest = len - (size_t)(bracket + 1 - text);
	if (rest > 0 && (bracket[1] != ':' || !is_port(bracket + 2, rest - 1)))
		return false;
	return ip_read(text + 1, (size_t)(bracket - text) - 1, ip);
}

/* False for names as `unknown` and `_hidden`, too: they say that there is somebody, and not who. */
static bool
read_node(const char *text, size_t len, struct ip *ip)
{
	if (len > 0 && text[0] == '[')
		return read_bracketed(text, len, ip);
	const char *colon = memchr(text, ':', len);
	if (colon == NULL)
		return ip_read(text, len, ip);
	size_t host_len = (size_t)(colon - text);
	return is_port(colon + 1, len - host_len - 1) && ip_read(text, host_len, ip);
}

/* ---- X-Forwarded-For: addresses between commas, those of IPv6 mostly without brackets ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
read_x_for(struct forwarded *forwarded, const char *at, const char *end)
{
	while (at <= end) {
		const char *comma = memchr(at, ',', (size_t)(end - at)), *to = comma == NULL ? end : comma;
		struct ip ip = {{0}};
		const char *next = to + 1;
		while (at < to && is_blank(*at))
			at++;
		while (to > at && is_blank(to[-1]))
			to--;
		size_t len = (size_t)(to - at);
		if (len > 0)
			add_hop(forwarded, ip_read(at, len, &ip) || read_node(at, len, &ip), ip);
		at = next;
	}
}

/* ---- Forwarded: elements between commas, each of pairs between semicolons (RFC 7239, 4) ---- */

static size_t
token_len(const struct reader *reader)
{
	const char *at = reader->at;
	while (at < reader->end && *at != '\0' && (is_alphanumeric(*at) || strchr("!#$%&'*+-.^_`|~", *at) != NULL))
		at++;
	return (size_t)(at - reader->at);
}

static bool
is_next(const struct reader *reader, char c)
{
	return reader->at < reader->end && *reader->at == c;
}

/* A value, *len is what it is long: more than NODE_MAX is cut, and is none. */
struct value {
	char bytes[NODE_MAX];
	size_t len;
};

static void
put(struct value *value, char c)
{
	if (value->len < NODE_MAX)
		value->bytes[value->len] = c;
	value->len++;
}

static bool
read_quoted(struct reader *reader, struct value *value)
{
	for (reader->at++; reader->at < reader->end; reader->at++) {
		unsigned char c = (unsigned char)*reader->at;
		if (c == '"') {
			reader->at++;
			return true;
		}
		if (c == '\\' && ++reader->at < reader->end)
			c = (unsigned char)*reader->at;
		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
		put(value, (char)c);
	}
	return false;
}

static bool
read_value(struct reader *reader, struct value *value)
{
	value->len = 0;
	if (is_next(reader, '"'))
		return read_quoted(reader, value);
	size_t len = token_len(reader);
	for (size_t i = 0; i < len; i++)
		put(value, reader->at[i]);
	reader->at += len;
	return len > 0;
}

/* One `name=value`; *times counts those named `for`, and the hop is theirs. */
static bool
read_pair(struct reader *reader, unsigned *times, bool *known, struct ip *ip)
{
	struct value value;
	const char *name = reader->at;
	size_t len = token_len(reader);
	reader->at += len;
	if (len == 0 || !is_next(reader, '='))
		return false;
	reader->at++;
	if (!read_value(reader, &value))
		return false;
	if (len == 3 && strncasecmp(name, "for", 3) == 0) {
		(*times)++;
		*known = value.len <= NODE_MAX && read_node(value.bytes, value.len, ip);
	}
	return true;
}

static bool
read_element(struct reader *reader, struct forwarded *forwarded)
{
	unsigned times = 0;
	bool known = false;
	struct ip ip = {{0}};
	for (;; reader->at++) {
		if (!is_next(reader, ';') && token_len(reader) > 0 && !read_pair(reader, &times, &known, &ip))
			return false;
		if (!is_next(reader, ';'))
			break;
	}
	add_hop(forwarded, known, ip);
	return times <= 1;
}

static void
skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && is_blank(*reader->at))
		reader->at++;
}

static bool
read_rfc(struct forwarded *forwarded, struct reader *reader)
{
	for (skip_blanks(reader); reader->at < reader->end; skip_blanks(reader)) {
		if (!is_next(reader, ',') && !read_element(reader, forwarded))
			return false;
		skip_blanks(reader);
		if (reader->at == reader->end)
			return true;
		if (!is_next(reader, ','))
			return false;
		reader->at++;
	}
	return true;
}

void
forwarded_line(struct forwarded *forwarded, const char *text, size_t len)
{
	if (forwarded->header == FORWARDED_X_FOR)
		read_x_for(forwarded, text, text + len);
	else if (!read_rfc(forwarded, &(struct reader){text, text + len}))
		forwarded->broken = true;
}

struct ip
forwarded_client(const struct forwarded *forwarded, struct ip peer)
{
	return forwarded->begun && forwarded->known && !forwarded->broken ? forwarded->ip : peer;
}

#include "api/etag.h"

#include <string.h>

#include "base/text.h"

/* One tag of a list. */
struct tag {
	bool weak;
	const char *bytes; /* quotes included */
	size_t len;
};

/* The bytes that may stand between the quotes (RFC 9110, 8.8.3). */
static bool
tag_byte(unsigned char byte)
{
	return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

/* Reads the next tag of a list and moves *at behind it and its comma: 1, or 0 at the end, or -1 if it is none. */
static int
next_tag(const char **at, struct tag *tag)
{
	const char *c = *at + strspn(*at, " \t,");
	if (*c == '\0')
		return 0;
	tag->weak = strncmp(c, "W/", 2) == 0;
	c += tag->weak ? 2 : 0;
	if (*c != '"')
		return -1;
	tag->bytes = c++;
	while (tag_byte((unsigned char)*c))
		c++;
	if (*c != '"')
		return -1;
	c++;
	tag->len = (size_t)(c - tag->bytes);
	c += strspn(c, " \t");
	if (*c != '\0' && *c != ',')
		return -1;
	*at = c;
	return 1;
}

static bool
is_star(const char *header)
{
	const char *c = header + strspn(header, " \t");
	return *c == '*' && c[1 + strspn(c + 1, " \t")] == '\0';
}

/* Who looks, as far as it makes a difference to what he sees: n, x, c, s12, cs12. */
static void
name_viewer(const struct holder *viewer, char who[SEATS_MAX + 3])
{
	char *at = who;
	if (!viewer->known)
		*at++ = 'n';
	if (viewer->creator)
		*at++ = 'c';
	if (viewer->seats != 0)
		*at++ = 's';
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if (holder_has(viewer, seat))
			*at++ = (char)('0' + seat);
	if (at == who)
		*at++ = 'x';
	*at = '\0';
}

size_t
etag_write(const struct game_row *row, const struct holder *viewer, const char *format, char tag[ETAG_MAX])
{
	char who[SEATS_MAX + 3];
	unsigned seq = row->seq;
	name_viewer(viewer, who);
	char digits[12];
	size_t at = sizeof digits, len = 0;
	do
		digits[--at] = (char)('0' + seq % 10);
	while ((seq /= 10) != 0);
	tag[len++] = '"';
	memcpy(tag + len, digits + at, sizeof digits - at);
	len += sizeof digits - at;
	tag[len++] = '-';
	memcpy(tag + len, who, strlen(who));
	len += strlen(who);
	tag[len++] = '-';
	const char *end = row->rematch == NULL ? "\"" : "-r\"";
	size_t format_len = strnlen(format, ETAG_MAX - len - strlen(end) - 1);
	memcpy(tag + len, format, format_len);
	len += format_len;
	strcpy(tag + len, end);
	return len + strlen(end);
}

bool
etag_none_match(const char *header, const char *tag)
{
	struct tag other;
	if (is_star(header))
		return true;
	for (int more; (more = next_tag(&header, &other)) != 0;) {
		if (more < 0)
			return false;
		if (other.len == strlen(tag) && memcmp(other.bytes, tag, other.len) == 0)
			return true;
	}
	return false;
}

static bool
names_seq(const struct tag *tag, unsigned seq)
{
	uint64_t named;
	const char *dash = memchr(tag->bytes, '-', tag->len);
	return !tag->weak && dash != NULL &&
	       text_read_uint(tag->bytes + 1, (size_t)(dash - tag->bytes - 1), UINT32_MAX, &named) && named == seq;
}

enum etag_answer
etag_match(const char *header, unsigned seq)
{
	enum etag_answer answer = ETAG_STALE;
	unsigned count = 0;
	struct tag tag;
	if (is_star(header))
		return ETAG_GOOD;
	for (int more; (more = next_tag(&header, &tag)) != 0; count++) {
		if (more < 0)
			return ETAG_UNREADABLE;
		if (names_seq(&tag, seq))
			answer = ETAG_GOOD;
	}
	return count == 0 ? ETAG_UNREADABLE : answer;
}

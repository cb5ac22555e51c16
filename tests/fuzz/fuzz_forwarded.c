/*
 * What proxies tell of where a request came from: the first line is a list of
 * proxies that are trusted, each line after it one of the header's.
 */
#include <string.h>

#include "http/forwarded.h"
#include "tests/fuzz/fuzz.h"

enum { LINES_MAX = 16 };

struct line {
	char *text; /* exactly as many bytes, for a sanitizer to see who reads on */
	size_t len;
};

static struct trust trust;
static const struct ip peer = {{[10] = 0xff, [11] = 0xff, [12] = 203, [14] = 113, [15] = 9}};

static void
check_text(struct ip ip)
{
	char text[IP_TEXT_MAX];
	struct ip again;
	FUZZ_CHECK(ip_text(ip, text) == text && ip_read(text, strlen(text), &again) && ip_equal(ip, again));
}

static void
check_trust(const char *list)
{
	struct trust found = {.count = TRUST_MAX + 1};
	char why[160] = "";
	if (!trust_read(list, &found, why, sizeof why)) {
		FUZZ_CHECK(why[0] != '\0' && found.count == TRUST_MAX + 1);
		return;
	}
	FUZZ_CHECK(found.count > 0 && found.count <= TRUST_MAX && why[0] == '\0');
	for (unsigned i = 0; i < found.count; i++)
		FUZZ_CHECK(trust_has(&found, found.ranges[i].first) && found.ranges[i].bits <= 128);
	trust = found;
}

static struct forwarded
begin(enum forwarded_header header)
{
	return (struct forwarded){.trust = &trust, .header = header};
}

/* All lines but the first `from` ones, one after the other. */
static struct forwarded
read_lines(enum forwarded_header header, const struct line *lines, unsigned from, unsigned count)
{
	struct forwarded forwarded = begin(header);
	for (unsigned i = from; i < count; i++)
		forwarded_line(&forwarded, lines[i].text, lines[i].len);
	return forwarded;
}

static bool
is_client(const struct forwarded *forwarded)
{
	return forwarded->begun && forwarded->known && !forwarded->broken;
}

/* The lines as one, as a proxy may have put them together (RFC 9110, 5.3). */
static struct forwarded
read_joined(enum forwarded_header header, const struct line *lines, unsigned count)
{
	struct forwarded forwarded = begin(header);
	size_t len = 0;
	for (unsigned i = 0; i < count; i++)
		len += lines[i].len + 1;
	char *all = malloc(len + 1), *at = all;
	FUZZ_CHECK(all != NULL);
	for (unsigned i = 0; i < count; i++) {
		memcpy(at, lines[i].text, lines[i].len);
		at += lines[i].len;
		*at++ = ',';
	}
	forwarded_line(&forwarded, all, count == 0 ? 0 : len - 1);
	free(all);
	return forwarded;
}

static void
check_header(enum forwarded_header header, const struct line *lines, unsigned count)
{
	struct forwarded whole = read_lines(header, lines, 0, count);
	struct ip client = forwarded_client(&whole, peer);
	FUZZ_CHECK(is_client(&whole) || ip_equal(client, peer));
	if (is_client(&whole))
		check_text(client);
	/* Who stands before a client that is not trusted has no say in who that is. */
	for (unsigned from = 1; from < count && !whole.broken; from++) {
		struct forwarded rest = read_lines(header, lines, from, count);
		if (is_client(&rest) && !trust_has(&trust, rest.ip))
			FUZZ_CHECK(ip_equal(rest.ip, client));
	}
	if (!whole.broken) {
		struct forwarded joined = read_joined(header, lines, count);
		FUZZ_CHECK(
		    is_client(&joined) == is_client(&whole) && ip_equal(forwarded_client(&joined, peer), client));
	}
}

/* An address is read alike wherever it stands. */
static void
check_address(const struct line *line)
{
	struct ip ip;
	char text[IP_TEXT_MAX + 16], plain[IP_TEXT_MAX];
	if (!ip_read(line->text, line->len, &ip))
		return;
	check_text(ip);
	ip_text(ip, plain);
	for (enum forwarded_header header = FORWARDED_X_FOR; header <= FORWARDED_RFC; header++) {
		static const char *const before[] = {"", "for=", "For=\"["}, *const behind[] = {"", "", "]:80\""};
		unsigned form = header == FORWARDED_X_FOR ? 0 : ip_is_v4(ip) ? 1 : 2;
		struct forwarded forwarded = begin(header);
		int len = snprintf(text, sizeof text, "%s%s%s", before[form], plain, behind[form]);
		forwarded_line(&forwarded, text, (size_t)len);
		FUZZ_CHECK(ip_equal(forwarded_client(&forwarded, peer), ip));
	}
}

static unsigned
split(const char *text, size_t size, struct line lines[LINES_MAX])
{
	unsigned count = 0;
	for (const char *at = text, *end = text + size; at < end && count < LINES_MAX; count++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline == NULL ? end : newline) - at);
		lines[count] = (struct line){malloc(len + (len == 0)), len};
		FUZZ_CHECK(lines[count].text != NULL);
		memcpy(lines[count].text, at, len);
		at = newline == NULL ? end : newline + 1;
	}
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct line lines[LINES_MAX];
	char *text = fuzz_copy(data, size);
	size_t head = strcspn(text, "\n");
	unsigned count = head < size ? split(text + head + 1, size - head - 1, lines) : 0;
	text[head] = '\0';
	trust = (struct trust){0};
	check_trust(text);
	check_header(FORWARDED_X_FOR, lines, count);
	check_header(FORWARDED_RFC, lines, count);
	for (unsigned i = 0; i < count; i++) {
		check_address(&lines[i]);
		free(lines[i].text);
	}
	free(text);
	return 0;
}

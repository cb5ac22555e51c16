#include "http/head.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	size_t len;
	bool once;
} rows[HEADER_COUNT] = {
#define H(name, text, once) [name] = {text, sizeof text - 1, once},
    HEADER_TABLE(H)
#undef H
};

static bool
is_alphanumeric(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static enum header
find(const char *name, size_t len)
{
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		if (rows[i].len == len && strncasecmp(rows[i].name, name, len) == 0)
			return (enum header)i;
	return HEADER_COUNT;
}

/* What a proxy may read in another way than the library, as `Content-Length : 5` or a lone CR (RFC 9112, 2.2 and 5.1).
 */
static bool
is_well_formed(const char *name, size_t name_len, const char *value, size_t value_len)
{
	static const char marks[] = "!#$%&'*+-.^_`|~";
	for (size_t i = 0; i < name_len; i++)
		if (!is_alphanumeric(name[i]) && (name[i] == '\0' || strchr(marks, name[i]) == NULL))
			return false;
	for (size_t i = 0; i < value_len; i++)
		if (((unsigned char)value[i] < 0x20 && value[i] != '\t') || value[i] == 0x7f)
			return false;
	return name_len > 0;
}

/*
 * A value that was folded (RFC 9112, 5.2) the library takes for more of the name,
 * which it moves for that: `Content-Length:` and on the next line ` 5` is a header
 * Content-Length5, and the body a request of its own.  What was not touched still
 * stands as it came, a colon and blanks between the two.
 */
static bool
is_folded(const char *name, size_t name_len, const char *value)
{
	const char *behind = name + name_len + 1;
	while (behind < value && (*behind == ' ' || *behind == '\t'))
		behind++;
	return value != NULL && behind != value;
}

size_t
head_trimmed(const char *value)
{
	size_t len = strlen(value);
	while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
		len--;
	return len;
}

/* A host and a port as they stand in a URI, or nothing; looked at byte by byte only (RFC 3986, 3.2). */
static bool
is_host(const char *value)
{
	for (const char *end = value + head_trimmed(value); value < end; value++)
		if (!is_alphanumeric(*value) && strchr("-._~%!$&'()*+,;=:[]", *value) == NULL)
			return false;
	return true;
}

static bool
is_named(const char *name, size_t len, const char *wanted)
{
	return len == strlen(wanted) && strncasecmp(name, wanted, len) == 0;
}

static enum MHD_Result
note(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *value, size_t value_len)
{
	struct head *head = cls;
	(void)kind;
	head->malformed |= !is_well_formed(name, name_len, value, value_len) || is_folded(name, name_len, value);
	enum header header = find(name, name_len);
	if (header == HEADER_COUNT) {
		head->expects_continue |= is_named(name, name_len, "Expect");
		for (unsigned i = 0; forwarded_names[i] != NULL; i++)
			head->passed_on |= is_named(name, name_len, forwarded_names[i]);
		return MHD_YES;
	}
	if (head->times[header] == 0)
		head->value[header] = value == NULL ? "" : value;
	if (head->times[header] < 255)
		head->times[header]++;
	return MHD_YES;
}

void
head_read(struct MHD_Connection *mhd, const char *version, struct head *head)
{
	memset(head, 0, sizeof *head);
	head->host_wanted = strcmp(version, MHD_HTTP_VERSION_1_0) != 0;
	MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, note, head);
}

const char *
head_ambiguity(const struct head *head)
{
	const char *coding = head->value[HEADER_TRANSFER_ENCODING], *host = head->value[HEADER_HOST];
	if (head->malformed)
		return "a header's name or value";
	for (unsigned i = 0; i < HEADER_COUNT; i++)
		if (rows[i].once && head->times[i] > 1)
			return rows[i].name;
	if (coding != NULL && head->times[HEADER_CONTENT_LENGTH] > 0)
		return rows[HEADER_CONTENT_LENGTH].name;
	/* Of any other the library takes all that ever comes for the body. */
	if (coding != NULL && strcasecmp(coding, "chunked") != 0)
		return rows[HEADER_TRANSFER_ENCODING].name;
	return (host == NULL ? head->host_wanted : !is_host(host)) ? rows[HEADER_HOST].name : NULL;
}

struct join {
	enum header header;
	char *at; /* NULL: only counting */
	size_t len;
};

static enum MHD_Result
join_one(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *value, size_t value_len)
{
	struct join *join = cls;
	(void)kind;
	if (find(name, name_len) != join->header)
		return MHD_YES;
	if (join->len > 0) {
		if (join->at != NULL)
			memcpy(join->at + join->len, ", ", 2);
		join->len += 2;
	}
	if (join->at != NULL && value_len > 0)
		memcpy(join->at + join->len, value, value_len);
	join->len += value_len;
	return MHD_YES;
}

const char *
head_join(struct MHD_Connection *mhd, enum header header, struct arena *arena)
{
	struct join join = {.header = header};
	MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, join_one, &join);
	join.at = arena_take(arena, join.len + 1);
	if (join.at == NULL)
		return NULL;
	join.len = 0;
	MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, join_one, &join);
	join.at[join.len] = '\0';
	return join.at;
}

static enum MHD_Result
read_hops(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *value, size_t value_len)
{
	struct forwarded *forwarded = cls;
	(void)kind;
	if (is_named(name, name_len, forwarded_names[forwarded->header]))
		forwarded_line(forwarded, value == NULL ? "" : value, value_len);
	return MHD_YES;
}

struct ip
head_client(struct MHD_Connection *mhd, const struct trust *trust, enum forwarded_header header, struct ip peer)
{
	struct forwarded forwarded = {.trust = trust, .header = header};
	if (trust->count == 0 || !trust_has(trust, peer))
		return peer;
	MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, read_hops, &forwarded);
	return forwarded_client(&forwarded, peer);
}

enum method
head_method(const char *text)
{
	static const char *const names[] = {
	    [METHOD_GET] = "GET",
	    [METHOD_HEAD] = "HEAD",
	    [METHOD_POST] = "POST",
	    [METHOD_PUT] = "PUT",
	    [METHOD_PATCH] = "PATCH",
	    [METHOD_DELETE] = "DELETE",
	    [METHOD_OPTIONS] = "OPTIONS",
	};
	for (unsigned i = 0; i < METHOD_OTHER; i++)
		if (strcmp(names[i], text) == 0)
			return (enum method)i;
	return METHOD_OTHER;
}

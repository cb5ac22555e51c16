#include "xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

enum { DEPTH_MAX = 32, IDS_MAX = 64, REFERENCES_MAX = 1024, ATTRIBUTES_MAX = 32 };

struct word {
	const char *at;
	size_t len;
};

struct scanner {
	const char *at, *end;
	unsigned depth;
	struct word open[DEPTH_MAX];
	unsigned ids, references;
	struct word id[IDS_MAX], reference[REFERENCES_MAX];
};

static bool
same(struct word a, struct word b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == ':' ||
	       c == '_';
}

static bool
ahead(const struct scanner *scanner, const char *text)
{
	size_t len = strlen(text);
	return (size_t)(scanner->end - scanner->at) >= len && memcmp(scanner->at, text, len) == 0;
}

static void
expect(struct scanner *scanner, const char *text)
{
	assert_true(ahead(scanner, text));
	scanner->at += strlen(text);
}

static struct word
name(struct scanner *scanner)
{
	struct word word = {scanner->at, 0};
	while (scanner->at < scanner->end && is_name_char(*scanner->at))
		scanner->at++;
	word.len = (size_t)(scanner->at - word.at);
	assert_true(word.len > 0);
	return word;
}

static void
spaces(struct scanner *scanner)
{
	while (scanner->at < scanner->end && strchr(" \n\t", *scanner->at) != NULL)
		scanner->at++;
}

/* Characters up to one of stop: what XML allows, and entities that are known. */
static struct word
characters(struct scanner *scanner, char stop)
{
	static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
	struct word word = {scanner->at, 0};
	while (scanner->at < scanner->end && *scanner->at != stop) {
		size_t step = 0;
		uint32_t c = text_utf8_next(scanner->at, (size_t)(scanner->end - scanner->at), &step);
		assert_true(c != '<' && (c >= 0x20 || c == '\n' || c == '\t') && c != 0xfffe && c != 0xffff);
		assert_false(stop == '<' && ahead(scanner, "]]>"));
		bool known = c != '&';
		for (unsigned i = 0; i < sizeof entities / sizeof *entities; i++)
			known |= ahead(scanner, entities[i]);
		assert_true(known);
		scanner->at += step;
	}
	word.len = (size_t)(scanner->at - word.at);
	return word;
}

static void
refer(struct scanner *scanner, struct word word)
{
	assert_true(scanner->references < REFERENCES_MAX);
	scanner->reference[scanner->references++] = word;
}

static void
take_attribute(struct scanner *scanner, struct word key, struct word value)
{
	if (same(key, (struct word){"id", 2})) {
		for (unsigned i = 0; i < scanner->ids; i++)
			assert_false(same(scanner->id[i], value));
		assert_true(scanner->ids < IDS_MAX);
		scanner->id[scanner->ids++] = value;
	} else if (same(key, (struct word){"href", 4})) {
		assert_int_equal(*value.at, '#');
		refer(scanner, (struct word){value.at + 1, value.len - 1});
	} else if (value.len > 6 && memcmp(value.at, "url(#", 5) == 0) {
		refer(scanner, (struct word){value.at + 5, value.len - 6});
	} else if (same(key, (struct word){"aria-labelledby", 15})) {
		const char *space = memchr(value.at, ' ', value.len);
		assert_non_null(space);
		refer(scanner, (struct word){value.at, (size_t)(space - value.at)});
		refer(scanner, (struct word){space + 1, (size_t)(value.at + value.len - space - 1)});
	}
}

static void
attributes(struct scanner *scanner)
{
	struct word seen[ATTRIBUTES_MAX];
	for (unsigned count = 0;; count++) {
		const char *before = scanner->at;
		spaces(scanner);
		if (ahead(scanner, ">") || ahead(scanner, "/>"))
			return;
		assert_true(scanner->at > before && count < ATTRIBUTES_MAX);
		seen[count] = name(scanner);
		for (unsigned i = 0; i < count; i++)
			assert_false(same(seen[i], seen[count]));
		expect(scanner, "=\"");
		take_attribute(scanner, seen[count], characters(scanner, '"'));
		expect(scanner, "\"");
	}
}

static void
tag(struct scanner *scanner)
{
	if (ahead(scanner, "</")) {
		expect(scanner, "</");
		assert_true(scanner->depth > 0);
		assert_true(same(name(scanner), scanner->open[--scanner->depth]));
		expect(scanner, ">");
		return;
	}
	expect(scanner, "<");
	struct word word = name(scanner);
	attributes(scanner);
	if (ahead(scanner, "/>")) {
		expect(scanner, "/>");
		return;
	}
	expect(scanner, ">");
	assert_true(scanner->depth < DEPTH_MAX);
	scanner->open[scanner->depth++] = word;
}

void
xml_check(const char *document, size_t len)
{
	static struct scanner scanner;
	scanner = (struct scanner){.at = document, .end = document + len};
	assert_int_equal(text_utf8_prefix(document, len), len);
	assert_true(ahead(&scanner, "<svg "));
	do {
		tag(&scanner);
		if (scanner.depth > 0)
			characters(&scanner, '<');
	} while (scanner.depth > 0);
	spaces(&scanner);
	assert_ptr_equal(scanner.at, scanner.end);
	for (unsigned i = 0; i < scanner.references; i++) {
		bool found = false;
		for (unsigned k = 0; k < scanner.ids; k++)
			found |= same(scanner.reference[i], scanner.id[k]);
		assert_true(found);
	}
}

/* A small scanner of XML for tests: fails the running test unless the document is in order. */
#ifndef IUVOD_TESTS_API_XML_H
#define IUVOD_TESTS_API_XML_H

#include <stddef.h>

/*
 * Well-formed: one root, tags that close in order, attributes quoted and not
 * repeated, no bare < or &, known entities, characters that XML allows.  And no
 * id twice, and every reference (href, url(), aria-labelledby) leads to an id.
 */
void xml_check(const char *document, size_t len);

#endif

/* What the values of header fields are made of (RFC 9110, 5.6). */
#ifndef IUVOD_API_FIELD_H
#define IUVOD_API_FIELD_H

#include <stddef.h>

/* The length of the token at the text; 0 if none stands there. */
size_t field_token(const char *text);

/* The text behind spaces and tabs. */
const char *field_skip_space(const char *text);

/* Behind the quoted string at the text, which begins with its quote; NULL if it does not end. */
const char *field_skip_quoted(const char *text);

#endif

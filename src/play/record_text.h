/* What the writer and the reader of a record's text form share.  The grammar stands in record_text.c. */
#ifndef IUVOD_PLAY_RECORD_TEXT_H
#define IUVOD_PLAY_RECORD_TEXT_H

#include <stdbool.h>

/* The keys of headers that mean something; RECORD_TEXT_TAG stands for all others. */
enum record_text_key {
	RECORD_TEXT_KEY_FORMAT,
	RECORD_TEXT_KEY_VARIANT,
	RECORD_TEXT_KEY_START,
	RECORD_TEXT_KEY_SEAT_1, /* and those of the other seats behind it */
	RECORD_TEXT_TAG = RECORD_TEXT_KEY_SEAT_1 + 4
};

/* Which key a word is. */
enum record_text_key record_text_key(const char *word);

/* Whether a key that holds c may stand without quotes. */
bool record_text_word_char(char c);

#endif

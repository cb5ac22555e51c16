/* JSON strings, as far as play/ writes and reads them: data of events, tags of imported records.  Any thread. */
#ifndef IUVOD_PLAY_QUOTE_H
#define IUVOD_PLAY_QUOTE_H

#include "base/arena.h"
#include "base/text.h"

/* Appends valid UTF-8 as a JSON string, quotes included.  The failure of out sticks. */
void quote_json(struct text *out, const char *string);

/*
 * Reads at *at a JSON string as quote_json writes it into the arena and moves *at
 * behind it.  NULL if there is none, or no memory (then *at is untouched).
 */
char *quote_json_read(struct arena *arena, const char **at);

/*
 * The member of that name of an object as event.c writes it, whose texts hold no
 * quoted name: a string in the arena, or NULL; a number, or -1.
 */
char *quote_json_member(struct arena *arena, const char *object, const char *name);
int64_t quote_json_number(const char *object, const char *name);

#endif

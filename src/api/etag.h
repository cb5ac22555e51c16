/*
 * Entity tags (HTTP.md rule 6): strong, of a game's seq, who looks (nobody known,
 * a stranger, the creator, the holder of these seats), and the format: "12-s1-json".
 * No event tells that a game has a rematch (play/rematch.h), so the tag does so by
 * itself: "12-s1-json-r".  What the engine says of a game hangs on its memory and on
 * the program, too: "12-s1-json-64m0.1.0".
 */
#ifndef IUVOD_API_ETAG_H
#define IUVOD_API_ETAG_H

#include <stdbool.h>
#include <stddef.h>

#include "play/game.h"

/* Bytes of a tag, and of the word in it that is of the engine; NUL included. */
enum { ETAG_MAX = 64, ETAG_MIND_MAX = 32 };

/* Writes the tag for a viewer as he was resolved for the game, quotes included; returns its length.  format: a word of
 * ours. */
size_t etag_write(const struct game_row *row, const struct holder *viewer, const char *format, char tag[ETAG_MAX]);

/* Whether an If-None-Match names the tag (weak comparison) or is *.  What cannot be read names nothing. */
bool etag_none_match(const char *header, const char *tag);

enum etag_answer { ETAG_GOOD, ETAG_STALE, ETAG_UNREADABLE };

/* Whether an If-Match names a state with this seq, by a strong tag of any viewer and format, or is *. */
enum etag_answer etag_match(const char *header, unsigned seq);

#endif

/*
 * Streams of events (HTTP.md rule 12): a log that is read on as it grows.  Here
 * is what they say, in two forms; http/ sends it.  A stream is a cursor and no
 * more: its buffer is the log.
 *
 *     server-sent events      id: SEQ, event: TYPE, data: the event as JSON; a comment keeps it alive
 *     newline-delimited JSON  an event a line; an empty line keeps it alive
 */
#ifndef IUVOD_API_STREAM_H
#define IUVOD_API_STREAM_H

#include "api/writer.h"
#include "base/token.h"
#include "play/holder.h"
#include "store/feed.h"

struct call;
struct game;
struct service;

enum stream_source { STREAM_GAME, STREAM_PLAYER };

enum stream_form { STREAM_JSON, STREAM_SSE, STREAM_NDJSON, STREAM_FORMS };

struct stream {
	enum stream_source source;
	enum stream_form form;
	char id[ID_LEN + 1]; /* of the game or the player */
	int64_t key;
	int64_t after;        /* seq of the last event that the reader has */
	bool reset;           /* he named one that there is not: he gets everything anew */
	struct holder holder; /* who he is, and in the game, as he was last looked at */
};

/* Where a log ends. */
struct stream_tip {
	int64_t seq;
	unsigned ply; /* of a game */
	bool over;    /* nothing will follow */
};

/* The media types of the forms in their order; ends with NULL. */
extern const char *const stream_media[STREAM_FORMS + 1];

/* An event as JSON, or as much as a viewer may see of it. */
void stream_event(struct writer *writer, const struct event_row *row, bool seated);

/* An entry of a player's log as JSON. */
void stream_entry(struct writer *writer, const struct feed_row *row);

/* The first bytes of a stream, so that every proxy lets it begin. */
void stream_hello(enum stream_form form, struct text *out);

/* What keeps it alive; static. */
const char *stream_beat(enum stream_form form);

/* Its last words, where the log goes on without it; reason: a word of ours. */
void stream_goodbye(
    const struct stream *stream, const struct stream_tip *tip, int64_t now_ms, const char *reason, struct text *out);

enum fault stream_tip(struct db *db, struct arena *arena, const struct stream *stream, struct stream_tip *tip);

/*
 * Appends what comes after the cursor, some events at most, and tells where the
 * cursor is then: if where it was, there is nothing new.  Where the log has a gap
 * it goes no further: FAULT_DAMAGED_GAME, FAULT_DAMAGED_DATA.  A stream that is to be
 * reset gets the whole as it is instead: the game, or of a player where to read it.
 */
enum fault stream_page(const struct service *service, struct db *db, struct arena *arena, int64_t now_ms,
    const struct stream *stream, struct text *out, int64_t *to);

/* Whether the reader sees what is for the game's seats alone. */
bool stream_seated(const struct stream *stream);

/* Looks at the reader's token again, if he has one: FAULT_TOKEN_UNKNOWN if it is dead.  The second asks what he is in
 * the game now, too. */
enum fault stream_alive(struct db *db, struct stream *stream);
enum fault stream_renew(struct db *db, struct arena *arena, struct stream *stream);

#endif

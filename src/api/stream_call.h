/* Calls for a log of events, of a game or of a player: in which form, from where on, and whether they wait for news. */
#ifndef IUVOD_API_STREAM_CALL_H
#define IUVOD_API_STREAM_CALL_H

#include "api/call.h"
#include "api/stream.h"

struct stream_wish {
	uint64_t after, limit;
	enum stream_form form;
	bool reset; /* the last id that the reader has is none of ours */
	unsigned wait_seconds;
};

/* The prepare of such a route: leaves the wish in call->prepared. */
enum fault stream_call_prepare(struct call *call);

/* The log as the caller may follow it, which ends at a seq; NULL without memory. */
struct stream *stream_call_follow(
    struct call *call, enum stream_source source, const char *id, int64_t key, int64_t last);

/* The reply that begins the stream; over: the log ends where it does, for good. */
enum fault stream_call_begin(struct call *call, const struct stream *stream, bool over);

/* Where the caller would rather wait than hear that there is nothing new: before reply_end. */
enum fault stream_call_wait(struct call *call, const struct stream *stream, bool news);

#endif

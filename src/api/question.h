/*
 * A question: what a call wants the engine to think about before it is answered.
 * A handler leaves one in call->question in place of a reply; http/ has it thought
 * about on a thread of the engine, and then asks call_answer for the reply.
 */
#ifndef IUVOD_API_QUESTION_H
#define IUVOD_API_QUESTION_H

#include "base/fault.h"
#include "engine/search.h"

struct call;

/* In the call's arena, of which nothing else is touched meanwhile. */
struct question {
	/* One search; true if there is another to come.  It ends soon after *stop turns true. */
	bool (*step)(struct question *question, struct search *search, const _Atomic bool *stop);
	/* All steps were done: replies, without a database. */
	enum fault (*answer)(struct question *question, struct call *call);
};

#endif

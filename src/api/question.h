/*
 * A question: what a call wants the engine to think about before it is answered.
 * A handler leaves one in call->question in place of a reply; http/ has it thought
 * about on a thread of the engine, and then asks call_answer for the reply.
 *
 * A quick question does not wait until all dear ones are answered that came before
 * it.  Quick is one whose searches, all steps together, may look at no more than
 * LIMIT_ENGINE_NODES_DEFAULT, which is asked where nothing is said: a hint with
 * several lines of a level is two searches of the level's budget, one by nodes a
 * single search however many lines it has, and a report two searches of its nodes
 * for each ply of the answer.  So a report of a few plies is quick and a long one is
 * not.  It is the budget that counts, since what a search comes to is not known before.
 */
#ifndef IUVOD_API_QUESTION_H
#define IUVOD_API_QUESTION_H

#include "base/fault.h"
#include "base/limits.h"
#include "engine/search.h"

struct call;

/* In the call's arena, of which nothing else is touched meanwhile. */
struct question {
	/* One search; true if there is another to come.  It ends soon after *stop turns true. */
	bool (*step)(struct question *question, struct search *search, const _Atomic bool *stop);
	/* All steps were done: replies, without a database. */
	enum fault (*answer)(struct question *question, struct call *call);
	bool quick; /* see above */
};

#endif

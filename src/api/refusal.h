/* Refusals of moves: a verdict as a problem, with a sentence that names the cells. */
#ifndef IUVOD_API_REFUSAL_H
#define IUVOD_API_REFUSAL_H

#include "api/call.h"

/* What was refused. */
struct refusal {
	enum variant variant;
	enum verdict verdict;
	struct judgement judgement;
	const char *move;             /* as it was sent */
	const struct move_text *text; /* the same, read */
	const char *pointer;          /* where it stands in the body */
	unsigned ply;                 /* that it would have made */
};

enum fault refusal_reply(struct call *call, const struct refusal *refusal);

#endif

#include "http/thought.h"

#include <stddef.h>

#include "api/question.h"
#include "http/charge.h"
#include "http/connection.h"

static struct exchange *
exchange_of_job(struct think_job *job)
{
	return (struct exchange *)(void *)((char *)job - offsetof(struct exchange, job));
}

/* ---- on a thread of the engine ---- */

static bool
step(struct think_job *job, struct search *search)
{
	struct question *question = exchange_of_job(job)->call.question;
	return question->step(question, search, &job->stop);
}

static void
done(struct think_job *job)
{
	loop_thought(exchange_of_job(job)->connection->loop, job);
}

/* ---- on the loop's thread ---- */

bool
thought_begin(struct exchange *exchange)
{
	enum fault fault;
	enum think_class class = exchange->call.question->quick ? THINK_QUICK : THINK_QUESTION;
	exchange->job = (struct think_job){.class = class, .step = step, .done = done};
	exchange->stage = STAGE_THINK;
	exchange->resource = exchange->call.resource;
	if (!charge_take(exchange, QUOTA_QUESTIONS))
		return false;
	if (!think_submit(exchange->connection->loop->shared->think, &exchange->job, &fault)) {
		call_fail(&exchange->call, fault, NULL);
		return false;
	}
	/* It may be done already; but it is this thread that resumes, and it does so later. */
	MHD_suspend_connection(exchange->connection->mhd);
	connection_enter(exchange->connection, PHASE_THINK);
	return true;
}

void
thought_end(struct think_job *job)
{
	struct exchange *exchange = exchange_of_job(job);
	bool left = exchange->connection->phase == PHASE_CUT;
	if (job->stop && !left)
		call_fail(&exchange->call, FAULT_STOPPING, NULL);
	else if (!left)
		call_answer(&exchange->call);
	exchange_resume(exchange, left);
}

void
thought_cancel(struct exchange *exchange)
{
	think_cancel(exchange->connection->loop->shared->think, &exchange->job);
}

/* DELETE of a game in which nobody has moved, by its creator. */
#include "api/resources.h"
#include "api/subject.h"

RESOURCE_NOTHING_TO_PREPARE(withdrawal)

enum fault
withdrawal_run(struct call *call)
{
	struct game game;
	enum fault fault = subject_load(call, &game);
	if (fault != FAULT_NONE)
		return fault;
	fault = game_withdraw(call->db, call->now_ms, &game, &call->holder, subject_stale(call, &game));
	return fault != FAULT_NONE ? subject_refuse(call, fault, &game) : subject_reply(call, &game);
}

#include "api/quota.h"

#include "api/problem.h"
#include "api/reply.h"

static const char *const names[QUOTA_COUNT] = {
#define Q(quota, name, most) [quota] = name,
    QUOTA_TABLE(Q)
#undef Q
};

static enum fault
refuse(struct call *call, const struct quota_mark *mark)
{
	struct writer writer = problem_begin(call, FAULT_TOO_MANY_REQUESTS,
	    problem_text(call, "%s: %u a minute may come from one address. The next one may in %u s.",
		names[mark->quota], mark->most, mark->refused_s));
	writer_key(&writer, "policy");
	writer_string(&writer, names[mark->quota]);
	writer_key(&writer, "limit");
	writer_int(&writer, mark->most);
	reply_header(call, "Retry-After", problem_text(call, "%u", mark->refused_s));
	return problem_end(call, &writer);
}

void
quota_refuse(struct call *call, const struct quota_mark *mark)
{
	enum fault fault = refuse(call, mark);
	if (fault != FAULT_NONE)
		call_fail(call, fault, NULL);
}

void
quota_headers(struct call *call, const struct quota_mark *mark)
{
	const char *name = names[mark->quota];
	reply_header(call, "RateLimit-Policy", problem_text(call, "\"%s\";q=%u;w=60", name, mark->most));
	reply_header(call, "RateLimit", problem_text(call, "\"%s\";r=%u;t=%u", name, mark->left, mark->whole_s));
}

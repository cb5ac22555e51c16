/* What stands outside /v1: the service itself. */
#include "config.h"

#include <string.h>

#include "api/advice.h"
#include "api/contract.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/resources.h"

RESOURCE_NOTHING_TO_PREPARE(root)
RESOURCE_NOTHING_TO_PREPARE(root_contract)
RESOURCE_NOTHING_TO_PREPARE(root_health)
RESOURCE_NOTHING_TO_PREPARE(root_ready)
RESOURCE_NOTHING_TO_PREPARE(root_version)
RESOURCE_NOTHING_TO_PREPARE(metrics)

enum fault
root_run(struct call *call)
{
	static const struct {
		const char *key, *path;
	} links[] = {
	    {"self", "/"},
	    {"contract", "/openapi.json"},
	    {"problems", "/problems"},
	    {"health", "/healthz"},
	    {"ready", "/readyz"},
	    {"version", "/version"},
	    {"variants", "/v1/variants"},
	    {"games", "/v1/games"},
	    {"open_games", "/v1/games?status=open"},
	    {"players", "/v1/players"},
	    {"me", "/v1/me"},
	    {"my_games", "/v1/me/games"},
	    {"my_events", "/v1/me/events"},
	    {"records", "/v1/records"},
	    {"analysis", "/v1/analysis"},
	};
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "name");
	writer_literal(&writer, "\"iuvod\"");
	writer_key(&writer, "version");
	writer_string(&writer, call->service->version);
	writer_key(&writer, "description");
	writer_literal(&writer, "\"Iuvo and Halma, played by post\"");
	writer_key(&writer, "links");
	writer_open(&writer, '{');
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		reply_link(call, &writer, links[i].key, links[i].path, NULL, NULL);
	writer_close(&writer, '}');
	writer_close(&writer, '}');
	reply_public(call);
	return reply_end(call, "application/json");
}

enum fault
root_contract_run(struct call *call)
{
	static const char here[] = "\"servers\": [\n    {\"url\": \"/";
	const char *bytes = (const char *)contract_json, *end = bytes + contract_json_len;
	const char *base = call->service->base_path, *url = memmem(bytes, contract_json_len, here, sizeof here - 1);
	struct writer writer = reply_begin(call, 200);
	/* Its paths stand behind the server's, which is / or the base path. */
	if (base[0] != '\0' && url != NULL) {
		url += sizeof here - 2;
		writer_bytes(&writer, bytes, (size_t)(url - bytes));
		writer_bytes(&writer, base, strlen(base));
		bytes = url + 1;
	}
	writer_bytes(&writer, bytes, (size_t)(end - bytes));
	reply_public(call);
	return reply_end(call, "application/json");
}

static enum fault
reply_status(struct call *call, const char *status)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "status");
	writer_string(&writer, status);
	writer_close(&writer, '}');
	reply_header(call, "Cache-Control", "no-store");
	return reply_end(call, "application/json");
}

enum fault
root_health_run(struct call *call)
{
	return reply_status(call, "ok");
}

enum fault
root_ready_run(struct call *call)
{
	const struct service *service = call->service;
	if (service->stopping != NULL && service->stopping(service->stopping_arg))
		return FAULT_STOPPING;
	if (service->ready != NULL && !service->ready(service->ready_arg))
		return FAULT_STORAGE;
	return reply_status(call, "ready");
}

/* What this service takes, where its operator may have set it. */
static void
write_limits(struct writer *writer, const struct service *service)
{
	const struct service_limits *limits = &service->limits;
	const struct {
		const char *key;
		uint64_t value;
	} all[] = {
	    {"header_bytes", limits->head},
	    {"body_bytes", limits->body[SIZE_BODY]},
	    {"record_bytes", limits->body[SIZE_RECORD]},
	    {"engine_nodes", limits->nodes},
	    {"engine_level", service->engine ? advice_highest_level(service) : 0},
	    {"connections", limits->connections},
	    {"streams", limits->streams},
	};
	writer_key(writer, "limits");
	writer_open(writer, '{');
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		writer_key_text(writer, all[i].key);
		writer_int(writer, (int64_t)all[i].value);
	}
	writer_close(writer, '}');
}

enum fault
root_version_run(struct call *call)
{
	struct writer writer = reply_begin(call, 200);
	writer_open(&writer, '{');
	writer_key(&writer, "name");
	writer_literal(&writer, "\"iuvod\"");
	writer_key(&writer, "version");
	writer_string(&writer, call->service->version);
	writer_key(&writer, "schema");
	writer_int(&writer, call->service->schema);
	writer_key(&writer, "started_at");
	writer_time(&writer, call->service->started_ms);
	write_limits(&writer, call->service);
	writer_close(&writer, '}');
	reply_header(call, "Cache-Control", "no-cache");
	return reply_end(call, "application/json");
}

enum fault
metrics_run(struct call *call)
{
	reply_begin(call, 200);
	call->service->tell(call->service->tell_arg, &call->reply.body);
	reply_header(call, "Cache-Control", "no-store");
	return reply_end(call, "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

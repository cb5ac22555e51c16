#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/etag.h"
#include "api/target.h"
#include "attend.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/manager.h"
#include "base/option.h"
#include "base/token.h"
#include "command.h"
#include "config.h"
#include "http/lane.h"
#include "http/lane_time.h"
#include "http/opponents.h"
#include "http/server.h"

enum {
	LOOPS = 2,
	CACHE_BYTES = 4 * 1024 * 1024,
	BATCH = 512,
	CONNECTIONS_MOST = 100000,
	MINUTE_MOST = 1000000,
	BEAT_MS = 15 * 1000,
	ENGINE_THREADS = 1,
	ENGINE_MEBIBYTES = 16,
	ENGINE_MEBIBYTES_MOST = 4096
};

static const char *const levels[] = {"debug", "info", "warn", "error", NULL};

struct serve {
	const char *config, *database, *listen, *admin_listen;
	const char *test_clock;
	const char *base_path, *trusted;
	unsigned proxy_header;
	struct trust trust;
	uint64_t loops, connections, connections_address, cache_bytes, batch_max;
	uint64_t streams, streams_game, streams_address, beat_ms, stall_ms, send_ms, idle_ms, held_ms, downtime_ms;
	uint64_t header_bytes, body_bytes, record_bytes;
	uint64_t engine_threads, engine_memory, engine_nodes, engine_questions, engine_moves;
	uint64_t minute[QUOTA_COUNT];
	bool limit_loopback;
	unsigned level;
	const char *socket_mode;
	uint64_t mode; /* socket_mode, read */
	struct listeners listeners, admin;
	struct certificate_paths tls;
	struct certificate *certificate; /* NULL: no TLS */
};

static _Atomic bool stopping;

static bool
is_stopping(void *arg)
{
	(void)arg;
	return atomic_load_explicit(&stopping, memory_order_relaxed);
}

static bool
is_ready(void *arg)
{
	return lane_ready(arg);
}

static struct serve serve = {
    .database = "iuvod.sqlite",
    .listen = "127.0.0.1:8080",
    .socket_mode = "660",
    .loops = LOOPS,
    .connections = LIMIT_CONNECTIONS,
    .connections_address = LIMIT_CONNECTIONS_ADDRESS,
    .streams = LIMIT_STREAMS,
    .streams_game = LIMIT_STREAMS_GAME,
    .streams_address = LIMIT_STREAMS_ADDRESS,
    .beat_ms = BEAT_MS,
    .stall_ms = LIMIT_STALL_MS,
    .send_ms = LIMIT_SEND_MS,
    .idle_ms = LIMIT_IDLE_MS,
    .held_ms = LIMIT_HELD_MS,
    .minute =
	{
#define Q(quota, name, most) [quota] = most,
	    QUOTA_TABLE(Q)
#undef Q
	},
    .cache_bytes = CACHE_BYTES,
    .header_bytes = LIMIT_HEAD,
    .body_bytes = LIMIT_BODY,
    .record_bytes = LIMIT_BODY_RECORD,
    .engine_threads = ENGINE_THREADS,
    .engine_memory = ENGINE_MEBIBYTES,
    .engine_nodes = LIMIT_ENGINE_NODES,
    .engine_questions = LIMIT_QUESTIONS,
    .engine_moves = LIMIT_ENGINE_MOVES,
    .batch_max = BATCH,
    .downtime_ms = LANE_DOWNTIME_MS,
    .level = LOG_INFO,
};

static const struct option_row rows[] = {
    {"config", OPTION_FILE, &serve.config, "FILE", .help = "more options, a line `name = value` each"},
    {"database", OPTION_TEXT, &serve.database, "FILE", .help = "file of data, made if missing"},
    {"listen", OPTION_TEXT, &serve.listen, "ADDRESS:PORT",
	.allowed =
	    "PORT (of 127.0.0.1), ADDRESS:PORT, [ADDRESS]:PORT, these two with https:// before it, or unix:PATH, "
	    "or several with commas between",
	.help = "where it listens; several: A,B"},
    {"socket-mode", OPTION_TEXT, &serve.socket_mode, "MODE", .allowed = "three octal digits, as 660",
	.help = "mode of the files of Unix sockets, octal"},
    {"admin-listen", OPTION_TEXT, &serve.admin_listen, "ADDRESS:PORT",
	.allowed = "PORT (of 127.0.0.1), ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH, or several with commas between",
	.help = "where it serves /metrics, for the operator"},
    {"tls-certificate", OPTION_TEXT, &serve.tls.of[CERTIFICATE_CHAIN], "FILE",
	.help = "certificate for https://, issuers behind, PEM"},
    {"tls-key", OPTION_TEXT, &serve.tls.of[CERTIFICATE_KEY], "FILE",
	.help = "key of the certificate for https://, in PEM"},
    {"loops", OPTION_NUMBER, &serve.loops, "N", 1, SERVER_LOOPS_MAX, .help = "threads that serve"},
    {"connections", OPTION_NUMBER, &serve.connections, "N", 1, CONNECTIONS_MOST, .help = "open connections in all"},
    {"connections-per-address", OPTION_NUMBER, &serve.connections_address, "N", 1, CONNECTIONS_MOST,
	.help = "open connections from one address"},
    {"streams", OPTION_NUMBER, &serve.streams, "N", 1, CONNECTIONS_MOST, .help = "open streams of events in all"},
    {"streams-per-game", OPTION_NUMBER, &serve.streams_game, "N", 1, CONNECTIONS_MOST,
	.help = "open streams of one game"},
    {"streams-per-address", OPTION_NUMBER, &serve.streams_address, "N", 1, CONNECTIONS_MOST,
	.help = "open streams from one address"},
    {"header-bytes", OPTION_NUMBER, &serve.header_bytes, "N", LIMIT_HEAD_LEAST, LIMIT_HEAD_MOST,
	.help = "longest head of a request, about"},
    {"body-bytes", OPTION_NUMBER, &serve.body_bytes, "N", LIMIT_BODY_LEAST, LIMIT_BODY_MOST,
	.help = "longest body of a request"},
    {"record-bytes", OPTION_NUMBER, &serve.record_bytes, "N", LIMIT_BODY_RECORD_LEAST, LIMIT_BODY_MOST,
	.help = "longest body with a record or an analysis"},
    {"base-path", OPTION_TEXT, &serve.base_path, "/PATH",
	.allowed = "as /iuvod or /games/iuvod: up to four parts of letters, digits, -, _, . and ~",
	.help = "path that all addresses of it begin with"},
    {"trusted-proxies", OPTION_TEXT, &serve.trusted, "LIST",
	.allowed = "addresses, networks as 10.0.0.0/8, and unix, with commas between",
	.help = "proxies that are believed who asks"},
    {"proxy-header", OPTION_CHOICE, &serve.proxy_header, "HEADER", .choices = forwarded_names,
	.help = "where proxies say who asks"},
    {"games-per-minute", OPTION_NUMBER, &serve.minute[QUOTA_GAMES], "N", 0, MINUTE_MOST,
	.help = "games made from one address; 0: any number"},
    {"moves-per-minute", OPTION_NUMBER, &serve.minute[QUOTA_MOVES], "N", 0, MINUTE_MOST,
	.help = "moves from one address; 0: any number"},
    {"changes-per-minute", OPTION_NUMBER, &serve.minute[QUOTA_CHANGES], "N", 0, MINUTE_MOST,
	.help = "other changes from one address; 0: any"},
    {"questions-per-minute", OPTION_NUMBER, &serve.minute[QUOTA_QUESTIONS], "N", 0, MINUTE_MOST,
	.help = "engine questions from one address; 0: any"},
    {"refusals-per-minute", OPTION_NUMBER, &serve.minute[QUOTA_REFUSALS], "N", 0, MINUTE_MOST,
	.help = "refused calls of one address; 0: any number"},
    {"limit-loopback", OPTION_FLAG, &serve.limit_loopback, NULL, .help = "limits a minute are for this machine, too"},
    {"cache-bytes", OPTION_NUMBER, &serve.cache_bytes, "N", 0, UINT32_MAX,
	.help = "memory for documents made ready; 0: none"},
    {"engine-threads", OPTION_NUMBER, &serve.engine_threads, "N", 0, THINK_THREADS_MAX,
	.help = "threads that think; 0: no engine"},
    {"engine-memory", OPTION_NUMBER, &serve.engine_memory, "MIB", 1, ENGINE_MEBIBYTES_MOST,
	.help = "memory of each thread that thinks"},
    {"engine-nodes", OPTION_NUMBER, &serve.engine_nodes, "N", LIMIT_ENGINE_NODES_LEAST, LIMIT_ENGINE_NODES,
	.help = "positions that a question may look at"},
    {"engine-questions", OPTION_NUMBER, &serve.engine_questions, "N", 1, LIMIT_QUESTIONS_MOST,
	.help = "hints, analyses and reports that wait"},
    {"engine-moves", OPTION_NUMBER, &serve.engine_moves, "N", 1, LIMIT_ENGINE_MOVES_MOST,
	.help = "engine moves that wait, per kind of game"},
    {"log-level", OPTION_CHOICE, &serve.level, "LEVEL", .choices = levels, .help = "least grave event that is logged"},
    {"test-clock", OPTION_TEXT, &serve.test_clock, "TIME", .allowed = "a time as 2026-01-02T03:04:05Z",
	.help = "time stands still but for PUT /test-clock"},
    {"batch-max", OPTION_NUMBER, &serve.batch_max, "N", 1, LIMIT_WRITE_QUEUE, .help = NULL},
    {"downtime-ms", OPTION_NUMBER, &serve.downtime_ms, "N", 1, UINT32_MAX, .help = NULL},
    {"heartbeat-ms", OPTION_NUMBER, &serve.beat_ms, "N", 10, BEAT_MS, .help = NULL},
    {"stall-ms", OPTION_NUMBER, &serve.stall_ms, "N", 10, LIMIT_STALL_MS, .help = NULL},
    {"send-ms", OPTION_NUMBER, &serve.send_ms, "N", 10, LIMIT_SEND_MS, .help = NULL},
    {"held-ms", OPTION_NUMBER, &serve.held_ms, "N", 0, LIMIT_HELD_MS, .help = NULL},
    {"idle-ms", OPTION_NUMBER, &serve.idle_ms, "N", 1000, LIMIT_IDLE_MS, .help = NULL},
};

enum { ROWS = sizeof rows / sizeof *rows };

void
command_serve_options(void)
{
	option_print(rows, ROWS);
}

static const struct option_set options_set = {
    .usage = "iuvod serve [OPTION]...",
    .about = "Serves until SIGTERM or SIGINT; then answers what it has begun, and ends.",
    .rows = rows,
    .count = ROWS,
    .meant = "database",
};

static bool
read_mode(const char *text, uint64_t *mode)
{
	*mode = strtoul(text, NULL, 8);
	return strlen(text) == 3 && strspn(text, "01234567") == 3;
}

/* Reads the certificate, and looks whether somebody wants to see it. */
static enum option_end
read_tls(void)
{
	char why[256];
	enum certificate_file wrong;
	const char *const *of = serve.tls.of;
	bool wanted = listeners_have_tls(&serve.listeners);
	if (of[CERTIFICATE_CHAIN] == NULL && of[CERTIFICATE_KEY] == NULL)
		return wanted ? option_refuse(
				    &options_set, &serve.listen, "https:// needs --tls-certificate and --tls-key")
			      : OPTION_GO;
	if (of[CERTIFICATE_KEY] == NULL)
		return option_refuse(&options_set, &of[CERTIFICATE_CHAIN], "needs --tls-key, too");
	if (of[CERTIFICATE_CHAIN] == NULL)
		return option_refuse(&options_set, &of[CERTIFICATE_KEY], "needs --tls-certificate, too");
	if (!wanted && getenv("LISTEN_FDS") == NULL)
		return option_refuse(&options_set, &serve.listen,
		    "must have an address as https://0.0.0.0:443, since --tls-certificate is given");
	serve.certificate = certificate_open(&serve.tls, &wrong, why, sizeof why);
	return serve.certificate != NULL ? OPTION_GO : option_refuse(&options_set, &of[wrong], why);
}

static enum option_end
read_options(int argc, char **argv)
{
	int first;
	int64_t ms;
	char why[256];
	enum option_end end = option_read(&options_set, argc, argv, &first);
	if (end == OPTION_GO && !read_mode(serve.socket_mode, &serve.mode))
		return option_refuse(&options_set, &serve.socket_mode, NULL);
	if (end == OPTION_GO && !listeners_read(serve.listen, &serve.listeners, why, sizeof why))
		return option_refuse(&options_set, &serve.listen, why);
	if (end == OPTION_GO && serve.admin_listen != NULL &&
	    !listeners_read_local(serve.admin_listen, &serve.admin, why, sizeof why))
		return option_refuse(&options_set, &serve.admin_listen, why);
	if (end == OPTION_GO && serve.base_path != NULL && !target_is_base(serve.base_path))
		return option_refuse(&options_set, &serve.base_path, NULL);
	if (end == OPTION_GO && serve.trusted != NULL && !trust_read(serve.trusted, &serve.trust, why, sizeof why))
		return option_refuse(&options_set, &serve.trusted, why);
	if (end == OPTION_GO)
		end = read_tls();
	if (end == OPTION_GO && serve.test_clock != NULL) {
		if (!clock_read(serve.test_clock, strlen(serve.test_clock), &ms) || ms <= 0)
			return option_refuse(&options_set, &serve.test_clock, NULL);
		clock_test_begin(ms);
	}
	return end;
}

/* The environment may hold what others have put there, so that this is no reason not to serve. */
static void
tell_strays(void)
{
	char name[64];
	for (size_t at = 0; option_stray(&options_set, &at, name, sizeof name);)
		if (log_begin(LOG_WARN, "unknown-variable")) {
			log_text("name", name);
			log_end();
		}
}

static int
wait_and_close(struct server *server, struct opponents *opponents, const sigset_t *signals)
{
	attend(server, signals);
	atomic_store(&stopping, true);
	opponents_end(opponents);
	server_close(server);
	log_line(LOG_INFO, "stopped", "status=0");
	log_flush();
	return COMMAND_DONE;
}

static struct think *
open_engine(char *why, size_t room)
{
	const struct think_options options = {.threads = (unsigned)serve.engine_threads,
	    .memory = (size_t)serve.engine_memory << 20,
	    .questions = (unsigned)serve.engine_questions,
	    .moves = (unsigned)serve.engine_moves};
	return think_open(&options, why, room);
}

/* Without engine threads nobody plays for engines; *opponents is NULL then. */
static bool
open_opponents(struct lane_writer *lane, struct think *think, const struct service *service,
    struct opponents **opponents, char *why, size_t room)
{
	const struct opponents_options options = {
	    .database = serve.database, .service = service, .lane = lane, .think = think};
	*opponents = serve.engine_threads == 0 ? NULL : opponents_open(&options, why, room);
	return serve.engine_threads == 0 || *opponents != NULL;
}

static struct server_options
server_options(void)
{
	struct server_options options = {
	    .listeners = &serve.listeners,
	    .admin = &serve.admin,
	    .socket_mode = (unsigned)serve.mode,
	    .first_socket = MANAGER_SOCKETS_FIRST,
	    .sockets = manager_sockets(),
	    .sockets_tls = manager_sockets_named("https"),
	    .certificate = serve.certificate,
	    .database = serve.database,
	    .loops = (unsigned)serve.loops,
	    .connections = (unsigned)serve.connections,
	    .connections_fixed = option_given(&options_set, &serve.connections),
	    .connections_address = (unsigned)serve.connections_address,
	    .streams = (unsigned)serve.streams,
	    .streams_fixed = option_given(&options_set, &serve.streams),
	    .streams_game = (unsigned)serve.streams_game,
	    .streams_address = (unsigned)serve.streams_address,
	    .trust = serve.trust,
	    .proxy_header = (enum forwarded_header)serve.proxy_header,
	    .limit_loopback = serve.limit_loopback,
	    .beat_ms = (unsigned)serve.beat_ms,
	    .stall_ms = (unsigned)serve.stall_ms,
	    .send_ms = (unsigned)serve.send_ms,
	    .idle_ms = (unsigned)serve.idle_ms,
	    .held_ms = (unsigned)serve.held_ms,
	    .cache_bytes = (size_t)serve.cache_bytes,
	};
	for (unsigned i = 0; i < QUOTA_COUNT; i++)
		options.minute[i] = (unsigned)serve.minute[i];
	return options;
}

static int
serve_on(struct lane_writer *lane, struct server_options *options, const sigset_t *signals, char *why, size_t room)
{
	int status = COMMAND_FAILED;
	struct think *think = open_engine(why, room);
	struct server *server = NULL;
	struct opponents *opponents = NULL;
	char mind[ETAG_MIND_MAX];
	snprintf(mind, sizeof mind, "%um%s", (unsigned)serve.engine_memory, PACKAGE_VERSION);
	const struct service service = {
	    .version = PACKAGE_VERSION,
	    .base_path = serve.base_path == NULL ? "" : serve.base_path,
	    .schema = lane_schema(lane),
	    .started_ms = clock_now_ms(),
	    .move_clock = clock_is_test() ? clock_test_move : NULL,
	    .ready = is_ready,
	    .ready_arg = lane,
	    .stopping = is_stopping,
	    .engine = serve.engine_threads > 0,
	    .mind = mind,
	    .limits = {.body = {[SIZE_BODY] = (size_t)serve.body_bytes, [SIZE_RECORD] = (size_t)serve.record_bytes},
		.head = (size_t)serve.header_bytes,
		.nodes = serve.engine_nodes,
		.connections = options->connections,
		.streams = options->streams},
	};
	if (think != NULL && open_opponents(lane, think, &service, &opponents, why, room))
		server = server_open(options, &service, lane, think, why, room);
	if (server != NULL) {
		status = wait_and_close(server, opponents, signals);
		goto done;
	}
	opponents_end(opponents);
	if (think != NULL)
		think_end(think);
	lane_close(lane);
	lane_join(lane);
done:
	opponents_close(opponents);
	think_close(think);
	return status;
}

/*
 * A start that fails leaves no data file behind that was not there: what can be wrong with the
 * command is looked at before one is made.  Later only memory, threads and the disk can fail; the file
 * is a whole one then, and stays, since to remove it would be to race with whoever may open it.
 */
static int
serve_all(const sigset_t *signals, char *why, size_t room)
{
	const struct lane_options lane_options = {.path = serve.database,
	    .batch_max = (unsigned)serve.batch_max,
	    .downtime_ms = (int64_t)serve.downtime_ms,
	    .done = server_finish};
	struct server_options options = server_options();
	int status = COMMAND_FAILED;
	if (!server_prepare(&options, why, room))
		return COMMAND_FAILED;
	/* Somebody has thought better of it: there is nothing to end yet. */
	if (attend_is_over()) {
		server_release(&options);
		return COMMAND_DONE;
	}
	struct lane_writer *lane = lane_open(&lane_options, why, room);
	if (lane != NULL) {
		status = serve_on(lane, &options, signals, why, room);
		lane_free(lane);
	}
	server_release(&options);
	return status;
}

int
command_serve(int argc, char **argv)
{
	sigset_t signals;
	char why[512];
	attend_first();
	enum option_end end = read_options(argc, argv);
	if (end != OPTION_GO)
		return end == OPTION_SHOWN ? COMMAND_DONE : COMMAND_USAGE;
	log_set_level((enum log_level)serve.level);
	tell_strays();
	attend_begin(&signals);
	if (!manager_begin(why, sizeof why)) {
		command_say(why);
		return COMMAND_FAILED;
	}
	if (!token_init()) {
		fprintf(stderr, "iuvod: the system has no random numbers\n");
		return COMMAND_FAILED;
	}
	int status = serve_all(&signals, why, sizeof why);
	certificate_close(serve.certificate);
	if (status != COMMAND_DONE)
		command_say(why);
	return status;
}

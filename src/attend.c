#include "attend.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/manager.h"
#include "config.h"

enum {
	LOOKS = 4,                 /* at the threads, in the time of one watchdog */
	LOOK_LEAST_US = 10 * 1000, /* between two, however short that is */
	SECOND_US = 1000 * 1000
};

void
attend_first(void)
{
	sigset_t early;
	sigemptyset(&early);
	sigaddset(&early, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &early, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
}

void
attend_begin(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, signals, NULL);
}

bool
attend_is_over(void)
{
	sigset_t pending;
	return sigpending(&pending) == 0 && (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

static void
end_attendance(const sigset_t *signals)
{
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	pthread_sigmask(SIG_UNBLOCK, signals, NULL);
}

static void
tell_ready(const struct server *server)
{
	const char *url;
	for (unsigned i = 0; (url = server_admin_url(server, i)) != NULL; i++) {
		printf("metrics on %s\n", url);
		log_line(LOG_INFO, "metrics", "url=%s", url);
	}
	for (unsigned i = 0; (url = server_url(server, i)) != NULL; i++) {
		printf("listening on %s\n", url);
		log_line(LOG_INFO, "listening", "url=%s version=%s", url, PACKAGE_VERSION);
	}
	fflush(stdout);
	log_flush();
	manager_tell("READY=1\nSTATUS=Serving on %s", server_url(server, 0));
}

/* The watchdog hears only from a server all of whose threads turn: one that hangs is to be started again. */
static void
feed_watchdog(struct server *server)
{
	const char *sleeper = server_sleeper(server);
	if (sleeper == NULL) {
		manager_tell("WATCHDOG=1");
		return;
	}
	log_line(LOG_WARN, "no_turn", "thread=%s", sleeper);
	log_flush();
}

/* What cannot be read again stays as it was: a server that serves is not ended by a slip. */
static void
reload(struct server *server)
{
	char why[512], quoted[600];
	manager_tell("RELOADING=1\nMONOTONIC_USEC=%" PRId64, clock_mono_us());
	log_line(LOG_INFO, "reloading", "signal=SIGHUP");
	if (!server_reload(server, why, sizeof why))
		log_line(LOG_ERROR, "reload_failed", "reason=%s", log_quote(why, quoted, sizeof quoted));
	log_flush();
	manager_tell("READY=1");
}

/* The next signal; 0 once it is time to look at the threads again. */
static int
next_signal(const sigset_t *signals, int64_t look_us)
{
	const struct timespec time = {.tv_sec = look_us / SECOND_US, .tv_nsec = look_us % SECOND_US * 1000};
	int got = look_us > 0 ? sigtimedwait(signals, NULL, &time) : sigwaitinfo(signals, NULL);
	return got < 0 ? 0 : got;
}

void
attend(struct server *server, const sigset_t *signals)
{
	int64_t look_us = manager_watchdog_us() / LOOKS;
	if (manager_watchdog_us() > 0 && look_us < LOOK_LEAST_US)
		look_us = LOOK_LEAST_US;
	int64_t look_at = clock_mono_us() + look_us;
	int got;
	tell_ready(server);
	while ((got = next_signal(signals, look_us)) != SIGTERM && got != SIGINT) {
		if (got == SIGHUP)
			reload(server);
		if (look_us == 0 || clock_mono_us() < look_at)
			continue;
		feed_watchdog(server);
		look_at = clock_mono_us() + look_us;
	}
	log_line(LOG_INFO, "stopping", "signal=%s", got == SIGTERM ? "SIGTERM" : "SIGINT");
	log_flush();
	manager_tell("STOPPING=1\nSTATUS=Answering what has begun");
	end_attendance(signals);
}

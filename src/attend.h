/*
 * What the main thread does while the server serves: it takes the signals, and
 * tells the service manager how things stand.
 */
#ifndef IUVOD_ATTEND_H
#define IUVOD_ATTEND_H

#include <signal.h>

#include "http/server.h"

/*
 * Before all else: SIGHUP waits from now on, and SIGPIPE, SIGUSR1 and SIGUSR2 end nothing.  SIGTERM and
 * SIGINT still end the program at once: nothing is made yet that could be left half made.
 */
void attend_first(void);

/* From now on all signals wait for attend: threads that are made after this inherit it. */
void attend_begin(sigset_t *signals);

/* Whether one that ends the service waits already. */
bool attend_is_over(void);

/* Until SIGTERM or SIGINT; SIGHUP is server_reload.  From then on a second one ends the program at once. */
void attend(struct server *server, const sigset_t *signals);

#endif

/*
 * What the main thread does while the server serves: it takes the signals, and
 * tells the service manager how things stand.
 */
#ifndef IUVOD_ATTEND_H
#define IUVOD_ATTEND_H

#include <signal.h>

#include "http/server.h"

/* From now on the signals wait for attend: threads that are made after this inherit it. */
void attend_begin(sigset_t *signals);

/* Until SIGTERM or SIGINT; SIGHUP is server_reload.  From then on a second one ends the program at once. */
void attend(struct server *server, const sigset_t *signals);

#endif

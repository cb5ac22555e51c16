/*
 * The service manager that has started this process, if there is one (systemd):
 * what it asks for stands in the environment (sd_notify(3), sd_listen_fds(3),
 * sd_watchdog_enabled(3)), and it is told how things stand.  Without one, nothing
 * is asked for and nothing told.
 */
#ifndef IUVOD_BASE_MANAGER_H
#define IUVOD_BASE_MANAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MANAGER_SOCKETS_FIRST = 3 }; /* the descriptor of the first socket that is handed over */

/*
 * Reads the environment, and takes out of it what is not for children.  Before
 * there are threads.  False with a line in why[room] if what it says makes no sense.
 */
bool manager_begin(char *why, size_t room);

/* How many listening sockets it has handed over. */
unsigned manager_sockets(void);

/* Which of them have this name (FileDescriptorName=): bit i, the one i behind the first, for the first 32. */
unsigned manager_sockets_named(const char *name);

/* It wants to hear WATCHDOG=1 at least so often; 0: never. */
int64_t manager_watchdog_us(void);

/* Tells it lines of NAME=VALUE.  It is not worth failing for when nobody listens. */
void manager_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

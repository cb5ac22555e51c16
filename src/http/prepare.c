/* What a server needs before it has a data file: its addresses, and descriptors for whoever comes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/limits.h"
#include "base/log.h"
#include "http/guard.h"
#include "http/server.h"

enum {
	FILES_TLS = 3,     /* descriptors of a connection that comes by TLS (tls_link.h) */
	FILES_APART = 192, /* descriptors that are no such connections: the store's, the operator's, what lingers */
	LEAST = 16         /* connections, and streams, below which it is no use to serve */
};

/* ---- addresses ---- */

static bool
take_addresses(struct server_options *options, char *why, size_t room)
{
	if (options->sockets > 0)
		return listeners_adopt(
		    options->listeners, options->first_socket, options->sockets, options->sockets_tls, why, room);
	return listeners_bind(options->listeners, options->socket_mode, why, room);
}

/* Whoever has given a certificate does not want to serve without it. */
static bool
fits_certificate(const struct server_options *options, char *why, size_t room)
{
	bool wanted = listeners_have_tls(options->listeners);
	if (wanted == (options->certificate != NULL))
		return true;
	snprintf(why, room, "%s",
	    wanted ? "a socket that is handed over is named https, which needs --tls-certificate and --tls-key"
		   : "--tls-certificate is given, but no socket that is handed over is named https");
	return false;
}

/* ---- descriptors ---- */

static rlim_t
files_for(const struct server_options *options, bool tls)
{
	rlim_t each = (rlim_t)options->connections + options->streams + GUARD_RESERVE;
	return (tls ? each * FILES_TLS + LIMIT_CLOSING : each) + FILES_APART;
}

static rlim_t
without(rlim_t all, rlim_t some)
{
	return all > some ? all - some : 0;
}

/* The lesser of what is wished for and what there is. */
static unsigned
at_most(unsigned wish, rlim_t most)
{
	return wish < most ? wish : (unsigned)most;
}

/* Lowers what nobody has fixed, so that so many descriptors do; false if that would be no service any more. */
static bool
make_do(struct server_options *options, bool tls, rlim_t files)
{
	rlim_t all = without(files, FILES_APART + (tls ? LIMIT_CLOSING : 0)) / (tls ? FILES_TLS : 1);
	all = without(all, GUARD_RESERVE);
	/* Those who play come before those who look on, up to a half. */
	rlim_t half = options->streams_fixed ? without(all, options->streams) : all / 2;
	if (!options->connections_fixed)
		options->connections = at_most(options->connections, half);
	if (!options->streams_fixed)
		options->streams = at_most(options->streams, without(all, options->connections));
	return files_for(options, tls) <= files && (options->connections_fixed || options->connections >= LEAST) &&
	       (options->streams_fixed || options->streams >= LEAST);
}

static bool
refuse(const struct server_options *wanted, bool tls, rlim_t most, char *why, size_t room)
{
	snprintf(why, room,
	    "%u connections and %u streams need %llu open files%s, but only %llu are allowed (ulimit -n); see "
	    "--connections and --streams",
	    wanted->connections, wanted->streams, (unsigned long long)files_for(wanted, tls),
	    tls ? ", three each with TLS" : "", (unsigned long long)most);
	return false;
}

static bool
take_files(struct server_options *options, bool tls, char *why, size_t room)
{
	struct rlimit limit;
	const struct server_options wanted = *options;
	rlim_t files = files_for(options, tls);
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files)
		return true;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < files) {
		if (!make_do(options, tls, limit.rlim_max))
			return refuse(&wanted, tls, limit.rlim_max, why, room);
		log_line(LOG_WARN, "limits_lowered", "open_files=%llu wanted=%llu connections=%u streams=%u",
		    (unsigned long long)limit.rlim_max, (unsigned long long)files, options->connections,
		    options->streams);
		files = limit.rlim_max;
	}
	limit.rlim_cur = files;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return true;
	snprintf(why, room, "cannot allow %llu open files: %s", (unsigned long long)files, strerror(errno));
	return false;
}

/* ---- all of it ---- */

bool
server_prepare(struct server_options *options, char *why, size_t room)
{
	if (take_addresses(options, why, room) && fits_certificate(options, why, room) &&
	    listeners_bind(options->admin, options->socket_mode, why, room) &&
	    take_files(options, listeners_have_tls(options->listeners), why, room))
		return true;
	server_release(options);
	return false;
}

void
server_release(struct server_options *options)
{
	listeners_close(options->listeners);
	listeners_close(options->admin);
}

#include "http/listeners.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- reading ---- */

static bool
is_port(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* A port alone is one of this machine. */
static void
complete(struct listener *listener)
{
	char port[LISTENER_TEXT_MAX];
	if (!is_port(listener->text))
		return;
	memcpy(port, listener->text, sizeof port);
	snprintf(listener->text, sizeof listener->text, "127.0.0.1:%.*s", LISTENER_TEXT_MAX - 16, port);
}

/* Moves on behind a scheme that stands there. */
static bool
is_scheme(const char **text, const char *scheme)
{
	size_t len = strlen(scheme);
	if (strncmp(*text, scheme, len) != 0)
		return false;
	*text += len;
	return true;
}

static bool
read_one(struct listener *listener, bool local, char *why, size_t room)
{
	const char *text = listener->text;
	listener->tls = is_scheme(&text, "https://");
	bool scheme = listener->tls || is_scheme(&text, "http://");
	/* Whom is it for?  A port alone is of loopback, which few want with TLS. */
	if (scheme && is_port(text)) {
		snprintf(why, room,
		    "has no address: %.*s0.0.0.0:%s is for everybody, %.*s127.0.0.1:%s for this machine",
		    (int)(text - listener->text), listener->text, text, (int)(text - listener->text), listener->text,
		    text);
		return false;
	}
	if (!address_read(text, &listener->address, why, room))
		return false;
	if (listener->tls && local)
		snprintf(why, room, "the operator's listeners have no TLS");
	else if (scheme && address_path(&listener->address) != NULL)
		snprintf(why, room, "a Unix-domain socket has no scheme before unix:, and no TLS");
	else
		return true;
	return false;
}

static bool
read_list(const char *text, bool local, struct listeners *listeners, char *why, size_t room)
{
	*listeners = (struct listeners){.count = 0};
	for (const char *from = text;;) {
		size_t len = strcspn(from, ",");
		if (listeners->count == LISTENERS_MAX || len >= LISTENER_TEXT_MAX) {
			snprintf(why, room, "up to %d addresses, each shorter than %d bytes", LISTENERS_MAX,
			    LISTENER_TEXT_MAX);
			return false;
		}
		struct listener *listener = &listeners->all[listeners->count++];
		listener->fd = -1;
		memcpy(listener->text, from, len);
		complete(listener);
		if (!read_one(listener, local, why, room))
			return false;
		if (from[len] == '\0')
			return true;
		from += len + 1;
	}
}

bool
listeners_read(const char *text, struct listeners *listeners, char *why, size_t room)
{
	return read_list(text, false, listeners, why, room);
}

bool
listeners_read_local(const char *text, struct listeners *listeners, char *why, size_t room)
{
	return read_list(text, true, listeners, why, room);
}

bool
listeners_have_tls(const struct listeners *listeners)
{
	for (unsigned i = 0; i < listeners->count; i++)
		if (listeners->all[i].tls)
			return true;
	return false;
}

/* ---- opening ---- */

static bool
tell_url(struct listener *listener)
{
	return address_url(listener->fd, listener->tls ? "https" : "http", listener->url);
}

static int
new_socket(const struct address *address)
{
	return socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* Removes the file of a socket at which nobody answers; false with errno if it must stay. */
static bool
remove_stale(const struct address *address)
{
	struct stat file;
	if (lstat(address_path(address), &file) != 0)
		return errno == ENOENT;
	errno = EADDRINUSE;
	if (!S_ISSOCK(file.st_mode))
		return false;
	int fd = new_socket(address);
	if (fd < 0)
		return false;
	/* A queue that is full (EAGAIN) has somebody at its end, too. */
	bool stale = connect(fd, (const void *)&address->storage, address->len) != 0 && errno == ECONNREFUSED;
	close(fd);
	errno = EADDRINUSE;
	return stale && unlink(address_path(address)) == 0;
}

static bool
bind_file(struct listener *listener, unsigned mode)
{
	const struct address *address = &listener->address;
	struct stat file;
	/* From the first moment nobody has more rights than at the end; umask may take some, which chmod gives back. */
	if (!remove_stale(address) || fchmod(listener->fd, mode) != 0 ||
	    bind(listener->fd, (const void *)&address->storage, address->len) != 0)
		return false;
	listener->made = lstat(address_path(address), &file) == 0;
	listener->device = file.st_dev;
	listener->inode = file.st_ino;
	return listener->made && chmod(address_path(address), mode) == 0;
}

static bool
bind_port(const struct listener *listener)
{
	int on = 1;
	return setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	       bind(listener->fd, (const void *)&listener->address.storage, listener->address.len) == 0;
}

static bool
open_one(struct listener *listener, unsigned mode)
{
	listener->fd = new_socket(&listener->address);
	if (listener->fd < 0)
		return false;
	if (address_path(&listener->address) == NULL)
		return bind_port(listener) && tell_url(listener);
	/* At once: a socket at which nobody answers is as one that was left behind, and would be taken away. */
	return bind_file(listener, mode) && listen(listener->fd, SOMAXCONN) == 0 && tell_url(listener);
}

static bool
refuse(const struct listener *listener, char *why, size_t room)
{
	snprintf(why, room, "cannot listen on %s: %s", listener->text, strerror(errno));
	return false;
}

bool
listeners_bind(struct listeners *listeners, unsigned mode, char *why, size_t room)
{
	for (unsigned i = 0; i < listeners->count; i++)
		if (!open_one(&listeners->all[i], mode))
			return refuse(&listeners->all[i], why, room);
	return true;
}

bool
listeners_listen(struct listeners *listeners, char *why, size_t room)
{
	for (unsigned i = 0; i < listeners->count; i++)
		if (listen(listeners->all[i].fd, SOMAXCONN) != 0)
			return refuse(&listeners->all[i], why, room);
	return true;
}

struct listeners
listeners_move(struct listeners *listeners)
{
	struct listeners moved = *listeners;
	listeners->count = 0;
	return moved;
}

/* ---- handed over ---- */

static bool
is_option(int fd, int option, int value)
{
	int got;
	socklen_t len = sizeof got;
	return getsockopt(fd, SOL_SOCKET, option, &got, &len) == 0 && got == value;
}

static bool
adopt_one(struct listener *listener, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || !is_option(fd, SO_TYPE, SOCK_STREAM) || !is_option(fd, SO_ACCEPTCONN, 1) ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
		return false;
	listener->fd = fd;
	listener->address.len = sizeof listener->address.storage;
	return getsockname(fd, (void *)&listener->address.storage, &listener->address.len) == 0 && tell_url(listener);
}

bool
listeners_adopt(struct listeners *listeners, int first, unsigned count, unsigned tls, char *why, size_t room)
{
	*listeners = (struct listeners){.count = 0};
	if (count > LISTENERS_MAX) {
		snprintf(why, room, "%u sockets are handed over, but up to %d can be served", count, LISTENERS_MAX);
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		struct listener *listener = &listeners->all[listeners->count++];
		listener->fd = -1;
		listener->tls = (tls >> i & 1) != 0;
		if (!adopt_one(listener, first + (int)i)) {
			snprintf(why, room, "descriptor %d, which is handed over, is no listening stream socket",
			    first + (int)i);
			return false;
		}
	}
	return true;
}

/* ---- closing ---- */

/* Unless somebody else has put a socket of his own there meanwhile. */
static void
remove_file(const struct listener *listener)
{
	struct stat file;
	const char *path = address_path(&listener->address);
	if (lstat(path, &file) == 0 && file.st_dev == listener->device && file.st_ino == listener->inode)
		(void)unlink(path);
}

void
listeners_close(struct listeners *listeners)
{
	for (unsigned i = 0; i < listeners->count; i++) {
		struct listener *listener = &listeners->all[i];
		if (listener->made)
			remove_file(listener);
		if (listener->fd >= 0)
			close(listener->fd);
	}
	listeners->count = 0;
}

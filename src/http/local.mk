noinst_LIBRARIES += libhttp.a
libhttp_a_CPPFLAGS = $(AM_CPPFLAGS) $(MHD_CFLAGS)
libhttp_a_SOURCES = \
	src/http/address.c \
	src/http/address.h \
	src/http/answer.c \
	src/http/answer.h \
	src/http/block.c \
	src/http/block.h \
	src/http/cache.c \
	src/http/cache.h \
	src/http/changes.c \
	src/http/changes.h \
	src/http/connection.c \
	src/http/connection.h \
	src/http/due.c \
	src/http/due.h \
	src/http/exchange.c \
	src/http/exchange.h \
	src/http/guard.c \
	src/http/guard.h \
	src/http/head.c \
	src/http/head.h \
	src/http/lane.c \
	src/http/lane.h \
	src/http/lane_time.c \
	src/http/lane_time.h \
	src/http/linger.c \
	src/http/linger.h \
	src/http/loop.c \
	src/http/loop.h \
	src/http/server.c \
	src/http/server.h \
	src/http/sink.c \
	src/http/sink.h \
	src/http/statistics.c \
	src/http/statistics.h \
	src/http/takeover.c \
	src/http/takeover.h \
	src/http/think.c \
	src/http/think.h \
	src/http/topic.c \
	src/http/topic.h \
	src/http/watch.c \
	src/http/watch.h \
	src/http/watch_private.h \
	src/http/watcher.c \
	src/http/watcher.h

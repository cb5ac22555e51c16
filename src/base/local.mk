noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)
libbase_a_SOURCES = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/clock.c \
	src/base/clock.h \
	src/base/fault.c \
	src/base/fault.h \
	src/base/limits.h \
	src/base/line.c \
	src/base/line.h \
	src/base/log.c \
	src/base/log.h \
	src/base/manager.c \
	src/base/manager.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/metric.c \
	src/base/metric.h \
	src/base/option.c \
	src/base/option_file.c \
	src/base/option_inside.h \
	src/base/option_show.c \
	src/base/option_value.c \
	src/base/option.h \
	src/base/pulse.h \
	src/base/seal.c \
	src/base/seal.h \
	src/base/text.c \
	src/base/text.h \
	src/base/token.c \
	src/base/token.h \
	src/base/utf8.c \
	src/base/wilson.c \
	src/base/wilson.h

noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(SODIUM_CFLAGS)
libbase_a_SOURCES = \
	src/base/fault.c \
	src/base/fault.h

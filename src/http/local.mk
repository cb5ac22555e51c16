noinst_LIBRARIES += libhttp.a
libhttp_a_CPPFLAGS = $(AM_CPPFLAGS) $(MHD_CFLAGS)
libhttp_a_SOURCES = \
	src/http/lane.h \
	src/http/server.h

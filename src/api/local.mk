noinst_LIBRARIES += libapi.a
libapi_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libapi_a_SOURCES = \
	src/api/call.h \
	src/api/board.h

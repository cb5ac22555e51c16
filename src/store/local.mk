noinst_LIBRARIES += libstore.a
libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
libstore_a_SOURCES = \
	src/store/db.h \
	src/store/games.h \
	src/store/seats.h \
	src/store/moves.h \
	src/store/events.h

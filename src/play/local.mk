noinst_LIBRARIES += libplay.a
libplay_a_CPPFLAGS = $(AM_CPPFLAGS) 
libplay_a_SOURCES = \
	src/play/game.h \
	src/play/record.h \
	src/play/verify.h

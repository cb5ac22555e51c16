noinst_LIBRARIES += libplay.a
libplay_a_CPPFLAGS = $(AM_CPPFLAGS)
libplay_a_SOURCES = \
	src/play/event.c \
	src/play/event.h \
	src/play/game.c \
	src/play/game.h \
	src/play/game_play.c \
	src/play/past.c \
	src/play/past.h \
	src/play/quote.c \
	src/play/quote.h \
	src/play/record.h \
	src/play/turn.c \
	src/play/turn.h \
	src/play/verify.h

noinst_LIBRARIES += libplay.a
libplay_a_CPPFLAGS = $(AM_CPPFLAGS)
libplay_a_SOURCES = \
	src/play/audience.c \
	src/play/audience.h \
	src/play/clock.c \
	src/play/clock.h \
	src/play/event.c \
	src/play/event.h \
	src/play/game.c \
	src/play/game.h \
	src/play/game_play.c \
	src/play/game_write.c \
	src/play/game_write.h \
	src/play/holder.c \
	src/play/holder.h \
	src/play/offer.c \
	src/play/offer.h \
	src/play/past.c \
	src/play/past.h \
	src/play/player.c \
	src/play/player.h \
	src/play/quote.c \
	src/play/quote.h \
	src/play/record.h \
	src/play/record_check.c \
	src/play/record_read.c \
	src/play/record_store.c \
	src/play/record_text.c \
	src/play/record_text.h \
	src/play/rematch.c \
	src/play/rematch.h \
	src/play/seat.c \
	src/play/seat.h \
	src/play/takeback.c \
	src/play/takeback.h \
	src/play/turn.c \
	src/play/turn.h \
	src/play/verify.c \
	src/play/verify.h \
	src/play/verify_events.c \
	src/play/verify_game.c \
	src/play/verify_game.h \
	src/play/verify_rematch.c \
	src/play/verify_replay.h \
	src/play/verify_takeback.c

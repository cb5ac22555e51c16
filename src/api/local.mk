noinst_LIBRARIES += libapi.a
libapi_a_CPPFLAGS = $(AM_CPPFLAGS) $(CJSON_CFLAGS)
libapi_a_SOURCES = \
	src/api/call.h \
	src/api/board_plan.c \
	src/api/board_plan.h \
	src/api/board_svg.c \
	src/api/board_svg.h \
	src/api/board_svg_board.c \
	src/api/board_svg_style.c \
	src/api/board_text.c \
	src/api/board_words.c \
	src/api/board_words.h \
	src/api/board.h

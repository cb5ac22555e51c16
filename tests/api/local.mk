# api
if HAVE_CMOCKA
UNIT_TESTS += tests/api/test_board
tests_api_test_board_SOURCES = tests/api/test_board.c tests/api/xml.c tests/api/xml.h
tests_api_test_board_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_api_test_board_LDADD = libapi.a libengine.a libbase.a $(CMOCKA_LIBS)
endif

# Games, records and verify, on a database in a directory of their own.
if HAVE_CMOCKA
PLAY_TESTS = \
	tests/play/test_clock \
	tests/play/test_game \
	tests/play/test_offer \
	tests/play/test_opponent \
	tests/play/test_player \
	tests/play/test_record \
	tests/play/test_rematch \
	tests/play/test_review \
	tests/play/test_seat \
	tests/play/test_sweep \
	tests/play/test_takeback \
	tests/play/test_verify
UNIT_TESTS += $(PLAY_TESTS)

check_LIBRARIES += tests/play/libworld.a
tests_play_libworld_a_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
tests_play_libworld_a_SOURCES = tests/play/world.c tests/play/world.h

PLAY_TEST_LIBS = tests/play/libworld.a tests/libfolder.a libplay.a libengine.a libstore.a libbase.a \
	$(CMOCKA_LIBS) $(SQLITE_LIBS) $(SODIUM_LIBS)

tests_play_test_clock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_clock_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_game_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_game_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_offer_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_offer_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_opponent_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_opponent_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_player_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_player_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_record_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_record_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_rematch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_rematch_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_review_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_review_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_seat_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_seat_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_sweep_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_sweep_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_takeback_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_takeback_LDADD = $(PLAY_TEST_LIBS)

tests_play_test_verify_CPPFLAGS = $(TEST_CPPFLAGS)
tests_play_test_verify_LDADD = $(PLAY_TEST_LIBS)
endif

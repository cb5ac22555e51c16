# The daemon from outside: pytest against the real binary, every reply checked against the contract.
EXTRA_DIST += openapi/openapi.json \
	tests/http/client.py \
	tests/http/conftest.py \
	tests/http/contract.py \
	tests/http/daemon.py \
	tests/http/everything.py \
	tests/http/follower.py \
	tests/http/issued.py \
	tests/http/schema.py \
	tests/http/scrape.py \
	tests/http/patience.py \
	tests/http/pki.py \
	tests/http/strangers.py \
	tests/http/test_abuse.py \
	tests/http/test_analysis.py \
	tests/http/test_board.py \
	tests/http/test_backup.py \
	tests/http/test_bodies.py \
	tests/http/test_clocks.py \
	tests/http/test_command.py \
	tests/http/test_contract.py \
	tests/http/test_damage.py tests/http/test_damaged_clocks.py \
	tests/http/test_dump.py \
	tests/http/test_end.py \
	tests/http/test_engine_command.py \
	tests/http/test_engine_seats.py \
	tests/http/test_erasure.py \
	tests/http/test_events.py \
	tests/http/test_fuzz.py \
	tests/http/test_games.py \
	tests/http/test_headers.py \
	tests/http/test_hints.py \
	tests/http/test_import_vectors.py \
	tests/http/test_left.py \
	tests/http/test_limits.py \
	tests/http/test_listen.py \
	tests/http/test_lists.py \
	tests/http/test_metrics.py \
	tests/http/test_migration.py \
	tests/http/test_moves.py \
	tests/http/test_offers.py \
	tests/http/test_my_games.py \
	tests/http/test_players.py \
	tests/http/test_prefer.py \
	tests/http/test_problems.py \
	tests/http/test_races.py \
	tests/http/test_proxy.py \
	tests/http/test_random.py \
	tests/http/test_readme.py \
	tests/http/test_records.py \
	tests/http/test_rematch.py \
	tests/http/test_replies_without_body.py \
	tests/http/test_reports.py \
	tests/http/test_retries.py \
	tests/http/test_seats.py \
	tests/http/test_secrets.py \
	tests/http/test_service.py \
	tests/http/test_sizes.py \
	tests/http/test_start.py \
	tests/http/test_strangers.py \
	tests/http/test_streams.py \
	tests/http/test_tls.py \
	tests/http/test_wire.py

if HAVE_CMOCKA
UNIT_TESTS += tests/http/test_cache tests/http/test_forwarded tests/http/test_watch tests/http/test_lane tests/http/test_meter \
	tests/http/test_opponents tests/http/test_think
# With a data file and a writer.
check_LIBRARIES += tests/http/liboffice.a
tests_http_liboffice_a_SOURCES = tests/http/office.c tests/http/office.h
tests_http_liboffice_a_CPPFLAGS = $(TEST_CPPFLAGS)
OFFICE_TEST_LIBS = tests/http/liboffice.a tests/libfolder.a libhttp.a libapi.a libplay.a libengine.a libstore.a libbase.a \
	$(CMOCKA_LIBS) $(MHD_LIBS) $(CJSON_LIBS) $(SQLITE_LIBS) $(SODIUM_LIBS)
tests_http_test_lane_SOURCES = tests/http/test_lane.c
tests_http_test_lane_CPPFLAGS = $(TEST_CPPFLAGS)
tests_http_test_lane_LDADD = $(OFFICE_TEST_LIBS)
tests_http_test_opponents_SOURCES = tests/http/test_opponents.c
tests_http_test_opponents_CPPFLAGS = $(TEST_CPPFLAGS)
tests_http_test_opponents_LDADD = $(OFFICE_TEST_LIBS)
tests_http_test_cache_SOURCES = tests/http/test_cache.c
tests_http_test_cache_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(MHD_CFLAGS)
tests_http_test_cache_LDADD = libhttp.a libbase.a $(CMOCKA_LIBS) $(MHD_LIBS) $(SODIUM_LIBS)
tests_http_test_forwarded_SOURCES = tests/http/test_forwarded.c
tests_http_test_forwarded_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_http_test_forwarded_LDADD = libhttp.a libbase.a $(CMOCKA_LIBS)
tests_http_test_meter_SOURCES = tests/http/test_meter.c
tests_http_test_meter_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_http_test_meter_LDADD = libhttp.a libbase.a $(CMOCKA_LIBS) $(SODIUM_LIBS)
tests_http_test_think_SOURCES = tests/http/test_think.c
tests_http_test_think_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_http_test_think_LDADD = libhttp.a libengine.a libbase.a $(CMOCKA_LIBS)
tests_http_test_watch_SOURCES = tests/http/test_watch.c
tests_http_test_watch_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_http_test_watch_LDADD = libhttp.a libbase.a $(CMOCKA_LIBS)
endif

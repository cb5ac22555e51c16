# The interface: pictures of boards, the parts that read requests, and whole calls without a network.
if HAVE_CMOCKA
UNIT_TESTS += tests/api/test_board tests/api/test_calls tests/api/test_headers tests/api/test_json \
	tests/api/test_retries tests/api/test_route tests/api/test_streams
tests_api_test_board_SOURCES = tests/api/test_board.c tests/api/xml.c tests/api/xml.h
tests_api_test_board_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_api_test_board_LDADD = libapi.a libengine.a libbase.a $(CMOCKA_LIBS)

API_TEST_CPPFLAGS = $(TEST_CPPFLAGS) $(CJSON_CFLAGS)
API_TEST_LIBS = tests/libfolder.a libapi.a libplay.a libengine.a libstore.a libbase.a \
	$(CMOCKA_LIBS) $(CJSON_LIBS) $(SQLITE_LIBS) $(SODIUM_LIBS)

tests_api_test_calls_SOURCES = tests/api/test_calls.c tests/api/client.c tests/api/client.h
tests_api_test_calls_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_calls_LDADD = $(API_TEST_LIBS)
tests_api_test_headers_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_headers_LDADD = $(API_TEST_LIBS)
tests_api_test_json_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_json_LDADD = $(API_TEST_LIBS)
tests_api_test_retries_SOURCES = tests/api/test_retries.c tests/api/client.c tests/api/client.h
tests_api_test_retries_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_retries_LDADD = $(API_TEST_LIBS)
tests_api_test_route_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_route_LDADD = $(API_TEST_LIBS)
tests_api_test_streams_SOURCES = tests/api/test_streams.c tests/api/client.c tests/api/client.h
tests_api_test_streams_CPPFLAGS = $(API_TEST_CPPFLAGS)
tests_api_test_streams_LDADD = $(API_TEST_LIBS)
endif

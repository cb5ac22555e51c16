# What all others stand on.
if HAVE_CMOCKA
UNIT_TESTS += tests/base/test_option
tests_base_test_option_SOURCES = tests/base/test_option.c
tests_base_test_option_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_option_LDADD = libbase.a $(CMOCKA_LIBS)
UNIT_TESTS += \
	tests/base/test_arena \
	tests/base/test_text \
	tests/base/test_clock \
	tests/base/test_token \
	tests/base/test_line \
	tests/base/test_log \
	tests/base/test_metric \
	tests/base/test_seal \
	tests/base/test_wilson

tests_base_test_arena_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_arena_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_text_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_text_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_clock_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_clock_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_token_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_token_LDADD = libbase.a $(CMOCKA_LIBS) $(SODIUM_LIBS)
tests_base_test_seal_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_seal_LDADD = libbase.a $(CMOCKA_LIBS) $(SODIUM_LIBS)
tests_base_test_line_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_line_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_log_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_log_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_metric_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_metric_LDADD = libbase.a $(CMOCKA_LIBS)
tests_base_test_wilson_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_wilson_LDADD = libbase.a $(CMOCKA_LIBS) -lm
endif

# What all others stand on.
if HAVE_CMOCKA
UNIT_TESTS += tests/base/test_option
tests_base_test_option_SOURCES = tests/base/test_option.c
tests_base_test_option_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_option_LDADD = libbase.a $(CMOCKA_LIBS)
endif

# The data file, on databases in directories of their own.
EXTRA_DIST += tests/store/schema_1.sql tests/store/schema_2.sql tests/store/schema_3.sql
if HAVE_CMOCKA
UNIT_TESTS += \
	tests/store/test_open \
	tests/store/test_migrate \
	tests/store/test_retries \
	tests/store/test_rows \
	tests/store/test_list \
	tests/store/test_transaction

check_LIBRARIES += tests/store/libplace.a
tests_store_libplace_a_CPPFLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
tests_store_libplace_a_SOURCES = tests/store/place.c tests/store/place.h

STORE_TEST_FLAGS = $(TEST_CPPFLAGS) $(SQLITE_CFLAGS)
STORE_TEST_LIBS = tests/store/libplace.a tests/libfolder.a libstore.a libbase.a $(CMOCKA_LIBS) $(SQLITE_LIBS) $(SODIUM_LIBS)

tests_store_test_open_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_open_LDADD = $(STORE_TEST_LIBS)
tests_store_test_migrate_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_migrate_LDADD = $(STORE_TEST_LIBS)
tests_store_test_retries_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_retries_LDADD = $(STORE_TEST_LIBS)
tests_store_test_rows_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_rows_LDADD = $(STORE_TEST_LIBS)
tests_store_test_list_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_list_LDADD = $(STORE_TEST_LIBS)
tests_store_test_transaction_CPPFLAGS = $(STORE_TEST_FLAGS)
tests_store_test_transaction_LDADD = $(STORE_TEST_LIBS)
endif

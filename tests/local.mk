# Tests.  A unit test is a cmocka program in UNIT_TESTS; tests/run runs those and pytest.
# Includes name their folder: #include "tests/folder.h".
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(CMOCKA_CFLAGS)

check_LIBRARIES += tests/libfolder.a
tests_libfolder_a_SOURCES = tests/folder.c tests/folder.h
tests_libfolder_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)

include $(srcdir)/tests/base/local.mk
include $(srcdir)/tests/engine/local.mk
include $(srcdir)/tests/store/local.mk
include $(srcdir)/tests/play/local.mk
include $(srcdir)/tests/api/local.mk
include $(srcdir)/tests/http/local.mk
include $(srcdir)/tests/bench/local.mk
include $(srcdir)/tests/tune/local.mk
include $(srcdir)/tests/fault/local.mk
include $(srcdir)/tests/fuzz/local.mk

EXTRA_DIST += .ci/run .clang-format .clang-tidy tools/bench tools/check tools/packages tools/prepare tools/run \
	tests/conftest.py tests/pytest.ini tests/run \
	docs/HTTP.md docs/METRICS.md docs/PROMISES.md docs/RULES.md tests/tree/test_constant_time.py tests/tree/test_documents.py tests/tree/test_layers.py tests/tree/test_package.py tests/tree/test_readme_tables.py tests/tree/test_unit.py

check_PROGRAMS += $(UNIT_TESTS)

# Behind `all`, in a make of its own: `all` runs one too, and two at once would write the same archives.
check-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_PROGRAMS) $(CHECK_FILES)
if HAVE_CMOCKA
check-run: check-programs
	@$(PYTHON) $(srcdir)/tests/run --source $(srcdir) --build . $(UNIT_TESTS)
else
check-run:
	@echo "the tests need cmocka: apt-get install libcmocka-dev, then configure again" >&2; exit 1
endif
# For programs that do something of their own with them.
show-units:
	@echo $(UNIT_TESTS)
check-local: check-run
# The long form: hours, not minutes.
check-long: check-programs
	@$(PYTHON) $(srcdir)/tests/run --long "$(LONG_TESTS)" --source $(srcdir) --build . $(UNIT_TESTS)
# What the runs of the tests leave.
clean-local:
	rm -rf reports .hypothesis
.PHONY: check-programs check-run check-long show-units

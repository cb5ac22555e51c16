# Tests.  A unit test is a cmocka program in UNIT_TESTS; tests/run runs those and pytest.
include $(srcdir)/tests/base/local.mk
include $(srcdir)/tests/engine/local.mk
include $(srcdir)/tests/store/local.mk
include $(srcdir)/tests/play/local.mk
include $(srcdir)/tests/api/local.mk
include $(srcdir)/tests/http/local.mk
include $(srcdir)/tests/bench/local.mk
include $(srcdir)/tests/fault/local.mk

EXTRA_DIST += tests/run tests/conftest.py tests/pytest.ini tests/tree/test_layers.py tests/tree/test_readme_tables.py tools/bench tools/packages tools/prepare tools/run tools/check .ci/run .clang-format

check_PROGRAMS += $(UNIT_TESTS)

check-programs: $(check_PROGRAMS) $(bin_PROGRAMS)
check-run: check-programs
	@$(PYTHON) $(srcdir)/tests/run --source $(srcdir) --build . $(UNIT_TESTS)
check-local: check-run
.PHONY: check-programs check-run

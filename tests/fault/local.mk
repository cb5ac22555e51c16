# The shim for LD_PRELOAD that makes calls fail; without sanitizers, which have an allocator of their own.
CHECK_FILES += tests/fault/shim.so
tests/fault/shim.so: tests/fault/shim.c tests/fault/journal.c tests/fault/journal.h
	@$(MKDIR_P) tests/fault
	$(AM_V_CC)$(CC) -D_GNU_SOURCE -std=gnu17 $(WARNINGS) $(CFLAGS) -shared -fPIC -o $@ $(srcdir)/tests/fault/shim.c $(srcdir)/tests/fault/journal.c -ldl -lpthread

CLEANFILES += tests/fault/shim.so
EXTRA_DIST += tests/fault/conftest.py \
	tests/fault/disk.py \
	tests/fault/journal.c \
	tests/fault/journal.h \
	tests/fault/load.py \
	tests/fault/shim.c \
	tests/fault/shim.py \
	tests/fault/test_at_once.py \
	tests/fault/test_blocked_disk.py \
	tests/fault/test_crash.py \
	tests/fault/test_cut_off.py \
	tests/fault/test_disk.py \
	tests/fault/test_engines.py \
	tests/fault/test_killed.py \
	tests/fault/test_lost_answers.py \
	tests/fault/test_memory.py \
	tests/fault/test_power_cut.py \
	tests/fault/test_storage.py \
	tests/fault/test_sweep.py \
	tests/fault/valgrind \
	tests/fault/victim.py
LONG_TESTS += tests/fault/valgrind

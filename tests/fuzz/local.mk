# Fuzz targets.  With --enable-fuzzing (clang) programs of libFuzzer, which tests/fuzz/run
# runs; else tests, each of which goes over its corpus.
FUZZ_TARGETS = \
	tests/fuzz/fuzz_call \
	tests/fuzz/fuzz_engine \
	tests/fuzz/fuzz_forwarded \
	tests/fuzz/fuzz_header \
	tests/fuzz/fuzz_import \
	tests/fuzz/fuzz_json \
	tests/fuzz/fuzz_load \
	tests/fuzz/fuzz_move \
	tests/fuzz/fuzz_position \
	tests/fuzz/fuzz_record \
	tests/fuzz/fuzz_target

EXTRA_PROGRAMS += $(FUZZ_TARGETS)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/replay.c tests/fuzz/run tests/fuzz/seed.py tests/fuzz/words.dict
LONG_TESTS += tests/fuzz/run
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(CJSON_CFLAGS)

if FUZZING
FUZZ_MAIN =
FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
FUZZ_LIBS =
else
FUZZ_MAIN = tests/fuzz/libreplay.a
FUZZ_LINK = $(AM_LDFLAGS)
FUZZ_LIBS = $(CMOCKA_LIBS)
if HAVE_CMOCKA
UNIT_TESTS += $(FUZZ_TARGETS)
check_LIBRARIES += tests/fuzz/libreplay.a
endif
endif
EXTRA_LIBRARIES += tests/fuzz/libreplay.a
tests_fuzz_libreplay_a_SOURCES = tests/fuzz/replay.c
tests_fuzz_libreplay_a_CPPFLAGS = $(FUZZ_CPPFLAGS) $(CMOCKA_CFLAGS) -DFUZZ_CORPUS='"$(srcdir)/tests/fuzz/corpus"'

fuzz-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) tests/libfolder.a tests/engine/librival.a $(FUZZ_TARGETS)
.PHONY: fuzz-programs

FUZZ_ENGINE = $(FUZZ_MAIN) tests/engine/librival.a libengine.a $(FUZZ_LIBS)
FUZZ_ALL = $(FUZZ_MAIN) tests/libfolder.a libapi.a libplay.a libengine.a libstore.a libbase.a \
	$(FUZZ_LIBS) $(CJSON_LIBS) $(SQLITE_LIBS) $(SODIUM_LIBS) -lm

tests_fuzz_fuzz_call_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_call_SOURCES = tests/fuzz/fuzz_call.c tests/fuzz/fuzz.h \
	tests/fuzz/caller.c tests/fuzz/caller.h
tests_fuzz_fuzz_call_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_call_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_engine_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_engine_SOURCES = tests/fuzz/fuzz_engine.c tests/fuzz/fuzz.h \
	src/analyst.c src/analyst.h src/command_engine.c src/command_read.c src/command.h \
	src/input.c src/input.h src/order.c src/order.h
tests_fuzz_fuzz_engine_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_engine_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_forwarded_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_forwarded_SOURCES = tests/fuzz/fuzz_forwarded.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_forwarded_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_forwarded_LDADD = $(FUZZ_MAIN) libhttp.a libbase.a $(FUZZ_LIBS)
tests_fuzz_fuzz_header_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_header_SOURCES = tests/fuzz/fuzz_header.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_header_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_header_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_import_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_import_SOURCES = tests/fuzz/fuzz_import.c tests/fuzz/fuzz.h \
	tests/fuzz/caller.c tests/fuzz/caller.h
tests_fuzz_fuzz_import_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_import_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_json_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_json_SOURCES = tests/fuzz/fuzz_json.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_json_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_json_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_move_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_move_SOURCES = tests/fuzz/fuzz_move.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_move_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_move_LDADD = $(FUZZ_ENGINE)
tests_fuzz_fuzz_position_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_position_SOURCES = tests/fuzz/fuzz_position.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_position_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_position_LDADD = $(FUZZ_ENGINE)
tests_fuzz_fuzz_record_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_record_SOURCES = tests/fuzz/fuzz_record.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_record_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_record_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_target_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_target_SOURCES = tests/fuzz/fuzz_target.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_target_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_target_LDADD = $(FUZZ_ALL)
tests_fuzz_fuzz_load_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_load_SOURCES = tests/fuzz/fuzz_load.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_load_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_load_LDADD = $(FUZZ_ALL)

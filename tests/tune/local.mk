# Fits the weights of Iuvo's evaluation to games of the engine against itself; built and run by hand.
EXTRA_PROGRAMS += tests/tune/tune
CLEANFILES += tests/tune/tune
tests_tune_tune_SOURCES = tests/tune/tune.c $(TUNE_MATCH)
tests_tune_tune_LDADD = libengine.a libbase.a -lm

# What is found is tried in games, as by iuvod match.
TUNE_MATCH = src/match.c src/match.h

# Tunes the weights of any game by games; built and run by hand.
EXTRA_PROGRAMS += tests/tune/tune_games
CLEANFILES += tests/tune/tune_games
tests_tune_tune_games_SOURCES = tests/tune/tune_games.c $(TUNE_MATCH)
tests_tune_tune_games_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_tune_tune_games_LDADD = tests/bench/libbench.a libengine.a libbase.a -lm

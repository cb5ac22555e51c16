# The service under load, beside its yardsticks: tests/bench/bench_http runs these.
EXTRA_DIST += tests/bench/bench_abuse.py tests/bench/bench_http tests/bench/bench_store.py tests/bench/bench_streams.py tests/bench/bench_tls.py
# What they have in common.
check_LIBRARIES += tests/bench/libbench.a
tests_bench_libbench_a_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_libbench_a_SOURCES = tests/bench/bench.c tests/bench/bench.h
BENCH_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)

check_PROGRAMS += tests/bench/load tests/bench/lookup tests/bench/watchers tests/bench/bare_http tests/bench/bare_sqlite
tests_bench_watchers_SOURCES = tests/bench/watchers.c
tests_bench_watchers_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_watchers_LDADD = tests/bench/libbench.a
tests_bench_load_SOURCES = tests/bench/load.c tests/bench/load_player.c tests/bench/load_player.h
tests_bench_load_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_load_LDADD = tests/bench/libbench.a libengine.a
tests_bench_lookup_SOURCES = tests/bench/lookup.c
tests_bench_lookup_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_lookup_LDADD = tests/bench/libbench.a libplay.a libengine.a libstore.a libbase.a $(SQLITE_LIBS) $(SODIUM_LIBS) -lm
tests_bench_bare_http_SOURCES = tests/bench/bare_http.c
tests_bench_bare_http_CPPFLAGS = $(AM_CPPFLAGS) $(MHD_CFLAGS)
tests_bench_bare_http_LDADD = $(MHD_LIBS)
tests_bench_bare_sqlite_SOURCES = tests/bench/bare_sqlite.c
tests_bench_bare_sqlite_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
tests_bench_bare_sqlite_LDADD = $(SQLITE_LIBS)

# What others wait while somebody abuses the service, alone: make -C build bench-abuse
bench-abuse: all
	@$(srcdir)/tests/bench/bench_http --build . --parts abuse
.PHONY: bench-abuse

# What TLS costs, alone: make -C build bench-tls
bench-tls: all
	@IUVOD=$(abs_builddir)/iuvod IUVOD_BUILD=$(abs_builddir) IUVOD_SOURCE=$(abs_srcdir) $(PYTHON) $(srcdir)/tests/bench/bench_tls.py
.PHONY: bench-tls

# What the looks for damage cost, and who writes beside a backup, alone: make -C build bench-store
bench-store: all tests/bench/load$(EXEEXT) tests/bench/lookup$(EXEEXT)
	@$(srcdir)/tests/bench/bench_http --build . --parts store
.PHONY: bench-store

# The generator beside the plain one; not built by default, run by hand: make -C build bench-engine
EXTRA_PROGRAMS += tests/bench/bench_engine
CLEANFILES += tests/bench/bench_engine
tests_bench_bench_engine_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_bench_engine_SOURCES = tests/bench/bench_engine.c
tests_bench_bench_engine_LDADD = tests/bench/libbench.a tests/engine/librival.a libengine.a

bench-engine: tests/bench/bench_engine$(EXEEXT)
	@tests/bench/bench_engine$(EXEEXT)
.PHONY: bench-engine

# The engine against the sparring partner; not built by default, run by hand: make -C build strength
EXTRA_PROGRAMS += tests/bench/strength
CLEANFILES += tests/bench/strength
tests_bench_strength_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_strength_SOURCES = tests/bench/strength.c
tests_bench_strength_LDADD = tests/bench/libbench.a $(SPARRING_LDADD) libbase.a -lm

strength: tests/bench/strength$(EXEEXT)
	@tests/bench/strength$(EXEEXT)
.PHONY: strength

# Which search for four seats; not built by default, run by hand: make -C build many
EXTRA_PROGRAMS += tests/bench/many
CLEANFILES += tests/bench/many
tests_bench_many_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_many_SOURCES = tests/bench/many.c
tests_bench_many_LDADD = tests/bench/libbench.a $(SPARRING_LDADD) libbase.a -lm

many: tests/bench/many$(EXEEXT)
	@tests/bench/many$(EXEEXT)
.PHONY: many

# The search in a second, beside a plain alpha-beta; not built by default, run by hand: make -C build bench-search
EXTRA_PROGRAMS += tests/bench/bench_search
CLEANFILES += tests/bench/bench_search
tests_bench_bench_search_SOURCES = tests/bench/bench_search.c
tests_bench_bench_search_CPPFLAGS = $(BENCH_CPPFLAGS)
tests_bench_bench_search_LDADD = tests/bench/libbench.a libengine.a libbase.a

# What the search proves in a second's nodes; not built by default, run by hand: make -C build proofs
EXTRA_PROGRAMS += tests/bench/proofs
CLEANFILES += tests/bench/proofs
tests_bench_proofs_SOURCES = tests/bench/proofs.c
tests_bench_proofs_LDADD = libengine.a libbase.a -lm

proofs: tests/bench/proofs$(EXEEXT)
	@tests/bench/proofs$(EXEEXT)
.PHONY: proofs

bench-search: tests/bench/bench_search$(EXEEXT)
	@tests/bench/bench_search$(EXEEXT)
.PHONY: bench-search

# engine

# The second opinion, what it is compared with, and the vectors as a table.
RIVAL_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
RIVAL_LDADD = tests/engine/libtwin.a tests/engine/librival.a libengine.a $(CMOCKA_LIBS)
RIVAL_TESTS = \
	tests/engine/test_vectors \
	tests/engine/test_iuvo \
	tests/engine/test_halma \
	tests/engine/test_text_moves \
	tests/engine/test_text_positions \
	tests/engine/test_verdicts \
	tests/engine/test_perft \
	tests/engine/test_properties \
	tests/engine/test_evaluate \
	tests/engine/test_level \
	tests/engine/test_search \
	tests/engine/test_search_order \
	tests/engine/test_search_proofs \
	tests/engine/test_search_forced

check_LIBRARIES += tests/engine/librival.a
tests_engine_librival_a_CPPFLAGS = $(RIVAL_CPPFLAGS)
tests_engine_librival_a_SOURCES = \
	tests/engine/deal.c \
	tests/engine/deal.h \
	tests/engine/mailbox.c \
	tests/engine/mailbox.h \
	tests/engine/mailbox_halma.c \
	tests/engine/mailbox_inside.h \
	tests/engine/mailbox_iuvo.c \
	tests/engine/mailbox_text.c \
	tests/engine/vectors.h
nodist_tests_engine_librival_a_SOURCES = tests/engine/vectors_table.c
tests_engine_libtwin_a_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_libtwin_a_SOURCES = tests/engine/twin.c tests/engine/twin.h tests/engine/twin_group.c tests/engine/twin_group.h

tests/engine/vectors_table.c: $(srcdir)/tests/engine/vectors.py $(srcdir)/tests/vectors/games.json \
    $(srcdir)/tests/vectors/positions.json $(srcdir)/tests/vectors/cases.json
	$(AM_V_GEN)$(MKDIR_P) tests/engine && \
	$(PYTHON) $(srcdir)/tests/engine/vectors.py $(srcdir)/tests/vectors $@.tmp && mv $@.tmp $@

CLEANFILES += tests/engine/vectors_table.c
EXTRA_DIST += tests/engine/vectors.py tests/vectors/README.md \
	tests/vectors/games.json tests/vectors/positions.json tests/vectors/cases.json

if HAVE_CMOCKA
check_LIBRARIES += tests/engine/libtwin.a
UNIT_TESTS += $(RIVAL_TESTS)
endif

tests_engine_test_vectors_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_vectors_SOURCES = tests/engine/test_vectors.c
tests_engine_test_vectors_LDADD = $(RIVAL_LDADD)

tests_engine_test_iuvo_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_iuvo_SOURCES = tests/engine/test_iuvo.c
tests_engine_test_iuvo_LDADD = $(RIVAL_LDADD)

tests_engine_test_halma_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_halma_SOURCES = tests/engine/test_halma.c
tests_engine_test_halma_LDADD = $(RIVAL_LDADD)

tests_engine_test_verdicts_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_verdicts_SOURCES = tests/engine/test_verdicts.c
tests_engine_test_verdicts_LDADD = $(RIVAL_LDADD)

tests_engine_test_perft_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_perft_SOURCES = tests/engine/test_perft.c
tests_engine_test_perft_LDADD = $(RIVAL_LDADD)

tests_engine_test_properties_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_properties_SOURCES = tests/engine/test_properties.c
tests_engine_test_properties_LDADD = $(RIVAL_LDADD)

tests_engine_test_text_moves_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_text_moves_SOURCES = tests/engine/test_text_moves.c
tests_engine_test_text_moves_LDADD = $(RIVAL_LDADD)

tests_engine_test_text_positions_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_text_positions_SOURCES = tests/engine/test_text_positions.c
tests_engine_test_text_positions_LDADD = $(RIVAL_LDADD)

# The engine's own tests link the engine and nothing else.
ENGINE_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
ENGINE_LDADD = libengine.a $(CMOCKA_LIBS)
EXTRA_DIST += tests/engine/test_engine.h

if HAVE_CMOCKA
UNIT_TESTS += \
	tests/engine/test_engine_halma \
	tests/engine/test_engine_kernel \
	tests/engine/test_engine_notation \
	tests/engine/test_engine_rules
endif

tests_engine_test_engine_halma_CPPFLAGS = $(ENGINE_CPPFLAGS)
tests_engine_test_engine_halma_SOURCES = tests/engine/test_engine_halma.c
tests_engine_test_engine_halma_LDADD = $(ENGINE_LDADD)

tests_engine_test_engine_kernel_CPPFLAGS = $(ENGINE_CPPFLAGS)
tests_engine_test_engine_kernel_SOURCES = tests/engine/test_engine_kernel.c
tests_engine_test_engine_kernel_LDADD = $(ENGINE_LDADD)

tests_engine_test_engine_notation_CPPFLAGS = $(ENGINE_CPPFLAGS)
tests_engine_test_engine_notation_SOURCES = tests/engine/test_engine_notation.c
tests_engine_test_engine_notation_LDADD = $(ENGINE_LDADD)

tests_engine_test_engine_rules_CPPFLAGS = $(ENGINE_CPPFLAGS)
tests_engine_test_engine_rules_SOURCES = tests/engine/test_engine_rules.c
tests_engine_test_engine_rules_LDADD = $(ENGINE_LDADD)

# The sparring partner, and other searches for four seats: what strength is measured against.
check_LIBRARIES += tests/engine/libsparring.a
tests_engine_libsparring_a_CPPFLAGS = $(RIVAL_CPPFLAGS)
tests_engine_libsparring_a_SOURCES = \
	tests/engine/rivals.c \
	tests/engine/rivals.h \
	tests/engine/sparring.c \
	tests/engine/sparring.h
SPARRING_LDADD = tests/engine/libsparring.a tests/engine/librival.a libengine.a

if HAVE_CMOCKA
UNIT_TESTS += tests/engine/test_sparring
endif

tests_engine_test_sparring_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_sparring_SOURCES = tests/engine/test_sparring.c
tests_engine_test_sparring_LDADD = $(SPARRING_LDADD) $(CMOCKA_LIBS) -lm

if HAVE_CMOCKA
UNIT_TESTS += tests/engine/test_halma_evaluate
endif

tests_engine_test_halma_evaluate_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_halma_evaluate_SOURCES = tests/engine/test_halma_evaluate.c
tests_engine_test_halma_evaluate_LDADD = tests/engine/librival.a libengine.a $(CMOCKA_LIBS)

tests_engine_test_evaluate_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_evaluate_SOURCES = tests/engine/test_evaluate.c
tests_engine_test_evaluate_LDADD = $(RIVAL_LDADD)

tests_engine_test_search_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_SOURCES = tests/engine/test_search.c tests/engine/test_search.h
tests_engine_test_search_LDADD = $(RIVAL_LDADD)

tests_engine_test_search_order_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_order_SOURCES = tests/engine/test_search_order.c tests/engine/test_search.h
tests_engine_test_search_order_LDADD = $(RIVAL_LDADD)

tests_engine_test_search_proofs_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_proofs_SOURCES = tests/engine/test_search_proofs.c tests/engine/test_search.h
tests_engine_test_search_proofs_LDADD = $(RIVAL_LDADD)

tests_engine_test_search_forced_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_forced_SOURCES = tests/engine/test_search_forced.c tests/engine/test_search.h tests/engine/world.c tests/engine/world.h
tests_engine_test_search_forced_LDADD = $(RIVAL_LDADD)

if HAVE_CMOCKA
UNIT_TESTS += tests/engine/test_search_many
endif

tests_engine_test_search_many_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_many_SOURCES = tests/engine/test_search_many.c
tests_engine_test_search_many_LDADD = $(SPARRING_LDADD) $(CMOCKA_LIBS) -lm

tests_engine_test_level_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_level_SOURCES = tests/engine/test_level.c tests/engine/test_search.h
tests_engine_test_level_LDADD = $(RIVAL_LDADD)

if HAVE_CMOCKA
UNIT_TESTS += tests/engine/test_search_halma
endif

tests_engine_test_search_halma_CPPFLAGS = $(RIVAL_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_engine_test_search_halma_SOURCES = tests/engine/test_search_halma.c
tests_engine_test_search_halma_LDADD = tests/engine/librival.a libengine.a $(CMOCKA_LIBS)

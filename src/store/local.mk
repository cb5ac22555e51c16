noinst_LIBRARIES += libstore.a
libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
libstore_a_SOURCES = \
	src/store/alive.c \
	src/store/alive.h \
	src/store/connection.c \
	src/store/connection_private.h \
	src/store/copy.c \
	src/store/copy.h \
	src/store/db.c \
	src/store/db.h \
	src/store/dump.c \
	src/store/dump.h \
	src/store/dump_private.h \
	src/store/dump_read.c \
	src/store/endings.c \
	src/store/events.c \
	src/store/events.h \
	src/store/feed.c \
	src/store/feed.h \
	src/store/file.c \
	src/store/file.h \
	src/store/games.c \
	src/store/games.h \
	src/store/games_list.c \
	src/store/games_private.h \
	src/store/integrity.c \
	src/store/integrity.h \
	src/store/lock.c \
	src/store/lock.h \
	src/store/moves.c \
	src/store/moves.h \
	src/store/offers.c \
	src/store/offers.h \
	src/store/players.c \
	src/store/players.h \
	src/store/query.c \
	src/store/query_private.h \
	src/store/retries.c \
	src/store/retries.h \
	src/store/schema.c \
	src/store/schema_private.h \
	src/store/seats.c \
	src/store/seats.h \
	src/store/tokens.c \
	src/store/vfs.c \
	src/store/vfs_private.h \
	src/store/walk.c \
	src/store/walk.h

# All SQL stands in sql/; the build makes tables of it.
MIGRATIONS = \
	sql/migrations/0001_games.sql \
	sql/migrations/0002_play_by_post.sql \
	sql/migrations/0003_game_counts.sql
EXTRA_DIST += tools/embed sql/queries.sql sql/file.sql sql/dump.sql $(MIGRATIONS)

STORE_TABLES = src/store/statements.h src/store/schema_statements.h src/store/dump_statements.h src/store/migrations.h
nodist_libstore_a_SOURCES = $(STORE_TABLES)
BUILT_SOURCES += $(STORE_TABLES)
CLEANFILES += $(STORE_TABLES)

EMBED = $(AM_V_GEN)$(MKDIR_P) $(@D) && embed() { $(PYTHON) $(srcdir)/tools/embed "$$@" >$@.new && mv $@.new $@; } && embed

src/store/statements.h: $(srcdir)/sql/queries.sql $(srcdir)/tools/embed
	$(EMBED) statements STATEMENT $(srcdir)/sql/queries.sql
src/store/schema_statements.h: $(srcdir)/sql/file.sql $(srcdir)/tools/embed
	$(EMBED) statements SCHEMA $(srcdir)/sql/file.sql
src/store/dump_statements.h: $(srcdir)/sql/dump.sql $(srcdir)/tools/embed
	$(EMBED) statements DUMP $(srcdir)/sql/dump.sql
src/store/migrations.h: $(MIGRATIONS) $(srcdir)/tools/embed
	$(EMBED) migrations $(MIGRATIONS:%=$(srcdir)/%)

# BUILT_SOURCES are made first by `make all` and `make check` alone.
$(libstore_a_OBJECTS): $(STORE_TABLES)

/*
 * The game record: all that a replay needs, and its text form.  The JSON form is
 * read and written in api/.  Export, import and export again give the same bytes.
 */
#ifndef IUVOD_PLAY_RECORD_H
#define IUVOD_PLAY_RECORD_H

#include "base/text.h"
#include "play/game.h"

struct record_ending {
	unsigned ply;               /* plies played before it */
	unsigned seat;              /* 0: an agreed draw */
	enum reason reason;         /* REASON_RESIGNED, REASON_TIMEOUT, REASON_AGREEMENT */
};

struct record_tag {
	const char *name;
	const char *value;
};

struct record {
	enum variant variant;
	struct position start;
	const char *names[SEATS_MAX];        /* NULL: none */
	unsigned tag_count;
	struct record_tag *tags;             /* in the order of the record */
	unsigned move_count;                 /* at most PLIES_MAX */
	struct move *moves;
	unsigned ending_count;
	struct record_ending endings[SEATS_MAX];
	bool over;
	unsigned winner;                     /* 0: a draw */
	enum reason reason;
};

/* Where and why a record was refused.  why lies in the arena or is static. */
struct record_fault {
	unsigned line, column;      /* from 1; of the text form; 0 where the form is JSON */
	int ply;                    /* from 1; -1 if it is about no ply */
	int ending;                 /* from 0; -1 if it is about no ending */
	enum verdict verdict;       /* VERDICT_LEGAL if it is about no illegal move */
	const char *member;         /* variant, start, seats, tags, moves, endings, outcome, format */
	const char *why;            /* a sentence */
};

/* The record of a game.  */
enum fault record_of(struct db *db, struct arena *arena, const struct game *game, struct record *record);

/* Writes the text form. */
void record_write(const struct record *record, struct text *out);

/* A record as it was written, before any of it is believed: filled by record_read or by api/ from JSON. */
struct record_draft {
	const char *variant;
	const char *start;                   /* NULL: the variant's own */
	unsigned name_count;
	const char *names[SEATS_MAX];
	unsigned tag_count;
	struct record_tag *tags;
	unsigned move_count;
	const char **moves;                  /* texts (T1) */
	unsigned *move_lines;                /* NULL for JSON: the line of each, from 1 */
	unsigned *move_columns;
	unsigned ending_count;
	struct record_ending endings[SEATS_MAX + 1];
	unsigned ending_lines[SEATS_MAX + 1];
	bool outcome_known;                  /* the record says how it stands */
	bool over;
	unsigned winner;
	enum reason reason;
	unsigned outcome_line;
};

/* Reads the text form (LF or CRLF, with or without a BOM).  FAULT_MALFORMED_RECORD with *where. */
enum fault record_read(struct arena *arena, const char *bytes, size_t len, struct record_draft *draft, struct record_fault *where);

/*
 * Replays a draft by the rules: FAULT_MALFORMED_RECORD, FAULT_NOT_A_START,
 * FAULT_RECORD_ILLEGAL_MOVE or FAULT_RECORD_CONTRADICTED with *where.  Runs on the read lane:
 * no database.
 */
enum fault record_check(struct arena *arena, const struct record_draft *draft, struct record *record, struct record_fault *where);

/* Stores a checked record as a new game; every seat is the importer's.  Write lane. */
enum fault record_import(struct db *db, struct arena *arena, int64_t now_ms, const struct record *record,
    bool listed, const struct game_secrets *secrets, struct game *game);

#endif

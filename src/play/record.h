/*
 * The game record: all that a replay needs, and its text form.  The JSON form is
 * read and written in api/.  Export, import and export again give the same bytes.
 */
#ifndef IUVOD_PLAY_RECORD_H
#define IUVOD_PLAY_RECORD_H

#include "base/text.h"
#include "play/game.h"
#include "store/players.h"

/* The name of both forms, in them. */
#define RECORD_FORMAT "iuvod-record-1"

struct record_ending {
	unsigned ply;       /* plies played before it */
	unsigned seat;      /* 0: an agreed draw */
	enum reason reason; /* REASON_RESIGNED, REASON_TIMEOUT, REASON_AGREEMENT */
};

struct record_tag {
	const char *name;
	const char *value;
};

struct record {
	enum variant variant;
	struct position start;
	const char *names[SEATS_MAX]; /* NULL: none */
	unsigned tag_count;
	struct record_tag *tags; /* in the order of the record */
	unsigned move_count;     /* at most PLIES_MAX */
	struct move *moves;
	unsigned ending_count;
	struct record_ending endings[SEATS_MAX];
	bool over;
	unsigned winner; /* 0: a draw */
	enum reason reason;
};

/* Where and why a record was refused.  why lies in the arena or is static. */
struct record_fault {
	unsigned line, column; /* from 1, columns in code points; 0 where the form is JSON */
	int ply;               /* from 1; -1 if it is about no ply */
	int ending;            /* from 0; -1 if it is about no ending */
	int item;              /* of a seat or a tag: its place in the list, from 0; -1 otherwise */
	enum verdict verdict;  /* VERDICT_LEGAL if it is about no illegal move */
	const char *member;    /* variant, start, seats, tags, moves, endings, outcome, format */
	const char *why;       /* a sentence */
};

/* The record of a game.  FAULT_DAMAGED_GAME if what is stored cannot be read. */
enum fault record_of(struct db *db, struct arena *arena, const struct game *game, struct record *record);

/* Writes the text form (its grammar stands at the top of record_text.c); the failure of out sticks. */
void record_write(const struct record *record, struct text *out);

/* Where something stands in the text form; all 0 for JSON. */
struct record_place {
	unsigned line, column;
};

/*
 * A record as it was written, before any of it is believed: filled by
 * record_read, or by api/ from JSON over a draft of zeroes.  Texts are UTF-8 and
 * NUL-terminated.
 */
struct record_draft {
	const char *variant; /* NULL: not said, which is refused */
	struct record_place variant_at;
	const char *start; /* NULL: the variant's own */
	struct record_place start_at;
	unsigned name_count;          /* at most SEATS_MAX: seats from 1; those beyond have no name */
	const char *names[SEATS_MAX]; /* NULL: none */
	struct record_place names_at[SEATS_MAX];
	unsigned tag_count; /* any number: record_check looks at the limit */
	struct record_tag *tags;
	struct record_place *tags_at;  /* NULL for JSON */
	unsigned move_count;           /* any number, likewise */
	const char **moves;            /* texts (T1) */
	struct record_place *moves_at; /* NULL for JSON */
	unsigned ending_count;         /* at most SEATS_MAX: more would end no game */
	struct record_ending endings[SEATS_MAX];
	struct record_place endings_at[SEATS_MAX];
	bool outcome_known; /* the record says how it stands */
	bool over;          /* false: it says that the game goes on */
	unsigned winner;
	enum reason reason;
	struct record_place outcome_at;
};

/*
 * Reads the text form (LF or CRLF, with or without a BOM).  FAULT_MALFORMED_RECORD
 * with *where; FAULT_OUT_OF_MEMORY.
 */
enum fault record_read(
    struct arena *arena, const char *bytes, size_t len, struct record_draft *draft, struct record_fault *where);

/*
 * Replays a draft by the rules: FAULT_MALFORMED_RECORD (also an unknown variant or
 * a start that is no position), FAULT_NOT_A_START, FAULT_RECORD_ILLEGAL_MOVE or
 * FAULT_RECORD_CONTRADICTED (a move or an ending after the end, an ending of a seat
 * that is out, another outcome), each with *where; FAULT_OUT_OF_MEMORY.  Runs on the
 * read lane: no database.  *record borrows from the draft.
 */
enum fault record_check(
    struct arena *arena, const struct record_draft *draft, struct record *record, struct record_fault *where);

/*
 * Stores a checked record as a new game; every seat is the importer's, and of the
 * player, if he is one (else NULL).  He is told of it by game_created alone, with
 * the game as it stands.  Write lane.
 */
enum fault record_import(struct db *db, struct arena *arena, int64_t now_ms, const struct record *record, bool listed,
    const struct player_row *player, const struct game_secrets *secrets, struct game *game);

#endif

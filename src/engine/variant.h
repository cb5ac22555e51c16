/*
 * The variants: one exact rule set each, named by an id (RULES.md, Words).
 * One table, from which the enum, the ids and every list of them are made.
 */
#ifndef IUVOD_ENGINE_VARIANT_H
#define IUVOD_ENGINE_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
/*        enum                   id               title                                family       files ranks seats */
#define VARIANT_TABLE(V) \
	V(VARIANT_IUVO_2,       "iuvo-2",        "Iuvo for two",                       FAMILY_IUVO,  7,  7, 2) \
	V(VARIANT_IUVO_4,       "iuvo-4",        "Iuvo for four",                      FAMILY_IUVO,  7,  7, 4) \
	V(VARIANT_IUVO_2_LOOSE, "iuvo-2-loose",  "Iuvo for two, loose gathering",      FAMILY_LOOSE, 7,  7, 2) \
	V(VARIANT_IUVO_4_LOOSE, "iuvo-4-loose",  "Iuvo for four, loose gathering",     FAMILY_LOOSE, 7,  7, 4) \
	V(VARIANT_HALMA_2,      "halma-2",       "Halma for two",                      FAMILY_HALMA, 16, 16, 2)
/* clang-format on */

/*
 * Which rules of RULES.md bind: I1-I18, the same with I9L for I9, or H1-H12.  The
 * second column is the row of functions that knows them (rules.h); in the order of
 * the columns of VERDICT_TABLE.
 */
/* clang-format off */
#define FAMILY_TABLE(F) \
	F(FAMILY_IUVO,  iuvo_rules) \
	F(FAMILY_LOOSE, iuvo_loose_rules) \
	F(FAMILY_HALMA, halma_rules)

enum family {
#define F(name, row) name,
	FAMILY_TABLE(F)
#undef F
	FAMILY_COUNT
};

enum variant {
#define V(name, id, title, family, files, ranks, seats) name,
	VARIANT_TABLE(V)
#undef V
	VARIANT_COUNT
};
/* clang-format on */

enum {
	SEATS_MAX = 4,
	PLIES_MAX = 4096, /* I18, H12: a game of so many plies is a draw */
	STONES_MAX = 38   /* the most stones on any board: two camps of 19 (H2) */
};

struct variant_row {
	const char *id;
	const char *title;
	enum family family;
	unsigned files;
	unsigned ranks;
	unsigned seats;
};

extern const struct variant_row variant_rows[VARIANT_COUNT];

/* The row of a variant; static, never NULL.  The variant must be in range.  Any thread. */
static inline const struct variant_row *
variant_row(enum variant variant)
{
	return &variant_rows[variant];
}

/*
 * Finds the variant whose id is exactly the len bytes at id.  Returns false,
 * leaving *variant untouched, if there is none.  Any thread.
 */
bool variant_find(const char *id, size_t len, enum variant *variant);

#endif

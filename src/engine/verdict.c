#include "engine/verdict.h"

_Static_assert(FAMILY_COUNT == 3, "VERDICT_TABLE has a column of rules for every family");

static const struct verdict_row rows[VERDICT_COUNT] = {
#define V(name, slug, iuvo, loose, halma, title, advice) [name] = {slug, title, advice, {iuvo, loose, halma}},
    VERDICT_TABLE(V)
#undef V
};

const struct verdict_row *
verdict_row(enum verdict verdict)
{
	return &rows[verdict];
}

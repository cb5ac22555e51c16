#include "base/fault.h"

static const struct fault_row rows[FAULT_COUNT] = {
#define F(name, status, slug, title, advice) [name] = {status, slug, title, advice},
    FAULT_TABLE(F)
#undef F
};

const struct fault_row *
fault_row(enum fault fault)
{
	return &rows[fault];
}

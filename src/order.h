/* What stands behind `go`: how a search is asked for in words. */
#ifndef IUVOD_ORDER_H
#define IUVOD_ORDER_H

#include "analyst.h"

struct order_fault {
	char what[96];
	const char *word; /* the one that is wrong, of the line; NULL: none */
};

/* Reads words, which strtok_r cuts from *rest; false with *fault if they are wrong, and *order is not touched. */
bool order_read(char **rest, struct analyst_order *order, struct order_fault *fault);

#endif

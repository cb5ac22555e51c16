/*
 * How much has arrived for a connection whose socket cannot tell: of what comes by
 * TLS the kernel knows the ciphertext alone.  Held by both ends, the TLS thread
 * that counts and the loop that asks; the last to let go frees it.
 */
#ifndef IUVOD_HTTP_INFLOW_H
#define IUVOD_HTTP_INFLOW_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct inflow {
	_Atomic unsigned holders;
	_Atomic uint64_t bytes;  /* of plain text, so far */
	_Atomic int64_t last_us; /* when the last of them came */
};

/* With two holders; NULL if there is no memory. */
static inline struct inflow *
inflow_open(void)
{
	struct inflow *inflow = calloc(1, sizeof *inflow);
	if (inflow != NULL)
		atomic_init(&inflow->holders, 2);
	return inflow;
}

/* NULL is allowed. */
static inline void
inflow_release(struct inflow *inflow)
{
	if (inflow != NULL && atomic_fetch_sub_explicit(&inflow->holders, 1, memory_order_acq_rel) == 1)
		free(inflow);
}

static inline void
inflow_add(struct inflow *inflow, size_t bytes, int64_t now_us)
{
	atomic_store_explicit(&inflow->last_us, now_us, memory_order_relaxed);
	atomic_fetch_add_explicit(&inflow->bytes, bytes, memory_order_relaxed);
}

#endif

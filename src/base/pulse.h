/*
 * Whether a thread is alive: it is asked, and answers in its next turn.  Who asks
 * also wakes it, since a thread with nothing to do would not turn.
 */
#ifndef IUVOD_BASE_PULSE_H
#define IUVOD_BASE_PULSE_H

#include <stdatomic.h>
#include <stdbool.h>

struct pulse {
	_Atomic unsigned asked, answered;
};

/* The thread itself, once a turn. */
static inline void
pulse_answer(struct pulse *pulse)
{
	atomic_store_explicit(
	    &pulse->answered, atomic_load_explicit(&pulse->asked, memory_order_relaxed), memory_order_relaxed);
}

/* Whether it has turned since it was asked last; asks anew if so.  One thread asks. */
static inline bool
pulse_ask(struct pulse *pulse)
{
	unsigned asked = atomic_load_explicit(&pulse->asked, memory_order_relaxed);
	if (atomic_load_explicit(&pulse->answered, memory_order_relaxed) != asked)
		return false;
	atomic_store_explicit(&pulse->asked, asked + 1, memory_order_relaxed);
	return true;
}

#endif

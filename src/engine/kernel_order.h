/* What the order of moves needs of a kernel: included once by each kernel's file, all static. */
#ifndef IUVOD_ENGINE_KERNEL_ORDER_H
#define IUVOD_ENGINE_KERNEL_ORDER_H

#include "engine/kernel.h"

/*
 * The first of the greatest of some numbers, of which there is at least one.  The
 * greatest first, which the compiler finds several at a time, and then where it stands.
 */
static unsigned
order_kernel_best(const int *numbers, unsigned count)
{
	int most = numbers[0];
	unsigned at = 0;
	for (unsigned i = 1; i < count; i++)
		most = numbers[i] > most ? numbers[i] : most;
	while (numbers[at] != most)
		at++;
	return at;
}

#endif

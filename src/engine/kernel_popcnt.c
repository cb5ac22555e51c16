#include "engine/kernel.h"

#if KERNEL_HAS_POPCNT

#pragma GCC target("popcnt,bmi,bmi2")

#define KERNEL kernel_popcnt
#include "engine/kernel_iuvo.h"

#include "engine/kernel_halma.h"

#include "engine/kernel_table.h"

#endif

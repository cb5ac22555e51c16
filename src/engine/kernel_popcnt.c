#include "engine/kernel.h"

#if KERNEL_HAS_POPCNT

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("popcnt,bmi,bmi2,avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2")
#endif

#define KERNEL kernel_popcnt
#include "engine/kernel_iuvo.h"

#include "engine/kernel_halma.h"

#include "engine/kernel_halma_evaluate.h"

#include "engine/kernel_order.h"

#include "engine/kernel_table.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

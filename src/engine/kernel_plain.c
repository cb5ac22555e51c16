#include "engine/kernel.h"

#define KERNEL kernel_plain
#include "engine/kernel_iuvo.h"

#include "engine/kernel_halma.h"

#include "engine/kernel_halma_evaluate.h"

#include "engine/kernel_order.h"

#include "engine/kernel_table.h"

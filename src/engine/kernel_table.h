/* The end of a kernel's file: its table, under the name KERNEL. */

const struct kernel KERNEL = {
    .iuvo_moves = iuvo_kernel_moves,
    .iuvo_weigh = iuvo_kernel_weigh,
    .iuvo_find = iuvo_kernel_find,
    .iuvo_captures = iuvo_kernel_captures,
    .iuvo_count = iuvo_kernel_count,
    .iuvo_perft = iuvo_kernel_perft,
    .iuvo_evaluate = iuvo_kernel_evaluate,
    .halma_moves = halma_kernel_moves,
    .best = order_kernel_best,
    .halma_weigh = halma_kernel_weigh,
    .halma_count = halma_kernel_count,
    .halma_perft = halma_kernel_perft,
    .halma_terms = halma_kernel_terms,
    .halma_costs = halma_kernel_costs,
    .halma_evaluate = halma_kernel_evaluate,
};

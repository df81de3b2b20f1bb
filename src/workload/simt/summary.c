/* What is known of a program without running all of it. */
#include "workload/simt/parts.h"

int msw_simt_summarise(const msw_simt_product *product, msw_arena *arena, msw_summary *summary,
                       msw_err *err)
{
    (void)arena;
    (void)err;
    summary->units = product->cta_count;
    summary->footprint_bytes = product->footprint_bytes;
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* What analytic models may know of a program: from the kernels' own PTX. */
#include "workload/simt/front/parts.h"

#include "memsweep/workload/simt/estimate.h"

#include <math.h>

/* Accesses are 128-byte lines of global memory, bytes those of the 32-byte sectors in them. */
int msw_simt_summarise(const msw_simt_product *product, msw_arena *arena, msw_summary *summary,
                       msw_err *err)
{
    msw_simt_estimate estimate;
    double lines = 0, sectors = 0, written = 0;
    if (msw_simt_estimate_of(product, arena, &estimate, err))
        return -1;
    for (size_t k = 0; k < estimate.kernel_count; k++) {
        const msw_simt_kernel_use *use = &estimate.kernels[k];
        for (uint32_t i = 0; i < use->kernel->insn_count; i++) {
            lines += use->insns[i].lines;
            sectors += use->insns[i].sectors;
            written += use->kernel->insns[i].is_store ? use->insns[i].sectors : 0;
        }
    }
    summary->units = product->cta_count;
    summary->accesses = (uint64_t)llrint(lines);
    summary->bytes = 32 * (uint64_t)llrint(sectors);
    summary->footprint_bytes = product->footprint_bytes;
    summary->write_share = sectors > 0 ? written / sectors : 0;
    return 0;
}

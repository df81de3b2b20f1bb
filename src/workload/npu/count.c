/* SPDX-License-Identifier: MIT */
/* How many parameters a decoder has: what its products multiply with, of all experts and of those
 * that a token meets, the table of words where the head is another, and what is not multiplied. */
#include "memsweep/workload/decoder.h"

msw_decoder_parameters msw_decoder_count(const msw_decoder *d)
{
    uint64_t parts = d->plain ? 2 : 3, values = d->head * (2 * d->heads + 2 * d->kv_heads);
    uint64_t expert = parts * d->hidden * d->expert_inner, table = d->words * d->hidden;
    msw_decoder_parameters p = {.multiplied = table};
    uint64_t idle = 0;
    for (uint64_t l = 0; l < d->layers; l++) {
        bool experts = d->kinds && d->kinds[l] & MSW_DECODER_EXPERTS;
        p.multiplied += d->hidden * values;
        p.multiplied += experts ? d->hidden * (d->experts + parts * d->shared) + d->active * expert
                                : parts * d->hidden * d->inner;
        idle += experts ? (d->experts - d->active) * expert : 0;
    }
    p.all = p.multiplied + idle + d->others + (d->tied ? 0 : table);
    p.active = p.all - idle - d->idle_others;
    return p;
}

/* SPDX-License-Identifier: MIT */
/* The parts of the front end `decode`. */
#ifndef MSW_WORKLOAD_DECODE_PARTS_H
#define MSW_WORKLOAD_DECODE_PARTS_H

#include "memsweep/workload/decode.h"
#include "memsweep/workload/decoder.h"

/* Instructions that touch pages. */
enum { DECODE_WEIGHT, DECODE_KEY, DECODE_VALUE, DECODE_NEW_KEY, DECODE_NEW_VALUE, DECODE_PCS };

/* Which block of the caches has which tokens; the same for all layers, keys and values. */
typedef struct decode_table {
    const uint64_t *lengths; /* [sequence] tokens before the first step */
    const uint64_t *first;   /* [sequence] its place in `blocks` */
    const uint64_t *blocks;  /* [first + block of the sequence] block of the caches */
    uint64_t count;          /* of blocks of the caches */
} decode_table;

/* Makes the table. Returns 0, or -1. */
int decode_make_table(const msw_decode_config *config, decode_table *table, msw_arena *arena,
                      msw_err *err);

/* Makes the trace of all steps. Returns 0, or -1. */
int decode_make_trace(const msw_decode_config *config, const msw_decoder *shape,
                      const decode_table *table, msw_page_trace *trace, msw_arena *arena,
                      msw_err *err);

extern const msw_param decode_params[];

#endif

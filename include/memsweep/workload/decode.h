/* SPDX-License-Identifier: MIT */
/* decode: the front end of decoders that generate tokens for many sequences from a paged cache of
 * keys and values: which pages of caches and weights their kernels touch (docs/models/decode.md).
 */
#ifndef MEMSWEEP_WORKLOAD_DECODE_H
#define MEMSWEEP_WORKLOAD_DECODE_H

#include "memsweep/workload/pages.h"

enum { MSW_DECODE_PINNED, MSW_DECODE_PAGED };
enum { MSW_DECODE_FRESH, MSW_DECODE_WORN };

typedef struct msw_decode_config {
    int64_t model; /* of msw_decoders */
    int64_t layers, kv_heads, element_bytes;
    int64_t batch, context;
    double spread;
    int64_t steps, block, weights, table, group, quantum;
    int64_t sms, warps, split, line_instructions, open;
} msw_decode_config;

extern const msw_frontend msw_frontend_decode;

#endif

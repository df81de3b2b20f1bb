/* SPDX-License-Identifier: MIT */
/* Runs a whole stream of requests through a fresh memory. */
#ifndef MEMSWEEP_TESTS_DRAM_PLAY_H
#define MEMSWEEP_TESTS_DRAM_PLAY_H

#include "memsweep/sim/dram.h"

typedef struct dram_played {
    msw_dram_stats stats; /* of all channels */
    msw_dram_rates rates;
    uint64_t cycles;
} dram_played;

/* Returns what the stream met. */
dram_played dram_play(const msw_dram_config *config, const msw_dram_stream *stream);

/* The same with its first commands in `trace`; `traced`: how many there are. */
dram_played dram_play_traced(const msw_dram_config *config, const msw_dram_stream *stream,
                             msw_dram_command *trace, size_t capacity, size_t *traced);

#endif

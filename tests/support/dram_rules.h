/* SPDX-License-Identifier: MIT */
/* The timing rules once more, the slow way: every pair of commands, checked one by one, written
 * from the standards' definitions and sharing nothing with the model. */
#ifndef MEMSWEEP_TESTS_DRAM_RULES_H
#define MEMSWEEP_TESTS_DRAM_RULES_H

#include "memsweep/base/rng.h"
#include "memsweep/sim/dram.h"

typedef struct dram_history {
    const msw_dram_config *config;
    const msw_dram_command *command;
    size_t count;
} dram_history;

bool is_column(const msw_dram_command *c);

bool is_rank_wide(const msw_dram_command *c);

uint32_t rank_of(const msw_dram_config *c, const msw_dram_command *command);

uint32_t most(uint32_t a, uint32_t b);

/* Does `next` obey every rule given what has been issued on its channel? State is checked too. */
bool command_fits(const dram_history *h, const msw_dram_command *next);

msw_dram_config random_config(msw_rng *rng);

/* A source of requests that mixes walks, reuse of few rows and jumps. */
typedef struct dram_source {
    msw_rng rng;
    uint64_t walk, bursts;
    uint32_t burst_bytes, jump, write, pause; /* in 1/16 */
} dram_source;

dram_source random_source(msw_rng *rng, const msw_dram_config *c);

uint64_t source_next(dram_source *s, bool *is_write, uint64_t *wait);

#endif

/* SPDX-License-Identifier: MIT */
/* The scheduler of dram once more, the slow way: it looks at every request in every cycle and knows
 * the timing rules from dram_rules alone. */
#ifndef MEMSWEEP_TESTS_DRAM_REFEREE_H
#define MEMSWEEP_TESTS_DRAM_REFEREE_H

#include "dram_rules.h"

enum { REFEREE_REQUESTS = 250, REFEREE_TRACE = 60 * REFEREE_REQUESTS };

typedef struct referee_request {
    uint64_t arrival, address;
    bool is_write;
} referee_request;

/* Plays one channel's share of the requests, in order of their arrival. Returns the number of its
 * commands, which are in `trace`. */
size_t referee_play(const msw_dram_config *config, const referee_request *requests,
                    uint32_t channel, msw_dram_command *trace);

/* Plays the requests on every channel and on the model, and fails unless both issue the same
 * commands in the same cycles. Returns the number of commands. */
size_t referee_compare(const msw_dram_config *config, const referee_request *requests,
                       const char *name);

#endif

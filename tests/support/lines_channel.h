/* SPDX-License-Identifier: MIT */
/* Near-bank channels for tests: a small configuration with round timings, and a channel served
 * until nothing waits. */
#ifndef LINES_CHANNEL_H
#define LINES_CHANNEL_H

#include "memsweep/sim/dram_lines.h"

/* Returns one with one row buffer a bank, no refreshes and rows opened in any empty buffer. */
msw_dram_lines_config lines_config(uint32_t banks, uint32_t window);

/* Checks a configuration and starts a channel with it, idle. Returns it; the caller frees it. */
msw_dram_lines *lines_start(const msw_dram_lines_config *config);

/* Serves what is decided by `now`. Returns how many requests ended; `last` is the last of them. */
uint64_t lines_take(msw_dram_lines *lines, uint64_t now, msw_dram_lines_completion *last);

/* Serves all that waits. Returns how many requests ended; `last` is the last of them. */
uint64_t lines_take_all(msw_dram_lines *lines, msw_dram_lines_completion *last);

#endif

/* SPDX-License-Identifier: MIT */
/* dram_server: a transfer of b bytes holds the bus for b / bandwidth and is complete `latency`
 * cycles after it leaves the bus. For n transfers that arrive d apart and hold the bus for s each,
 * the bus is free at max(free + n s, a + n s, a + (n - 1) d + s): the busy period that ends it
 * began before the series, with its first or with its last transfer. */
#include "sim/dram/state.h"

void msw_dram_server_init(msw_dram_server *server, uint64_t latency, double bytes_per_cycle)
{
    server->latency = latency;
    server->ticks_per_byte = (uint64_t)((double)(1 << MSW_DRAM_TICK_BITS) / bytes_per_cycle + 0.5);
    server->free_tick = 0;
}

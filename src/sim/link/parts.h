/* SPDX-License-Identifier: MIT */
/* What the two files of link share. */
#ifndef MSW_SIM_LINK_PARTS_H
#define MSW_SIM_LINK_PARTS_H

#include "memsweep/sim/link.h"

#define LINK_NONE UINT32_MAX

/* Ticks that a transfer occupies its channel. */
uint64_t msw_link_duration(const msw_link *link, uint32_t direction, uint64_t bytes);

/* Cycle of delivery of what leaves the channel at `end_ticks`. */
uint64_t msw_link_delivery(const msw_link *link, uint64_t end_ticks);

/* Counts `count` transfers of `duration` ticks each given to the channel. */
void msw_link_account(msw_link *link, uint32_t direction, uint64_t bytes, uint64_t count,
                      uint64_t duration);

#endif

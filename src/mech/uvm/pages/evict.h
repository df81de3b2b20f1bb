/* SPDX-License-Identifier: MIT */
/* Private to uvm: what leaves a memory that is short (README.md, "Memory"). */
#ifndef MSW_MECH_UVM_EVICT_H
#define MSW_MECH_UVM_EVICT_H

#include "mech/uvm/pages/later.h"

/* Takes the write-back that a page waits for out of the queue: its pages stay. */
void uvm_rescue(uvm_pager *p, uint64_t page, uint64_t now);

/* Begins the first write-back that waits, at `earliest` ticks or when the last is over. Returns 0,
 * or -1. */
int uvm_start_out(uvm_pager *p, uint64_t now, uint64_t earliest);

#endif

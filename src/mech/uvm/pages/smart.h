/* SPDX-License-Identifier: MIT */
/* Private to uvm: the smart runtime of UVMSmart. */
#ifndef MSW_MECH_UVM_SMART_H
#define MSW_MECH_UVM_SMART_H

#include "mech/uvm/pages/pager.h"

/* Makes it, where it is asked for. Returns 0, or -1 when there is no memory. */
int uvm_smart_init(uvm_pager *p);

/* Notes a block that is brought. */
void uvm_smart_brings(uvm_pager *p, uint32_t block);

/* Chooses, when a unit has to leave. */
void uvm_smart_choose(uvm_pager *p);

#endif

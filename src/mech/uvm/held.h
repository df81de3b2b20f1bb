/* SPDX-License-Identifier: MIT */
/* Private to uvm: how many CTAs of a launch an SM holds. */
#ifndef MSW_MECH_UVM_HELD_H
#define MSW_MECH_UVM_HELD_H

#include "mech/uvm/config.h"
#include "mech/uvm/stream/stream.h"

/* Returns how many CTAs of a launch an SM holds at once; 0 with `err`: not one fits. */
uint32_t uvm_ctas_held(const uvm_config *config, const uvm_launch *launch, msw_err *err);

#endif

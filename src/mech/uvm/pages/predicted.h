/* Private to uvm: predictions under way. */
#ifndef MSW_MECH_UVM_PREDICTED_H
#define MSW_MECH_UVM_PREDICTED_H

#include "mech/uvm/pages/pager.h"

/* Asks for the prediction of a fault. Returns 0, or -1. */
int uvm_pager_ask(uvm_pager *p, uint64_t now, uint64_t page);

/* Takes the fault whose prediction is made by now. Returns whether there is one. */
bool uvm_pager_answered(uvm_pager *p, uint64_t now, uint64_t *page);

/* The pages that a prediction for a fault brings. Returns whether there are any. */
bool uvm_pager_predicted(const uvm_pager *p, uint64_t page, uint32_t *chunk, uvm_set *wanted);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to uvm: the requester of the closed form, and how it runs a launch. */
#ifndef MSW_MECH_UVM_REQUESTER_H
#define MSW_MECH_UVM_REQUESTER_H

#include "mech/uvm/closed/order.h"

/* The launch under way: rows of its order. */
typedef struct uvm_waves {
    const uvm_launch_order *order;
    size_t count;     /* rows that are run */
    size_t touched;   /* of the waves so far */
    size_t here;      /* of these, whose page has come */
    uint64_t *ready;  /* [SM][row] it can be touched, as bits */
    size_t words;     /* of an SM */
    size_t *first;    /* [SM] no row before it can be touched */
    uint64_t *faults; /* of this cycle */
    size_t fault_count;
    uint32_t *waits;  /* [row] the last row that waits for it + 1 */
    uint32_t *others; /* [row] another that waits for the same + 1 */
    uint32_t *row_of; /* [page] that waits for it + 1 */
    bool *has;        /* [row] its page has come */
    uint32_t wave;
    uint64_t *held, held_count; /* pages that wait for the end of their batch */
} uvm_waves;

typedef struct uvm_requester {
    const msw_task *task;
    const uvm_config *config;
    const uvm_layout *layout;
    uvm_pager pager;
    uvm_waves waves;
    uint64_t now;
    double *t;
    double pairs, walks; /* (SM, page); cycles of walks that are left out */
    uint64_t limit;
} uvm_requester;

/* Lets transfers and batches go on until then. Returns 0, or -1. */
int uvm_requester_pass(uvm_requester *r, uint64_t until);

/* Runs a launch. Returns 0, or -1. */
int uvm_requester_launch(uvm_requester *r, const uvm_launch_order *order);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to uvm: the requester of the closed form, and how it runs a launch. */
#ifndef MSW_MECH_UVM_REQUESTER_H
#define MSW_MECH_UVM_REQUESTER_H

#include "mech/uvm/closed/order.h"

enum { UVM_LEVELS = 3 };

/* A row that is read over the link, and when its last line is here. */
typedef struct uvm_far {
    uint64_t until;
    uint32_t row;
} uvm_far;

/* The launch under way: rows of its order. */
typedef struct uvm_waves {
    const uvm_launch_order *order;
    size_t count;                /* rows that are run */
    size_t touched;              /* of the waves so far */
    size_t here;                 /* of these, whose page has come */
    uint64_t *ready[UVM_LEVELS]; /* [SM][row] it can be touched, as bits; words of it that have any;
                                  * words of those */
    size_t words[UVM_LEVELS];    /* of an SM */
    size_t *first;               /* [SM] the first row that can be touched; count: none */
    uint32_t *turn;              /* [SM] its turn; UINT32_MAX: none */
    uint64_t *faults;            /* of this cycle */
    size_t fault_count;
    uint32_t *waits;  /* [row] the last row that waits for it + 1 */
    uint32_t *others; /* [row] another that waits for the same + 1 */
    uint32_t *row_of; /* [page] the last that waits for it + 1 */
    uint32_t *same;   /* [row] another that waits for the same page + 1 */
    bool *has;        /* [row] its page has come */
    uint32_t wave;
    uint64_t *held, held_count; /* pages that wait for the end of their batch */
    bool *is_held;              /* [page] */
    uvm_far *far;               /* rows that are read over the link, in the order of their ends */
    size_t far_head, far_tail;
    double each, each_far; /* cycles of computing of a row, or of a line where pages have visits;
                            * of a line that is read over the link */
} uvm_waves;

typedef struct uvm_requester {
    const msw_task *task;
    const uvm_config *config;
    const uvm_layout *layout;
    uvm_pager pager;
    uvm_waves waves;
    uint64_t now;
    bool visits; /* pages have a row for each visit */
    double *t;
    double pairs, walks; /* (SM, page); cycles of walks that are left out */
    uint64_t limit;
} uvm_requester;

/* Lets transfers and batches go on until then. Returns 0, or -1. */
int uvm_requester_pass(uvm_requester *r, uint64_t until);

/* Runs a launch. Returns 0, or -1. */
int uvm_requester_launch(uvm_requester *r, const uvm_launch_order *order);

#endif

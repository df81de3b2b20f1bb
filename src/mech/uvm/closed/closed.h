/* SPDX-License-Identifier: MIT */
/* Private to uvm: the order in which a program touches its pages, and the requester of the closed
 * form that follows it. */
#ifndef MSW_MECH_UVM_CLOSED_CLOSED_H
#define MSW_MECH_UVM_CLOSED_CLOSED_H

#include "mech/uvm/model.h"
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/stream/stream.h"

/* The order in which a program touches its pages, as far as that can be known
 * without time, and how many CTAs of a launch an SM holds. */

/* Returns how many CTAs of a launch an SM holds at once; 0 with `err`: not one fits. */
uint32_t uvm_ctas_held(const uvm_config *config, const uvm_launch *launch, msw_err *err);

typedef struct uvm_touch_row {
    uint64_t page;
    uint32_t after; /* row + 1 whose page its warp waits for before; 0: none of this launch */
    uint32_t wave;
    uint32_t turn, last; /* in its wave: rows of one turn are touched at once; of its last warp */
    uint32_t lines, accesses; /* of all warps that touch it with this row */
    uint16_t sm, warp;        /* warp: of its SM */
    bool written;
    bool met; /* some SM had not met the page before */
} uvm_touch_row;

typedef struct uvm_launch_order {
    const uvm_touch_row *rows; /* pages of managed arrays, each once per launch, or per visit */
    size_t count;
    uint64_t managed; /* lines of these pages */
    uint64_t instructions, threads, lines, accesses, waits;
    uint64_t pairs;                   /* (SM, page) that had not met before this launch */
    uint64_t cold;                    /* accesses with such a page */
    uint64_t turns;                   /* of the longest wave */
    uint64_t ctas, warps, waves, sms; /* sms: that have CTAs */
} uvm_launch_order;

typedef struct uvm_order {
    const uvm_launch_order *launches;
    size_t count;
} uvm_order;

/* What a task's artifacts know beforehand. Returns it. */
uvm_foreseen uvm_foreseen_of(const msw_task *task);

/* Builds it (an artifact). Returns 0, or -1 with `err`. */
int uvm_build_future(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);

/* Builds the order (an artifact): CTAs run in waves of as many as fit, warp after warp, a record
 * each in turn. Of each page it says which one the warp had to wait for before. Returns 0, or -1
 * with `err`. */
int uvm_build_order(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);

/* The same, with each page as often as it is visited: once in a round of records. Rounds are joined
 * where there would be too many rows. */
int uvm_build_visits(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);

/* The requester of the closed form, and how it runs a launch. */

enum { UVM_LEVELS = 3 };

/* A row that is read over the link, and when its last line is here. */
typedef struct uvm_far {
    uint64_t until;
    uint32_t row;
} uvm_far;

/* A row that has walks left for which the predictor is asked: as many in each turn. */
typedef struct uvm_asker {
    uint32_t row, left, each, turn;
} uvm_asker;

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
    uint64_t far_end;  /* when the last line of any is here */
    uvm_asker *askers; /* NULL: walks make no predictions */
    size_t asker_count;
    double owed;           /* cycles of computing that have not passed */
    double warp;           /* cycles that a warp takes alone */
    uint64_t warp_end;     /* the last of those that waited for pages is over then, or later */
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

/* Cycles of a launch whose pages are all there: issue, the ports, and what a warp waits for limit
 * it side by side. It takes no less than the largest and no more than the sum. Without the memory
 * nothing waits for lines: where all are read over the link, which is waited for itself. `warp`
 * gets what a warp of a wave takes alone. */
double uvm_compute_cycles(const uvm_config *c, const uvm_launch_order *o, bool memory,
                          double *warp);

/* Cycles that walks for pages which TLBs have lost may take and are not in the others: each access
 * may walk where it touches many pages and its SM more than its TLB holds; `pairs`: (SM, page) so
 * far. */
double uvm_walks_again(const uvm_config *c, const uvm_launch_order *o, double pairs);

/* Lets transfers and batches go on until then. Returns 0, or -1. */
int uvm_requester_pass(uvm_requester *r, uint64_t until);

/* Runs a launch. Returns 0, or -1. */
int uvm_requester_launch(uvm_requester *r, const uvm_launch_order *order);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to uvm: the order in which a program touches its pages, as far as that can be known
 * without time, and how many CTAs of a launch an SM holds. */
#ifndef MSW_MECH_UVM_ORDER_H
#define MSW_MECH_UVM_ORDER_H

#include "mech/uvm/config.h"
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/stream/stream.h"

/* Returns how many CTAs of a launch an SM holds at once; 0 with `err`: not one fits. */
uint32_t uvm_ctas_held(const uvm_config *config, const uvm_launch *launch, msw_err *err);

typedef struct uvm_touch_row {
    uint64_t page;
    uint32_t after; /* row + 1 whose page its warp waits for before; 0: none of this launch */
    uint32_t wave;
    uint32_t turn;            /* in its wave: rows of one turn are touched at once */
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

#endif

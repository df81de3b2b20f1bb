/* SPDX-License-Identifier: MIT */
/* Private to uvm: sampling. While no warp waits for a page, and nobody measures, the machine is
 * moved on by the cheap model: warps read their records in turn, at the pace measured before, and
 * only whether their pages are here is looked at. Rules: README.md, "Sampling". */
#ifndef MSW_MECH_UVM_SAMPLE_H
#define MSW_MECH_UVM_SAMPLE_H

#include "mech/uvm/machine/machine.h"

/* Totals that are estimated where the machine is not run in detail. */
enum {
    UVM_EST_BUSY,
    UVM_EST_MEMORY,
    UVM_EST_FAULT_WAIT,
    UVM_EST_TLB_HITS,
    UVM_EST_TLB_MISSES,
    UVM_EST_WALKS,
    UVM_EST_WALK_HITS,
    UVM_EST_JOINED,
    UVM_ESTIMATES,
};

/* How a program is cut. */
typedef struct uvm_cut {
    uint64_t unit;     /* accesses of warps in one; 0: the program is one unit */
    uint64_t units;    /* in all */
    uint64_t measured; /* of these */
    uint64_t lead;     /* accesses in detail before one that is measured */
    uint64_t settle;   /* cycles without a wait before the cheap model may take over */
} uvm_cut;

/* What the machine has done. */
typedef struct uvm_work {
    double accesses, fills; /* fills: of TLBs */
    double turns;           /* instructions over the warps that were there */
} uvm_work;

/* Of an SM in a slice of the cheap model: 0, or below where the slice before took too much. */
typedef struct uvm_room {
    int64_t issue, lines;
} uvm_room;

/* What a kernel's execution without waits takes, as measured so far. */
typedef struct uvm_pace {
    uvm_work work;
    double values[UVM_ESTIMATES];
    uint64_t learned; /* accesses in detail until it was known */
} uvm_pace;

/* The pages of a site that a warp found here, found by the first: they need no look-up again. */
typedef struct uvm_met {
    uint64_t page; /* + 1; 0: none */
    uint64_t age;  /* pages that had left by then */
    uint32_t shape;
    bool written;
} uvm_met;

struct uvm_sampler {
    uvm_cut cut;
    uvm_pace *paces;  /* [kernel] */
    uvm_met *met;     /* [sm][warp][slot] */
    uvm_room *budget; /* [sm] */
    /* what the machine is asked to do */
    uint64_t goal;   /* accesses at which it pauses */
    uint64_t detail; /* accesses from which on it runs in detail; UINT64_MAX: it need not */
    bool measures;   /* a unit */
    /* since the last look */
    double last[UVM_ESTIMATES];
    uint64_t last_accesses, last_fills, last_instructions;
    double last_warps;
    uint64_t near;       /* accesses until which a page that is not here may be met */
    bool free;           /* nobody waited then */
    uint64_t free_since; /* nobody has waited since */
    uint64_t held;       /* CTAs at once, of the launch under way */
    uint64_t accesses;   /* that the cheap model has made */
    /* sums */
    double made[UVM_ESTIMATES];     /* free: by detail in the unit under way */
    double expected[UVM_ESTIMATES]; /* the same, as the pace says */
    double rest[UVM_ESTIMATES];     /* all that is expected, and all that is not free */
    uvm_work worked;                /* free, in the unit under way */
};

/* Cuts a program. Returns how: one unit where sampling cannot pay or is not done. */
uvm_cut uvm_cut_of(const msw_task *task);

/* Makes the machine sample. Returns 0, or -1. */
int uvm_sampler_init(uvm_machine *m, const uvm_cut *cut);

/* A launch begins, and is over. */
void uvm_sampler_launch(uvm_machine *m);
void uvm_sampler_end(uvm_machine *m);

/* Between two steps of the machine: counts what the last one did, pauses at the goal, moves on by
 * the cheap model where that may be. Returns 0, or -1. */
int uvm_sampler_turn(uvm_machine *m);

/* Returns what the machine has done since the last time that this was asked. */
uvm_work uvm_work_since(uvm_machine *m);

/* Adds work to other work. */
void uvm_add_work(uvm_work *sum, const uvm_work *more);

/* Adds to `sum` what the pace of the kernel that runs says of so much work. */
void uvm_expect(const uvm_machine *m, const uvm_work *work, double *sum);

/* Adds what was measured to the pace of a kernel; what was measured before fades. */
void uvm_add_pace(uvm_pace *p, const double *made, const uvm_work *work);

/* Whether the last CTAs of a launch end, so that warps have the machine for themselves. */
bool uvm_runs_out(const uvm_machine *m);

/* Runs on to an access of the whole machine. `measures`: in detail all the way; else in detail from
 * the lead on. Returns 0, or -1. */
int uvm_sampler_run(uvm_machine *m, uint64_t goal, bool measures);

/* Moves on by the cheap model until somebody has to wait, a limit is met or the launch is over.
 * Returns 0, or -1. */
int uvm_fast(uvm_machine *m);

#endif

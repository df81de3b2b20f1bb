/* SPDX-License-Identifier: MIT */
/* Private to uvm: the cheap model's state, and what it asks of pages. */
#ifndef MSW_MECH_UVM_SAMPLE_PAGES_H
#define MSW_MECH_UVM_SAMPLE_PAGES_H

#include "mech/uvm/sample/sample.h"

typedef struct fast {
    uvm_machine *m;
    uvm_sampler *s;
    uint64_t start, end;  /* of the slice */
    int64_t issue, lines; /* room of the SM in it: instructions, ticks of lines */
    uvm_room *budget;     /* [sm] what it took too much of */
    uint64_t age;         /* pages that have left */
    uvm_work work;
    bool missed; /* a page was not here */
    bool near;   /* one will not be, soon */
    bool moved;  /* some warp went on in the slice */
    bool again;  /* warps were woken */
} fast;

/* Looks at the pages of the access that a warp makes at `time`: `missed` says that one is not here;
 * else it is made. Returns 0, or -1. */
int uvm_fast_pages(fast *f, uint32_t sm, uint32_t warp, uint64_t time);

/* Whether some warp is about to meet a page that is not here, if its addresses go on as they do:
 * detail begins before, so that warps that go in step fault in step. */
bool uvm_fast_near(const uvm_machine *m);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to uvm: SMs, their warps, the clock, and what is between an SM and the memory: lines
 * that wait for it, walks, and pages that enter the TLB when their answers are taken.
 *
 * Nothing that one SM does acts on another before a walk ends, and walks take the same time all:
 * so SMs run on their own up to the next thing that ends (a walk, a transfer, a batch of faults) or
 * for as long as a walk takes, whichever is earlier. */
#ifndef MSW_MECH_UVM_MACHINE_H
#define MSW_MECH_UVM_MACHINE_H

#include "mech/uvm/pages/pager.h"
#include "mech/uvm/stream/stream.h"

#include "memsweep/sim/tlb.h"

enum { UVM_MOST_WARPS = 64, UVM_MOST_SCHEDULERS = 8 };

typedef enum uvm_warp_state {
    UVM_FREE,   /* no warp is here */
    UVM_RUNS,   /* ready now or later */
    UVM_AWAITS, /* an access whose time is not known yet */
    UVM_AT_BARRIER,
    UVM_ENDED, /* but accesses are open */
} uvm_warp_state;

typedef struct uvm_warp {
    uvm_reader reader;
    const uvm_site *site; /* the record under way, NULL: none */
    uint64_t address;
    uint32_t state, cta, accesses, awaited;
    uint32_t scheduler;      /* of all */
    uint32_t open_accesses;  /* lines whose time is not known yet */
    uint8_t open[UVM_OPEN];  /* of access n % UVM_OPEN */
    uint64_t done[UVM_OPEN]; /* when its last line so far answers */
} uvm_warp;

typedef struct uvm_cta {
    uint32_t live, arrived; /* warps */
    uint64_t number;        /* in its launch */
    bool ended;             /* it waits for the link to be idle */
    uint64_t last;          /* when its last access so far answers */
} uvm_cta;

typedef struct uvm_walk {
    uint64_t end, page;
    uint8_t warp, access; /* which of the warp's open accesses */
    uint16_t pc;
    bool write, merged; /* merged: others of this SM wait for it */
    bool again;         /* it stalled before */
} uvm_walk;

typedef struct uvm_walks {
    uvm_walk *ring;
    uint64_t head, tail, mask;
} uvm_walks;

/* A page that enters the TLB when its answer is taken. */
typedef struct uvm_fill {
    uint64_t time, page;
} uvm_fill;

enum { UVM_TICKS = 64 }; /* of a cycle */

typedef struct uvm_sm {
    msw_tlb tlb;
    uint64_t *translated; /* by page, as bits, where the TLB holds all pages; NULL: it does not */
    uvm_warp *warps;
    uvm_cta *ctas;
    uint64_t ready[UVM_MOST_WARPS]; /* UINT64_MAX: not ready */
    uint8_t age[UVM_MOST_WARPS];    /* of a warp among those of its scheduler: 0 the oldest */
    uint64_t port;                  /* when the next line can be looked up */
    uint64_t walk_port;             /* when the next walk can begin */
    uint64_t answer_port;           /* when the next answer can be taken */
    uint64_t data;                  /* ticks: when the memory serves its next line */
    uint64_t lines;                 /* that it has sent, whose times memory_spread draws */
    uvm_fill *fills;                /* a ring: pages that enter the TLB, in order of time */
    uint64_t fill_head, fill_tail, fill_mask;
    uint64_t fill_next; /* not before the first of them */
    uvm_walks walks;
    /* SMs that run apart */
    uint64_t ending;    /* slots of CTAs that end at `cta_stop` or later, as bits */
    uint64_t cta_stop;  /* it runs no further before that is handled; UINT64_MAX: none */
    uint64_t walk_stop; /* a walk of it ends in a fault then; UINT64_MAX: none */
    /* with fault_registers */
    uint64_t *waits_for;         /* pages, as bits, that it has a register for */
    uvm_walks stalled;           /* walks that found none free */
    uint64_t registers, rewalks; /* taken, and stalled walks that walk again */
} uvm_sm;

/* Of cycles; powers of two. SMs run ahead of the clock by no more than the span. */
enum { UVM_SLICE = 64, UVM_SLICES = 4096, UVM_SPAN = UVM_SLICE * UVM_SLICES / 2 };

/* What happens in slices of time at and after the clock: account.c. */
typedef struct uvm_slices {
    uint64_t busy[UVM_SLICES / 64]; /* a ring of bits: some warp issues */
    uint64_t begun[UVM_SLICES];     /* a ring: cycles, as bits, at or before which lines begin to */
    uint32_t begins[UVM_SLICES];    /* wait for a page; how many do */
    uint64_t end;                   /* nothing issues or begins to wait from there on */
    int64_t waiting;                /* lines that began before the slice under way, and wait */
    uint64_t from, waited;          /* the slice under way: where it begins, cycles of waits */
} uvm_slices;

enum { UVM_ROW = 32 }; /* warps that are compared at once */

typedef struct uvm_scheduler {
    uint64_t now;
    uint64_t base;                             /* `soon` counts from it */
    uint32_t warp;                             /* the one that runs; UVM_MOST_WARPS: none */
    uint32_t warps, rows;                      /* that it has; rows of UVM_ROW */
    _Alignas(16) int16_t soon[UVM_MOST_WARPS]; /* by age: when a warp is ready; ready.h */
    uint8_t by_age[UVM_MOST_WARPS];
} uvm_scheduler;

/* Waits for a page that is not here. */
typedef struct uvm_waiter {
    uint32_t next; /* + 1; 0: the last */
    uint32_t sm;
    unsigned warp : 8, access : 8, pc : 15, write : 1;
} uvm_waiter;

typedef struct uvm_totals {
    uint64_t busy, memory, fault_wait, launch, host;
    uint64_t instructions, threads, accesses, lines;
    uint64_t tlb_hits, tlb_misses, walks, walk_hits, joined, stalled;
} uvm_totals;

/* Lines that wait for pages. */
typedef struct uvm_waiters {
    uint32_t *last_of; /* [page] its last waiter + 1 */
    uvm_waiter *list;
    uint32_t count, room, free;
    uint64_t now;      /* lines that wait for a page */
    uint64_t answered; /* lines that have answered after a walk */
} uvm_waiters;

/* Pages whose waiters wait for the end of a batch, too. */
typedef struct uvm_held {
    uvm_move *list;
    size_t count, room;
} uvm_held;

/* The launch under way. */
typedef struct uvm_grid {
    const uvm_launch *launch;
    uint16_t kernel;   /* its number */
    uint16_t launches; /* before it */
    uvm_heads heads;
    void *heads_memory;
    uvm_reader *readers; /* of one CTA */
    uint32_t first_sm;   /* that a CTA of the next launch comes to */
    uint64_t next_cta, live_ctas;
    uint64_t ended_ctas; /* that wait for the link to be idle */
    uint32_t ctas_held;
    uint64_t line_ticks; /* between two lines of an SM */
} uvm_grid;

/* Who receives what page_trace asks for, in place of the detail table. The call returns 0, or -1.
 */
typedef struct uvm_tap {
    int (*call)(void *self, const struct uvm_event *event);
    void *self;
} uvm_tap;

typedef struct uvm_machine {
    const uvm_config *config;
    const uvm_stream *stream;
    const uvm_layout *layout;
    const msw_task *task;
    msw_err *err;
    uvm_pager pager;
    uvm_sm *sms;
    uvm_scheduler *schedulers; /* [sm][scheduler] */
    uint64_t *next;            /* [scheduler] when it can do something; UINT64_MAX: it waits */
    uint64_t *walk_next;       /* [sm] when its first walk ends */
    uvm_waiters waiters;
    uint64_t work,
        again;   /* instructions and answers so far; their number when walks were last replayed */
    bool plain;  /* walks are reported to nobody, and none stalls */
    bool remote; /* TLBs may hold pages of the host */
    bool apart;  /* SMs run apart */
    uint64_t horizon; /* the next thing that the pager ends */
    uint64_t span;    /* UVM_SPAN; no answer depends on it */
    uvm_slices slices;
    uint64_t turn_end; /* the scheduler at work stops there for another of its SM */
    uint64_t *faults;  /* of this cycle */
    uvm_held held;
    uvm_grid grid;
    uint64_t clock;    /* all before is accounted for */
    uint64_t finished; /* when the last CTA so far is over */
    uint64_t limit;    /* instructions of threads; UINT64_MAX: all */
    uvm_totals totals;
    bool stopped; /* at a limit */
    uvm_tap tap;
} uvm_machine;

/* Makes a machine that has done nothing. Returns 0, or -1 with `err`. */
int uvm_machine_init(uvm_machine *m, const msw_task *task, msw_err *err);

/* Returns events so far. */
uint64_t uvm_events(const uvm_machine *m);

/* Whether the time or the events that the point may take are spent. */
bool uvm_over_limits(const uvm_machine *m);

/* Runs the program to its end, or until it is stopped. Returns 0, or -1. */
int uvm_machine_run(uvm_machine *m);

/* The same, and fills in what it gives. Returns 0, or -1. */
int uvm_machine_measure(uvm_machine *m, msw_unit_out *out);

/* ---- its parts ---- */

/* account.c: SMs that run apart note what they do, at any time from the clock on: a warp issues
 * between two cycles, a line begins to wait for its page. */
void uvm_mark_busy(uvm_machine *m, uint64_t from, uint64_t end);
void uvm_mark_wait(uvm_machine *m, uint64_t from);

/* Nothing is noted yet. */
void uvm_slices_start(uvm_machine *m);

/* Moves the clock: all before `until` is known. */
void uvm_account(uvm_machine *m, uint64_t until);

/* Nothing more happens in the current slice of the clock. */
void uvm_account_end(uvm_machine *m);

/* warps.c: lets the schedulers of an SM issue up to `end`, in order of time: what they share is
 * taken in that order, wherever `end` cuts. Returns 0, or -1. */
int uvm_issue(uvm_machine *m, uint32_t sm, uint64_t end);

/* ctas.c: a warp can issue from `time` on; or cannot, until it is woken. */
void uvm_wake(uvm_machine *m, uint32_t sm, uint32_t warp, uint64_t time);
void uvm_block(uvm_machine *m, uint32_t sm, uint32_t warp, uvm_warp_state state);

/* A barrier is complete: all warps of a CTA that are at it go on. */
void uvm_release(uvm_machine *m, uint32_t sm, uint32_t slot, uint64_t time);

/* A warp is over; its CTA, too, if it was the last. Returns 0, or -1. */
int uvm_end_warp(uvm_machine *m, uint32_t sm, uint32_t warp, uint64_t time);

/* Ends the CTAs that have waited for the link, once it is idle. Returns 0, or -1. */
int uvm_end_waiting(uvm_machine *m, uint64_t now);

/* Ends CTAs whose end at `now` had to be handled in common. Returns 0, or -1. */
int uvm_end_ctas(uvm_machine *m, uint32_t sm, uint64_t now);

/* Puts CTAs on an SM where one fits. Returns 0, or -1. */
int uvm_start_cta(uvm_machine *m, uint32_t sm, uint32_t slot, uint64_t time);

/* port.c: makes room for more pages that enter the TLB. Returns 0, or -1. */
int uvm_grow_fills(uvm_machine *m, uvm_sm *sm);

/* Puts pages whose time has come into the TLB. */
void uvm_take_fills(uvm_machine *m, uvm_sm *sm, uint64_t time);

/* All warps of an SM are free, none is older than another. */
void uvm_ages_init(uvm_machine *m, uint32_t sm);

/* A scheduler none of whose warps is ready. */
void uvm_scheduler_start(uvm_scheduler *s, uint64_t now);

/* walks.c: looks the lines of an access up and begins walks. Returns 0, or -1. */
int uvm_access(uvm_machine *m, uint32_t sm, uint32_t warp, uint64_t time);

/* Ends walks of an SM up to `now`, and adds faults to those of this cycle. Returns 0, or -1. */
int uvm_end_sm_walks(uvm_machine *m, uint32_t sm, uint64_t now, size_t *faults);

/* Ends those of `now` that do not fault. Returns 1 where one does: it and later ones are left; else
 * 0, or -1. */
int uvm_end_local_walks(uvm_machine *m, uint32_t sm, uint64_t now);

/* registers.c: makes room for more walks. Returns 0, or -1. */
int uvm_grow_walks(uvm_machine *m, uvm_walks *walks);

/* Is the page being walked for by this SM already? */
uvm_walk *uvm_find_walk(const uvm_walks *walks, uint64_t page);

/* Whether a walk that found its page missing has to stall, as its SM can wait for
 * no further page; else it has a register. */
bool uvm_stalls(uvm_machine *m, uvm_sm *sm, const uvm_walk *walk);

/* A page that an SM waited for has come. */
void uvm_free_register(uvm_sm *sm, uint64_t page);

/* Walks that stalled walk again, as many as there are registers. Returns 0, or -1. */
int uvm_walk_again(uvm_machine *m, uint32_t sm, uint64_t now);

/* replay.c: what is over on the link in this cycle: what waited for it goes on, or is held until
 * all of its batch is here. Returns 0, or -1. */
int uvm_step_pager(uvm_machine *m, uint64_t now);

/* port.c: what a predictor learns of a walk, which an access of site `slot` made. Returns it. */
struct uvm_event uvm_event_of(const uvm_machine *m, uint32_t sm, uint32_t warp, uint32_t slot,
                              uint64_t page);

/* A row of the detail table pages, or what the tap receives. Returns 0, or -1. */
int uvm_tell_page(const uvm_machine *m, uint64_t time, uint32_t sm, const uvm_walk *walk);

/* A page has left the device. */
void uvm_page_gone(void *machine, uint64_t page, uint64_t time);

/* ---- the TLB ---- */

/* Puts pages whose time has come into the TLB. */
static inline void uvm_fill_until(uvm_machine *m, uvm_sm *sm, uint64_t time)
{
    if (sm->fill_next <= time)
        uvm_take_fills(m, sm, time);
}

/* Whether an SM's TLB has a page, which counts as its use. */
static inline bool uvm_translates(const uvm_machine *m, uvm_sm *sm, uint64_t page)
{
    if (sm->translated)
        return sm->translated[page / 64] >> page % 64 & 1;
    return msw_tlb_probe(&sm->tlb, 0, page << m->layout->shift) != UINT64_MAX;
}

/* ---- the memory ---- */

/* Returns the earliest time from `time` on at which an SM can send a line whose memory is taken
 * until `data`, in ticks. */
static inline uint64_t uvm_can_send(const uvm_machine *m, uint64_t data, uint64_t time)
{
    uint64_t room = (uint64_t)m->config->sm_queue * m->grid.line_ticks;
    uint64_t full = data > room ? (data - room) / UVM_TICKS : 0;
    return msw_max_u64(time, full);
}

/* Returns by how much a line of an SM is later than the earliest, drawn by its number: a Weyl
 * sequence, spread over all bits. */
static inline uint64_t uvm_drawn(uvm_sm *sm, uint32_t number, uint64_t spread)
{
    uint64_t x = ((uint64_t)number << 40 | ++sm->lines) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93u;
    return (x >> 32) * (spread + 1) >> 32;
}

/* Sends a line. Returns when it answers. */
static inline uint64_t uvm_served(const uvm_machine *m, uint32_t number, uint64_t *data,
                                  uint64_t time)
{
    const uvm_config *c = m->config;
    uint64_t start = msw_max_u64(*data, time * UVM_TICKS), spread = (uint64_t)c->memory_spread;
    uint64_t latency = (uint64_t)(c->path_cycles + c->memory_cycles);
    *data = start + m->grid.line_ticks;
    if (spread)
        latency =
            latency - msw_min_u64(latency, spread / 2) + uvm_drawn(&m->sms[number], number, spread);
    return start / UVM_TICKS + latency;
}

/* ---- walks ---- */

/* Appends a walk to a ring. Returns 0, or -1. */
static inline int uvm_add_walk(uvm_machine *m, uvm_walks *walks, const uvm_walk *walk)
{
    if ((walks->tail - walks->head > walks->mask || !walks->ring) && uvm_grow_walks(m, walks))
        return -1;
    walks->ring[walks->tail++ & walks->mask] = *walk;
    return 0;
}

/* Begins a walk. Returns 0, or -1. */
static inline int uvm_begin_walk(uvm_machine *m, uint32_t number, uvm_walk walk, uint64_t time)
{
    uvm_sm *sm = &m->sms[number];
    uvm_walks *walks = &sm->walks;
    if (m->config->merge_walks && uvm_find_walk(walks, walk.page)) {
        walk.end = walks->ring[(walks->tail - 1) & walks->mask].end;
        walk.merged = true;
    } else {
        time = msw_max_u64(time, sm->walk_port);
        sm->walk_port = time + 1;
        walk.end = time + (uint64_t)m->config->walk_cycles;
        m->totals.walks++;
    }
    if (walks->head == walks->tail)
        m->walk_next[number] = walk.end;
    return uvm_add_walk(m, walks, &walk);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Private to htmmu: the machine. Requester, router and banks (dispatch.c), their miss registers,
 * second TLB and page-table unit (walks.c), time and units (units.c).
 *
 * The clock is that of look-ups that end: a request dispatched at t is looked up at clock
 * t + l1_cycles, with the first TLB as it is then. Events of equal time: walks end, then the second
 * TLB answers, then requests are dispatched. */
#ifndef MSW_MECH_HTMMU_MACHINE_MACHINE_H
#define MSW_MECH_HTMMU_MACHINE_MACHINE_H

#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"
#include "mech/htmmu/stream.h"

#define HTMMU_NEVER UINT64_MAX
#define HTMMU_NONE  UINT32_MAX

enum {
    HTMMU_MSHRS = 64,
    HTMMU_UNREGISTERED = UINT16_MAX, /* position of a miss without a register */
    HTMMU_SLOTS = 16,                /* units under way at once */
};

/* A request that missed. */
typedef struct htmmu_miss {
    uint64_t page, made, taken;
    uint64_t arrival; /* at the second TLB */
    uint32_t next;    /* in a list of those who wait with it, or of free records */
    uint32_t held;    /* first of those that wait in its register */
    uint32_t unit;
    uint16_t position; /* of its register in the bank's list, or HTMMU_UNREGISTERED */
    uint8_t bank;
} htmmu_miss;

typedef struct htmmu_bank {
    uint64_t misses;
    uint64_t blocked, since; /* cycles without taking requests; when the last such time began */
    uint32_t parked;         /* a miss that waits for a register, or HTMMU_NONE */
    uint32_t in_use;         /* registers */
    uint32_t *registers;     /* the misses that hold them, in no order */
    uint64_t *pages;         /* theirs; HTMMU_NEVER behind them */
} htmmu_bank;

/* A ring of numbers; its owner knows that it cannot overflow. */
typedef struct htmmu_ring {
    uint64_t *items;
    uint64_t head, tail;
    uint64_t mask;
} htmmu_ring;

typedef struct htmmu_counts {
    uint64_t stack[HTMMU_CAUSES];
    uint64_t requests, diverted, l1_hits, l1_misses, held;
    uint64_t l2_lookups, l2_hits, replayed, ptu_requests, events;
    uint64_t banks[HTMMU_BANKS];
    msw_walker_stats walker;
    htmmu_memory_stats memory;
} htmmu_counts;

/* What is known of a unit's requests when they are answered. */
typedef struct htmmu_slot {
    htmmu_counts before; /* at its first dispatch */
    uint64_t wait, wait_accepted, wait_max;
    uint64_t open;    /* dispatched and not answered */
    uint32_t *waits;  /* by bucket */
    int first, after; /* buckets outside are 0 */
} htmmu_slot;

/* Takes visits from the stream and dispatches their requests. */
typedef struct htmmu_requester {
    uint64_t position;  /* requests dispatched */
    uint64_t generated; /* time of the request to come; closed loop: of its slot */
    uint64_t skipped;   /* cycles that were jumped over: not in any time here */
    htmmu_ring window;  /* when its slots became free */
    uint64_t visit, visit_left;
    uint64_t port_time, port_free; /* of the last request, of the next */
    uint32_t port_used;            /* in that cycle */
    bool turns;                    /* to the first free bank from the preferred one on */
    msw_page page;                 /* of the visit */
    uint64_t page_key;             /* msw_page_key of it */
    uint32_t preferred;            /* bank of the visit */
    uint32_t routes[HTMMU_BANKS][HTMMU_BANKS]; /* requests: bank named, bank gone to */
    uint32_t resident; /* banks known to hold the page of the visit, used last there */
    uint32_t absent;   /* banks known not to hold it */
} htmmu_requester;

/* Misses of the banks on their way through second TLB and page-table unit. */
typedef struct htmmu_misses {
    htmmu_miss *list;
    uint32_t free;
    htmmu_ring l2_queue, ptu_queue;
    uint64_t l2_time, l2_free, l2_next; /* of its last look-up, when it can do another, and does */
    uint32_t l2_used;                   /* look-ups at l2_time */
    bool l2_stalled;
    uint64_t l2_open;                 /* misses of the second TLB under way */
    uint32_t *waiters, *last_waiters; /* by walk: those it answers */
    msw_block refusal;                /* why the queue of the page-table unit does not move */
    uint64_t last_page; /* missed in the second TLB and walked; no walk has ended since */
    uint32_t last_walk;
} htmmu_misses;

/* The units under way. */
typedef struct htmmu_units {
    uint64_t current, oldest;          /* dispatched from, measured */
    uint64_t next;                     /* first visit of the unit behind it */
    uint64_t counted_from;             /* requests of earlier units are not */
    htmmu_slot slots[HTMMU_SLOTS + 1]; /* the last: of no unit */
} htmmu_units;

/* Visits that walked last, in parts of the stream that were skipped or passed, up to `until`. */
enum { HTMMU_WALKERS = 256 };
typedef struct htmmu_walked {
    uint32_t visits[HTMMU_WALKERS];
    uint64_t count, until;
} htmmu_walked;

typedef struct htmmu_machine {
    const htmmu_config *config;
    const htmmu_stream *stream;
    const uint64_t *times; /* of the accesses, for HTMMU_TIMED */
    const uint16_t *requesters;
    msw_tlb l1, l2;
    msw_walker walker;
    htmmu_memory memory;
    void *tlb_memory[2], *walker_memory;

    uint64_t clock;
    htmmu_counts counts;
    htmmu_cause cause; /* of the dispatch to come */
    htmmu_bank banks[HTMMU_BANKS];
    uint32_t streams, mshrs;
    bool asks_registers;         /* whether a miss looks for its page in them first */
    bool passes_registers;       /* and goes on next to them when it is there */
    uint32_t all_banks, stalled; /* bit per bank; stalled: with a parked miss */
    uint32_t taken;              /* banks that can take nothing more at `taken_time` */
    uint64_t taken_time;
    uint64_t l1_cycles, l2_cycles;
    bool has_l2;

    htmmu_requester requester;
    htmmu_misses misses;
    htmmu_units units;
    htmmu_walked walked;
} htmmu_machine;

/* Returns the bytes of memory that a machine needs. */
size_t htmmu_machine_bytes(const htmmu_config *config);

/* Starts empty, at time 0, before the first request. Returns 0, or -1. */
int htmmu_machine_init(htmmu_machine *machine, const msw_task *task, void *memory, msw_err *err);

/* Passes a visit through TLBs and path caches without time. */
void htmmu_machine_warm(htmmu_machine *machine, uint64_t number);

/* The same with all visits from the present one to `visit` that matter to those before `end`.
 * Returns the visits in which as many pages were used as the last TLB holds, or UINT64_MAX. */
uint64_t htmmu_machine_warm_many(htmmu_machine *machine, uint64_t visit, uint64_t end);

/* ---- stretches of the stream, joined (closed/analytic.c) ---- */

/* Counts no unit: all waits are those of one slot, which it returns. */
htmmu_slot *htmmu_machine_join(htmmu_machine *machine);

/* Goes on at the first request of a unit, with what is under way. Requests of the times of a trace,
 * or of an open loop, come as much later as those before it did. Returns what warming does. */
uint64_t htmmu_machine_splice(htmmu_machine *machine, uint64_t unit, uint64_t end);

/* Goes on until all requests before `position` have been dispatched. */
void htmmu_machine_pass(htmmu_machine *machine, uint64_t position);

/* Goes on, with no request more, until all are answered. */
void htmmu_machine_drain(htmmu_machine *machine);

htmmu_counts htmmu_counts_now(const htmmu_machine *machine);

/* Fills the totals that lie between two counts. */
void htmmu_fill_counts(const htmmu_counts *from, const htmmu_counts *to, double *totals);

/* The slot of a unit that is not yet measured. */
static inline htmmu_slot *htmmu_slot_of(htmmu_machine *machine, uint64_t unit)
{
    uint64_t last = machine->units.oldest + HTMMU_SLOTS - 1;
    if (unit < machine->units.counted_from)
        return &machine->units.slots[HTMMU_SLOTS];
    unit = unit < machine->units.oldest ? machine->units.oldest : unit > last ? last : unit;
    return &machine->units.slots[unit % HTMMU_SLOTS];
}

/* ---- units under way ---- */

void htmmu_clear_slot(htmmu_slot *slot);

/* The next request is the first of a unit. */
void htmmu_enter_unit(htmmu_machine *machine, uint64_t unit);

/* ---- dispatch ---- */

/* When the next request can be dispatched, as a clock; HTMMU_NEVER: something must happen first, or
 * there is none. Sets `cause`. */
uint64_t htmmu_dispatch_time(htmmu_machine *machine, uint32_t *bank);

/* Dispatches it. Returns whether it missed or was the last of a visit. */
bool htmmu_dispatch(htmmu_machine *machine, uint32_t bank, uint64_t time);

/* Time of request `position`, of access `access`, when it does not depend on answers. */
uint64_t htmmu_generated(const htmmu_machine *machine, uint64_t position, uint64_t access);

/* Prepares for the request to come. */
void htmmu_go_on(htmmu_machine *machine);

/* ---- registers ---- */

/* A miss takes a register and goes on to the second TLB. */
void htmmu_take_register(htmmu_machine *machine, uint32_t miss);

/* A miss goes on beside the register that its bank holds for its page. */
void htmmu_pass_register(htmmu_machine *machine, uint32_t miss);

/* A bank takes no requests until what holds it up has left it. */
void htmmu_block_bank(htmmu_machine *machine, uint32_t bank);

/* ---- second TLB and page-table unit ---- */

void htmmu_l2_answer(htmmu_machine *machine);

/* Ends all walks that end now, and lets go on what waited for them. */
void htmmu_end_walks(htmmu_machine *machine);

/* A bank takes nothing more in this cycle. */
static inline void htmmu_take_bank(htmmu_machine *m, uint32_t bank)
{
    uint32_t still = m->taken_time == m->clock;
    m->taken = (m->taken & -still) | (uint32_t)1 << bank;
    m->taken_time = m->clock;
}

/* A request of a slot's unit is answered. */
static inline void htmmu_count_wait(htmmu_slot *slot, uint64_t wait, uint64_t accepted)
{
    slot->wait += wait;
    slot->wait_accepted += accepted;
    slot->wait_max = msw_max_u64(wait, slot->wait_max);
    int bucket = msw_histogram_bucket_of(wait);
    slot->waits[bucket]++;
    slot->first = bucket < slot->first ? bucket : slot->first;
    slot->after = bucket < slot->after ? slot->after : bucket + 1;
}

static inline void htmmu_ring_push(htmmu_ring *ring, uint64_t item)
{
    ring->items[ring->tail++ & ring->mask] = item;
}

static inline bool htmmu_ring_empty(const htmmu_ring *ring)
{
    return ring->head == ring->tail;
}

static inline uint64_t htmmu_ring_head(const htmmu_ring *ring)
{
    return ring->items[ring->head & ring->mask];
}

#endif

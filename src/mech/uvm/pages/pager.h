/* Private to uvm: which pages are where, what a fault brings, and the link that brings it.
 *
 * The pager knows no warps: whoever replays tells it of faults and touches, asks when the next
 * transfer is over, and is told which pages have come. */
#ifndef MSW_MECH_UVM_PAGER_H
#define MSW_MECH_UVM_PAGER_H

#include "mech/uvm/config.h"
#include "mech/uvm/pages/layout.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/link_curve.h"

typedef enum uvm_where {
    UVM_ON_HOST,
    UVM_QUEUED, /* it waits for the link or is on it */
    UVM_VALID,
} uvm_where;

/* Flags of a page. */
enum {
    UVM_DIRTY = 1,
    UVM_USED = 2,            /* touched since it was asked for */
    UVM_SEEN = 4,            /* touched before, now or ever */
    UVM_PREFETCHED = 8,      /* brought without a fault of its own */
    UVM_FAULTED = 16,        /* a fault of this cycle asks for it */
    UVM_BEFORE = 32,         /* was on the device before */
    UVM_REQUESTED_PAGE = 64, /* a walk has asked for it since it was asked for */
};

typedef enum uvm_cause { UVM_DEMAND, UVM_AHEAD, UVM_SYNC_BACK, UVM_FAULT_WORK } uvm_cause;

/* A transfer of pages in a row. */
typedef struct uvm_move {
    uint64_t first;
    uint32_t count;
    uint32_t cause;
} uvm_move;

/* One direction of the link: one transfer at a time, first come, first served. */
typedef struct uvm_channel {
    uvm_move *moves; /* a ring */
    uint64_t head, tail, mask;
    uint64_t free;  /* ticks: end of the last transfer */
    uint64_t until; /* cycle in which the one under way is over; UINT64_MAX: none */
    uint64_t busy;  /* ticks */
    uint64_t bytes, transfers;
} uvm_channel;

typedef struct uvm_counts {
    uint64_t faults;     /* far faults */
    uint64_t pages_in;   /* migrations to the device */
    uint64_t prefetched; /* of these without a fault of their own */
    uint64_t used, prefetched_used;
    uint64_t touched;          /* different pages */
    uint64_t first, first_met; /* first touches; those that met the page here or on its way */
    uint64_t late;             /* first touches of prefetched pages still on their way */
    uint64_t back;             /* pages to the host */
    uint64_t again;            /* migrations of pages that had been here before */
} uvm_counts;

#define UVM_NO_PREDICTION UINT32_MAX

/* A fault that waits for its prediction. */
typedef struct uvm_asked {
    uint64_t until, page;
} uvm_asked;

typedef struct uvm_asking {
    uvm_asked *ring;
    uint64_t head, tail, room;
    uint64_t free; /* when the last prediction so far is made */
} uvm_asking;

typedef struct uvm_pager {
    const uvm_config *config;
    const uvm_layout *layout;
    const msw_link_curve *curve; /* NULL: a fixed bandwidth */
    uint8_t *where, *flags;      /* [page] */
    uint32_t *leaves;            /* [chunk]: blocks that are or will be valid, as the tree counts */
    uvm_channel in, out;
    uint64_t fault_cycles;
    /* batched faults */
    uint64_t *waiting, waiting_count, waiting_room;
    uint64_t batch_until;            /* the handler works on a batch; UINT64_MAX: it does not */
    uint64_t batch_moves, batch_end; /* transfers of the batch that must be over: up to this tail */
    uint64_t *batch, batch_count;
    const uint32_t *predictions; /* [page] that a fault on it names, or NULL */
    uvm_asking asking;
    uint64_t predicted_until; /* the next prediction is made; UINT64_MAX: none */
    msw_rng draws;            /* of random prefetching: the same for all seeds */
    uvm_counts counts;
    const msw_task *task; /* for detail rows; NULL: none */
    msw_arena *arena;
    msw_err *err;
} uvm_pager;

/* Makes the pager: all pages on the host. Returns 0, or -1 with `err`. */
int uvm_pager_init(uvm_pager *p, const uvm_config *config, const uvm_layout *layout,
                   const msw_link_curve *curve, msw_arena *arena, msw_err *err);

/* Handles the faults of one cycle, in the order of their walks. Returns 0, or -1. */
int uvm_pager_fault(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count);

/* Tells of an access whose walk has ended, before its fault is handled. */
void uvm_pager_request(uvm_pager *p, uint64_t page, bool write);

/* Tells of an access that counts as a touch of its page. */
void uvm_pager_touch(uvm_pager *p, uint64_t page);

/* Returns the cycle of the next thing that ends by itself, UINT64_MAX: nothing will. */
static inline uint64_t uvm_pager_next(const uvm_pager *p)
{
    uint64_t next = p->in.until < p->out.until ? p->in.until : p->out.until;
    next = next < p->predicted_until ? next : p->predicted_until;
    return next < p->batch_until ? next : p->batch_until;
}

/* Ends what is over in this cycle. `come` gets the pages that have come: `count` from `first` on;
 * 0: none. Returns 0, or -1. */
int uvm_pager_step(uvm_pager *p, uint64_t now, uvm_move *come);

/* Queues all managed pages, chunk by chunk, as transfers ahead of any fault. Returns 0, or -1. */
int uvm_pager_bulk(uvm_pager *p, uint64_t now);

/* Sends dirty pages of a range back to the host, those between first and end; with `clean` all that
 * are here. `gone` is called for each page. Returns 0, or -1. */
int uvm_pager_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end, bool clean,
                   void (*gone)(void *self, uint64_t page), void *self);

/* Fills the metrics that the pager counts, and what faults cost beside the cycles. */
void uvm_fill_pages(const uvm_pager *p, double *totals);

/* Returns the ticks that a transfer takes. */
uint64_t uvm_pager_ticks(const uvm_pager *p, uint64_t bytes);

/* ---- what a fault brings: policy.c ---- */

enum { UVM_CHUNK_WORDS = UVM_CHUNK_BYTES / 4096 / 64 };

/* Pages of one chunk, as bits. */
typedef struct uvm_set {
    uint64_t words[UVM_CHUNK_WORDS];
} uvm_set;

/* Fills `wanted` with what the prefetcher adds to the faults of a chunk, whose pages are in it. */
void uvm_policy(uvm_pager *p, uint32_t chunk, uvm_set *wanted);

#endif

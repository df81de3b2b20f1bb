/* SPDX-License-Identifier: MIT */
/* Private to uvm: pages, blocks of 64 KiB and chunks of 2 MiB of the arrays of a program; which
 * pages are where, what a fault brings, and the link that brings it.
 *
 * The pager knows no warps: whoever replays reports faults and touches to it, asks when the next
 * transfer is over, and gets the pages that have come. */
#ifndef MSW_MECH_UVM_PAGER_H
#define MSW_MECH_UVM_PAGER_H

#include "mech/uvm/model.h"
#include "memsweep/base/rng.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/link_curve.h"
#include "memsweep/workload/pages.h"
#include "memsweep/workload/simt.h"

#define UVM_NO_CHUNK UINT32_MAX

/* What a tree covers: 2 MiB of an allocation, its last chunk rounded up to 64 KiB x 2^i. */
typedef struct uvm_chunk {
    uint64_t first;  /* page */
    uint32_t pages;  /* with what the rounding adds */
    uint32_t real;   /* up to the last one of an array */
    uint32_t leaves; /* blocks, a power of two */
    uint32_t array;  /* number of the allocation */
} uvm_chunk;

typedef struct uvm_layout {
    uint64_t base; /* address of page 0 */
    unsigned shift;
    uint64_t pages;
    uint32_t block_pages;
    const uint32_t *chunk_of; /* [page]; UVM_NO_CHUNK: not managed */
    const uvm_chunk *chunks;
    uint32_t chunk_count, arrays;
    const uint64_t *exists; /* by page, bits: it is of a managed array, not of the rounding alone */
    uint64_t managed;       /* pages that exist */
} uvm_layout;

/* Whether a managed array lies on a page. */
static inline bool uvm_exists(const uvm_layout *l, uint64_t page)
{
    return l->exists[page / 64] >> page % 64 & 1;
}

/* Builds the layout of a program (an artifact). Returns 0, or -1 with `err`. */
int uvm_build_layout(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);

/* Makes it. Returns it, or NULL with `err`. */
const uvm_layout *uvm_layout_of(const msw_simt_product *program, uint64_t page_size,
                                msw_arena *arena, msw_err *err);

typedef enum uvm_where {
    UVM_ON_HOST,
    UVM_QUEUED, /* it waits for the link or is on it */
    UVM_VALID,
} uvm_where;

enum { UVM_CHUNK_WORDS = UVM_CHUNK_BYTES / 4096 / 64 };

/* Pages of one chunk, as bits. */
typedef struct uvm_set {
    uint64_t words[UVM_CHUNK_WORDS];
} uvm_set;

/* Flags of a page. */
enum {
    UVM_DIRTY = 1,
    UVM_USED = 2,            /* touched since it was asked for */
    UVM_SEEN = 4,            /* touched before, now or ever */
    UVM_PREFETCHED = 8,      /* brought without a fault of its own */
    UVM_FAULTED = 16,        /* a fault of this cycle asks for it */
    UVM_BEFORE = 32,         /* was on the device before */
    UVM_REQUESTED_PAGE = 64, /* a walk has asked for it since it was asked for */
    UVM_HELD = 128,          /* a fault that waits for its prediction brings it */
};

typedef enum uvm_cause {
    UVM_DEMAND,
    UVM_AHEAD,
    UVM_SYNC_BACK,
    UVM_FAULT_WORK,
    UVM_EVICT_BACK,
} uvm_cause;

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
    uint64_t touched;            /* different pages */
    uint64_t first, first_met;   /* first touches; those that met the page here or on its way */
    uint64_t late;               /* first touches of prefetched pages still on their way */
    uint64_t back;               /* pages to the host */
    uint64_t evictions, evicted; /* units, pages */
    uint64_t remote, notices, naps, pins;
    uint64_t again; /* migrations of pages that had been here before */
} uvm_counts;

enum { UVM_UNIT_PAGE, UVM_UNIT_BLOCK, UVM_UNIT_CHUNK };

/* What is in the device's memory, and what leaves it. A unit is what the policy evicts: a page, a
 * block or a chunk; units with pages here are in a list, those to leave first at its head. */
typedef struct uvm_memory {
    bool watch;                     /* accesses must be reported */
    bool short_once;                /* memory has been short */
    uint64_t capacity;              /* pages; UINT64_MAX: any number */
    uint64_t used;                  /* pages that have a place, those that leave included */
    uint64_t queued;                /* pages that wait for the link */
    uint64_t leaving;               /* pages that leave, and have their place still */
    uint64_t writing;               /* pages that are being written back, and have none */
    uint64_t buffer;                /* pages that are kept free */
    unsigned unit;                  /* 0 a page, 1 a block, 2 a chunk */
    uint32_t *next, *before, *here; /* [unit], [0] is the list's head; pages here */
    uint64_t *stamp;                /* [block] of its last access */
    uint32_t *accesses;             /* [block] */
    uint32_t *trips;                /* [chunk] times that some of it was evicted */
    uint64_t clock;
    uint64_t remote_free; /* ticks: the read direction is taken by remote accesses until then */
    bool *staged;         /* [page] its write-back waits; NULL: memory holds all */
    uint32_t *lines;      /* [page] lines of it under way; NULL: what is in use may leave */
    uint64_t *busy;       /* [page] it is in use before then */
    uint64_t retry;       /* a unit may be out of use then; UINT64_MAX: nobody waits for one */
    bool forced;          /* what leaves may be in use */
    bool stuck;           /* all that goes on waits for room */
    int64_t eviction, migration; /* in force */
} uvm_memory;

/* A page that was predicted, and when that is known. */
typedef struct uvm_ahead_page {
    uint64_t ready, page;
    bool held; /* no prediction: a fault that waits for one */
} uvm_ahead_page;

typedef struct uvm_event uvm_event;

/* A trained predictor that is asked in replay. */
typedef struct uvm_online {
    void *self; /* NULL: there is none */
    /* Passes it a walk, in the order in which they end. Returns 0, or -1 without memory. */
    int (*tell)(void *self, const uvm_event *event);
    /* Returns the page that the latest walk predicts, or UINT64_MAX; -1 in `rc`, with an error,
     * when it cannot be known. */
    uint64_t (*ask)(void *self, int *rc);
} uvm_online;

/* What predictors know beforehand. */
typedef struct uvm_foreseen {
    const uint64_t *order; /* oracle: pages in order of first touch */
    size_t count;
    const uint32_t *named; /* learned: [page] what is predicted at a fault on it */
    uint64_t bytes;        /* learned: storage */
    uvm_online asker;      /* learned: in place of `named` */
} uvm_foreseen;

typedef struct uvm_predictor uvm_predictor;
typedef struct uvm_counters uvm_counters;
typedef struct uvm_thrash uvm_thrash;
typedef struct uvm_smart uvm_smart;

/* Batched faults. */
typedef struct uvm_batch {
    uint64_t *waiting, waiting_count, waiting_room;
    uint64_t until;      /* the handler works on a batch; UINT64_MAX: it does not */
    uint64_t moves, end; /* transfers of the batch that must be over: up to this tail */
    uint64_t *list, count;
    bool replays; /* the last batch is over: what waited for it goes on */
} uvm_batch;

typedef struct uvm_pager {
    const uvm_config *config;
    const uvm_layout *layout;
    const msw_link_curve *curve; /* NULL: a fixed bandwidth */
    uint8_t *where, *flags;      /* [page] */
    uint32_t *leaves;            /* [chunk]: blocks that are or will be valid, as the tree counts */
    uvm_channel in, out;
    uint64_t fault_cycles;
    uvm_batch batch;
    msw_rng draws; /* of random prefetching: the same for all seeds */
    uvm_memory memory;
    uvm_predictor *predictor; /* NULL: the prefetcher does not predict */
    uint64_t predicted_until; /* when the next prediction is there; UINT64_MAX: none */
    uvm_counters *counters;   /* NULL: migration is not by access counters */
    uvm_thrash *thrash;       /* NULL: pages may thrash */
    uvm_smart *smart;         /* NULL: policies stay as they are */
    uint32_t launch;          /* launches so far */
    uint64_t later_until;     /* when one of these two has something to do; UINT64_MAX: never */
    /* A page has left; what happens to it before `time` has happened. NULL: nobody is called. */
    void (*gone)(void *self, uint64_t page, uint64_t time);
    void *self;
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

/* Notes an access whose walk has ended, before its fault is handled. */
void uvm_pager_request(uvm_pager *p, uint64_t page, bool write);

/* Notes an access that counts as a touch of its page. */
void uvm_pager_touch(uvm_pager *p, uint64_t page);

/* Returns the cycle of the next thing that ends by itself, UINT64_MAX: nothing will. */
static inline uint64_t uvm_pager_next(const uvm_pager *p)
{
    uint64_t next = p->in.until < p->out.until ? p->in.until : p->out.until;
    next = next < p->batch.until ? next : p->batch.until;
    next = next < p->later_until ? next : p->later_until;
    return next < p->predicted_until ? next : p->predicted_until;
}

/* Ends what is over in this cycle. `come` gets the pages that have come: `count` from `first` on;
 * 0: none. Returns 0, or -1. */
int uvm_pager_step(uvm_pager *p, uint64_t now, uvm_move *come);

/* Queues all managed pages, chunk by chunk, as transfers ahead of any fault. Returns 0, or -1. */
int uvm_pager_bulk(uvm_pager *p, uint64_t now);

/* Sends dirty pages of a range back to the host, those between first and end; with `clean` all that
 * are here. Returns 0, or -1. */
int uvm_pager_back(uvm_pager *p, uint64_t now, uint64_t first, uint64_t end, bool clean);

/* ---- predictions: ahead.c ---- */

/* Makes the predictor of the prefetcher, if it has one, with what it knows beforehand. Returns 0,
 * or -1 when there is no memory. */
int uvm_ahead_init(uvm_pager *p, const uvm_foreseen *known);

/* An access whose walk has ended: predicts, if that is a trigger. Returns 0, or -1. */
int uvm_ahead_event(uvm_pager *p, uint64_t now, const uvm_event *event, bool fault);

/* Whether a fault is served with the last prediction asked for so far, instead of now. */
bool uvm_ahead_holds(uvm_pager *p, uint64_t now, uint64_t page);

/* Asks for what has been predicted by now, and serves the faults that waited. Returns 0, or -1. */
int uvm_ahead_step(uvm_pager *p, uint64_t now);

/* ---- pages to the device ---- */

/* Asks for pages that fault, all of one chunk together in the order in which chunks fault first,
 * and for what the prefetcher adds. Returns 0, or -1. */
int uvm_pager_serve(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count);

/* Begins the first transfer that waits, if the link is idle and the memory has room, at `earliest`
 * ticks. Returns 0, or -1. */
int uvm_inward_start(uvm_pager *p, uint64_t now, uint64_t earliest);

/* Asks for all pages of a set that are on the host. Returns 0, or -1. */
int uvm_pager_ask(uvm_pager *p, uint64_t now, uint32_t chunk, const uvm_set *wanted);

/* ---- memory that is short ---- */
enum { UVM_BLOCKS = UVM_CHUNK_BYTES / UVM_BLOCK_BYTES };

/* Number of the block of a managed page. */
static inline uint32_t uvm_block_of(const uvm_pager *p, uint64_t page)
{
    uint32_t chunk = p->layout->chunk_of[page];
    uint64_t in = page - p->layout->chunks[chunk].first;
    return chunk * UVM_BLOCKS + (uint32_t)(in / p->layout->block_pages);
}

/* Makes it. Returns 0, or -1 when there is no memory. */
int uvm_memory_init(uvm_pager *p);

/* Notes that so many lines of a managed page are accessed. */
void uvm_memory_access(uvm_pager *p, uint64_t page, uint32_t lines);

static inline void uvm_pager_access(uvm_pager *p, uint64_t page, uint32_t lines)
{
    if (p->memory.watch)
        uvm_memory_access(p, page, lines);
}

/* Notes that a line of a page that is here is served: its unit is the youngest, and no longer
 * leaves. */
void uvm_memory_use(uvm_pager *p, uint64_t page, uint64_t now);

static inline void uvm_pager_use(uvm_pager *p, uint64_t page, uint64_t now)
{
    if (p->memory.staged)
        uvm_memory_use(p, page, now);
}

/* A line of a page is under way, and is over at `until`. */
static inline void uvm_pager_hold(uvm_pager *p, uint64_t page)
{
    if (p->memory.lines)
        p->memory.lines[page]++;
}

static inline void uvm_pager_let_go(uvm_pager *p, uint64_t page, uint64_t until)
{
    if (!p->memory.lines)
        return;
    p->memory.lines[page]--;
    p->memory.busy[page] = msw_max_u64(p->memory.busy[page], until);
}

/* A page is used: its unit becomes the youngest. */
void uvm_memory_renew(uvm_pager *p, uint64_t page);

/* A page has come, or has left its place. */
void uvm_memory_enter(uvm_pager *p, uint64_t page);
void uvm_memory_leave(uvm_pager *p, uint64_t page);

/* A transfer to the host is over. */
void uvm_memory_written(uvm_pager *p, uvm_move move);

/* Evicts until `more` pages find room, counting what is being written back as gone, or nothing is
 * left to evict. Returns 0, or -1. */
int uvm_memory_room(uvm_pager *p, uint64_t now, uint64_t more);

/* Whether nothing goes on by itself, but that units in use are looked at again. */
bool uvm_memory_only_looks(const uvm_pager *p);

/* Returns whether a page that is not here is fetched at this access. */
bool uvm_memory_fetches(const uvm_pager *p, uint64_t page, bool write, uint64_t now);

/* Returns the cycle in which so many lines from the host's memory are here. */
uint64_t uvm_memory_remote(uvm_pager *p, uint64_t page, uint64_t now, uint32_t lines);

/* Fills the metrics that the pager counts, and what faults cost in addition to the cycles. */
void uvm_fill_pages(const uvm_pager *p, double *totals);

/* ---- what a fault brings: policy.c ---- */

/* What leaves a memory that is short (README.md, "Memory"). */

/* Takes the write-back that a page waits for out of the queue: its pages stay. */
void uvm_rescue(uvm_pager *p, uint64_t page, uint64_t now);

/* Begins the first write-back that waits, at `earliest` ticks or when the last is over. Returns 0,
 * or -1. */
int uvm_start_out(uvm_pager *p, uint64_t now, uint64_t earliest);

/* The smart runtime of UVMSmart. */

/* Makes it, where it is asked for. Returns 0, or -1 when there is no memory. */
int uvm_smart_init(uvm_pager *p);

/* Notes a block that is brought. */
void uvm_smart_brings(uvm_pager *p, uint32_t block);

/* Chooses, when a unit has to leave. */
void uvm_smart_choose(uvm_pager *p);

/* One direction of the link, and what a driver does of its own: counters of
 * remote accesses, and pages that host and device take from each other (README.md, "Today's
 * systems"). */

/* Makes a channel, idle, with room for `most` transfers at once. Returns 0, or -1. */
int uvm_channel_init(uvm_channel *channel, uint64_t most, msw_arena *arena);

/* Queues a transfer. Returns 0, or -1. */
int uvm_channel_put(uvm_pager *p, uvm_channel *channel, uvm_move move);

/* Begins the first that waits, at `earliest` ticks or when the last is over. Returns 0, or -1. */
int uvm_channel_begin(uvm_pager *p, uvm_channel *channel, uint64_t earliest);

/* Queues a transfer; it begins now when the channel is idle. Returns 0, or -1. */
int uvm_channel_send(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move move);

/* Takes the transfer that is over off an idle channel. Returns it. */
uvm_move uvm_channel_take(uvm_channel *channel);

/* ---- access counters: counters.c ---- */

/* Makes them where pages migrate by them. Returns 0, or -1 when there is no memory. */
int uvm_counters_init(uvm_pager *p);

/* Notes an access to a page that stays on the host. */
void uvm_counters_access(uvm_pager *p, uint64_t page, uint64_t now, uint32_t lines);

/* When the handler is done with its batch; UINT64_MAX: it has none. */
uint64_t uvm_counters_next(const uvm_pager *p);

/* Takes the next granule of the batch that is over by now; after the last the next batch begins.
 * Returns whether there was one. */
bool uvm_counters_take(uvm_pager *p, uint64_t now, uint64_t *granule);

/* The pages of a granule. */
void uvm_counters_range(const uvm_pager *p, uint64_t granule, uint64_t *first, uint64_t *end);

/* Whether a block has been accessed since it was last forgotten. */
bool uvm_counters_met(const uvm_pager *p, uint32_t chunk, uint32_t block);
void uvm_counters_forget(uvm_pager *p, uint32_t chunk, uint32_t block);

/* ---- pages that thrash: thrash.c ---- */

/* Makes what is kept of pages, where something is done for them. Returns 0, or -1 when there is no
 * memory. */
int uvm_thrash_init(uvm_pager *p);

/* Notes a page that goes to the device, or to the host. */
void uvm_thrash_moved(uvm_pager *p, uint64_t page, uint64_t now, bool to_host);

/* Whether a page is pinned to the host. */
bool uvm_thrash_pinned(const uvm_pager *p, uint64_t page, uint64_t now);

/* Whether a page thrashes: it is not fetched ahead. */
bool uvm_thrash_is(const uvm_pager *p, uint64_t page);

/* A fault is about to be served: it may be put off, or its page be pinned instead. */
void uvm_thrash_refuse(uvm_pager *p, uint64_t page, uint64_t now);

/* Whether that is so. */
bool uvm_thrash_refused(const uvm_pager *p, uint64_t page);

/* When the next fault that was put off is raised again, or a page was pinned; UINT64_MAX: none. */
uint64_t uvm_thrash_next(const uvm_pager *p);

/* Takes a page that was pinned and has not been reported. Returns whether there is one. */
bool uvm_thrash_take_pin(uvm_pager *p, uint64_t *page);

/* Takes a fault whose nap is over. Returns whether there is one. */
bool uvm_thrash_take_nap(uvm_pager *p, uint64_t now, uint64_t *page);

/* Something is due then. */
static inline void uvm_later_at(uvm_pager *p, uint64_t time)
{
    p->later_until = msw_min_u64(p->later_until, time);
}

#endif

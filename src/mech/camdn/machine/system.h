/* SPDX-License-Identifier: MIT */
/* Private to camdn: the cycle model. Tenants, each on an NPU of its own, over a shared cache and
 * memory; the tiles of an operator in order, with the runs of memory that each reads and writes. */
#ifndef MSW_MECH_CAMDN_MACHINE_SYSTEM_H
#define MSW_MECH_CAMDN_MACHINE_SYSTEM_H

#include "mech/camdn/machine/ahead.h"
#include "mech/camdn/mapper/mapper.h"
#include "mech/camdn/model.h"
#include "mech/camdn/plan/plan.h"

#include "memsweep/sim/dram.h"
#include "memsweep/sim/shared_cache.h"
#include "memsweep/sim/utility.h"
#include "memsweep/workload/npu.h"

/* The memory of an instance of a network. */
typedef struct camdn_memory {
    uint64_t weights, activations; /* to be added to offsets of tensors */
    uint64_t sums;                 /* partial sums that leave the accumulators */
    uint64_t line;
} camdn_memory;

/* A tile: positions along M, N, K of one instance. */
typedef struct camdn_tile_at {
    uint64_t instance, at[3];
} camdn_tile_at;

/* An operator under way. */
typedef struct camdn_walk {
    const msw_graph_network *net;
    const msw_graph_op *op;
    camdn_product product;
    camdn_memory memory;
    uint64_t turns[3], tile[3], tiles, number; /* tiles: of all instances; number: of the present */
    uint64_t cycles;                           /* of all tiles */
    uint8_t order;
    bool streams;                /* without tiles: everything once, piece by piece */
    const msw_npu_product *list; /* tiles as they are; or NULL */
    uint64_t list_first;         /* of them, those of the operator */
    camdn_tile_at now, before, next;
} camdn_walk;

/* Starts an operator in one of its ways; `buffer` bytes at a time where it has no tiles. */
void camdn_walk_start(camdn_walk *walk, const msw_graph_network *net, uint32_t op,
                      const camdn_step *step, const camdn_array *array, const camdn_memory *memory);

/* The runs that the present tile loads or stores, one after the other: `part` counts from 0.
 * Returns false when there are no more. A run may be empty. */
bool camdn_walk_load(const camdn_walk *walk, uint32_t part, camdn_run *run);
bool camdn_walk_store(const camdn_walk *walk, uint32_t part, camdn_run *run);

/* Of tile lists, what tile `tile` stores further. Returns false when there is no more. */
bool camdn_walk_store_more(const camdn_walk *walk, uint32_t part, uint64_t tile, camdn_run *run);

/* Cycles that the present tile computes. */
uint64_t camdn_walk_cycles(const camdn_walk *walk);

/* Bytes that a network needs for partial sums that leave the accumulators. */
uint64_t camdn_sums_bytes(const msw_graph_network *net, const camdn_config *config,
                          uint32_t element_bytes);

/* Goes to the next tile. Returns false behind the last one. */
bool camdn_walk_next(camdn_walk *walk);

/* The result of a task, in lines but for the cycles. */
typedef struct camdn_result {
    uint64_t cycles, compute, wait_memory, wait_pages, wait_npu, wait_start, stopped;
    uint64_t target; /* cycles; 0: none */
    uint64_t requests, hits, reads, writes;
    uint64_t wait_translation, translations, tlb_hits, tlb_misses, walks, merged, walk_accesses;
    uint32_t network, tenant;
    bool done;
} camdn_result;

/* The present work of the DMA. */
typedef enum camdn_phase { CAMDN_LOADS, CAMDN_STORES, CAMDN_STORES_LAST } camdn_phase;

typedef enum camdn_stage {
    CAMDN_RUNNING,
    CAMDN_BETWEEN, /* an operator has ended, the next one has no pages yet */
    CAMDN_WAITING, /* for pages, until its time */
    CAMDN_GRANTED, /* it has them */
    CAMDN_QUEUED,  /* another tenant is on its NPU */
    CAMDN_TURN,    /* it is its turn */
    CAMDN_IDLE     /* no task waits */
} camdn_stage;

/* Virtual pages of a tensor, or of what operators keep for themselves. */
typedef struct camdn_region {
    uint32_t tensor, count;
    uint16_t *pages;
} camdn_region;

/* Page table of an NPU, and what lies where. */
typedef struct camdn_ptable {
    uint32_t *page; /* by virtual page; the first `count` are valid */
    uint32_t count, page_lines;
    uint16_t *spare; /* virtual pages in which nothing lies */
    uint32_t spare_count, held_count;
    camdn_region own, held[CAMDN_HELD_TENSORS];
} camdn_ptable;

/* The request of an NPU for pages. */
typedef struct camdn_page_request {
    uint32_t candidate, need;
    bool block;             /* the block of the present operator holds tensors */
    uint64_t since, ticket; /* of the wait */
    uint64_t next_time;     /* when it is expected to request again, */
    uint32_t next_need;     /* and for how many pages */
} camdn_page_request;

/* Throttling: what an operator needs, and its windows; window 0: it is not throttled. */
typedef struct camdn_throttle {
    double own, score, limit, carry, lines;
    uint64_t window, since;
    double allotted; /* of the bandwidth, per cent; 0: nothing runs */
    bool hard;       /* beyond the limit nothing leaves until the window is over */
} camdn_throttle;

/* Loads of a tile. With banks its last lines come when the DMA has gone on. */
typedef struct camdn_tile {
    uint64_t arrived, arrived_memory; /* its last line; from memory */
    uint64_t loaded, cycles;          /* when the DMA was through; of computing */
    uint64_t delay;                   /* by translations */
    uint32_t pending;                 /* lines that are under way */
} camdn_tile;

/* Lines in a row of which the same is done: how many are left, slice and channel of the next one,
 * ticks that a slice takes. */
typedef struct camdn_extent {
    uint32_t left, slice, channel;
    bool memory;
    uint64_t hold;
} camdn_extent;

/* Events that an NPU waits for and that have no time yet. */
typedef enum camdn_parked {
    CAMDN_NOT_PARKED,
    CAMDN_FOR_SLOT,
    CAMDN_FOR_TILE,
    CAMDN_FOR_PAGE,
    CAMDN_FOR_STORES
} camdn_parked;

/* The task that an NPU runs. */
typedef struct camdn_npu_task {
    uint64_t number, started; /* started: when it came */
    uint64_t target;          /* cycles; 0: none */
    double priority;
    const msw_graph_network *net;
    const camdn_table *table;
    camdn_memory memory;
    uint32_t op;
    camdn_result now, before; /* before: when the operator began */
    uint64_t op_started, queued;
} camdn_npu_task;

/* The operator of it, as the DMA sees it. */
typedef struct camdn_npu_dma {
    camdn_walk walk;
    camdn_phase phase;
    camdn_cursor at; /* what is requested next */
    camdn_run store, store_next;
    camdn_extent extent;                /* with pages */
    uint64_t arrived, arrived_memory;   /* the last line of this phase whose time is known */
    uint64_t computed, computed_before; /* end of computing of this tile, of the one before */
    uint64_t stored;                    /* the last line of all stores */
    uint32_t storing;                   /* lines that banks have not taken, and are waited for */
    uint64_t store_tile;                /* of a tile list: whose stores these are */
} camdn_npu_dma;

typedef struct camdn_npu {
    uint64_t time; /* when it goes on */
    camdn_parked parked;
    uint64_t resume;     /* when it would have gone on */
    uint32_t held;       /* lines of the group that it has just requested */
    uint8_t at, awaited; /* of tiles: the present one; that it is parked for */
    bool single;         /* nothing is loaded while a tile is computed */
    bool unsettled;      /* when the other tile is computed is not known */
    camdn_tile tiles[2];
    camdn_stage stage;
    camdn_throttle throttle;
    camdn_gang gang;
    msw_utility utility; /* with ways by utility */
    uint32_t ways;       /* that it may fill then */
    camdn_ptable ptable;
    camdn_page_request request;
    const camdn_plan *plan;
    const double *expected_ops, *expected_blocks; /* cycles, by operator and block of the plan */
    const camdn_level *level;
    uint64_t *slots;   /* by group under way: when its last line is there */
    uint32_t *pending; /* with banks: its lines that are under way */
    uint32_t slot;
    msw_dram_server port;
    camdn_npu_task task;
    camdn_npu_dma dma;
    camdn_ahead ahead;
} camdn_npu;

/* Sums over the runs of an operator in counted tasks. */
typedef struct camdn_layer_log {
    uint64_t runs, cycles, reads, writes, pages;
} camdn_layer_log;

/* For detail tables. Pages x cycles in spans of equal length, which doubles when they are full. */
enum { CAMDN_SPANS = 256 };
typedef struct camdn_log {
    camdn_layer_log *layers; /* by network and operator */
    uint32_t *first;         /* by network */
    uint64_t span, since;    /* span: 2^span cycles */
    uint32_t held;
    double spans[CAMDN_SPANS];
} camdn_log;

/* A request on its way to a channel with banks. */
typedef struct camdn_request {
    uint64_t time, address;
    uint32_t next, before, tag; /* in its channel */
    bool write;
} camdn_request;

typedef struct camdn_lane {
    uint32_t head, tail;
    uint64_t due;  /* when its first request can be offered */
    uint64_t full; /* until when it is refused */
} camdn_lane;

typedef struct camdn_banks {
    msw_dram *dram; /* NULL: channels are servers */
    camdn_request *pool;
    camdn_lane *lanes;                /* by channel */
    uint32_t free, under_way, pieces; /* pieces: bursts of a line */
    msw_dram_map map;
    uint64_t now;
    uint64_t each;               /* bytes of memory of a tenant */
    uint64_t read_time;          /* when the page table was read */
    uint32_t walk;               /* that read it */
    bool read;                   /* one has been, and its walk has not heard of it */
    unsigned shift, colour_bits; /* where addresses say the colour, and in how many bits */
} camdn_banks;

/* Pages without an owner, and the numbers of those that wait for some. */
typedef struct camdn_pool {
    uint32_t *idle;
    uint32_t idle_count;
    uint64_t tickets;
} camdn_pool;

/* Servers of lines, and where an address goes. */
typedef struct camdn_servers {
    msw_dram_server *slices, *channels;
    msw_dram_server *links;            /* by node and way; NULL: no mesh */
    uint64_t slice_hold, channel_hold; /* ticks of a line */
    unsigned line_shift, page_shift;   /* page_shift: lines of a page */
    int64_t parts;                     /* that tenants have of slices and channels; 0: all */
    uint64_t slice_mask, channel_mask; /* less than a power of two of them, or 0 */
    int64_t channel_count;
} camdn_servers;

/* NPUs by time; leaves: a power of two. */
typedef struct camdn_order {
    uint64_t *heap;
    uint32_t leaves;
} camdn_order;

typedef struct camdn_system {
    const camdn_config *config;
    const camdn_tables *tables;
    camdn_draws draws;
    camdn_array array;
    const camdn_plans *plans; /* with pages */
    const camdn_expected *expected;
    msw_shared_cache cache; /* without pages its general side alone */
    char *monitors;
    uint64_t next_deal; /* of ways by utility; 0: never */
    msw_err *err;       /* of a page that is not the NPU's */
    bool failed;
    camdn_pool pool;
    camdn_servers servers;
    camdn_banks banks;
    camdn_translate translate;
    camdn_jobs jobs; /* of arrivals; count 0: each tenant has its own */
    uint64_t first_counted, counted, now;
    camdn_npu *npus;
    camdn_order order;
    uint32_t count, cores; /* tenants, each with the state of an NPU; NPUs */
    uint32_t groups, free_npus;
    double (*left)[CAMDN_GANG_SIZES]; /* by network and operator: camdn_left_fill */
    uint64_t *bases;       /* by tenant and network: where activations lie; then weights */
    camdn_result *results; /* by unit: of tenants' own tasks by number, then by tenant */
    uint64_t events;
    camdn_log log;
} camdn_system;

/* An operator of a counted task has ended; or pages have changed their owner. */
void camdn_log_op(camdn_system *system, const camdn_npu *npu);
void camdn_log_pages(camdn_system *system, uint64_t now);

enum { CAMDN_BATCHES = 10 };

typedef struct camdn_batches {
    double sums[CAMDN_BATCHES];
    uint64_t counts[CAMDN_BATCHES];
} camdn_batches;

typedef struct camdn_sureness {
    double mean, half_width, lag1;
} camdn_sureness;

/* Adds the value of that number of so many, CAMDN_BATCHES at least. */
void camdn_batch_add(camdn_batches *batches, uint64_t number, uint64_t count, double value);

/* Returns how sure the mean of all values is. */
camdn_sureness camdn_batch_close(const camdn_batches *batches);

/* Runs until a counted task is over. Returns what it took, or NULL. */
const camdn_result *camdn_system_run(camdn_system *system, const msw_task *task, uint64_t unit,
                                     msw_err *err);

/* Bytes of the memory with banks; starts it. */
size_t camdn_banks_bytes(const camdn_config *config);
int camdn_banks_start(camdn_system *system, char *memory, msw_err *err);

/* Bytes of the links; starts them; a line crosses those between its NPU and its slice. Returns when
 * it has. */
size_t camdn_links_bytes(const camdn_config *config);
void camdn_links_start(camdn_system *system, void *memory);
uint64_t camdn_links_cross(camdn_system *system, uint32_t tenant, uint32_t slice, bool write,
                           uint64_t time);

/* Says where the colours of banks lie, when tenants have their memory. */
void camdn_banks_colour(camdn_system *system);

/* Why a line goes to memory: it is read; it is driven out; it is stored. */
typedef enum camdn_move { CAMDN_MOVE_READ, CAMDN_MOVE_OUT, CAMDN_MOVE_STORE } camdn_move;

/* Moves a line, in the name of the group and the tile that the NPU is at. */
void camdn_banks_push(camdn_system *system, uint32_t tenant, uint64_t line, uint64_t time,
                      camdn_move move);

/* A page table is read, in the name of a walk; a line that the walk drove out is written. */
void camdn_banks_read(camdn_system *system, uint64_t address, uint64_t time, uint32_t walk);
void camdn_banks_write(camdn_system *system, uint64_t address, uint64_t time);

/* Runs the memory until a time, or until an NPU goes on. */
void camdn_banks_run(camdn_system *system, uint64_t limit);

/* An NPU waits until the memory wakes it. */
void camdn_npu_park(camdn_npu *npu, camdn_parked parked);

/* NPUs by time: keys that this takes; the NPU that is next; the time of one has changed, or of all.
 */
size_t camdn_heap_keys(size_t npus);
uint32_t camdn_heap_first(const camdn_system *system);
void camdn_heap_update(camdn_system *system, uint32_t tenant);
void camdn_heap_settle(camdn_system *system);

/* Starts an NPU with its first task. */
void camdn_npu_start(camdn_system *system, uint32_t tenant);

/* Goes on with an NPU until time goes on. */
void camdn_npu_go(camdn_system *system, uint32_t tenant);

/* All pages are without an owner, or all NPUs have an equal share for good. */
void camdn_pages_start(camdn_system *system);

/* The present operator ends: it gives back what the next one does not keep, which takes so long
 * before. */
uint64_t camdn_pages_release_cycles(const camdn_system *system, uint32_t tenant);
void camdn_pages_end(camdn_system *system, uint32_t tenant);

/* Takes the pages of the present operator, which may start then (CAMDN_RUNNING), or waits. */
void camdn_pages_begin(camdn_system *system, uint32_t tenant);

/* It has waited and got them; or its time is out, and it requests fewer. */
void camdn_pages_granted(camdn_system *system, uint32_t tenant);
void camdn_pages_timeout(camdn_system *system, uint32_t tenant);

/* Ways by utility: bytes of a tenant's monitor (0: there is none), monitors of all tenants, an
 * access, and dealing out the ways where it is time. */
size_t camdn_utility_bytes(const camdn_config *config);
int camdn_utility_start(camdn_system *system, char *memory, size_t bytes, msw_err *err);
void camdn_utility_add(camdn_system *system, uint32_t tenant, uint64_t line);
void camdn_utility_deal(camdn_system *system, uint64_t now);

/* Bytes of what networks have left; all NPUs are idle. */
size_t camdn_left_bytes(const msw_task *task);
void camdn_gangs_start(camdn_system *system);

/* Returns whether enough NPUs are idle for a task to start; one takes its NPUs; it is over; its
 * next operator begins, perhaps with more or fewer. */
bool camdn_gang_ready(const camdn_system *system);
void camdn_gang_form(camdn_system *system, uint32_t tenant);
void camdn_gang_leave(camdn_system *system, uint32_t tenant);
void camdn_gang_change(camdn_system *system, uint32_t tenant);

/* Starts the walk of a gang; says how part `part` of its loads is requested. Returns whether the
 * present run is requested once more. */
void camdn_gang_open(camdn_system *system, uint32_t tenant, const camdn_step *step);
void camdn_gang_run(const camdn_system *system, const camdn_npu *npu, camdn_cursor *at);
bool camdn_gang_again(camdn_cursor *at);

/* Per cent of the bandwidth that AuRORA gives a task that requests `own`, beside others with so
 * much in all, and in all weighted with their scores; that each gets where all that request more
 * than the least have equal parts. */
double camdn_rate_aurora(double own, double score, double others, double weighted);
double camdn_rate_equal(double own, const double *others, uint32_t count);

/* The present operator starts; or it has requested lines. */
void camdn_throttle_open(camdn_system *system, uint32_t tenant);
void camdn_throttle_stop(camdn_npu *npu, uint32_t lines);

/* Prepares the lines of the present row of a run. */
void camdn_npu_open_row(const camdn_system *system, camdn_cursor *at);

/* Moves to the next line of the phase. Returns false when it has no more. */
bool camdn_npu_seek(const camdn_system *system, const camdn_npu *npu, camdn_cursor *at);

/* ---- translation (translate.c) ---- */

/* Bytes that it takes; starts it when tenants have their memory. */
size_t camdn_translate_bytes(const camdn_config *config,
                             uint64_t memory); /* memory: of all tenants */
int camdn_translate_start(camdn_system *system, char *memory, msw_err *err);

/* A phase of an NPU begins. */
void camdn_translate_open(camdn_system *system, uint32_t tenant);

/* Whether the lines that leave next are translated; if not the NPU waits. They have left. */
bool camdn_translate_ready(camdn_system *system, uint32_t tenant);
void camdn_translate_take(camdn_system *system, uint32_t tenant, uint32_t lines, uint64_t time);

/* Lets one thing happen by a cycle. Returns whether it did, or an NPU goes on before. */
bool camdn_translate_step(camdn_system *system, uint64_t limit);

/* A page table has been read by the memory, or not. Returns whether it has. */
bool camdn_translate_read(camdn_system *system);

/* A read of a page table that the cache does not have. Returns when it is there; UINT64_MAX: the
 * memory says so later. */
uint64_t camdn_walk_read(camdn_system *system, uint64_t address, uint64_t time, uint32_t walk);

/* The address of a line: each tenant has a space of its own, each network of it a part. Whose
 * memory it is counts, not who asks. */
uint64_t camdn_virtual_of(const camdn_system *system, uint64_t line);

/* The line of memory in which a line of the address space lies. */
uint64_t camdn_line_of(const camdn_system *system, uint64_t line);

/* Whether pages lie elsewhere than in the order of addresses. */
static inline bool camdn_frames_move(const camdn_system *s)
{
    return s->translate.frame_bits || s->translate.frames;
}

/* Lines of its page from this one on. */
uint64_t camdn_page_room(const camdn_system *system, uint64_t line);

/* Sets where what is loaded or stored lies, and what of it has been there before. */
void camdn_source_load(const camdn_npu *npu, uint32_t part, camdn_run *run);
void camdn_source_store(const camdn_npu *npu, camdn_run *run);

/* Asks for the lines of the present phase, as many as leave together. Returns how many. */
uint32_t camdn_npu_issue(camdn_system *system, uint32_t tenant);

#endif

/* Private to neummu: the typed config, the numbers of the metrics, the shared page streams and the
 * machine that both the cycle model and its tests run. Equations: README.md. */
#ifndef MSW_MECH_NEUMMU_NEUMMU_H
#define MSW_MECH_NEUMMU_NEUMMU_H

#include "memsweep/mech.h"
#include "memsweep/sim/cost.h"
#include "memsweep/sim/mmu.h"
#include "memsweep/workload/npu.h"

typedef struct neummu_config {
    int64_t oracle;
    int64_t page_size, large_page_size;
    int64_t tlb_entries, tlb_ways, tlb_cycles;
    int64_t tlb2_entries, tlb2_ways, tlb2_cycles;
    int64_t ptw_count, walk_level_cycles, walk_cycles, table_levels;
    int64_t scoreboard, prmb_slots, slots_full, reprobe, walk_queue, return_cycles;
    int64_t path_cache, path_entries, path_ways, path_cycles;
    int64_t walk_traffic;
    int64_t dma_bytes, issue_width, outstanding;
    double frequency, bandwidth;
    int64_t memory_cycles, memory_model, memory_channels;
    double dram_pj_per_bit, node;
    int64_t slot_bytes, path_register_bytes, scoreboard_bytes;
    int64_t profile_window;
} neummu_config;

enum { NEUMMU_SLOTS_WALK, NEUMMU_SLOTS_BLOCK };
enum { NEUMMU_MEMORY_FLAT, NEUMMU_MEMORY_BANKS };
enum { NEUMMU_PATH_NONE, NEUMMU_PATH_REGISTER, NEUMMU_PATH_SHARED, NEUMMU_PATH_UNIFIED };

/* Metric numbers, in the order of the table in neummu_metrics.c. */
enum {
    NEUMMU_CYCLES,
    NEUMMU_SLOWDOWN,
    NEUMMU_LAYER_START,
    NEUMMU_FILL,
    NEUMMU_TRANSLATION,
    NEUMMU_MEMORY,
    NEUMMU_COMPUTE,
    NEUMMU_WRITE_BACK,
    NEUMMU_TILES,
    NEUMMU_TRANSLATIONS,
    NEUMMU_PAGES,
    NEUMMU_PAGES_PER_TILE,
    NEUMMU_PAGES_MAX,
    NEUMMU_TLB_HITS,
    NEUMMU_TLB_MISSES,
    NEUMMU_TLB_HIT_RATE,
    NEUMMU_TLB2_HITS,
    NEUMMU_MERGED,
    NEUMMU_WALKS,
    NEUMMU_REPLAYED,
    NEUMMU_REDUNDANT,
    NEUMMU_BLOCKED_WALKERS,
    NEUMMU_BLOCKED_SLOTS,
    NEUMMU_BLOCKED_OUTSTANDING,
    NEUMMU_WALK_STEPS,
    NEUMMU_WALK_ACCESSES,
    NEUMMU_PATH_HITS_L4,
    NEUMMU_PATH_HITS_L3,
    NEUMMU_PATH_HITS_L2,
    NEUMMU_PATH_RATE_L4,
    NEUMMU_PATH_RATE_L3,
    NEUMMU_PATH_RATE_L2,
    NEUMMU_ACCESSES_PER_WALK,
    NEUMMU_ENERGY,
    NEUMMU_SRAM,
    NEUMMU_AREA,
    NEUMMU_LEAKAGE,
};

/* ---- the page streams of a workload's tiles: one artifact per page size and DMA length ---- */

/* Consecutive DMA transactions on one page. */
typedef struct neummu_run {
    uint64_t page; /* number, counted in small pages, of where it begins; NEUMMU_LARGE */
    uint32_t requests, bytes;
} neummu_run;

#define NEUMMU_LARGE ((uint64_t)1 << 63)

/* Log2 of the page sizes; no large pages: 0. */
typedef struct neummu_shifts {
    unsigned small, large;
} neummu_shifts;

neummu_shifts neummu_shifts_of(const neummu_config *config);

/* Returns the page that a number stands for. */
static inline msw_page neummu_page_of(neummu_shifts shifts, uint64_t page)
{
    return (msw_page){(page & ~NEUMMU_LARGE) << shifts.small,
                      page & NEUMMU_LARGE ? shifts.large : shifts.small};
}

/* Runs that are issued one after the other. */
typedef struct neummu_flow {
    const neummu_run *runs;
    uint64_t count, requests, bytes;
} neummu_flow;

typedef struct neummu_tile {
    neummu_flow early; /* loads that may be issued while the tile before computes */
    neummu_flow late;  /* loads that wait until it has been computed and stored */
    neummu_flow store;
    uint64_t compute_cycles, pages; /* pages: distinct ones loaded */
    bool overlapped;                /* the store of the tile before does not hold up the loads */
} neummu_tile;

/* Page reuse by LRU stack distance d: bin 0 holds d = 0, bin b the distances 2^(b-1) .. 2^b - 1. */
enum { NEUMMU_DEPTHS = 32, NEUMMU_AREAS = 3, NEUMMU_RECENT = 8, NEUMMU_LAGS = 13 };

/* Runs of a flow, as far as the closed form goes. Plain words: compared as such. Areas are of 2
 * MiB, 1 GiB, 512 GiB, what a table of one, two, three levels spans; lag k is 2^k runs back. */
typedef struct neummu_traffic {
    uint64_t large; /* page size: 0 small, 1 large */
    uint64_t requests, bytes, runs;
    uint64_t cold;                             /* runs on pages never used before */
    uint64_t fresh[NEUMMU_AREAS];              /* in none of the last NEUMMU_RECENT areas */
    uint32_t moved[NEUMMU_AREAS][NEUMMU_LAGS]; /* in another area than the run so far back */
    uint32_t reused[NEUMMU_DEPTHS];            /* on pages used before, by distance */
    uint64_t head_depth;                       /* of the first run: its bin; cold: NEUMMU_DEPTHS */
    uint32_t head_fresh, head_moved[NEUMMU_AREAS]; /* its bits: by area; by lag */
} neummu_traffic;

enum { NEUMMU_EARLY, NEUMMU_LATE, NEUMMU_STORE, NEUMMU_FLOWS, NEUMMU_SEGMENTS = 4 };

/* A flow, cut where its runs change their kind; what is finely mixed is not cut. */
typedef struct neummu_segments {
    uint32_t count, traffic[NEUMMU_SEGMENTS]; /* numbers of different traffics */
} neummu_segments;

/* A step of the execution. A layer that is repeated stands twice in the order of steps: its first
 * repetition, and another one for all that follow, which find the same history. */
typedef struct neummu_step {
    uint32_t tile; /* of the product and of the stream */
    uint32_t layer;
    bool first; /* of its layer */
    uint64_t executions;
    neummu_segments flows[NEUMMU_FLOWS];
} neummu_step;

/* A stratum: steps that are alike. */
typedef struct neummu_stratum {
    uint32_t *steps;
    uint64_t count;
} neummu_stratum;

typedef struct neummu_stream {
    const neummu_tile *tiles;
    const neummu_step *steps;
    const neummu_stratum *strata;
    const neummu_traffic *traffic;
    uint64_t tile_count, step_count, stratum_count, traffic_count;
    neummu_shifts shifts;
} neummu_stream;

int neummu_build_stream(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);

/* The tensors of a product, those that share memory as one, in order of addresses. */
typedef struct neummu_extents {
    msw_npu_tensor *list;
    uint64_t count;
} neummu_extents;

/* Finds them. Returns 0, or -1. */
int neummu_extents_find(neummu_extents *extents, const msw_npu_product *product, msw_arena *arena,
                        msw_err *err);

/* Returns whether one of them holds all from `address` to `end`. */
bool neummu_extents_hold(const neummu_extents *extents, uint64_t address, uint64_t end);

/* Cuts the segments of all tiles of a product into runs. Returns 0, or -1. */
int neummu_cut(const msw_npu_product *product, const neummu_config *config, msw_arena *arena,
               neummu_tile *tiles, msw_err *err);

/* Fills in the traffic of all steps and the distinct pages of tiles. Returns 0, or -1. */
int neummu_profile(const msw_npu_product *product, neummu_stream *stream, neummu_tile *tiles,
                   neummu_step *steps, msw_arena *arena, msw_err *err);

/* Sorts the steps into strata. Returns 0, or -1. */
int neummu_make_strata(const msw_npu_product *product, msw_arena *arena, neummu_stream *stream,
                       msw_err *err);

/* ---- the machine: DMA engine, MMU and memory. A tick is 1 / issue_width of a cycle. ---- */

enum { NEUMMU_ROW_BURSTS = 8 };

/* A memory of fixed latency and bandwidth; time is kept in 2^-20 ticks. Short rows of bytes may
 * take longer: `stretch` by the log2 of their bursts. */
typedef struct neummu_memory {
    uint64_t free, per_byte, latency;
    double stretch[NEUMMU_ROW_BURSTS];
    bool banks;
} neummu_memory;

/* Returns the bytes that a run counts for, those of the longest rows being 1. */
double neummu_memory_weight(const neummu_memory *memory, double bytes);

/* Requests translated `gap` ticks apart from `first`, whose data is still to be asked for. */
typedef struct neummu_batch {
    uint64_t first, gap, count, bytes;
} neummu_batch;

enum { NEUMMU_LANES = 4 };

typedef struct neummu_lane {
    neummu_batch *ring;
    uint32_t head, tail;
} neummu_lane;

typedef struct neummu_answers {
    neummu_lane lanes[NEUMMU_LANES];
    uint32_t mask;
} neummu_answers;

typedef struct neummu_counts {
    msw_mmu_stats mmu;
    msw_walker_stats walker;
    uint64_t blocked[MSW_BLOCK_COUNT]; /* ticks */
    uint64_t runs;
} neummu_counts;

/* The window of the detail table `bursts` that is being filled. */
typedef struct neummu_bursts {
    const msw_task *task;
    uint64_t origin, length; /* ticks */
    uint32_t step, layer;
    uint64_t window, requests, low, high; /* addresses */
    bool failed;
    msw_err err;
} neummu_bursts;

typedef struct neummu_machine {
    const neummu_config *config;
    msw_mmu mmu;
    void *mmu_memory;
    neummu_answers answers;
    neummu_memory memory;
    uint64_t issue; /* when the DMA engine can issue again */
    uint64_t blocked[MSW_BLOCK_COUNT], runs, requests, walk_accesses;
    neummu_shifts shifts;
    neummu_bursts *bursts; /* or NULL */
} neummu_machine;

/* Returns the bytes of memory that a machine needs. */
size_t neummu_machine_bytes(const neummu_config *config);

/* Starts empty and idle, at time 0. Returns 0, or -1. */
int neummu_machine_init(neummu_machine *machine, const neummu_config *config, void *memory,
                        msw_err *err);

/* Empties the TLBs and walkers and goes back to time 0. Returns 0, or -1. */
int neummu_machine_reset(neummu_machine *machine, msw_err *err);

/* Moves a flow that may start at `start`. Returns when its last byte has arrived; `start` when it
 * is empty. */
uint64_t neummu_transfer(neummu_machine *machine, const neummu_flow *flow, uint64_t start);

/* The same with every translation known at once, on a memory and an engine of its own. */
uint64_t neummu_transfer_oracle(neummu_memory *memory, uint64_t *issue, const neummu_flow *flow,
                                uint64_t start);

/* What has happened so far. Returns it. */
neummu_counts neummu_count(const neummu_machine *machine);

/* ---- the order of loads, computing and stores around one tile ---- */

enum { NEUMMU_NO_STEP = 0xffffffff };

/* Where the execution stands: the tile before has all its operands. */
typedef struct neummu_timeline {
    uint64_t start, end;   /* of its computing */
    uint64_t ready;        /* the end of computing of the step whose store waits behind it */
    uint32_t last, behind; /* steps; their stores have not been issued */
} neummu_timeline;

/* Ticks by cause from the start of computing of the tile before to that of this one. */
typedef struct neummu_period {
    uint64_t compute, write_back, memory, translation;
} neummu_period;

/* Runs a step. Returns where its time went. */
neummu_period neummu_run_step(neummu_machine *machine, const neummu_stream *stream,
                              neummu_timeline *line, uint32_t step);

/* Computes and stores what is left after the last step. Returns where the time went. */
neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line);

/* ---- cost ---- */

/* Energy of one event of each kind, in pJ. */
typedef struct neummu_prices {
    double lookup, lookup2, fill, scoreboard, merge, path, access;
} neummu_prices;

/* Fills in what events cost. Returns 0, or -1. */
int neummu_price(const neummu_config *config, neummu_prices *prices, msw_err *err);

/* Adds up the translation energy of a set of totals. Returns nJ. */
double neummu_energy(const neummu_config *config, const neummu_prices *prices,
                     const double *totals);

void neummu_derive(const msw_task *task, double *metrics);

/* ---- tables and model functions of the record ---- */

extern const msw_param neummu_params[];
extern const msw_metric neummu_metrics[];

int neummu_check(const void *config, msw_err *err);
int neummu_analytic(const msw_task *task, double *metrics, msw_err *err);
size_t neummu_state_bytes(const msw_task *task);
int neummu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int neummu_begin(const msw_task *task, void *state, msw_err *err);
int neummu_warm(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int neummu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err);

#endif

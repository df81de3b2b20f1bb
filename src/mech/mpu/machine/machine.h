/* SPDX-License-Identifier: MIT */
/* Private to mpu: the cycle model. Rules: README.md, "The machine".
 *
 * Cores run one after the other through windows of time that are shorter than any way through the
 * network; messages between them are exchanged between windows. In a core, what happens at a known
 * time is computed when its cause happens: units, TSVs and tables are reserved ahead. Events are
 * issues of sub-cores, decisions of memory controllers and arrivals of messages. */
#ifndef MSW_MECH_MPU_MACHINE_MACHINE_H
#define MSW_MECH_MPU_MACHINE_MACHINE_H

#include "mech/mpu/count/count.h"
#include "mech/mpu/machine/network.h"
#include "mech/mpu/model.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/dram_lines.h"
#include "memsweep/workload/simt/past.h"

#define MPU_NEVER  UINT64_MAX
#define MPU_NOBODY UINT32_MAX

enum { MPU_PARTS = 2 * MSW_SIMT_LANES, MPU_SUBCORES = 16, MPU_CTAS_MOST = 64 };

/* Same column of banks of one near-bank unit: one request of its controller. */
typedef struct mpu_part {
    uint32_t row, column;
    uint16_t core, banks;
    uint8_t unit, blocks;
} mpu_part;

/* Servers that are each free from a time on; MPU_NEVER: until that is known. */
typedef struct mpu_servers {
    uint64_t *free;
    uint32_t count;
} mpu_servers;

typedef enum mpu_warp_state {
    MPU_WARP_EMPTY,
    MPU_WARP_RUNS,
    MPU_WARP_AT_BARRIER,
    MPU_WARP_ENDS, /* has issued its exit */
} mpu_warp_state;

/* A static instruction as issue needs it. Its registers lie behind those of the one before: first
 * sources, then destinations. */
typedef struct mpu_op {
    const uint32_t *regs;
    uint16_t uses, count; /* sources; sources and destinations */
    uint16_t latency;
    uint8_t unit; /* mpu_unit */
    bool branches;
} mpu_op;

typedef struct mpu_warp {
    uint64_t *ready;  /* of its sub-core, as below */
    uint64_t last;    /* end of what it issued, as far as known */
    uint32_t pc, end; /* of its run of instructions, what is not issued yet */
    uint32_t flying;  /* accesses whose end is not known */
    uint8_t state;    /* mpu_warp_state */
    uint8_t subcore, position;
    uint8_t cause;         /* what it waits for, as a metric less MPU_ISSUE */
    uint8_t event;         /* msw_simt_event at the end of the run */
    uint8_t conflicts;     /* of a shared access: cycles of the fullest bank */
    bool whole;            /* of a global access */
    uint16_t slot, number; /* CTA of the core; warp of it */
    uint16_t part_count, lanes;
    uint64_t *values; /* [register] when it has its value; MPU_NEVER */
    uint8_t *causes;  /* [register] what it waits for */
    mpu_track track;
    mpu_part *parts; /* of the access at the end of the run */
} mpu_warp;

typedef enum mpu_flight_kind {
    MPU_FLIGHT_FREE,
    MPU_FLIGHT_WHOLE,  /* offloaded */
    MPU_FLIGHT_PARTS,  /* gathered by the LSU */
    MPU_FLIGHT_REMOTE, /* served for another core */
} mpu_flight_kind;

/* An access under way. */
typedef struct mpu_flight {
    uint64_t time; /* arrival at the LSU, or latest answer */
    uint32_t warp; /* of the core; REMOTE: the message */
    uint32_t insn;
    uint32_t open; /* requests and messages not answered */
    uint32_t entry, near_entry;
    uint32_t next; /* in a list */
    uint16_t part_count;
    uint8_t kind, subcore;
    bool is_store, is_atomic, has_result, went_out;
    mpu_part *parts;
} mpu_flight;

/* Flights that wait, in order. */
typedef struct mpu_queue {
    uint32_t first, last, count;
} mpu_queue;

typedef struct mpu_subcore {
    uint64_t issued_at; /* last issue, plus 1 */
    uint32_t current;   /* warp that issued last, of its own */
    uint32_t warps;     /* that are there */
    uint64_t *ready;   /* [position] earliest issue; MPU_NEVER: a value or an event must come first,
                          or no warp is there */
    uint64_t *order;   /* [position] by age */
    uint64_t accesses; /* bit per position: the next instruction is for the LSU */
    mpu_servers moves, engines, collectors, lsus, alus, sfus, entries, near_entries;
    mpu_queue lsu, near; /* waiting for entries */
    msw_dram_lines *lines;
} mpu_subcore;

typedef struct mpu_cta {
    msw_simt_cta *cta; /* NULL: empty */
    void *block;
    uint64_t released; /* latest arrival at the barrier */
    uint32_t arrived, running;
} mpu_cta;

typedef struct mpu_core {
    uint32_t index;
    uint32_t started_warps;
    uint64_t next_cta, waiting_ctas; /* position in its list; CTAs not started */
    uint32_t ctas;                   /* that run */
    uint64_t shared_free;
    uint64_t next[MPU_SUBCORES]; /* when a sub-core may issue */
    uint64_t dram[MPU_SUBCORES]; /* next decision of a near-bank unit's controller */
    mpu_subcore subs[MPU_SUBCORES];
    mpu_warp *warps; /* [subcore * positions + position], and one of no CTA */
    mpu_cta *slots;
    mpu_tsv tsv;
    mpu_servers remote;
    mpu_inbox remote_queue; /* messages that wait for an entry */
    mpu_flight *flights;
    uint32_t free_flight;
    mpu_inbox inbox;
    uint64_t issued, jumped; /* of this launch, in detail and without time */
    uint64_t share;          /* CTAs of this launch */
    bool again;              /* an entry of a table is free, or one more waits for one */
} mpu_core;

/* Of one instruction, in all launches. */
typedef struct mpu_line {
    double executions, near, whole; /* of warps: all, near ones, accesses that went over whole */
    double moves_near, moves_far;   /* registers */
    double accesses, remote, lanes; /* of memory */
    double cycles;                  /* of sub-cores, until it had issued */
} mpu_line;

/* The launch that runs. */
typedef struct mpu_launch {
    size_t stage;
    const mpu_kernel *kernel;
    const msw_simt_code *code;
    uint64_t cta_count, running; /* CTAs not ended; warps started */
    const mpu_op *ops;           /* [instruction] of the kernel `ops_of` */
    const mpu_kernel *ops_of;
    uint64_t *issues; /* [instruction * 2 + near] without moves, not yet in the totals */
    mpu_line *lines;  /* [instruction] of the kernel; NULL: nobody asks */
    uint32_t warps_per_cta, slots_per_core;
    uint64_t *cta_list, *cta_first; /* of all cores, by owner; NULL: round robin */
    double scale;                   /* CTAs of the launch over those of simulated cores */
    uint64_t end;                   /* of the last warp that left */
    bool active;
} mpu_launch;

/* Sums since the first launch. */
typedef struct mpu_counts {
    double *totals; /* by metric */
    double *scratch;
    uint64_t kinds[MPU_UNITS][2]; /* issued, by what they occupy and whether near */
    double stack[MPU_CAUSES];
    uint64_t issued, jumped, events; /* jumped: of the issued ones, without time */
    uint64_t windows, windows_most;  /* run, for checks of the limits; 0: any number */
} mpu_counts;

/* Of resident CTAs. */
typedef struct mpu_blocks {
    unsigned char *data;
    size_t bytes;
} mpu_blocks;

typedef struct mpu_machine {
    const mpu_config *config;
    const msw_task *task;
    const msw_simt_product *product;
    const mpu_program *program;
    mpu_map map;
    msw_dram_lines_config lines_config;
    msw_simt_device *device;
    msw_simt_past *past; /* where not all cores or launches are simulated; else NULL */
    mpu_core *cores;
    uint64_t *due; /* [core] its next event */
    uint32_t core_count, simulated;
    uint32_t positions; /* of warps in a sub-core */
    uint32_t flights;   /* of a core */
    uint32_t regs;      /* registers of the largest kernel */
    mpu_network network;
    mpu_remote_caches caches;

    mpu_launch launch;
    mpu_counts counts;
    mpu_line *lines; /* of all kernels, one behind the other; NULL: nobody asks */
    uint64_t now;    /* cycles since the first launch */

    mpu_blocks blocks;
    bool orphans;    /* accesses may be under way that no warp waits for */
    double expected; /* warp-instructions of all that is run; 0: not known */
    bool apart;      /* refreshes of one core are not those of another */
    msw_simt_step step;
    mpu_access access;
    struct mpu_landing *landings; /* [warp of a CTA] while it jumps */
    msw_err *err;
    bool failed;
} mpu_machine;

/* ---- caches of blocks of other cores (network.c) ---- */

/* Looks up the blocks that core `from` reads of others, in its own cache or in those of the cores
 * that hold them: those found leave the flight. Stores drop blocks. Returns the cycles it takes. */
uint64_t mpu_cache_look_up(mpu_machine *machine, mpu_flight *flight, uint32_t from, int which);

/* Puts the blocks of core `from` that a flight has read into a cache of core `in`. */
void mpu_cache_fill(mpu_machine *machine, const mpu_flight *flight, uint32_t from, uint32_t in,
                    int which);

/* ---- whole machine (launch.c, run.c) ---- */

/* Prepares it; `some` launches alone will be run, in the order of the program. */
int mpu_machine_init(mpu_machine *machine, const msw_task *task, const mpu_program *program,
                     bool some, msw_err *err);

/* Runs until `issued` warp-instructions were issued since the first launch, `windows_most` windows
 * were run, or the launch has ended (`active` is false). Returns 0, or -1. */
int mpu_machine_run(mpu_machine *machine, uint64_t issued, msw_err *err);

/* Instructions of a warp by which a core may go on further than it should. */
enum { MPU_LANDING = 256 };

/* Lets the launch go on without time until about `issued` warp-instructions were issued since the
 * first launch, or it has no CTAs any more. Returns 0, or -1. */
int mpu_machine_jump(mpu_machine *machine, uint64_t issued, msw_err *err);

/* Simulated so far, as the event budget counts. */
uint64_t mpu_machine_events(const mpu_machine *machine);

/* Brings what issue, controllers and TSVs count into `totals`. */
void mpu_machine_totals(mpu_machine *machine);

/* Brings issues counted by instruction into `totals`. */
void mpu_machine_fold(mpu_machine *machine);

/* Starts a launch. Returns 0, or -1. */
int mpu_launch_start(mpu_machine *machine, size_t stage, msw_err *err);

/* Lets one core go on up to a time. Returns when it has to go on. */
uint64_t mpu_core_run(mpu_machine *machine, mpu_core *core, uint64_t until);

/* Adds what sub-cores have waited since they issued last to the cycle stack. */
void mpu_settle(mpu_machine *machine, uint64_t now);

/* ---- counts by line of PTX (lines.c) ---- */

/* Makes room for them where somebody asks for details. Returns 0, or -1. */
int mpu_lines_init(mpu_machine *m, msw_err *err);

/* Counts those of the launch's kernel from now on. */
void mpu_lines_start(mpu_machine *m);

/* Adds an instruction that a warp issues. */
void mpu_line_issue(mpu_machine *m, const mpu_core *core, const mpu_warp *warp,
                    const mpu_issue *issue);

/* Adds a row for each instruction to a detail table. Returns 0, or -1. */
int mpu_lines_tell(const mpu_machine *m, int table, msw_err *err);

/* ---- warps ---- */

/* Starts CTAs while there is room. */
void mpu_start_ctas(mpu_machine *m, mpu_core *core, uint64_t now);

/* Goes on behind an instruction that has issued at `now`; the next may not before `earliest`. */
void mpu_warp_advance(mpu_machine *m, mpu_core *core, mpu_warp *warp, uint64_t now,
                      uint64_t earliest);

/* The next CTA of the core takes the slot of one that has ended, its warps those of that. Returns
 * whether there is one. */
bool mpu_next_cta(mpu_machine *m, mpu_core *core, mpu_cta *cta);

/* Takes the access at the end of the machine's step into a warp. */
void mpu_warp_take_event(mpu_machine *m, mpu_core *core, mpu_warp *warp);

/* Fetches for a warp that has issued all it fetched, after a jump. */
void mpu_warp_resume(mpu_machine *m, mpu_core *core, mpu_warp *warp, uint64_t now);

/* All that the warp issued has ended, its exit too. */
void mpu_warp_leave(mpu_machine *m, mpu_core *core, mpu_warp *warp, uint64_t now);

/* A value that the warp waited for is known now. */
void mpu_warp_wake(mpu_machine *m, mpu_core *core, mpu_warp *warp, uint64_t now);

/* ---- accesses ---- */

/* Gives a global access to the LSU at a time. */
void mpu_access_issue(mpu_machine *m, mpu_core *core, uint32_t subcore, mpu_warp *warp,
                      uint64_t time);

/* Whether the LSU of a sub-core takes another access. */
bool mpu_access_room(const mpu_machine *m, const mpu_subcore *sub);

/* Lets a near-bank unit's controller decide up to a time. */
void mpu_unit_run(mpu_machine *m, mpu_core *core, uint32_t unit, uint64_t now);

/* Lets those that wait for entries of tables go on. */
void mpu_access_go_on(mpu_machine *m, mpu_core *core);

/* Takes a message that has arrived. */
void mpu_take_message(mpu_machine *m, mpu_core *core, uint64_t now);

/* Takes the first server to be free, from `time` on. Returns when, with its number; MPU_NEVER when
 * it is not known. */
static inline uint64_t mpu_serve(const mpu_servers *s, uint64_t time, uint32_t *which)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->count; i++)
        best = s->free[i] < s->free[best] ? i : best;
    *which = best;
    return s->free[best] > time ? s->free[best] : time;
}

static inline uint64_t mpu_serve_for(const mpu_servers *s, uint64_t time, uint64_t cycles)
{
    uint32_t which;
    uint64_t start = mpu_serve(s, time, &which);
    s->free[which] = start + cycles;
    return start;
}

/* The units of a program. At full, and where a program has few launches, they are
 * windows of instructions (units.c); of a program of many launches a sample takes whole launches
 * (sample.c). */

/* Launches that are alike, in the order of the program. */
typedef struct mpu_launches {
    uint64_t *stages;
    uint64_t *times; /* how many launches come before each */
    uint64_t count;
    double insns; /* of all of them, estimated */
} mpu_launches;

/* Units of each stage and of each stratum, one behind the other: number `first[s]` is the first of
 * stage s. An artifact. */
typedef struct mpu_units {
    uint64_t *first; /* [stage], one more at the end */
    size_t stages;
    uint64_t stratum[MPU_STRATA_MOST + 1]; /* likewise */
    size_t strata;
    mpu_launches launches[MPU_STRATA_MOST];
    size_t launch_strata;
    uint64_t launch_count;
    double *insns; /* [stage] estimated */
} mpu_units;

/* Sorts the launches into strata of those that are alike; `units->insns` is filled. Returns 0, or
 * -1. */
int mpu_launches_sort(const msw_simt_product *product, msw_arena *arena, mpu_units *units,
                      msw_err *err);

/* Whether a sample of this task takes launches: its pilot, and one of twice its units, then cost
 * less than all. */
bool mpu_samples_launches(const msw_task *task, const mpu_units *units);

/* Fills the strata of launches. */
void mpu_launch_strata(const mpu_units *units, msw_stratum *strata);

/* Sub-cores of cores that are simulated. */
uint64_t mpu_simulated_subcores(const mpu_config *config);

/* Warp-instructions that run in detail, uncounted, before a unit that is measured: what was passed
 * over has left rows open. */
uint64_t mpu_lead_insns(const mpu_config *config);

/* The first of the stages from `from` to `stage` whose launches are to run in detail before that
 * one is measured. */
size_t mpu_launch_lead_from(const msw_task *task, const mpu_units *units, size_t from,
                            size_t stage);

/* How many launches run before one, on the mean. */
double mpu_launch_lead(const msw_task *task, const mpu_units *units);

/* Runs a launch as a whole. Returns 0, or -1. */
int mpu_launch_whole(mpu_machine *m, size_t stage, msw_err *err);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to mpu: places, counts and chains, without time.
 *
 * Where addresses lie: README.md, "Places". Counts are of what an instruction does: both models add
 * each instruction of each warp, so their counts are the same for the same instructions. A walk
 * runs the CTAs of one core (or SM), resident warps in turn, each until it accesses memory, arrives
 * at a barrier or ends. The longest chain of dependences of a warp, and of a CTA with its barriers,
 * is stored as counts of what lies on it; nominal weights decide which chain is the longest. A warp
 * issues in order and does not wait for a result before an instruction reads it. */
#ifndef MSW_MECH_MPU_COUNT_COUNT_H
#define MSW_MECH_MPU_COUNT_COUNT_H

#include "mech/mpu/config.h"
#include "mech/mpu/kernel/kernel.h"
#include "memsweep/base/arena.h"
#include "memsweep/sim/assoc.h"
#include "memsweep/workload/simt.h"

/* One access of bank_io_bytes. */
typedef struct mpu_location {
    uint32_t core; /* of the whole machine: cube * cores + core in the cube */
    uint32_t unit; /* near-bank unit of the core */
    uint32_t bank; /* of the unit */
    uint32_t row, column;
} mpu_location;

typedef struct mpu_field {
    uint32_t shift, mask;
} mpu_field;

typedef struct mpu_map {
    const mpu_config *config;
    const msw_simt_array *arrays;
    size_t array_count;
    uint64_t gap;
    mpu_field core, unit, bank, row, column;
    uint32_t row_bits;
} mpu_map;

/* Prepares a map; counts of `config` are powers of two (mpu_check). */
void mpu_map_init(mpu_map *map, const mpu_config *config, const msw_simt_product *product);

/* Returns where an address lies. */
mpu_location mpu_locate(const mpu_map *map, uint64_t address);

/* Finds the core of the first line that the CTA's first warp accesses in its first `most`
 * instructions; core 0 if there is none. `block` is room for the CTA. Returns 0, or -1. */
int mpu_owner_of(const mpu_map *map, const msw_simt_code *code, uint64_t cta, uint64_t most,
                 void *block, uint32_t *owner, msw_err *err);

/* Returns which of a bank's row buffers a row opens in under row_placement: mod. */
uint32_t mpu_row_buffer(const mpu_config *config, uint32_t row, uint32_t row_bits);

/* Links between two cores: cores and cubes are one mesh, x first. */
typedef struct mpu_hops {
    uint32_t on_chip, off_chip;
} mpu_hops;
mpu_hops mpu_hops_of(const mpu_config *config, uint32_t from, uint32_t to);

/* The places that a global access of a warp touches. Blocks are accesses of bank_io_bytes, each
 * once. */
typedef struct mpu_access {
    bool whole; /* may be offloaded whole: all lanes, consecutive, in the warp's own unit */
    uint32_t local_blocks, remote_blocks;
    uint32_t local_lines, remote_lines; /* of 128 bytes, or parts */
    uint32_t count; /* of `blocks`: local ones and remote ones, in order of address in each line */
    struct {
        uint64_t address;
        mpu_location at;
    } blocks[MSW_SIMT_LANES * 2];
} mpu_access;

/* Finds the places of an access (step of kind MSW_SIMT_EVENT_ACCESS, global or local space) of a
 * warp of unit `unit` of core `core`. */
void mpu_access_of(const mpu_map *map, const msw_simt_step *step, uint32_t core, uint32_t unit,
                   mpu_access *out);

/* Adds instruction `insn` to `totals`, indexed by metric: instructions, moves, offloads, register
 * file and collector accesses, energy_alu_nj, TSV bytes of these. Accesses to memory need the rest:
 * mpu_count_access. */
void mpu_count_insn(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                    const mpu_issue *issue, double *totals);

/* Adds what a global (or local) access does: lines, DRAM reads and writes, LSU-extension, network
 * and TSV bytes. `core` is the warp's. */
void mpu_count_access(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                      const mpu_access *access, uint32_t core, double *totals);

/* Adds the bytes over links of blocks that a core reads of or writes to another: header, and data
 * in packets. */
void mpu_count_links(const mpu_config *config, uint32_t from, uint32_t to, double blocks,
                     double *totals);

/* Of an access that is not offloaded whole: whether its result goes to near registers, TSV bytes of
 * that, and of a stored value that comes from there. Return them. */
bool mpu_writes_back(const mpu_kernel *kernel, uint32_t insn);
uint64_t mpu_writeback_bytes(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn);
uint64_t mpu_value_bytes(const mpu_kernel *kernel, uint32_t insn);

/* Returns the cycles that an access to shared memory takes of its fullest bank. */
uint32_t mpu_shared_cycles(const msw_simt_step *step, bool atomic);

/* Fills tsv_bytes from its parts. */
void mpu_count_sums(double *totals);

enum {
    MPU_ON_PATH_ISSUE = MPU_LATENCIES, /* after the latency classes */
    MPU_ON_PATH_CONST,
    MPU_ON_PATH_SHARED,
    MPU_ON_PATH_LOCAL,  /* global accesses to the own core */
    MPU_ON_PATH_REMOTE, /* to another */
    MPU_ON_PATH_MOVE,   /* registers from side to side */
    MPU_ON_PATH_OFFLOAD,
    MPU_ON_PATH_CONTROL, /* branches, barriers: the next instruction waits for their end */
    MPU_ON_PATH_KINDS,
};

typedef struct mpu_path {
    float length; /* with nominal weights */
    float of[MPU_ON_PATH_KINDS];
} mpu_path;

typedef struct mpu_path_weights {
    float of[MPU_ON_PATH_KINDS];
} mpu_path_weights;

/* The chains of one warp: one behind every register. */
typedef struct mpu_chain {
    mpu_path now;   /* to the last issue */
    mpu_path last;  /* to the end of the access that ends last */
    mpu_path *regs; /* [register] to the value */
} mpu_chain;

void mpu_chain_start(mpu_chain *chain, uint32_t regs);

/* Kinds that an instruction adds, with their count. */
typedef struct mpu_link {
    uint8_t kind[4];
    uint8_t count;
} mpu_link;

/* Issues an instruction whose result, or end, comes after `link`. */
void mpu_chain_issue(mpu_chain *chain, const msw_simt_insn *insn, const mpu_link *link,
                     const mpu_path_weights *weights);

/* Takes the longer of two. */
void mpu_path_join(mpu_path *path, const mpu_path *other);

typedef struct mpu_walk_at {
    uint32_t slot, warp; /* of the resident CTAs; of the CTA */
    uint64_t cta;
} mpu_walk_at;

/* Callbacks of a walk. All return 0, or -1 with `err`; `step` more than 0 to end the walk. */
typedef struct mpu_walk_listener {
    void *self;
    int (*starts)(void *self, const mpu_walk_at *at, msw_err *err); /* every warp of a new CTA */
    int (*step)(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err);
    int (*released)(void *self, const mpu_walk_at *at, msw_err *err); /* all warps of a barrier */
    int (*ends)(void *self, const mpu_walk_at *at, msw_err *err);     /* the CTA */
} mpu_walk_listener;

/* CTAs first, first + stride, ...: `count` of them, `slots` at once. With `together`, so many
 * follow each other, and the next ones begin `apart` behind the first of these. */
typedef struct mpu_walk_ctas {
    uint64_t first, stride, count;
    uint32_t slots;
    uint64_t together, apart;
} mpu_walk_ctas;

/* Runs them. Scratch comes from the arena. Returns 0, -1, or what a step has ended it with. */
int mpu_walk(const msw_simt_code *code, const mpu_walk_ctas *ctas,
             const mpu_walk_listener *listener, msw_arena *arena, msw_err *err);

/* Read-only caches for blocks that one core reads of another, as the authors'
 * released simulator has them: one at the reader's network interface, one at LSU-Remote of the core
 * that holds them. Both are fully associative, LRU, of remote_cache_bytes. Stores of the reader,
 * and stores that LSU-Remote serves, drop a block; those of others are not seen: what is cached is
 * read-only. A launch begins with empty caches. */

enum { MPU_CACHE_READER, MPU_CACHE_OWNER, MPU_CACHES };

typedef struct mpu_remote_caches {
    msw_assoc_config config;
    msw_assoc *of; /* [core * MPU_CACHES + which]; NULL: there are none */
    uint32_t cores;
} mpu_remote_caches;

/* Returns the blocks of one cache. */
static inline uint64_t mpu_cache_blocks(const mpu_config *c)
{
    return (uint64_t)(c->remote_cache_bytes / c->bank_io_bytes);
}

/* Prepares empty caches; memory comes from the arena. Returns 0, or -1. */
int mpu_caches_init(mpu_remote_caches *caches, const mpu_config *config, msw_arena *arena,
                    msw_err *err);

/* Empties all. */
void mpu_caches_clear(mpu_remote_caches *caches);

/* Returns the number of a block. */
uint64_t mpu_block_number(const mpu_config *config, const mpu_location *at);

/* Looks for a block of a cache that there is. Returns whether it is there. */
bool mpu_cache_find(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Puts a block there that may be there. */
void mpu_cache_insert(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Drops a block that is written. */
void mpu_cache_drop(mpu_remote_caches *caches, uint32_t core, int which, uint64_t block);

/* Takes the blocks that a cache answers back out of the totals: what they read and what crosses the
 * TSVs; at the reader, `from` != `to`, the links, too. */
void mpu_uncount_blocks(const mpu_config *config, uint32_t from, uint32_t to, double blocks,
                        double *totals);

/* Launches that are alike, so that one of them speaks for all. Launches of a group
 * have kernel, grid, block, dynamic shared memory and all arguments in common. */

typedef struct mpu_group {
    uint32_t stage;  /* of the launch that is run */
    double launches; /* that it speaks for */
} mpu_group;

typedef struct mpu_groups {
    const mpu_group *list; /* in the order of stages */
    uint32_t count;
    bool merged;              /* groups that differ in arguments speak for each other */
    const uint32_t *of_stage; /* of launches: the number in the list of what speaks for it; NULL:
                                 each for itself */
} mpu_groups;

/* Groups the launches of a program. Of groups that differ in arguments alone at most `most` are
 * kept: the middle ones of as many runs of them, each for its run. 0: all are kept. Returns 0, or
 * -1. */
int mpu_groups_of(const msw_simt_product *product, uint32_t most, msw_arena *arena, mpu_groups *out,
                  msw_err *err);

/* Makes a group of every launch. Returns 0, or -1. */
int mpu_groups_each(const msw_simt_product *product, msw_arena *arena, mpu_groups *out,
                    msw_err *err);

/* Whether the flow of a program depends on what it computes: a launch takes
 * addresses or predicates from an array that it, or one of others that it speaks for, finds
 * changed. Who runs some CTAs of some launches then sees another flow than that of all. */

enum { MPU_STEER_ARRAYS = 64 }; /* told apart; others share their bits */

/* One launch. */
typedef struct mpu_steer {
    const msw_simt_kernel *kernel;
    const uint8_t *slice;   /* [instruction] whether addresses or predicates need it */
    uint64_t read, written; /* bit per array: for addresses or predicates; at all */
} mpu_steer;

/* Starts a launch. Returns 0, or -1. */
int mpu_steer_start(mpu_steer *steer, const msw_simt_kernel *kernel, msw_arena *arena,
                    msw_err *err);

/* Sees an access to global memory. */
void mpu_steer_see(mpu_steer *steer, const msw_simt_product *product, const msw_simt_step *step);

/* A kernel whose flow depends on data, who writes them, and where. */
typedef struct mpu_steered {
    const msw_simt_kernel *reader, *writer; /* NULL: nothing does */
    const msw_simt_array *array;
} mpu_steered;

/* Finds the first of the groups' launches that others, or it itself, steer. */
mpu_steered mpu_steer_find(const msw_simt_product *product, const mpu_groups *groups,
                           const mpu_steer *steers);

#endif

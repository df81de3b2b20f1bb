/* SPDX-License-Identifier: MIT */
/* Private to closed/: the profile of a workload: classes of CTAs with counts, and the longest chain
 * of dependences of one, from running the CTAs of some cores without time (profile.c) and of all
 * (census.c), with the messages between cores (remote.c). */
#ifndef MSW_MECH_MPU_CLOSED_PROFILE_H
#define MSW_MECH_MPU_CLOSED_PROFILE_H

#include "mech/mpu/count/count.h"
#include "memsweep/base/arena.h"

enum { MPU_TSV_CAUSES = MPU_TSV_COMMIT - MPU_TSV_OFFLOAD + 1 };

/* Requests to a core, or to a near-bank unit, in a whole launch. */
typedef struct mpu_requests {
    double messages, misses;    /* blocks that open a row */
    double lines[2], blocks[2]; /* read, written: of 128 bytes or parts of them; of bank_io_bytes */
} mpu_requests;

/* What a class of CTAs exchanges with other cores. */
typedef struct mpu_profile_traffic {
    mpu_requests hot_core, hot_unit; /* wave by wave: requests of others to the core that gets
                                     most; of all to the fullest of the units that they use */
    double out_share;                /* of accesses that go to other cores */
    double waiting;                  /* of warps that wait for data of other cores */
    double met_core, met_link;       /* load that a message meets in the mean, over the largest */
    double out_stores;               /* of accesses to other cores: stores */
    double peak_core, peak_link[2];  /* most messages to one core, over one link in cubes and
                                        between, in a turn of all warps */
    double last_stores, last_share;  /* stores to other cores that no load of the CTA follows: in a
                                        launch; of all of them */
    double link_bytes[2], link_messages[2]; /* of a launch: the fullest link in cubes, between */
    double out_bytes, back_bytes, hops;     /* of a message to another core, in the mean */
    double far_hops;                 /* the same, of the core that is farthest from its data */
    double messages[MPU_TSV_CAUSES]; /* TSV messages by cause */
} mpu_profile_traffic;

/* Launches that are alike; means of one CTA. */
typedef struct mpu_profile_class {
    uint32_t stage; /* the launch that was run */
    double launches, ctas;
    uint32_t slots, warps;      /* CTAs of a core at once; warps of a CTA */
    double totals[MPU_METRICS]; /* TOTAL slots that counting fills; row hits, closed, conflicts */
    double buffers;             /* of a bank, that rows are opened in side by side */
    double alu[MPU_ENERGIES];   /* instructions by energy class */
    double latency[MPU_LATENCIES]; /* instructions by latency class, of the ALUs and SFUs */
    double sfu;                    /* instructions of the SFUs */
    double shared; /* cycles of accesses to shared memory, banks' conflicts included */
    double path[MPU_ON_PATH_KINDS];
    double busy_share; /* instructions of the busiest sub-core over all */
    double uneven;     /* instructions of the busiest core's CTAs over the mean CTA's */
    double way;        /* instructions on the longest way of the busiest core, for each wave; 0:
                          unknown */
    double longest;    /* CTA of that core over its mean one; 1: unknown */
    double working;    /* cores as busy as the busiest that would do all the work */
    double waits[MPU_ON_PATH_KINDS]; /* of the mean warp at barriers: what the last one has more */
    double insns_of_cta;             /* over all CTAs */
    double most_ctas;                /* of a core; dispatch: owner: counted */
    double seen;                     /* share of the cores with CTAs of which any was run */
    const double *work; /* [core] instructions of all CTAs; NULL: not all CTAs were run */
    mpu_profile_traffic traffic;
} mpu_profile_class;

typedef struct mpu_profile {
    const mpu_profile_class *classes;
    uint32_t count;
    mpu_steered steered; /* then the classes are not those of the program's data */
    bool merged;         /* launches with other arguments speak for each other */
} mpu_profile;

/* ---- messages between cores: remote.c ---- */

/* Which core, and which near-bank unit, has most to do for others, wave of CTAs after wave: what
 * lies together in memory is read together, so one core after the other may be busy. */
typedef struct mpu_hot {
    uint32_t cores, units;      /* of the machine; of a core */
    bool some;                  /* CTAs of some cores alone are run */
    mpu_requests *others, *all; /* [core * units + unit] of this wave: by other cores; by all */
    uint32_t *now, peak;        /* [core] messages of this turn; most of any */
    double met, met_of; /* load of the core that a message goes to, over the largest; messages */
    mpu_requests core, unit; /* of all waves: the core that others use most, the fullest of
                             the units that they use */
} mpu_hot;

/* Prepares it; memory comes from the arena. Returns 0, or -1 when it runs out. */
int mpu_hot_init(mpu_hot *hot, const mpu_config *config, msw_arena *arena);

/* Adds the blocks of an access of a warp of core `home`, which waits for them or does not. Blocks
 * are in the order of addresses: a message for each core, a line for each unit. `misses` has a bit
 * per block that opens a row. */
void mpu_hot_add(mpu_hot *hot, const mpu_access *access, uint32_t home, bool writes, bool waits,
                 uint64_t misses);

/* Ends a turn of all warps. */
void mpu_hot_end_turn(mpu_hot *hot);

/* Ends a wave. */
void mpu_hot_end_wave(mpu_hot *hot);

/* Fills the requests to the hottest, times `times`. */
void mpu_hot_tell(const mpu_hot *hot, double times, mpu_profile_class *out);

/* Bytes over each link of the mesh of all cores, messages going first along x, then along y. */
typedef struct mpu_links {
    uint32_t wide, high, tile_wide, tile_high;
    double *bytes, *messages; /* [(y * wide + x) * 4 + way] */
    uint32_t *now;            /* messages of this turn */
    uint32_t peak[2];         /* most of any turn, in cubes and between */
} mpu_links;

/* Prepares them; memory comes from the arena. Returns 0, or -1 when it runs out. */
int mpu_links_init(mpu_links *links, const mpu_config *config, msw_arena *arena);

/* Sends a message, for which a warp waits or none. Returns how many links it crosses. */
uint32_t mpu_links_add(mpu_links *links, const mpu_config *config, uint32_t from, uint32_t to,
                       double bytes, bool waits);

/* Ends a turn of all warps. */
void mpu_links_end_turn(mpu_links *links);

/* Fills peak_link, link_bytes and link_messages: of the fullest links, times `times`. */
void mpu_links_most(const mpu_links *links, double times, mpu_profile_class *out);

/* ---- open rows: remote.c ---- */

/* Open rows of all banks, in the order of the accesses. */
typedef struct mpu_rows {
    const mpu_config *config;
    uint32_t *open; /* [bank * row_buffers] row + 1; for lru by recency */
    uint64_t banks;
    uint32_t row_bits;
    uint8_t *last;        /* [bank] the buffer in which it opened a row last */
    double opened, moved; /* rows; those that were opened in another buffer than the one before */
} mpu_rows;

int mpu_rows_init(mpu_rows *rows, const mpu_map *map, msw_arena *arena, msw_err *err);

/* Accesses a location; adds a hit, a closed row or a conflict to `totals`. Returns whether its row
 * was open. */
bool mpu_rows_use(mpu_rows *rows, const mpu_location *at, double *totals);

/* Returns how many buffers of a bank rows are opened in at about the same time: 1 where all rows
 * meet in one, all where any may be used. */
double mpu_rows_buffers(const mpu_rows *rows);

/* ---- all cores: census.c ---- */

/* Multiplies all counts of a class that represent one CTA. */
void mpu_class_scale(mpu_profile_class *out, double by);

/* Runs CTAs of all cores and fills how much each works, its accesses, and its messages to others.
 * `out` has the counts of instructions and rows of its replay, which are scaled to all CTAs.
 * `share` is that of the launch of what a census may take. What stays lies in `kept`. Returns 0, or
 * -1. */
int mpu_census(const mpu_config *config, const mpu_kernel *kernel, const mpu_map *map,
               const msw_simt_code *code, double share, msw_arena *arena, msw_arena *kept,
               mpu_profile_class *out, msw_err *err);

/* How much the CTAs of a launch issue, from some at equal distances. A census of
 * some waves does not show that work ends within a grid: a thread that goes through it in steps has
 * one turn more in the first CTAs than in the last. */

typedef struct mpu_lengths {
    double *insns; /* [CTA / apart] of one there */
    uint64_t count, apart;
    double mean, error; /* of a CTA; standard error of that */
} mpu_lengths;

/* Runs them; of a CTA about `each` instructions are expected. Returns 0, or -1. */
int mpu_lengths_run(const msw_simt_code *code, double each, msw_arena *arena, mpu_lengths *out,
                    msw_err *err);

/* Returns what CTA `cta` is taken to issue: as much as the one that was run of its part. */
double mpu_length_of(const mpu_lengths *lengths, uint64_t cta);

/* CTAs of one core, one after the other in its slots: what each issues. */
typedef struct mpu_core_work {
    double longest, most, sum, ctas; /* way through the slots; CTA; all */
    double *passed;                  /* [slot] */
} mpu_core_work;

void mpu_work_add(mpu_core_work *work, const mpu_config *config, uint32_t slots, double insns);

/* Fills the longest way, in instructions over waves, and the longest CTA over the mean one. */
void mpu_work_tell(const mpu_core_work *work, mpu_profile_class *out);

#endif

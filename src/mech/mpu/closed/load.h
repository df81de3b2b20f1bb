/* SPDX-License-Identifier: MIT */
/* Private to closed/: what one CTA of a class takes of the stations of a core, and how long a
 * number of warps takes that share stations and wait for results: mean value analysis of a closed
 * network (README.md, "Closed form"). */
#ifndef MSW_MECH_MPU_CLOSED_LOAD_H
#define MSW_MECH_MPU_CLOSED_LOAD_H

#include "mech/mpu/closed/profile.h"
#include "memsweep/mech/mechanism.h"

/* Share of the time from which on a station is full. */
#define MPU_FULL 0.75

/* A resource: `copies` of it serve as many warps each; below 1 it serves the warps of all cores. */
typedef struct mpu_station {
    double demand; /* cycles that one warp takes of it */
    double copies;
    double burst; /* cycles for those that come together at first, but one */
} mpu_station;

/* Stations of a core, in the order of the causes they are reported under. */
enum {
    MPU_STATION_ISSUE,
    MPU_STATION_ALU,
    MPU_STATION_DRAM,
    MPU_STATION_TSV,
    MPU_STATION_SHARED,
    MPU_STATION_UNIT,
    MPU_STATION_TABLE,
    MPU_STATION_MOVES,
    MPU_STATION_COLLECTORS,
    MPU_STATION_OWNER,
    MPU_STATION_LINKS,
    MPU_STATIONS
};

/* Fills the cycles a warp spends at each station, waiting included, and those by which the last of
 * a burst is late, when `warps` of them go through at once, each with a chain of `chain` cycles
 * that its own demands are part of. All start together: the last one waits for a burst. Returns all
 * cycles. */
double mpu_queues(const mpu_station *stations, double warps, double chain, double *residence,
                  double *late);

/* The time that one CTA of a class takes in a core. */
typedef struct mpu_load {
    mpu_station stations[MPU_STATIONS]; /* by one warp of it */
    double chain, chain_by[MPU_ON_PATH_KINDS];
    double mean_ctas, most_ctas;     /* of a core */
    double issue;                    /* mean over sub-cores, all CTAs */
    double used;                     /* share of sub-cores that have warps, in the mean */
    double waits;                    /* of the chain, at barriers */
    double early;                    /* of the chain, by which the mean core ends before the last */
    double waiting;                  /* share of warps that wait for other cores */
    double together;                 /* warps of a sub-core that end one by one */
    double met_core, met_link;       /* by a message, over the fullest */
    double out_share, out_stores;    /* of accesses that do; of these, stores */
    double tsv_accesses, tsv_shared; /* of the TSVs' time: accesses; shared memory */
    double tail, tail_used; /* cycles behind the rest; share of sub-cores that then have warps */
} mpu_load;

/* Fills the load of a class. */
void mpu_load_init(mpu_load *load, const mpu_config *config, const mpu_profile_class *k);

/* ---- the machine on the first stretch of a launch: rehearsal.c ---- */

typedef struct mpu_rehearsal {
    double cycles, stack[MPU_CAUSES]; /* of the launch; mean over sub-cores */
    double drift; /* logarithm of the change of pace, times the share behind the stretch */
    bool whole;   /* the launch ended within it */
} mpu_rehearsal;

/* Runs about `most` warp-instructions of the launch of a class in the machine, `cycles` of them at
 * least, and goes from there to its end. Returns 0, or -1. */
int mpu_rehearse(const msw_task *task, const mpu_profile_class *k, double most, double cycles,
                 mpu_rehearsal *out, msw_err *err);

/* Returns the core cycles of a beat of the TSVs. */
double mpu_beat_cycles(const mpu_config *config);

/* Returns the beats of one CTA, both ways added: each message is rounded up. */
double mpu_tsv_beats(const mpu_config *config, const mpu_profile_class *k);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to mpu: what the closed form knows about a workload: classes of CTAs with counts, and the
 * longest chain of dependences of one. From running the CTAs of some cores without time. */
#ifndef MSW_MECH_MPU_CLOSED_PROFILE_H
#define MSW_MECH_MPU_CLOSED_PROFILE_H

#include "mech/mpu/count/count.h"
#include "mech/mpu/count/path.h"

enum { MPU_TSV_CAUSES = MPU_TSV_COMMIT - MPU_TSV_OFFLOAD + 1 };

/* What is asked of a core, or of a near-bank unit, in a whole launch. */
typedef struct mpu_asked {
    double messages, misses;    /* blocks that open a row */
    double lines[2], blocks[2]; /* read, written: of 128 bytes or parts of them; of bank_io_bytes */
} mpu_asked;

/* Launches that are alike; means of one CTA. */
typedef struct mpu_profile_class {
    uint32_t stage; /* the launch that was run */
    double launches, ctas;
    uint32_t slots, warps;      /* CTAs of a core at once; warps of a CTA */
    double totals[MPU_METRICS]; /* TOTAL slots that counting fills; row hits, closed, conflicts */
    double alu[MPU_ENERGIES];   /* instructions by energy class */
    double latency[MPU_LATENCIES]; /* instructions by latency class, of the ALUs and SFUs */
    double sfu;                    /* instructions of the SFUs */
    double path[MPU_ON_PATH_KINDS];
    double busy_share; /* instructions of the busiest sub-core over all */
    double uneven;     /* instructions of the busiest core's CTAs over the mean CTA's */
    double working;    /* cores as busy as the busiest that would do all the work */
    double waits[MPU_ON_PATH_KINDS]; /* of the mean warp at barriers: what the last one has more */
    mpu_asked hot_core, hot_unit;    /* wave by wave: what others ask of the core that they ask
                                        most; what all ask of the fullest unit that they ask */
    double out_share;                /* of accesses that go to other cores */
    double asking;                   /* of warps that wait for data of other cores */
    double met_core, met_link;       /* load that a message meets in the mean, over the largest */
    double out_stores;               /* of accesses to other cores: stores */
    double peak_core, peak_link[2];  /* most messages to one core, over one link in cubes and
                                        between, in a turn of all warps */
    double insns_of_cta;             /* over all CTAs */
    double last_stores, last_share;  /* stores to other cores that no load of the CTA follows: in a
                                        launch; of all of them */
    double link_bytes[2], link_messages[2]; /* of a launch: the fullest link in cubes, between */
    double out_bytes, back_bytes, hops;     /* of a message to another core, in the mean */
    double far_hops;                 /* the same, of the core that is farthest from its data */
    double most_ctas;                /* of a core; dispatch: owner: counted */
    double messages[MPU_TSV_CAUSES]; /* TSV messages by cause */
} mpu_profile_class;

typedef struct mpu_profile {
    const mpu_profile_class *classes;
    uint32_t count;
} mpu_profile;

#endif

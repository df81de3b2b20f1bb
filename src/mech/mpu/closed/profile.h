/* Private to mpu: what the closed form knows of a workload: classes of CTAs with counts, and the
 * longest chain of dependences of one. From running the CTAs of some cores without time. */
#ifndef MSW_MECH_MPU_CLOSED_PROFILE_H
#define MSW_MECH_MPU_CLOSED_PROFILE_H

#include "mech/mpu/count/count.h"
#include "mech/mpu/count/path.h"

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
    double hot_share;  /* of the accesses that leave a core, those to one that all cores ask */
    double uneven;     /* instructions of the busiest core that was run over their mean */
    double most_ctas;  /* of a core; dispatch: owner: counted */
    double messages[MPU_TSV_COMMIT - MPU_TSV_OFFLOAD + 1]; /* TSV messages by cause */
} mpu_profile_class;

typedef struct mpu_profile {
    const mpu_profile_class *classes;
    uint32_t count;
} mpu_profile;

#endif

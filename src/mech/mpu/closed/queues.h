/* SPDX-License-Identifier: MIT */
/* Private to mpu: how long a number of warps takes that share stations and wait for results: mean
 * value analysis of a closed network (README.md, "Closed form"). */
#ifndef MSW_MECH_MPU_CLOSED_QUEUES_H
#define MSW_MECH_MPU_CLOSED_QUEUES_H

/* A resource: `copies` of it serve as many warps each. */
typedef struct mpu_station {
    double demand; /* cycles that one warp takes of it */
    double copies;
    double burst; /* cycles for those that come together at first, but one */
} mpu_station;

/* Fills the cycles a warp spends at each station, waiting included, and those by which the last of
 * a burst is late, when `warps` of them go through at once, each with a chain of `chain` cycles
 * that its own demands are part of. All start together: the last one waits for a burst. Returns all
 * cycles. */
double mpu_queues(const mpu_station *stations, int count, double warps, double chain,
                  double *residence, double *late);

#endif

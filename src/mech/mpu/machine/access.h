/* SPDX-License-Identifier: MIT */
/* Private to mpu: accesses under way, between the files that move them on. */
#ifndef MSW_MECH_MPU_MACHINE_ACCESS_H
#define MSW_MECH_MPU_MACHINE_ACCESS_H

#include "mech/mpu/machine/machine.h"

/* Takes a free flight; there are enough. Returns its number. */
uint32_t mpu_flight_new(mpu_machine *m, mpu_core *core);
void mpu_flight_free(mpu_core *core, uint32_t flight);

/* Sends the parts that the core itself has to its near-bank units. */
void mpu_send_parts(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time);

/* Sends messages for the others. */
void mpu_send_remote(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time);

/* One request or message of a flight is answered at `time`. */
void mpu_flight_answered(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time);

/* Lets waiting messages have entries of LSU-Remote. */
void mpu_next_remote(mpu_machine *m, mpu_core *core);

/* Put a flight last into a queue; take the first one out. */
void mpu_queue_put(mpu_core *core, mpu_queue *queue, uint32_t flight);
uint32_t mpu_queue_take(mpu_core *core, mpu_queue *queue);

/* Hands one request to a near-bank unit's controller. */
void mpu_push_part(mpu_machine *m, mpu_core *core, const mpu_part *part, uint32_t flight,
                   uint64_t time);

#endif

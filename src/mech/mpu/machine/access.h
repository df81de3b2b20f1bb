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

/* All that another core asked for has come. */
void mpu_answer_remote(mpu_machine *m, mpu_core *core, uint32_t flight);

/* ---- the tables of entries ---- */

/* A flight gives an entry of its LSU's table back at `time`. */
void mpu_release_entry(mpu_machine *m, mpu_core *core, uint32_t subcore, uint32_t entry,
                       uint64_t time);

/* Lets waiting whole accesses have entries of the near-bank unit. */
void mpu_next_near(mpu_machine *m, mpu_core *core, mpu_subcore *sub);

/* Hands one request to a near-bank unit's controller. */
void mpu_push_part(mpu_machine *m, mpu_core *core, const mpu_part *part, uint32_t flight,
                   uint64_t time);

#endif

/* SPDX-License-Identifier: MIT */
/* Accesses under way, and queues of them. */
#include "mech/mpu/machine/access.h"

void mpu_queue_put(mpu_core *core, mpu_queue *q, uint32_t flight)
{
    core->flights[flight].next = MPU_NOBODY;
    if (q->count++)
        core->flights[q->last].next = flight;
    else
        q->first = flight;
    q->last = flight;
}

uint32_t mpu_queue_take(mpu_core *core, mpu_queue *q)
{
    uint32_t flight = q->first;
    q->first = core->flights[flight].next;
    q->count--;
    return flight;
}

uint32_t mpu_flight_new(mpu_machine *m, mpu_core *core)
{
    uint32_t f = core->free_flight;
    if (f == MPU_NOBODY) {
        m->failed = true;
        msw_fail(m->err, "mpu: more accesses are under way than a core has room for");
        return 0;
    }
    core->free_flight = core->flights[f].next;
    return f;
}

void mpu_flight_free(mpu_core *core, uint32_t f)
{
    core->flights[f].kind = MPU_FLIGHT_FREE;
    core->flights[f].next = core->free_flight;
    core->free_flight = f;
}

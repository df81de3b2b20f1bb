/* SPDX-License-Identifier: MIT */
/* Accesses to other cores: messages, and what LSU-Remote does for them. */
#include "mech/mpu/machine/access.h"

#include "memsweep/base/bits.h"

/* A message to each core that has parts. */
static void send_to(mpu_machine *m, mpu_core *core, uint32_t flight, uint32_t owner, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    uint32_t number = mpu_message_new(&m->network);
    if (number == MPU_NOBODY) {
        m->failed = true;
        msw_fail(m->err, "mpu: too many messages are under way");
        return;
    }
    mpu_message *message = &m->network.messages[number];
    *message = (mpu_message){.time = time + 1, .from = core->index, .to = owner, .flight = flight};
    for (uint32_t i = 0; i < f->part_count; i++)
        message->blocks += f->parts[i].core == owner ? f->parts[i].blocks : 0;
    mpu_message_sizes(m->config, message, f->is_store || f->is_atomic,
                      !f->is_store && f->has_result);
    f->open++;
    f->went_out = true;
    mpu_network_post(&m->network, number);
}

void mpu_send_remote(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    const mpu_flight *f = &core->flights[flight];
    for (uint32_t i = 0; i < f->part_count && !m->failed; i++) {
        uint32_t owner = f->parts[i].core;
        bool first = owner != core->index;
        for (uint32_t j = 0; j < i && first; j++)
            first = f->parts[j].core != owner;
        if (first)
            send_to(m, core, flight, owner, time);
    }
}

/* ---- at the owner ---- */

/* Takes the parts that the owner has of the requester's flight. */
static void serve(mpu_machine *m, mpu_core *core, uint32_t number, uint32_t entry, uint64_t time)
{
    const mpu_message *message = &m->network.messages[number];
    const mpu_flight *of = &m->cores[message->from].flights[message->flight];
    uint32_t flight = mpu_flight_new(m, core);
    mpu_flight *f = &core->flights[flight];
    *f = (mpu_flight){.kind = MPU_FLIGHT_REMOTE,
                      .time = time,
                      .warp = number,
                      .entry = entry,
                      .is_store = of->is_store,
                      .is_atomic = of->is_atomic,
                      .has_result = of->has_result,
                      .parts = f->parts};
    for (uint32_t i = 0; i < of->part_count; i++)
        if (of->parts[i].core == core->index)
            f->parts[f->part_count++] = of->parts[i];
    f->open = f->part_count;
    core->remote.free[entry] = MPU_NEVER;
    mpu_send_parts(m, core, flight, time + 1);
}

void mpu_next_remote(mpu_machine *m, mpu_core *core)
{
    while (core->remote_queue.first != MPU_NOBODY && !m->failed) {
        uint32_t entry, number = core->remote_queue.first;
        uint64_t at = mpu_serve(&core->remote, m->network.messages[number].time, &entry);
        if (at == MPU_NEVER)
            return;
        mpu_inbox_take(&m->network, &core->remote_queue);
        serve(m, core, number, entry, at);
    }
}

void mpu_take_message(mpu_machine *m, mpu_core *core, uint64_t now)
{
    uint32_t number = mpu_inbox_take(&m->network, &core->inbox);
    const mpu_message *message = &m->network.messages[number];
    m->events++;
    if (!message->is_answer) {
        mpu_inbox_put(&m->network, &core->remote_queue, number);
        core->again = true;
        return;
    }
    uint32_t flight = message->flight;
    mpu_message_free(&m->network, number);
    mpu_flight_answered(m, core, flight, now);
}

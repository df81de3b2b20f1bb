/* SPDX-License-Identifier: MIT */
/* Global accesses: the LSU, whole accesses and parts, and what near-bank units answer. */
#include "mech/mpu/machine/access.h"

#include "memsweep/base/bits.h"

bool mpu_access_room(const mpu_machine *m, const mpu_subcore *sub)
{
    return sub->lsu.count < (uint32_t)m->config->stage_buffers;
}

/* ---- whole accesses ---- */

static void start_whole(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    mpu_subcore *sub = &core->subs[f->subcore];
    sub->near_entries.free[f->near_entry] = MPU_NEVER;
    f->time = 0;
    f->open = f->part_count;
    /* the value is read from the near registers */
    uint64_t at = time + (f->is_store ? (uint64_t)m->config->collect_cycles : 0);
    for (uint32_t i = 0; i < f->part_count; i++)
        mpu_push_part(m, core, &f->parts[i], flight, at);
}

static void next_near(mpu_machine *m, mpu_core *core, mpu_subcore *sub)
{
    while (sub->near.count) {
        mpu_flight *f = &core->flights[sub->near.first];
        uint32_t entry;
        uint64_t at = mpu_serve(&sub->near_entries, f->time, &entry);
        if (at == MPU_NEVER)
            return;
        f->near_entry = entry;
        start_whole(m, core, mpu_queue_take(core, &sub->near), at);
    }
}

static void offload_whole(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    mpu_subcore *sub = &core->subs[f->subcore];
    f->kind = MPU_FLIGHT_WHOLE;
    f->time = time;
    if (m->config->pipeline == MPU_PIPELINE_HYBRID)
        f->time = mpu_tsv_send(&core->tsv, MPU_TSV_UP, time, (uint64_t)m->config->access_bytes) + 1;
    sub->entries.free[f->entry] = time + 1;
    mpu_queue_put(core, &sub->near, flight);
    next_near(m, core, sub);
}

/* ---- the LSU ---- */

static void gather_parts(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    core->subs[f->subcore].entries.free[f->entry] = MPU_NEVER;
    f->kind = MPU_FLIGHT_PARTS;
    f->time = time;
    f->open = 1; /* until all is sent */
    uint64_t value = mpu_value_bytes(m->kernel, f->insn);
    if (value && c->pipeline == MPU_PIPELINE_HYBRID) /* it comes to the far side */
        time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN,
                            time + (uint64_t)c->tsv_command_cycles + core->tsv.delay, value);
    for (uint32_t i = 0; i < f->part_count; i++)
        f->open += f->parts[i].core == core->index;
    mpu_send_parts(m, core, flight, time);
    mpu_send_remote(m, core, flight, time);
    mpu_flight_answered(m, core, flight, time);
}

/* An access that waits for an entry of the near table waits in a buffer; the LSU waits behind it.
 */
static bool has_way_up(const mpu_machine *m, const mpu_subcore *sub)
{
    return sub->near.count < (uint32_t)m->config->stage_buffers;
}

/* Lets waiting accesses have entries of the LSU's table, in order. */
static void next_access(mpu_machine *m, mpu_core *core, uint32_t subcore)
{
    mpu_subcore *sub = &core->subs[subcore];
    while (sub->lsu.count && !m->failed) {
        mpu_flight *f = &core->flights[sub->lsu.first];
        uint32_t entry;
        if (f->kind == MPU_FLIGHT_WHOLE && !has_way_up(m, sub))
            return;
        uint64_t at = mpu_serve(&sub->entries, f->time, &entry);
        if (at == MPU_NEVER)
            return;
        uint32_t flight = mpu_queue_take(core, &sub->lsu);
        bool whole = f->kind == MPU_FLIGHT_WHOLE;
        f->entry = entry;
        at = mpu_serve_for(&sub->lsus, at, 1) + (uint64_t)m->config->lsu_cycles;
        if (whole)
            offload_whole(m, core, flight, at);
        else
            gather_parts(m, core, flight, at);
        core->next[subcore] = msw_min_u64(core->next[subcore], sub->issued_at);
    }
}

static void copy_parts(mpu_flight *f, const mpu_part *parts, uint32_t count)
{
    f->part_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++)
        f->parts[i] = parts[i];
}

void mpu_access_issue(mpu_machine *m, mpu_core *core, uint32_t subcore, mpu_warp *w, uint64_t time)
{
    const msw_simt_insn *insn = &m->kernel->kernel->insns[w->pc];
    uint32_t flight = mpu_flight_new(m, core);
    mpu_flight *f = &core->flights[flight];
    f->time = time + (uint64_t)m->config->collect_cycles;
    f->warp = (uint32_t)(w - core->warps);
    f->insn = w->pc;
    f->subcore = (uint8_t)subcore;
    f->is_store = insn->is_store && !insn->is_atomic;
    f->is_atomic = insn->is_atomic;
    f->has_result = insn->def_count > 0;
    f->went_out = false;
    f->kind = w->whole ? MPU_FLIGHT_WHOLE : MPU_FLIGHT_PARTS;
    copy_parts(f, w->parts, w->part_count);
    w->flying++;
    for (uint32_t d = 0; d < insn->def_count; d++)
        w->values[insn->defs[d]] = MPU_NEVER;
    mpu_queue_put(core, &core->subs[subcore].lsu, flight);
    next_access(m, core, subcore);
}

void mpu_access_go_on(mpu_machine *m, mpu_core *core)
{
    while (core->again && !m->failed) {
        core->again = false;
        for (uint32_t s = 0; s < (uint32_t)m->config->subcores; s++) {
            next_near(m, core, &core->subs[s]);
            next_access(m, core, s);
        }
        mpu_next_remote(m, core);
    }
}

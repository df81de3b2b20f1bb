/* Global accesses: the LSU, whole accesses and parts, and what near-bank units answer. */
#include "mech/mpu/machine/access.h"

#include "memsweep/base/bits.h"

/* ---- from a step to requests of memory controllers ---- */

/* Blocks of the same row and column of a unit's banks are one request. */
static uint32_t gather(const mpu_access *access, mpu_part *parts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const mpu_location *at = &access->blocks[i].at;
        mpu_part *p = count ? &parts[count - 1] : NULL;
        if (!p || p->core != at->core || p->unit != at->unit || p->row != at->row ||
            p->column != at->column || p->banks >> at->bank & 1) {
            p = &parts[count++];
            *p = (mpu_part){.row = at->row,
                            .column = at->column,
                            .core = (uint16_t)at->core,
                            .unit = (uint8_t)at->unit};
        }
        p->banks |= (uint16_t)(1U << at->bank);
        p->blocks++;
    }
    return count;
}

void mpu_access_take(mpu_machine *m, mpu_core *core, mpu_warp *w, uint32_t insn)
{
    uint32_t unit = (uint32_t)(w - core->warps) / m->positions;
    mpu_access_of(&m->map, &m->step, core->index, unit, &m->access);
    w->whole = m->access.whole && m->kernel->insns[insn].is_load_whole &&
               m->config->pipeline != MPU_PIPELINE_BASE;
    w->part_count = (uint16_t)gather(&m->access, w->parts);
    mpu_count_access(m->config, m->kernel, insn, &m->access, core->index, m->totals);
}

/* ---- queues and flights ---- */

static void put_last(mpu_core *core, mpu_queue *q, uint32_t flight)
{
    core->flights[flight].next = MPU_NOBODY;
    if (q->count++)
        core->flights[q->last].next = flight;
    else
        q->first = flight;
    q->last = flight;
}

static uint32_t take_first(mpu_core *core, mpu_queue *q)
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

void mpu_next_near(mpu_machine *m, mpu_core *core, mpu_subcore *sub)
{
    while (sub->near.count) {
        mpu_flight *f = &core->flights[sub->near.first];
        uint32_t entry;
        uint64_t at = mpu_serve(&sub->near_entries, f->time, &entry);
        if (at == MPU_NEVER)
            return;
        f->near_entry = entry;
        start_whole(m, core, take_first(core, &sub->near), at);
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
    put_last(core, &sub->near, flight);
    mpu_next_near(m, core, sub);
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

/* Lets waiting accesses have entries of the LSU's table, in order. */
static void next_access(mpu_machine *m, mpu_core *core, uint32_t subcore)
{
    mpu_subcore *sub = &core->subs[subcore];
    while (sub->lsu.count && !m->failed) {
        mpu_flight *f = &core->flights[sub->lsu.first];
        uint32_t entry;
        uint64_t at = mpu_serve(&sub->entries, f->time, &entry);
        if (at == MPU_NEVER)
            return;
        uint32_t flight = take_first(core, &sub->lsu);
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

void mpu_release_entry(mpu_machine *m, mpu_core *core, uint32_t subcore, uint32_t entry,
                       uint64_t time)
{
    core->subs[subcore].entries.free[entry] = time;
    next_access(m, core, subcore);
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
    put_last(core, &core->subs[subcore].lsu, flight);
    next_access(m, core, subcore);
}

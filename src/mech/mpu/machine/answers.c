/* SPDX-License-Identifier: MIT */
/* Requests to near-bank units, and what becomes of their answers. */
#include "mech/mpu/machine/access.h"

#include "memsweep/base/bits.h"

/* ---- requests ---- */

void mpu_push_part(mpu_machine *m, mpu_core *core, const mpu_part *part, uint32_t flight,
                   uint64_t time)
{
    const mpu_flight *f = &core->flights[flight];
    mpu_subcore *sub = &core->subs[part->unit];
    bool merges = m->config->store_update != 0;
    msw_dram_lines_request request = {.arrival = time,
                                      .tag = flight | (uint64_t)part->blocks << 32,
                                      .row = mpu_machine_row(m, part->row),
                                      .banks = part->banks,
                                      .is_write = f->is_store || f->is_atomic,
                                      .updates = f->is_atomic || (f->is_store && merges)};
    if (!msw_dram_lines_push(sub->lines, &request)) {
        m->failed = true;
        msw_fail(m->err, "mpu: too many requests wait at a memory controller");
    }
    core->dram[part->unit] = msw_dram_lines_when(sub->lines);
}

static uint64_t blocks_bytes(const mpu_machine *m, const mpu_part *part)
{
    return part->blocks * (uint64_t)m->config->bank_io_bytes;
}

/* Addresses, and the data of stores, go up; without TSVs in between nothing does. */
void mpu_send_parts(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    for (uint32_t i = 0; i < f->part_count; i++) {
        const mpu_part *p = &f->parts[i];
        if (p->core != core->index)
            continue;
        uint64_t bytes = p->blocks * (uint64_t)c->request_bytes;
        if (f->is_store || f->is_atomic)
            bytes += blocks_bytes(m, p);
        uint64_t at = time + (uint64_t)c->tsv_command_cycles;
        if (c->pipeline == MPU_PIPELINE_DRAM)
            at = time;
        else
            at = msw_max_u64(at, mpu_tsv_send(&core->tsv, MPU_TSV_UP, time, bytes));
        mpu_push_part(m, core, p, flight, at + 1);
    }
}

/* ---- ends ---- */

/* The access has ended at `time`: its values are there, others may use its entry. */
static void finish(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time, unsigned metric)
{
    mpu_flight *f = &core->flights[flight];
    mpu_warp *w = &core->warps[f->warp];
    const msw_simt_insn *insn = &m->kernel->kernel->insns[f->insn];
    for (uint32_t d = 0; d < insn->def_count; d++) {
        w->values[insn->defs[d]] = time;
        w->causes[insn->defs[d]] = (uint8_t)(metric - MPU_ISSUE);
    }
    w->last = msw_max_u64(w->last, time);
    w->flying--;
    if (w->state == MPU_WARP_ENDS && !w->flying) {
        w->cause = (uint8_t)(metric - MPU_ISSUE);
        *w->ready = w->last;
        core->next[f->subcore] = msw_min_u64(core->next[f->subcore], *w->ready);
    }
    mpu_warp_wake(m, core, w, core->subs[f->subcore].issued_at);
}

/* Near registers are written, and the far side hears of it. */
static void finish_whole(mpu_machine *m, mpu_core *core, uint32_t flight)
{
    mpu_flight *f = &core->flights[flight];
    mpu_subcore *sub = &core->subs[f->subcore];
    uint64_t time = f->time + (f->is_store ? 1 : (uint64_t)m->config->writeback_cycles);
    mpu_warp *w = &core->warps[f->warp];
    uint64_t committed = time;
    if (m->config->pipeline == MPU_PIPELINE_HYBRID)
        committed = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, (uint64_t)m->config->commit_bytes);
    w->last = msw_max_u64(w->last, committed);
    sub->near_entries.free[f->near_entry] = f->time;
    finish(m, core, flight, time, MPU_STALL_DRAM);
    mpu_flight_free(core, flight);
    core->again = true;
}

/* All parts are gathered on the far side; a hybrid pipeline keeps loaded values near. */
static void finish_parts(mpu_machine *m, mpu_core *core, uint32_t flight)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    uint64_t time = f->time + 1;
    if (c->pipeline == MPU_PIPELINE_HYBRID && mpu_writes_back(m->kernel, f->insn)) {
        uint64_t bytes = mpu_writeback_bytes(c, m->kernel, f->insn);
        time = mpu_tsv_send(&core->tsv, MPU_TSV_UP, time, bytes);
        mpu_warp *w = &core->warps[f->warp];
        w->last = msw_max_u64(w->last, mpu_tsv_send(&core->tsv, MPU_TSV_DOWN,
                                                    time + (uint64_t)c->writeback_cycles,
                                                    (uint64_t)c->commit_bytes));
    }
    if (f->has_result)
        time += (uint64_t)c->writeback_cycles;
    uint32_t subcore = f->subcore, entry = f->entry;
    finish(m, core, flight, time, f->went_out ? MPU_STALL_NETWORK : MPU_STALL_DRAM);
    mpu_flight_free(core, flight);
    core->subs[subcore].entries.free[entry] = time;
    core->again = true;
}

/* All that another core asked for has come. */
static void answer_remote(mpu_machine *m, mpu_core *core, uint32_t flight)
{
    mpu_flight *f = &core->flights[flight];
    mpu_message *message = &m->network.messages[f->warp];
    message->time = f->time + 1;
    message->bytes = message->answer_bytes;
    message->to = message->from;
    message->from = core->index;
    message->is_answer = true;
    mpu_network_post(&m->network, f->warp);
    core->remote.free[f->entry] = f->time;
    mpu_flight_free(core, flight);
    core->again = true;
}

void mpu_flight_answered(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    f->time = msw_max_u64(f->time, time);
    if (--f->open)
        return;
    if (f->kind == MPU_FLIGHT_WHOLE)
        finish_whole(m, core, flight);
    else if (f->kind == MPU_FLIGHT_PARTS)
        finish_parts(m, core, flight);
    else
        answer_remote(m, core, flight);
}

void mpu_unit_run(mpu_machine *m, mpu_core *core, uint32_t unit, uint64_t now)
{
    mpu_subcore *sub = &core->subs[unit];
    msw_dram_lines_completion done;
    while (core->dram[unit] <= now && !m->failed) {
        bool some = msw_dram_lines_next(sub->lines, now, &done);
        core->dram[unit] = msw_dram_lines_when(sub->lines);
        if (!some)
            continue;
        m->events++;
        uint32_t flight = (uint32_t)done.tag;
        const mpu_flight *f = &core->flights[flight];
        uint64_t time = done.time, bytes = (done.tag >> 32) * (uint64_t)m->config->bank_io_bytes;
        bool loads = !f->is_store && (!f->is_atomic || f->has_result);
        if (f->kind != MPU_FLIGHT_WHOLE && m->config->pipeline != MPU_PIPELINE_DRAM)
            time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, loads ? bytes : 0);
        mpu_flight_answered(m, core, flight, time);
    }
}

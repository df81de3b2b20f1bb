/* Global accesses: the LSU, whole accesses and parts, and what near-bank units answer. */
#include "mech/mpu/machine/machine.h"

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
    uint32_t unit = (uint32_t)(w - core->warps) / m->places;
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

static uint32_t new_flight(mpu_machine *m, mpu_core *core)
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

static void free_flight(mpu_core *core, uint32_t f)
{
    core->flights[f].kind = MPU_FLIGHT_FREE;
    core->flights[f].next = core->free_flight;
    core->free_flight = f;
}

bool mpu_access_room(const mpu_machine *m, const mpu_subcore *sub)
{
    return sub->lsu.count < (uint32_t)m->config->stage_buffers;
}

/* ---- requests ---- */

static void push(mpu_machine *m, mpu_core *core, const mpu_part *part, uint32_t flight,
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
    sub->dram = msw_dram_lines_when(sub->lines);
}

static uint64_t blocks_bytes(const mpu_machine *m, const mpu_part *part)
{
    return part->blocks * (uint64_t)m->config->bank_io_bytes;
}

/* Addresses, and the data of stores, go up; without TSVs in between nothing does. */
static void send_parts(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
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
        push(m, core, p, flight, at + 1);
    }
}

/* ---- ends ---- */

static void release_entry(mpu_machine *m, mpu_core *core, uint32_t subcore, uint32_t entry,
                          uint64_t time);
static void next_near(mpu_machine *m, mpu_core *core, mpu_subcore *sub);

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
        w->ready = w->last;
        mpu_subcore *own = &core->subs[f->subcore];
        own->next = msw_min_u64(own->next, w->ready);
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
    free_flight(core, flight);
    next_near(m, core, sub);
}

/* All parts are gathered on the far side; a hybrid pipeline keeps loaded values near. */
static void finish_parts(mpu_machine *m, mpu_core *core, uint32_t flight)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    uint64_t time = f->time + 1;
    if (f->has_result && c->pipeline == MPU_PIPELINE_HYBRID && !f->is_atomic) {
        uint64_t bytes = mpu_gathered_bytes(c, &m->kernel->insns[f->insn]);
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
    free_flight(core, flight);
    release_entry(m, core, subcore, entry, time);
}

static void answer_remote(mpu_machine *m, mpu_core *core, uint32_t flight);

/* One request or message of a flight is answered at `time`. */
static void answered(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
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
    while (sub->dram <= now && !m->failed) {
        bool some = msw_dram_lines_next(sub->lines, now, &done);
        sub->dram = msw_dram_lines_when(sub->lines);
        if (!some)
            continue;
        m->events++;
        uint32_t flight = (uint32_t)done.tag;
        const mpu_flight *f = &core->flights[flight];
        uint64_t time = done.time, bytes = (done.tag >> 32) * (uint64_t)m->config->bank_io_bytes;
        bool loads = !f->is_store && (!f->is_atomic || f->has_result);
        if (f->kind != MPU_FLIGHT_WHOLE && m->config->pipeline != MPU_PIPELINE_DRAM)
            time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, loads ? bytes : 0);
        answered(m, core, flight, time);
    }
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
        push(m, core, &f->parts[i], flight, at);
}

/* Lets waiting whole accesses have entries of the near-bank unit. */
static void next_near(mpu_machine *m, mpu_core *core, mpu_subcore *sub)
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
    next_near(m, core, sub);
}

/* ---- the LSU ---- */

static void send_remote(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time);

static void gather_parts(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    core->subs[f->subcore].entries.free[f->entry] = MPU_NEVER;
    f->kind = MPU_FLIGHT_PARTS;
    f->time = time;
    f->open = 1;                                           /* until all is sent */
    if (f->is_store && c->pipeline == MPU_PIPELINE_HYBRID) /* the value comes to the far side */
        time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN,
                            time + (uint64_t)c->tsv_command_cycles + core->tsv.delay,
                            mpu_value_bytes(&m->kernel->insns[f->insn]));
    for (uint32_t i = 0; i < f->part_count; i++)
        f->open += f->parts[i].core == core->index;
    send_parts(m, core, flight, time);
    send_remote(m, core, flight, time);
    answered(m, core, flight, time);
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
        sub->next = msw_min_u64(sub->next, sub->issued_at);
    }
}

static void release_entry(mpu_machine *m, mpu_core *core, uint32_t subcore, uint32_t entry,
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
    uint32_t flight = new_flight(m, core);
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

/* ---- other cores ---- */

/* One message to each core that has parts. */
static void send_remote(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    mpu_flight *f = &core->flights[flight];
    uint64_t sent[MPU_PARTS] = {0};
    for (uint32_t i = 0; i < f->part_count; i++) {
        uint32_t owner = f->parts[i].core;
        if (owner == core->index || sent[i])
            continue;
        uint32_t number = mpu_message_new(&m->network);
        if (number == MPU_NOBODY) {
            m->failed = true;
            msw_fail(m->err, "mpu: too many messages are under way");
            return;
        }
        mpu_message *message = &m->network.messages[number];
        message->part_count = 0;
        for (uint32_t j = i; j < f->part_count; j++)
            if (f->parts[j].core == owner) {
                message->parts[message->part_count++] = f->parts[j];
                sent[j] = 1;
            }
        message->time = time + 1;
        message->from = core->index;
        message->to = owner;
        message->flight = flight;
        message->is_answer = false;
        message->is_store = f->is_store;
        message->is_atomic = f->is_atomic;
        mpu_message_sizes(m->config, message, f->has_result);
        f->open++;
        f->went_out = true;
        mpu_network_post(&m->network, number);
    }
}

static void next_remote(mpu_machine *m, mpu_core *core)
{
    while (core->remote_queue.count && !m->failed) {
        mpu_flight *f = &core->flights[core->remote_queue.first];
        uint32_t entry;
        uint64_t at = mpu_serve(&core->remote, f->time, &entry);
        if (at == MPU_NEVER)
            return;
        uint32_t flight = take_first(core, &core->remote_queue);
        core->remote.free[entry] = MPU_NEVER;
        f->entry = entry;
        f->time = at;
        f->open = f->part_count;
        send_parts(m, core, flight, at + 1);
    }
}

static void serve_remote(mpu_machine *m, mpu_core *core, uint32_t number, uint64_t now)
{
    const mpu_message *message = &m->network.messages[number];
    uint32_t flight = new_flight(m, core);
    mpu_flight *f = &core->flights[flight];
    f->kind = MPU_FLIGHT_REMOTE;
    f->time = now;
    f->warp = number;
    f->is_store = message->is_store;
    f->is_atomic = message->is_atomic;
    f->has_result = message->answer_bytes > (uint64_t)m->config->header_bytes;
    copy_parts(f, message->parts, message->part_count);
    put_last(core, &core->remote_queue, flight);
    next_remote(m, core);
}

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
    free_flight(core, flight);
    next_remote(m, core);
}

void mpu_take_message(mpu_machine *m, mpu_core *core, uint64_t now)
{
    uint32_t number = core->inbox.first;
    const mpu_message *message = &m->network.messages[number];
    core->inbox.first = message->next;
    m->events++;
    if (!message->is_answer) {
        serve_remote(m, core, number, now);
        return;
    }
    uint32_t flight = message->flight;
    mpu_message_free(&m->network, number);
    answered(m, core, flight, now);
}

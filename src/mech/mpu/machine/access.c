/* SPDX-License-Identifier: MIT */
/* Moves global accesses on: the LSU, whole accesses and parts, requests to near-bank units and
 * their answers, and messages to other cores. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

/* ---- queues of accesses under way ---- */

/* Puts a flight last into a queue. */
static void queue_put(mpu_core *core, mpu_queue *q, uint32_t flight)
{
    core->flights[flight].next = MPU_NOBODY;
    if (q->count++)
        core->flights[q->last].next = flight;
    else
        q->first = flight;
    q->last = flight;
}

/* Takes the first one out. */
static uint32_t queue_take(mpu_core *core, mpu_queue *q)
{
    uint32_t flight = q->first;
    q->first = core->flights[flight].next;
    q->count--;
    return flight;
}

/* Takes a free flight; there are enough. Returns its number. */
static uint32_t flight_new(mpu_machine *m, mpu_core *core)
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

static void flight_free(mpu_core *core, uint32_t f)
{
    core->flights[f].kind = MPU_FLIGHT_FREE;
    core->flights[f].next = core->free_flight;
    core->free_flight = f;
}

/* ---- requests ---- */

/* Row numbers of memory controllers: row mod buffers is the buffer. */
static uint32_t row_number(const mpu_machine *m, uint32_t row)
{
    uint32_t buffers = (uint32_t)m->config->row_buffers;
    if (m->config->row_placement == MPU_ROWS_LRU)
        return row;
    return row * buffers + mpu_row_buffer(m->config, row, m->map.row_bits);
}

/* Hands one request to a near-bank unit's controller. */
static void push_part(mpu_machine *m, mpu_core *core, const mpu_part *part, uint32_t flight,
                      uint64_t time)
{
    const mpu_flight *f = &core->flights[flight];
    mpu_subcore *sub = &core->subs[part->unit];
    bool merges = m->config->store_update != 0;
    msw_dram_lines_request request = {.arrival = time,
                                      .tag = flight | (uint64_t)part->blocks << 32,
                                      .row = row_number(m, part->row),
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
        push_part(m, core, p, flight, at + 1);
    }
}

/* ---- ends ---- */

/* The access has ended at `time`: its values are there, others may use its entry. */
static void finish_access(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time,
                          unsigned metric)
{
    mpu_flight *f = &core->flights[flight];
    mpu_warp *w = &core->warps[f->warp];
    const msw_simt_insn *insn = &m->launch.kernel->kernel->insns[f->insn];
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
    finish_access(m, core, flight, time, MPU_STALL_DRAM);
    flight_free(core, flight);
    core->again = true;
}

/* All parts are gathered on the far side; a hybrid pipeline keeps loaded values near. */
static void finish_parts(mpu_machine *m, mpu_core *core, uint32_t flight)
{
    mpu_flight *f = &core->flights[flight];
    const mpu_config *c = m->config;
    uint64_t time = f->time + 1;
    if (c->pipeline == MPU_PIPELINE_HYBRID && mpu_writes_back(m->launch.kernel, f->insn)) {
        uint64_t bytes = mpu_writeback_bytes(c, m->launch.kernel, f->insn);
        time = mpu_tsv_send(&core->tsv, MPU_TSV_UP, time, bytes);
        mpu_warp *w = &core->warps[f->warp];
        w->last = msw_max_u64(w->last, mpu_tsv_send(&core->tsv, MPU_TSV_DOWN,
                                                    time + (uint64_t)c->writeback_cycles,
                                                    (uint64_t)c->commit_bytes));
    }
    if (f->has_result)
        time += (uint64_t)c->writeback_cycles;
    uint32_t subcore = f->subcore, entry = f->entry;
    finish_access(m, core, flight, time, f->went_out ? MPU_STALL_NETWORK : MPU_STALL_DRAM);
    flight_free(core, flight);
    core->subs[subcore].entries.free[entry] = time;
    core->again = true;
}

/* All that another core requested has come. */
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
    mpu_cache_fill(m, f, core->index, core->index, MPU_CACHE_OWNER);
    flight_free(core, flight);
    core->again = true;
}

/* One request or message of a flight is answered at `time`. */
static void answer_flight(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
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
        m->counts.events++;
        uint32_t flight = (uint32_t)done.tag;
        const mpu_flight *f = &core->flights[flight];
        uint64_t time = done.time, bytes = (done.tag >> 32) * (uint64_t)m->config->bank_io_bytes;
        bool loads = !f->is_store && (!f->is_atomic || f->has_result);
        if (f->kind != MPU_FLIGHT_WHOLE && m->config->pipeline != MPU_PIPELINE_DRAM)
            time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN, time, loads ? bytes : 0);
        answer_flight(m, core, flight, time);
    }
}

/* ---- messages to other cores ---- */

static uint64_t packet_bytes(const mpu_config *c, uint64_t payload)
{
    uint64_t count = msw_max_u64(msw_div_up(payload, (uint64_t)c->packet_bytes), 1);
    return payload + count * (uint64_t)c->header_bytes;
}

/* A request has an address of 4 bytes per block; data go with stores, and with answers to loads. */
static void set_sizes(const mpu_config *c, mpu_message *message, bool out, bool back)
{
    uint64_t data = message->blocks * (uint64_t)c->bank_io_bytes, addresses = 4 * message->blocks;
    message->bytes = msw_max_u64(packet_bytes(c, addresses + (out ? data : 0)), 1);
    message->answer_bytes = msw_max_u64(packet_bytes(c, back ? data : 0), 1);
}

/* A message to each core that has parts. */
static void send_message(mpu_machine *m, mpu_core *core, uint32_t flight, uint32_t owner,
                         uint64_t time)
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
    set_sizes(m->config, message, f->is_store || f->is_atomic, !f->is_store && f->has_result);
    f->open++;
    f->went_out = true;
    mpu_network_post(&m->network, number);
}

/* Sends messages for the others. */
static void send_remote(mpu_machine *m, mpu_core *core, uint32_t flight, uint64_t time)
{
    const mpu_flight *f = &core->flights[flight];
    for (uint32_t i = 0; i < f->part_count && !m->failed; i++) {
        uint32_t owner = f->parts[i].core;
        bool first = owner != core->index;
        for (uint32_t j = 0; j < i && first; j++)
            first = f->parts[j].core != owner;
        if (first)
            send_message(m, core, flight, owner, time);
    }
}

/* ---- messages at the owner ---- */

/* Takes the parts that the owner has of the requester's flight. */
static void serve_request(mpu_machine *m, mpu_core *core, uint32_t number, uint32_t entry,
                          uint64_t time)
{
    const mpu_message *message = &m->network.messages[number];
    const mpu_flight *of = &m->cores[message->from].flights[message->flight];
    uint32_t flight = flight_new(m, core);
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
    time += mpu_cache_look_up(m, f, message->from, MPU_CACHE_OWNER);
    f->open = f->part_count + 1; /* until all is sent */
    core->remote.free[entry] = MPU_NEVER;
    send_parts(m, core, flight, time + 1);
    answer_flight(m, core, flight, time);
}

/* Lets waiting messages have entries of LSU-Remote. */
static void next_remote(mpu_machine *m, mpu_core *core)
{
    while (core->remote_queue.first != MPU_NOBODY && !m->failed) {
        uint32_t entry, number = core->remote_queue.first;
        uint64_t at = mpu_serve(&core->remote, m->network.messages[number].time, &entry);
        if (at == MPU_NEVER)
            return;
        mpu_inbox_take(&m->network, &core->remote_queue);
        serve_request(m, core, number, entry, at);
    }
}

void mpu_take_message(mpu_machine *m, mpu_core *core, uint64_t now)
{
    uint32_t number = mpu_inbox_take(&m->network, &core->inbox);
    const mpu_message *message = &m->network.messages[number];
    m->counts.events++;
    if (!message->is_answer) {
        mpu_inbox_put(&m->network, &core->remote_queue, number);
        core->again = true;
        return;
    }
    uint32_t flight = message->flight;
    mpu_cache_fill(m, &core->flights[flight], message->from, core->index, MPU_CACHE_READER);
    mpu_message_free(&m->network, number);
    answer_flight(m, core, flight, now);
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
        push_part(m, core, &f->parts[i], flight, at);
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
        start_whole(m, core, queue_take(core, &sub->near), at);
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
    queue_put(core, &sub->near, flight);
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
    uint64_t value = mpu_value_bytes(m->launch.kernel, f->insn);
    if (value && c->pipeline == MPU_PIPELINE_HYBRID) /* it comes to the far side */
        time = mpu_tsv_send(&core->tsv, MPU_TSV_DOWN,
                            time + (uint64_t)c->tsv_command_cycles + core->tsv.delay, value);
    uint64_t sent = time + mpu_cache_look_up(m, f, core->index, MPU_CACHE_READER);
    for (uint32_t i = 0; i < f->part_count; i++)
        f->open += f->parts[i].core == core->index;
    send_parts(m, core, flight, time);
    send_remote(m, core, flight, sent);
    time = sent;
    answer_flight(m, core, flight, time);
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
        uint32_t flight = queue_take(core, &sub->lsu);
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
    const msw_simt_insn *insn = &m->launch.kernel->kernel->insns[w->pc];
    uint32_t flight = flight_new(m, core);
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
    queue_put(core, &core->subs[subcore].lsu, flight);
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
        next_remote(m, core);
    }
}

/* SPDX-License-Identifier: MIT */
/* Allocates the machine, and starts launches: its instructions as issue needs them, and the CTAs of
 * each core. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* ---- instructions ---- */

static void fill_op(const mpu_machine *m, uint32_t insn, uint32_t *regs, mpu_op *op)
{
    const msw_simt_insn *now = &m->launch.kernel->kernel->insns[insn];
    const mpu_insn *own = &m->launch.kernel->insns[insn];
    *op = (mpu_op){.regs = regs,
                   .uses = now->use_count,
                   .count = (uint16_t)(now->use_count + now->def_count),
                   .latency = (uint16_t)mpu_latency(m->config, own->latency),
                   .unit = own->unit,
                   .branches = now->kind == MSW_SIMT_CLASS_BRANCH};
    for (uint32_t u = 0; u < now->use_count; u++)
        regs[u] = now->uses[u];
    for (uint32_t d = 0; d < now->def_count; d++)
        regs[now->use_count + d] = now->defs[d];
}

/* Fills `ops` and `issues` for the kernel. */
static int make_ops(mpu_machine *m, msw_err *err)
{
    const msw_simt_kernel *kernel = m->launch.kernel->kernel;
    uint32_t count = kernel->insn_count, regs = 0, at = 0;
    if (m->launch.ops_of == m->launch.kernel)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        regs += kernel->insns[i].use_count + kernel->insns[i].def_count;
    mpu_op *ops = msw_arena_take(m->task->arena, count * sizeof *ops + 1);
    uint32_t *list = msw_arena_take(m->task->arena, regs * sizeof *list + 1);
    m->launch.issues =
        msw_arena_zero(m->task->arena, (size_t)count * 2 + 1, sizeof *m->launch.issues);
    if (!ops || !list || !m->launch.issues)
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < count; at += ops[i++].count)
        fill_op(m, i, list + at, &ops[i]);
    m->launch.ops = ops;
    m->launch.ops_of = m->launch.kernel;
    return 0;
}

enum { LINES_CAPACITY = 4096, MESSAGES_MOST = 1 << 20 };

/* Against kernels that do not end. */
#define INSTRUCTIONS_MAX (UINT64_C(1) << 32)
#define WRITTEN_MAX      (UINT64_C(1) << 32)

/* ---- memory ---- */

static int make_servers(mpu_servers *s, int64_t count, msw_arena *arena)
{
    s->count = (uint32_t)count;
    s->free = msw_arena_zero(arena, (size_t)count, sizeof *s->free);
    return s->free ? 0 : -1;
}

static int make_subcore(mpu_machine *m, mpu_subcore *sub, msw_arena *arena)
{
    const mpu_config *c = m->config;
    sub->ready = msw_arena_take(arena, m->positions * sizeof *sub->ready);
    sub->order = msw_arena_zero(arena, m->positions, sizeof *sub->order);
    for (uint32_t p = 0; sub->ready && p < m->positions; p++)
        sub->ready[p] = MPU_NEVER;
    void *lines = msw_arena_take(arena, msw_dram_lines_bytes(&m->lines_config));
    if (!lines || !sub->ready || !sub->order || make_servers(&sub->moves, c->move_engines, arena) ||
        make_servers(&sub->engines, c->offload_engines, arena) ||
        make_servers(&sub->collectors, c->near_collectors, arena) ||
        make_servers(&sub->lsus, c->lsus, arena) || make_servers(&sub->alus, c->near_alus, arena) ||
        make_servers(&sub->sfus, c->sfus, arena) ||
        make_servers(&sub->entries, c->pending, arena) ||
        make_servers(&sub->near_entries, c->pending, arena))
        return -1;
    sub->lines = msw_dram_lines_init(lines, &m->lines_config);
    return 0;
}

static int make_warps(mpu_machine *m, mpu_core *core, msw_arena *arena)
{
    uint32_t count = (uint32_t)m->config->subcores * m->positions + 1, words = m->regs / 64 + 1;
    core->warps = msw_arena_zero(arena, count, sizeof *core->warps);
    mpu_part *parts = msw_arena_take(arena, (size_t)count * MPU_PARTS * sizeof *parts);
    uint64_t *values = msw_arena_zero(arena, (size_t)count * m->regs, sizeof *values);
    uint8_t *causes = msw_arena_zero(arena, (size_t)count * m->regs, sizeof *causes);
    uint64_t *valid = msw_arena_zero(arena, (size_t)count * 2 * words, sizeof *valid);
    if (!core->warps || !parts || !values || !causes || !valid)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        mpu_warp *w = &core->warps[i];
        w->parts = parts + (size_t)i * MPU_PARTS;
        w->values = values + (size_t)i * m->regs;
        w->causes = causes + (size_t)i * m->regs;
        w->track.near_valid = valid + (size_t)i * 2 * words;
        w->track.far_valid = w->track.near_valid + words;
        if (i + 1 == count)
            break; /* of no CTA */
        w->subcore = (uint8_t)(i / m->positions);
        w->position = (uint8_t)(i % m->positions);
        w->ready = &core->subs[w->subcore].ready[w->position];
    }
    return 0;
}

static int make_flights(mpu_machine *m, mpu_core *core, msw_arena *arena)
{
    core->flights = msw_arena_zero(arena, m->flights, sizeof *core->flights);
    mpu_part *parts = msw_arena_take(arena, (size_t)m->flights * MPU_PARTS * sizeof *parts);
    if (!core->flights || !parts)
        return -1;
    for (uint32_t i = 0; i < m->flights; i++) {
        core->flights[i].parts = parts + (size_t)i * MPU_PARTS;
        core->flights[i].next = i + 1 < m->flights ? i + 1 : MPU_NOBODY;
    }
    return 0;
}

static int make_core(mpu_machine *m, mpu_core *core, uint32_t index, msw_arena *arena)
{
    core->index = index;
    core->inbox.first = core->inbox.last = MPU_NOBODY;
    core->remote_queue = core->inbox;
    mpu_tsv_init(&core->tsv, m->config);
    for (int s = 0; s < MPU_SUBCORES; s++)
        core->next[s] = core->dram[s] = MPU_NEVER;
    for (int64_t s = 0; s < m->config->subcores; s++)
        if (make_subcore(m, &core->subs[s], arena))
            return -1;
    core->slots = msw_arena_zero(arena, (size_t)m->config->ctas, sizeof *core->slots);
    if (!core->slots || make_servers(&core->remote, m->config->pending, arena) ||
        make_warps(m, core, arena) || make_flights(m, core, arena))
        return -1;
    return 0;
}

static void configure_lines(mpu_machine *m)
{
    const mpu_config *c = m->config;
    m->lines_config = (msw_dram_lines_config){
        .banks = (uint32_t)c->banks,
        .buffers = (uint32_t)c->row_buffers,
        .groups = (uint32_t)c->bank_groups,
        .placing = c->row_placement == MPU_ROWS_LRU ? MSW_DRAM_LINES_LRU : MSW_DRAM_LINES_MOD,
        .own_buses = c->bank_buses == MPU_BUSES_OWN,
        .ahead = c->open_ahead != 0,
        .closing = c->closing == MPU_CLOSE_LAST ? MSW_DRAM_CLOSE_LAST : MSW_DRAM_CLOSE_OLDER,
        .hit_cap = (uint32_t)c->hit_cap,
        .window = (uint32_t)msw_min_i64(c->dram_window ? msw_min_i64(c->dram_window, c->dram_queue)
                                                       : c->dram_queue,
                                        MSW_DRAM_LINES_WINDOW),
        .controller = 1,
        .capacity = LINES_CAPACITY,
        .t = {.bl = (uint32_t)msw_min_i64(c->t_ccd, c->t_ccd_short),
              .cl = (uint32_t)c->t_cl,
              .cwl = (uint32_t)c->t_cwl,
              .rcd = (uint32_t)c->t_rcd,
              .rp = (uint32_t)c->t_rp,
              .ras = (uint32_t)c->t_ras,
              .rc = (uint32_t)(c->t_ras + c->t_rp),
              .ccd_s = (uint32_t)c->t_ccd_short,
              .ccd_l = (uint32_t)c->t_ccd,
              .rtp = (uint32_t)c->t_rtp,
              .rrd_s = (uint32_t)c->t_rrd_short,
              .rrd_l = (uint32_t)c->t_rrd,
              .faw = (uint32_t)c->t_faw,
              .wr = (uint32_t)c->t_wr,
              .wtr_s = (uint32_t)c->t_wtr_short,
              .wtr_l = (uint32_t)c->t_wtr,
              .rfc = (uint32_t)c->t_rfc,
              .refi = (uint32_t)c->t_refi,
              .sel = (uint32_t)c->t_select,
              .ra = (uint32_t)c->t_sibling_read,
              .wa = (uint32_t)c->t_sibling_write}};
}

static uint32_t most_regs(const mpu_program *program)
{
    uint32_t most = 1;
    for (uint32_t k = 0; k < program->count; k++)
        most = msw_max_u32(most, program->kernels[k].kernel->reg_count);
    return most;
}

/* Every entry of every LSU may have one for every part. */
static uint32_t most_messages(const mpu_machine *m)
{
    uint64_t entries =
        (uint64_t)m->core_count * (uint64_t)(m->config->subcores * m->config->pending);
    return (uint32_t)msw_min_u64(entries * MPU_PARTS, MESSAGES_MOST);
}

/* Cores that are not simulated build nothing, nor do launches that are not run: then what launches
 * before this one left is brought. */
static int make_memory(mpu_machine *m, bool some, msw_err *err)
{
    const msw_simt_product *p = m->product;
    if (some || m->simulated < m->core_count) {
        m->past = msw_simt_past_in(m->task->arena, p, WRITTEN_MAX, err);
        m->device = m->past ? msw_simt_past_device(m->past) : NULL;
        return m->past ? 0 : -1;
    }
    m->device = msw_simt_device_in(m->task->arena, p->arrays, p->array_count, WRITTEN_MAX, err);
    if (!m->device)
        return -1;
    msw_simt_device_slices(m->device);
    return 0;
}

int mpu_machine_init(mpu_machine *m, const msw_task *task, const mpu_program *program, bool some,
                     msw_err *err)
{
    const mpu_config *c = task->config;
    memset(m, 0, sizeof *m);
    m->config = c;
    m->task = task;
    m->product = task->product->data;
    m->program = program;
    m->core_count = (uint32_t)mpu_core_count(c);
    m->simulated = c->simulated_cores ? (uint32_t)msw_min_i64(c->simulated_cores, mpu_core_count(c))
                                      : m->core_count;
    m->positions = (uint32_t)c->warps;
    m->regs = most_regs(program);
    m->flights = (uint32_t)(c->subcores * (2 * (c->pending + c->stage_buffers) + 2) + c->pending);
    mpu_map_init(&m->map, c, m->product);
    configure_lines(m);
    if (msw_dram_lines_check(&m->lines_config, err))
        return -1;
    if (make_memory(m, some, err))
        return -1;
    m->cores = msw_arena_zero(task->arena, m->core_count, sizeof *m->cores);
    m->due = msw_arena_take(task->arena, m->core_count * sizeof *m->due);
    m->counts.totals = msw_arena_zero(task->arena, MPU_METRICS, sizeof *m->counts.totals);
    m->counts.scratch = msw_arena_zero(task->arena, MPU_METRICS, sizeof *m->counts.scratch);
    if (!m->cores || !m->due || !m->counts.totals || !m->counts.scratch ||
        mpu_network_init(&m->network, c, most_messages(m), task->arena))
        return msw_fail_memory(err);
    for (uint32_t i = 0; i < m->core_count; i++)
        if (make_core(m, &m->cores[i], i, task->arena))
            return msw_fail_memory(err);
    MSW_TRY(mpu_lines_init(m, err));
    return mpu_caches_init(&m->caches, c, task->arena, err);
}

/* ---- CTAs of each core ---- */

static int list_owners(mpu_machine *m, void *block, msw_err *err)
{
    msw_arena *arena = m->task->arena;
    uint32_t *owners = msw_arena_take(arena, m->launch.cta_count * sizeof *owners + 1);
    m->launch.cta_list =
        msw_arena_take(arena, m->launch.cta_count * sizeof *m->launch.cta_list + 1);
    m->launch.cta_first = msw_arena_zero(arena, m->core_count + 2, sizeof *m->launch.cta_first);
    if (!owners || !m->launch.cta_list || !m->launch.cta_first)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < m->launch.cta_count; i++) {
        if (mpu_owner_of(&m->map, m->launch.code, i, UINT64_MAX, block, &owners[i], err))
            return -1;
        m->launch.cta_first[owners[i] + 2]++;
    }
    for (uint32_t c = 0; c < m->core_count; c++)
        m->launch.cta_first[c + 2] += m->launch.cta_first[c + 1];
    for (uint64_t i = 0; i < m->launch.cta_count; i++)
        m->launch.cta_list[m->launch.cta_first[owners[i] + 1]++] = i;
    return 0;
}

static uint64_t ctas_of(const mpu_machine *m, uint32_t core)
{
    if (m->launch.cta_list)
        return m->launch.cta_first[core + 1] - m->launch.cta_first[core];
    return m->launch.cta_count / m->core_count + (core < m->launch.cta_count % m->core_count);
}

/* ---- launches ---- */

static int decode_launch(mpu_machine *m, const msw_simt_stage *stage, msw_err *err)
{
    const msw_simt_memory *memory = msw_simt_device_memory(m->device);
    if (m->past ? !msw_simt_past_at(m->past, (size_t)(stage - m->product->stages), err)
                : msw_simt_host_before(m->product, stage, memory, err))
        return -1;
    msw_simt_launch launch = msw_simt_stage_launch(m->product, stage, memory, MSW_SIMT_SLICE);
    launch.most_instructions = INSTRUCTIONS_MAX;
    m->launch.code = msw_simt_decode(&launch, m->task->arena, err);
    if (!m->launch.code || make_ops(m, err))
        return -1;
    m->launch.cta_count = msw_simt_cta_count(m->launch.code);
    m->launch.warps_per_cta = msw_simt_cta_warps(m->launch.code);
    mpu_occupancy fits = mpu_occupancy_of(m->config, m->launch.kernel, stage);
    if (!fits.ctas)
        return msw_fail_kind(err, MSW_ERR_UNFIT,
                             "kernel %s: not even one CTA of %u warps fits into a core",
                             m->launch.kernel->kernel->name, fits.warps);
    mpu_caches_clear(&m->caches);
    uint32_t room = (uint32_t)m->config->subcores * m->positions / m->launch.warps_per_cta;
    m->launch.slots_per_core =
        (uint32_t)msw_min_u64(msw_min_u64(fits.ctas, room), (uint64_t)m->config->ctas);
    return 0;
}

/* The blocks of an earlier launch are used again where they are large enough. */
static int allocate_blocks(mpu_machine *m, msw_err *err)
{
    size_t bytes = msw_align_up(msw_simt_cta_bytes(m->launch.code), 64);
    size_t all = bytes * m->launch.slots_per_core * m->core_count;
    if (all > m->blocks.bytes && !(m->blocks.data = msw_arena_take(m->task->arena, all)))
        return msw_fail_memory(err);
    m->blocks.bytes = all > m->blocks.bytes ? all : m->blocks.bytes;
    for (uint32_t i = 0; i < m->core_count; i++)
        for (uint32_t s = 0; s < m->launch.slots_per_core; s++)
            m->cores[i].slots[s] = (mpu_cta){
                .block = m->blocks.data + ((size_t)i * m->launch.slots_per_core + s) * bytes};
    return 0;
}

int mpu_launch_start(mpu_machine *m, size_t stage, msw_err *err)
{
    if (m->launch.kernel)
        mpu_machine_fold(m);
    m->launch.stage = stage;
    m->launch.kernel = &m->program->kernels[m->program->of_stage[stage]];
    m->launch.cta_list = NULL;
    m->launch.cta_first = NULL;
    mpu_lines_start(m);
    m->err = err;
    if (decode_launch(m, &m->product->stages[stage], err) || allocate_blocks(m, err))
        return -1;
    if (m->config->dispatch == MPU_DISPATCH_OWNER &&
        list_owners(m, m->cores[0].slots[0].block, err))
        return -1;
    m->launch.active = true;
    m->launch.end = m->now;
    uint64_t simulated = 0;
    for (uint32_t i = 0; i < m->simulated; i++) {
        m->cores[i].waiting_ctas = ctas_of(m, i);
        m->cores[i].next_cta = 0;
        m->cores[i].share = m->cores[i].waiting_ctas;
        m->cores[i].issued = m->cores[i].jumped = 0;
        simulated += m->cores[i].waiting_ctas;
    }
    m->launch.scale = simulated ? (double)m->launch.cta_count / (double)simulated : 1;
    m->launch.cta_count = simulated;
    for (uint32_t i = 0; i < m->core_count; i++)
        m->due[i] = MPU_NEVER;
    for (uint32_t i = 0; i < m->simulated && !m->failed; i++) {
        mpu_start_ctas(m, &m->cores[i], m->now);
        m->due[i] = m->now;
    }
    return m->failed ? -1 : 0;
}

/* SPDX-License-Identifier: MIT */
/* Traces the pages that decoding touches.
 *
 * The pages that decoding touches. An operator is a launch; the two products of attention are
 * one.
 *
 * Weights: pages of a matrix are read by all warps in turn, page j by warp j modulo their number,
 * or where they are pinned the same lines are instructions alone. Attention: a sequence and a head
 * of keys and values is work for `split` warps of an SM, which take its blocks in turn, first their
 * keys, then their values. New keys and values are written by the first of these.
 *
 * Block tables of a paged cache. Blocks of the prompts are handed out first, one sequence after
 * the other; further blocks as sequences come to need them, step by step. In a pool that is worn
 * the block that is handed out next is any of those left. */
#include "workload/decode/parts.h"

#include "workload/npu/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"

#include <inttypes.h>

enum { DECODE_PAGE = 4096, DECODE_LINE = 128, DECODE_REGION = 2 << 20 };

enum {
    DECODE_ACCESSES_MOST = 1 << 25,
    DECODE_BLOCKS_MOST = 1 << 24,  /* of a table */
    DECODE_PAGES_MOST = 1 << 28,   /* of caches and weights */
    DECODE_FURTHER_MOST = 1 << 26, /* instructions of a warp in a launch */
};

/* Each tensor is an allocation of its own, from a multiple of 2 MiB on. Returns its first page. */
static uint64_t place(msw_page_trace *t, msw_page_run *runs, uint64_t *end, uint64_t bytes)
{
    uint64_t pages = msw_div_up(bytes, DECODE_PAGE), first = *end / DECODE_PAGE;
    runs[t->run_count++] = (msw_page_run){.first = first, .pages = pages, .offset = *end};
    *end += msw_align_up(bytes, DECODE_REGION);
    return first;
}

/* Lengths from context x (1 - spread) to context x (1 + spread), evenly; at least 1. */
static void set_lengths(const msw_decode_config *c, uint64_t *lengths)
{
    for (int64_t s = 0; s < c->batch; s++) {
        double place = c->batch > 1 ? 2.0 * (double)s / (double)(c->batch - 1) - 1 : 0;
        double length = (double)c->context * (1 + c->spread * place);
        lengths[s] = length < 1 ? 1 : (uint64_t)(length + 0.5);
    }
}

static uint64_t handed_out(const msw_decode_config *c, uint64_t number, uint64_t count)
{
    return c->table == MSW_DECODE_WORN ? msw_permute(number, count, 0x6b76) : number;
}

int decode_make_table(const msw_decode_config *c, decode_table *table, msw_arena *arena,
                      msw_err *err)
{
    uint64_t batch = (uint64_t)c->batch, block = (uint64_t)c->block, next = 0;
    uint64_t *lengths = msw_arena_take(arena, batch * sizeof *lengths);
    uint64_t *first = msw_arena_take(arena, batch * sizeof *first);
    if (!lengths || !first)
        return msw_fail_memory(err);
    set_lengths(c, lengths);
    *table = (decode_table){.lengths = lengths, .first = first};
    for (uint64_t s = 0; s < batch; s++) {
        first[s] = table->count;
        table->count += msw_div_up(lengths[s] + (uint64_t)c->steps, block);
    }
    if (table->count > DECODE_BLOCKS_MOST)
        return msw_fail(err,
                        "decode: a table of %llu blocks, allowed: up to %d (fewer sequences or "
                        "tokens, or larger blocks)",
                        (unsigned long long)table->count, DECODE_BLOCKS_MOST);
    uint64_t *blocks = msw_arena_take(arena, table->count * sizeof *blocks);
    if (!blocks)
        return msw_fail_memory(err);
    for (uint64_t s = 0; s < batch; s++)
        for (uint64_t b = 0; b < msw_div_up(lengths[s], block); b++)
            blocks[first[s] + b] = handed_out(c, next++, table->count);
    for (uint64_t step = 0; step < (uint64_t)c->steps; step++)
        for (uint64_t s = 0; s < batch; s++)
            if ((lengths[s] + step) % block == 0)
                blocks[first[s] + (lengths[s] + step) / block] =
                    handed_out(c, next++, table->count);
    table->blocks = blocks;
    return 0;
}

typedef struct maker {
    const msw_decode_config *config;
    const decode_table *table;
    msw_npu_network network;
    uint64_t kv_heads, token_bytes;    /* of one head's keys of a token */
    uint64_t part_bytes;               /* of one head's keys of a block */
    uint64_t *weights, *caches;        /* [operator], [2 x layer + values] first page */
    uint64_t from, active, step;       /* sequences of the group; tokens they have made */
    uint64_t count, launches, further; /* further: the most of any launch */
    msw_page_access *accesses;         /* NULL while counting */
    msw_page_launch *launch;
} maker;

/* ---- accesses ---- */

static void add(maker *m, uint64_t page, uint64_t sm, uint64_t warp, uint16_t pc)
{
    if (m->accesses)
        m->accesses[m->count] = (msw_page_access){.page = page,
                                                  .sm = (uint16_t)sm,
                                                  .warp = (uint16_t)warp,
                                                  .pc = pc,
                                                  .write = pc >= DECODE_NEW_KEY};
    m->count++;
}

static void add_row(maker *m, uint64_t first, uint64_t at, uint64_t bytes, uint64_t sm,
                    uint64_t warp, uint16_t pc)
{
    for (uint64_t page = at / DECODE_PAGE; page <= (at + bytes - 1) / DECODE_PAGE; page++)
        add(m, first + page, sm, warp, pc);
}

static void end_launch(maker *m, uint64_t further)
{
    if (m->launch)
        m->launch[m->launches] = (msw_page_launch){.end = m->count, .further = (uint32_t)further};
    m->launches++;
    m->further = msw_max_u64(m->further, further);
}

/* ---- operators ---- */

static uint64_t weight_bytes(const maker *m, const msw_npu_op *op)
{
    return op->groups * op->filters * op->channels * (uint64_t)m->config->element_bytes;
}

/* Returns the instructions of each warp where weights are pinned. */
static uint64_t read_weights(maker *m, size_t number)
{
    const msw_decode_config *c = m->config;
    uint64_t sms = (uint64_t)c->sms, warps = sms * (uint64_t)c->warps;
    uint64_t bytes = weight_bytes(m, &m->network.ops[number]);
    if (c->weights == MSW_DECODE_PINNED)
        return msw_div_up(msw_div_up(bytes, DECODE_LINE), warps) * (uint64_t)c->line_instructions;
    for (uint64_t page = 0; page < msw_div_up(bytes, DECODE_PAGE); page++)
        add(m, m->weights[number] + page, page % sms, page / sms % (uint64_t)c->warps,
            DECODE_WEIGHT);
    return 0;
}

static uint64_t block_at(const maker *m, uint64_t s, uint64_t token, uint64_t head)
{
    uint64_t number = m->table->blocks[m->table->first[s] + token / (uint64_t)m->config->block];
    return (number * m->kv_heads + head) * m->part_bytes;
}

static uint64_t warp_of(const maker *m, uint64_t task, uint64_t part)
{
    const msw_decode_config *c = m->config;
    return (task / (uint64_t)c->sms * (uint64_t)c->split + part) % (uint64_t)c->warps;
}

static void write_new(maker *m, uint64_t cache)
{
    const msw_decode_config *c = m->config;
    uint16_t pc = cache % 2 ? DECODE_NEW_VALUE : DECODE_NEW_KEY;
    for (uint64_t task = 0; task < m->active * m->kv_heads; task++) {
        uint64_t s = m->from + task / m->kv_heads, token = m->table->lengths[s] + m->step;
        uint64_t at =
            block_at(m, s, token, task % m->kv_heads) + token % (uint64_t)c->block * m->token_bytes;
        add_row(m, m->caches[cache], at, m->token_bytes, task % (uint64_t)c->sms,
                warp_of(m, task, 0), pc);
    }
}

/* The keys, or the values, that a part of a task takes. */
static void read_part(maker *m, uint64_t cache, uint64_t task, uint64_t part)
{
    const msw_decode_config *c = m->config;
    uint64_t s = m->from + task / m->kv_heads, block = (uint64_t)c->block;
    uint64_t tokens = m->table->lengths[s] + m->step + 1;
    for (uint64_t b = part * block; b < tokens; b += (uint64_t)c->split * block)
        add_row(m, m->caches[cache], block_at(m, s, b, task % m->kv_heads),
                msw_min_u64(block, tokens - b) * m->token_bytes, task % (uint64_t)c->sms,
                warp_of(m, task, part), cache % 2 ? DECODE_VALUE : DECODE_KEY);
}

static void attend(maker *m, uint64_t keys)
{
    for (uint64_t task = 0; task < m->active * m->kv_heads; task++)
        for (uint64_t part = 0; part < (uint64_t)m->config->split; part++) {
            read_part(m, keys, task, part);
            read_part(m, keys + 1, task, part);
        }
}

static void run_operator(maker *m, size_t number)
{
    const msw_npu_op *op = &m->network.ops[number];
    uint64_t further = 0;
    if (op->second == MSW_NPU_VALUES)
        return; /* with the keys */
    if (op->second == MSW_NPU_KEYS)
        attend(m, op->second_tensor - MSW_NPU_DECODER_CACHES);
    else
        further = read_weights(m, number);
    if (op->output.tensor >= MSW_NPU_DECODER_CACHES)
        write_new(m, op->output.tensor - MSW_NPU_DECODER_CACHES);
    end_launch(m, further);
}

static bool too_many(const maker *m)
{
    return m->count > DECODE_ACCESSES_MOST;
}

/* Groups take turns of `quantum` steps. Stops when there are too many accesses. */
static void run_all(maker *m)
{
    const msw_decode_config *c = m->config;
    uint64_t batch = (uint64_t)c->batch, steps = (uint64_t)c->steps, quantum = (uint64_t)c->quantum;
    uint64_t group = c->group ? msw_min_u64((uint64_t)c->group, batch) : batch;
    m->count = m->launches = 0;
    for (uint64_t done = 0; done < steps && !too_many(m); done += quantum)
        for (m->from = 0; m->from < batch && !too_many(m); m->from += group)
            for (m->step = done; m->step < msw_min_u64(steps, done + quantum); m->step++) {
                m->active = msw_min_u64(group, batch - m->from);
                for (size_t i = 0; i < m->network.op_count && !too_many(m); i++)
                    run_operator(m, i);
            }
}

/* ---- memory ---- */

static int place_all(maker *m, const msw_decoder *shape, msw_page_trace *t, msw_arena *arena,
                     msw_err *err)
{
    size_t ops = m->network.op_count, caches = 2 * (size_t)shape->layers;
    msw_page_run *runs = msw_arena_take(arena, (ops + caches) * sizeof *runs);
    uint64_t end = 0;
    m->weights = msw_arena_take(arena, ops * sizeof *m->weights);
    m->caches = msw_arena_take(arena, caches * sizeof *m->caches);
    if (!runs || !m->weights || !m->caches)
        return msw_fail_memory(err);
    for (size_t i = 0; i < ops; i++)
        if (m->config->weights == MSW_DECODE_PAGED && m->network.ops[i].second == MSW_NPU_STATIC)
            m->weights[i] = place(t, runs, &end, weight_bytes(m, &m->network.ops[i]));
    for (size_t i = 0; i < caches; i++)
        m->caches[i] = place(t, runs, &end, m->table->count * m->kv_heads * m->part_bytes);
    t->runs = runs;
    if (end / DECODE_PAGE > DECODE_PAGES_MOST)
        return msw_fail(err, "decode: caches and weights take more than %d pages of 4 KiB",
                        DECODE_PAGES_MOST);
    return 0;
}

static uint32_t lines_of(uint64_t bytes)
{
    return (uint32_t)msw_div_up(msw_min_u64(bytes, DECODE_PAGE), DECODE_LINE);
}

static int take_arrays(maker *m, msw_page_trace *t, msw_arena *arena, msw_err *err)
{
    const uint64_t bytes[DECODE_PCS] = {DECODE_PAGE, m->part_bytes, m->part_bytes, m->token_bytes,
                                        m->token_bytes};
    uint32_t *each = msw_arena_take(arena, sizeof bytes / sizeof *bytes * sizeof *each);
    if (too_many(m))
        return msw_fail(err,
                        "decode: more than %d accesses to pages; allowed: fewer layers, steps, "
                        "sequences or tokens",
                        DECODE_ACCESSES_MOST);
    if (m->further > DECODE_FURTHER_MOST)
        return msw_fail(err,
                        "decode: a matrix takes more than %d instructions of each warp; allowed: "
                        "more of decode_sms and decode_warps, fewer decode_line_instructions",
                        DECODE_FURTHER_MOST);
    m->accesses = msw_arena_take(arena, m->count * sizeof *m->accesses);
    m->launch = msw_arena_take(arena, m->launches * sizeof *m->launch);
    if (!each || !m->accesses || !m->launch)
        return msw_fail_memory(err);
    for (int pc = 0; pc < DECODE_PCS; pc++)
        each[pc] = lines_of(bytes[pc]) * (uint32_t)m->config->line_instructions;
    t->instructions_of = each;
    return 0;
}

int decode_make_trace(const msw_decode_config *c, const msw_decoder *shape,
                      const decode_table *table, msw_page_trace *t, msw_arena *arena, msw_err *err)
{
    maker m = {.config = c, .table = table, .kv_heads = shape->kv_heads};
    m.token_bytes = shape->head * (uint64_t)c->element_bytes;
    m.part_bytes = m.token_bytes * (uint64_t)c->block;
    *t = (msw_page_trace){.sms = (uint32_t)c->sms,
                          .warps = (uint32_t)c->warps,
                          .pcs = DECODE_PCS,
                          .page_bytes = DECODE_PAGE,
                          .open = (uint32_t)c->open};
    if (msw_npu_decoder(shape, &(msw_npu_decoding){1, 1, 1, false, false}, arena, &m.network,
                        err) ||
        place_all(&m, shape, t, arena, err))
        return -1;
    run_all(&m);
    if (take_arrays(&m, t, arena, err))
        return -1;
    run_all(&m);
    t->accesses = m.accesses;
    t->count = m.count;
    t->launches = m.launch;
    t->launch_count = m.launches;
    return 0;
}

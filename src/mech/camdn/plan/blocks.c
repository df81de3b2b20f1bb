/* SPDX-License-Identifier: MIT */
/* Cuts a network into blocks: operators that follow one another and keep what passes between them
 * in the cache (README.md, "Blocks"). A tensor is held in the block [first, end) when the block
 * makes it and no operator after the block reads it. Its bytes lie in the cache from its producer
 * to its last reader, and memory sees nothing of it. What is left of the cache is the running
 * operator's:
 *
 *   held(o) = sum of held tensors with producer <= o <= last, each in pages of its own
 *   inside   = the step of o within limit - held(o) pages
 *   pages    = the largest held(o) + pages of inside(o)
 *   dram     = sum over o of inside(o) - bytes of held reads of operators that also read what is
 *              not held
 *
 * The limit is an equal share, or what the block holds where that is more. The least traffic of the
 * operators before e: best(e) = min over f < e of best(f) + dram([f, e)). */
#include "mech/camdn/plan/plan.h"

#include <math.h>

static bool is_held(const msw_graph_tensor *t, uint32_t first, uint32_t end)
{
    return t->role == MSW_GRAPH_INTERMEDIATE && t->producer >= first && t->last < end;
}

/* Bits of an operator's operands that lie in the cache when [first, end) is a block. */
static unsigned held_of(const msw_graph_network *net, uint32_t number, uint32_t first, uint32_t end)
{
    const msw_graph_op *op = &net->ops[number];
    const uint32_t *reads = net->reads + op->first_read;
    bool pair = op->kind == MSW_GRAPH_PAIR, all = op->read_count > 0;
    unsigned held = is_held(&net->tensors[op->output], first, end) ? CAMDN_HELD_C : 0;
    if (op->kind == MSW_GRAPH_GATHER)
        return held;
    for (uint32_t i = 0; i < op->read_count && (!pair || i == 0); i++)
        all &= is_held(&net->tensors[reads[i]], first, end);
    held |= all ? CAMDN_HELD_A : 0;
    return held | (pair && is_held(&net->tensors[reads[1]], first, end) ? CAMDN_HELD_W : 0);
}

/* Bytes of the reads that are held, of an operator whose reads are not all held. */
static double held_reads(const msw_graph_network *net, uint32_t number, uint32_t first,
                         uint32_t end)
{
    const msw_graph_op *op = &net->ops[number];
    double bytes = 0;
    if (op->kind == MSW_GRAPH_PAIR || op->kind == MSW_GRAPH_GATHER)
        return 0;
    for (uint32_t i = 0; i < op->read_count; i++) {
        uint32_t tensor = net->reads[op->first_read + i];
        if (is_held(&net->tensors[tensor], first, end))
            bytes += (double)net->tensors[tensor].bytes;
    }
    return bytes;
}

/* Positions of the cuts, backwards from the last, turned round. */
static uint32_t write_ends(const uint32_t *from, uint32_t count, uint32_t *ends)
{
    uint32_t blocks = 0, at;
    for (at = count; at > 0; at = from[at])
        ends[blocks++] = at;
    for (uint32_t i = 0; i < blocks / 2; i++) {
        uint32_t swapped = ends[i];
        ends[i] = ends[blocks - 1 - i];
        ends[blocks - 1 - i] = swapped;
    }
    return blocks;
}

/* Blocks under trial. */
typedef struct cutter {
    const camdn_planner *p;
    int32_t *pages;   /* by operator: pages that come and go; then: that are held */
    int32_t *tensors; /* the same of tensors */
    double *bytes;    /* traffic of operators */
    double *best; /* by number of operators: the least traffic, and where the last block begins */
    uint32_t *from;
} cutter;

/* Fills pages and tensors by operator. Returns the most pages, or all and more: too many tensors.
 */
static uint32_t count_held(cutter *c, uint32_t first, uint32_t end)
{
    const msw_graph_network *net = c->p->net;
    int32_t most = 0;
    for (uint32_t o = first; o < end; o++)
        c->pages[o] = c->tensors[o] = 0;
    for (uint32_t o = first; o < end; o++) {
        const msw_graph_tensor *t = &net->tensors[net->ops[o].output];
        if (!is_held(t, first, end))
            continue;
        int32_t pages = (int32_t)camdn_pages_of(c->p, t->bytes);
        c->pages[o] += pages, c->tensors[o]++;
        if (t->last + 1 < end)
            c->pages[t->last + 1] -= pages, c->tensors[t->last + 1]--;
    }
    for (uint32_t o = first; o < end; o++) {
        c->pages[o] += o > first ? c->pages[o - 1] : 0;
        c->tensors[o] += o > first ? c->tensors[o - 1] : 0;
        most = c->pages[o] > most ? c->pages[o] : most;
        if (c->tensors[o] > CAMDN_HELD_TENSORS)
            return UINT32_MAX;
    }
    return (uint32_t)most;
}

/* An operator inside of a block whose pages were counted. */
static camdn_level inside(const cutter *c, uint32_t o, const camdn_block_plan *b, uint32_t limit)
{
    unsigned held = held_of(c->p->net, o, b->first, b->end);
    camdn_level level = camdn_level_within(c->p, o, held, limit - (uint32_t)c->pages[o]);
    if (!(held & CAMDN_HELD_A))
        level.dram_bytes -= held_reads(c->p->net, o, b->first, b->end);
    return level;
}

/* Blocks that end at `end`, each one operator longer than the one before. Only the output of the
 * operator that is added may be held anew: what changes are the operators that it lives through. */
typedef struct growing {
    uint32_t end, limit;
    double bytes;
} growing;

/* Puts operator `first` in front. Returns false when it does not fit. */
static bool extend_block(cutter *c, growing *g, uint32_t first)
{
    const msw_graph_tensor *t = &c->p->net->tensors[c->p->net->ops[first].output];
    camdn_block_plan b = {.first = first, .end = g->end};
    uint32_t last = first, pages = 0;
    if (is_held(t, first, g->end)) {
        pages = camdn_pages_of(c->p, t->bytes);
        last = t->last;
    }
    c->pages[first] = c->tensors[first] = 0;
    c->bytes[first] = 0;
    for (uint32_t o = first; o <= last; o++) {
        c->pages[o] += (int32_t)pages;
        c->tensors[o] += last > first;
        if (c->pages[o] > (int32_t)g->limit || c->tensors[o] > CAMDN_HELD_TENSORS)
            return false;
    }
    for (uint32_t o = first; o <= last; o++) {
        g->bytes -= c->bytes[o];
        c->bytes[o] = inside(c, o, &b, g->limit).dram_bytes;
        g->bytes += c->bytes[o];
    }
    return true;
}

/* Ends of blocks with the least traffic: best(e) = min over f < e of best(f) + traffic(f, e). A
 * block that begins earlier holds no less: behind the first that does not fit none does. */
static double cut_by_pages(cutter *c, uint32_t limit, uint32_t *ends, uint32_t *count)
{
    uint32_t n = c->p->net->op_count;
    c->best[0] = 0;
    for (uint32_t e = 1; e <= n; e++) {
        growing g = {.end = e, .limit = limit};
        c->best[e] = INFINITY;
        for (uint32_t f = e; f-- > 0 && extend_block(c, &g, f);)
            if (c->best[f] + g.bytes < c->best[e]) {
                c->best[e] = c->best[f] + g.bytes;
                c->from[e] = f;
            }
    }
    *count = write_ends(c->from, n, ends);
    return c->best[n];
}

static uint32_t cut_by_table(const msw_graph_network *net, uint32_t *ends)
{
    uint32_t count = 0;
    for (uint32_t o = 1; o <= net->op_count; o++)
        if (o == net->op_count || net->ops[o].block != net->ops[o - 1].block)
            ends[count++] = o;
    return count;
}

static void cut_ends(cutter *c, uint32_t *ends, uint32_t *count)
{
    uint32_t n = c->p->net->op_count;
    *count = 1;
    switch (c->p->config->blocks) {
    case CAMDN_BLOCKS_TABLE:
        *count = cut_by_table(c->p->net, ends);
        return;
    case CAMDN_BLOCKS_PAGES:
        cut_by_pages(c, c->p->share, ends, count);
        return;
    case CAMDN_BLOCKS_WHOLE:
        ends[0] = n;
        return;
    default:
        for (uint32_t o = 0; o < n; o++)
            ends[o] = o + 1;
        *count = n;
        return;
    }
}

/* One that can never have its pages is cut into operators. */
static bool fill_block(cutter *c, camdn_op_plan *ops, camdn_block_plan *b)
{
    uint32_t most = b->end - b->first > 1 ? count_held(c, b->first, b->end) : 0;
    if (most > c->p->pages)
        return false;
    uint32_t limit = most > c->p->share ? most : c->p->share;
    for (uint32_t o = b->first; b->end - b->first > 1 && o < b->end; o++) {
        ops[o].inside = inside(c, o, b, limit);
        uint32_t pages = (uint32_t)c->pages[o] + ops[o].inside.pages;
        b->pages = pages > b->pages ? pages : b->pages;
    }
    return true;
}

static void add_block(cutter *c, camdn_op_plan *ops, camdn_block_plan *blocks, uint32_t *count,
                      uint32_t first, uint32_t end)
{
    camdn_block_plan b = {.first = first, .end = end};
    if (fill_block(c, ops, &b)) {
        for (uint32_t o = first; o < end; o++)
            ops[o].block = *count;
        blocks[(*count)++] = b;
        return;
    }
    for (uint32_t o = first; o < end; o++)
        add_block(c, ops, blocks, count, o, o + 1);
}

static int open_cutter(const camdn_planner *p, cutter *c)
{
    uint32_t n = p->net->op_count;
    *c = (cutter){.p = p,
                  .pages = msw_arena_take(p->scratch, n * sizeof *c->pages),
                  .tensors = msw_arena_take(p->scratch, n * sizeof *c->tensors),
                  .bytes = msw_arena_take(p->scratch, n * sizeof *c->bytes),
                  .best = msw_arena_take(p->scratch, (n + 1) * sizeof *c->best),
                  .from = msw_arena_take(p->scratch, (n + 1) * sizeof *c->from)};
    return c->pages && c->tensors && c->bytes && c->best && c->from ? 0 : -1;
}

int camdn_cut(const camdn_planner *p, camdn_op_plan *ops, camdn_plan *plan)
{
    uint32_t n = p->net->op_count, count = 0, first = 0;
    cutter c;
    uint32_t *ends = msw_arena_take(p->scratch, n * sizeof *ends);
    camdn_block_plan *blocks = msw_arena_take(p->arena, n * sizeof *blocks);
    if (open_cutter(p, &c) || !ends || !blocks)
        return -1;
    cut_ends(&c, ends, &count);
    plan->block_count = 0;
    for (uint32_t i = 0; i < count; first = ends[i++])
        add_block(&c, ops, blocks, &plan->block_count, first, ends[i]);
    plan->blocks = blocks;
    return 0;
}

int camdn_least_traffic(const camdn_planner *p, double *bytes)
{
    uint32_t count;
    cutter c;
    uint32_t *ends = msw_arena_take(p->scratch, p->net->op_count * sizeof *ends);
    if (open_cutter(p, &c) || !ends)
        return -1;
    *bytes = cut_by_pages(&c, p->pages, ends, &count);
    return 0;
}

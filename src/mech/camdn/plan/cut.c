/* Blocks. Tensors that a block holds lie in pages of their own from their producer to their last
 * reader; what is left of the limit is the running operator's:
 *
 *   held(o)  = sum of pages of held tensors with producer <= o <= last reader
 *   inside   = the step of o within limit - held(o) pages
 *   pages    = the largest held(o) + pages of inside(o)
 *
 * The limit is an equal share, or what the block holds where that is more. */
#include "mech/camdn/plan/plan.h"
#include "mech/camdn/mapper/blocks.h"

#include <math.h>

/* Blocks under trial. */
typedef struct cutter {
    const camdn_planner *p;
    int32_t *pages;   /* by operator: pages that come and go; then: that are held */
    int32_t *tensors; /* the same of tensors */
} cutter;

static bool is_held(const msw_graph_tensor *t, uint32_t first, uint32_t end)
{
    return t->role == MSW_GRAPH_INTERMEDIATE && t->producer >= first && t->last < end;
}

/* Fills pages and tensors by operator. Returns the most pages, or all and more: too many tensors.
 */
static uint32_t hold(cutter *c, uint32_t first, uint32_t end)
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

/* An operator inside of a block of which `hold` was told. */
static camdn_level inside(const cutter *c, uint32_t o, const camdn_block_plan *b, uint32_t limit)
{
    unsigned held = camdn_held_of(c->p->net, o, b->first, b->end);
    camdn_level level = camdn_level_within(c->p, o, held, limit - (uint32_t)c->pages[o]);
    if (!(held & CAMDN_HELD_A))
        level.dram_bytes -= camdn_held_reads(c->p->net, o, b->first, b->end);
    return level;
}

/* Traffic of a block, or infinity where it does not fit. */
static double traffic_of(cutter *c, uint32_t first, uint32_t end, uint32_t limit)
{
    camdn_block_plan b = {.first = first, .end = end};
    double bytes = 0;
    if (end - first > 1 && hold(c, first, end) > limit)
        return INFINITY;
    if (end - first == 1)
        c->pages[first] = 0;
    for (uint32_t o = first; o < end; o++)
        bytes += inside(c, o, &b, limit).dram_bytes;
    return bytes;
}

/* Ends of blocks with the least traffic: best(e) = min over f < e of best(f) + traffic(f, e). A
 * block that begins earlier holds no less: behind the first that does not fit none does. */
static int cut_by_pages(cutter *c, uint32_t *ends, uint32_t *count)
{
    uint32_t n = c->p->net->op_count;
    double *best = msw_arena_take(c->p->scratch, (n + 1) * sizeof *best);
    uint32_t *from = msw_arena_take(c->p->scratch, (n + 1) * sizeof *from);
    if (!best || !from)
        return -1;
    best[0] = 0;
    for (uint32_t e = 1; e <= n; e++) {
        best[e] = INFINITY;
        for (uint32_t f = e; f-- > 0;) {
            double bytes = traffic_of(c, f, e, c->p->share);
            if (isinf(bytes))
                break;
            if (best[f] + bytes < best[e]) {
                best[e] = best[f] + bytes;
                from[e] = f;
            }
        }
    }
    *count = camdn_write_ends(from, n, ends);
    return 0;
}

static uint32_t cut_by_table(const msw_graph_network *net, uint32_t *ends)
{
    uint32_t count = 0;
    for (uint32_t o = 1; o <= net->op_count; o++)
        if (o == net->op_count || net->ops[o].block != net->ops[o - 1].block)
            ends[count++] = o;
    return count;
}

static int cut_ends(cutter *c, uint32_t *ends, uint32_t *count)
{
    uint32_t n = c->p->net->op_count;
    *count = 1;
    switch (c->p->config->blocks) {
    case CAMDN_BLOCKS_TABLE:
        *count = cut_by_table(c->p->net, ends);
        return 0;
    case CAMDN_BLOCKS_PAGES:
        return cut_by_pages(c, ends, count);
    case CAMDN_BLOCKS_WHOLE:
        ends[0] = n;
        return 0;
    default:
        for (uint32_t o = 0; o < n; o++)
            ends[o] = o + 1;
        *count = n;
        return 0;
    }
}

/* One that can never have its pages is cut into operators. */
static bool fill_block(cutter *c, camdn_op_plan *ops, camdn_block_plan *b)
{
    uint32_t most = b->end - b->first > 1 ? hold(c, b->first, b->end) : 0;
    if (most > c->p->pages)
        return false;
    uint32_t limit = most > c->p->share ? most : c->p->share;
    for (uint32_t o = b->first; b->end - b->first > 1 && o < b->end; o++) {
        ops[o].inside = inside(c, o, b, limit);
        uint32_t pages = (uint32_t)c->pages[o] + ops[o].inside.pages;
        b->pages = pages > b->pages ? pages : b->pages;
        b->estimate += camdn_estimate(c->p, o, &ops[o].inside);
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

int camdn_cut(const camdn_planner *p, camdn_op_plan *ops, camdn_plan *plan)
{
    uint32_t n = p->net->op_count, count = 0, first = 0;
    cutter c = {.p = p,
                .pages = msw_arena_take(p->scratch, n * sizeof *c.pages),
                .tensors = msw_arena_take(p->scratch, n * sizeof *c.tensors)};
    uint32_t *ends = msw_arena_take(p->scratch, n * sizeof *ends);
    camdn_block_plan *blocks = msw_arena_take(p->arena, n * sizeof *blocks);
    if (!c.pages || !c.tensors || !ends || !blocks || cut_ends(&c, ends, &count))
        return -1;
    plan->block_count = 0;
    for (uint32_t i = 0; i < count; first = ends[i++])
        add_block(&c, ops, blocks, &plan->block_count, first, ends[i]);
    plan->blocks = blocks;
    return 0;
}

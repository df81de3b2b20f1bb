/* What an operator moves when its NPU has pages: what its plan says. With equal shares that is
 * exact. With Algorithm 1 each tenant finds what the others leave on average:
 *
 *   pages = all - (tenants - 1) held(pages)      held: mean over time and networks
 */
#include "mech/camdn/closed/traffic.h"

#include <string.h>

const camdn_level *camdn_paged_level(const camdn_closed *c, uint32_t op)
{
    const camdn_op_plan *plan = &c->plan->ops[op];
    const camdn_block_plan *b = &c->plan->blocks[plan->block];
    bool block = b->end - b->first > 1 && (int64_t)b->pages <= c->pages;
    return block ? &plan->inside : &plan->levels[camdn_candidate(plan, c->pages)];
}

uint32_t camdn_paged_held(const camdn_closed *c, uint32_t op)
{
    const camdn_op_plan *plan = &c->plan->ops[op];
    const camdn_block_plan *b = &c->plan->blocks[plan->block];
    if (b->end - b->first > 1 && (int64_t)b->pages <= c->pages)
        return b->pages;
    return plan->levels[camdn_candidate(plan, c->pages)].pages;
}

uint32_t camdn_paged_taken(const camdn_closed *c, uint32_t op)
{
    const camdn_op_plan *plan = &c->plan->ops[op];
    const camdn_block_plan *b = &c->plan->blocks[plan->block];
    bool first = op == b->first || camdn_paged_level(c, op) != &plan->inside;
    return first && c->config->allocation == CAMDN_DYNAMIC ? camdn_paged_held(c, op) : 0;
}

static bool is_held(const camdn_closed *c, uint32_t op, uint32_t tensor)
{
    const camdn_block_plan *b = &c->plan->blocks[c->plan->ops[op].block];
    const msw_graph_tensor *t = &c->net->tensors[tensor];
    return t->role == MSW_GRAPH_INTERMEDIATE && t->producer >= b->first && t->last < b->end;
}

/* What of an operand comes from memory: nothing that the block holds. */
static double far_of(const camdn_closed *c, uint32_t op, const camdn_product *p,
                     const camdn_way *way, int operand, bool block)
{
    const msw_graph_op *o = &c->net->ops[op];
    bool pair = o->kind == MSW_GRAPH_PAIR, weight = operand == CAMDN_W && !pair;
    uint32_t tensor = c->net->reads[o->first_read + (operand == CAMDN_W)];
    if (block && !weight && is_held(c, op, tensor))
        return 0;
    camdn_use use = camdn_use_of(p, way, operand);
    return use.dram < use.npu ? use.dram / use.npu : 1;
}

static double last_of(const camdn_closed *c, uint32_t op, const camdn_level *level, bool block)
{
    const camdn_step *step = &level->step;
    if (!camdn_has_tiles(&c->net->ops[op])) {
        double out = (double)c->net->tensors[c->net->ops[op].output].bytes;
        double loads = (double)step->npu_bytes - out, far = level->dram_bytes - out;
        return loads > 0 && far > 0 ? far / loads : 0;
    }
    const camdn_product *p = &c->products[op];
    camdn_way way = {.tile = {step->m, step->n, step->k}, .order = step->order};
    memcpy(way.stay, step->stay, sizeof way.stay);
    return camdn_last_of(p, step, far_of(c, op, p, &way, CAMDN_A, block),
                         far_of(c, op, p, &way, CAMDN_W, block));
}

camdn_moved camdn_paged_by(const camdn_closed *c, uint32_t op)
{
    const camdn_level *level = camdn_paged_level(c, op);
    const camdn_op_plan *plan = &c->plan->ops[op];
    const camdn_block_plan *b = &c->plan->blocks[plan->block];
    const msw_graph_tensor *t = &c->net->tensors[c->net->ops[op].output];
    bool held = level == &plan->inside && t->role == MSW_GRAPH_INTERMEDIATE && t->last < b->end;
    camdn_moved m = {.compute = (double)camdn_layers(c->table)[op].cycles,
                     .requests = (double)level->step.npu_bytes,
                     .written = held ? 0 : (double)t->bytes};
    m.written = m.written < level->dram_bytes ? m.written : level->dram_bytes;
    m.read = level->dram_bytes - m.written;
    m.hits = m.requests - level->dram_bytes;
    m.hits = m.hits > 0 ? m.hits : 0;
    m.last = last_of(c, op, level, level == &plan->inside);
    return m;
}

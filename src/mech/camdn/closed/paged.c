/* What an operator moves when its NPU has pages: what its plan says. With equal shares that is
 * exact. With Algorithm 1 each tenant finds what the others leave on average:
 *
 *   pages = all - (tenants - 1) held(pages)      held: mean over time and networks
 */
#include "mech/camdn/closed/traffic.h"

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
    return m;
}

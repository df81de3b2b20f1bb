/* SPDX-License-Identifier: MIT */
/* What an operator moves when its NPU has pages: what its plan says. With equal shares that is
 * exact. With Algorithm 1 each tenant finds what the others leave on average:
 *
 *   pages = all - (tenants - 1) held(pages)      held: mean over time and networks
 */
#include "mech/camdn/closed/traffic.h"

enum { M, N, K };

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

/* Where the last line of an operand in a tile comes from: what stays comes from memory in the
 * first turn of its free loop, and nothing that the block holds does. */
static double far_of(const camdn_closed *c, uint32_t op, const camdn_step *step, int operand,
                     bool block)
{
    static const int FREE[CAMDN_OPERANDS] = {[CAMDN_A] = N, [CAMDN_W] = M, [CAMDN_C] = K};
    const msw_graph_op *o = &c->net->ops[op];
    const camdn_product *p = &c->shape->products[op];
    bool pair = o->kind == MSW_GRAPH_PAIR, weight = operand == CAMDN_W && !pair;
    uint32_t last = pair ? operand == CAMDN_W : o->read_count - 1;
    uint32_t tensor = operand == CAMDN_C ? o->output : c->net->reads[o->first_read + last];
    if (block && !weight && is_held(c, op, tensor))
        return 0;
    if (step->stay[operand] == CAMDN_STAY_NONE)
        return 1;
    if (operand == CAMDN_C)
        return 0; /* sums that come back have been there */
    bool again = camdn_is_again(p, step, FREE[operand]);
    double far = again ? 1 / camdn_step_turns(p, step, FREE[operand]) : 1;
    bool serial = weight && step->stay[operand] == CAMDN_STAY_WHOLE;
    return serial ? far / (double)p->steps : far;
}

static bool is_near(const camdn_closed *c, uint32_t op, uint32_t read)
{
    return camdn_paged_level(c, op) == &c->plan->ops[op].inside &&
           is_held(c, op, c->net->reads[read]);
}

static double last_of(const camdn_closed *c, uint32_t op, const camdn_level *level, bool block)
{
    const camdn_step *step = &level->step;
    double far[CAMDN_OPERANDS];
    if (!camdn_has_tiles(&c->net->ops[op]))
        return camdn_last_of_stream(c, op, step, is_near, 1);
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        far[i] = far_of(c, op, step, i, block);
    return camdn_last_of_product(c->config, &c->shape->products[op], step, far);
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

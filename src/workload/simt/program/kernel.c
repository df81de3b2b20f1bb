/* SPDX-License-Identifier: MIT */
/* A kernel from its drafts: targets, registers read and written, classes, blocks and loops.
 *
 * Dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the graph
 * of blocks with one exit added; post-dominators on the same graph turned round. */
#include "memsweep/base/bits.h"

#include "workload/simt/program/parts.h"

#include <string.h>

/* Steps of one search, against graphs made to take hours. */
#define MOST_STEPS ((uint64_t)1 << 30)

/* Nodes 0 ... count - 1; the last one is the exit. */
typedef struct graph {
    uint32_t count, edges;
    uint32_t *first[2], *nodes[2]; /* [0] successors, [1] predecessors; in rows */
} graph;

static bool ends_block(const msw_simt_insn *insn)
{
    return insn->kind == MSW_SIMT_CLASS_BRANCH || insn->kind == MSW_SIMT_CLASS_EXIT;
}

static uint32_t mark_blocks(msw_simt_kernel *kernel, msw_simt_insn *insns, uint8_t *starts)
{
    uint32_t count = 0;
    starts[0] = 1;
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        if (insns[i].target != MSW_SIMT_NONE)
            starts[insns[i].target] = 1;
        if (ends_block(&insns[i]) && i + 1 < kernel->insn_count)
            starts[i + 1] = 1;
    }
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        count += starts[i];
        insns[i].block = count - 1;
    }
    return count;
}

static void link_block(const msw_simt_kernel *kernel, msw_simt_block *block)
{
    const msw_simt_insn *last = &kernel->insns[block->first + block->count - 1];
    bool always = last->guard == MSW_SIMT_NONE;
    bool falls = !(ends_block(last) && always) && block->first + block->count < kernel->insn_count;
    block->next[0] = block->next[1] = MSW_SIMT_NONE;
    block->next_count = 0;
    if (falls)
        block->next[block->next_count++] = last[1].block;
    if (last->target != MSW_SIMT_NONE)
        block->next[block->next_count++] = kernel->insns[last->target].block;
}

static bool leaves(const msw_simt_kernel *kernel, const msw_simt_block *block)
{
    const msw_simt_insn *last = &kernel->insns[block->first + block->count - 1];
    return last->kind == MSW_SIMT_CLASS_EXIT || block->next_count == 0;
}

static int make_blocks(msw_simt_kernel *kernel, msw_simt_insn *insns, msw_arena *arena,
                       msw_err *err)
{
    uint8_t *starts = msw_arena_zero(arena, kernel->insn_count, 1);
    uint32_t count = starts ? mark_blocks(kernel, insns, starts) : 0;
    msw_simt_block *blocks = msw_arena_zero(arena, count, sizeof *blocks);
    if (!starts || !blocks)
        return msw_fail_memory(err);
    for (uint32_t i = kernel->insn_count; i-- > 0;) {
        blocks[insns[i].block].first = i;
        blocks[insns[i].block].count++;
    }
    kernel->blocks = blocks;
    kernel->block_count = count;
    for (uint32_t b = 0; b < count; b++)
        link_block(kernel, &blocks[b]);
    return 0;
}

static uint32_t successors(const msw_simt_kernel *kernel, uint32_t b, uint32_t out[3])
{
    uint32_t count = 0;
    if (b == kernel->block_count)
        return 0;
    const msw_simt_block *block = &kernel->blocks[b];
    for (uint32_t i = 0; i < block->next_count; i++)
        out[count++] = block->next[i];
    if (leaves(kernel, block))
        out[count++] = kernel->block_count;
    return count;
}

static int make_graph(const msw_simt_kernel *kernel, graph *g, msw_arena *arena)
{
    g->count = kernel->block_count + 1;
    for (int side = 0; side < 2; side++) {
        g->first[side] = msw_arena_zero(arena, g->count + 2, sizeof(uint32_t));
        g->nodes[side] = msw_arena_zero(arena, 3 * (size_t)g->count, sizeof(uint32_t));
        if (!g->first[side] || !g->nodes[side])
            return -1;
    }
    uint32_t next[3];
    for (uint32_t b = 0; b < g->count; b++) {
        uint32_t count = successors(kernel, b, next);
        g->first[0][b + 1] = g->first[0][b] + count;
        for (uint32_t i = 0; i < count; i++) {
            g->nodes[0][g->first[0][b] + i] = next[i];
            g->first[1][next[i] + 2]++;
        }
    }
    for (uint32_t b = 2; b < g->count + 2; b++)
        g->first[1][b] += g->first[1][b - 1];
    for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t i = g->first[0][b]; i < g->first[0][b + 1]; i++)
            g->nodes[1][g->first[1][g->nodes[0][i] + 1]++] = b;
    return 0;
}

/* Post-order numbers of what the root reaches; order[n] is the node numbered n. */
typedef struct order {
    uint32_t *number, *nodes, count;
} order;

static int number_nodes(const graph *g, int side, uint32_t root, order *out, msw_arena *arena)
{
    uint32_t *stack = msw_arena_take(arena, g->count * sizeof *stack);
    uint32_t *edge = msw_arena_take(arena, g->count * sizeof *edge);
    out->number = msw_arena_take(arena, g->count * sizeof *out->number);
    out->nodes = msw_arena_take(arena, g->count * sizeof *out->nodes);
    out->count = 0;
    if (!stack || !edge || !out->number || !out->nodes)
        return -1;
    memset(out->number, 0xff, g->count * sizeof *out->number);
    uint32_t depth = 0;
    stack[depth++] = root;
    edge[root] = g->first[side][root];
    out->number[root] = MSW_SIMT_NONE - 1; /* seen */
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (edge[node] == g->first[side][node + 1]) {
            out->number[node] = out->count;
            out->nodes[out->count++] = node;
            depth--;
            continue;
        }
        uint32_t next = g->nodes[side][edge[node]++];
        if (out->number[next] != MSW_SIMT_NONE)
            continue;
        out->number[next] = MSW_SIMT_NONE - 1;
        edge[next] = g->first[side][next];
        stack[depth++] = next;
    }
    return 0;
}

/* Walks both nodes up the tree until they meet. Numbers rise towards the root, so the node with the
 * smaller number is the one to move. */
static uint32_t meet(const order *o, const uint32_t *idom, uint32_t a, uint32_t b, uint64_t *steps)
{
    while (a != b) {
        while (o->number[a] < o->number[b]) {
            a = idom[a];
            ++*steps;
        }
        while (o->number[b] < o->number[a]) {
            b = idom[b];
            ++*steps;
        }
    }
    return a;
}

static uint32_t meet_all(const graph *g, int side, const order *o, const uint32_t *idom,
                         uint32_t node, uint64_t *steps)
{
    uint32_t best = MSW_SIMT_NONE;
    for (uint32_t e = g->first[!side][node]; e < g->first[!side][node + 1]; e++) {
        uint32_t before = g->nodes[!side][e];
        if (idom[before] == MSW_SIMT_NONE)
            continue;
        best = best == MSW_SIMT_NONE ? before : meet(o, idom, best, before, steps);
    }
    return best;
}

/* Fills idom[node]: the immediate dominator from `root` along `side`; MSW_SIMT_NONE where the root
 * does not lead. */
static int dominators(const graph *g, int side, uint32_t root, uint32_t *idom, msw_arena *arena,
                      msw_err *err)
{
    order o;
    uint64_t steps = 0;
    if (number_nodes(g, side, root, &o, arena))
        return msw_fail_memory(err);
    memset(idom, 0xff, g->count * sizeof *idom);
    idom[root] = root;
    /* The iterative algorithm of Cooper, Harvey and Kennedy: in reverse post-order, until nothing
     * changes. Reducible graphs need two passes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = o.count - 1; n-- > 0;) {
            uint32_t node = o.nodes[n], best = meet_all(g, side, &o, idom, node, &steps);
            changed |= best != idom[node];
            idom[node] = best;
            if (++steps > MOST_STEPS)
                return msw_fail(err, "the branches are too entangled to be followed");
        }
    }
    return 0;
}

static bool dominates(const uint32_t *idom, uint32_t a, uint32_t b, uint64_t *steps)
{
    for (; b != a; b = idom[b], ++*steps)
        if (idom[b] == b || idom[b] == MSW_SIMT_NONE)
            return false;
    return true;
}

/* Raises the depth of all blocks of the loops with this header. `seen` marks with header + 1. */
static void raise_loop(const graph *g, const uint32_t *idom, uint32_t header, uint32_t *seen,
                       uint32_t *stack, msw_simt_block *blocks, uint64_t *steps)
{
    uint32_t depth = 0;
    for (uint32_t e = g->first[1][header]; e < g->first[1][header + 1]; e++) {
        uint32_t tail = g->nodes[1][e];
        /* An edge back to the header is a loop only if the header dominates its tail. */
        if (idom[tail] == MSW_SIMT_NONE || !dominates(idom, header, tail, steps))
            continue;
        if (seen[header] != header + 1) {
            seen[header] = header + 1;
            blocks[header].loop_depth++;
        }
        if (seen[tail] != header + 1) {
            seen[tail] = header + 1;
            stack[depth++] = tail;
        }
    }
    /* The loop's body: everything from which a tail can be reached without passing the header. */
    while (depth && *steps < MOST_STEPS) {
        uint32_t node = stack[--depth];
        blocks[node].loop_depth++;
        for (uint32_t e = g->first[1][node]; e < g->first[1][node + 1]; e++, ++*steps) {
            uint32_t before = g->nodes[1][e];
            if (seen[before] == header + 1 || idom[before] == MSW_SIMT_NONE)
                continue;
            seen[before] = header + 1;
            stack[depth++] = before;
        }
    }
}

static int find_loops(const graph *g, msw_simt_block *blocks, msw_arena *arena, msw_err *err)
{
    uint32_t *idom = msw_arena_take(arena, g->count * sizeof *idom);
    uint32_t *seen = msw_arena_zero(arena, g->count, sizeof *seen);
    uint32_t *stack = msw_arena_take(arena, g->count * sizeof *stack);
    uint64_t steps = 0;
    if (!idom || !seen || !stack)
        return msw_fail_memory(err);
    if (dominators(g, 0, 0, idom, arena, err))
        return -1;
    for (uint32_t b = 0; b + 1 < g->count; b++)
        if (idom[b] != MSW_SIMT_NONE)
            raise_loop(g, idom, b, seen, stack, blocks, &steps);
    return steps < MOST_STEPS ? 0 : msw_fail(err, "the loops are too entangled to be followed");
}

/* Finds blocks, post-dominators and loops; fills the kernel and the insns' blocks.
 * */
static int simt_blocks(msw_simt_kernel *kernel, msw_simt_insn *insns, msw_arena *arena,
                       msw_err *err)
{
    graph g;
    if (make_blocks(kernel, insns, arena, err))
        return -1;
    msw_simt_block *blocks = (msw_simt_block *)kernel->blocks;
    uint32_t *idom = msw_arena_take(arena, (kernel->block_count + 1u) * sizeof *idom);
    if (!idom || make_graph(kernel, &g, arena))
        return msw_fail_memory(err);
    int status = dominators(&g, 1, kernel->block_count, idom, arena, err) ||
                 find_loops(&g, blocks, arena, err);
    if (status)
        return msw_fail_prefix(err, "%s:%u: kernel %s: ", kernel->file, kernel->line, kernel->name);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        blocks[b].post_dominator = idom[b] == kernel->block_count ? MSW_SIMT_NONE : idom[b];
    return 0;
}

static int close_code(simt_parser *p)
{
    const simt_list *insns = &p->build->insns;
    const simt_draft *last = insns->count ? (simt_draft *)insns->data + (insns->count - 1) : NULL;
    bool ends = last && last->guard == MSW_SIMT_NONE &&
                (last->detail.op == OP_EXIT || last->detail.op == OP_BRA);
    const uint32_t *labels = p->build->labels.data;
    for (uint32_t i = 0; i < p->build->labels.count; i++)
        ends = ends && labels[i] < insns->count;
    if (ends)
        return 0;
    simt_draft *draft = simt_emit(p, OP_EXIT, MSW_SIMT_NO_TYPE, "exit");
    return draft ? simt_set_operands(p, draft, NULL, 0, NULL, 0) : -1;
}

static msw_simt_class class_of(const simt_draft *draft)
{
    const msw_simt_detail *d = &draft->detail;
    msw_simt_class kind = draft->form ? draft->form->kind : MSW_SIMT_CLASS_INT;
    msw_simt_type type = d->op == OP_SET ? d->type2 : d->type;
    if (d->op == OP_EXTRACT || d->op == OP_INSERT)
        return MSW_SIMT_CLASS_PARAM;
    if (d->op == OP_BRA)
        return MSW_SIMT_CLASS_BRANCH;
    if (d->op == OP_EXIT)
        return MSW_SIMT_CLASS_EXIT;
    if (d->op == OP_BAR && simt_has(d, W_WARP))
        return MSW_SIMT_CLASS_FENCE;
    if (d->op == OP_LD && (d->space == MSW_SIMT_PARAM || d->space == MSW_SIMT_CONST))
        return MSW_SIMT_CLASS_PARAM;
    if ((d->op == OP_DIV || d->op == OP_REM) && !simt_is_float(type))
        return MSW_SIMT_CLASS_MUL;
    bool computes =
        kind == MSW_SIMT_CLASS_INT || kind == MSW_SIMT_CLASS_MUL || kind == MSW_SIMT_CLASS_FLOAT;
    bool moves = d->op == OP_MOV || d->op == OP_SELP || d->op == OP_SLCT;
    if (computes && !moves && simt_is_float(type))
        return type == MSW_SIMT_F64 ? MSW_SIMT_CLASS_DOUBLE : MSW_SIMT_CLASS_FLOAT;
    return kind;
}

/* Registers of one instruction, each once. */
typedef struct reg_set {
    uint32_t regs[SIMT_DSTS + SIMT_SRCS + 3];
    uint16_t count;
} reg_set;

static void add_reg(reg_set *set, uint32_t reg)
{
    for (uint16_t i = 0; i < set->count; i++)
        if (set->regs[i] == reg)
            return;
    set->regs[set->count++] = reg;
}

static void add_operand(reg_set *set, const simt_operand *operand)
{
    if (operand->kind == O_REG)
        add_reg(set, operand->reg);
}

static const uint32_t *keep_set(simt_parser *p, const reg_set *set)
{
    uint32_t *regs = msw_arena_take(p->arena, (set->count + 1u) * sizeof *regs);
    if (regs)
        memcpy(regs, set->regs, set->count * sizeof *regs);
    else
        msw_fail_memory(p->err);
    return regs;
}

/* Sets without repetition. What an address is made of is kept apart from what is stored, as
 * mechanisms treat the two differently. */
static int fill_sets(simt_parser *p, const simt_draft *draft, msw_simt_insn *insn)
{
    const msw_simt_detail *d = &draft->detail;
    reg_set defs = {.count = 0}, uses = {.count = 0}, address = {.count = 0}, values = {.count = 0};
    bool accesses = d->op == OP_LD || d->op == OP_ST || d->op == OP_ATOM || d->op == OP_RED;
    for (uint32_t i = 0; i < d->dst_count; i++)
        add_operand(&defs, &d->dst[i]);
    add_operand(&defs, &d->dst2);
    if (draft->guard != MSW_SIMT_NONE)
        add_reg(&uses, draft->guard);
    for (uint32_t i = 0; i < d->src_count; i++) {
        add_operand(&uses, &d->src[i]);
        if (accesses)
            add_operand(i ? &values : &address, &d->src[i]);
    }
    insn->def_count = defs.count;
    insn->use_count = uses.count;
    insn->address_count = address.count;
    insn->value_count = values.count;
    insn->defs = keep_set(p, &defs);
    insn->uses = keep_set(p, &uses);
    insn->address_uses = keep_set(p, &address);
    insn->value_uses = keep_set(p, &values);
    return insn->defs && insn->uses && insn->address_uses && insn->value_uses ? 0 : -1;
}

static void fill_operand_kinds(const msw_simt_detail *d, msw_simt_insn *insn)
{
    for (uint32_t i = 0; i < d->src_count; i++) {
        insn->has_immediate |= d->src[i].kind == O_VALUE;
        insn->reads_special |= d->src[i].kind == O_SPECIAL;
    }
}

/* From the parser's draft to what mechanisms see: kinds and flags here, the sets of registers read
 * and written in fill_sets. */
static int fill_insn(simt_parser *p, simt_draft *draft, msw_simt_insn *insn)
{
    msw_simt_detail *d = msw_arena_take(p->arena, sizeof *d);
    if (!d)
        return msw_fail_memory(p->err);
    *d = draft->detail;
    d->target = draft->label == MSW_SIMT_NONE ? MSW_SIMT_NONE
                                              : ((uint32_t *)p->build->labels.data)[draft->label];
    *insn = (msw_simt_insn){.text = draft->text,
                            .line = draft->line,
                            .kind = class_of(draft),
                            .type = d->type,
                            .is_store = d->op == OP_ST || d->op == OP_ATOM || d->op == OP_RED,
                            .is_atomic = d->op == OP_ATOM || d->op == OP_RED,
                            .is_volatile = simt_has(d, W_VOLATILE),
                            .is_readonly = simt_has(d, W_NC),
                            .vector = (uint8_t)(simt_has(d, W_V4)   ? 4
                                                : simt_has(d, W_V2) ? 2
                                                                    : 1),
                            .guard = draft->guard,
                            .guard_negated = draft->guard_negated,
                            .target = d->target,
                            .detail = d};
    bool accesses = d->op == OP_LD || insn->is_store;
    insn->space = accesses ? d->space : MSW_SIMT_NO_SPACE;
    fill_operand_kinds(d, insn);
    return fill_sets(p, draft, insn);
}

static void place_dynamic(msw_simt_kernel *kernel)
{
    uint64_t align = kernel->dynamic_offset ? kernel->dynamic_offset : 16;
    kernel->dynamic_offset = msw_align_up(kernel->shared_bytes, align);
}

int simt_finish(simt_parser *p, msw_simt_kernel *kernel)
{
    simt_build *build = p->build;
    if (close_code(p))
        return -1;
    uint32_t count = build->insns.count;
    msw_simt_insn *insns = msw_arena_take(p->arena, count * sizeof *insns);
    if (!insns)
        return msw_fail_memory(p->err);
    for (uint32_t i = 0; i < count; i++)
        if (fill_insn(p, (simt_draft *)build->insns.data + i, &insns[i]))
            return -1;
    *kernel = build->kernel;
    place_dynamic(kernel);
    kernel->insns = insns;
    kernel->insn_count = count;
    kernel->regs = build->regs.data;
    kernel->reg_count = build->regs.count;
    kernel->params = build->params.data;
    kernel->param_count = build->params.count;
    kernel->variables = build->variables.data;
    kernel->variable_count = build->variables.count;
    return simt_blocks(kernel, insns, p->arena, p->err);
}

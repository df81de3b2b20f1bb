/* SPDX-License-Identifier: MIT */
/* Splits operators among the NPUs of a gang, and says how many NPUs a task has.
 *
 * Along M or N, in blocks of the array: README.md, "Gangs". Where a part of an operand that has the
 * dimension stays in the cache, tiles n times as wide would need n times the part: they stay as
 * they are.
 *
 * The number of NPUs follows AuRORA's rules, with the constants of its artifact (SeahK/aurora-rocc-
 * tests-ae), or is equal for all. There is no state: it follows from what tasks have left to do. */
#include "mech/camdn/model.h"

enum { M, N, K };

/* Blocks along M or N. */
typedef struct cut {
    uint64_t size; /* of the gang's tile */
    double share;  /* of the cycles of one NPU */
} cut;

static cut cut_of(const camdn_product *p, const uint64_t *tile, int loop, uint32_t width,
                  bool widens)
{
    uint64_t block = p->block[loop], blocks = msw_div_up(p->size[loop], block);
    uint64_t turns = msw_div_up(p->size[loop], tile[loop]);
    if (!widens) {
        uint64_t each = msw_div_up(msw_div_up(tile[loop], block), width);
        double share = (double)(turns * each) / (double)blocks;
        return (cut){tile[loop], share < 1 ? share : 1};
    }
    uint64_t steps = msw_div_up(turns, width), each = msw_div_up(blocks, width * steps);
    return (cut){msw_min_u64(each * block * width, p->size[loop]),
                 (double)(steps * each) / (double)blocks};
}

/* Returns whether wider tiles along a loop need no more of the cache. */
static bool may_widen(const camdn_step *step, int loop)
{
    bool a = loop == M && step->stay[CAMDN_A] == CAMDN_STAY_PART;
    bool w = loop == N && step->stay[CAMDN_W] == CAMDN_STAY_PART;
    return !a && !w && step->stay[CAMDN_C] != CAMDN_STAY_PART;
}

double camdn_requested(const camdn_product *p, const camdn_step *step, double bytes[CAMDN_OPERANDS])
{
    camdn_way way = {.tile = {step->m, step->n, step->k}, .order = step->order};
    double all = 0;
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        all += bytes[i] = camdn_use_of(p, &way, i).npu;
    return all;
}

static double requested_bytes(const camdn_product *p, const camdn_step *step)
{
    double bytes[CAMDN_OPERANDS];
    return camdn_requested(p, step, bytes);
}

static camdn_split split_along(const camdn_product *p, const camdn_step *step, int loop,
                               uint64_t compute, uint32_t width)
{
    uint64_t tile[3] = {step->m, step->n, step->k};
    cut c = cut_of(p, tile, loop, width, may_widen(step, loop));
    camdn_split s = {.step = *step, .common = loop == M ? CAMDN_COMMON_W : CAMDN_COMMON_A};
    *(loop == M ? &s.step.m : &s.step.n) = (uint32_t)c.size;
    s.cycles = (uint64_t)((double)compute * c.share + 0.5);
    return s;
}

camdn_split camdn_split_of(const msw_graph_network *net, uint32_t op, const camdn_step *step,
                           const camdn_array *array, uint64_t compute, uint32_t width)
{
    camdn_split whole = {.step = *step, .array = *array, .cycles = compute};
    if (width <= 1)
        return whole;
    if (!camdn_has_tiles(&net->ops[op])) {
        whole.array.scratchpad *= (int64_t)width;
        whole.cycles = msw_div_up(compute, width);
        return whole;
    }
    camdn_product p = camdn_product_of(net, op, array);
    camdn_split m = split_along(&p, step, M, compute, width);
    camdn_split n = split_along(&p, step, N, compute, width);
    bool rows = m.cycles < n.cycles || (m.cycles == n.cycles && requested_bytes(&p, &m.step) <=
                                                                    requested_bytes(&p, &n.step));
    camdn_split best = rows ? m : n;
    best.array = *array;
    return best;
}

uint32_t camdn_gang_most(const camdn_config *c)
{
    return c->npu_policy == CAMDN_GANG_ONE ? 1 : (uint32_t)c->gang;
}

int64_t camdn_tasks_most(const camdn_config *c)
{
    bool fixed = c->npu_policy == CAMDN_GANG_STATIC;
    return camdn_running(c) / (fixed ? (int64_t)camdn_gang_most(c) : 1);
}

static double predicted_op(const camdn_config *c, const camdn_table *table,
                           const msw_graph_network *net, const camdn_array *array, uint32_t o,
                           uint32_t width)
{
    const camdn_step *step = camdn_plain_step(table, o);
    uint64_t compute = camdn_layers(table)[o].cycles;
    double cycles = (double)camdn_split_of(net, o, step, array, compute, width).cycles;
    double mem = camdn_moca_bytes(c, net, o) / camdn_memory_rate(c) +
                 (double)step->npu_bytes / (double)(c->port_bytes * (int64_t)width);
    return mem > cycles ? mem + cycles / 2 : cycles + mem / 2;
}

void camdn_left_fill(const camdn_config *c, const camdn_table *table, const msw_graph_network *net,
                     const camdn_array *array, double (*left)[CAMDN_GANG_SIZES])
{
    for (uint32_t size = 0; size < CAMDN_GANG_SIZES; size++) {
        left[net->op_count][size] = 0;
        for (uint32_t o = net->op_count; o-- > 0;)
            left[o][size] = left[o + 1][size] + predicted_op(c, table, net, array, o, 1U << size);
    }
}

double camdn_fastest(const camdn_config *c, const camdn_table *table, const msw_graph_network *net,
                     const camdn_array *array)
{
    double cycles = 0;
    for (uint32_t o = 0; o < net->op_count; o++)
        cycles += predicted_op(c, table, net, array, o, camdn_gang_most(c));
    return cycles;
}

enum { FOUR = 2, TWO = 1, RELAXED = 400, SPARE = 2 };

static const double TIGHT = 1.5;

static bool is_hopeless(const camdn_claim *c)
{
    return !c->keeps && c->slack < c->left[FOUR];
}

uint32_t camdn_aurora_size(const camdn_claim *c, bool alone)
{
    uint32_t size = 1;
    if (!is_hopeless(c) && c->slack < TIGHT * c->left[FOUR])
        size = 4;
    else if (!is_hopeless(c) && c->slack < TIGHT * c->left[TWO])
        size = 2;
    return alone && size < 2 ? 2 : size;
}

double camdn_aurora_score(const camdn_claim *c)
{
    double left = c->left[camdn_size_of(c->width)];
    return is_hopeless(c) || left <= 0 ? 0 : 100 * c->slack / left;
}

/* Some task has fewer than four and is later than this one, by so much; and none that is earlier
 * has more than one to give. */
static bool is_asked_to(double score, const camdn_claim *others, uint32_t count)
{
    bool later = false;
    for (uint32_t i = 0; i < count; i++) {
        double other = camdn_aurora_score(&others[i]);
        if (other > score && others[i].width > 1)
            return false;
        later |= others[i].width < CAMDN_GANG_MOST && score > SPARE * other;
    }
    return later;
}

static bool is_last_in_need(double score, const camdn_claim *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (others[i].width < CAMDN_GANG_MOST && camdn_aurora_score(&others[i]) < score)
            return false;
    return true;
}

uint32_t camdn_aurora_change(const camdn_claim *c, const camdn_claim *others, uint32_t count,
                             uint32_t idle)
{
    double score = camdn_aurora_score(c);
    bool gives = (is_hopeless(c) && idle <= 3) || (idle <= 1 && score > RELAXED) ||
                 is_asked_to(score, others, count);
    if (c->width >= 2 && gives)
        return c->width / 2;
    if (c->width < CAMDN_GANG_MOST && idle >= c->width && !is_hopeless(c) &&
        is_last_in_need(score, others, count))
        return c->width * 2;
    return c->width;
}

uint32_t camdn_equal_size(uint32_t npus, uint32_t tasks, uint32_t most)
{
    uint32_t size = 1;
    while (2 * size <= most && 2 * size * tasks <= npus)
        size *= 2;
    return size;
}

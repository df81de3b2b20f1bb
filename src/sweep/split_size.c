/* SPDX-License-Identifier: MIT */
/* Sizes of entries are differences of the mechanism's own count of SRAM: there is no second table
 * that could say something else than the metric sram_bytes. */
#include "sweep/loader.h"

#include <stdlib.h>
#include <string.h>

typedef struct asking {
    msw_loader *l;
    size_t index; /* of the parameter asked about */
    void *block;
    msw_split_size size;
    bool any;
} asking;

static double bits_of(const msw_plan *plan, const void *block)
{
    return plan->mech->sram_bits((const char *)block + plan->schema.part_offsets[0]);
}

static double bits_with(const asking *a, double value)
{
    const msw_schema *schema = &a->l->plan->schema;
    double own = msw_schema_get(schema, a->index, a->block);
    msw_schema_set(schema, a->index, a->block, value);
    double bits = bits_of(a->l->plan, a->block);
    msw_schema_set(schema, a->index, a->block, own);
    return bits;
}

/* Over a step of many entries: several may share one, as coalesced pages do. */
static void ask(asking *a, const msw_param *varied)
{
    const msw_param *param = a->l->plan->schema.params[a->index];
    double low = fmax(param->min, 1), high = fmin(2 * low, param->max);
    double bytes = high > low ? (bits_with(a, high) - bits_with(a, low)) / (high - low) / 8 : 0;
    if (a->any && bytes != a->size.least)
        a->size.depends = varied;
    a->size.least = a->any ? fmin(a->size.least, bytes) : bytes;
    a->size.most = a->any ? fmax(a->size.most, bytes) : bytes;
    a->any = true;
}

/* ---- values that another parameter may take ---- */

static const msw_factor *factor_of(const msw_plan *plan, size_t index)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        if (plan->space.factors[f].target_count == 1 && plan->space.factors[f].targets[0] == index)
            return &plan->space.factors[f];
    return NULL;
}

static void ask_at(asking *a, size_t other, double value)
{
    const msw_schema *schema = &a->l->plan->schema;
    double own = msw_schema_get(schema, other, a->block);
    msw_schema_set(schema, other, a->block, value);
    ask(a, schema->params[other]);
    msw_schema_set(schema, other, a->block, own);
}

static void ask_levels(asking *a, size_t other, const msw_factor *factor)
{
    for (uint64_t i = 0; i < factor->levels && factor->values; i++)
        ask_at(a, other, factor->values[i]);
    if (!factor->levels) {
        ask_at(a, other, factor->from);
        ask_at(a, other, factor->to);
    }
}

/* Dealt and computed ones may take any value: two show whether they matter. */
static void ask_other(asking *a, size_t other)
{
    const msw_param *param = a->l->plan->schema.params[other];
    const msw_factor *factor = factor_of(a->l->plan, other);
    size_t choices = msw_param_choices(param);
    if (factor) {
        ask_levels(a, other, factor);
        return;
    }
    for (size_t c = 0; c < choices; c++)
        ask_at(a, other, (double)c);
    if (!choices) {
        ask_at(a, other, fmin(fmax(param->min, 1), param->max));
        ask_at(a, other, fmin(2 * fmax(param->min, 1), param->max));
    }
}

/* Whether a split of the file names it: those further down have not been read. */
static bool is_dealt(const msw_loader *l, const char *name)
{
    const msw_node *splits = msw_loader_top(l, "split");
    for (size_t i = 0; splits && splits->kind == MSW_NODE_MAP && i < splits->count; i++) {
        const msw_node *map = splits->items[i];
        const msw_node *over = map->kind == MSW_NODE_MAP ? msw_node_get(map, "over") : NULL;
        for (size_t k = 0; over && k < over->count; k++) {
            const msw_node *key = over->kind == MSW_NODE_MAP ? over->keys[k] : over->items[k];
            if (key->text && strcmp(key->text, name) == 0)
                return true;
        }
    }
    return false;
}

static bool is_open(const msw_loader *l, size_t index)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (l->pending[i].target == (int)index && strcmp(l->pending[i].what, "fix") == 0)
            return true;
    return factor_of(l->plan, index) || is_dealt(l, l->plan->schema.params[index]->name);
}

/* A copy of what is fixed so far. Returns it, or NULL without a count or without memory. */
static void *copy_base(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    void *block = plan->mech->sram_bits ? malloc(plan->schema.size + 1) : NULL;
    if (block)
        memcpy(block, plan->space.base, plan->schema.size);
    else if (plan->mech->sram_bits)
        msw_loader_memory(l);
    return block;
}

msw_split_size msw_split_size_of(msw_loader *l, size_t index)
{
    const msw_schema *schema = &l->plan->schema;
    size_t own = schema->part_count > 1 ? schema->part_first[1] : schema->count;
    asking a = {.l = l, .index = index, .block = index < own ? copy_base(l) : NULL};
    if (!a.block)
        return a.size;
    ask(&a, NULL);
    for (size_t other = 0; other < own; other++)
        if (other != index && is_open(l, other))
            ask_other(&a, other);
    free(a.block);
    return a.size;
}

static double set_and_count(const msw_plan *plan, const msw_factor *factor, const double *values,
                            void *block)
{
    for (size_t t = 0; t < factor->target_count; t++)
        msw_schema_set(&plan->schema, factor->targets[t], block, values ? values[t] : 0);
    return bits_of(plan, block) / 8;
}

bool msw_split_takes(msw_loader *l, const msw_factor *factor, double *least, double *most)
{
    void *block = copy_base(l);
    if (!block)
        return false;
    double rest = set_and_count(l->plan, factor, NULL, block);
    *least = INFINITY;
    *most = -INFINITY;
    for (uint64_t i = 0; i < factor->levels; i++) {
        double bytes =
            set_and_count(l->plan, factor, factor->values + i * factor->target_count, block) - rest;
        *least = fmin(*least, bytes);
        *most = fmax(*most, bytes);
    }
    free(block);
    return factor->levels > 0;
}

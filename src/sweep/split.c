/* SPDX-License-Identifier: MIT */
/* `split`: a factor that divides a budget over several parameters.
 *
 * Every level is one way of dealing `parts` equal shares of `total` to the parameters; a parameter
 * with k shares and unit cost c becomes floor(k * total / parts / c). Ways that leave a parameter's
 * range or repeat an earlier one are left out. A cost that the file does not give is the bytes of
 * an entry as the mechanism counts them; one that differs from those is reported. */
#include "sweep/loader.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "memsweep/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPLIT_MAX = 32 };

typedef struct taker {
    int index;
    const msw_param *param;
    const msw_node *at;
    double cost;    /* 0 while the file gave none */
    uint64_t least; /* shares */
} taker;

typedef struct split {
    const msw_node *key, *map;
    double total, least; /* least: for every parameter that names none */
    uint64_t parts;
    size_t count;
    taker takers[SPLIT_MAX];
} split;

static const msw_param TOTAL = {
    .name = "total", .kind = MSW_REAL, .unit = "B", .min = 1e-9, .max = 1e15};
static const msw_param PARTS = {
    .name = "parts", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 4096};
static const msw_param COST = {
    .name = "cost", .kind = MSW_REAL, .unit = "B", .min = 1e-9, .max = 1e15};
static const msw_param LEAST = {
    .name = "min", .kind = MSW_REAL, .unit = "B", .min = 0, .max = 1e15};

static bool needed(msw_loader *l, const split *s, const msw_param *param, double *value)
{
    const msw_node *node = msw_node_get(s->map, param->name);
    if (node)
        return msw_loader_value(l, param, node, value);
    msw_loader_say(l, s->map,
                   "split '%s': no '%s'; write {total: .., parts: .., over: [parameter, ..]}",
                   s->key->text, param->name);
    return false;
}

static bool read_costs(msw_loader *l, const split *s, const msw_node *node, taker *t)
{
    static const char *const KEYS[] = {"cost", "min", NULL};
    double least = s->least;
    bool good = true;
    if (node->kind == MSW_NODE_NULL || node == t->at) {
        good = true; /* the mechanism knows */
    } else if (node->kind != MSW_NODE_MAP) {
        good = msw_loader_value(l, &COST, node, &t->cost);
    } else {
        const msw_node *cost = msw_node_get(node, "cost"), *min = msw_node_get(node, "min");
        msw_loader_check_keys(l, node, KEYS);
        good = !cost || msw_loader_value(l, &COST, cost, &t->cost);
        good = (!min || msw_loader_value(l, &LEAST, min, &least)) && good;
    }
    t->least = (uint64_t)ceil(least / (s->total / (double)s->parts));
    return good;
}

static bool read_taker(msw_loader *l, split *s, const msw_node *key, const msw_node *node)
{
    taker *t = &s->takers[s->count];
    if (!msw_loader_word(l, key, "over"))
        return false;
    t->at = key;
    t->index = msw_loader_claim(l, key, "split");
    if (t->index < 0)
        return false;
    t->param = l->plan->schema.params[t->index];
    if (msw_param_choices(t->param)) {
        msw_loader_say(l, key, "split '%s': '%s' is no amount, a budget cannot be dealt to it",
                       s->key->text, t->param->name);
        return false;
    }
    s->count++;
    return read_costs(l, s, node, t);
}

static bool read_takers(msw_loader *l, split *s)
{
    const msw_node *over = msw_node_get(s->map, "over");
    bool good = over != NULL;
    if (!over)
        msw_loader_say(
            l, s->map,
            "split '%s': no 'over'; write over: [parameter, ..] or {parameter: unit cost, ..}",
            s->key->text);
    else if (over->kind != MSW_NODE_LIST && !msw_loader_is(l, over, MSW_NODE_MAP, "over"))
        return false;
    else if (over->count < 2 || over->count > SPLIT_MAX) {
        msw_loader_say(l, over, "split '%s': a budget is split over 2 to %d parameters, found %zu",
                       s->key->text, SPLIT_MAX, over->count);
        return false;
    }
    for (size_t i = 0; over && i < over->count; i++)
        good = read_taker(l, s, over->kind == MSW_NODE_MAP ? over->keys[i] : over->items[i],
                          over->items[i]) &&
               good;
    return good;
}

/* Where the file gives none, the mechanism has to know one size for all points. */
static bool find_cost(msw_loader *l, const split *s, taker *t)
{
    if (t->cost > 0)
        return true;
    msw_split_size size = msw_split_size_of(l, (size_t)t->index);
    t->cost = size.most;
    if (size.most > 0 && size.least == size.most)
        return true;
    if (size.most > 0)
        msw_loader_say(l, t->at,
                       "split '%s': the bytes of one '%s' depend on '%s', which is not fixed; "
                       "write a 'cost'",
                       s->key->text, t->param->name, size.depends->name);
    else
        msw_loader_say(l, t->at,
                       "split '%s': no 'cost' for '%s', and %s counts no bytes for it here",
                       s->key->text, t->param->name, l->plan->mech->name);
    return false;
}

static bool find_costs(msw_loader *l, split *s)
{
    bool good = true;
    for (size_t i = 0; i < s->count; i++)
        good = find_cost(l, s, &s->takers[i]) && good;
    return good;
}

/* The costs of the file that are not what the mechanism counts. */
static void add_differences(msw_loader *l, const split *s, msw_text *out)
{
    for (size_t i = 0; i < s->count; i++) {
        const taker *t = &s->takers[i];
        msw_split_size size = msw_split_size_of(l, (size_t)t->index);
        if (size.most <= 0 ||
            (t->cost >= size.least * (1 - 1e-9) && t->cost <= size.most * (1 + 1e-9)))
            continue;
        msw_text_add(out, "%sone %s is given %g bytes and takes %g", out->size ? ", " : "",
                     t->param->name, t->cost, size.least);
        if (size.most > size.least)
            msw_text_add(out, " to %g", size.most);
    }
}

/* A budget that is not kept is reported, with what is really taken. */
static void warn(msw_loader *l, const split *s, const msw_factor *factor)
{
    double least, most;
    msw_text text = MSW_TEXT_EMPTY;
    add_differences(l, s, &text);
    if (text.size && msw_split_takes(l, factor, &least, &most))
        msw_loader_warn(l, s->key,
                        "split '%s': %s; of sram_bytes the levels take %.0f to %.0f for a total of "
                        "%.0f",
                        s->key->text, msw_text_str(&text), ceil(least), ceil(most), s->total);
    msw_text_free(&text);
}

static bool read_split(msw_loader *l, split *s)
{
    static const char *const KEYS[] = {"total", "parts", "over", "min", NULL};
    double parts = 1;
    if (!msw_loader_is(l, s->map, MSW_NODE_MAP, "split"))
        return false;
    msw_loader_check_keys(l, s->map, KEYS);
    bool good = needed(l, s, &TOTAL, &s->total);
    good = needed(l, s, &PARTS, &parts) && good;
    const msw_node *least = msw_node_get(s->map, "min");
    good = (!least || msw_loader_value(l, &LEAST, least, &s->least)) && good;
    s->parts = (uint64_t)parts;
    return good && read_takers(l, s) && find_costs(l, s);
}

/* The ways to deal n shares to k takers: n + k - 1 over k - 1. */
static double ways(uint64_t n, size_t k)
{
    double product = 1;
    for (size_t i = 1; i < k; i++)
        product = product * (double)(n + i) / (double)i;
    return product;
}

/* Next composition in lexicographic order, first taker slowest. Returns false after the last. */
static bool next(uint64_t *shares, size_t count)
{
    size_t i = count - 1;
    uint64_t last = shares[i];
    if (last > 0) {
        shares[i - 1]++;
        shares[i]--;
        return true;
    }
    while (i > 0 && shares[i] == 0)
        i--;
    if (i == 0)
        return false;
    uint64_t moved = shares[i];
    shares[i] = 0;
    shares[i - 1]++;
    shares[count - 1] = moved - 1;
    return true;
}

static bool deal(const split *s, const uint64_t *shares, double *values)
{
    for (size_t i = 0; i < s->count; i++) {
        const taker *t = &s->takers[i];
        double value = (double)(shares[i] + t->least) * s->total / (double)s->parts / t->cost;
        /* A share that is whole but for rounding must not lose one. */
        values[i] = t->param->kind == MSW_REAL ? value : floor(value * (1 + 1e-12));
        if (msw_param_check(t->param, values[i], NULL))
            return false;
    }
    return true;
}

/* Open addressing over the rows kept so far; slot 0 is free, else row + 1. */
typedef struct seen {
    uint32_t *slots;
    uint64_t mask;
} seen;

static bool is_new(seen *set, const double *values, size_t width, uint64_t row)
{
    const double *now = values + row * width;
    uint64_t slot = msw_hash_bytes(now, width * sizeof *now).lo;
    for (;; slot++) {
        uint32_t *entry = &set->slots[slot & set->mask];
        if (*entry == 0) {
            *entry = (uint32_t)row + 1;
            return true;
        }
        if (memcmp(values + (*entry - 1) * width, now, width * sizeof *now) == 0)
            return false;
    }
}

static uint64_t deal_all(msw_loader *l, const split *s, uint64_t spare, seen *set, double *values)
{
    uint64_t shares[SPLIT_MAX] = {0}, row = 0;
    shares[s->count - 1] = spare;
    do {
        if (deal(s, shares, values + row * s->count) && is_new(set, values, s->count, row))
            row++;
        else
            l->plan->design.left_out++;
    } while (next(shares, s->count));
    return row;
}

static bool fill(msw_loader *l, const split *s, uint64_t spare, double total, msw_factor *factor)
{
    seen set = {.mask = 1};
    while ((double)set.mask < 2 * total)
        set.mask *= 2;
    set.slots = calloc(set.mask, sizeof *set.slots);
    set.mask--;
    bool good = set.slots && msw_factor_values(l, (uint64_t)total, factor);
    if (good)
        factor->levels = deal_all(l, s, spare, &set, factor->values);
    else
        msw_loader_memory(l);
    free(set.slots);
    if (good && factor->levels == 0)
        msw_loader_say(l, s->key,
                       "split '%s': every one of %.0f ways to deal the budget leaves some "
                       "parameter's range",
                       s->key->text, total);
    return good && factor->levels > 0;
}

static bool deal_budget(msw_loader *l, const split *s, msw_factor *factor)
{
    double least = 0;
    for (size_t i = 0; i < s->count; i++) {
        factor->targets[i] = (size_t)s->takers[i].index;
        least += (double)s->takers[i].least;
    }
    if (least > (double)s->parts) {
        msw_loader_say(l, s->key, "split '%s': the minima need %.0f of %llu parts", s->key->text,
                       least, (unsigned long long)s->parts);
        return false;
    }
    uint64_t spare = s->parts - (uint64_t)least;
    double total = ways(spare, s->count);
    if (total <= MSW_LEVELS_MAX)
        return fill(l, s, spare, round(total), factor);
    msw_loader_say(l, s->key, "split '%s': %.0f ways to deal the budget, at most %d are possible",
                   s->key->text, total, MSW_LEVELS_MAX);
    return false;
}

static void split_one(msw_loader *l, const msw_node *key, const msw_node *map)
{
    split s = {.key = key, .map = map};
    msw_factor factor;
    msw_err err = {0};
    if (msw_schema_find(&l->plan->schema, key->text) >= 0)
        msw_fail(&err, "'%s' is the name of a parameter", key->text);
    else
        msw_name_check(key->text, &err);
    if (err.kind) {
        msw_loader_fail(l, &err, key, "split: %s", err.text);
        return;
    }
    if (!read_split(l, &s))
        return;
    bool good = msw_factor_make(l, key->text, s.count, &factor) && deal_budget(l, &s, &factor);
    if (good)
        warn(l, &s, &factor);
    if (good)
        msw_loader_add_factor(l, key, &factor);
    else
        msw_factor_free(&factor);
}

void msw_step_split(msw_loader *l)
{
    const msw_node *splits = msw_loader_top(l, "split");
    if (!l->ready || !splits || !msw_loader_is(l, splits, MSW_NODE_MAP, "split"))
        return;
    for (size_t i = 0; i < splits->count; i++)
        split_one(l, splits->keys[i], splits->items[i]);
}

/* SPDX-License-Identifier: MIT */
/* Building factors, whatever they are written as. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

bool msw_factor_make(msw_loader *l, const char *name, size_t targets, msw_factor *factor)
{
    *factor = (msw_factor){.name = msw_strdup(name),
                           .target_count = targets,
                           .targets = calloc(targets + 1, sizeof *factor->targets)};
    if (factor->name && factor->targets)
        return true;
    msw_loader_memory(l);
    return false;
}

bool msw_factor_values(msw_loader *l, uint64_t levels, msw_factor *factor)
{
    factor->levels = levels;
    factor->values = calloc(levels * factor->target_count + 1, sizeof *factor->values);
    if (!factor->values)
        msw_loader_memory(l);
    return factor->values != NULL;
}

void msw_factor_free(msw_factor *factor)
{
    free(factor->name);
    free(factor->targets);
    free(factor->values);
    free(factor->when);
    *factor = (msw_factor){0};
}

void msw_loader_add_factor(msw_loader *l, const msw_node *key, msw_factor *factor)
{
    msw_space *space = &l->plan->space;
    msw_factor *list = realloc(space->factors, (space->factor_count + 1) * sizeof *list);
    if (!list) {
        msw_loader_memory(l);
        msw_factor_free(factor);
        return;
    }
    space->factors = list;
    l->factor_at[space->factor_count] = key;
    list[space->factor_count++] = *factor;
}

typedef struct ranked {
    double value;
    size_t position;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* The same answer without memory. */
static size_t repeated_slowly(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (values[k] == values[i])
                return i;
    return count;
}

/* Position of the first value that repeats an earlier one, or `count`. */
size_t msw_repeated(const double *values, size_t count)
{
    ranked *list = malloc((count + 1) * sizeof *list);
    size_t first = count;
    if (!list)
        return repeated_slowly(values, count);
    for (size_t i = 0; i < count; i++)
        list[i] = (ranked){values[i], i};
    qsort(list, count, sizeof *list, compare);
    for (size_t i = 1; i < count; i++)
        if (list[i].value == list[i - 1].value && list[i].position < first)
            first = list[i].position;
    free(list);
    return first;
}

/* SPDX-License-Identifier: MIT */
/* saltelli: rows from which first-order, total and (option) second-order Sobol indices follow.
 *
 * Base row b holds points A and B, the two halves of a Sobol point in 2D dimensions. Its rows are
 * A, AB_1 .. AB_D, [BA_1 .. BA_D,] B, where AB_i is A with factor i taken from B, and BA_i the
 * reverse; where factors form groups, i is a group and all its factors are taken. Source: A.
 * Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270; order as in SALib.
 *
 * With R scrambles, base row b is point floor(b / R) of the sequence scrambled with the key of b
 * mod R: R independent designs of N / R rows, dealt out in turn, so that the first rows of the
 * design are the first rows of each. The spread between scrambles is the error of their mean (A. B.
 * Owen, Lecture Notes in Statistics 106 (1995) 299-317), which the spread between rows is not.
 */
#include "design/design_private.h"

#include <stdlib.h>

enum { SCRAMBLES_MAX = 64, SCRAMBLE_KEY = 77 };

/* One sequence per scramble. */
typedef struct sequences {
    size_t count;
    msw_sobol *list[];
} sequences;

static uint64_t group_size(const msw_design_input *input)
{
    const msw_saltelli_config *config = input->config;
    return (config->second_order ? 2 : 1) * (uint64_t)msw_design_movers(input) + 2;
}

static uint64_t wanted(const msw_design_input *input)
{
    const msw_saltelli_config *config = input->config;
    return (uint64_t)config->base_rows * group_size(input);
}

static bool conditional(const msw_design_input *input)
{
    return ((const msw_saltelli_config *)input->config)->constrained;
}

static void release(void *data)
{
    sequences *all = data;
    for (size_t i = 0; all && i < all->count; i++)
        msw_sobol_free(all->list[i]);
    free(all);
}

/* The first scramble is that of a design with one. */
static uint64_t seed_of(uint64_t seed, size_t scramble)
{
    return scramble ? msw_design_key(seed, SCRAMBLE_KEY, scramble) : seed;
}

static int check_scrambles(const msw_saltelli_config *config, bool constrained, msw_err *err)
{
    if (config->scrambles == 1)
        return 0;
    if (config->scramble == MSW_SCRAMBLE_NONE)
        return msw_fail(err,
                        "design saltelli: 'scrambles: %d' with 'scramble: none' would repeat "
                        "the same rows",
                        (int)config->scrambles);
    if (config->base_rows % config->scrambles)
        return msw_fail(err,
                        "design saltelli: base_rows (%lld) must be a multiple of scrambles "
                        "(%lld)",
                        (long long)config->base_rows, (long long)config->scrambles);
    return constrained ? msw_fail(err, "design saltelli: base rows that a constraint leaves out "
                                       "would not be the same in every scramble: take "
                                       "'scrambles: 1'")
                       : 0;
}

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    const msw_saltelli_config *config = input->config;
    size_t count = (size_t)config->scrambles;
    if (check_scrambles(config, input->accept != NULL, err))
        return -1;
    sequences *all = calloc(1, sizeof *all + count * sizeof *all->list);
    if (!all)
        return msw_fail_memory(err);
    for (; all->count < count; all->count++)
        if (msw_sobol_new(2 * input->factor_count, (msw_scramble)config->scramble,
                          seed_of(input->seed, all->count), &all->list[all->count], err)) {
            release(all);
            return msw_fail_prefix(err, "design saltelli (two dimensions a factor): ");
        }
    *data = all;
    return 0;
}

static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_saltelli_config *config = input->config;
    size_t factors = input->factor_count;
    uint64_t group = group_size(input);
    const sequences *all = data;
    uint64_t row = raw / group, position = raw % group;
    uint64_t index = row / all->count + (uint64_t)config->skip;
    const msw_sobol *sequence = all->list[row % all->count];
    bool mostly_b = position > msw_design_movers(input); /* BA_i and B */
    msw_sobol_point(sequence, index, mostly_b ? factors : 0, factors, coords);
    if (position == 0 || position == group - 1)
        return;
    size_t swapped = (size_t)(position - 1) % msw_design_movers(input);
    for (size_t j = swapped; j < factors; j++)
        if (msw_design_mover(input, j) == swapped)
            msw_sobol_point(sequence, index, j + (mostly_b ? 0 : factors), 1, coords + j);
}

static const msw_param PARAMS[] = {
    {.name = "base_rows",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = MSW_POINTS_MAX,
     .def = 1024,
     .doc = "base rows; a power of two keeps the balance of the sequence",
     .offset = offsetof(msw_saltelli_config, base_rows),
     MSW_PARAM_SETTING},
    {.name = "second_order",
     .kind = MSW_FLAG,
     .def = 0,
     .doc = "adds the rows that second-order indices need (2D + 2 in place of D + 2)",
     .offset = offsetof(msw_saltelli_config, second_order),
     MSW_PARAM_SETTING},
    MSW_PARAM_SCRAMBLE(msw_saltelli_config),
    MSW_PARAM_SKIP(msw_saltelli_config),
    MSW_PARAM_CONSTRAINED(msw_saltelli_config),
    {.name = "scrambles",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = SCRAMBLES_MAX,
     .def = 1,
     .doc = "independent scrambles that the base rows are dealt to; from 8 on intervals are right",
     .offset = offsetof(msw_saltelli_config, scrambles),
     .unit = "",
     .neutral = MSW_NEUTRAL(1),
     .source = MSW_PUBLIC,
     .reference = "a choice of the experiment"},
    {.name = NULL},
};

const msw_design msw_design_saltelli = {
    .name = "saltelli",
    .title = "Rows for Sobol sensitivity indices",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_saltelli_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REFUSE,
    .group_size = group_size,
    .conditional = conditional,
    .raw_count = msw_design_endless,
    .wanted = wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};

/* SPDX-License-Identifier: MIT */
/* Design search: its settings, and the points that were chosen so far. Who chooses is explore. */
#include "memsweep/design/slots.h"

#include "design/design_private.h"

#include "memsweep/base/math.h"
#include "memsweep/base/vec.h"

#include <stdlib.h>

/* ---- numbers of designs ---- */

__extension__ typedef unsigned __int128 number128;

msw_wide msw_wide_of(const msw_slots *slots, const uint32_t *levels)
{
    number128 number = 0;
    for (size_t f = 0; f < slots->factor_count; f++)
        number = number * msw_slots_levels(slots, f) + levels[f];
    return (msw_wide){(uint64_t)(number >> 64), (uint64_t)number};
}

void msw_wide_levels(const msw_slots *slots, msw_wide index, uint32_t *levels)
{
    number128 number = (number128)index.hi << 64 | index.lo;
    for (size_t f = slots->factor_count; f-- > 0;) {
        uint32_t count = msw_slots_levels(slots, f);
        levels[f] = (uint32_t)(number % count);
        number /= count;
    }
}

/* The middle of a level's share; a continuous factor reaches both of its ends. */
void msw_wide_coords(const msw_slots *slots, const uint32_t *levels, double *coords)
{
    for (size_t f = 0; f < slots->factor_count; f++)
        coords[f] = slots->levels[f] ? (levels[f] + 0.5) / (double)slots->levels[f]
                                     : levels[f] / (MSW_LATTICE_STEPS - 1.0);
}

int msw_slots_add(msw_slots *slots, msw_wide index, msw_err *err)
{
    MSW_TRY(
        msw_vec_reserve(&slots->list, &slots->room, slots->count + 1, sizeof *slots->list, err));
    slots->list[slots->count++] = index;
    return 0;
}

/* ---- the design ---- */

static int prepare(const msw_design_input *input, void **data, msw_err *err)
{
    double bits = 0;
    for (size_t f = 0; f < input->factor_count; f++) {
        double levels = (double)(input->levels[f] ? input->levels[f] : MSW_LATTICE_STEPS);
        if (levels > UINT32_MAX)
            return msw_fail(err, "design search: factor %zu has more than 2^32 levels", f + 1);
        bits += msw_math_log2(levels);
    }
    if (bits >= 127)
        return msw_fail(err,
                        "design search: the space has 2^%.4g designs, at most 2^127 are possible: "
                        "a continuous factor counts as 2^20, take steps or fewer factors",
                        bits);
    msw_slots *slots = *data = calloc(1, sizeof *slots);
    if (!slots)
        return msw_fail_memory(err);
    slots->factor_count = input->factor_count;
    slots->levels = input->levels;
    slots->designs = msw_math_exp2(bits);
    return 0;
}

static void release(void *data)
{
    msw_slots *slots = data;
    if (slots)
        free(slots->list);
    free(slots);
}

/* What is not chosen yet looks like one that is: for forecasts. msw_pointer_at refuses to evaluate
 * it. */
static void point(const msw_design_input *input, const void *data, uint64_t raw, double *coords)
{
    const msw_slots *slots = data;
    uint32_t levels[MSW_LATTICE_FACTORS];
    msw_wide none = {0};
    (void)input;
    msw_wide_levels(slots, slots->count ? slots->list[raw % slots->count] : none, levels);
    msw_wide_coords(slots, levels, coords);
}

static uint64_t positions(const void *config)
{
    (void)config;
    return MSW_LATTICE_STEPS;
}

#define SETTING(member) offsetof(msw_search_config, member)

static const msw_choice PROPOSALS[] = {
    [MSW_PROPOSALS_MOVES] = {.name = "moves", .doc = "changes of the front: cheap to choose"},
    [MSW_PROPOSALS_MODEL] = {.name = "model", .doc = "what Gaussian processes expect to extend it"},
    [MSW_PROPOSALS_AUTO] = {.name = "auto", .doc = "model at fidelity sampled and full"},
    {0},
};

static const msw_param PARAMS[] = {
    {.name = "evaluations",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = 1e8,
     .def = 10000,
     .doc = "designs to evaluate at most, audit included",
     .offset = SETTING(evaluations),
     MSW_PARAM_SETTING},
    {.name = "batch",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = 1e6,
     .def = 16,
     .doc = "designs of a round; later a 32nd of the evaluations so far, where that is more",
     .offset = SETTING(batch),
     MSW_PARAM_SETTING},
    {.name = "patience",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 1e8,
     .def = 0,
     .doc = "stop after so many evaluations without a gain; 0: go on",
     .offset = SETTING(patience),
     MSW_PARAM_SETTING},
    {.name = "audit",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 1e6,
     .def = 300,
     .doc = "of them drawn at random at the end to bound what was missed, at most a tenth",
     .offset = SETTING(audit),
     MSW_PARAM_SETTING},
    {.name = "spare",
     .kind = MSW_FLAG,
     .def = 1,
     .doc = "by the worst workload: a design that one workload shows to be dominated is not "
            "evaluated on the others",
     .offset = SETTING(spare),
     MSW_PARAM_SETTING},
    {.name = "proposals",
     .kind = MSW_CHOICE,
     .def = MSW_PROPOSALS_MOVES,
     MSW_CHOICES(PROPOSALS),
     .doc = "who proposes designs: the model needs fewer evaluations and 20 ms for each",
     .offset = SETTING(proposals),
     MSW_PARAM_SETTING},
    {.name = NULL}};

const msw_design msw_design_search = {
    .name = "search",
    .title = "Designs chosen round by round from the answers before, for a front",
    .version = 2,
    .params = PARAMS,
    .config_size = sizeof(msw_search_config),
    .coords = MSW_COORDS_UNIT,
    .constrained = MSW_CONSTRAINED_REJECT,
    .searches = true,
    .positions = positions,
    .raw_count = msw_design_endless,
    .wanted = msw_design_points_wanted,
    .prepare = prepare,
    .release = release,
    .point = point,
};

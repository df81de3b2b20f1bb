/* SPDX-License-Identifier: MIT */
/* Which rows could be on the front, as far as their intervals show. */
#include "memsweep/results/front.h"

#include "memsweep/mech/engine.h"
#include "memsweep/sweep/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_half_width(const msw_mech *mech, const char *name)
{
    int m = mech ? msw_metrics_find(mech->metrics, name) : -1;
    return m >= 0 && mech->metrics[m].kind != MSW_MAXIMUM;
}

/* A sweep that cannot be read is reported by msw_front_judge. */
void msw_front_add_halves(const msw_front *j, msw_text *columns)
{
    msw_outline outline = {0};
    msw_outline_read(j->sweep.canonical, &outline, NULL);
    for (size_t i = 0; i < j->objectives.count; i++)
        if (has_half_width(outline.mech, j->objectives.names[i]))
            msw_text_add(columns, ", %s_hw", j->objectives.names[i]);
        else
            msw_text_add(columns, ", NULL AS half_%zu", i);
    msw_outline_free(&outline);
}

/* Confidence of the stored half-widths. */
static int half_confidence(msw_front *j, double *confidence)
{
    msw_outline outline;
    if (msw_outline_read(j->sweep.canonical, &outline, j->err))
        return -1;
    *confidence = outline.confidence;
    msw_outline_free(&outline);
    return 0;
}

int msw_front_judge(msw_front *j)
{
    const double *columns[MSW_PARETO_OBJECTIVES], *half[MSW_PARETO_OBJECTIVES];
    msw_points points = msw_front_points(j, columns);
    msw_uncertain table = {.points = &points,
                           .half = half,
                           .confidence = j->ask.confidence,
                           .draws = (unsigned)j->ask.draws,
                           .seed = (uint64_t)j->ask.seed};
    for (size_t i = 0; i < j->objectives.count; i++)
        half[i] = j->values.columns[MSW_FRONT_OBJECTIVES + j->objectives.count + i].values;
    j->standing = calloc(j->values.rows + 1, sizeof *j->standing);
    if (!j->standing)
        return msw_fail_memory(j->err);
    MSW_TRY(half_confidence(j, &table.half_confidence));
    MSW_TRY(msw_pareto_uncertain(&table, j->standing, j->err));
    return 0;
}

bool msw_front_is_uncertain(const msw_front *j, size_t row)
{
    const msw_standing *s = &j->standing[row];
    return s->verdict == MSW_FRONT_OPEN || s->verdict == MSW_FRONT_CERTAIN || s->sample_more;
}

static void add_exact(const msw_front *j, msw_text *out)
{
    const char *before = "taken as exact, for want of a half-width: ";
    for (size_t i = 0; i < j->objectives.count; i++) {
        const double *half =
            j->values.columns[MSW_FRONT_OBJECTIVES + j->objectives.count + i].values;
        bool any = false;
        for (size_t r = 0; r < j->values.rows && !any; r++)
            any = half[r] > 0;
        if (any)
            continue;
        msw_text_add(out, "%s%s", before, j->objectives.names[i]);
        before = ", ";
    }
    if (*before == ',')
        msw_text_add(out, "\n");
}

void msw_front_uncertain_note(const msw_front *j, msw_text *out)
{
    size_t count[4] = {0}, more = 0;
    char text[4][32];
    for (size_t r = 0; r < j->values.rows; r++) {
        count[j->standing[r].verdict]++;
        more += j->standing[r].sample_more;
    }
    add_exact(j, out);
    msw_text_add(out,
                 "at %g %%: %s certainly on it, %s open, %s excluded; more samples of %s points "
                 "(sample_more) would settle it\n",
                 100 * j->ask.confidence, msw_count_text(count[MSW_FRONT_CERTAIN], text[0]),
                 msw_count_text(count[MSW_FRONT_OPEN], text[1]),
                 msw_count_text(count[MSW_FRONT_EXCLUDED], text[2]), msw_count_text(more, text[3]));
}

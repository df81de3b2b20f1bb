/* SPDX-License-Identifier: MIT */
/* What is kept of a front in its file, and what is reported with it. */
#include "memsweep/results/front.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"
#include "memsweep/sweep/outline.h"

#include <inttypes.h>
#include <string.h>

/* ---- kept ---- */

static void add_objectives(const msw_front *j, msw_text *out)
{
    for (size_t i = 0; i < j->objectives.count; i++) {
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, j->objectives.names[i]);
        msw_text_add(out, ", \"goal\": ");
        msw_text_add_json(out, j->objectives.goals[i] == MSW_GOAL_HIGHER ? "higher" : "lower");
        msw_text_add(out, "}");
    }
}

static void add_setting(const char *name, const char *value, msw_text *out)
{
    if (!value)
        return;
    msw_text_add(out, ", ");
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
    msw_text_add_json(out, value);
}

int msw_front_save(const msw_front *j)
{
    msw_text asked = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    msw_text_add(&asked, "{\"objectives\": [");
    add_objectives(j, &asked);
    msw_text_add(&asked, "], \"ranks\": %" PRId64, j->ask.ranks);
    add_setting("group_by", j->ask.group_by, &asked);
    add_setting("filter", j->ask.filter, &asked);
    add_setting("goals", j->ask.goals, &asked);
    add_setting("weights", j->ask.weights, &asked);
    if (j->ask.thin)
        msw_text_add(&asked, ", \"thin\": %" PRId64, j->ask.thin);
    msw_text_add(&asked, "}");
    msw_text_add(&result, "{\"ranked\": %zu, \"left_out\": %zu, \"points\": [", j->count.ranked,
                 j->count.left_out);
    for (size_t i = 0; i < j->chosen_count; i++)
        msw_text_add(&result, "%s%.0f", i ? ", " : "",
                     j->values.columns[MSW_FRONT_POINT].values[j->chosen[i]]);
    msw_text_add(&result, "]}");
    int rc = asked.failed || result.failed
                 ? msw_fail_memory(j->err)
                 : msw_store_save_analysis(j->store, j->sweep.id, "pareto", asked.data, result.data,
                                           j->err);
    msw_text_free(&asked);
    msw_text_free(&result);
    return rc;
}

/* ---- said ---- */

static const char WORKLOAD[] = "workload";

bool msw_front_by_default(const msw_front *j)
{
    return j->ask.group_by == WORKLOAD;
}

/* Points of different workloads do not compete: the easiest one would be the front. Of a sweep that
 * this memsweep does not know everything of, nothing is said. */
int msw_front_choose_groups(msw_front *j)
{
    msw_outline outline;
    msw_err err = {0};
    if (j->ask.group_by || j->sweep.over)
        return 0;
    if (msw_outline_read(j->sweep.canonical, &outline, &err))
        return err.kind == MSW_ERR_USAGE ? 0 : msw_fail_kind(j->err, err.kind, "%s", err.text);
    if (outline.workload_count > 1)
        j->ask.group_by = WORKLOAD;
    msw_outline_free(&outline);
    return 0;
}

int msw_front_note(msw_front *j, msw_text *note)
{
    char front[32], ranked[32], repeats[32];
    if (j->ask.uncertain)
        msw_front_uncertain_note(j, note);
    if (j->ask.exclusive) {
        const char *before = "exclusive part of the hypervolume up to ";
        for (size_t i = 0; i < j->objectives.count; i++) {
            msw_text_add(note, "%s%s = %g", before, j->objectives.names[i], j->reference[i]);
            before = ", ";
        }
        msw_text_add(note, "\n");
    }
    msw_front_wanted_note(j, note);
    msw_text_add(note, "%sfront: %s of %s points", j->ask.uncertain ? "measured " : "",
                 msw_count_text(j->count.front, front), msw_count_text(j->count.ranked, ranked));
    if (j->group_count > 1 && msw_front_by_default(j))
        msw_text_add(note, ", one front per workload (--group-by none: one of all)");
    if (j->sweep.over)
        msw_text_add(note, ", each a design over its workloads (%s)",
                     msw_sweep_over_word(&j->sweep));
    if (j->repeats)
        msw_text_add(note, ", %s of them equal to another", msw_count_text(j->repeats, repeats));
    MSW_TRY(msw_front_reasons(j, note));
    return msw_front_chosen_note(j, note);
}

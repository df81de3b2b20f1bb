/* SPDX-License-Identifier: MIT */
/* Opens the sweep whose front is asked for, and that of another to compare with. Of a sweep at
 * fidelity auto, whose rows are of two fidelities, those in full alone compete. */
#include "memsweep/results/front.h"

#include "memsweep/base/quote.h"
#include "memsweep/results/reading.h"
#include "memsweep/sweep/outline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char WORKLOAD[] = "workload";

bool msw_front_by_default(const msw_front *j)
{
    return j->options.group_by == WORKLOAD;
}

/* Points of different workloads do not compete: the easiest one would be the front. Of a sweep that
 * this memsweep does not know everything of, nothing is said. */
static int choose_groups(msw_front *j)
{
    msw_outline outline;
    msw_err err = {0};
    if (j->options.group_by || j->input.sweep.over)
        return 0;
    if (msw_outline_read(j->input.sweep.canonical, &outline, &err))
        return err.kind == MSW_ERR_USAGE ? 0 : msw_fail_kind(j->err, err.kind, "%s", err.text);
    if (outline.workload_count > 1)
        j->options.group_by = WORKLOAD;
    msw_outline_free(&outline);
    return 0;
}

int msw_narrow_filter(const char *canonical, const char **filter, char **narrowed, msw_err *err)
{
    if (!canonical || !strstr(canonical, "\nfidelity: auto\n"))
        return 0;
    *narrowed = *filter && **filter ? msw_strfmt("(%s) AND fidelity = 'full'", *filter)
                                    : msw_strdup("fidelity = 'full'");
    *filter = *narrowed;
    return *narrowed ? 0 : msw_fail_memory(err);
}

/* Whether the front is the one that the sweep itself looks for. */
static bool is_own(const msw_front *j, const msw_front_source *source)
{
    const char *over = strstr(j->input.sweep.canonical, ", over: \"");
    const char *word = j->input.sweep.over ? msw_sweep_over_word(&j->input.sweep) : "";
    msw_text said = MSW_TEXT_EMPTY;
    msw_text_add_json(&said, word);
    bool same = over ? strncmp(over + strlen(", over: "), msw_text_str(&said), said.size) == 0
                     : !j->input.sweep.over;
    msw_text_free(&said);
    return same && !source->minimize && !source->maximize && !j->options.filter;
}

static int narrow(msw_front *j)
{
    return msw_narrow_filter(j->input.sweep.canonical, &j->options.filter, &j->input.narrowed,
                             j->err);
}

/* Opens, with objectives that are declared in `sweep`. */
static int open_with(msw_front *j, const msw_context *context, const msw_front_source *source,
                     msw_store_mode mode, const msw_sweep_info *sweep)
{
    if (msw_open_database(context, source->file, mode, &j->input.store, j->err) ||
        msw_store_sweep(j->input.store, source->sweep, &j->input.sweep, j->err) ||
        msw_objectives_read(source->minimize, source->maximize, sweep, &j->input.objectives,
                            j->err))
        return -1;
    MSW_TRY(choose_groups(j));
    j->input.own = is_own(j, source);
    return narrow(j);
}

int msw_front_open(msw_front *j, const msw_context *context, const msw_front_source *source,
                   msw_store_mode mode)
{
    return open_with(j, context, source, mode, &j->input.sweep);
}

static int fail_several(const msw_front *j)
{
    return msw_fail(j->err,
                    "pareto: --against compares one front with one: take workloads together "
                    "by --over workload, choose one by --filter \"workload = '...'\", or mix "
                    "them by --group-by none");
}

/* Opens the other sweep: one that takes no workloads together as this one does. */
static int open_other(const msw_front *j, const msw_context *context,
                      const msw_front_source *source, msw_front *other)
{
    msw_front_options options = other->options;
    MSW_TRY(open_with(other, context, source, MSW_STORE_READ, &j->input.sweep));
    if (!j->input.sweep.over || other->input.sweep.over)
        return 0;
    msw_front_source together = *source;
    char *word = msw_strfmt("%s@%s", other->input.sweep.name, msw_sweep_over_word(&j->input.sweep));
    if (!word)
        return msw_fail_memory(j->err);
    together.sweep = word;
    msw_store_close(other->input.store, NULL);
    msw_front_free(other);
    *other = (msw_front){.options = options, .err = j->err};
    int rc = open_with(other, context, &together, MSW_STORE_READ, &j->input.sweep);
    free(word);
    return rc;
}

/* The same question to the other sweep; only where its points lie matters. */
static int find_other(const msw_front *j, const msw_context *context,
                      const msw_front_source *source, msw_front *other)
{
    if (j->rows.group_count > 1 || (j->input.grouping.count && !msw_front_by_default(j)))
        return fail_several(j);
    other->options = j->options;
    other->options.group_by = msw_front_by_default(j) ? NULL : j->options.group_by;
    other->options.knee = other->options.exclusive = other->options.uncertain = false;
    other->options.thin = 0;
    other->options.goals = other->options.weights = NULL;
    other->err = j->err;
    if (open_other(j, context, source, other) || msw_front_find(other))
        return -1;
    return other->rows.group_count > 1 ? fail_several(j) : 0;
}

int msw_front_compare(msw_front *j, const msw_context *context, const msw_front_source *source,
                      msw_table_builder *builder)
{
    msw_front other = {0};
    int rc = find_other(j, context, source, &other) || msw_front_measure(j, &other, builder);
    msw_store_close(other.input.store, NULL);
    msw_front_free(&other);
    return rc ? -1 : 0;
}

/* SPDX-License-Identifier: MIT */
/* Compares every two fidelities that a sweep, or two sweeps, have in common. */
#include "memsweep/results/fidelity.h"

#include "memsweep/base/sort.h"
#include "memsweep/sweep/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int read_other(msw_agree *j)
{
    const char *name = j->other_name;
    msw_err none = {0};
    if (!j->other_file)
        return 0;
    if (msw_open_database(j->context, j->other_file, MSW_STORE_READ, &j->other, j->err))
        return -1;
    if ((name || msw_store_sweep(j->other, j->sweep.name, &j->other_sweep, &none)) &&
        msw_store_sweep(j->other, name, &j->other_sweep, j->err))
        return -1;
    if (strcmp(j->other_sweep.mechanism, j->sweep.mechanism) != 0)
        return msw_fail(j->err, "'%s' is about %s and '%s' about %s", j->sweep.name,
                        j->sweep.mechanism, j->other_sweep.name, j->other_sweep.mechanism);
    return msw_agree_read(j->other, &j->other_sweep, &j->ask, &j->references, j->err);
}

/* The limits decide which designs are looked at: they are compared like a metric. */
static int add_limits(msw_agree *j)
{
    msw_recorded recorded;
    int rc = msw_recorded_read(j->sweep.canonical, &recorded, j->err);
    for (size_t i = 0; rc == 0 && i < recorded.derived_count; i++)
        if (strcmp(recorded.derived[i].name, MSW_LIMITS_NAME) == 0)
            rc = msw_agree_metrics(MSW_LIMITS_NAME, j->outline.mech, &j->ask, j->err);
    msw_recorded_free(&recorded);
    return rc;
}

static bool has(const msw_agree_side *side, int fidelity)
{
    return side->first[fidelity + 1] > side->first[fidelity];
}

/* Leaves the rows alone where there is nothing to compare them with: they may be many. */
static int read_if_compared(msw_agree *j)
{
    int only = -1;
    MSW_TRY(j->other_file ? 0 : msw_agree_alone(j->store, &j->sweep, &only, j->err));
    if (only < 0)
        return msw_agree_read(j->store, &j->sweep, &j->ask, &j->candidates, j->err);
    for (int f = only + 1; f <= MSW_FIDELITY_COUNT; f++)
        j->candidates.first[f] = 1; /* none of them is looked at */
    return 0;
}

static int read_candidates(msw_agree *j)
{
    if (msw_open_database(j->context, j->file, j->mode, &j->store, j->err) ||
        msw_store_sweep(j->store, j->name, &j->sweep, j->err) ||
        msw_outline_read(j->sweep.canonical, &j->outline, j->err))
        return -1;
    const msw_mech *mech = j->outline.mech;
    const char *metrics = j->metrics || !j->worst ? j->metrics : mech->primary;
    MSW_TRY(msw_agree_metrics(metrics, mech, &j->ask, j->err));
    MSW_TRY(metrics || j->worst ? 0 : add_limits(j));
    return read_if_compared(j);
}

/* ---- what there is ---- */

static void add_fidelities(const msw_agree_side *side, msw_text *out)
{
    const char *before = "";
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (has(side, f)) {
            msw_text_add(out, "%s%s", before, msw_fidelity_name((msw_fidelity)f));
            before = ", ";
        }
}

/* The fidelity to run next: the most exact one that is not there. */
static const char *missing_fidelity(const msw_agree_side *side)
{
    int f = MSW_FIDELITY_COUNT - 1;
    while (f > 0 && has(side, f))
        f--;
    return msw_fidelity_name((msw_fidelity)f);
}

static int fail_alone(msw_agree *j)
{
    char *path = msw_context_database(j->context, j->file);
    msw_text there = MSW_TEXT_EMPTY;
    add_fidelities(&j->candidates, &there);
    msw_fail(j->err,
             "sweep '%s' has rows at one fidelity only (%s): run another into the same file, "
             "'memsweep run <sweep file> --fidelity %s -o %s'",
             j->sweep.name, there.size ? msw_text_str(&there) : "none",
             missing_fidelity(&j->candidates), path ? path : j->file);
    free(path);
    msw_text_free(&there);
    return -1;
}

static int fail_apart(msw_agree *j)
{
    return msw_fail(j->err,
                    "no point of sweep '%s' is answered by both: parameters, workload, replicate "
                    "and seed must be the same",
                    j->sweep.name);
}

/* ---- comparing ---- */

static const msw_agree_side *references_of(const msw_agree *j)
{
    return j->other_file ? &j->references : &j->candidates;
}

static int compare(msw_agree *j, int candidate, int reference)
{
    msw_agree_match match = {.candidates = &j->candidates,
                             .references = references_of(j),
                             .candidate = candidate,
                             .reference = reference};
    bool own = j->own && candidate == MSW_ANALYTIC && reference == MSW_FULL;
    int rc = msw_agree_find(&j->ask, &match, j->err);
    if (rc == 0 && match.n)
        rc = j->worst ? msw_agree_worst(&j->ask, &match, (size_t)j->worst, j->builder)
                      : msw_agree_measure(&j->ask, &match, j->confidence, j->builder);
    if (rc == 0 && match.n && own)
        rc = msw_agree_own(&j->ask, &match, j->own, &j->own_made, j->err);
    j->pairs += match.n;
    j->own_pairs += own ? match.n : 0;
    msw_agree_drop(&match);
    return rc;
}

static int compare_loaded(msw_agree *j)
{
    for (int reference = MSW_FIDELITY_COUNT - 1; reference >= 0; reference--)
        for (int candidate = 0; candidate <= reference; candidate++)
            if ((candidate < reference || j->other_file) && has(&j->candidates, candidate) &&
                has(references_of(j), reference))
                MSW_TRY(compare(j, candidate, reference));
    return 0;
}

/* Cells of 8 bytes: from 10^6 rows on a metric or two at a time, for keys and what measuring takes
 * are 100 bytes a row beside them. */
enum { CELLS = 10000000 };

/* As many metrics as there is room for, and in the end the bottleneck. */
static msw_agree_load next_load(const msw_agree *j, size_t first)
{
    size_t rows = 1, columns = 0, cells = j->cells ? j->cells : CELLS;
    msw_agree_load load = {.first = first,
                           .end = first,
                           .halves = has(&j->candidates, MSW_SAMPLED),
                           .workload = j->own != NULL};
    for (int side = 0; side < 2; side++) {
        const msw_agree_side *s = side ? &j->references : &j->candidates;
        for (size_t t = 0; t < s->sweep_count; t++)
            rows += s->sweeps[t].rows;
    }
    size_t all = j->worst ? 1 : j->ask.metric_count;
    while (load.end < all) {
        columns += msw_agree_load_count(&j->ask, load.end, load.halves);
        if (load.end > first && columns * rows > cells)
            return load;
        load.end++;
    }
    load.bound_by = !j->worst;
    return load;
}

/* Rows of one comparison and group stand together, whatever was loaded when. */
static int put_together(msw_agree *j)
{
    static const char *const NAMES[] = {"reference", "candidate"};
    msw_table *t = &j->builder->table;
    uint64_t *keys = calloc(t->rows + 1, sizeof *keys);
    size_t *order = malloc((t->rows + 1) * sizeof *order);
    int rc = keys && order ? 0 : msw_fail_memory(j->err);
    for (int n = 0; n < 3 && rc == 0; n++) {
        int c = n < 2             ? msw_table_find(t, NAMES[n])
                : j->ask.group_by ? msw_table_find(t, j->ask.group_by)
                                  : -1;
        for (size_t r = 0; r < t->rows && c >= 0; r++)
            keys[r] = keys[r] << (n < 2 ? 4 : 40) | (uint64_t)t->columns[c].values[r];
    }
    if (rc == 0) {
        msw_order_u64(keys, t->rows, order);
        rc = msw_table_keep_rows(t, order, t->rows, j->err);
    }
    free(keys);
    free(order);
    return rc;
}

static int compare_all(msw_agree *j)
{
    bool several = false, any = false;
    for (int f = 0; f < MSW_FIDELITY_COUNT * MSW_FIDELITY_COUNT; f++) {
        int candidate = f % MSW_FIDELITY_COUNT, reference = f / MSW_FIDELITY_COUNT;
        any |= candidate < reference && has(&j->candidates, candidate) &&
               has(&j->candidates, reference);
    }
    if (!any && !j->other_file)
        return fail_alone(j);
    for (msw_agree_load load = {0}; !load.bound_by && !(j->worst && load.end);) {
        several |= load.end > 0;
        load = next_load(j, load.end);
        MSW_TRY(msw_agree_load_columns(&j->candidates, &j->ask, &load, j->err));
        MSW_TRY(msw_agree_load_columns(&j->references, &j->ask, &load, j->err));
        MSW_TRY(compare_loaded(j));
    }
    MSW_TRY(j->pairs ? 0 : fail_apart(j));
    return several ? put_together(j) : 0;
}

int msw_agree_all(msw_agree *j)
{
    MSW_TRY(read_candidates(j));
    MSW_TRY(read_other(j));
    MSW_TRY(compare_all(j));
    MSW_TRY(j->builder->failed);
    return 0;
}

void msw_agree_close(msw_agree *j)
{
    msw_agree_free(&j->candidates);
    msw_agree_free(&j->references);
    msw_sweep_info_free(&j->sweep);
    msw_sweep_info_free(&j->other_sweep);
    msw_outline_free(&j->outline);
    for (size_t i = 0; i < j->ask.metric_count; i++)
        free(j->ask.metrics[i]);
    msw_store_close(j->other, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Reads both sides of every limit from the rows of a sweep. */
#include "memsweep/results/nearest.h"

#include "memsweep/base/text_check.h"
#include "memsweep/sweep/limits.h"
#include "memsweep/sweep/outline.h"
#include "memsweep/sweep/recorded.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
    msw_store *store;
    const char *sweep;
    bool doubtful;
    msw_limits limits;
    msw_table table;
    msw_text settings;
} search;

enum { WORKLOAD, DESIGN, SIDES };

static int read_limits(search *s, const char *canonical, msw_err *err)
{
    msw_recorded recorded;
    int rc = msw_recorded_read(canonical, &recorded, err);
    for (size_t i = 0; rc == 0 && i < recorded.derived_count; i++)
        if (strcmp(recorded.derived[i].name, MSW_LIMITS_NAME) == 0)
            rc = msw_limits_read(recorded.derived[i].text, &s->limits, err);
    msw_recorded_free(&recorded);
    return rc;
}

static int read_rows(search *s, msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_text_add(&columns, "workload, design_index");
    for (size_t i = 0; i < s->limits.count; i++)
        msw_text_add(&columns, ", 1.0 * (%s) AS l%zu, 1.0 * (%s) AS r%zu", s->limits.list[i].left,
                     i, s->limits.list[i].right, i);
    msw_query query = {.sweep = s->sweep,
                       .columns = msw_text_str(&columns),
                       .filter = "status = 'ok'",
                       .trusted = !s->doubtful};
    int rc = msw_text_check(&columns, err) || msw_store_read(s->store, &query, &s->table, err);
    msw_text_free(&columns);
    return rc ? -1 : 0;
}

static int count_rows(search *s, msw_err *err)
{
    double sides[2 * MSW_LIMITS_MOST];
    const msw_column *workloads = &s->table.columns[WORKLOAD];
    for (size_t r = 0; r < s->table.rows; r++) {
        size_t workload = workloads->labels ? (size_t)workloads->values[r] : 0;
        for (size_t i = 0; i < 2 * s->limits.count; i++)
            sides[i] = s->table.columns[SIDES + i].values[r];
        MSW_TRY(msw_limits_add(&s->limits, workload, (uint64_t)s->table.columns[DESIGN].values[r],
                               sides, err));
    }
    return 0;
}

static void add_value(const msw_param *param, const msw_table *t, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    int c = msw_table_find(t, param->name);
    if (c < 0 || isnan(t->columns[c].values[0]))
        return;
    const msw_column *column = &t->columns[c];
    msw_text_add(out, "%s%s = %s", out->size ? ", " : "", param->name,
                 column->labels ? column->labels[(size_t)column->values[0]]
                                : msw_param_print(param, column->values[0], text));
}

/* What the design sets, of the factors of the sweep. */
static int read_settings(search *s, const char *canonical, uint64_t design, msw_err *err)
{
    msw_outline outline;
    msw_table row = {0};
    char filter[64];
    snprintf(filter, sizeof filter, "design_index = %" PRIu64, design);
    msw_query query = {.sweep = s->sweep, .filter = filter, .limit = 1};
    MSW_TRY(msw_outline_read(canonical, &outline, err));
    int rc = msw_store_read(s->store, &query, &row, err);
    for (size_t f = 0; rc == 0 && row.rows && f < outline.factor_count; f++)
        for (size_t t = 0; t < outline.factors[f].target_count; t++)
            add_value(outline.factors[f].targets[t], &row, &s->settings);
    msw_table_free(&row);
    msw_outline_free(&outline);
    return rc;
}

static int find(search *s, const char *canonical, msw_text *out, msw_err *err)
{
    MSW_TRY(read_limits(s, canonical, err));
    if (!s->limits.count)
        return 0;
    MSW_TRY(read_rows(s, err));
    MSW_TRY(count_rows(s, err));
    static const char *const TOGETHER[] = {"the workloads taken together"};
    const char *const *names = (const char *const *)s->table.columns[WORKLOAD].labels;
    const msw_limit_design *nearest = msw_limits_nearest(&s->limits);
    if (!nearest)
        return 0;
    MSW_TRY(read_settings(s, canonical, nearest->design, err));
    msw_limits_note(&s->limits, nearest, names ? names : TOGETHER, msw_text_str(&s->settings), out);
    return 0;
}

int msw_nearest_note(msw_store *store, const char *sweep, bool doubtful, msw_text *out,
                     msw_err *err)
{
    search s = {.store = store, .sweep = sweep, .doubtful = doubtful};
    msw_sweep_info info = {0};
    MSW_TRY(msw_store_sweep(store, sweep, &info, err));
    int rc = find(&s, info.canonical, out, err);
    msw_sweep_info_free(&info);
    msw_limits_free(&s.limits);
    msw_table_free(&s.table);
    msw_text_free(&s.settings);
    return rc;
}

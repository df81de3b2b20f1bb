/* SPDX-License-Identifier: MIT */
/* Reads what a round needs from the file, keeps decisions and the statement in it, and says the
 * statement in words and as JSON. */
#include "explore/explorer.h"

#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/search.h"
#include "memsweep/base/text.h"
#include "memsweep/base/units.h"
#include "memsweep/explore/drive.h"
#include "memsweep/sweep/errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is read ---- */

char *msw_explore_name(msw_store *store, const msw_plan *part, msw_err *err)
{
    char *called = msw_store_called(store, part, err);
    const char *over = part->automatic.over;
    if (!called || !over)
        return called;
    char *name = msw_strfmt("%s@%s", called, over);
    free(called);
    if (!name)
        msw_fail_memory(err);
    return name;
}

bool msw_explore_has_limits(const msw_plan *plan)
{
    for (size_t d = 0; d < plan->view.derived_count; d++)
        if (strcmp(plan->view.derived[d].name, MSW_LIMITS_NAME) == 0)
            return true;
    return false;
}

void msw_explore_columns(const msw_plan *plan, msw_text *columns)
{
    msw_text_add(columns, "point, status");
    for (size_t i = 0; i < plan->view.objective_count; i++)
        msw_text_add(columns, ", %s", plan->view.objectives[i].name);
    if (msw_explore_has_limits(plan))
        msw_text_add(columns, ", " MSW_LIMITS_NAME);
    msw_text_add(columns, ", " MSW_DOUBT_NAME);
}

bool msw_explore_is_doubtful(const msw_plan *plan, const msw_table *t, size_t row)
{
    const msw_column *doubt =
        &t->columns[2 + plan->view.objective_count + msw_explore_has_limits(plan)];
    return doubt->labels && !isnan(doubt->values[row]);
}

int msw_explore_cost(const msw_plan *plan, size_t i, double value, double *cost, msw_err *err)
{
    const msw_objective *o = &plan->view.objectives[i];
    double sign = o->goal == MSW_GOAL_HIGHER ? -1 : 1;
    if (msw_objective_is_exact(plan, i))
        return *cost = sign * value, 0;
    if (value < 0)
        return msw_fail(err,
                        "objective %s is %g: fidelity auto compares by ratios, which need values "
                        "of 0 or more; take a derived column that is positive",
                        o->name, value);
    *cost = sign * msw_math_log(value);
    return 0;
}

/* ---- levels ---- */

enum { DISTINCT_MOST = 4096 };

/* The different values of a column in order; too many are cut into classes of equal counts. */
typedef struct distinct {
    double values[DISTINCT_MOST];
    size_t count;
    bool missing, many;
} distinct;

static void add_value(distinct *d, double value)
{
    if (isnan(value)) {
        d->missing = true;
        return;
    }
    size_t at = msw_lower_bound_f64(d->values, d->count, value);
    if (at < d->count && d->values[at] == value)
        return;
    if (d->count == DISTINCT_MOST) {
        d->many = true;
        return;
    }
    memmove(&d->values[at + 1], &d->values[at], (d->count - at) * sizeof *d->values);
    d->values[at] = value;
    d->count++;
}

/* Of a continuous factor the first values seen are enough to cut it by. */
static unsigned classes(const distinct *d)
{
    size_t most = MSW_EXPLORE_LEVELS - 1;
    return (unsigned)((d->count < most ? d->count : most) + 1);
}

static uint8_t level_of(const distinct *d, double value)
{
    size_t most = MSW_EXPLORE_LEVELS - 1;
    if (isnan(value))
        return 0;
    size_t at = msw_lower_bound_f64(d->values, d->count, value);
    if (at >= d->count)
        at = d->count - 1;
    return (uint8_t)(1 + (d->count <= most ? at : at * most / d->count));
}

static int add_factor(msw_explore_data *data, const msw_column *column, size_t rows, msw_err *err)
{
    distinct *d = calloc(1, sizeof *d);
    uint8_t *levels = malloc(rows + 1);
    if (!d || !levels) {
        free(d);
        free(levels);
        return msw_fail_memory(err);
    }
    for (size_t r = 0; r < rows; r++)
        add_value(d, column->values[r]);
    for (size_t r = 0; r < rows; r++)
        levels[r] = level_of(d, column->values[r]);
    data->factors[data->space.factor_count++] =
        (msw_explore_factor){levels, classes(d), column->labels == NULL};
    free(d);
    return 0;
}

/* ---- strata ---- */

static int name_strata(msw_explore_data *data, const msw_column *workload, const msw_column *bound,
                       size_t causes, msw_err *err)
{
    size_t count = data->space.strata;
    data->strata = calloc(count + 1, sizeof *data->strata);
    for (size_t s = 0; data->strata && s < count; s++) {
        const char *load = workload->label_count ? workload->labels[s / causes] : "";
        const char *cause = s % causes ? bound->labels[s % causes - 1] : NULL;
        data->strata[s] =
            msw_strfmt("%s%s%s", load, cause ? ", bound by " : "", cause ? cause : "");
        if (!data->strata[s])
            return msw_fail_memory(err);
    }
    return data->strata ? 0 : msw_fail_memory(err);
}

/* Errors of one workload in one bottleneck are alike. */
static int add_strata(msw_explore_data *data, const msw_table *t, msw_err *err)
{
    int workload = msw_table_find(t, "workload"), bound = msw_table_find(t, "bound_by");
    const double *w = t->columns[workload].values, *b = t->columns[bound].values;
    size_t causes = t->columns[bound].label_count + 1;
    msw_explore_space *s = &data->space;
    data->group = malloc((t->rows + 1) * sizeof *data->group);
    data->stratum = malloc((t->rows + 1) * sizeof *data->stratum);
    if (!data->group || !data->stratum)
        return msw_fail_memory(err);
    for (size_t r = 0; r < t->rows; r++) {
        data->group[r] = isnan(w[r]) ? 0 : (uint32_t)w[r];
        data->stratum[r] =
            (uint32_t)(data->group[r] * causes + (isnan(b[r]) ? 0 : 1 + (size_t)b[r]));
    }
    s->groups = (uint32_t)(t->columns[workload].label_count ? t->columns[workload].label_count : 1);
    s->strata = (uint32_t)(s->groups * causes);
    s->group = data->group;
    s->stratum = data->stratum;
    return name_strata(data, &t->columns[workload], &t->columns[bound], causes, err);
}

/* ---- objectives ---- */

/* The width between the 5 % and 95 % points of normal errors, in deviations. */
#define NORMAL_WIDTH 3.29

static msw_guess guess_of(const msw_errors *errors, double stratum, int metric, bool lower)
{
    const msw_error_range *range =
        isnan(stratum) ? NULL : msw_errors_range(errors, (uint32_t)stratum, metric);
    if (!range || !(range->low > 0))
        return (msw_guess){NAN, NAN};
    double low = msw_math_log(range->low), high = msw_math_log(range->high);
    return (msw_guess){(lower ? 1 : -1) * (low + high) / 2, (high - low) / NORMAL_WIDTH};
}

/* What the table of the plan says of the errors, unit by unit: not that of the file, which later
 * points of the user change, so that a run that goes on would decide otherwise. */
static int add_known(msw_explore_data *data, const msw_table *t, size_t i, msw_err *err)
{
    const msw_objective *o = &data->plan->view.objectives[i];
    const msw_errors *errors = data->plan->errors;
    int column = msw_table_find(t, MSW_STRATUM_COLUMN);
    int metric = errors ? msw_metrics_find(errors->mech->metrics, o->name) : -1;
    unsigned j = data->space.open_count;
    if (column < 0 || metric < 0)
        return 0;
    msw_guess *known = data->known[j] = malloc((t->rows + 1) * sizeof *known);
    if (!known)
        return msw_fail_memory(err);
    for (size_t r = 0; r < t->rows; r++)
        known[r] =
            guess_of(errors, t->columns[column].values[r], metric, o->goal != MSW_GOAL_HIGHER);
    data->space.known[j] = known;
    return 0;
}

static int add_objective(msw_explore_data *data, const msw_table *t, size_t i, msw_err *err)
{
    const msw_plan *plan = data->plan;
    msw_explore_space *s = &data->space;
    const msw_column *column = &t->columns[2 + i], *status = &t->columns[1];
    double *costs = malloc((t->rows + 1) * sizeof *costs);
    if (!costs)
        return msw_fail_memory(err);
    data->values[i] = costs;
    for (size_t r = 0; r < t->rows; r++) {
        bool ok = strcmp(status->labels[(size_t)status->values[r]], "ok") == 0;
        ok = ok && (!data->doubtful[r] || msw_objective_is_exact(plan, i));
        if (msw_explore_cost(plan, i, ok ? column->values[r] : NAN, &costs[r], err))
            return -1;
    }
    if (msw_objective_is_exact(plan, i)) {
        s->exact[s->exact_count++] = costs;
    } else {
        MSW_TRY(add_known(data, t, i, err));
        double floor = msw_objective_floor(plan, i);
        s->floor[s->open_count] = floor > 0 ? msw_math_log(floor) : -INFINITY;
        s->open[s->open_count++] = costs;
    }
    return 0;
}

/* The open numbers of such a unit are not to be trusted, so they are not looked at. */
static int add_doubts(msw_explore_data *data, const msw_table *t, msw_err *err)
{
    data->doubtful = malloc((t->rows + 1) * sizeof *data->doubtful);
    if (!data->doubtful)
        return msw_fail_memory(err);
    for (size_t r = 0; r < t->rows; r++) {
        data->doubtful[r] = msw_explore_is_doubtful(data->plan, t, r);
        if (data->doubtful[r])
            data->space.doubtful = data->doubtful;
    }
    return 0;
}

static int check_columns(const msw_plan *plan, const msw_table *t, msw_err *err)
{
    for (size_t i = 0; i < plan->view.objective_count; i++)
        if (t->columns[2 + i].labels)
            return msw_fail(err, "'%s' is a text: only numbers can be objectives",
                            plan->view.objectives[i].name);
    return 0;
}

static int fill(msw_explore_data *data, const msw_table *t, size_t first_factor, msw_err *err)
{
    const msw_plan *plan = data->plan;
    data->space.units = t->rows;
    data->points_per_unit = plan->automatic.over ? plan->workload_count : 1;
    data->factors = calloc(t->column_count + 1, sizeof *data->factors);
    data->space.factors = data->factors;
    if (!data->factors)
        return msw_fail_memory(err);
    if (t->rows * data->points_per_unit != plan->points && !plan->design.kind->searches)
        return msw_fail(err,
                        "only %zu of %llu points are answered by the closed form: round 0 comes "
                        "first ('memsweep run' without --round, its shards merged)",
                        t->rows * data->points_per_unit, (unsigned long long)plan->points);
    if (check_columns(plan, t, err) || add_strata(data, t, err) || add_doubts(data, t, err))
        return -1;
    for (size_t i = 0; i < plan->view.objective_count; i++)
        if (add_objective(data, t, i, err))
            return -1;
    for (size_t c = first_factor; c < t->column_count; c++)
        if (add_factor(data, &t->columns[c], t->rows, err))
            return -1;
    return 0;
}

/* ---- the rows ---- */

static bool is_named_before(const msw_plan *plan, size_t f, size_t t, size_t target)
{
    for (size_t g = 0; g <= f; g++)
        for (size_t i = 0; i < plan->space.factors[g].target_count; i++) {
            if (g == f && i == t)
                return false;
            if (plan->space.factors[g].targets[i] == target)
                return true;
        }
    return false;
}

static void add_factor_names(const msw_plan *plan, msw_text *columns)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++) {
            size_t target = plan->space.factors[f].targets[t];
            if (!is_named_before(plan, f, t, target))
                msw_text_add(columns, ", %s", plan->schema.params[target]->name);
        }
}

int msw_explore_load(msw_store *store, const msw_plan *plan, msw_explore_data *data, msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_table table = {0};
    char *name = msw_explore_name(store, plan, err);
    *data = (msw_explore_data){.plan = plan};
    if (!name)
        return -1;
    msw_explore_columns(plan, &columns);
    bool strata = plan->errors && !plan->automatic.over;
    size_t first = 2 + plan->view.objective_count + msw_explore_has_limits(plan) + 3 + strata;
    msw_text_add(&columns, ", workload, bound_by%s", strata ? ", " MSW_STRATUM_COLUMN : "");
    add_factor_names(plan, &columns);
    msw_query query = {.sweep = name, .columns = msw_text_str(&columns), .limit = -1};
    int rc = columns.failed ? msw_fail_memory(err) : msw_store_read(store, &query, &table, err);
    if (rc == 0)
        rc = fill(data, &table, first, err);
    msw_table_free(&table);
    msw_text_free(&columns);
    free(name);
    if (rc)
        msw_explore_unload(data);
    return rc;
}

void msw_explore_unload(msw_explore_data *data)
{
    for (size_t f = 0; data->factors && f < data->space.factor_count; f++)
        free((void *)data->factors[f].level);
    for (size_t s = 0; data->strata && s < data->space.strata; s++)
        free(data->strata[s]);
    free(data->strata);
    for (size_t i = 0; i < MSW_EXPLORE_OBJECTIVES; i++) {
        free(data->values[i]);
        free(data->known[i]);
    }
    free(data->factors);
    free(data->doubtful);
    free(data->group);
    free(data->stratum);
    *data = (msw_explore_data){0};
}

void msw_explore_points(const msw_explore_data *data, uint32_t unit, uint64_t *points)
{
    uint64_t each = data->plan->points / data->points_per_unit; /* a search may have fewer rows */
    for (size_t w = 0; w < data->points_per_unit; w++)
        points[w] = unit + w * each;
}

static const char *unit_of(const msw_plan *plan)
{
    return plan->automatic.over ? "designs" : "points";
}

static void say_front(const msw_plan *plan, const msw_explore_report *r, msw_text *out)
{
    char front[32], searched[32], audited[32], all[32];
    const msw_explore_statement *s = &r->statement;
    uint64_t each = plan->automatic.over ? plan->workload_count : 1;
    msw_text_add(
        out, "front: %s vectors at full fidelity, from %s %s searched and %s audited of %s",
        msw_count_text(s->front, front), msw_count_text(s->searched, searched), unit_of(plan),
        msw_count_text(s->audited, audited), msw_count_text(plan->points / each, all));
    msw_text_add(out, " (%.3g %%)\n",
                 100 * (double)((s->searched + s->audited) * each) / (double)plan->points);
}

/* What the sample says, and where it says nothing. */
static void say_limit(const msw_plan *plan, const msw_explore_statement *s, msw_text *out)
{
    char wrong[32], all[32];
    if (!s->audits) {
        msw_text_add(out, "none before an audit");
        return;
    }
    msw_text_add(out, "with %g %% confidence at most %s of the %s discarded %s are wrong (%.3g %%)",
                 100 * plan->automatic.confidence, msw_count_text(s->wrong, wrong),
                 msw_count_text(s->discarded, all), unit_of(plan),
                 s->discarded ? 100 * (double)s->wrong / (double)s->discarded : 0);
}

static void say_audit(const msw_explore_report *r, msw_text *out)
{
    const msw_explore_statement *s = &r->statement;
    uint64_t found = s->found - s->lost;
    if (found)
        msw_text_add(out,
                     "audit: %" PRIu64 " found wrong, by at most %.3g %%; they joined the front\n"
                     "       estimate without guarantee: %.2g %% of the hypervolume is missed\n",
                     found, 100 * s->surplus, 100 * s->missed);
    else if (s->audits)
        msw_text_add(out, "audit: none found wrong\n");
    if (s->lost)
        msw_text_add(out, "       %" PRIu64 " without an answer count as wrong\n", s->lost);
    if (s->found)
        msw_text_add(out, "       most of them: %s\n", r->stratum);
}

void msw_explore_say(const msw_plan *plan, const msw_explore_report *r, msw_text *out)
{
    char proven[32];
    const msw_explore_statement *s = &r->statement;
    say_front(plan, r, out);
    msw_text_add(out, "statement: ");
    say_limit(plan, s, out);
    msw_text_add(out,
                 "\n           wrong: feasible, and no announced one is at most as expensive and "
                 "within %.3g %%\n",
                 100 * plan->automatic.tolerance);
    say_audit(r, out);
    if (s->proven)
        msw_text_add(out, "proof: %s more %s cannot count: their floor is covered\n",
                     msw_count_text(s->proven, proven), unit_of(plan));
    if (!s->settled && s->audits)
        msw_text_add(out,
                     "note: the search ended with its budget, not because nothing was promising: "
                     "a larger 'auto: {budget: ...}' goes on from these rows\n");
    if (s->failed > s->lost)
        msw_text_add(out,
                     "note: %" PRIu64
                     " of the search have no answer and count as discarded and wrong\n",
                     s->failed - s->lost);
}

void msw_explore_say_json(const msw_plan *plan, const msw_explore_report *r, msw_text *settings,
                          msw_text *result)
{
    const msw_auto *a = &plan->automatic;
    const msw_explore_statement *s = &r->statement;
    msw_text_add(settings, "{\"budget\": %" PRIu64 ", \"audit\": %" PRIu64 ", \"confidence\": ",
                 msw_auto_budget(plan), msw_auto_audit(plan));
    msw_text_add_double(settings, a->confidence);
    msw_text_add(settings, ", \"tolerance\": ");
    msw_text_add_double(settings, a->tolerance);
    msw_text_add(settings, ", \"batch\": %" PRIu64 ", \"over\": ", a->batch);
    msw_text_add_json(settings, a->over ? a->over : "");
    msw_text_add(settings, "}");
    msw_text_add(result,
                 "{\"front\": %" PRIu64 ", \"discarded\": %" PRIu64 ", \"wrong\": %" PRIu64
                 ", \"found\": %" PRIu64 ", \"failed\": %" PRIu64 ", \"proven\": %" PRIu64
                 ", \"searched\": %" PRIu64 ", \"audited\": %" PRIu64 ", \"audits\": %u, "
                 "\"rounds\": %u, \"settled\": %s, \"surplus\": ",
                 s->front, s->discarded, s->wrong, s->found, s->failed, s->proven, s->searched,
                 s->audited, s->audits, s->rounds, s->settled ? "true" : "false");
    msw_text_add_double(result, s->surplus);
    msw_text_add(result, ", \"missed\": ");
    msw_text_add_double(result, s->missed);
    msw_text_add(result, ", \"stratum\": ");
    msw_text_add_json(result, r->stratum);
    msw_text_add(result, ", \"statement\": \"");
    say_limit(plan, s, result);
    msw_text_add(result, "\"}");
}

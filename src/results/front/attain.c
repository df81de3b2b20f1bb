/* SPDX-License-Identifier: MIT */
/* Compares runs of a sweep that differ in their seed: what the best of them, half of them and all
 * of them attain (Grunert da Fonseca, Fonseca, Hall 2001), and their hypervolumes.
 *
 * A run attains (x, y) where a point of it is at least as good in both. Of n runs the surface of k
 * is, at each x, the k-th least of the runs' best y up to x. */
#include "memsweep/results/front.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/results/reading.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one run, the points of its front; costs: lower is better. */
typedef struct one_run {
    char *called;
    size_t count;
    double *cost[MSW_PARETO_OBJECTIVES];
    double volume;
} one_run;

typedef struct side {
    const char *name;
    one_run *runs;
    size_t count, room;
} side;

typedef struct attaining {
    msw_front *front; /* that was opened */
    const msw_context *context;
    side sides[2];
    double reference[MSW_PARETO_OBJECTIVES];
    msw_err *err;
} attaining;

static void free_side(side *s)
{
    for (size_t r = 0; r < s->count; r++) {
        free(s->runs[r].called);
        for (size_t k = 0; k < MSW_PARETO_OBJECTIVES; k++)
            free(s->runs[r].cost[k]);
    }
    free(s->runs);
}

static double sign_of(const attaining *a, size_t k)
{
    return a->front->input.objectives.goals[k] == MSW_GOAL_HIGHER ? -1 : 1;
}

/* ---- which runs ---- */

/* A sweep's text but for its seed. */
static bool is_same_but_seed(const char *a, const char *b)
{
    static const char SEED[] = "\nseed: ";
    const char *x = strstr(a, SEED), *y = strstr(b, SEED);
    if (!x || !y || x - a != y - b || strncmp(a, b, (size_t)(x - a)) != 0)
        return false;
    x += strlen(SEED);
    y += strlen(SEED);
    return strcmp(x + strcspn(x, "\n"), y + strcspn(y, "\n")) == 0;
}

static int add_run(side *s, const msw_front *front, const char *digest, msw_err *err)
{
    const msw_sweep_info *sweep = &front->input.sweep;
    MSW_TRY(msw_vec_reserve(&s->runs, &s->room, s->count + 1, sizeof *s->runs, err));
    const char *over = sweep->over ? msw_sweep_over_word(sweep) : "";
    char *called = msw_strfmt("%.*s@%.8s%s%s", (int)strcspn(sweep->name, "@"), sweep->name, digest,
                              *over ? "@" : "", over);
    s->runs[s->count++] = (one_run){.called = called};
    return called ? 0 : msw_fail_memory(err);
}

/* The sweeps of the file that are as this one but for their seed. */
static int list_runs(side *s, const msw_front *front, msw_err *err)
{
    const msw_sweep_info *sweep = &front->input.sweep;
    msw_table t = {0};
    char *sql = msw_strfmt("SELECT digest, canonical FROM msw_sweep WHERE fidelity = (SELECT "
                           "fidelity FROM msw_sweep WHERE id = %" PRId64 ") ORDER BY seed, id",
                           sweep->id);
    msw_query query = {.sql = sql};
    int rc = sql ? msw_store_read(front->input.store, &query, &t, err) : msw_fail_memory(err);
    free(sql);
    for (size_t r = 0; rc == 0 && r < t.rows; r++) {
        const char *text = t.columns[1].labels[(size_t)t.columns[1].values[r]];
        if (is_same_but_seed(text, sweep->canonical))
            rc = add_run(s, front, t.columns[0].labels[(size_t)t.columns[0].values[r]], err);
    }
    msw_table_free(&t);
    return rc;
}

/* ---- their fronts ---- */

static int keep_points(const attaining *a, const msw_front *front, one_run *run)
{
    size_t rows = front->rows.values.rows;
    for (size_t k = 0; k < a->front->input.objectives.count; k++) {
        const double *values = front->rows.values.columns[MSW_FRONT_OBJECTIVES + k].values;
        if (!(run->cost[k] = malloc((rows + 1) * sizeof *run->cost[k])))
            return msw_fail_memory(a->err);
        run->count = 0;
        for (size_t r = 0; r < rows; r++)
            if (front->ranks.rank[r] == 0)
                run->cost[k][run->count++] = sign_of(a, k) * values[r];
    }
    return 0;
}

static msw_front ask_again(const attaining *a)
{
    msw_front one = {.options = a->front->options, .err = a->err};
    one.options.knee = one.options.exclusive = one.options.uncertain = false;
    one.options.thin = 0;
    one.options.goals = one.options.weights = NULL;
    return one;
}

static int read_run(const attaining *a, const msw_front_source *from, one_run *run)
{
    msw_front one = ask_again(a);
    msw_front_source source = *from;
    source.sweep = run->called;
    int rc = msw_front_open(&one, a->context, &source, MSW_STORE_READ) || msw_front_find(&one);
    if (rc == 0 && one.rows.group_count > 1)
        rc = msw_fail(a->err, "pareto: --seeds compares one front of each run: choose one by "
                              "--filter \"workload = '...'\", or mix them by --group-by none");
    if (rc == 0)
        rc = keep_points(a, &one, run);
    msw_store_close(one.input.store, NULL);
    msw_front_free(&one);
    return rc;
}

static int read_side(attaining *a, side *s, const msw_front *front, const msw_front_source *from)
{
    MSW_TRY(list_runs(s, front, a->err));
    for (size_t r = 0; r < s->count; r++)
        MSW_TRY(read_run(a, from, &s->runs[r]));
    return 0;
}

/* Opened once more to learn what the other sweep is. */
static int read_other(attaining *a, const msw_front_source *other)
{
    msw_front one = ask_again(a);
    int rc = msw_front_open(&one, a->context, other, MSW_STORE_READ) ||
             read_side(a, &a->sides[1], &one, other);
    msw_store_close(one.input.store, NULL);
    msw_front_free(&one);
    return rc;
}

/* ---- hypervolumes ---- */

/* As asked for, else a tenth of the range beyond the worst of all fronts. */
static int find_reference(attaining *a)
{
    const msw_objectives *objectives = &a->front->input.objectives;
    if (a->front->options.reference)
        MSW_TRY(msw_objectives_values(objectives, "--reference", a->front->options.reference,
                                      a->reference, a->err));
    for (size_t k = 0; k < objectives->count; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 2; i++)
            for (size_t r = 0; r < a->sides[i].count; r++)
                for (size_t p = 0; p < a->sides[i].runs[r].count; p++) {
                    low = fmin(low, a->sides[i].runs[r].cost[k][p]);
                    high = fmax(high, a->sides[i].runs[r].cost[k][p]);
                }
        bool given = a->front->options.reference && !isnan(a->reference[k]);
        a->reference[k] =
            given ? sign_of(a, k) * a->reference[k] : high + (high > low ? 0.1 * (high - low) : 1);
    }
    return 0;
}

static int measure(attaining *a, side *s)
{
    for (size_t r = 0; r < s->count; r++) {
        one_run *run = &s->runs[r];
        msw_points points = {.n = run->count,
                             .k = (unsigned)a->front->input.objectives.count,
                             .columns = (const double *const *)run->cost};
        if (run->count)
            MSW_TRY(msw_hypervolume(&points, a->reference, &run->volume, a->err));
    }
    return 0;
}

static void say_side(const side *s, msw_text *note)
{
    double volumes[512];
    size_t n = s->count < 512 ? s->count : 512;
    for (size_t r = 0; r < n; r++)
        volumes[r] = s->runs[r].volume;
    msw_sort_f64(volumes, n);
    msw_text_add(note, "%s: %zu runs, hypervolume %.6g (%.6g .. %.6g)", s->name, s->count,
                 (volumes[(n - 1) / 2] + volumes[n / 2]) / 2, volumes[0], volumes[n - 1]);
}

static void say(const attaining *a, msw_text *note)
{
    const side *own = &a->sides[0], *other = &a->sides[1];
    double wins = 0;
    say_side(own, note);
    if (!other->count)
        return;
    msw_text_add(note, "\n");
    say_side(other, note);
    for (size_t r = 0; r < own->count; r++)
        for (size_t q = 0; q < other->count; q++)
            wins += own->runs[r].volume > other->runs[q].volume    ? 1
                    : own->runs[r].volume == other->runs[q].volume ? 0.5
                                                                   : 0;
    msw_text_add(note, "\na run of this has the larger hypervolume in %.3g %% of the pairs",
                 100 * wins / ((double)own->count * (double)other->count));
}

/* ---- surfaces ---- */

/* The best y of a run up to x. */
static double best_up_to(const one_run *run, double x)
{
    double best = HUGE_VAL;
    for (size_t p = 0; p < run->count; p++)
        if (run->cost[0][p] <= x)
            best = fmin(best, run->cost[1][p]);
    return best;
}

static double *list_places(const side *s, size_t *count, msw_err *err)
{
    size_t n = 0;
    for (size_t r = 0; r < s->count; r++)
        n += s->runs[r].count;
    double *places = malloc((n + s->count + 1) * sizeof *places);
    *count = 0;
    for (size_t r = 0; places && r < s->count; r++)
        for (size_t p = 0; p < s->runs[r].count; p++)
            places[(*count)++] = s->runs[r].cost[0][p];
    if (places)
        msw_sort_f64(places, *count);
    else
        msw_fail_memory(err);
    return places;
}

/* Corners of the surface that `wanted` of the runs attain. */
static int add_surface(const attaining *a, const side *s, const char *name, size_t wanted,
                       msw_table_builder *builder)
{
    size_t count;
    double last = HUGE_VAL, *places = list_places(s, &count, a->err);
    double *best = malloc((s->count + 1) * sizeof *best);
    const msw_objectives *objectives = &a->front->input.objectives;
    int rc = places && best ? 0 : msw_fail_memory(a->err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        for (size_t r = 0; r < s->count; r++)
            best[r] = best_up_to(&s->runs[r], places[i]);
        msw_sort_f64(best, s->count);
        if (!(best[wanted - 1] < last))
            continue;
        last = best[wanted - 1];
        msw_builder_row(builder);
        msw_builder_text(builder, "runs", s->name);
        msw_builder_text(builder, "attained_by", name);
        msw_builder_number(builder, objectives->names[0], sign_of(a, 0) * places[i]);
        msw_builder_number(builder, objectives->names[1], sign_of(a, 1) * last);
    }
    free(places);
    free(best);
    return rc;
}

static int add_surfaces(const attaining *a, const side *s, msw_table_builder *builder)
{
    MSW_TRY(add_surface(a, s, "one", 1, builder));
    MSW_TRY(add_surface(a, s, "half", (s->count + 1) / 2, builder));
    return add_surface(a, s, "all", s->count, builder);
}

static void add_volumes(const side *s, msw_table_builder *builder)
{
    for (size_t r = 0; r < s->count; r++) {
        msw_builder_row(builder);
        msw_builder_text(builder, "runs", s->name);
        msw_builder_text(builder, "sweep", s->runs[r].called);
        msw_builder_count(builder, "front", s->runs[r].count);
        msw_builder_number(builder, "hypervolume", s->runs[r].volume);
    }
}

static int attain(attaining *a, const msw_front_source *own, const msw_front_source *other,
                  msw_table_builder *builder, msw_text *note)
{
    MSW_TRY(read_side(a, &a->sides[0], a->front, own));
    MSW_TRY(other && read_other(a, other));
    MSW_TRY(find_reference(a));
    for (int i = 0; i < 2 && a->sides[i].count; i++) {
        MSW_TRY(measure(a, &a->sides[i]));
        if (a->front->input.objectives.count == 2)
            MSW_TRY(add_surfaces(a, &a->sides[i], builder));
        else
            add_volumes(&a->sides[i], builder);
    }
    say(a, note);
    MSW_TRY(builder->failed);
    return 0;
}

int msw_front_attain(msw_front *front, const msw_context *context, const msw_front_source *own,
                     const msw_front_source *other, msw_table_builder *builder, msw_text *note)
{
    attaining a = {.front = front,
                   .context = context,
                   .sides = {{.name = "this"}, {.name = "other"}},
                   .err = front->err};
    int rc = attain(&a, own, other, builder, note);
    free_side(&a.sides[0]);
    free_side(&a.sides[1]);
    return rc ? -1 : 0;
}

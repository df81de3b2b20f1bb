/* SPDX-License-Identifier: MIT */
/* Evaluations that a search needs on tables of which every design is known, beside an NSGA-II:
 * to 99 % of the hypervolume, and until every vector of the front is matched within 1 %.
 *
 *   seek_bench TABLE.yaml TABLE.db SEEDS METHOD...
 *
 * The sweep is a grid of one workload without constraints, and its database is complete. METHOD is
 * nsga:POPULATION, or seek and settings: seek:adapt=0:step=0.5. Equal designs count once. */
#include "explore/seek/space.h"

#include "memsweep/analysis/hypervolume.h"
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/design/slots.h"
#include "memsweep/store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OBJECTIVES = 5, SEEDS = 100, CHECK = 5 };

typedef struct bench {
    msw_plan *grid, *plan;
    seek_plan_space space;
    unsigned m;
    size_t points, front_count;
    double *cost[OBJECTIVES], *front[OBJECTIVES], reference[OBJECTIVES], best;
} bench;

/* ---- one attempt ---- */

typedef struct attempt {
    const bench *b;
    size_t evaluated, most, to_volume, to_front;
    double *archive[OBJECTIVES]; /* vectors that no other beats */
    size_t count;
    bool *matched;
    size_t matched_count;
    bool grown;
} attempt;

static void note(attempt *a, size_t point)
{
    const bench *b = a->b;
    double v[OBJECTIVES];
    a->evaluated++;
    for (unsigned k = 0; k < b->m; k++) {
        v[k] = b->cost[k][point];
        if (!isfinite(v[k]))
            return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < a->count; i++) {
        bool covered = true;
        for (unsigned k = 0; k < b->m; k++)
            covered = covered && a->archive[k][i] <= v[k];
        if (covered)
            return;
    }
    for (size_t i = 0; i < a->count; i++) {
        bool worse = true;
        for (unsigned k = 0; k < b->m; k++)
            worse = worse && v[k] <= a->archive[k][i];
        for (unsigned k = 0; !worse && k < b->m; k++)
            a->archive[k][kept] = a->archive[k][i];
        kept += !worse;
    }
    for (unsigned k = 0; k < b->m; k++)
        a->archive[k][kept] = v[k];
    a->count = kept + 1;
    a->grown = true;
    for (size_t i = 0; i < b->front_count; i++) {
        bool near = true;
        for (unsigned k = 0; k < b->m; k++)
            near = near && v[k] <= b->front[k][i] + log(1.01);
        a->matched_count += near && !a->matched[i];
        a->matched[i] = a->matched[i] || near;
    }
}

static double volume(const bench *b, double *const *columns, size_t n)
{
    double out = 0;
    msw_err err;
    msw_points p = {.n = n, .k = b->m, .columns = (const double *const *)columns};
    if (n && msw_hypervolume(&p, b->reference, &out, &err))
        fprintf(stderr, "%s\n", err.text);
    return out;
}

/* Returns whether the attempt goes on. */
static bool check(attempt *a)
{
    if (!a->to_volume && a->grown && a->evaluated % CHECK == 0) {
        a->grown = false;
        if (volume(a->b, a->archive, a->count) >= 0.99 * a->b->best)
            a->to_volume = a->evaluated;
    }
    if (!a->to_front && a->matched_count == a->b->front_count)
        a->to_front = a->evaluated;
    return a->evaluated < a->most && !(a->to_volume && a->to_front);
}

static size_t point_of(const bench *b, const uint32_t *levels)
{
    size_t at = 0;
    for (size_t f = 0; f < b->space.space.factor_count; f++)
        at = at * b->space.factors[f].levels + levels[f];
    return at;
}

static void answer_of(const bench *b, size_t point, msw_seek_answer *a)
{
    *a = (msw_seek_answer){.state = MSW_SEEK_OK};
    for (unsigned k = 0; k < b->m; k++) {
        a->value[k] = exp(b->cost[k][point]);
        if (!isfinite(b->cost[k][point]))
            a->state = MSW_SEEK_INFEASIBLE, a->slack = 1;
    }
}

static double setting(const char *method, const char *name, double def)
{
    char word[32];
    snprintf(word, sizeof word, ":%s=", name);
    const char *at = strstr(method, word);
    return at ? atof(at + strlen(word)) : def;
}

static void run_seek(attempt *a, const char *word, uint64_t seed)
{
    const bench *b = a->b;
    msw_seek_method method = msw_seek_method_default;
    for (int m = MSW_SEEK_STEP; m <= MSW_SEEK_JUMP; m++)
        method.share[m] = setting(word, msw_seek_move_name((msw_seek_move)m), method.share[m]);
    method.bold = setting(word, "bold", method.bold);
    method.isolated = setting(word, "isolated", method.isolated) != 0;
    method.adapt = setting(word, "adapt", method.adapt) != 0;
    msw_seek_space space = b->space.space;
    if (setting(word, "gates", 1) == 0)
        space.gate_count = 0;
    uint64_t batch = (uint64_t)setting(word, "batch", 64);
    msw_seek_rules rules = {
        .evaluations = a->most, .batch = batch, .seed = seed, .method = &method};
    rules.model = setting(word, "model", 0) != 0;
    size_t n = space.factor_count;
    uint32_t *start = malloc(batch * n * sizeof *start);
    msw_rng rng;
    msw_rng_init(&rng, seed, 77);
    for (size_t i = 0; i < batch * n; i++)
        start[i] = (uint32_t)msw_rng_below(&rng, b->space.factors[i % n].levels);
    msw_seeker *s = NULL;
    msw_seek_round round;
    msw_err err = {0};
    int got = msw_seeker_new(&space, &rules, start, batch, &s, &err) ? -1 : 1;
    bool on = true;
    while (on && got > 0 && (got = msw_seeker_next(s, &round, &err)) > 0)
        for (uint64_t i = round.first; i < round.first + round.count; i++) {
            size_t point = point_of(b, msw_seeker_levels(s, i));
            msw_seek_answer answer;
            answer_of(b, point, &answer);
            msw_seeker_tell(s, i, &answer);
            if (on)
                note(a, point);
            on = on && check(a);
        }
    if (got < 0)
        fprintf(stderr, "%s\n", err.text);
    msw_seeker_free(s);
    free(start);
}

/* ---- NSGA-II (Deb et al. 2002), uniform crossover, steps of levels ---- */

typedef struct being {
    uint32_t *levels;
    double cost[OBJECTIVES], crowding;
    int32_t rank;
} being;

static int by_fitness(const void *x, const void *y)
{
    const being *a = x, *b = y;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->crowding < b->crowding) - (a->crowding > b->crowding);
}

/* Adds to the crowding of a front, rows of one rank, by one cost: the gap between its neighbours.
 */
static void add_gaps(being *const *front, size_t n, unsigned k)
{
    double width = front[n - 1]->cost[k] - front[0]->cost[k];
    for (size_t i = 1; width > 0 && i + 1 < n; i++)
        front[i]->crowding += (front[i + 1]->cost[k] - front[i - 1]->cost[k]) / width;
    front[0]->crowding = front[n - 1]->crowding = INFINITY;
}

static unsigned sorted_by; /* the cost that qsort compares */

static int by_rank_and_cost(const void *x, const void *y)
{
    const being *a = *(being *const *)x, *b = *(being *const *)y;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->cost[sorted_by] > b->cost[sorted_by]) - (a->cost[sorted_by] < b->cost[sorted_by]);
}

static void add_crowding(being *beings, size_t n, unsigned costs)
{
    being **order = malloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++)
        (order[i] = &beings[i])->crowding = 0;
    for (sorted_by = 0; sorted_by < costs; sorted_by++) {
        qsort(order, n, sizeof *order, by_rank_and_cost);
        for (size_t first = 0, end; first < n; first = end) {
            for (end = first; end < n && order[end]->rank == order[first]->rank; end++)
                ;
            add_gaps(order + first, end - first, sorted_by);
        }
    }
    free(order);
}

static void rank_all(const bench *b, being *beings, size_t n)
{
    double *columns[OBJECTIVES];
    int32_t *rank = malloc(n * sizeof *rank);
    msw_err err;
    for (unsigned k = 0; k < b->m; k++) {
        columns[k] = malloc(n * sizeof **columns);
        for (size_t i = 0; i < n; i++)
            columns[k][i] = isfinite(beings[i].cost[k]) ? beings[i].cost[k] : 1e300;
    }
    msw_points p = {.n = n, .k = b->m, .columns = (const double *const *)columns};
    if (msw_pareto_rank(&p, rank, NULL, &err))
        fprintf(stderr, "%s\n", err.text);
    for (size_t i = 0; i < n; i++)
        beings[i].rank = rank[i];
    add_crowding(beings, n, b->m);
    for (unsigned k = 0; k < b->m; k++)
        free(columns[k]);
    free(rank);
}

/* An equal design was evaluated before: it costs nothing. */
static void meet(attempt *a, being *x, msw_map *seen)
{
    msw_digest identity;
    msw_err err;
    uint64_t *there;
    size_t point = point_of(a->b, x->levels);
    for (unsigned k = 0; k < a->b->m; k++)
        x->cost[k] = a->b->cost[k][point];
    if (a->b->space.space.look(a->b->space.lattice, x->levels, &identity, &err) > 0 &&
        !msw_map_find(seen, identity.lo) && msw_map_add(seen, identity.lo, &there, &err) == 0)
        note(a, point);
}

static uint32_t mutate(const msw_seek_factor *f, uint32_t level, msw_rng *rng)
{
    uint32_t to = (uint32_t)msw_rng_below(rng, f->levels);
    if (!f->ordered || msw_rng_uniform(rng) < 0.3)
        return to;
    bool up = msw_rng_below(rng, 2) != 0;
    return up ? level + (level + 1 < f->levels) : level - (level > 0);
}

static const being *tournament(const being *beings, size_t n, msw_rng *rng)
{
    const being *a = &beings[msw_rng_below(rng, n)], *b = &beings[msw_rng_below(rng, n)];
    return by_fitness(a, b) <= 0 ? a : b;
}

static void run_nsga(attempt *a, size_t size, uint64_t seed)
{
    const bench *b = a->b;
    size_t n = b->space.space.factor_count;
    being *beings = calloc(2 * size, sizeof *beings);
    msw_map seen = {0};
    msw_rng rng;
    bool on = true;
    msw_rng_init(&rng, seed, 99);
    for (size_t i = 0; i < 2 * size; i++)
        beings[i].levels = calloc(n, sizeof *beings[i].levels);
    for (size_t i = 0; i < size; i++) {
        for (size_t f = 0; f < n; f++)
            beings[i].levels[f] = (uint32_t)msw_rng_below(&rng, b->space.factors[f].levels);
        meet(a, &beings[i], &seen);
        on = on && check(a);
    }
    rank_all(b, beings, size);
    for (int generation = 0; on && generation < 5000; generation++) {
        for (size_t i = size; i < 2 * size; i++) {
            const being *x = tournament(beings, size, &rng), *y = tournament(beings, size, &rng);
            bool cross = msw_rng_uniform(&rng) < 0.9;
            for (size_t f = 0; f < n; f++) {
                bool other = cross && msw_rng_below(&rng, 2);
                beings[i].levels[f] = other ? y->levels[f] : x->levels[f];
                if (msw_rng_uniform(&rng) * (double)n < 1)
                    beings[i].levels[f] = mutate(&b->space.factors[f], beings[i].levels[f], &rng);
            }
            meet(a, &beings[i], &seen);
            on = on && check(a);
        }
        rank_all(b, beings, 2 * size);
        msw_sort(beings, 2 * size, sizeof *beings, by_fitness);
    }
    for (size_t i = 0; i < 2 * size; i++)
        free(beings[i].levels);
    msw_map_free(&seen);
    free(beings);
}

/* ---- all seeds ---- */

static double median(double *values, size_t n)
{
    msw_sort_f64(values, n);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static double cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void try_method(const bench *b, const char *word, size_t seeds, const char *table)
{
    double to_volume[SEEDS], to_front[SEEDS], start = cpu();
    size_t evaluations = 0;
    for (size_t s = 0; s < seeds; s++) {
        attempt a = {.b = b, .most = b->points / 2 < 60000 ? b->points / 2 : 60000};
        for (unsigned k = 0; k < b->m; k++)
            a.archive[k] = malloc((a.most + 1) * sizeof **a.archive);
        a.matched = calloc(b->front_count, sizeof *a.matched);
        if (strncmp(word, "nsga:", 5) == 0)
            run_nsga(&a, strtoul(word + 5, NULL, 10), 1000 + s);
        else
            run_seek(&a, word, 1000 + s);
        to_volume[s] = (double)(a.to_volume ? a.to_volume : a.most);
        to_front[s] = (double)(a.to_front ? a.to_front : a.most);
        evaluations += a.evaluated;
        for (unsigned k = 0; k < b->m; k++)
            free(a.archive[k]);
        free(a.matched);
    }
    double v = median(to_volume, seeds), f = median(to_front, seeds);
    printf("%-20s %-34s 99 %%: %7.0f (%.0f .. %.0f)  front: %7.0f (%.0f .. %.0f)  %.1f us each\n",
           table, word, v, to_volume[0], to_volume[seeds - 1], f, to_front[0], to_front[seeds - 1],
           1e6 * (cpu() - start) / (double)evaluations);
    fflush(stdout);
}

/* ---- the table ---- */

static msw_plan *load(const char *path, bool search)
{
    char text[65536] = "", line[4096];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        strcat(text, search && strncmp(line, "design:", 7) == 0
                         ? "design: {kind: search, evaluations: 1}\n"
                         : line);
    if (file)
        fclose(file);
    msw_plan *plan = NULL;
    msw_messages messages = {0};
    static const char *const DIRS[] = {".", NULL};
    msw_plan_options options = {.data_dirs = DIRS, .seed = -1};
    if (msw_plan_parse(path, text, strlen(text), &options, &plan, &messages))
        fprintf(stderr, "%s", msw_messages_text(&messages));
    msw_text_free(&messages.text);
    return plan;
}

static int read_costs(bench *b, const char *path, msw_err *err)
{
    msw_store *store = NULL;
    msw_log no_log = {0};
    msw_table t = {0};
    msw_text columns = MSW_TEXT_EMPTY;
    b->m = (unsigned)b->grid->view.objective_count;
    for (unsigned k = 0; k < b->m; k++)
        msw_text_add(&columns, "%s%s", k ? ", " : "", b->grid->view.objectives[k].name);
    msw_query query = {.columns = msw_text_str(&columns), .limit = -1};
    int rc = msw_store_open(path, MSW_STORE_READ, false, &no_log, &store, err) ||
             msw_store_read(store, &query, &t, err);
    b->points = t.rows;
    for (unsigned k = 0; rc == 0 && k < b->m; k++) {
        double sign = b->grid->view.objectives[k].goal == MSW_GOAL_HIGHER ? -1 : 1;
        b->cost[k] = malloc(t.rows * sizeof **b->cost);
        for (size_t i = 0; i < t.rows; i++)
            b->cost[k][i] = sign * log(t.columns[k].values[i]);
    }
    msw_table_free(&t);
    msw_text_free(&columns);
    msw_store_close(store, NULL);
    return rc;
}

static int find_front(bench *b, msw_err *err)
{
    bool *on = malloc(b->points);
    msw_points p = {.n = b->points, .k = b->m, .columns = (const double *const *)b->cost};
    for (size_t i = 0; i < b->points; i++)
        for (unsigned k = 0; k < b->m; k++)
            b->cost[k][i] = isfinite(b->cost[k][i]) ? b->cost[k][i] : NAN;
    if (msw_pareto_front(&p, on, NULL, err))
        return -1;
    msw_map seen = {0};
    for (unsigned k = 0; k < b->m; k++)
        b->front[k] = malloc(b->points * sizeof **b->front);
    for (size_t i = 0; i < b->points; i++) {
        double v[OBJECTIVES];
        uint64_t *there;
        for (unsigned k = 0; k < b->m; k++)
            v[k] = b->cost[k][i];
        uint64_t key = msw_hash_bytes(v, b->m * sizeof *v).lo;
        if (!on[i] || msw_map_find(&seen, key) || msw_map_add(&seen, key, &there, err))
            continue;
        for (unsigned k = 0; k < b->m; k++)
            b->front[k][b->front_count] = v[k];
        b->front_count++;
    }
    for (unsigned k = 0; k < b->m; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < b->front_count; i++) {
            low = fmin(low, b->front[k][i]);
            high = fmax(high, b->front[k][i]);
        }
        b->reference[k] = high + 0.1 * (high - low);
    }
    b->best = volume(b, b->front, b->front_count);
    msw_map_free(&seen);
    free(on);
    return 0;
}

int main(int argc, char **argv)
{
    bench b = {0};
    msw_err err = {0};
    if (argc < 5)
        return fprintf(stderr, "seek_bench TABLE.yaml TABLE.db SEEDS METHOD...\n"), 2;
    b.grid = load(argv[1], false);
    b.plan = load(argv[1], true);
    if (!b.grid || !b.plan || read_costs(&b, argv[2], &err) || find_front(&b, &err) ||
        seek_space_open(b.plan, &b.space, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    const char *name = b.grid->name;
    size_t seeds = strtoul(argv[3], NULL, 10);
    printf("%s: %zu designs, front of %zu vectors, %zu gates\n", name, b.points, b.front_count,
           b.space.space.gate_count);
    for (int i = 4; i < argc; i++)
        try_method(&b, argv[i], seeds < SEEDS ? seeds : SEEDS, name);
    seek_space_close(&b.space);
    msw_plan_free(b.grid);
    msw_plan_free(b.plan);
    return 0;
}

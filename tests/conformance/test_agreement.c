/* SPDX-License-Identifier: MIT */
/* Is what a mechanism states about its closed form true? Configs over all parameters, drawn into
 * the region of the statement, answered by both models. 10 of them must not contradict it; with
 * MEMSWEEP_FULL=1 there are 200, and the error that the stated share of them stays within lies
 * between half the tolerance and the tolerance: a loose statement is false, too. */
#include "space_sample.h"
#include "testing.h"

#include "memsweep/mech/stated.h"

enum {
    CONFIGS = 10,
    CONFIGS_PLANTED = 20,
    CONFIGS_FULL = 200,
    CONFIGS_EXACT = 5, /* where all that is stated is equality */
    DRAWS = 400,
    WORKLOADS = 64,
    DROP_EVERY = 16,
    STATEMENTS = 4
};
#define EXACT  1e-9 /* tolerances up to here are of closed forms that are exact: no lower bound */
#define BUDGET 40000000 /* events of one point */
#define SEED   42

typedef struct counts {
    size_t drawn;    /* could be answered */
    size_t inside;   /* of these, in the region */
    size_t within;   /* of the compared ones */
    size_t compared; /* asked of both models */
    double errors[CONFIGS_FULL];
} counts;

/* Statements that are made under one condition are measured with the same configs. */
typedef struct group {
    size_t count;
    const msw_agreement *list[STATEMENTS];
    int metrics[STATEMENTS];
    counts counts[STATEMENTS];
} group;

typedef struct subject {
    const msw_mech *mech;
    group *group;
    size_t wanted, workload_count;
    direct workloads[WORKLOADS];
    msw_stated_region *region;
} subject;

static void open_one(subject *s, const char *name)
{
    msw_err err = {0};
    assert_true(s->workload_count < WORKLOADS);
    direct *d = &s->workloads[s->workload_count++];
    assert_ok(direct_open(d, s->mech, name, &err), err);
    d->task.event_budget = BUDGET;
}

/* Names in the statement that are no globs and in no list: with sizes of their own. */
static void open_named(subject *s, const char *list)
{
    for (const char *at = list; at && *at; at += strspn(at, ", ")) {
        char name[128];
        size_t size = strcspn(at, ", ");
        bool known = false;
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        for (size_t w = 0; w < s->workload_count; w++)
            known = known || strcmp(s->workloads[w].workload.name, name) == 0;
        if (!known && !strpbrk(name, "*?[")) {
            assert_true(msw_stated_workload(s->group->list[0], name));
            open_one(s, name);
            if (s->group->list[0]->measured && !getenv("MEMSWEEP_FULL"))
                return;
        }
        at += size;
    }
}

/* Names of the lists of all front ends whose product the mechanism accepts. */
static void open_workloads(subject *s)
{
    const msw_agreement *stated = s->group->list[0];
    for (size_t f = 0; msw_frontends[f] && !stated->measured; f++) {
        const char *const *names = msw_frontends[f]->names;
        for (size_t i = 0; (msw_frontends[f]->product & s->mech->accepts) && names[i]; i++) {
            if (!msw_stated_workload(stated, names[i]))
                continue;
            open_one(s, names[i]);
        }
    }
    open_named(s, stated->measured ? stated->measured : stated->workloads);
    if (s->workload_count == 0)
        fail_msg("%s: no workload is called '%s'", s->mech->name, stated->workloads);
}

static void open_subject(subject *s, const msw_mech *mech, group *g, size_t wanted)
{
    msw_err err = {0};
    *s = (subject){.mech = mech, .group = g, .wanted = wanted};
    assert_ok(msw_stated_open(mech, g->list[0], &s->region, &err), err);
    open_workloads(s);
}

static void close_subject(subject *s)
{
    for (size_t w = 0; w < s->workload_count; w++)
        direct_close(&s->workloads[w]);
    msw_stated_close(s->region);
}

static double error_of(double analytic, double full)
{
    return analytic == full ? 0 : fabs(analytic - full) / fabs(full);
}

/* Fills the metrics of the group. Returns whether all are there. */
static bool answers(const group *g, direct *d, msw_fidelity fidelity, double *values)
{
    direct_run(d, fidelity, 1);
    bool all = d->answer.status == MSW_OK;
    for (size_t i = 0; i < g->count; i++) {
        values[i] = d->metrics[g->metrics[i]];
        all = all && !isnan(values[i]);
    }
    return all;
}

static void add_errors(group *g, const double *analytic, const double *full)
{
    for (size_t i = 0; i < g->count; i++) {
        counts *c = &g->counts[i];
        double error = error_of(analytic[i], full[i]);
        c->within += error <= g->list[i]->tolerance;
        c->errors[c->compared++] = error;
    }
}

/* Parameters that the statement holds at their neutral values are not drawn. */
static void hold_neutral(const msw_agreement *stated, direct *d)
{
    for (const char *const *name = stated->neutral; name && *name; name++)
        for (const msw_param *p = d->mech->params; p->name; p++)
            if (strcmp(p->name, *name) == 0)
                msw_param_set(p, d->config, msw_param_neutral(p));
}

/* One draw: counted when it can be answered (outside the region: when its rules allow it, which is
 * nearly the same and takes no time), compared when it lies in the region. */
static void try_config(subject *s, direct *d, uint64_t draw)
{
    msw_err err = {0};
    double analytic[STATEMENTS], full[STATEMENTS];
    space_draw(d, SEED, draw);
    hold_neutral(s->group->list[0], d);
    if (s->mech->check && s->mech->check(d->config, &err))
        return;
    int holds = msw_stated_holds(s->region, d->config, d->workload.name, &err);
    if (holds < 0)
        fail_msg("%s", err.text);
    if (holds && !answers(s->group, d, MSW_ANALYTIC, analytic))
        return;
    for (size_t i = 0; i < s->group->count; i++) {
        s->group->counts[i].drawn++;
        s->group->counts[i].inside += holds == 1;
    }
    if (holds && answers(s->group, d, MSW_FULL, full))
        add_errors(s->group, analytic, full);
}

/* The workloads take turns. */
static void draw_all(subject *s)
{
    for (uint64_t draw = 0; s->group->counts->compared < s->wanted && draw < DRAWS * s->wanted;
         draw++) {
        direct *d = &s->workloads[draw % s->workload_count];
        if (draw / s->workload_count % DROP_EVERY == 0)
            direct_drop_artifacts(d);
        try_config(s, d, draw);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile_of(counts *c, double quantile)
{
    qsort(c->errors, c->compared, sizeof *c->errors, compare);
    size_t rank = (size_t)ceil(quantile * (double)c->compared);
    return c->errors[rank ? rank - 1 : 0];
}

/* Why the counts contradict the statement, or NULL. */
static const char *contradiction(const msw_agreement *a, counts *c)
{
    double measured = quantile_of(c, a->quantile), share = (double)c->inside / (double)c->drawn;
    double width = 2.6 * sqrt(a->share * (1 - a->share) / (double)c->drawn) + 0.02;
    if (msw_stated_broken(a, c->within, c->compared))
        return "fewer are within the tolerance than stated";
    if (fabs(share - a->share) > width)
        return "the region holds another share of the space";
    if (c->compared < CONFIGS_FULL || a->tolerance <= EXACT)
        return NULL;
    if (measured > a->tolerance)
        return "the quantile is above the tolerance";
    return measured < a->tolerance / 2 ? "the tolerance is more than twice the quantile" : NULL;
}

static void print_counts(const msw_mech *mech, const msw_agreement *a, counts *c, const char *why)
{
    print_message(
        "%s %s: %zu of %zu within %g; quantile %g of the errors is %.3g; %.3f of the space "
        "(stated %g)%s%s\n",
        mech->name, a->metric, c->within, c->compared, a->tolerance, a->quantile,
        quantile_of(c, a->quantile), (double)c->inside / (double)c->drawn, a->share,
        why ? ": " : "", why ? why : "");
}

/* Returns why the last false statement of the group is false, or NULL. */
static const char *measure(const msw_mech *mech, group *g, size_t wanted)
{
    const char *bad = NULL;
    subject *s = malloc(sizeof *s);
    assert_non_null(s);
    open_subject(s, mech, g, wanted);
    draw_all(s);
    close_subject(s);
    free(s);
    for (size_t i = 0; i < g->count; i++) {
        counts *c = &g->counts[i];
        const char *why =
            c->compared < wanted ? "too few can be answered" : contradiction(g->list[i], c);
        print_counts(mech, g->list[i], c, why);
        bad = why ? why : bad;
    }
    return bad;
}

static void add_statement(group *g, const msw_mech *mech, const msw_agreement *a)
{
    assert_true(g->count < STATEMENTS);
    g->metrics[g->count] = msw_metrics_find(mech->metrics, a->metric);
    g->list[g->count++] = a;
}

static bool alike(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Gathers those under the condition of `first`. Returns 0 where one before it has that. */
static size_t gather(const msw_mech *mech, const msw_agreement *first, group *g)
{
    *g = (group){0};
    for (const msw_agreement *a = mech->agreement; a->metric; a++) {
        if (!alike(a->region, first->region) || !alike(a->workloads, first->workloads) ||
            !alike(a->measured, first->measured) || a->neutral != first->neutral)
            continue;
        if (a < first)
            return 0;
        add_statement(g, mech, a);
    }
    return g->count;
}

static size_t wanted_of(const group *g)
{
    if (getenv("MEMSWEEP_FULL"))
        return CONFIGS_FULL;
    for (size_t i = 0; i < g->count; i++)
        if (g->list[i]->tolerance > EXACT)
            return CONFIGS;
    return CONFIGS_EXACT;
}

static void analytic_agrees_as_stated(void **state)
{
    (void)state;
    const char *only = getenv("MEMSWEEP_AGREEMENT_OF");
    size_t bad = 0;
    for (size_t m = 0; msw_mechs[m]; m++)
        for (const msw_agreement *a = msw_mechs[m]->agreement; a && a->metric; a++) {
            if (only && strcmp(only, msw_mechs[m]->name) != 0)
                continue;
            group g;
            if (gather(msw_mechs[m], a, &g))
                bad += measure(msw_mechs[m], &g, wanted_of(&g)) != NULL;
        }
    assert_int_equal(bad, 0);
}

/* ---- a false statement is found ---- */

/* The closed form of null, 85 % off. */
static int wrong_form(const msw_task *task, double *metrics, msw_err *err)
{
    int result = msw_mech_find("null")->analytic(task, metrics, err);
    metrics[msw_metrics_find(task->mech->metrics, "cycles")] *= 1.85;
    return result;
}

static void a_closed_form_that_is_off_fails(void **state)
{
    (void)state;
    const msw_agreement stated = {
        .metric = "cycles", .quantile = 0.95, .tolerance = 0.3, .share = 1};
    msw_mech toy = *msw_mech_find("null");
    group g = {0};
    add_statement(&g, &toy, &stated);
    assert_null(measure(&toy, &g, CONFIGS_PLANTED));
    g = (group){0};
    add_statement(&g, &toy, &stated);
    toy.analytic = wrong_form;
    assert_string_equal(measure(&toy, &g, CONFIGS_PLANTED),
                        "fewer are within the tolerance than stated");
    assert_int_equal(g.counts->within, 0);
}

/* Errors of 0.1 %, 0.2 %, ... 20 %: the quantile 0.9 is 18 %. */
static const char *judge(size_t n, double tolerance, double share)
{
    const msw_agreement stated = {
        .metric = "cycles", .quantile = 0.9, .tolerance = tolerance, .share = share};
    counts c = {.drawn = 1000, .inside = 800, .compared = n};
    for (size_t i = 0; i < n; i++) {
        c.errors[i] = 0.2 * (double)(i + 1) / (double)n;
        c.within += c.errors[i] <= tolerance;
    }
    return contradiction(&stated, &c);
}

static void half_and_double_tolerances_fail(void **state)
{
    (void)state;
    assert_null(judge(CONFIGS_FULL, 0.2, 0.8));
    assert_string_equal(judge(CONFIGS_FULL, 0.1, 0.8),
                        "fewer are within the tolerance than stated");
    assert_string_equal(judge(CONFIGS_FULL, 0.17, 0.8), "the quantile is above the tolerance");
    assert_string_equal(judge(CONFIGS_FULL, 0.4, 0.8),
                        "the tolerance is more than twice the quantile");
    assert_string_equal(judge(CONFIGS_FULL, 0.2, 0.5),
                        "the region holds another share of the space");
    assert_string_equal(judge(CONFIGS_PLANTED, 0.1, 0.8),
                        "fewer are within the tolerance than stated");
    assert_null(judge(CONFIGS_PLANTED, 0.4, 0.8)); /* few configs cannot tell that */
}

/* Known values: of 30 at 0.9, 22 or fewer have a chance of 0.00778 and 23 or fewer one of 0.0258;
 * of 200 at 0.9, 169 or fewer 0.00951 and 170 or fewer 0.0163 (sums of binomial terms). */
static void counts_contradict_at_one_per_cent(void **state)
{
    (void)state;
    const msw_agreement stated = {.quantile = 0.9}, all = {.quantile = 1};
    assert_true(msw_stated_broken(&stated, 22, 30));
    assert_false(msw_stated_broken(&stated, 23, 30));
    assert_true(msw_stated_broken(&stated, 0, 30));
    assert_false(msw_stated_broken(&stated, 30, 30));
    assert_true(msw_stated_broken(&stated, 169, 200));
    assert_false(msw_stated_broken(&stated, 170, 200));
    assert_false(msw_stated_broken(&stated, 0, 0));
    assert_true(msw_stated_broken(&all, 199, 200));
    assert_false(msw_stated_broken(&all, 200, 200));
}

static void refuses(const msw_agreement *stated, const char *what)
{
    const msw_agreement list[] = {*stated, {0}};
    msw_mech mech = *msw_mech_find("null");
    msw_err err = {0};
    mech.agreement = list;
    assert_int_equal(msw_mech_check(&mech, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static void unsound_statements_are_refused(void **state)
{
    (void)state;
    const msw_agreement good = {.metric = "cycles",
                                .quantile = 0.9,
                                .tolerance = 0.1,
                                .region = "gain < 2",
                                .share = 0.4,
                                .argued = "a test"};
    msw_agreement bad = good;
    bad.metric = "cycle";
    refuses(&bad, "no such metric");
    bad = good, bad.argued = NULL;
    refuses(&bad, "less than half of the space");
    bad = good, bad.quantile = 0;
    refuses(&bad, "quantile is above 0");
    bad = good, bad.share = 0;
    refuses(&bad, "share is above 0");
    bad = good, bad.tolerance = 0;
    refuses(&bad, "tolerance is above 0");
    static const char *const UNKNOWN[] = {"gian", NULL}, *const WITHOUT[] = {"function", NULL};
    bad = good, bad.neutral = UNKNOWN;
    refuses(&bad, "no parameter 'gian'");
    bad = good, bad.neutral = WITHOUT;
    refuses(&bad, "has no neutral value");
    bad = good, bad.region = "gian < 2";
    refuses(&bad, "did you mean 'gain'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsound_statements_are_refused),
        cmocka_unit_test(counts_contradict_at_one_per_cent),
        cmocka_unit_test(half_and_double_tolerances_fail),
        cmocka_unit_test(a_closed_form_that_is_off_fails),
        cmocka_unit_test(analytic_agrees_as_stated),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}

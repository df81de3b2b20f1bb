/* SPDX-License-Identifier: MIT */
/* Is what a mechanism states about its closed form true, and does it say something? Configs over
 * all parameters, drawn into the region of the statement, answered by both models, until Wald's
 * test decides (msw_stated_test: 10 to 60 draws). A loose statement is false, too: where half the
 * tolerance holds for all draws, 60 are made; so is one that a constant meets, one whose region
 * lets in what it says is left at its neutral value, and none at all about what the mechanism
 * settles on. With MEMSWEEP_FULL=1 there are 200 draws, and the error that the stated share of
 * them stays within lies between half the tolerance and the tolerance. */
#include "space_sample.h"
#include "testing.h"

#include "memsweep/mech/stated.h"

enum {
    CONFIGS_FULL = 200,
    CONFIGS_LEAST = 10,
    DRAWS = 400,
    WORKLOADS = 64,
    DROP_EVERY = 16,
    STATEMENTS = 4
};
#define EXACT       1e-9 /* tolerances up to here are of closed forms that are exact: no lower bound */
#define BUDGET      4000000 /* events of one point; of the long form more */
#define BUDGET_FULL 40000000
#define SEED        42

typedef struct counts {
    size_t drawn;    /* could be answered */
    size_t inside;   /* of these, in the region */
    size_t within;   /* of the compared ones */
    size_t compared; /* asked of both models */
    size_t near;     /* of these, within half the tolerance */
    double errors[CONFIGS_FULL], full[CONFIGS_FULL];
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
    bool to_end; /* all draws of the long form */
    size_t workload_count;
    const char *loose_region; /* a parameter that the region should hold at its neutral value */
    direct workloads[WORKLOADS];
    msw_stated_region *region;
} subject;

static void open_one(subject *s, const char *name)
{
    msw_err err = {0};
    assert_true(s->workload_count < WORKLOADS);
    direct *d = &s->workloads[s->workload_count++];
    assert_ok(direct_open(d, s->mech, name, &err), err);
    d->task.event_budget = getenv("MEMSWEEP_FULL") ? BUDGET_FULL : BUDGET;
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

static void open_subject(subject *s, const msw_mech *mech, group *g, bool to_end)
{
    msw_err err = {0};
    *s = (subject){.mech = mech, .group = g, .to_end = to_end};
    assert_ok(msw_stated_open(mech, g->list[0], &s->region, &err), err);
    open_workloads(s);
}

static void close_subject(subject *s)
{
    for (size_t w = 0; w < s->workload_count; w++)
        direct_close(&s->workloads[w]);
    msw_stated_close(s->region);
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
        double error = msw_stated_error(g->list[i], analytic[i], full[i]);
        c->within += error <= g->list[i]->tolerance;
        c->near += error <= g->list[i]->tolerance / 2;
        c->full[c->compared] = full[i];
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

/* Whether the region keeps a parameter, in turn, from leaving its neutral value. */
static void try_region(subject *s, const direct *d, uint64_t draw)
{
    const char *const *names = s->group->list[0]->neutral;
    size_t count = 0;
    msw_err err = {0};
    while (names && names[count])
        count++;
    if (!count)
        return;
    const msw_param *p = msw_params_find(s->mech->params, names[draw % count]);
    double neutral = msw_param_neutral(p), other = msw_param_draw(p, 0.999);
    other = other == neutral ? msw_param_draw(p, 0) : other;
    msw_param_set(p, d->config, other);
    if (other != neutral && msw_stated_holds(s->region, d->config, d->workload.name, &err) == 1)
        s->loose_region = p->name;
    msw_param_set(p, d->config, neutral);
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
    if (holds)
        try_region(s, d, draw);
    if (holds && !answers(s->group, d, MSW_ANALYTIC, analytic))
        return;
    for (size_t i = 0; i < s->group->count; i++) {
        s->group->counts[i].drawn++;
        s->group->counts[i].inside += holds == 1;
    }
    if (holds && answers(s->group, d, MSW_FULL, full))
        add_errors(s->group, analytic, full);
}

/* Far more of the draws are near than a statement that is not loose allows. */
static bool is_loose(const msw_agreement *a, const counts *c)
{
    double worst = 0;
    for (size_t i = 0; i < c->compared; i++)
        worst = fmax(worst, c->errors[i]);
    return a->tolerance > EXACT && c->near == c->compared &&
           (pow(a->quantile, (double)c->compared) < 0.01 || worst <= a->tolerance / 10);
}

static bool is_constant(const msw_agreement *a, const counts *c)
{
    return a->tolerance > EXACT && msw_stated_constant(a, c->full, c->compared) >= a->quantile;
}

static bool is_decided(const msw_agreement *a, const counts *c)
{
    msw_stated_verdict verdict = msw_stated_test(a, c->within, c->compared);
    if (c->compared < CONFIGS_LEAST || verdict == MSW_STATED_OPEN)
        return false;
    return verdict == MSW_STATED_FALSE || a->tolerance <= EXACT ||
           (c->near < c->compared && !is_constant(a, c));
}

static bool is_done(const subject *s)
{
    size_t compared = s->group->counts->compared;
    bool decided = !s->to_end;
    if (s->loose_region && compared >= CONFIGS_LEAST)
        return true;
    for (size_t i = 0; decided && i < s->group->count; i++)
        decided = is_decided(s->group->list[i], &s->group->counts[i]);
    return decided || compared == (size_t)(s->to_end ? CONFIGS_FULL : MSW_STATED_DRAWS);
}

/* The workloads take turns. */
static void draw_all(subject *s)
{
    for (uint64_t draw = 0; !is_done(s) && draw < DRAWS * MSW_STATED_DRAWS; draw++) {
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
    if (c->compared == CONFIGS_FULL
            ? msw_stated_broken(a, c->within, c->compared)
            : msw_stated_test(a, c->within, c->compared) == MSW_STATED_FALSE)
        return "fewer are within the tolerance than stated";
    if (is_loose(a, c))
        return "all are within half the tolerance";
    if (is_constant(a, c))
        return "a constant meets it";
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
        "%s %s: %zu of %zu within %g (a constant: %.2f); quantile %g of the errors is %.3g; %.3f "
        "of the space (stated %g)%s%s\n",
        mech->name, a->metric, c->within, c->compared, a->tolerance,
        msw_stated_constant(a, c->full, c->compared), a->quantile, quantile_of(c, a->quantile),
        (double)c->inside / (double)c->drawn, a->share, why ? ": " : "", why ? why : "");
}

/* Returns why the last false statement of the group is false, or NULL. */
static const char *measure(const msw_mech *mech, group *g, bool to_end)
{
    const char *bad = NULL;
    subject *s = malloc(sizeof *s);
    assert_non_null(s);
    open_subject(s, mech, g, to_end);
    draw_all(s);
    for (size_t i = 0; i < g->count; i++) {
        counts *c = &g->counts[i];
        const char *why =
            c->compared < CONFIGS_LEAST ? "too few can be answered" : contradiction(g->list[i], c);
        why = s->loose_region ? "the region lets in what is not neutral" : why;
        print_counts(mech, g->list[i], c, why);
        bad = why ? why : bad;
    }
    close_subject(s);
    free(s);
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

/* What a mechanism settles on is what people sweep with. Returns why it says too little, or NULL.
 */
static const char *silence(const msw_mech *mech)
{
    return msw_stated_find(mech, mech->primary) ? NULL : "nothing is stated of what it settles on";
}

static void analytic_agrees_as_stated(void **state)
{
    (void)state;
    const char *only = getenv("MEMSWEEP_AGREEMENT_OF");
    size_t bad = 0;
    for (size_t m = 0; msw_mechs[m]; m++) {
        const msw_mech *mech = msw_mechs[m];
        if (only && strcmp(only, mech->name) != 0)
            continue;
        if (silence(mech))
            print_message("%s: %s\n", mech->name, silence(mech));
        bad += silence(mech) != NULL;
        for (const msw_agreement *a = mech->agreement; a && a->metric; a++) {
            group g;
            if (gather(mech, a, &g))
                bad += measure(mech, &g, getenv("MEMSWEEP_FULL") != NULL) != NULL;
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- a false statement is found ---- */

/* The same number whatever is asked. */
static double the_answer = 1;

static int one_answer(const msw_task *task, double *metrics, msw_err *err)
{
    int result = msw_mech_find("null")->analytic(task, metrics, err);
    metrics[msw_metrics_find(task->mech->metrics, "cycles")] = the_answer;
    return result;
}

/* The closed form of null, 85 % off. */
static int wrong_form(const msw_task *task, double *metrics, msw_err *err)
{
    int result = msw_mech_find("null")->analytic(task, metrics, err);
    metrics[msw_metrics_find(task->mech->metrics, "cycles")] *= 1.85;
    return result;
}

static const char *try_one(const msw_mech *toy, const msw_agreement *stated, group *g)
{
    *g = (group){0};
    add_statement(g, toy, stated);
    return measure(toy, g, false);
}

static void a_closed_form_that_is_off_fails(void **state)
{
    (void)state;
    const msw_agreement stated = {
        .metric = "cycles", .quantile = 0.95, .tolerance = 0.06, .share = 1};
    msw_mech toy = *msw_mech_find("null");
    group g;
    assert_null(try_one(&toy, &stated, &g));
    toy.analytic = wrong_form;
    assert_string_equal(try_one(&toy, &stated, &g), "fewer are within the tolerance than stated");
    assert_int_equal(g.counts->within, 0);
}

/* A closed form that is exact and states 50 %; a tolerance so wide that one number is within it of
 * all answers; a region that says nothing of what is called neutral; no word at all. */
static void statements_that_say_nothing_are_refused(void **state)
{
    (void)state;
    static const char *const NEUTRAL[] = {"gain", NULL};
    const msw_agreement exact = {.metric = "work", .quantile = 0.9, .tolerance = 0.5, .share = 1};
    const msw_agreement wide = {.metric = "cycles", .quantile = 0.3, .tolerance = 0.5, .share = 1};
    const msw_agreement held = {.metric = "cycles",
                                .workloads = "synth/even",
                                .quantile = 0.95,
                                .tolerance = 0.06,
                                .region = "carry >= 0",
                                .share = 1,
                                .neutral = NEUTRAL};
    msw_mech toy = *msw_mech_find("null");
    group g;
    assert_string_equal(try_one(&toy, &exact, &g), "all are within half the tolerance");
    assert_string_equal(try_one(&toy, &held, &g), "the region lets in what is not neutral");
    toy.analytic = one_answer;
    try_one(&toy, &wide, &g); /* says what is asked for; then half of them lie near one of these */
    qsort(g.counts->full, g.counts->compared, sizeof(double), compare);
    the_answer = g.counts->full[g.counts->compared / 2];
    assert_string_equal(try_one(&toy, &wide, &g), "a constant meets it");
    assert_null(silence(&toy));
    toy.agreement = NULL;
    assert_non_null(silence(&toy));
}

/* Adds up the chances of all ways that a test can take. */
static double chance_of_refusal(double quantile, double holds, double *draws)
{
    double open[MSW_STATED_DRAWS + 2] = {1}, refused = 0;
    const msw_agreement stated = {.quantile = quantile};
    *draws = 0;
    for (size_t n = 1; n <= MSW_STATED_DRAWS; n++) {
        for (size_t k = n + 1; k-- > 0;) {
            double chance = open[k] * (1 - holds) + (k ? open[k - 1] * holds : 0);
            msw_stated_verdict verdict = msw_stated_test(&stated, k, n);
            open[k] = verdict == MSW_STATED_OPEN ? chance : 0;
            refused += verdict == MSW_STATED_FALSE ? chance : 0;
            *draws += verdict == MSW_STATED_OPEN ? 0 : (double)n * chance;
        }
    }
    return refused;
}

/* A statement of 90 % that held for 70 % was refused with a chance of 0.15. */
static void false_statements_are_refused_and_true_ones_stand(void **state)
{
    (void)state;
    static const double QUANTILES[] = {0.5, 0.7, 0.75, 0.8, 0.9, 0.95};
    double draws;
    assert_true(chance_of_refusal(0.9, 0.7, &draws) >= 0.9);
    assert_true(chance_of_refusal(0.9, 0.9, &draws) <= 0.015 && draws < 30);
    for (size_t i = 0; i < sizeof QUANTILES / sizeof *QUANTILES; i++) {
        double q = QUANTILES[i];
        assert_true(chance_of_refusal(q, q, &draws) <= 0.028);
        assert_true(chance_of_refusal(q, q - 0.2, &draws) >= 0.85);
        assert_true(chance_of_refusal(q, fmin(q + 0.1, 1), &draws) <= 0.002);
    }
    assert_near(chance_of_refusal(1, 0.9, &draws), 1 - pow(0.9, 12), 1e-9);
}

/* Errors of 0.1 %, 0.2 %, ... 20 %: the quantile 0.9 is 18 %. */
static const char *judge(size_t n, double tolerance, double share)
{
    const msw_agreement stated = {
        .metric = "cycles", .quantile = 0.9, .tolerance = tolerance, .share = share};
    counts c = {.drawn = 1000, .inside = 800, .compared = n};
    for (size_t i = 0; i < n; i++) {
        c.errors[i] = 0.2 * (double)(i + 1) / (double)n;
        c.full[i] = ldexp(1, (int)i);
        c.within += c.errors[i] <= tolerance;
        c.near += c.errors[i] <= tolerance / 2;
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
    assert_string_equal(judge(CONFIGS_FULL, 0.4, 0.8), "all are within half the tolerance");
    assert_string_equal(judge(CONFIGS_FULL, 0.2, 0.5),
                        "the region holds another share of the space");
    assert_string_equal(judge(20, 0.1, 0.8), "fewer are within the tolerance than stated");
    assert_null(judge(20, 0.3, 0.8)); /* few configs cannot tell that */
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
        cmocka_unit_test(statements_that_say_nothing_are_refused),
        cmocka_unit_test(false_statements_are_refused_and_true_ones_stand),
        cmocka_unit_test(analytic_agrees_as_stated),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}

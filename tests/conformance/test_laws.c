/* SPDX-License-Identifier: MIT */
/* Do the laws that a mechanism declares hold between its answers? Configs over all parameters, each
 * answered as drawn and changed as the law says. 8 pairs a law; with MEMSWEEP_FULL=1 there are
 * 200, and an exception that no longer occurs is false, too. */
#include "space_sample.h"
#include "testing.h"

#include "laws.h"

enum {
    PAIRS = 6,
    PAIRS_PLANTED = 16,
    PAIRS_FULL = 200,
    DRAWS = 800,
    WORKLOADS = 16,
    LAWS = 80,
    ENTRIES = 8192,
    STARTS = 16,
    KEPT = 4 /* violations shown of a law */
};
#define BUDGET 1000000 /* events of one point */
#define SEED   42

typedef struct violation {
    uint64_t draw;
    char workload[64], config[2048];
    double value, than;
} violation;

typedef struct counts {
    size_t tried, violated;
    double worst; /* relative difference of a pair that violates the law */
    violation kept[KEPT];
} counts;

/* Answers before the change, which many laws start from: one for each list of what is fixed. */
typedef struct answers {
    size_t count;
    struct {
        const msw_law_change *fixed;
        msw_fidelity fidelity;
        bool good;
        double metrics[MSW_METRICS_MAX];
    } list[STARTS];
} answers;

typedef struct subject {
    const msw_mech *mech;
    size_t law_count, wanted;
    msw_law_trial *trials[LAWS];
    counts counts[LAWS];
    char config[4096], workload_config[MSW_FRONTEND_CONFIG_MAX]; /* as drawn */
} subject;

typedef struct workload_list {
    size_t count;
    direct list[WORKLOADS];
} workload_list;

/* ---- workloads ---- */

static void add_workload(workload_list *list, const msw_mech *mech, const char *name)
{
    msw_err err = {0};
    assert_true(list->count < WORKLOADS);
    direct *d = &list->list[list->count++];
    assert_ok(direct_open(d, mech, name, &err), err);
    d->task.event_budget = BUDGET;
}

/* Names or paths, with commas. */
static void open_workloads(workload_list *list, const msw_mech *mech, const char *names)
{
    list->count = 0;
    for (const char *at = names; *at;) {
        char name[128];
        size_t size = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        add_workload(list, mech, name);
        at += size;
        at += strspn(at, ", ");
    }
}

static void close_workloads(workload_list *list)
{
    for (size_t w = 0; w < list->count; w++)
        direct_close(&list->list[w]);
}

/* ---- one pair ---- */

static msw_law_side side_of(direct *d)
{
    return (msw_law_side){d->mech, &d->workload, d->config, d->workload.config};
}

static void keep_config(subject *s, const direct *d)
{
    memcpy(s->config, d->config, s->mech->config_size);
    memcpy(s->workload_config, d->workload.config, sizeof s->workload_config);
}

static void restore_config(const subject *s, direct *d)
{
    memcpy(d->config, s->config, s->mech->config_size);
    memcpy(d->workload.config, s->workload_config, sizeof s->workload_config);
}

static bool may_stand(const direct *d)
{
    msw_err err = {0};
    return !d->mech->check || d->mech->check(d->config, &err) == 0;
}

static bool answer(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    return d->answer.status == MSW_OK;
}

/* The answer before the change. Returns its metrics, or NULL where there is none. */
static const double *answer_first(direct *d, const msw_law *law, answers *first)
{
    size_t i = 0;
    while (i < first->count &&
           (first->list[i].fixed != law->fixed || first->list[i].fidelity != law->fidelity))
        i++;
    if (i == first->count) {
        assert_true(first->count++ < STARTS);
        first->list[i].fixed = law->fixed;
        first->list[i].fidelity = law->fidelity;
        first->list[i].good = answer(d, law->fidelity);
        memcpy(first->list[i].metrics, d->metrics, sizeof d->metrics);
    }
    return first->list[i].good ? first->list[i].metrics : NULL;
}

/* Fills in what is compared. Returns whether both configs can be answered. */
static bool compare(direct *d, const msw_law *law, msw_law_trial *trial, answers *first,
                    double *value, double *than)
{
    msw_err err = {0};
    msw_law_side side = side_of(d);
    int metric = msw_metrics_find(d->mech->metrics, law->metric);
    if (msw_law_set(law->fixed, &side) < 0 || !may_stand(d))
        return false;
    int applies = msw_law_applies(trial, &side, &err);
    if (applies < 0)
        fail_msg("%s", err.text);
    const double *metrics = applies ? answer_first(d, law, first) : NULL;
    if (!metrics)
        return false;
    assert_ok(msw_law_than(trial, &side, metrics, than, &err), err);
    *value = metrics[metric];
    if (law->change) {
        if (msw_law_set(law->change, &side) != 1 || !may_stand(d) || !answer(d, law->fidelity))
            return false;
        *value = d->metrics[metric];
    }
    return !isnan(*value) && !isnan(*than);
}

/* All parameters of the config before the change, for whoever looks into it. */
static void print_config(const msw_param *params, const void *config, char *out, size_t size)
{
    char value[MSW_PARAM_TEXT];
    size_t at = 0;
    for (const msw_param *p = params; p->name && at < size; p++)
        at += (size_t)snprintf(out + at, size - at, " %s=%s", p->name,
                               msw_param_print(p, msw_param_get(p, config), value));
}

static void keep_violation(subject *s, violation *v, const direct *d, uint64_t draw)
{
    v->draw = draw;
    snprintf(v->workload, sizeof v->workload, "%s", d->workload.name);
    print_config(s->mech->params, s->config, v->config, sizeof v->config);
}

static void try_law(subject *s, size_t l, direct *d, uint64_t draw, answers *first)
{
    const msw_law *law = &s->mech->laws[l];
    counts *c = &s->counts[l];
    double value, than;
    bool compared = compare(d, law, s->trials[l], first, &value, &than);
    restore_config(s, d);
    if (!compared)
        return;
    c->tried++;
    if (msw_law_holds(law, value, than))
        return;
    c->worst = fmax(c->worst, fabs(value - than) / fabs(than));
    if (c->violated++ < KEPT) {
        violation *v = &c->kept[c->violated - 1];
        keep_violation(s, v, d, draw);
        v->value = value;
        v->than = than;
    }
}

/* ---- all laws of a mechanism ---- */

static bool alike(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Tries the laws on one list of workloads that want more pairs. Returns whether any does. */
static bool try_laws(subject *s, const char *workloads, direct *d, uint64_t draw)
{
    bool more = false;
    answers *first = calloc(1, sizeof *first);
    assert_non_null(first);
    keep_config(s, d);
    for (size_t l = 0; l < s->law_count; l++) {
        if (!alike(s->mech->laws[l].workloads, workloads) || s->counts[l].tried >= s->wanted)
            continue;
        try_law(s, l, d, draw, first);
        more = more || s->counts[l].tried < s->wanted;
    }
    free(first);
    return more;
}

/* Tables far larger than what these workloads touch differ in the time they take to clear only. */
static void cap_entries(direct *d)
{
    for (const msw_param *p = d->mech->params; p->name; p++)
        if (p->kind == MSW_INTEGER && p->scale == MSW_POW2 && p->max > ENTRIES &&
            msw_param_get(p, d->config) > ENTRIES && !p->max_word)
            msw_param_set(p, d->config, ENTRIES);
}

/* The workloads take turns. */
static void try_workloads(subject *s, const char *workloads)
{
    workload_list *list = malloc(sizeof *list);
    bool more = true;
    assert_non_null(list);
    open_workloads(list, s->mech,
                   workloads                ? workloads
                   : s->mech->law_workloads ? s->mech->law_workloads
                                            : s->mech->default_workload);
    for (uint64_t draw = 0; more && draw < DRAWS * s->wanted; draw++) {
        direct *d = &list->list[draw % list->count];
        space_draw(d, SEED, draw);
        cap_entries(d);
        more = try_laws(s, workloads, d, draw);
        direct_drop_artifacts(d);
    }
    close_workloads(list);
    free(list);
}

/* Why the counts contradict the law, or NULL. */
static const char *contradiction(const msw_law *law, const counts *c, size_t wanted)
{
    if (c->tried < wanted)
        return "too few can be answered";
    if (msw_law_broken(law, c->violated, c->tried))
        return "more violate it than may";
    if (law->share > 0 && c->violated == 0 && wanted >= PAIRS_FULL)
        return "none violates it: the exception is gone";
    return NULL;
}

static void print_counts(const msw_mech *mech, const msw_law *law, const counts *c, const char *why)
{
    print_message("%s %s (%s): %zu of %zu violate it, by up to %.2g %%%s%s\n", mech->name,
                  law->name, msw_fidelity_name(law->fidelity), c->violated, c->tried,
                  100 * c->worst, why ? ": " : "", why ? why : "");
    for (size_t i = 0; (why || getenv("MEMSWEEP_SHOW")) && i < c->violated && i < KEPT; i++)
        print_message("    config %llu on %s: %s = %.9g, held against %.9g\n       %s\n",
                      (unsigned long long)c->kept[i].draw, c->kept[i].workload, law->metric,
                      c->kept[i].value, c->kept[i].than, c->kept[i].config);
}

static void open_laws(subject *s, const msw_mech *mech, size_t wanted)
{
    msw_err err = {0};
    *s = (subject){.mech = mech, .wanted = wanted};
    assert_true(mech->config_size <= sizeof s->config);
    for (; mech->laws && mech->laws[s->law_count].name; s->law_count++) {
        assert_true(s->law_count < LAWS);
        assert_ok(msw_law_open(mech, &mech->laws[s->law_count], &s->trials[s->law_count], &err),
                  err);
    }
}

static void try_all(subject *s)
{
    for (size_t l = 0; l < s->law_count; l++) {
        bool repeated = false;
        for (size_t k = 0; k < l; k++)
            repeated = repeated || alike(s->mech->laws[k].workloads, s->mech->laws[l].workloads);
        if (!repeated)
            try_workloads(s, s->mech->laws[l].workloads);
    }
}

/* Returns why the last contradicted law of a mechanism is, or NULL. */
static const char *measure(const msw_mech *mech, size_t wanted)
{
    const char *bad = NULL;
    size_t tried = 0, violated = 0;
    subject *s = malloc(sizeof *s);
    assert_non_null(s);
    open_laws(s, mech, wanted);
    try_all(s);
    for (size_t l = 0; l < s->law_count; l++) {
        const char *why = contradiction(&mech->laws[l], &s->counts[l], wanted);
        print_counts(mech, &mech->laws[l], &s->counts[l], why);
        tried += s->counts[l].tried;
        violated += s->counts[l].violated;
        bad = why ? why : bad;
        msw_law_close(s->trials[l]);
    }
    if (s->law_count)
        print_message("%s: %zu laws, %zu of %zu pairs violate one\n", mech->name, s->law_count,
                      violated, tried);
    free(s);
    return bad;
}

static void declared_laws_hold(void **state)
{
    (void)state;
    const char *only = getenv("MEMSWEEP_LAWS_OF");
    size_t bad = 0, wanted = getenv("MEMSWEEP_FULL") ? PAIRS_FULL : PAIRS;
    for (size_t m = 0; msw_mechs[m]; m++)
        if (!only || strcmp(only, msw_mechs[m]->name) == 0)
            bad += measure(msw_mechs[m], wanted) != NULL;
    assert_int_equal(bad, 0);
}

/* ---- what is wrong is found ---- */

/* The units of null, but three times as fast where gain is above 9. */
static int planted_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                           msw_unit_out *out, msw_err *err)
{
    const msw_mech *null = msw_mech_find("null");
    const msw_param *gain = msw_params_find(null->params, "gain");
    int result = null->measure(task, state, stratum, unit, out, err);
    if (msw_param_get(gain, task->config) > 9)
        out->totals[msw_metrics_find(null->metrics, "cycles")] /= 3;
    return result;
}

static const msw_law_change LONGER[] = {{.param = "gain", .times = 2}, {0}};
static const msw_law PLANTED = {.name = "longer_units",
                                .doc = "a test",
                                .fidelity = MSW_FULL,
                                .change = LONGER,
                                .metric = "cycles",
                                .relation = MSW_LAW_NOT_BELOW};

static const char *judge_null(const msw_law *law, bool planted)
{
    const msw_law laws[] = {*law, {0}};
    msw_mech toy = *msw_mech_find("null");
    toy.laws = laws;
    if (planted)
        toy.measure = planted_measure;
    return measure(&toy, PAIRS_PLANTED);
}

static void a_planted_violation_is_found(void **state)
{
    (void)state;
    msw_law law = PLANTED;
    assert_null(judge_null(&law, false));
    assert_string_equal(judge_null(&law, true), "more violate it than may");
    law.share = 0.5; /* about a quarter of doubled gains lie above 9 */
    law.exception = "planted";
    assert_null(judge_null(&law, true));
    law = PLANTED;
    law.relation = MSW_LAW_EQUAL;
    assert_string_equal(judge_null(&law, false), "more violate it than may");
    law.than = "busy";
    law.change =
        (const msw_law_change[]){{.param = "gain", .to = "1"}, {.param = "carry", .to = "0"}, {0}};
    assert_null(judge_null(&law, false));
    law.than = "busy * 1.001";
    assert_string_equal(judge_null(&law, false), "more violate it than may");
    law.tolerance = 0.01;
    assert_null(judge_null(&law, false));
    law.region = "gain > 1e6";
    assert_string_equal(judge_null(&law, false), "too few can be answered");
}

static void relations_have_tolerances(void **state)
{
    (void)state;
    const msw_law equal = {.relation = MSW_LAW_EQUAL, .tolerance = 0.01};
    const msw_law above = {.relation = MSW_LAW_NOT_ABOVE}, below = {.relation = MSW_LAW_NOT_BELOW};
    assert_true(msw_law_holds(&equal, 101, 100) && msw_law_holds(&equal, 99, 100));
    assert_false(msw_law_holds(&equal, 101.1, 100) || msw_law_holds(&equal, 98.9, 100));
    assert_true(msw_law_holds(&above, 100, 100) && msw_law_holds(&above, 1, 100));
    assert_false(msw_law_holds(&above, 100.001, 100));
    assert_true(msw_law_holds(&below, 100, 100) && msw_law_holds(&below, 1000, 100));
    assert_false(msw_law_holds(&below, 99.999, 100));
    assert_true(msw_law_holds(&above, 0, 0) && msw_law_holds(&equal, 0, 0));
}

/* Of 30 at 0.1, 7 or more have a chance of 0.0258 and 8 or more one of 0.00778. */
static void shares_break_at_one_per_cent(void **state)
{
    (void)state;
    const msw_law some = {.share = 0.1}, none = {0};
    assert_false(msw_law_broken(&some, 7, 30));
    assert_true(msw_law_broken(&some, 8, 30));
    assert_false(msw_law_broken(&none, 0, 30));
    assert_true(msw_law_broken(&none, 1, 200));
    const counts never = {.tried = PAIRS_FULL};
    assert_non_null(contradiction(&some, &never, PAIRS_FULL));
    assert_null(contradiction(&none, &never, PAIRS_FULL));
}

static void refuses(const msw_law *law, const char *what)
{
    const msw_law list[] = {*law, {0}};
    msw_mech mech = *msw_mech_find("null");
    msw_err err = {0};
    mech.laws = list;
    assert_int_equal(msw_mech_check(&mech, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static void unsound_laws_are_refused(void **state)
{
    (void)state;
    msw_law bad = PLANTED;
    bad.metric = "cycle";
    refuses(&bad, "a metric of the table");
    bad = PLANTED, bad.change = NULL;
    refuses(&bad, "nothing is changed");
    bad = PLANTED, bad.fidelity = MSW_SAMPLED;
    refuses(&bad, "analytic or full");
    bad = PLANTED, bad.share = 0.1;
    refuses(&bad, "`exception` go together");
    bad = PLANTED, bad.tolerance = -1;
    refuses(&bad, "tolerance is not below 0");
    bad = PLANTED, bad.change = (const msw_law_change[]){{.param = "gian", .times = 2}, {0}};
    refuses(&bad, "no parameter 'gian'");
    bad.change = (const msw_law_change[]){{.param = "gain"}, {0}};
    refuses(&bad, "`to` or `times`");
    bad.change = (const msw_law_change[]){{.param = "gain", .to = "much"}, {0}};
    refuses(&bad, "much");
    msw_law_trial *trial;
    msw_err err = {0};
    bad = PLANTED, bad.region = "gian > 1";
    assert_int_equal(msw_law_open(msw_mech_find("null"), &bad, &trial, &err), -1);
    assert_non_null(strstr(err.text, "did you mean 'gain'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsound_laws_are_refused),
        cmocka_unit_test(relations_have_tolerances),
        cmocka_unit_test(shares_break_at_one_per_cent),
        cmocka_unit_test(a_planted_violation_is_found),
        cmocka_unit_test(declared_laws_hold),
    };
    return cmocka_run_group_tests_name("laws", tests, NULL, NULL);
}

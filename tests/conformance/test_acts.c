/* SPDX-License-Identifier: MIT */
/* Where the condition of a parameter does not hold (`acts`), are all metrics the same bits whatever
 * its value? Configs over all parameters, in turns with such near the defaults; those that a
 * condition asks about are often at an end of their range. 3 pairs a parameter at the closed form
 * and 1 at full, which finds what acts often; with MEMSWEEP_FULL=1 there are 48 and 16. */
#include "space_sample.h"
#include "testing.h"

#include "memsweep/sweep/acting.h"

enum {
    PAIRS_CLOSED = 3,
    PAIRS_CYCLES = 1,
    MORE = 16, /* times as many with MEMSWEEP_FULL=1 */
    DRAWS = 400,
    WORKLOADS = 8,
    PARAMS = 256,
    ENTRIES = 8192
};
#define BUDGET 400000 /* events of one point */
#define SEED   43

/* One config, answered as it is at both fidelities where somebody asks. */
typedef struct answers {
    int status[MSW_FULL + 1]; /* 0: not asked, 1: there is one, -1: there is none */
    double metrics[MSW_FULL + 1][MSW_METRICS_MAX];
} answers;

typedef struct subject {
    const msw_mech *mech;
    msw_conditions *conditions;
    size_t more, load_count;
    direct loads[WORKLOADS];
    bool asked[PARAMS];                    /* some condition is about it */
    size_t compared[PARAMS][MSW_FULL + 1]; /* pairs of each parameter */
    char config[4096];                     /* as drawn */
    char wrong[256];                       /* the first condition that is not true */
} subject;

static size_t wanted(const subject *s, msw_fidelity fidelity)
{
    return s->more * (fidelity == MSW_FULL ? PAIRS_CYCLES : PAIRS_CLOSED);
}

/* ---- configs ---- */

static void open_loads(subject *s)
{
    const msw_mech *mech = s->mech;
    for (const char *at = mech->law_workloads ? mech->law_workloads : mech->default_workload; *at;
         at += strspn(at, ", ")) {
        char name[128];
        msw_err err = {0};
        size_t size = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        assert_true(s->load_count < WORKLOADS);
        direct *d = &s->loads[s->load_count++];
        assert_ok(direct_open(d, mech, name, &err), err);
        d->task.event_budget = BUDGET;
        at += size;
    }
}

static void open_subject(subject *s, const msw_mech *mech, size_t more)
{
    msw_err err = {0};
    *s = (subject){.mech = mech, .more = more};
    assert_true(mech->config_size <= sizeof s->config);
    assert_true(msw_params_count(mech->params) <= PARAMS);
    assert_ok(msw_conditions_new(mech->params, mech->name, &s->conditions, &err), err);
    for (size_t i = 0; mech->params[i].name; i++)
        for (const msw_param *p = mech->params; p->name && !s->asked[i]; p++)
            s->asked[i] = msw_conditions_ask(s->conditions, p->name, mech->params[i].name);
    open_loads(s);
}

static void close_subject(subject *s)
{
    for (size_t i = 0; i < s->load_count; i++)
        direct_close(&s->loads[i]);
    msw_conditions_free(s->conditions);
}

/* Ends of ranges are where "none of them" and "off" are. */
static void draw(const subject *s, direct *d, uint64_t number)
{
    msw_rng rng;
    msw_rng_init(&rng, SEED, number);
    for (size_t i = 0; s->mech->params[i].name; i++) {
        const msw_param *p = &s->mech->params[i];
        double end = msw_rng_uniform(&rng), value = msw_param_draw(p, msw_rng_uniform(&rng));
        if (s->asked[i] && end < 0.3 && !msw_param_choices(p))
            value = p->min;
        else if (!s->asked[i] && number % 2 == 0)
            value = p->def;
        if (p->kind == MSW_INTEGER && p->scale == MSW_POW2 && !p->max_word)
            value = fmin(value, fmax(ENTRIES, p->min));
        if (!space_leaves(s->mech, p->name))
            msw_param_set(p, d->config, value);
    }
}

static bool may_stand(const direct *d)
{
    msw_err err = {0};
    return !d->mech->check || d->mech->check(d->config, &err) == 0;
}

/* ---- one pair ---- */

static bool answer_first(direct *d, msw_fidelity fidelity, answers *first)
{
    if (!first->status[fidelity]) {
        direct_run(d, fidelity, 1);
        first->status[fidelity] = d->answer.status == MSW_OK ? 1 : -1;
        memcpy(first->metrics[fidelity], d->metrics, sizeof d->metrics);
    }
    return first->status[fidelity] > 0;
}

/* A value that the parameter does not have. */
static bool change(const msw_param *p, void *config, uint64_t key)
{
    msw_rng rng;
    double own = msw_param_get(p, config), value = own;
    msw_rng_init(&rng, SEED + 1, key);
    for (int i = 0; i < 16 && value == own; i++)
        value = msw_param_draw(p, msw_rng_uniform(&rng));
    if (value == own && !msw_param_choices(p))
        value = own == p->max ? p->min : p->max; /* a plausible range of one value */
    msw_param_set(p, config, value);
    return value != own;
}

/* The metric that differs, and the config for whoever looks into it. */
static void tell(subject *s, direct *d, const msw_param *p, msw_fidelity fidelity,
                 const double *before)
{
    char value[MSW_PARAM_TEXT];
    size_t m = 0;
    while (m + 1 < s->mech->metric_count && memcmp(&before[m], &d->metrics[m], sizeof *before) == 0)
        m++;
    snprintf(s->wrong, sizeof s->wrong, "%s: %s = %s changes %s (%s) where '%s' does not hold",
             s->mech->name, p->name, msw_param_print(p, msw_param_get(p, d->config), value),
             d->answer.status == MSW_OK ? s->mech->metrics[m].name : "the status",
             msw_fidelity_name(fidelity), p->acts);
    print_message("%s: %.17g, then %.17g, on %s\n", s->wrong, before[m], d->metrics[m],
                  d->workload.name);
    for (const msw_param *q = s->mech->params; q->name; q++)
        if (msw_param_get(q, s->config) != q->def)
            print_message(" %s=%s", q->name,
                          msw_param_print(q, msw_param_get(q, s->config), value));
    print_message("\n");
}

static void try_one(subject *s, size_t i, direct *d, msw_fidelity fidelity, answers *first,
                    uint64_t number)
{
    const msw_param *p = &s->mech->params[i];
    if (s->compared[i][fidelity] >= wanted(s, fidelity) || !answer_first(d, fidelity, first))
        return;
    if (change(p, d->config, number * PARAMS + i) && may_stand(d)) {
        direct_run(d, fidelity, 1);
        s->compared[i][fidelity]++;
        if (d->answer.status != MSW_OK || memcmp(first->metrics[fidelity], d->metrics,
                                                 s->mech->metric_count * sizeof *d->metrics) != 0)
            tell(s, d, p, fidelity, first->metrics[fidelity]);
    }
    memcpy(d->config, s->config, s->mech->config_size);
}

/* Whether some parameter wants more pairs, at either fidelity. */
static bool wants(const subject *s, size_t i)
{
    return s->mech->params[i].acts && (s->compared[i][MSW_ANALYTIC] < wanted(s, MSW_ANALYTIC) ||
                                       s->compared[i][MSW_FULL] < wanted(s, MSW_FULL));
}

/* Returns whether any parameter wants more. */
static bool try_all(subject *s, direct *d, uint64_t number)
{
    bool more = false;
    msw_err err = {0};
    answers *first = calloc(1, sizeof *first);
    assert_non_null(first);
    memcpy(s->config, d->config, s->mech->config_size);
    for (size_t i = 0; s->mech->params[i].name; i++) {
        if (!wants(s, i))
            continue;
        int holds = msw_conditions_hold(s->conditions, s->mech->params[i].name, d->config, &err);
        if (holds < 0)
            fail_msg("%s", err.text);
        if (!holds) {
            try_one(s, i, d, MSW_ANALYTIC, first, number);
            try_one(s, i, d, MSW_FULL, first, number);
        }
        more = more || wants(s, i);
    }
    free(first);
    return more;
}

/* Tries all conditions of a mechanism. Returns the pairs compared; `wrong` is filled in where one
 * is not true or cannot be tried. */
static size_t measure(const msw_mech *mech, size_t more, char wrong[256])
{
    size_t pairs = 0, conditions = 0;
    subject *s = malloc(sizeof *s);
    assert_non_null(s);
    open_subject(s, mech, more);
    bool left = true;
    for (uint64_t number = 0; left && number < DRAWS * more; number++) {
        direct *d = &s->loads[number % s->load_count];
        draw(s, d, number);
        left = !may_stand(d) || try_all(s, d, number);
        direct_drop_artifacts(d);
    }
    for (size_t i = 0; mech->params[i].name; i++) {
        conditions += mech->params[i].acts != NULL;
        pairs += s->compared[i][MSW_ANALYTIC] + s->compared[i][MSW_FULL];
        if (mech->params[i].acts && !s->compared[i][MSW_ANALYTIC] && !*s->wrong)
            snprintf(s->wrong, sizeof s->wrong, "%s: %s: no config where '%s' does not hold",
                     mech->name, mech->params[i].name, mech->params[i].acts);
        if (mech->params[i].acts && !s->compared[i][MSW_FULL])
            print_message("%s: %s: not compared at full\n", mech->name, mech->params[i].name);
    }
    if (conditions)
        print_message("%s: %zu conditions, %zu pairs\n", mech->name, conditions, pairs);
    snprintf(wrong, 256, "%s", s->wrong);
    close_subject(s);
    free(s);
    return pairs;
}

static void nothing_changes_where_a_condition_does_not_hold(void **state)
{
    (void)state;
    const char *only = getenv("MEMSWEEP_ACTS_OF");
    char wrong[256], last[256] = "";
    for (size_t m = 0; msw_mechs[m]; m++) {
        if (only && strcmp(only, msw_mechs[m]->name) != 0)
            continue;
        measure(msw_mechs[m], getenv("MEMSWEEP_FULL") ? MORE : 1, wrong);
        if (*wrong)
            snprintf(last, sizeof last, "%s", wrong);
    }
    if (*last)
        fail_msg("%s", last);
}

/* ---- what is wrong is found ---- */

static size_t judge_null(const char *param, const char *acts, char wrong[256])
{
    msw_param table[PARAMS];
    msw_mech toy = *msw_mech_find("null");
    size_t count = msw_params_count(toy.params);
    memcpy(table, toy.params, (count + 1) * sizeof *table);
    for (size_t i = 0; i < count; i++)
        table[i].acts = strcmp(table[i].name, param) == 0 ? acts : NULL;
    toy.params = table;
    return measure(&toy, 1, wrong);
}

/* The gain acts always; the shape of the law's errors does where there is one. */
static void a_planted_condition_is_found(void **state)
{
    (void)state;
    char wrong[256];
    assert_true(judge_null("gain", "carry > 0.5", wrong) > 0);
    if (!strstr(wrong, "null: gain = ") || !strstr(wrong, "where 'carry > 0.5' does not hold"))
        fail_msg("found '%s'", wrong);
    assert_true(judge_null("predict_error", "predict_law <> 'none'", wrong) > 0);
    assert_string_equal(wrong, "");
    judge_null("predict_error", "gain >= 1", wrong);
    assert_string_equal(wrong, "null: predict_error: no config where 'gain >= 1' does not hold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_condition_is_found),
        cmocka_unit_test(nothing_changes_where_a_condition_does_not_hold),
    };
    return cmocka_run_group_tests_name("acts", tests, NULL, NULL);
}

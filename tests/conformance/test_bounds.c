/* SPDX-License-Identifier: MIT */
/* Is no row faster than what its resources allow, and does none contradict itself? Random configs
 * over all parameters, at every fidelity; sampled rows less their half-width. A closed form that
 * does is doubtful. 16 of each; with MEMSWEEP_FULL=1 there are 200. */
#include "space_sample.h"
#include "testing.h"

enum { ROWS = 12, ROWS_FULL = 200, DRAWS = 400, ENTRIES = 8192, WORKLOADS = 8 };
#define BUDGET   1000000 /* events of one point */
#define ROUNDING 1e-9
#define SEED     43

typedef struct counts {
    size_t asked, beaten, doubtful, nearest[MSW_METRICS_MAX];
    double worst, most[MSW_METRICS_MAX]; /* share, by resource */
} counts;

typedef struct subject {
    const msw_mech *mech;
    size_t wanted, workload_count;
    direct workloads[WORKLOADS];
    counts counts[MSW_FIDELITY_COUNT];
} subject;

static void open_subject(subject *s, const msw_mech *mech, size_t wanted)
{
    msw_err err = {0};
    *s = (subject){.mech = mech, .wanted = wanted};
    for (const char *at = mech->law_workloads; *at;) {
        char name[128];
        size_t size = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        assert_true(s->workload_count < WORKLOADS);
        direct *d = &s->workloads[s->workload_count++];
        assert_ok(direct_open(d, mech, name, &err), err);
        d->task.event_budget = BUDGET;
        at += size;
        at += strspn(at, ", ");
    }
}

static void close_subject(subject *s)
{
    for (size_t w = 0; w < s->workload_count; w++)
        direct_close(&s->workloads[w]);
}

/* Tables far larger than what these workloads touch only take time. */
static void cap_entries(direct *d)
{
    for (const msw_param *p = d->mech->params; p->name; p++)
        if (p->kind == MSW_INTEGER && p->scale == MSW_POW2 && p->max > ENTRIES && !p->max_word)
            msw_param_set(p, d->config, fmin(ENTRIES, msw_param_get(p, d->config)));
}

/* Every second config has half of what can be left out left out: a range hardly ever gives 0. */
static void leave_out(direct *d, uint64_t draw)
{
    msw_rng rng;
    msw_rng_init(&rng, SEED + 1, draw);
    for (const msw_param *p = d->mech->params; p->name && draw % 2; p++) {
        bool out = msw_rng_uniform(&rng) < 0.5;
        if (out && !isnan(msw_param_neutral(p)))
            msw_param_set(p, d->config, msw_param_neutral(p));
    }
}

static void ask(subject *s, direct *d, msw_fidelity fidelity)
{
    counts *c = &s->counts[fidelity];
    d->task.sampling.pilot = 32;
    direct_run(d, fidelity, 1);
    if (d->answer.status == MSW_FAILED && strstr(d->answer.reason, "contradicts itself")) {
        c->asked++;
        c->beaten++;
        c->worst = INFINITY;
        print_message("%s %s %s: %s\n", s->mech->name, d->workload.name,
                      msw_fidelity_name(fidelity), d->answer.reason);
    }
    if (d->answer.status != MSW_OK)
        return;
    int share = d->map.share, resource = msw_mech_bound_resource(&d->map, d->metrics);
    double room = fidelity == MSW_SAMPLED && share >= 0 ? fmax(0, d->half_widths[share]) : 0;
    c->asked++;
    if (*d->answer.doubt)
        print_message("%s %s %s doubtful: %s\n", s->mech->name, d->workload.name,
                      msw_fidelity_name(fidelity), d->answer.doubt);
    c->doubtful += *d->answer.doubt != '\0';
    if (resource < 0)
        return;
    c->nearest[resource]++;
    c->most[resource] = fmax(c->most[resource], d->metrics[share]);
    c->worst = fmax(c->worst, d->metrics[share] - room);
    bool told = fidelity == MSW_ANALYTIC && (*d->answer.doubt || d->metrics[share] < 1.05);
    if (d->metrics[share] - room > 1 + ROUNDING && !told) {
        c->beaten++;
        print_message("%s %s at %s: %s is %.9g of the cycles\n", s->mech->name, d->workload.name,
                      msw_fidelity_name(fidelity), s->mech->metrics[resource].name,
                      d->metrics[share]);
    }
}

static bool more(const subject *s)
{
    bool wanted = false;
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        wanted = wanted || s->counts[f].asked < s->wanted;
    return wanted;
}

static void print_counts(const subject *s, int fidelity)
{
    const counts *c = &s->counts[fidelity];
    print_message("%s %s: %zu of %zu beat a bound, %zu doubtful; nearest:", s->mech->name,
                  msw_fidelity_name((msw_fidelity)fidelity), c->beaten, c->asked, c->doubtful);
    for (size_t m = 0; m < s->mech->metric_count; m++)
        if (c->nearest[m])
            print_message(" %s %zu (%.3f)", s->mech->metrics[m].name + strlen(MSW_LEAST_PREFIX),
                          c->nearest[m], c->most[m]);
    print_message("\n");
}

/* Returns how many rows beat a bound, at all fidelities. */
static size_t measure(const msw_mech *mech, size_t wanted)
{
    size_t beaten = 0;
    subject *s = malloc(sizeof *s);
    msw_err err = {0};
    assert_non_null(s);
    open_subject(s, mech, wanted);
    for (uint64_t draw = 0; more(s) && draw < DRAWS * wanted; draw++) {
        direct *d = &s->workloads[draw % s->workload_count];
        space_draw(d, SEED, draw);
        cap_entries(d);
        leave_out(d, draw);
        if (mech->check && mech->check(d->config, &err))
            continue;
        for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
            if (s->counts[f].asked < wanted)
                ask(s, d, (msw_fidelity)f);
        direct_drop_artifacts(d);
    }
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        print_counts(s, f);
        assert_int_equal(s->counts[f].asked, wanted);
        beaten += s->counts[f].beaten;
    }
    close_subject(s);
    free(s);
    return beaten;
}

static void no_row_beats_its_bound(void **state)
{
    (void)state;
    size_t beaten = 0, bounded = 0, wanted = getenv("MEMSWEEP_FULL") ? ROWS_FULL : ROWS;
    for (size_t m = 0; msw_mechs[m]; m++)
        if (msw_mechs[m]->checks) {
            bounded++;
            beaten += measure(msw_mechs[m], wanted);
        }
    assert_true(bounded >= 7);
    assert_int_equal(beaten, 0);
}

/* ---- bounds that are too high are found ---- */

static void high_bounds(const msw_task *task, double *metrics)
{
    const msw_mech *mech = msw_mech_find("neummu_sparse");
    mech->bounds(task, metrics);
    for (int m = task->map->least_first; m < task->map->least_end; m++)
        metrics[m] *= 1.5;
}

static void a_bound_that_is_too_high_fails(void **state)
{
    (void)state;
    msw_mech toy = *msw_mech_find("neummu_sparse");
    toy.bounds = high_bounds;
    assert_true(measure(&toy, ROWS) >= 3);
}

/* 12 requests of 640 B in windows of 8, 100 cycles and 16 B a cycle: 12 x 100 / 8 of 240 cycles. */
static void the_example_is_as_by_hand(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("template"), "trace/example", &err), err);
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        direct_run(&d, (msw_fidelity)f, 1);
        int resource = msw_mech_bound_resource(&d.map, d.metrics);
        assert_string_equal(d.mech->metrics[resource].name, "least_window");
        assert_true(d.metrics[resource] == 150);
        assert_true(d.metrics[resource + 1] == 40);
        assert_true(d.metrics[d.map.share] == 0.625);
    }
    direct_close(&d);
}

static void refuses(const msw_mech *mech, const char *what)
{
    msw_err err = {0};
    assert_int_equal(msw_mech_check(mech, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static void bounds_without_rows_are_refused(void **state)
{
    (void)state;
    const msw_mech *mech = msw_mech_find("template");
    msw_mech bad = *mech;
    msw_metric rows[MSW_METRICS_MAX];
    bad.bounds = NULL;
    refuses(&bad, "go together");
    bad.bounds = mech->bounds;
    bad.metrics = rows;
    memcpy(rows, mech->metrics, (mech->metric_count + 1) * sizeof *rows);
    int window = msw_metrics_find(rows, "least_window");
    rows[window].name = "window_least";
    refuses(&bad, "called least_");
    rows[window].name = "least_window";
    rows[window].kind = MSW_TOTAL;
    refuses(&bad, "derived, and called");
    rows[window].kind = MSW_DERIVED;
    rows[msw_metrics_find(rows, "bound_share")].num = "throughput";
    refuses(&bad, "a share of a total");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_as_by_hand),
        cmocka_unit_test(bounds_without_rows_are_refused),
        cmocka_unit_test(a_bound_that_is_too_high_fails),
        cmocka_unit_test(no_row_beats_its_bound),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}

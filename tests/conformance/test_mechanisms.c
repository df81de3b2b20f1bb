/* SPDX-License-Identifier: MIT */
/* Is every mechanism a good citizen? Loops over the registry: a new mechanism gets all of this
 * without writing a test. */
#include "direct.h"
#include "testing.h"

#include "memsweep/base/rng.h"

#include <pthread.h>

static void open_default(direct *d, const msw_mech *mech)
{
    msw_err err = {0};
    assert_ok(direct_open(d, mech, mech->default_workload, &err), err);
}

static void tables_are_sound(void **state)
{
    (void)state;
    msw_err err = {0};
    assert_ok(msw_mechs_check(&err), err);
    assert_ok(msw_frontends_check(&err), err);
    assert_non_null(msw_mechs[0]);
}

/* A table ends at its first row without a name: a row that is missing must not go unseen. */
static void holes_are_refused(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        msw_metric rows[MSW_METRICS_MAX];
        size_t count = msw_mechs[m]->metric_count;
        msw_mech mech = *msw_mechs[m];
        mech.metrics = rows;
        for (size_t hole = 0; hole < count; hole++) {
            msw_err err = {0};
            memcpy(rows, msw_mechs[m]->metrics, (count + 1) * sizeof *rows);
            rows[hole] = (msw_metric){0};
            assert_int_equal(msw_mech_check(&mech, &err), -1);
            assert_non_null(strstr(err.text, "has no row"));
        }
    }
}

static void refuses(const msw_mech *mech, const char *what)
{
    msw_err err = {0};
    assert_int_equal(msw_mech_check(mech, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("%s: '%s' does not say '%s'", mech->name, err.text, what);
}

/* Names of detail tables and columns stand in SQL without quotes. */
static void details_have_no_words_of_sql(void **state)
{
    (void)state;
    static const char *const WORDS[] = {"order", "row_id", "Cycles", "from"};
    static const char *const UNITS[] = {""};
    for (size_t w = 0; w < sizeof WORDS / sizeof *WORDS; w++) {
        const char *const bad[] = {WORDS[w], NULL}, *const good[] = {"busy", NULL};
        const msw_detail column[] = {{.name = "walkers", .columns = bad, .units = UNITS}, {0}};
        const msw_detail table[] = {{.name = WORDS[w], .columns = good, .units = UNITS}, {0}};
        msw_mech mech = *msw_mechs[0];
        mech.details = column;
        refuses(&mech, WORDS[w]);
        mech.details = table;
        refuses(&mech, WORDS[w]);
    }
}

/* A mechanism with a state cannot do without the functions that set it. */
static void a_state_needs_its_functions(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        if (!msw_mechs[m]->state_bytes)
            continue;
        msw_mech mech = *msw_mechs[m];
        mech.begin = NULL;
        refuses(&mech, "needs begin");
        mech = *msw_mechs[m];
        mech.warm = mech.advance = NULL;
        refuses(&mech, "needs warm");
        mech = *msw_mechs[m];
        mech.state_bytes = NULL;
        refuses(&mech, "state_bytes is missing");
    }
}

static size_t one_byte(const msw_task *task)
{
    (void)task;
    return 1;
}

static int touch(const msw_task *task, void *state, msw_err *err)
{
    (void)task;
    (void)err;
    *(char *)state = 1;
    return 0;
}

static int move_nowhere(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                        msw_err *err)
{
    (void)task;
    (void)state;
    (void)stratum;
    (void)unit;
    (void)err;
    return 0;
}

/* One without a state answers the same bits as with a state that it does not use, in either order.
 */
static void stateless_is_as_with_a_state(void **state)
{
    (void)state;
    size_t tested = 0;
    for (size_t m = 0; msw_mechs[m]; m++) {
        if (msw_mechs[m]->state_bytes)
            continue;
        for (int f = MSW_SAMPLED; f < MSW_FIDELITY_COUNT; f++) {
            direct without, with;
            msw_mech mech = *msw_mechs[m];
            mech.state_bytes = one_byte;
            mech.begin = touch;
            mech.warm = mech.advance = move_nowhere;
            open_default(&without, msw_mechs[m]);
            open_default(&with, &mech);
            direct_run(&without, (msw_fidelity)f, 3);
            for (mech.order = MSW_UNITS_INDEPENDENT; mech.order <= MSW_UNITS_FORWARD;
                 mech.order++) {
                direct_run(&with, (msw_fidelity)f, 3);
                assert_int_equal(without.answer.status, MSW_OK);
                assert_int_equal(with.answer.status, MSW_OK);
                assert_memory_equal(with.metrics, without.metrics,
                                    mech.metric_count * sizeof(double));
            }
            direct_close(&without);
            direct_close(&with);
        }
        tested++;
    }
    assert_true(tested > 0);
}

static void default_workload_exists(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        direct d;
        open_default(&d, msw_mechs[m]);
        assert_true(msw_mechs[m]->accepts & d.workload.frontend->product);
        direct_close(&d);
    }
}

static void check_answer(const direct *d)
{
    if (d->answer.status != MSW_OK)
        fail_msg("%s at %s: %s", d->mech->name, msw_fidelity_name(d->task.fidelity),
                 d->answer.reason);
    double stack = 0, largest = 0, energy = 0;
    int all = msw_metrics_find(d->mech->metrics, "energy_nj");
    for (size_t i = 0; d->mech->metrics[i].name; i++) {
        const msw_metric *m = &d->mech->metrics[i];
        double value = d->metrics[i];
        if (isnan(value))
            continue;
        if (!(value >= m->min && value <= m->max))
            fail_msg("%s: %s = %g at %s is outside its plausible range %g .. %g", d->mech->name,
                     m->name, value, msw_fidelity_name(d->task.fidelity), m->min, m->max);
        stack += m->stack ? value : 0;
        largest = m->stack && value > largest ? value : largest;
        energy += m->energy ? value : 0;
    }
    if (energy > 0 && (all < 0 || !(fabs(d->metrics[all] - energy) <= 1e-6 * energy)))
        fail_msg("%s: parts of the energy are %g at %s, energy_nj is %g", d->mech->name, energy,
                 msw_fidelity_name(d->task.fidelity), all < 0 ? 0 : d->metrics[all]);
    int bound = msw_mech_bound_by(d->mech, d->metrics);
    if (bound >= 0)
        assert_true(d->metrics[bound] == largest && stack >= largest);
}

static void defaults_answer_at_all_fidelities(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        direct d;
        open_default(&d, msw_mechs[m]);
        for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
            direct_run(&d, (msw_fidelity)f, 42);
            check_answer(&d);
        }
        direct_close(&d);
    }
}

/* A random config from the parameter tables: every kind, plausible part of the range. */
static void random_config(direct *d, uint64_t seed)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, 77);
    for (const msw_param *p = d->mech->params; p->name; p++) {
        double u = msw_rng_uniform(&rng), value = p->def;
        size_t choices = msw_param_choices(p);
        if (choices)
            value = floor(u * (double)choices);
        else if (p->scale == MSW_LINEAR)
            value = p->min + u * (fmin(p->max, p->def * 2 + 1) - p->min);
        if (p->kind != MSW_REAL)
            value = floor(value);
        if (strncmp(p->name, "cost", 4) != 0 && strstr(p->name, "_share") == NULL)
            msw_param_set(p, d->config, value);
    }
}

static void same_input_same_bits(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        direct a, b;
        open_default(&a, msw_mechs[m]);
        open_default(&b, msw_mechs[m]);
        for (uint64_t seed = 0; seed < 12; seed++) {
            random_config(&a, seed);
            random_config(&b, seed);
            /* b is interleaved with another point of another fidelity: no hidden state. */
            direct_run(&a, (msw_fidelity)(seed % 3), seed);
            direct_run(&b, (msw_fidelity)((seed + 1) % 3), seed + 1);
            direct_drop_artifacts(&b);
            direct_run(&b, (msw_fidelity)(seed % 3), seed);
            assert_int_equal(a.answer.status, b.answer.status);
            size_t bytes = msw_metrics_count(a.mech->metrics) * sizeof(double);
            assert_memory_equal(a.metrics, b.metrics, bytes);
            assert_memory_equal(a.half_widths, b.half_widths, bytes);
        }
        direct_close(&a);
        direct_close(&b);
    }
}

typedef struct thread_job {
    direct d;
    uint64_t seed;
} thread_job;

static void *run_thread(void *context)
{
    thread_job *job = context;
    for (int i = 0; i < 5; i++)
        direct_run(&job->d, (msw_fidelity)(i % 3), job->seed);
    return NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        thread_job jobs[2];
        pthread_t threads[2];
        for (int t = 0; t < 2; t++) {
            open_default(&jobs[t].d, msw_mechs[m]);
            jobs[t].d.source.context = &jobs[t].d;
            jobs[t].seed = 9;
            assert_int_equal(pthread_create(&threads[t], NULL, run_thread, &jobs[t]), 0);
        }
        for (int t = 0; t < 2; t++)
            pthread_join(threads[t], NULL);
        size_t bytes = msw_metrics_count(msw_mechs[m]->metrics) * sizeof(double);
        assert_memory_equal(jobs[0].d.metrics, jobs[1].d.metrics, bytes);
        direct_close(&jobs[0].d);
        direct_close(&jobs[1].d);
    }
}

static void out_of_range_is_refused(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        for (const msw_param *p = msw_mechs[m]->params; p->name; p++) {
            msw_err err = {0};
            if (msw_param_choices(p)) {
                assert_int_equal(msw_param_check(p, (double)msw_param_choices(p), &err), -1);
                continue;
            }
            assert_int_equal(msw_param_check(p, p->min - 1, &err), -1);
            assert_int_equal(msw_param_check(p, p->max * 1.01 + 1, &err), -1);
            assert_ok(msw_param_check(p, p->min, &err), err);
            assert_ok(msw_param_check(p, p->max, &err), err);
            assert_int_equal(msw_param_check(p, NAN, &err), -1);
        }
    }
}

static void presets_answer(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        for (const msw_preset *s = msw_mechs[m]->presets; s && s->name; s++) {
            direct d;
            open_default(&d, msw_mechs[m]);
            for (const msw_preset_value *v = s->values; v->param; v++) {
                msw_err err = {0};
                double value;
                const msw_param *p = msw_params_find(d.mech->params, v->param);
                if (!p)
                    continue; /* of a front end, whose product is made already */
                assert_ok(msw_param_parse(p, v->value, &value, &err), err);
                msw_param_set(p, d.config, value);
            }
            direct_run(&d, MSW_ANALYTIC, 1);
            check_answer(&d);
            direct_close(&d);
        }
    }
}

static void declared_monotonicities_hold(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        for (const msw_monotone *mono = msw_mechs[m]->monotone; mono && mono->param; mono++) {
            direct d;
            open_default(&d, msw_mechs[m]);
            const msw_param *p = msw_params_find(d.mech->params, mono->param);
            int metric = msw_metrics_find(d.mech->metrics, mono->metric);
            assert_non_null(p);
            assert_true(metric >= 0);
            double last = -INFINITY * mono->sign;
            for (int i = 0; i <= 8; i++) {
                double value = p->min + (fmin(p->max, p->def * 8 + 8) - p->min) * i / 8;
                msw_param_set(p, d.config, p->kind == MSW_REAL ? value : floor(value));
                direct_run(&d, MSW_FULL, 4);
                if (d.answer.status != MSW_OK)
                    continue;
                assert_true((d.metrics[metric] - last) * mono->sign >= 0);
                last = d.metrics[metric];
            }
            direct_close(&d);
        }
    }
}

/* Of 60 seeds at nominal 95 %, fewer than 51 covering has a chance below 2e-4. Where everything is
 * measured there is nothing to cover: same_input_same_bits and the first seeds say all. */
static void sampled_intervals_cover(void **state)
{
    (void)state;
    for (size_t m = 0; msw_mechs[m]; m++) {
        direct d;
        open_default(&d, msw_mechs[m]);
        int primary = msw_metrics_find(d.mech->metrics, d.mech->primary), covered = 0;
        uint64_t seeds = 60;
        for (uint64_t seed = 0; seed < seeds; seed++) {
            direct_drop_artifacts(&d);
            direct_run(&d, MSW_FULL, seed);
            double full = d.metrics[primary];
            direct_run(&d, MSW_SAMPLED, seed);
            covered +=
                fabs(d.metrics[primary] - full) <= d.half_widths[primary] + 1e-9 * fabs(full);
            if (seed == 2 && covered == 3 && d.answer.measured == d.answer.units)
                seeds = 3;
        }
        assert_in_range(covered, seeds == 3 ? 3 : 51, seeds);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(holes_are_refused),
        cmocka_unit_test(details_have_no_words_of_sql),
        cmocka_unit_test(a_state_needs_its_functions),
        cmocka_unit_test(stateless_is_as_with_a_state),
        cmocka_unit_test(default_workload_exists),
        cmocka_unit_test(defaults_answer_at_all_fidelities),
        cmocka_unit_test(same_input_same_bits),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(out_of_range_is_refused),
        cmocka_unit_test(presets_answer),
        cmocka_unit_test(declared_monotonicities_hold),
        cmocka_unit_test(sampled_intervals_cover),
    };
    return cmocka_run_group_tests_name("mechanisms", tests, NULL, NULL);
}

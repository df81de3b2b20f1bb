/* SPDX-License-Identifier: MIT */
/* Defect 686. Does a Gaussian process predict what a polynomial cannot (kinks, steps), does
 * cross-validation tell which of the two is better, and do its intervals cover new points? Seeds
 * are counted; the long form prints the table of docs/models/analysis.md. */
#include "memsweep/analysis/process.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 4, FACTORS_MOST = 8, LEVELS = 6, NEW = 200, ROWS_MOST = 200 };

static bool is_full(void)
{
    return getenv("MEMSWEEP_FULL") != NULL;
}

static double smooth(const double *x)
{
    return msw_math_sin(3 * x[0]) * x[1] + x[2] * x[2] + 0.5 * x[3];
}

static double kinked(const double *x)
{
    return fabs(x[0] - 0.4) + 0.5 * fmax(x[1], x[2]);
}

static double stepped(const double *x)
{
    return (x[0] > 0.37) + 0.5 * (x[1] > 0.6 && x[2] > 0.3) + 0.2 * x[3];
}

/* A number drawn by the point's own bits. */
static double noise(const double *x)
{
    uint64_t bits, all = 0;
    for (int f = 0; f < FACTORS_MOST; f++) {
        memcpy(&bits, &x[f], sizeof bits);
        all = (all ^ bits) * 0x9E3779B97F4A7C15u;
        all ^= all >> 29;
    }
    return (double)(all >> 11) * 0x1p-53;
}

static double ishigami(const double *x)
{
    const double PI = 3.14159265358979323846;
    double a = msw_math_sin(PI * (2 * x[0] - 1)), b = msw_math_sin(PI * (2 * x[1] - 1));
    double c = PI * (2 * x[2] - 1);
    return a + 7 * b * b + 0.1 * c * c * c * c * a;
}

typedef struct function {
    const char *name;
    double (*value)(const double *x);
    int factors;
    bool listed; /* rows at six levels of each factor; new ones between those of one of them */
} function;

static const function FUNCTIONS[] = {
    {"smooth", smooth, FACTORS, false},
    {"kinked", kinked, FACTORS, false},
    {"stepped", stepped, FACTORS, false},
    {"noise", noise, FACTORS, false},
    {"noise, 8 factors", noise, FACTORS_MOST, false},
    {"ishigami", ishigami, FACTORS, false},
    {"smooth, between levels", smooth, FACTORS, true},
    {"kinked, between levels", kinked, FACTORS, true},
    {"stepped, between levels", stepped, FACTORS, true},
    {"ishigami, between levels", ishigami, FACTORS, true},
};

static const double AT[LEVELS] = {0, 0.2, 0.4, 0.6, 0.8, 1};

typedef struct rows {
    double x[FACTORS_MOST][ROWS_MOST], y[ROWS_MOST];
    const double *columns[FACTORS_MOST];
    msw_pce_factor factor[FACTORS_MOST];
    msw_pce_data data;
} rows;

static void draw(rows *r, const function *f, size_t n, msw_rng *rng)
{
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < n; i++) {
        double x[FACTORS_MOST] = {0};
        for (int j = 0; j < f->factors; j++)
            r->x[j][i] = x[j] = f->listed ? AT[msw_rng_below(rng, LEVELS)] : msw_rng_uniform(rng);
        r->y[i] = f->value(x);
    }
    for (int j = 0; j < f->factors; j++) {
        r->columns[j] = r->x[j];
        r->factor[j].high = 1;
        if (f->listed)
            r->factor[j] = (msw_pce_factor){.levels = LEVELS, .values = AT};
    }
    r->data = (msw_pce_data){
        .n = n, .factors = (unsigned)f->factors, .factor = r->factor, .x = r->columns, .y = r->y};
}

/* Of one model: share predicted as it says, at new points, and new points within the interval. */
typedef struct score {
    double says, is, covered, half; /* the last in standard deviations of the output */
} score;

typedef struct outcome {
    score process, polynomial;
} outcome;

static void add(score *s, double says, double squares, double all, double held, double width)
{
    s->says += says;
    s->is += 1 - squares / all;
    s->covered += held / NEW;
    s->half += width / 2 / NEW / sqrt(all / NEW);
}

static void draw_new(const function *f, int number, double *x, msw_rng *rng)
{
    for (int j = 0; j < f->factors; j++) {
        x[j] = msw_rng_uniform(rng) * 0.98 + 0.01;
        if (f->listed && j != number % f->factors)
            x[j] = AT[msw_rng_below(rng, LEVELS)];
    }
}

static void try(const function *f, size_t n, uint64_t seed, outcome *o)
{
    static rows r;
    msw_rng rng;
    msw_err err = {0};
    msw_rng_init(&rng, seed, 3);
    draw(&r, f, n, &rng);
    msw_process_quality quality;
    msw_pce_quality other;
    msw_pce_settings settings = {.degree = 6, .best = true, .seed = seed};
    msw_process *process = msw_process_fit(&r.data, NULL, seed, &quality, &err);
    msw_pce *pce = msw_pce_fit(&r.data, &settings, &other, &err);
    assert_non_null(process);
    assert_non_null(pce);
    double squares[2] = {0}, held[2] = {0}, width[2] = {0}, y[NEW], mean = 0, all = 0;
    for (int i = 0; i < NEW; i++) {
        double x[FACTORS_MOST] = {0};
        msw_prediction p[2];
        draw_new(f, i, x, &rng);
        y[i] = f->value(x);
        mean += y[i] / NEW;
        assert_ok(msw_process_predict(process, x, 0.95, &p[0], &err), err);
        assert_ok(msw_pce_predict(pce, x, 0.95, &p[1], &err), err);
        for (int k = 0; k < 2; k++) {
            squares[k] += (y[i] - p[k].value) * (y[i] - p[k].value);
            held[k] += p[k].low <= y[i] && y[i] <= p[k].high;
            width[k] += p[k].high - p[k].low;
        }
    }
    for (int i = 0; i < NEW; i++)
        all += (y[i] - mean) * (y[i] - mean);
    add(&o->process, quality.q2, squares[0], all, held[0], width[0]);
    add(&o->polynomial, other.q2, squares[1], all, held[1], width[1]);
    msw_process_free(process);
    msw_pce_free(pce);
}

static outcome count(const function *f, size_t n, uint64_t seeds)
{
    outcome o = {0};
    for (uint64_t seed = 1; seed <= seeds; seed++)
        try(f, n, seed, &o);
    score *all[] = {&o.process, &o.polynomial};
    for (int k = 0; k < 2; k++) {
        all[k]->says /= (double)seeds;
        all[k]->is /= (double)seeds;
        all[k]->covered /= (double)seeds;
        all[k]->half /= (double)seeds;
    }
    print_message("| %s | %zu |", f->name, n);
    for (int k = 0; k < 2; k++)
        print_message(" %.4f | %.4f | %.1f %% | %.3g |", all[k]->says, all[k]->is,
                      100 * all[k]->covered, all[k]->half);
    print_message("\n");
    return o;
}

static void side_by_side(void **state)
{
    (void)state;
    static const size_t ROWS[] = {40, 100, 200};
    for (size_t f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; f++)
        for (int r = 0; r < (is_full() ? 3 : 1); r++) {
            size_t n = is_full() ? ROWS[r] : 60;
            if (FUNCTIONS[f].listed && !is_full())
                continue;
            outcome o = count(&FUNCTIONS[f], n, is_full() ? 20 : 1);
            assert_true(o.process.covered > (is_full() ? 0.92 : 0.75));
            if (FUNCTIONS[f].value == noise)
                assert_true(o.process.says < 0.3);
            else if (FUNCTIONS[f].value == stepped && !FUNCTIONS[f].listed)
                assert_true(o.process.is > o.polynomial.is);
            if (is_full() && n >= 100 && !FUNCTIONS[f].listed)
                assert_true(fabs(o.process.says - o.process.is) < 0.15);
        }
}

/* Rows with noise of a known size, part of it common to all: the process must not take it for
 * signal. */
static void known_noise_is_no_signal(void **state)
{
    (void)state;
    static rows r;
    double deviation[ROWS_MOST];
    msw_rng rng;
    msw_err err = {0};
    msw_process_quality with, without;
    msw_rng_init(&rng, 5, 1);
    draw(&r, &FUNCTIONS[0], 60, &rng);
    for (size_t i = 0; i < 60; i++) {
        deviation[i] = 0.3;
        r.y[i] += 0.3 * msw_rng_normal(&rng);
    }
    msw_process_noise noisy = {.deviation = deviation};
    msw_process *a = msw_process_fit(&r.data, &noisy, 1, &with, &err);
    msw_process *b = msw_process_fit(&r.data, NULL, 1, &without, &err);
    assert_non_null(a);
    assert_non_null(b);
    double x[FACTORS] = {0.3, 0.4, 0.5, 0.6};
    msw_prediction p;
    assert_ok(msw_process_predict(a, x, 0.95, &p, &err), err);
    print_message("known noise: nugget %.3g, common %.3g; unknown: nugget %.3g\n", with.nugget,
                  with.common, without.nugget);
    assert_true(with.nugget < without.nugget); /* the rest is explained */
    assert_true(fabs(p.value - smooth(x)) < 0.25);
    msw_process_free(a);
    msw_process_free(b);
}

/* Labels have no distance: the level of one says nothing of the order of others. */
static void labels_and_levels(void **state)
{
    (void)state;
    static rows r;
    static const double HEIGHT[5] = {3, -1, 7, 0, 2};
    msw_rng rng;
    msw_err err = {0};
    msw_process_quality quality;
    msw_rng_init(&rng, 8, 1);
    draw(&r, &FUNCTIONS[0], 60, &rng);
    for (size_t i = 0; i < 60; i++) {
        r.x[0][i] = (double)msw_rng_below(&rng, 5);
        r.x[1][i] = (double)msw_rng_below(&rng, 6);
        r.y[i] = HEIGHT[(int)r.x[0][i]] + 0.2 * r.x[1][i] * r.x[1][i];
    }
    r.factor[0] = (msw_pce_factor){.levels = 5, .unordered = true};
    r.factor[1] = (msw_pce_factor){.levels = 6};
    msw_process *p = msw_process_fit(&r.data, NULL, 1, &quality, &err);
    assert_non_null(p);
    assert_true(quality.q2 > 0.95);
    double at[FACTORS] = {2, 3, 0.5, 0.5}, between[FACTORS] = {2, 2.5, 0.5, 0.5};
    msw_prediction out;
    assert_ok(msw_process_predict(p, at, 0.95, &out, &err), err);
    assert_float_equal(out.value, 8.8, 0.5);
    assert_false(out.between);
    assert_ok(msw_process_predict(p, between, 0.95, &out, &err), err);
    assert_true(out.between && out.low < 8.25 && 8.25 < out.high);
    msw_process_free(p);
}

static void what_cannot_be_fitted(void **state)
{
    (void)state;
    static rows r;
    msw_rng rng;
    msw_err err = {0};
    msw_rng_init(&rng, 8, 1);
    draw(&r, &FUNCTIONS[0], 9, &rng);
    assert_null(msw_process_fit(&r.data, NULL, 1, NULL, &err));
    assert_non_null(strstr(err.text, "needs 10 to 10000"));
    msw_process_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(known_noise_is_no_signal),
        cmocka_unit_test(labels_and_levels),
        cmocka_unit_test(what_cannot_be_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

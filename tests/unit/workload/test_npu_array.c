/* SPDX-License-Identifier: MIT */
/* Does an array take the cycles that its closed forms, and the cells themselves, say? */
#include "testing.h"

#include "memsweep/base/rng.h"
#include "workload/npu/parts.h"

enum { SHAPES = 500 };

typedef struct shape {
    msw_npu_config config;
    msw_npu_gemm gemm;
} shape;

static uint64_t pick(msw_rng *rng, uint64_t most)
{
    return 1 + msw_rng_below(rng, most);
}

static shape random_shape(uint64_t number, int64_t dataflow, int64_t preload, uint64_t most)
{
    msw_rng rng;
    msw_rng_init(&rng, 7, number);
    shape s = {.config = {.dataflow = dataflow, .preload = preload}};
    s.config.rows = (int64_t)pick(&rng, most);
    s.config.cols = (int64_t)pick(&rng, most);
    s.config.lanes = (int64_t)pick(&rng, 64);
    uint64_t m = pick(&rng, 3 * most), n = pick(&rng, 3 * most), k = pick(&rng, 3 * most);
    s.gemm = (msw_npu_gemm){1, m, n, k, true};
    return s;
}

static uint64_t folds(uint64_t total, int64_t part)
{
    uint64_t count = 0;
    for (uint64_t done = 0; done < total; done += (uint64_t)part)
        count++;
    return count;
}

/* 839 of 839 tiles of the public simulator mNPUsim follow this form. */
static void test_output_stationary_form(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, MSW_NPU_OUTPUT_STATIONARY, 0, 300);
        uint64_t r = (uint64_t)s.config.rows, c = (uint64_t)s.config.cols;
        uint64_t m_last = s.gemm.m % r ? s.gemm.m % r : r, n_last = s.gemm.n % c ? s.gemm.n % c : c;
        uint64_t wanted =
            folds(s.gemm.m, s.config.rows) * folds(s.gemm.n, s.config.cols) * s.gemm.k +
            (m_last - 1) + (n_last - 1) + r;
        assert_int_equal(msw_npu_compute_cycles(&s.config, &s.gemm), wanted);
    }
}

/* 81 of 81 layers of the public simulator SCALE-Sim follow this form. */
static void test_weight_stationary_form(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, MSW_NPU_WEIGHT_STATIONARY, MSW_NPU_PRELOAD_SERIAL, 300);
        uint64_t r = (uint64_t)s.config.rows, c = (uint64_t)s.config.cols;
        uint64_t wanted = folds(s.gemm.k, s.config.rows) * folds(s.gemm.n, s.config.cols) *
                              (2 * r + c + s.gemm.m - 2) -
                          1;
        assert_int_equal(msw_npu_compute_cycles(&s.config, &s.gemm), wanted);
    }
}

static void test_input_stationary_is_weight_stationary_transposed(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, MSW_NPU_WEIGHT_STATIONARY, (int64_t)(i % 2), 300);
        shape t = s;
        t.config.dataflow = MSW_NPU_INPUT_STATIONARY;
        t.gemm.m = s.gemm.n;
        t.gemm.n = s.gemm.m;
        assert_int_equal(msw_npu_compute_cycles(&t.config, &t.gemm),
                         msw_npu_compute_cycles(&s.config, &s.gemm));
    }
}

/* The last cycle in which any cell works, cell by cell. A fold's weights enter row by row while the
 * fold before streams, and a cell keeps two weights: the one at work and the next. */
static uint64_t last_cycle(const shape *s)
{
    uint64_t r = (uint64_t)s->config.rows, c = (uint64_t)s->config.cols, last = 0;
    uint64_t count = folds(s->gemm.k, s->config.rows) * folds(s->gemm.n, s->config.cols);
    uint64_t entered = r, streamed = 0; /* when the next fold's weights are in; when inputs end */
    for (uint64_t f = 0; f < count; f++) {
        uint64_t start = entered > streamed ? entered : streamed;
        for (uint64_t row = 0; row < r; row++)
            for (uint64_t col = 0; col < c; col++)
                for (uint64_t t = 0; t < s->gemm.m; t++)
                    if (start + t + row + col > last)
                        last = start + t + row + col;
        entered = start + r;
        streamed = start + s->gemm.m;
    }
    return last;
}

static void test_hidden_preload_follows_from_the_cells(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, MSW_NPU_WEIGHT_STATIONARY, MSW_NPU_PRELOAD_HIDDEN, 12);
        assert_int_equal(msw_npu_compute_cycles(&s.config, &s.gemm), last_cycle(&s));
    }
}

static void test_hidden_is_never_slower_and_equal_for_one_fold(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, MSW_NPU_WEIGHT_STATIONARY, MSW_NPU_PRELOAD_HIDDEN, 300);
        uint64_t hidden = msw_npu_compute_cycles(&s.config, &s.gemm);
        s.config.preload = MSW_NPU_PRELOAD_SERIAL;
        uint64_t serial = msw_npu_compute_cycles(&s.config, &s.gemm);
        bool one = s.gemm.k <= (uint64_t)s.config.rows && s.gemm.n <= (uint64_t)s.config.cols;
        assert_true(one ? hidden == serial : hidden < serial || s.config.rows == 1);
    }
}

static void test_no_array_beats_its_cells(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < SHAPES; i++) {
        shape s = random_shape(i, (int64_t)(i % 3), (int64_t)(i % 2), 300);
        s.config.array = i % 4 == 3 ? MSW_NPU_SPATIAL : MSW_NPU_SYSTOLIC;
        s.gemm.instances = 1 + i % 5;
        double macs = (double)(s.gemm.instances * s.gemm.m * s.gemm.n * s.gemm.k);
        double per_cycle = (double)(s.config.rows * s.config.cols);
        if (s.config.array == MSW_NPU_SPATIAL)
            per_cycle *= (double)s.config.lanes;
        assert_true((double)msw_npu_compute_cycles(&s.config, &s.gemm) + 1 >= macs / per_cycle);
    }
}

/* 100 x 50 x 70 on 16 x 16 units of 8 lanes: 7 x 4 x 9 steps and 3 levels of adders. */
static void test_spatial_known_value(void **state)
{
    (void)state;
    msw_npu_config c = {.array = MSW_NPU_SPATIAL, .rows = 16, .cols = 16, .lanes = 8};
    msw_npu_gemm g = {1, 100, 50, 70, true};
    assert_int_equal(msw_npu_compute_cycles(&c, &g), 7 * 4 * 9 + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_stationary_form),
        cmocka_unit_test(test_weight_stationary_form),
        cmocka_unit_test(test_input_stationary_is_weight_stationary_transposed),
        cmocka_unit_test(test_hidden_preload_follows_from_the_cells),
        cmocka_unit_test(test_hidden_is_never_slower_and_equal_for_one_fold),
        cmocka_unit_test(test_no_array_beats_its_cells),
        cmocka_unit_test(test_spatial_known_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

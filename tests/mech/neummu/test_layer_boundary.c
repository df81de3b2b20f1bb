/* SPDX-License-Identifier: MIT */
/* Defect 252. What the first loads of a layer wait for was one fixed rule, which decides how much
 * translation costs. Each choice against what it says. */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/model.h"
#include "mech/neummu/stream.h"
#include "memsweep/workload/npu.h"

#include <math.h>

static double run(direct *d, msw_fidelity fidelity, int boundary, const char *name)
{
    direct_set(d, "boundary", boundary);
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static void open_network(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
}

/* Each rule waits for less than the one before; the reference shares it. */
static void later_rules_wait_less(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"alexnet/b1", "googlenet/b1", "rnn2/b1"};
    for (size_t n = 0; n < 3; n++) {
        for (int oracle = 0; oracle < 2; oracle++) {
            direct d;
            open_network(&d, NETWORKS[n]);
            direct_set(&d, "oracle", oracle);
            double stored = run(&d, MSW_FULL, NEUMMU_BOUNDARY_STORED, "cycles");
            double ordered = run(&d, MSW_FULL, NEUMMU_BOUNDARY_ORDERED, "cycles");
            double forwarded = run(&d, MSW_FULL, NEUMMU_BOUNDARY_FORWARDED, "cycles");
            double overlapped = run(&d, MSW_FULL, NEUMMU_BOUNDARY_OVERLAPPED, "cycles");
            assert_true(ordered < stored && forwarded < stored && overlapped < ordered);
            assert_true(overlapped < forwarded);
            direct_close(&d);
        }
    }
}

/* Bytes that a layer's first tile reads of what the tile before it wrote. */
static double shared_bytes(const msw_npu_product *p)
{
    double bytes = 0;
    for (uint64_t l = 1; l < p->layer_count; l++) {
        const msw_npu_tile *to = &p->tiles[p->layers[l].first_tile], *from = to - 1;
        for (uint32_t a = 0; a < to->load_count; a++)
            for (uint32_t b = 0; b < from->store_count; b++) {
                const msw_npu_segment *x = &p->segments[to->load_first + a];
                const msw_npu_segment *y = &p->segments[from->store_first + b];
                for (uint32_t i = 0; i < x->rows; i++)
                    for (uint32_t j = 0; j < y->rows; j++) {
                        double xa = (double)(x->address + i * x->stride);
                        double ya = (double)(y->address + j * y->stride);
                        double first = fmax(xa, ya);
                        double end = fmin(xa + (double)x->row_bytes, ya + (double)y->row_bytes);
                        bytes += end > first ? end - first : 0;
                    }
            }
    }
    return bytes;
}

/* What is forwarded is not loaded: the transactions of exactly those bytes are missing. */
static void forwarded_bytes_are_not_loaded(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "alexnet/b1");
    direct_set(&d, "dma_bytes", 64);
    double stored = run(&d, MSW_FULL, NEUMMU_BOUNDARY_STORED, "translations");
    const msw_product *product = NULL;
    for (direct_entry *e = d.entries; e; e = e->next)
        if (msw_digest_equal(e->key, d.task.product_key))
            product = e->root;
    double shared = 64 * (stored - run(&d, MSW_FULL, NEUMMU_BOUNDARY_FORWARDED, "translations"));
    double wanted = shared_bytes(product->data);
    assert_true(wanted > 1e5);
    assert_near(shared, wanted, 0.02 * wanted);
    /* Scratchpads that do not hold the output of a tile: as stored. */
    direct_set(&d, "npu_spm_activation", 65536);
    assert_true(run(&d, MSW_FULL, NEUMMU_BOUNDARY_FORWARDED, "translations") <=
                run(&d, MSW_FULL, NEUMMU_BOUNDARY_STORED, "translations"));
    /* Single buffers hold nothing of the tile before. */
    direct_set(&d, "npu_buffers", MSW_NPU_BUFFERS_SINGLE);
    double cycles = run(&d, MSW_FULL, NEUMMU_BOUNDARY_STORED, "cycles");
    for (int boundary = 0; boundary <= NEUMMU_BOUNDARY_OVERLAPPED; boundary++)
        assert_true(run(&d, MSW_FULL, boundary, "cycles") == cycles);
    direct_close(&d);
}

/* The closed form has the same rules: with every translation known it is exact, but for what is
 * left of rows that are on chip in part. */
static void closed_form_follows(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"alexnet/b1", "googlenet/b1", "resnet50/b1", "rnn3/b1"};
    for (size_t n = 0; n < 4; n++) {
        direct d;
        open_network(&d, NETWORKS[n]);
        for (int boundary = 0; boundary <= NEUMMU_BOUNDARY_OVERLAPPED; boundary++) {
            direct_set(&d, "oracle", 0);
            double full = run(&d, MSW_FULL, boundary, "slowdown") - 1;
            assert_near(run(&d, MSW_ANALYTIC, boundary, "slowdown") - 1, full, 0.25 * full + 1e-4);
            direct_set(&d, "oracle", 1);
            full = run(&d, MSW_FULL, boundary, "cycles");
            assert_relative(run(&d, MSW_ANALYTIC, boundary, "cycles"), full,
                            boundary == NEUMMU_BOUNDARY_FORWARDED ? 1e-3 : 1e-5);
        }
        direct_close(&d);
    }
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    for (int boundary = 0; boundary <= NEUMMU_BOUNDARY_OVERLAPPED; boundary++) {
        direct d;
        int held = 0;
        open_network(&d, "alexnet/b1");
        direct_set(&d, "npu_spm_activation", 262144);
        direct_set(&d, "npu_spm_weight", 262144);
        direct_set(&d, "ptw_count", 8);
        double full = run(&d, MSW_FULL, boundary, "cycles");
        for (int seed = 0; seed < 10; seed++) {
            direct_run(&d, MSW_SAMPLED, (uint64_t)seed * 977 + 5);
            held += fabs(d.metrics[NEUMMU_CYCLES] - full) <= d.half_widths[NEUMMU_CYCLES];
        }
        assert_true(held >= 8);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_rules_wait_less),
        cmocka_unit_test(forwarded_bytes_are_not_loaded),
        cmocka_unit_test(closed_form_follows),
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

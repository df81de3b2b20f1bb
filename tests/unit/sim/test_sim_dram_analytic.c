/* SPDX-License-Identifier: MIT */
/* How far is the closed form from the timing model? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/dram_analytic.h"
#include "testing.h"

#include <stdlib.h>

enum { REQUESTS = 5000 };

typedef struct walker {
    uint32_t row, column, left;
} walker;

static void fill(uint64_t *address, uint8_t *is_write, const msw_dram_config *c,
                 const msw_dram_load *load)
{
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    uint32_t banks = c->ranks * c->groups * c->banks, k = (uint32_t)load->streams_per_bank;
    uint32_t streams = k ? k * banks : 1, visit = (uint32_t)load->visit;
    walker *s = calloc(streams, sizeof *s);
    for (size_t i = 0; i < REQUESTS; i++) {
        uint32_t which = (uint32_t)msw_rng_below(&rng, streams);
        if (!s[which].left) {
            s[which].row = k ? (uint32_t)msw_rng_below(&rng, c->rows) : s[which].row + 1;
            s[which].left = visit;
            s[which].column = 0;
        }
        uint64_t bank = k ? which % banks : s[which].row % banks;
        uint64_t row = k ? s[which].row : s[which].row / banks;
        address[i] = ((row * banks + bank) * c->columns + s[which].column) * c->burst_bytes;
        s[which].column++;
        s[which].left--;
        is_write[i] = msw_rng_uniform(&rng) >= load->read_share;
    }
    free(s);
}

static msw_dram_rates simulate(const msw_dram_config *c, const msw_dram_load *load)
{
    uint64_t *address = malloc(REQUESTS * sizeof *address);
    uint8_t *is_write = malloc(REQUESTS);
    fill(address, is_write, c, load);
    void *memory = aligned_alloc(64, msw_dram_bytes(c));
    msw_err err;
    msw_dram *dram = msw_dram_init(memory, c, &err);
    assert_non_null(dram);
    msw_dram_stream stream = {.address = address,
                              .is_write = is_write,
                              .count = REQUESTS,
                              .bytes = c->burst_bytes,
                              .window = (uint32_t)load->window};
    msw_dram_replay(dram, &stream, 0);
    msw_dram_rates rates = msw_dram_rates_of(msw_dram_channel_stats(dram, 0), c, 1);
    free(memory);
    free(address);
    free(is_write);
    return rates;
}

enum { MOST = 200 };

/* A region of loads: one device, reads alone or mixed with writes, a range of windows. */
typedef struct region {
    const char *preset;
    uint32_t buffers, first, last; /* windows */
    bool mixed;
} region;

typedef struct errors {
    double bandwidth[MOST], hit[MOST];
    size_t count;
} errors;

static void compare(const msw_dram_config *c, const msw_dram_load *load, errors *e)
{
    msw_dram_rates truth = simulate(c, load);
    msw_dram_form form = msw_dram_form_of(c);
    msw_dram_estimate guess = msw_dram_estimate_load(&form, load);
    assert_true(e->count < MOST);
    e->bandwidth[e->count] = fabs(guess.bandwidth_gbs / truth.bandwidth_gbs - 1);
    e->hit[e->count++] = fabs(guess.hit_rate - truth.hit_rate);
}

static void compare_region(const region *r, errors *e)
{
    msw_dram_config c = *msw_dram_preset_find(r->preset, NULL);
    c.channels = 1;
    c.map = "row rank bg bank ch col";
    c.buffers = r->buffers;
    for (uint32_t half = 0; half < 2; half++)
        for (double k = 0; k <= 4; k = k > 0 ? 2 * k : 1)
            for (double visit = 1; visit <= 16; visit *= 4)
                for (uint32_t w = r->first; w <= r->last; w *= 2) {
                    msw_dram_config this = c;
                    this.t.refi = half ? c.t.refi : 0;
                    this.read_depth = w > c.read_depth ? w : c.read_depth;
                    double share = !r->mixed ? 1 : half ? 2.0 / 3 : 0.5;
                    msw_dram_load load = {visit, k, share, w};
                    compare(&this, &load, e);
                }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantiles that docs/models/sim-dram.md states, in per cent of the bandwidth. */
static void agreement_is_as_stated(void **state)
{
    (void)state;
    static const struct {
        region where;
        double half, nine_tenths, worst, hit;
    } CASES[] = {
        {{"mpu_nbu", 1, 1, 4, false}, 4, 10, 14, 0.05},
        {{"mpu_nbu", 1, 8, 32, false}, 2, 12, 19, 0.05},
        {{"mpu_nbu", 1, 64, 256, false}, 2, 8, 12, 0.09},
        {{"mpu_nbu", 1, 1, 4, true}, 6, 21, 41, 0.14},
        {{"mpu_nbu", 1, 8, 32, true}, 9, 19, 23, 0.09},
        {{"mpu_nbu", 1, 64, 256, true}, 14, 26, 33, 0.08},
        {{"mpu_nbu", 4, 1, 4, false}, 6, 11, 19, 0.07},
        {{"mpu_nbu", 4, 8, 32, false}, 6, 21, 34, 0.07},
        {{"mpu_nbu", 4, 64, 256, false}, 3, 6, 12, 0.1},
        {{"mpu_nbu", 4, 1, 4, true}, 8, 15, 33, 0.1},
        {{"mpu_nbu", 4, 8, 32, true}, 6, 17, 25, 0.09},
        {{"mpu_nbu", 4, 64, 256, true}, 8, 14, 18, 0.11},
        {{"hbm2", 1, 1, 4, false}, 4, 7, 13, 0.04},
        {{"hbm2", 1, 8, 32, false}, 5, 13, 18, 0.06},
        {{"hbm2", 1, 64, 256, false}, 2, 10, 17, 0.07},
        {{"hbm2", 1, 1, 4, true}, 9, 16, 34, 0.07},
        {{"hbm2", 1, 8, 32, true}, 13, 25, 30, 0.09},
        {{"hbm2", 1, 64, 256, true}, 5, 17, 33, 0.14},
        {{"ddr4_3200", 1, 1, 4, false}, 5, 9, 10, 0.04},
        {{"ddr4_3200", 1, 8, 32, false}, 7, 16, 31, 0.02},
        {{"ddr4_3200", 1, 64, 256, false}, 2, 6, 7, 0.34},
        {{"ddr4_3200", 1, 1, 4, true}, 16, 26, 33, 0.04},
        {{"ddr4_3200", 1, 8, 32, true}, 10, 20, 35, 0.06},
        {{"ddr4_3200", 1, 64, 256, true}, 8, 12, 17, 0.21},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const region *r = &CASES[i].where;
        errors e = {.count = 0};
        compare_region(r, &e);
        qsort(e.bandwidth, e.count, sizeof *e.bandwidth, by_value);
        qsort(e.hit, e.count, sizeof *e.hit, by_value);
        double half = 100 * e.bandwidth[e.count / 2], worst = 100 * e.bandwidth[e.count - 1];
        double most = 100 * e.bandwidth[e.count * 9 / 10], hit = e.hit[e.count * 9 / 10];
        if (getenv("MEMSWEEP_VERBOSE"))
            printf("| %s, %u buffers, %s, windows %u to %u | %.1f | %.1f | %.1f | %.3f |\n",
                   r->preset, r->buffers, r->mixed ? "mixed" : "reads", r->first, r->last, half,
                   most, worst, hit);
        assert_near(half, 0, CASES[i].half);
        assert_near(most, 0, CASES[i].nine_tenths);
        assert_near(worst, 0, CASES[i].worst);
        assert_near(hit, 0, CASES[i].hit);
    }
}

static void known_bounds_are_named(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.t.refi = 0;
    msw_dram_load row_after_row = {1, 0, 1, 32}, sequential = {32, 0, 1, 32}, one = {32, 0, 1, 1};
    msw_dram_form form = msw_dram_form_of(&c);
    msw_dram_estimate e = msw_dram_estimate_load(&form, &row_after_row);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_BANKS);
    assert_near(e.bandwidth_gbs, 4 * 32 / 47.0, 1e-9); /* four rows in four banks per tRC */
    e = msw_dram_estimate_load(&form, &sequential);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_BUS);
    assert_near(e.bandwidth_gbs, 16, 1e-9);
    e = msw_dram_estimate_load(&form, &one);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_LATENCY);
    assert_near(e.read_latency, 17 + 28 / 32.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreement_is_as_stated),
        cmocka_unit_test(known_bounds_are_named),
    };
    return cmocka_run_group_tests_name("sim_dram_analytic", tests, NULL, NULL);
}

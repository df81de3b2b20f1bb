/* How far is the closed form from the timing model? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/dram_analytic.h"
#include "testing.h"

#include <stdlib.h>

enum { REQUESTS = 10000 };

typedef struct walker {
    uint32_t row, column, left;
} walker;

static void fill(uint64_t *address, uint8_t *is_write, const msw_dram_config *c,
                 const msw_dram_load *load)
{
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    uint32_t banks = c->ranks * c->groups * c->banks, k = (uint32_t)load->streams_per_bank;
    uint32_t streams = k ? k * banks : 1, run = (uint32_t)load->run;
    walker *s = calloc(streams, sizeof *s);
    for (size_t i = 0; i < REQUESTS; i++) {
        uint32_t which = (uint32_t)msw_rng_below(&rng, streams);
        if (!s[which].left) {
            s[which].row = k ? (uint32_t)msw_rng_below(&rng, c->rows) : s[which].row + 1;
            s[which].left = run;
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
    msw_dram_run(dram, &stream, 0);
    msw_dram_rates rates = msw_dram_rates_of(msw_dram_channel_stats(dram, 0), c, 1);
    free(memory);
    free(address);
    free(is_write);
    return rates;
}

typedef struct errors {
    double worst_hit, worst_bandwidth, sum_bandwidth, worst_latency;
    unsigned count;
} errors;

static void compare(const msw_dram_config *c, const msw_dram_load *load, errors *e)
{
    msw_dram_rates truth = simulate(c, load);
    msw_dram_estimate guess = msw_dram_estimate_load(c, load);
    double bandwidth = fabs(guess.bandwidth_gbs / truth.bandwidth_gbs - 1);
    double latency = fabs(guess.read_latency / truth.read_latency - 1);
    if (getenv("MEMSWEEP_VERBOSE"))
        printf("run %2.0f streams %1.0f reads %.2f W %2.0f R %u refi %u: hit %.3f %.3f  GB/s %.3f "
               "%.3f "
               "(%+.1f%%)  latency %.1f %.1f bound %d\n",
               load->run, load->streams_per_bank, load->read_share, load->window, c->buffers,
               c->t.refi, truth.hit_rate, guess.hit_rate, truth.bandwidth_gbs, guess.bandwidth_gbs,
               100 * (guess.bandwidth_gbs / truth.bandwidth_gbs - 1), truth.read_latency,
               guess.read_latency, guess.bound_by);
    e->worst_hit = fmax(e->worst_hit, fabs(guess.hit_rate - truth.hit_rate));
    e->worst_bandwidth = fmax(e->worst_bandwidth, bandwidth);
    e->worst_latency = fmax(e->worst_latency, latency);
    e->sum_bandwidth += bandwidth;
    e->count++;
}

static errors compare_grid(const char *preset, double read_share, uint32_t buffers, double window)
{
    msw_dram_config c = *msw_dram_preset_find(preset, NULL);
    c.channels = 1;
    c.map = "row rank bg bank ch col";
    c.buffers = buffers;
    errors e = {0};
    for (uint32_t refresh = 0; refresh < 2; refresh++)
        for (double k = 0; k <= 4; k = k > 0 ? 2 * k : 1)
            for (double run = 1; run <= 16; run *= 4)
                for (double w = window; w <= 32; w *= 2) {
                    msw_dram_config this = c;
                    this.t.refi = refresh ? c.t.refi : 0;
                    msw_dram_load load = {run, k, read_share, w};
                    compare(&this, &load, &e);
                }
    if (getenv("MEMSWEEP_VERBOSE"))
        printf("%s reads %.2f R %u: hit %.3f bandwidth %.3f (mean %.3f) latency %.3f\n", preset,
               read_share, buffers, e.worst_hit, e.worst_bandwidth, e.sum_bandwidth / e.count,
               e.worst_latency);
    return e;
}

/* The tolerances that docs/models/sim-dram.md states. */
static void assert_within(errors e, double hit, double bandwidth, double mean)
{
    assert_in_range(e.count, 1, 1000);
    assert_near(e.worst_hit, 0, hit);
    assert_near(e.worst_bandwidth, 0, bandwidth);
    assert_near(e.sum_bandwidth / e.count, 0, mean);
}

static void reads_of_a_near_bank_unit(void **state)
{
    (void)state;
    assert_within(compare_grid("mpu_nbu", 1, 1, 1), 0.08, 0.20, 0.05);
}

static void reads_with_four_row_buffers(void **state)
{
    (void)state;
    assert_within(compare_grid("mpu_nbu", 1, 4, 1), 0.16, 0.25, 0.07);
}

static void reads_of_other_devices(void **state)
{
    (void)state;
    assert_within(compare_grid("hbm2", 1, 1, 1), 0.10, 0.25, 0.06);
    assert_within(compare_grid("ddr4_3200", 1, 1, 1), 0.10, 0.35, 0.07);
}

static void reads_and_writes_of_a_full_window(void **state)
{
    (void)state;
    assert_within(compare_grid("mpu_nbu", 2.0 / 3, 1, 16), 0.10, 0.28, 0.12);
}

static void known_bounds_are_named(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.t.refi = 0;
    msw_dram_load row_after_row = {1, 0, 1, 32}, sequential = {32, 0, 1, 32}, one = {32, 0, 1, 1};
    msw_dram_estimate e = msw_dram_estimate_load(&c, &row_after_row);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_BANKS);
    assert_near(e.bandwidth_gbs, 4 * 32 / 47.0, 1e-9); /* four rows in four banks per tRC */
    e = msw_dram_estimate_load(&c, &sequential);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_BUS);
    assert_near(e.bandwidth_gbs, 16, 1e-9);
    e = msw_dram_estimate_load(&c, &one);
    assert_int_equal(e.bound_by, MSW_DRAM_BOUND_LATENCY);
    assert_near(e.read_latency, 17 + 28 / 32.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_a_near_bank_unit),
        cmocka_unit_test(reads_with_four_row_buffers),
        cmocka_unit_test(reads_of_other_devices),
        cmocka_unit_test(reads_and_writes_of_a_full_window),
        cmocka_unit_test(known_bounds_are_named),
    };
    return cmocka_run_group_tests_name("sim_dram_analytic", tests, NULL, NULL);
}

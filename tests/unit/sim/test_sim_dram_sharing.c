/* SPDX-License-Identifier: MIT */
/* Do accesses over several channels keep to Little's law, to the rates of the channels, and to the
 * slowest of them? */
#include "testing.h"

#include "memsweep/sim/dram_analytic.h"

enum { STEPS = 9 };

/* A server of `cycles`: those that wait are served one after the other. */
static void servers(double latency[STEPS], double cycles)
{
    for (int step = 0; step < STEPS; step++)
        latency[step] = cycles * (1 << step);
}

/* Poisson's law: a server is busy but for exp(-m) of the time. */
static void chance_leaves_servers_idle(void **state)
{
    (void)state;
    double latency[STEPS], share[4] = {0.25, 0.25, 0.25, 0.25};
    servers(latency, 10);
    msw_dram_sharing s = {latency, STEPS, share, 4, 0};
    for (double m = 1; m <= 16; m *= 2)
        assert_relative(msw_dram_shared_latency(&s, 4 * m), 4 * m * 10 / (4 * (1 - exp(-m))), 1e-6);
    assert_relative(msw_dram_shared_latency(&s, 256), 256 * 10 / 4.0, 1e-6);
}

/* Nobody waits where every access has a channel of its own time. */
static void without_waiting_the_latency_stays(void **state)
{
    (void)state;
    double latency[STEPS], share[2] = {0.5, 0.5};
    for (int step = 0; step < STEPS; step++)
        latency[step] = 40;
    msw_dram_sharing s = {latency, STEPS, share, 2, 100};
    for (double n = 1; n <= 256; n *= 4)
        assert_relative(msw_dram_shared_latency(&s, n), 140, 1e-6);
}

/* A channel with half of the accesses bounds all of them; evenly spread they are faster. */
static void a_hot_channel_bounds_the_rate(void **state)
{
    (void)state;
    double latency[STEPS], hot[4] = {0.5, 0.2, 0.2, 0.1}, even[4] = {0.25, 0.25, 0.25, 0.25};
    servers(latency, 10);
    msw_dram_sharing uneven = {latency, STEPS, hot, 4, 0}, fair = {latency, STEPS, even, 4, 0};
    double before = 0;
    for (double n = 4; n <= 256; n *= 2) {
        double now = msw_dram_shared_latency(&uneven, n);
        assert_true(now > before && now > msw_dram_shared_latency(&fair, n));
        before = now;
    }
    assert_relative(before, 256 * 10 * 0.5, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chance_leaves_servers_idle),
        cmocka_unit_test(without_waiting_the_latency_stays),
        cmocka_unit_test(a_hot_channel_bounds_the_rate),
    };
    return cmocka_run_group_tests_name("dram_sharing", tests, NULL, NULL);
}

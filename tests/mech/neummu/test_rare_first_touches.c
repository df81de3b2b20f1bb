/* SPDX-License-Identifier: MIT */
/* Defect 257. A sample of units missed those few in which a page was used for the first time, and
 * with them nearly all walks. Are they always measured? */
#include "htmmu_configs.h"
#include "testing.h"

#define MIB ((uint64_t)1 << 20)

enum { REQUESTS = 300000, PAGES = 64, LATE = 6 };

static uint64_t addresses[REQUESTS];

/* A few pages in any order, and from time to time another one that is not used again. */
static void fill_addresses(void)
{
    for (uint64_t i = 0; i < REQUESTS; i++)
        addresses[i] = (1 + (i / 4 * 2654435761u >> 7) % PAGES) * 2 * MIB + i % 4 * 64;
    for (uint64_t late = 1; late <= LATE; late++)
        addresses[late * (REQUESTS / (LATE + 2)) + 1000] = (100 + late) * 2 * MIB;
}

static void units_of_first_touches_are_measured(void **state)
{
    (void)state;
    direct d;
    fill_addresses();
    stream_open(&d,
                (stream_config){.kind = STREAM_GIVEN, .requests = REQUESTS, .given = addresses});
    direct_set(&d, "outstanding", 16);
    direct_set(&d, "level_cycles", 10);
    d.task.sampling = (msw_sampling){.confidence = 0.95, .target = 10, .pilot = 24};
    direct_run(&d, MSW_FULL, 1);
    double walks = stream_metric(&d, "walks");
    for (uint64_t seed = 1; seed <= 3; seed++) {
        direct_run(&d, MSW_SAMPLED, seed);
        assert_int_equal(d.answer.status, MSW_OK);
        assert_in_range(d.answer.measured, 1, d.answer.units / 2);
        assert_relative(stream_metric(&d, "walks"), walks, 1e-9);
    }
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_of_first_touches_are_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

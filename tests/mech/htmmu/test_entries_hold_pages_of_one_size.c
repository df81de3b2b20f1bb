/* SPDX-License-Identifier: MIT */
/* Defect 262. An entry of several large pages also answered for the regions between them that are
 * in small pages: 14 walks where 71 blocks were asked for. Is every region walked whose pages have
 * another size? */
#include "htmmu_configs.h"
#include "testing.h"

enum { REGIONS = 64, LARGE = 1 << 20, SMALL = 1 << 14 };

/* One request to each region, twice. */
static uint64_t addresses[2 * REGIONS];

static double walks_of(double coalesce, double share)
{
    direct d;
    stream_open(&d,
                (stream_config){.kind = STREAM_GIVEN, .requests = 2 * REGIONS, .given = addresses});
    direct_set(&d, "page_size", SMALL);
    direct_set(&d, "large_page", LARGE);
    direct_set(&d, "large_share", share);
    direct_set(&d, "outstanding", 1);
    direct_set(&d, "l1_coalesce", coalesce);
    direct_set(&d, "l2_coalesce", coalesce);
    direct_run(&d, MSW_FULL, 1);
    if (d.answer.status != MSW_OK)
        fail_msg("%s", d.answer.reason);
    double walks = stream_metric(&d, "walks");
    direct_close(&d);
    return walks;
}

static void regions_of_small_pages_are_walked(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2 * REGIONS; i++)
        addresses[i] = i % REGIONS * LARGE;
    double small = 0;
    assert_true(walks_of(1, 0.5) == REGIONS);
    assert_true(walks_of(8, 1) == REGIONS / 8); /* all are large: a walk brings eight */
    assert_true(walks_of(8, 0) == REGIONS);     /* none is: their pages are far apart */
    for (int share = 1; share < 4; share++) {
        double walks = walks_of(8, share / 4.);
        /* each small region, and a walk for each eight regions that have a large one */
        assert_true(walks > REGIONS / 8 && walks < REGIONS);
        assert_true(share == 1 || walks < small);
        assert_true(walks >= REGIONS * (1 - share / 4.) - 12);
        small = walks;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(regions_of_small_pages_are_walked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

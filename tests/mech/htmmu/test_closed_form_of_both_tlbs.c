/* SPDX-License-Identifier: MIT */
/* Defect 351. The closed form took one TLB's contents for a part of the other's, walks at once for
 * walks one after the other, and requests behind a look-up for hits. Is it near the cycle model on
 * configs in which each of these decided? */
#include "direct.h"
#include "testing.h"

#include "mech/htmmu/model.h"

#include <math.h>

typedef struct config {
    const char *what, *workload, *values;
} config;

static const config CONFIGS[] = {
    {"walks of one page at once, one line", "dense",
     "outstanding=2048 streams=16 router_bit=23 free_choice=1 divert=1 l1_entries=256 l1_ways=0 "
     "l1_coalesce=4 l1_cycles=5 l1_mshrs=2 register_holds=0 l2_entries=1048576 l2_ways=1 "
     "l2_coalesce=2 l2_cycles=472 l2_ports=2 policy=1 coalesce_fill=0 ptu_queue=4 "
     "merge_entries=256 merge_items=0 items_full=1 tpc_entries=65536 tpc_cycles=9 "
     "page_size=32768 large_page=262144 large_share=0.9124 level_cycles=3300 walker_choice=2 "
     "table_lines=1 table_line_ways=1 table_line_cycles=10"},
    {"a first TLB of wider entries", "dense",
     "outstanding=4096 streams=8 router=1 router_bit=27 divert=1 l1_coalesce=4 l1_mshrs=2 "
     "register_holds=0 l2_entries=512 l2_ways=1024 l2_cycles=469 l2_ports=2 l2_mshrs=8 policy=1 "
     "ptu_queue=1 merge_entries=1 merge_items=1 reprobe=1 tpc_entries=65536 tpc_cycles=9 "
     "page_size=4096 table_levels=5 level_cycles=78320 table_lines=32 table_line_ways=2 "
     "table_line_cycles=7"},
    {"entries of eight pages, replaced at random", "dlrm/b128",
     "outstanding=2048 streams=2 router=0 router_by=1 router_bit=31 l1_ways=1024 l1_cycles=5 "
     "l1_mshrs=2 register_holds=0 l2_entries=4096 l2_coalesce=8 l2_cycles=330 l2_ports=2 "
     "l2_mshrs=64 policy=4 coalesce_fill=0 ptu_queue=0 merge_entries=256 merge_items=2 "
     "path_cache=1 page_size=262144 large_page=1048576 large_share=0.9989 table_levels=5 "
     "level_cycles=28842 walker_choice=2 table_lines=1 table_line_ways=2 table_line_cycles=20"},
    {"a second TLB of 960 cycles", "neumf/b64",
     "requester=1 outstanding=16 rate=0.0875276 burst=2 peak_rate=0.12769 streams=1 router_by=1 "
     "router_bit=38 l1_entries=256 l1_ways=128 l1_cycles=5 mshr_merge=1 l2_entries=32768 "
     "l2_coalesce=4 l2_cycles=960 l2_mshrs=32 coalesce_fill=0 ptu_queue=1 merge_entries=128 "
     "merge_items=2 items_full=1 path_cache=3 tpc_entries=32 tpc_ways=2 tpc_cycles=9 "
     "page_size=4096 large_page=65536 large_share=0.87 table_levels=5 memory_model=1 "
     "memory_preset=10 memory_channels=32 memory_banks=2 memory_path=278 walker_choice=2 "
     "table_lines=1024 table_line_cycles=11"},
    {"pages walked again, one line", "dense",
     "outstanding=16 streams=8 router_bit=26 free_choice=2 divert=1 l1_entries=4096 l1_ways=1024 "
     "l1_coalesce=8 l1_cycles=5 register_holds=0 l2_entries=131072 l2_ways=2 l2_coalesce=8 "
     "l2_cycles=321 l2_ports=2 l2_mshrs=1 policy=1 ptu_queue=32 merge_entries=2 "
     "merge_items=512 path_cache=1 page_size=16384 large_page=65536 large_share=0.726 "
     "table_levels=5 level_cycles=93894 walker_choice=1 table_lines=1 table_line_ways=1 "
     "table_line_cycles=5"},
    {"misses in line keep their look-up", "dlrm/b128",
     "outstanding=4096 streams=16 router=0 router_by=1 router_bit=27 l1_entries=65536 "
     "l1_coalesce=4 l1_cycles=5 l1_mshrs=2 register_holds=0 mshr_merge=1 l2_entries=262144 "
     "l2_ways=2 l2_coalesce=4 l2_cycles=929 l2_ports=2 l2_mshrs=4 policy=1 ptu_queue=0 "
     "merge_entries=1 merge_items=32 path_cache=1 page_size=16384 large_page=262144 "
     "large_share=0.0186 memory_model=1 memory_preset=0 memory_channels=16 memory_banks=4 "
     "memory_path=462 table_lines=1024 table_line_ways=16 table_line_cycles=10"},
    {"registers of 256 walkers, few walks more than these", "dense",
     "outstanding=512 streams=16 router=0 router_by=1 router_bit=33 l1_entries=128 l1_ways=8 "
     "l1_coalesce=8 register_holds=0 l2_entries=4 l2_ways=1 l2_coalesce=4 l2_cycles=951 "
     "l2_ports=2 l2_mshrs=2 policy=4 coalesce_fill=0 ptu_queue=4 merge_entries=256 "
     "merge_items=64 items_full=1 reprobe=1 path_cache=1 tpc_entries=64 tpc_cycles=9 "
     "page_size=16384 table_levels=5 level_cycles=72522 table_lines=4 table_line_ways=4 "
     "table_line_cycles=2"},
};

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[HTMMU_CYCLES];
}

static void set_all(direct *d, const char *values)
{
    char name[64];
    double value;
    int length;
    for (; sscanf(values, " %63[^=]=%lf%n", name, &value, &length) == 2; values += length)
        direct_set(d, name, value);
}

static void closed_form_is_near(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof CONFIGS / sizeof *CONFIGS; i++) {
        msw_err err = {0};
        direct d;
        assert_ok(direct_open(&d, msw_mech_find("htmmu"), CONFIGS[i].workload, &err), err);
        set_all(&d, CONFIGS[i].values);
        double error = cycles_of(&d, MSW_ANALYTIC) / cycles_of(&d, MSW_FULL) - 1;
        print_message("%s: %+.1f %%\n", CONFIGS[i].what, 100 * error);
        bad += fabs(error) > 0.12;
        direct_close(&d);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form_is_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Has the preset `big` the properties that HTMMU's paper states of its set Big? */
#include "streams.h"
#include "testing.h"

#include "memsweep/sim/walker.h"

typedef struct shares {
    double same_4k, out_2m;
} shares;

/* Of requests and their predecessors. */
static shares measure_shares(const msw_accesses *a)
{
    uint64_t same = 0, out = 0;
    for (uint64_t i = 1; i < a->count; i++) {
        same += a->addresses[i] >> 12 == a->addresses[i - 1] >> 12;
        out += a->addresses[i] >> 21 != a->addresses[i - 1] >> 21;
    }
    return (shares){(double)same / (double)a->count, (double)out / (double)a->count};
}

/* Published: 61 % within a 4 kB page, 12.9 % outside a 2 MB page. */
static void test_near_and_far_requests(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        stream s;
        assert_ok(stream_named(&s, "big"), s.err);
        assert_ok(stream_build(&s, seed), s.err);
        shares found = measure_shares(s.a);
        printf("big, seed %d: %.1f %% in the same 4 kB page, %.1f %% outside the 2 MB page\n",
               (int)seed, 100 * found.same_4k, 100 * found.out_2m);
        assert_near(found.same_4k, 0.61, 0.01);
        assert_near(found.out_2m, 0.129, 0.005);
        stream_close(&s);
    }
}

/* HTMMU's baseline: 64 and 512 entries, 16 walkers of 1000 cycles per level, 32 paths; merge items
 * without limit, so that the walks' ends say how many would have been used. */
typedef struct baseline {
    msw_tlb l1, l2;
    msw_walker walker;
    uint64_t requests, same, caught; /* to the walkers; on a page being walked; by four items */
    void *memory[3];
} baseline;

static void *room(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void baseline_init(baseline *b, unsigned shift)
{
    msw_err err;
    msw_tlb_config l1 = {.banks = 1,
                         .sets = 16,
                         .ways = 4,
                         .policy = MSW_POLICY_TREE,
                         .sizes = 1,
                         .page_shift = {(uint8_t)shift},
                         .coalesce = 1};
    msw_tlb_config l2 = l1;
    l2.sets = 128;
    msw_walker_config walker = {.walkers = 16,
                                .scoreboard = true,
                                .slots = MSW_MSHR_UNLIMITED,
                                .level_cycles = 1000,
                                .lookup_cycles = 9,
                                .cache = {.kind = MSW_WALKCACHE_PATH, .entries = 32, .levels = 4},
                                .table = msw_pagetable_x86()};
    *b = (baseline){.memory = {room(msw_tlb_bytes(&l1)), room(msw_tlb_bytes(&l2)),
                               room(msw_walker_bytes(&walker))}};
    assert_ok(msw_tlb_init(&b->l1, &l1, b->memory[0], &err), err);
    assert_ok(msw_tlb_init(&b->l2, &l2, b->memory[1], &err), err);
    assert_ok(msw_walker_init(&b->walker, &walker, b->memory[2], &err), err);
}

static void end_walks(baseline *b, uint64_t now)
{
    msw_walk_end end;
    while (msw_walker_retire(&b->walker, now, &end)) {
        b->same += end.merged;
        b->caught += end.merged < 4 ? end.merged : 4;
        msw_tlb_fill(&b->l1, 0, end.page, 0, end.time);
        msw_tlb_fill(&b->l2, 0, end.page, 0, end.time);
    }
}

/* Returns when the next request may come. */
static uint64_t issue(baseline *b, uint64_t time, msw_page page)
{
    for (;;) {
        msw_walk walk;
        end_walks(b, time);
        if (msw_tlb_lookup(&b->l1, 0, page.address))
            return time + 1;
        if (msw_tlb_lookup(&b->l2, 0, page.address)) {
            msw_tlb_fill(&b->l1, 0, page, 0, time);
            return time + 1;
        }
        msw_walk_request request = {.time = time, .page = page, .count = 1};
        if (msw_walker_request(&b->walker, &request, &walk) != MSW_WALK_BLOCKED) {
            b->requests++;
            return time + 1;
        }
        time = walk.done;
    }
}

static void run(baseline *b, const msw_accesses *a, unsigned shift)
{
    uint64_t next = 0;
    for (uint64_t i = 0; i < a->count; i++) {
        uint64_t time = a->cycles[i] > next ? a->cycles[i] : next;
        next = issue(b, time, (msw_page){a->addresses[i] >> shift << shift, shift});
    }
    end_walks(b, UINT64_MAX - 1);
}

/* Published: 18 to 44 % of walks end on a page that is being walked, and a buffer of four items
 * catches less than 80 % of those. The arrival rate is not published; at one request per 37 cycles
 * both hold. */
static void test_walks_on_pages_being_walked(void **state)
{
    (void)state;
    static const double INTERVALS[] = {36, 37, 38, 100};
    for (size_t i = 0; i < sizeof INTERVALS / sizeof *INTERVALS; i++) {
        stream s;
        baseline b;
        assert_ok(stream_named(&s, "big"), s.err);
        s.config.sparse.interval = INTERVALS[i];
        assert_ok(stream_build(&s, 1), s.err);
        baseline_init(&b, 12);
        run(&b, s.a, 12);
        double same = (double)b.same / (double)b.requests,
               caught = (double)b.caught / (double)b.same;
        printf("big, a request per %g cycles: %.1f %% of walks on a page being walked, %.1f %% of "
               "those caught by 4 items\n",
               INTERVALS[i], 100 * same, 100 * caught);
        assert_true(same > 0.18 && same < 0.445);
        assert_true(INTERVALS[i] > 37 || caught < 0.8);
        for (int m = 0; m < 3; m++)
            free(b.memory[m]);
        stream_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_and_far_requests),
        cmocka_unit_test(test_walks_on_pages_being_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

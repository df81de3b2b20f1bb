/* SPDX-License-Identifier: MIT */
/* Do masters share a link as their weights say? The referee looks at every cycle and keeps all
 * transfers in one list. */
#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

typedef struct referee {
    const msw_link_config *config;
    size_t count;
    msw_transfer list[MOST];
    uint64_t tag[MOST], delivered[MOST];
    bool arrived[MOST], started[MOST];
    uint64_t free, end[MSW_LINK_PRIORITIES][MSW_LINK_MASTERS];
    uint64_t rest[MSW_LINK_PRIORITIES][MSW_LINK_MASTERS];
    uint64_t now[MSW_LINK_PRIORITIES]; /* virtual */
    int in_service;                    /* priority of the last started */
} referee;

/* A byte is a cycle, so that everything happens at whole cycles. */
static void arrive(referee *r, size_t i, uint64_t cycle)
{
    uint8_t p = r->list[i].priority, m = r->list[i].master;
    bool busy = r->in_service == p && r->free > cycle;
    for (size_t k = 0; k < r->count; k++)
        busy = busy || (r->arrived[k] && !r->started[k] && r->list[k].priority == p);
    for (size_t k = 0; k < MSW_LINK_MASTERS && !busy; k++)
        r->now[p] = r->end[p][k] > r->now[p] ? r->end[p][k] : r->now[p];
    r->tag[i] = r->now[p] > r->end[p][m] ? r->now[p] : r->end[p][m];
    uint64_t virtual = r->list[i].bytes * 65536 + (r->tag[i] == r->end[p][m] ? r->rest[p][m] : 0);
    r->end[p][m] = r->tag[i] + virtual / r->config->weights[m];
    r->rest[p][m] = virtual % r->config->weights[m];
    r->arrived[i] = true;
}

static bool goes_before(const referee *r, size_t a, size_t b)
{
    if (r->list[a].priority != r->list[b].priority)
        return r->list[a].priority < r->list[b].priority;
    if (r->tag[a] != r->tag[b])
        return r->tag[a] < r->tag[b];
    if (r->list[a].master != r->list[b].master)
        return r->list[a].master < r->list[b].master;
    return a < b;
}

static void start_one(referee *r, uint64_t cycle)
{
    size_t best = MOST;
    for (size_t i = 0; i < r->count; i++)
        if (r->arrived[i] && !r->started[i] && (best == MOST || goes_before(r, i, best)))
            best = i;
    if (best == MOST)
        return;
    r->started[best] = true;
    r->now[r->list[best].priority] = r->tag[best];
    r->in_service = r->list[best].priority;
    r->free = cycle + r->list[best].bytes;
    r->delivered[best] = r->free + r->config->latency_cycles;
}

static void referee_play(referee *r)
{
    r->in_service = -1;
    size_t next = 0, started = 0;
    for (uint64_t cycle = 0; started < r->count; cycle++) {
        for (; next < r->count && r->list[next].time == cycle; next++)
            arrive(r, next, cycle);
        if (r->free <= cycle)
            start_one(r, cycle);
        for (started = 0; started < r->count && r->started[started];)
            started++;
    }
}

static msw_link *link_new(const msw_link_config *config)
{
    msw_err err;
    msw_link *link = malloc(sizeof *link + 64 + msw_link_bytes(config));
    assert_ok(msw_link_init(link, config, (char *)link + (sizeof *link + 63) / 64 * 64, &err), err);
    return link;
}

static void any_traffic_is_delivered_as_the_referee_says(void **state)
{
    (void)state;
    referee *r = malloc(sizeof *r);
    size_t transfers = 0;
    for (uint64_t trial = 0; trial < 400; trial++) {
        msw_rng rng;
        msw_rng_init(&rng, 21, trial);
        msw_link_config config = {.bytes = 1,
                                  .cycles = 1,
                                  .latency_cycles = (uint32_t)msw_rng_below(&rng, 20),
                                  .priorities = 1 + (uint32_t)msw_rng_below(&rng, 3),
                                  .masters = 2 + (uint32_t)msw_rng_below(&rng, 6),
                                  .queue = MOST};
        for (uint32_t m = 0; m < config.masters; m++)
            config.weights[m] = 1 + (uint32_t)msw_rng_below(&rng, 9);
        memset(r, 0, sizeof *r);
        r->config = &config;
        r->count = 50 + msw_rng_below(&rng, MOST - 50);
        uint64_t time = 1, gap = 1 + msw_rng_below(&rng, 60);
        for (size_t i = 0; i < r->count; i++, time += msw_rng_below(&rng, gap))
            r->list[i] = (msw_transfer){.time = time,
                                        .bytes = 1 + msw_rng_below(&rng, 50),
                                        .data = i,
                                        .priority = (uint8_t)msw_rng_below(&rng, config.priorities),
                                        .master = (uint8_t)msw_rng_below(&rng, config.masters)};
        referee_play(r);
        msw_link *link = link_new(&config);
        msw_transfer taken;
        size_t got = 0;
        for (size_t i = 0; i < r->count; i++) {
            /* What is sent at a cycle comes before what starts then. */
            while (i && msw_link_take(link, r->list[i].time - 1, &taken))
                assert_int_equal(taken.time, r->delivered[taken.data]), got++;
            assert_true(msw_link_send(link, &r->list[i]));
        }
        while (msw_link_take(link, (uint64_t)1 << 40, &taken))
            assert_int_equal(taken.time, r->delivered[taken.data]), got++;
        assert_int_equal(got, r->count);
        transfers += got;
        free(link);
    }
    print_message("%zu transfers in 400 cases as the referee delivers them\n", transfers);
    free(r);
}

/* Masters that always wait: between any two, time served over weight differs by no more than one
 * transfer of each over its weight. */
static void those_who_wait_share_by_weight(void **state)
{
    (void)state;
    enum { MASTERS = 5, ROUNDS = 20000 };
    static const uint64_t SIZE[MASTERS] = {7, 64, 1, 300, 20};
    msw_link_config config = {.bytes = 1,
                              .cycles = 1,
                              .priorities = 1,
                              .masters = MASTERS,
                              .weights = {1, 2, 3, 10, 4},
                              .queue = 4 * MASTERS};
    msw_link *link = link_new(&config);
    double served[MASTERS] = {0};
    msw_transfer transfer = {0}, taken;
    for (int k = 0; k < 4 * MASTERS; k++) {
        transfer.master = (uint8_t)(k % MASTERS), transfer.bytes = SIZE[k % MASTERS];
        assert_true(msw_link_send(link, &transfer));
    }
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t next = msw_link_next(link);
        assert_true(msw_link_take(link, next, &taken));
        uint8_t m = taken.master;
        served[m] += (double)SIZE[m];
        transfer = (msw_transfer){.time = next, .master = m, .bytes = SIZE[m]};
        assert_true(msw_link_send(link, &transfer));
        for (int a = 0; a < MASTERS; a++)
            for (int b = 0; b < a; b++) {
                double wa = config.weights[a], wb = config.weights[b];
                double bound = (double)SIZE[a] / wa + (double)SIZE[b] / wb + 1;
                assert_near(served[a] / wa, served[b] / wb, bound);
            }
    }
    free(link);
}

/* The closed form of shares against small steps: every round gives those who want more a little. */
static void shares_equal_filling_by_drops(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 22, 0);
    for (int trial = 0; trial < 300; trial++) {
        enum { N = 8 };
        double demand[N], got[N], filled[N] = {0}, left = 1;
        uint32_t weights[N];
        size_t n = 1 + msw_rng_below(&rng, N);
        for (size_t m = 0; m < n; m++) {
            demand[m] = msw_rng_below(&rng, 4) ? msw_rng_uniform(&rng) * 0.6 : 3;
            weights[m] = 1 + (uint32_t)msw_rng_below(&rng, 20);
        }
        for (bool moved = true; moved && left > 1e-9;) {
            moved = false;
            for (size_t m = 0; m < n; m++) {
                double want = fmin(fmin(demand[m], 1) - filled[m], 1e-6 * weights[m]);
                want = fmin(want, left);
                filled[m] += want, left -= want;
                moved = moved || want > 0;
            }
        }
        msw_link_shares(demand, weights, n, got);
        for (size_t m = 0; m < n; m++)
            assert_near(got[m], filled[m], 5e-5);
    }
}

/* Traffic at given rates gets the shares of the closed form. */
static void traffic_gets_its_shares(void **state)
{
    (void)state;
    enum { MASTERS = 3, END = 400000 };
    static const double DEMAND[MASTERS] = {0.15, 0.9, 0.9};
    static const uint64_t SIZE[MASTERS] = {16, 64, 8};
    msw_link_config config = {.bytes = 1,
                              .cycles = 1,
                              .priorities = 1,
                              .masters = MASTERS,
                              .weights = {4, 1, 2},
                              .queue = 64 * MASTERS};
    msw_link *link = link_new(&config);
    double due[MASTERS] = {0}, served[MASTERS] = {0}, wanted[MASTERS];
    uint32_t waiting[MASTERS] = {0};
    msw_transfer taken;
    for (uint64_t cycle = 0; cycle < END; cycle++) {
        while (msw_link_take(link, cycle, &taken)) {
            served[taken.master] += (double)taken.bytes / END;
            waiting[taken.master]--;
        }
        for (uint8_t m = 0; m < MASTERS; m++)
            if ((double)cycle >= due[m] && waiting[m] < 64) {
                msw_transfer transfer = {.time = cycle, .bytes = SIZE[m], .master = m};
                assert_true(msw_link_send(link, &transfer));
                waiting[m]++;
                due[m] += (double)SIZE[m] / DEMAND[m];
            }
    }
    msw_link_shares(DEMAND, config.weights, MASTERS, wanted);
    for (int m = 0; m < MASTERS; m++)
        assert_near(served[m], wanted[m], 0.005);
    free(link);
}

static void bad_masters_are_refused(void **state)
{
    (void)state;
    static const msw_link_config BAD[] = {
        {.bytes = 1, .cycles = 1, .priorities = 1, .masters = 17},
        {.bytes = 1, .cycles = 1, .priorities = 1, .masters = 2, .weights = {1, 0}},
        {.bytes = 1, .cycles = 1, .priorities = 1, .masters = 2, .weights = {1, 65536}},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_link link;
        msw_err err = {0};
        assert_int_equal(msw_link_init(&link, &BAD[i], NULL, &err), -1);
        assert_non_null(strstr(err.text, i ? "weight" : "masters"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_traffic_is_delivered_as_the_referee_says),
        cmocka_unit_test(those_who_wait_share_by_weight),
        cmocka_unit_test(shares_equal_filling_by_drops),
        cmocka_unit_test(traffic_gets_its_shares),
        cmocka_unit_test(bad_masters_are_refused),
    };
    return cmocka_run_group_tests_name("sim_link_masters", tests, NULL, NULL);
}

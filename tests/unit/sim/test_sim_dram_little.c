/* SPDX-License-Identifier: MIT */
/* Little's law: are the mean number of reads in flight, followed request by request, and the reads
 * per cycle times their mean latency the same, whatever the window; and never more than the window
 * or what the queues hold? */
#include "dram_rules.h"
#include "testing.h"

#include <stdlib.h>

enum { REQUESTS = 6000 };

typedef struct flight {
    uint64_t now, since;  /* since when `reads` are in flight */
    uint64_t area;        /* reads in flight, summed over cycles */
    uint32_t reads, open; /* in flight; unanswered */
    uint32_t most;
} flight;

static void change(flight *f, uint64_t time, bool is_write, int by)
{
    if (!is_write) {
        f->area += f->reads * (time - f->since);
        f->since = time;
        f->reads = (uint32_t)((int)f->reads + by);
        f->most = f->reads > f->most ? f->reads : f->most;
    }
    f->open = (uint32_t)((int)f->open + by);
}

static void take(msw_dram *dram, flight *f, uint64_t limit)
{
    msw_dram_completion done;
    while (msw_dram_next(dram, limit, &done)) {
        f->now = done.time > f->now ? done.time : f->now;
        change(f, done.time, done.is_write, -1);
        if (limit == MSW_DRAM_NEVER)
            return;
    }
}

/* Answers are taken up to the cycle of every push, so that events come in order of time. */
static void push(msw_dram *dram, flight *f, uint64_t address, bool is_write)
{
    take(dram, f, f->now);
    while (!msw_dram_push(dram, f->now, address, 1, is_write, 0)) {
        uint64_t room = msw_dram_room(dram, address, is_write);
        assert_true(room != MSW_DRAM_NEVER);
        f->now = room > f->now ? room : f->now;
        take(dram, f, f->now);
    }
    change(f, f->now, is_write, 1);
    f->now++;
}

static flight replay(const msw_dram_config *c, dram_source source, uint32_t window,
                     msw_dram_stats *stats)
{
    void *memory = aligned_alloc(64, msw_dram_bytes(c));
    msw_dram *dram = msw_dram_init(memory, c, NULL);
    flight f = {.now = 0};
    for (uint32_t i = 0; i < REQUESTS; i++) {
        bool is_write;
        uint64_t wait, address = source_next(&source, &is_write, &wait);
        while (window && f.open >= window)
            take(dram, &f, MSW_DRAM_NEVER);
        push(dram, &f, address, is_write);
    }
    while (f.open)
        take(dram, &f, MSW_DRAM_NEVER);
    msw_dram_drain(dram);
    for (uint32_t i = 0; i < c->channels; i++)
        msw_dram_stats_sum(stats, msw_dram_channel_stats(dram, i));
    free(memory);
    return f;
}

static void reads_in_flight_are_rate_times_latency(void **state)
{
    (void)state;
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    static const uint32_t WINDOWS[] = {0, 1, 2, 4, 8, 16, 32, 64, 256};
    for (uint32_t i = 0; i < 54; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 15, i);
        msw_dram_config c = *msw_dram_preset_find(PRESETS[i % 3], NULL);
        dram_source source = random_source(&rng, &c);
        source.write = i / 27 ? 5 : 0;
        source.jump = i / 3 % 3 * 8;
        uint32_t window = WINDOWS[i % 27 / 3];
        msw_dram_stats stats = {0};
        flight f = replay(&c, source, window, &stats);
        uint64_t latency = stats.read_queueing + stats.read_service;
        uint32_t held = c.channels * (c.read_depth + (c.t.cl + c.t.bl) / c.t.bl + 2);
        assert_int_equal(f.area, latency);
        assert_true(f.most <= (window && window < held ? window : held));
        if (getenv("MEMSWEEP_VERBOSE"))
            printf("%-9s window %3u %s: %7.2f reads in flight, at most %u\n", PRESETS[i % 3],
                   window, i / 27 ? "mixed" : "reads", (double)f.area / (double)f.now, f.most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_in_flight_are_rate_times_latency)};
    return cmocka_run_group_tests_name("sim_dram_little", tests, NULL, NULL);
}

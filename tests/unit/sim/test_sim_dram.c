/* SPDX-License-Identifier: MIT */
/* Do latencies and bandwidths follow the laws of the timing rules? Numbers marked (measured) are
 * those on which DRAMsim3 and Ramulator 2.1 agree for the same device and stream. */
#include "memsweep/sim/dram.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    msw_dram_config config;
    msw_dram *dram;
    void *memory;
} fixture;

static msw_dram_config nbu(uint32_t refi)
{
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.t.refi = refi;
    return c;
}

static fixture open_memory(msw_dram_config config)
{
    msw_err err;
    fixture f = {.config = config};
    assert_ok(msw_dram_check(&config, &err), err);
    f.memory = aligned_alloc(64, msw_dram_bytes(&config));
    f.dram = msw_dram_init(f.memory, &config, &err);
    assert_non_null(f.dram);
    return f;
}

/* Latency of a single request in an otherwise idle memory. */
static uint64_t one(fixture *f, uint64_t time, uint64_t address, bool is_write, uint8_t outcome)
{
    msw_dram_completion done;
    assert_true(msw_dram_push(f->dram, time, address, 32, is_write, 7));
    assert_true(msw_dram_next(f->dram, MSW_DRAM_NEVER, &done));
    assert_int_equal(done.tag, 7);
    assert_int_equal(done.outcome, outcome);
    return done.time - time;
}

static void latency_of_closed_hit_and_conflict(void **state)
{
    (void)state;
    fixture f = open_memory(nbu(0));
    assert_int_equal(one(&f, 100, 0, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(one(&f, 200, 32, false, MSW_DRAM_HIT), 17);
    assert_int_equal(one(&f, 300, 4096, false, MSW_DRAM_CONFLICT), 45);
    free(f.memory);
}

static void writes_are_answered_when_accepted_or_when_written(void **state)
{
    (void)state;
    fixture f = open_memory(nbu(0));
    assert_int_equal(one(&f, 100, 0, true, MSW_DRAM_QUEUED), 1);
    free(f.memory);
    msw_dram_config c = nbu(0);
    c.posted_writes = false;
    f = open_memory(c);
    assert_int_equal(one(&f, 100, 0, true, MSW_DRAM_CLOSED), 1 + 14 + 4 + 2);
    free(f.memory);
}

static void a_read_finds_a_queued_write(void **state)
{
    (void)state;
    msw_dram_completion done;
    fixture f = open_memory(nbu(0));
    assert_true(msw_dram_push(f.dram, 100, 64, 8, true, 1));
    assert_true(msw_dram_push(f.dram, 101, 72, 8, false, 2));
    assert_true(msw_dram_next(f.dram, 101, &done));
    assert_true(msw_dram_next(f.dram, 102, &done));
    assert_int_equal(done.tag, 2);
    assert_int_equal(done.time, 102);
    msw_dram_drain(f.dram);
    const msw_dram_stats *s = msw_dram_channel_stats(f.dram, 0);
    assert_int_equal(s->forwarded, 1);
    assert_int_equal(s->commands_rd, 0);
    assert_int_equal(s->bytes_read + s->bytes_written, 16);
    free(f.memory);
}

typedef uint64_t address_of(uint64_t n, void *context);

/* Runs n requests with at most `window` unanswered. Returns the cycles it took. */
static uint64_t cycles_of(fixture *f, address_of *address, void *context, size_t n, uint32_t window,
                          bool writes)
{
    uint64_t *addresses = malloc(n * sizeof *addresses);
    uint8_t *is_write = calloc(n, 1);
    for (size_t i = 0; i < n; i++) {
        addresses[i] = address(i, context);
        is_write[i] = writes;
    }
    msw_dram_stream stream = {.address = addresses,
                              .is_write = is_write,
                              .count = n,
                              .bytes = f->config.burst_bytes,
                              .window = window};
    uint64_t end = msw_dram_replay(f->dram, &stream, 0);
    free(addresses);
    free(is_write);
    return end;
}

static uint64_t sequential(uint64_t n, void *context)
{
    return n * *(const uint64_t *)context;
}

static uint64_t uniform(uint64_t n, void *context)
{
    (void)n;
    uint64_t *x = context; /* xorshift64*, as in the comparison streams */
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return (*x * 2685821657736338717u >> 16) % (2u << 20) * 32;
}

static uint64_t walk_bank0(uint64_t n, void *context)
{
    (void)context;
    return n / 32 * 4096 + n % 32 * 32;
}

static msw_dram_rates rates(const fixture *f)
{
    msw_dram_stats all = {0};
    for (uint32_t i = 0; i < f->config.channels; i++)
        msw_dram_stats_sum(&all, msw_dram_channel_stats(f->dram, i));
    return msw_dram_rates_of(&all, &f->config, f->config.channels);
}

/* n hits in one row of one bank: max(tRC, tRCD + (n - 1) tCCD + tRTP + tRP) per row. */
static void rows_of_one_bank_follow_the_closed_form(void **state)
{
    (void)state;
    enum { ROWS = 2000 };
    for (uint32_t columns = 1; columns <= 32; columns *= 2) {
        msw_dram_config c = nbu(0);
        c.columns = columns;
        c.map = "row bank col";
        fixture f = open_memory(c);
        uint64_t *address = malloc(ROWS * columns * sizeof *address);
        for (uint32_t i = 0; i < ROWS * columns; i++)
            address[i] = ((uint64_t)(i / columns) * 4 * columns + i % columns) * 32;
        msw_dram_stream stream = {
            .address = address, .count = ROWS * columns, .bytes = 32, .window = 32};
        double per_row = (double)msw_dram_replay(f.dram, &stream, 0) / ROWS;
        double burst = 14 + (columns - 1) * 2 + 4 + 14;
        assert_near(per_row, burst > 47 ? burst : 47, 0.05);
        free(address);
        free(f.memory);
    }
}

static void sequential_and_strided_streams_match_measurements(void **state)
{
    (void)state;
    uint64_t line = 32, row = 1024;
    fixture f = open_memory(nbu(0));
    cycles_of(&f, sequential, &line, 200000, 32, false);
    assert_near(rates(&f).hit_rate, 0.96874, 2e-5);      /* (measured) */
    assert_near(rates(&f).bandwidth_gbs, 15.995, 0.005); /* (measured) */
    assert_near(rates(&f).read_latency, 63.5, 0.6);      /* (measured: 63 to 64) */
    free(f.memory);
    f = open_memory(nbu(0));
    cycles_of(&f, sequential, &row, 50000, 32, false); /* four rows in four banks per tRC */
    assert_relative(rates(&f).bandwidth_gbs, 4 * 32 / 47.0, 1e-3);
    assert_near(rates(&f).bandwidth_gbs, 2.723, 0.003); /* (measured) */
    assert_near(rates(&f).read_latency, 375.5, 1);      /* (measured: 375 to 376) */
    assert_true(rates(&f).hit_rate == 0);
    free(f.memory);
    f = open_memory(nbu(0));
    cycles_of(&f, walk_bank0, NULL, 64000, 32, false);
    assert_near(rates(&f).bandwidth_gbs, 10.892, 0.011); /* (measured) */
    assert_near(rates(&f).read_latency, 93.5, 0.6);      /* (measured: 93 to 94) */
    free(f.memory);
}

static void random_streams_match_measurements(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    fixture f = open_memory(nbu(0));
    cycles_of(&f, uniform, &x, 200000, 32, false);
    assert_near(rates(&f).hit_rate, 0.00045, 0.0003);   /* (measured: 0.0003 to 0.0006) */
    assert_near(rates(&f).bandwidth_gbs, 2.595, 0.026); /* (measured: 2.59 to 2.60) */
    assert_near(rates(&f).read_latency, 393.6, 4);      /* (measured: 393.5 to 393.8) */
    free(f.memory);
    f = open_memory(nbu(0));
    cycles_of(&f, uniform, &x, 50000, 1, false);
    assert_near(rates(&f).read_latency, 45.3, 0.4); /* (measured) */
    free(f.memory);
}

static void one_at_a_time_pays_latencies(void **state)
{
    (void)state;
    uint64_t line = 32, row = 1024;
    fixture f = open_memory(nbu(0));
    cycles_of(&f, sequential, &line, 100000, 1, false);
    assert_near(rates(&f).read_latency, 17.87, 0.03); /* (measured) */
    free(f.memory);
    f = open_memory(nbu(0));
    cycles_of(&f, sequential, &row, 100000, 1, false);
    assert_near(rates(&f).read_latency, 45.0, 0.01); /* (measured) */
    free(f.memory);
}

/* Little: mean latency = window x cycles per request. */
static void little_holds_under_saturation(void **state)
{
    (void)state;
    for (uint32_t window = 4; window <= 32; window *= 2) {
        uint64_t x = 1;
        enum { N = 40000 };
        fixture f = open_memory(nbu(3900));
        uint64_t end = cycles_of(&f, uniform, &x, N, window, false);
        assert_relative(rates(&f).read_latency, window * (double)end / N, 0.005);
        free(f.memory);
    }
}

static void refresh_takes_its_share(void **state)
{
    (void)state;
    uint64_t line = 32;
    fixture f = open_memory(nbu(3900)), g = open_memory(nbu(0));
    uint64_t with = cycles_of(&f, sequential, &line, 400000, 32, false);
    uint64_t without = cycles_of(&g, sequential, &line, 400000, 32, false);
    const msw_dram_stats *s = msw_dram_channel_stats(f.dram, 0);
    assert_int_equal(s->commands_ref, with / 3900);
    /* REF itself 350 / 3900; closing and opening rows adds tRTP + tRP before and tRCD after. */
    assert_near((double)s->commands_ref * 350 / (double)with, 350 / 3900.0, 1e-3);
    assert_near(rates(&f).refresh_share, (350 + 14 + 4) / 3900.0, 1.5e-3);
    double lost = 1 - (double)without / (double)with;
    assert_near(lost, (350 + 14 + 4 + 14) / 3900.0, 1.5e-3);
    assert_near(rates(&f).bandwidth_gbs, 14.455, 0.02); /* (measured) */
    free(f.memory);
    free(g.memory);
}

static void idle_time_is_refreshed_without_being_played(void **state)
{
    (void)state;
    fixture f = open_memory(nbu(3900));
    uint64_t late = 3900u * 1000000ull + 1000;
    assert_int_equal(one(&f, 100, 0, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(one(&f, late, 32, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(msw_dram_channel_stats(f.dram, 0)->commands_ref, 1000000);
    /* 100 cycles after the due time REF is under way: rfc - 100 are left, then a closed bank. */
    assert_int_equal(one(&f, late - 1000 + 3900 + 100, 64, false, MSW_DRAM_CLOSED),
                     14 + 350 - 100 + 14 + 14 + 2);
    free(f.memory);
}

/* A channel that nobody asks waits with the others: its refreshes up to the next request, ten
 * thousand million of them, are counted, not played. */
static void idle_channels_are_refreshed_without_being_played(void **state)
{
    (void)state;
    msw_dram_config c = nbu(3900);
    c.channels = 2;
    c.map = "row bank col ch";
    uint64_t periods = 10000000000, late = 3900 * periods + 1000;
    fixture f = open_memory(c);
    assert_int_equal(one(&f, 100, 0, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(one(&f, late, 32, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(msw_dram_channel_stats(f.dram, 1)->commands_ref, periods);
    assert_int_equal(one(&f, late + 500, 0, false, MSW_DRAM_CLOSED), 31);
    assert_int_equal(msw_dram_channel_stats(f.dram, 0)->commands_ref, periods);
    free(f.memory);
}

/* Rows opened at once are limited by tFAW and tRRD, not by tRC, where banks are many. */
static void activations_are_limited_by_faw(void **state)
{
    (void)state;
    for (uint32_t faw = 16; faw <= 64; faw *= 2) {
        msw_dram_config c = nbu(0);
        c.banks = 64;
        c.t.faw = faw;
        c.map = "row bank col";
        c.read_depth = 256;
        c.write_depth = 32;
        fixture f = open_memory(c);
        enum { N = 20000 };
        uint64_t row = 1024, end = cycles_of(&f, sequential, &row, N, 256, false);
        assert_relative((double)end / N, faw / 4.0, 0.01);
        free(f.memory);
    }
}

/* Hits in one bank group come at tCCD_L, over groups at tCCD_S. */
static void bank_groups_go_at_the_short_gap(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        double gap;
        uint32_t window; /* small where a larger one would reach into the next group */
    } CASES[] = {{"row ch rank bank bg col", 8, 8}, {"row ch rank bank col bg", 4, 32}};
    for (size_t i = 0; i < 2; i++) {
        msw_dram_config c = *msw_dram_preset_find("ddr4_3200", NULL);
        c.map = CASES[i].map;
        c.t.refi = 0;
        fixture f = open_memory(c);
        enum { N = 100000 };
        uint64_t step = 64, end = cycles_of(&f, sequential, &step, N, CASES[i].window, false);
        assert_relative((double)end / N, CASES[i].gap, 0.05);
        assert_relative(rates(&f).bandwidth_gbs, 64 / (CASES[i].gap * 0.625), 0.05);
        assert_near(rates(&f).peak_gbs, 25.6, 1e-9);
        free(f.memory);
    }
}

enum { HITS = 20000, VICTIM = HITS };

static uint64_t push_when_possible(fixture *f, uint64_t time, uint64_t address, uint64_t tag)
{
    while (!msw_dram_push(f->dram, time, address, 32, false, tag))
        time = msw_dram_room(f->dram, address, false);
    return time;
}

/* Latency of one conflict in the middle of a flood of hits. */
static uint64_t victim_latency(msw_dram_closing closing, uint32_t cap, uint32_t rtp)
{
    msw_dram_config c = nbu(0);
    c.closing = closing;
    c.hit_cap = cap;
    c.t.rtp = rtp;
    fixture f = open_memory(c);
    msw_dram_completion done;
    uint64_t time = 0, waited = 0;
    for (uint64_t i = 0; i < HITS; i++) {
        if (i == 100)
            time = push_when_possible(&f, time, 4096, VICTIM);
        time = push_when_possible(&f, time, i % 32 * 32, i);
        while (msw_dram_next(f.dram, time, &done))
            waited = done.tag == VICTIM ? done.time - done.arrival : waited;
    }
    while (msw_dram_next(f.dram, MSW_DRAM_NEVER, &done))
        waited = done.tag == VICTIM ? done.time - done.arrival : waited;
    free(f.memory);
    return waited;
}

static void a_lonely_conflict_is_not_starved_beyond_the_cap(void **state)
{
    (void)state;
    enum { QUEUE = 32, CAP = 8 };
    /* The queue ahead of it, up to CAP later hits, one conflict. */
    assert_in_range(victim_latency(MSW_DRAM_CLOSE_LAST, CAP, 1), 45, (QUEUE + CAP) * 2 + 47 + 45);
    assert_in_range(victim_latency(MSW_DRAM_CLOSE_OLDER, 0, 1), 45, QUEUE * 2 + 47 + 45);
    assert_true(victim_latency(MSW_DRAM_CLOSE_LAST, 0, 1) > 30000);
    /* Every RD puts the PRE off by rtp: hits that are due sooner go on and on. */
    assert_true(victim_latency(MSW_DRAM_CLOSE_OLDER, 0, 4) > 30000);
}

/* Rows of k streams in one bank: R direct-mapped buffers keep them open when R >= k. */
static void more_row_buffers_keep_more_streams_open(void **state)
{
    (void)state;
    for (uint32_t buffers = 1; buffers <= 4; buffers *= 2)
        for (uint32_t k = 1; k <= 4; k *= 2) {
            msw_dram_config c = nbu(0);
            c.buffers = buffers;
            fixture f = open_memory(c);
            uint64_t address[8192];
            for (uint32_t i = 0; i < 8192; i++) {
                uint64_t n = i / k, stream = i % k;
                uint64_t row = stream * 1024 + stream + n / 32 * 4;
                address[i] = row * 4096 + n % 32 * 32;
            }
            msw_dram_stream s = {.address = address, .count = 8192, .bytes = 32, .window = 1};
            msw_dram_replay(f.dram, &s, 0);
            assert_near(rates(&f).hit_rate, buffers >= k ? 0.96875 : 0, 0.002);
            free(f.memory);
        }
}

static void closed_pages_never_hit(void **state)
{
    (void)state;
    uint64_t line = 32;
    for (uint32_t last = 0; last < 2; last++) {
        msw_dram_config c = nbu(0);
        c.page = last ? MSW_DRAM_CLOSED_LAST : MSW_DRAM_CLOSED_PAGE;
        fixture f = open_memory(c);
        cycles_of(&f, sequential, &line, 10000, last ? 32 : 1, false);
        const msw_dram_stats *s = msw_dram_channel_stats(f.dram, 0);
        assert_int_equal(s->commands_pre, 0);
        assert_int_equal(s->auto_precharges, s->commands_act);
        assert_int_equal(s->conflicts, 0);
        if (last)
            assert_true(rates(&f).hit_rate > 0.9);
        else
            assert_int_equal(s->closed, 10000);
        free(f.memory);
    }
}

static void mixed_traffic_keeps_its_books(void **state)
{
    (void)state;
    uint64_t line = 32;
    fixture f = open_memory(nbu(0));
    uint64_t end = cycles_of(&f, sequential, &line, 50000, 32, true);
    const msw_dram_stats *s = msw_dram_channel_stats(f.dram, 0);
    assert_int_equal(s->bytes_written, 50000 * 32);
    assert_int_equal(s->data_cycles, 50000 * 2);
    assert_int_equal(s->last_data, end);
    assert_near(rates(&f).bandwidth_gbs, 16, 0.1);
    assert_near(rates(&f).utilisation, 1, 0.01);
    free(f.memory);
}

static void the_histogram_agrees_with_its_floors(void **state)
{
    (void)state;
    for (unsigned bin = 1; bin < MSW_DRAM_LATENCY_BINS; bin++)
        assert_true(msw_dram_bin_floor(bin) > msw_dram_bin_floor(bin - 1));
    uint64_t row = 1024;
    fixture f = open_memory(nbu(0));
    cycles_of(&f, sequential, &row, 1000, 1, false);
    const msw_dram_stats *s = msw_dram_channel_stats(f.dram, 0);
    unsigned bin = 0;
    while (msw_dram_bin_floor(bin + 1) <= 45)
        bin++;
    assert_int_equal(msw_dram_bin_floor(bin), 44); /* 45 lies in [44, 48) */
    assert_true(s->latency_bin[bin] > 500);
    assert_int_equal(s->read_latency_max, 45);
    free(f.memory);
}

/* The queues alone hold back a stream without a window: as fast as a full window. */
static void a_stream_without_window_is_held_by_the_queue(void **state)
{
    (void)state;
    uint64_t line = 32, row = 1024;
    fixture f = open_memory(nbu(0));
    assert_relative((double)cycles_of(&f, sequential, &line, 40000, 0, false), 80000, 0.002);
    free(f.memory);
    f = open_memory(nbu(0));
    assert_relative((double)cycles_of(&f, sequential, &row, 40000, 0, false), 470000, 0.002);
    free(f.memory);
}

static void arrivals_set_the_pace_of_an_open_loop(void **state)
{
    (void)state;
    enum { N = 1000, APART = 100 };
    uint64_t address[N], arrival[N];
    for (uint64_t i = 0; i < N; i++) {
        address[i] = i * 32;
        arrival[i] = 50 + i * APART;
    }
    msw_dram_stream s = {.address = address, .arrival = arrival, .count = N, .bytes = 32};
    fixture f = open_memory(nbu(0));
    assert_int_equal(msw_dram_replay(f.dram, &s, 0), arrival[N - 1] + 17);
    assert_near(rates(&f).hit_rate, 1 - 1 / 32.0, 1e-3);
    /* Every 32nd request opens a row: the first of each bank without closing one before. */
    assert_near(rates(&f).read_latency, (31 * 17 + 45) / 32.0, 0.1);
    assert_near(rates(&f).read_queueing, 1, 1e-9);
    free(f.memory);
}

static void a_long_request_is_its_bursts(void **state)
{
    (void)state;
    uint64_t address[] = {16, 4096};
    msw_dram_stream s = {.address = address, .count = 2, .bytes = 4096, .window = 32};
    fixture f = open_memory(nbu(0));
    uint64_t end = msw_dram_replay(f.dram, &s, 0);
    const msw_dram_stats *stats = msw_dram_channel_stats(f.dram, 0);
    assert_int_equal(stats->reads, 129 + 128);
    assert_int_equal(stats->bytes_read, 2 * 4096);
    assert_in_range(end, 257 * 2, 257 * 2 + 60);
    free(f.memory);
}

/* ---- fixed model ---- */

static void the_fixed_model_has_latency_and_bandwidth(void **state)
{
    (void)state;
    msw_dram_config c = nbu(0);
    c.kind = MSW_DRAM_FIXED;
    fixture f = open_memory(c);
    uint64_t line = 32;
    assert_int_equal(one(&f, 10, 0, false, MSW_DRAM_QUEUED), 29 + 2);
    assert_relative((double)cycles_of(&f, sequential, &line, 10000, 32, false), 20000, 0.01);
    assert_near(rates(&f).peak_gbs, 16, 1e-9);
    free(f.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_of_closed_hit_and_conflict),
        cmocka_unit_test(writes_are_answered_when_accepted_or_when_written),
        cmocka_unit_test(a_read_finds_a_queued_write),
        cmocka_unit_test(rows_of_one_bank_follow_the_closed_form),
        cmocka_unit_test(sequential_and_strided_streams_match_measurements),
        cmocka_unit_test(random_streams_match_measurements),
        cmocka_unit_test(one_at_a_time_pays_latencies),
        cmocka_unit_test(little_holds_under_saturation),
        cmocka_unit_test(refresh_takes_its_share),
        cmocka_unit_test(idle_time_is_refreshed_without_being_played),
        cmocka_unit_test(idle_channels_are_refreshed_without_being_played),
        cmocka_unit_test(activations_are_limited_by_faw),
        cmocka_unit_test(bank_groups_go_at_the_short_gap),
        cmocka_unit_test(a_lonely_conflict_is_not_starved_beyond_the_cap),
        cmocka_unit_test(more_row_buffers_keep_more_streams_open),
        cmocka_unit_test(closed_pages_never_hit),
        cmocka_unit_test(mixed_traffic_keeps_its_books),
        cmocka_unit_test(the_histogram_agrees_with_its_floors),
        cmocka_unit_test(a_stream_without_window_is_held_by_the_queue),
        cmocka_unit_test(arrivals_set_the_pace_of_an_open_loop),
        cmocka_unit_test(a_long_request_is_its_bursts),
        cmocka_unit_test(the_fixed_model_has_latency_and_bandwidth),
    };
    return cmocka_run_group_tests_name("sim_dram", tests, NULL, NULL);
}

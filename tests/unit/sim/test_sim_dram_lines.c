/* SPDX-License-Identifier: MIT */
/* Does a near-bank channel follow the timing rules, agree with the bank model, and serve a line at
 * the cost of one request? */
#include "memsweep/sim/dram_lines.h"

#include "testing.h"

#include <stdlib.h>

enum { ROW_COLUMNS = 32, BANKS = 4 };

typedef struct channel {
    msw_dram_lines_config config;
    msw_dram_lines *lines;
    void *memory;
} channel;

static msw_dram_lines_config nbu(uint32_t buffers, uint32_t window)
{
    const msw_dram_config *preset = msw_dram_preset_find("mpu_nbu", NULL);
    msw_dram_lines_config config = {.banks = BANKS,
                                    .buffers = buffers,
                                    .groups = 1,
                                    .ahead = true,
                                    .window = window,
                                    .controller = preset->controller,
                                    .capacity = 64,
                                    .t = preset->t};
    config.t.refi = 0;
    return config;
}

static channel open_channel(msw_dram_lines_config config)
{
    channel c = {.config = config};
    msw_err err = {0};
    assert_int_equal(msw_dram_lines_check(&config, &err), 0);
    return c;
}

static void start(channel *c)
{
    c->memory = aligned_alloc(64, (msw_dram_lines_bytes(&c->config) + 63) / 64 * 64);
    c->lines = msw_dram_lines_init(c->memory, &c->config);
}

static uint64_t finish(channel *c)
{
    uint64_t end = 0;
    msw_dram_lines_completion done;
    while (msw_dram_lines_next(c->lines, MSW_DRAM_NEVER - 1, &done))
        end = done.time > end ? done.time : end;
    return end;
}

static void push(channel *c, uint64_t time, uint32_t row, uint16_t banks, bool is_write)
{
    msw_dram_lines_request request = {
        .arrival = time, .row = row, .banks = banks, .is_write = is_write};
    assert_true(msw_dram_lines_push(c->lines, &request));
}

/* Open row 17, closed 31, other row open 45: as the bank model and two public simulators. */
static void single_reads_take_the_known_latencies(void **state)
{
    (void)state;
    channel c = open_channel(nbu(1, 32));
    start(&c);
    push(&c, 0, 5, 1, false);
    assert_int_equal(finish(&c), 31);
    push(&c, 100, 5, 1, false);
    assert_int_equal(finish(&c), 117);
    push(&c, 200, 6, 1, false);
    assert_int_equal(finish(&c), 245);
    free(c.memory);
}

/* Four ACTs rrd apart, then reads a burst apart behind the last: 1 + 14 + 14 + 2 of a bank, and the
 * last bank's ACT 12 cycles later; an open line takes 17 and 6 more. */
static void a_line_is_one_request_and_four_bursts(void **state)
{
    (void)state;
    channel c = open_channel(nbu(1, 32));
    start(&c);
    push(&c, 0, 5, 0xf, false);
    assert_int_equal(finish(&c), 31 + 3 * 4);
    push(&c, 100, 5, 0xf, false);
    assert_int_equal(finish(&c), 117 + 3 * 2);
    const msw_dram_lines_stats *s = msw_dram_lines_totals(c.lines);
    assert_int_equal(s->lines, 2);
    assert_int_equal(s->reads, 8);
    assert_int_equal(s->closed, 4);
    assert_int_equal(s->hits, 4);
    assert_int_equal(s->acts, 4);
    free(c.memory);
}

/* Rows 0 and 4 in turn, one at a time: they share buffer 0 of 4 where the row says the buffer. */
static void any_buffer_keeps_rows_that_one_buffer_cannot(void **state)
{
    (void)state;
    for (int lru = 0; lru < 2; lru++) {
        msw_dram_lines_config config = nbu(4, 16);
        config.placing = lru ? MSW_DRAM_LINES_LRU : MSW_DRAM_LINES_MOD;
        channel c = open_channel(config);
        start(&c);
        for (uint64_t i = 0; i < 10; i++) {
            push(&c, i * 100, i % 2 * 4, 0xf, false);
            finish(&c);
        }
        const msw_dram_lines_stats *s = msw_dram_lines_totals(c.lines);
        assert_int_equal(s->hits, lru ? 8 * 4 : 0);
        assert_int_equal(s->conflicts, lru ? 0 : 9 * 4);
        free(c.memory);
    }
}

/* Written, then read: cwl + bl + wtr_l behind the write command. Idle refreshes are counted. */
static void writes_turn_round_and_refreshes_are_counted(void **state)
{
    (void)state;
    msw_dram_lines_config config = nbu(1, 16);
    config.t.refi = 3900;
    channel c = open_channel(config);
    start(&c);
    push(&c, 0, 5, 1, true);
    push(&c, 20, 5, 1, false);
    assert_int_equal(finish(&c), 15 + 4 + 2 + 8 + 14 + 2);
    push(&c, 10 * 3900 + 1000, 5, 1, false);
    assert_int_equal(finish(&c), 10 * 3900 + 1000 + 31);
    assert_int_equal(msw_dram_lines_totals(c.lines)->refreshes, 10 * BANKS);
    free(c.memory);
}

/* ---- closed loops, as msw_dram_replay runs them ---- */

typedef void stream_fn(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column);

static void sequential(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    *column = n % ROW_COLUMNS;
    *bank = n / ROW_COLUMNS % BANKS;
    *row = (uint32_t)(n / ROW_COLUMNS / BANKS);
}

static void rows_in_turn(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    *column = 0;
    *bank = n % BANKS;
    *row = (uint32_t)(n / BANKS);
}

static void one_bank(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    *column = n % ROW_COLUMNS;
    *bank = 0;
    *row = (uint32_t)(n / ROW_COLUMNS);
}

static void two_streams(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    one_bank(n / 2, bank, row, column);
    *row += n % 2 * 1025;
}

static void four_streams(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    one_bank(n / 4, bank, row, column);
    *row += n % 4 * 1025;
}

static void random_rows(uint64_t n, uint32_t *bank, uint32_t *row, uint32_t *column)
{
    uint64_t x = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    *column = x >> 60 & 1;
    *bank = x >> 40 & 3;
    *row = x >> 42 & 0x3fff;
}

enum { REQUESTS = 4096 };

static double lines_rate(uint32_t buffers, uint32_t window, stream_fn *fn)
{
    channel c = open_channel(nbu(buffers, window));
    start(&c);
    msw_dram_lines_completion done;
    uint64_t now = 0, end = 0, sent = 0, ready[64];
    uint32_t under_way = 0, answered = 0;
    while (sent < REQUESTS || under_way) {
        /* answers that have come give room for more */
        uint32_t kept = 0;
        for (uint32_t i = 0; i < answered; i++)
            if (ready[i] > now)
                ready[kept++] = ready[i];
            else
                under_way--;
        answered = kept;
        if (sent < REQUESTS && under_way < window) {
            uint32_t bank, row, column;
            fn(sent++, &bank, &row, &column);
            push(&c, now, row, (uint16_t)(1U << bank), false);
            under_way++;
        }
        while (msw_dram_lines_next(c.lines, now, &done)) {
            ready[answered++] = done.time;
            end = done.time;
        }
        now++;
    }
    free(c.memory);
    return (double)REQUESTS * 32 / (double)end;
}

static double banks_rate(uint32_t buffers, uint32_t window, stream_fn *fn)
{
    msw_dram_config config = *msw_dram_preset_find("mpu_nbu", NULL);
    config.buffers = buffers;
    config.t.refi = 0;
    static uint64_t addresses[REQUESTS];
    for (uint64_t n = 0; n < REQUESTS; n++) {
        uint32_t bank, row, column;
        fn(n, &bank, &row, &column);
        addresses[n] = (((uint64_t)row * BANKS + bank) * ROW_COLUMNS + column) * 32;
    }
    void *memory = aligned_alloc(64, (msw_dram_bytes(&config) + 63) / 64 * 64);
    msw_err err = {0};
    msw_dram *dram = msw_dram_init(memory, &config, &err);
    assert_non_null(dram);
    msw_dram_stream s = {.address = addresses, .count = REQUESTS, .bytes = 32, .window = window};
    uint64_t end = msw_dram_replay(dram, &s, 0);
    free(memory);
    return (double)REQUESTS * 32 / (double)end;
}

static void single_bursts_go_as_fast_as_in_the_bank_model(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        stream_fn *fn;
        double tolerance;
    } cases[] = {{"sequential", sequential, 0.02},     {"rows in turn", rows_in_turn, 0.02},
                 {"one bank", one_bank, 0.02},         {"two streams", two_streams, 0.10},
                 {"four streams", four_streams, 0.10}, {"random", random_rows, 0.10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t buffers = 1; buffers <= 4; buffers *= 4)
            for (uint32_t window = 1; window <= 32; window *= 4) {
                double lines = lines_rate(buffers, window, cases[i].fn);
                double banks = banks_rate(buffers, window, cases[i].fn);
                if (lines < banks * (1 - cases[i].tolerance) ||
                    lines > banks * (1 + cases[i].tolerance))
                    fail_msg("%s, %u buffers, window %u: %.3f against %.3f GB/s", cases[i].name,
                             buffers, window, lines, banks);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_reads_take_the_known_latencies),
        cmocka_unit_test(a_line_is_one_request_and_four_bursts),
        cmocka_unit_test(any_buffer_keeps_rows_that_one_buffer_cannot),
        cmocka_unit_test(writes_turn_round_and_refreshes_are_counted),
        cmocka_unit_test(single_bursts_go_as_fast_as_in_the_bank_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

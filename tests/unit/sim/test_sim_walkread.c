/* SPDX-License-Identifier: MIT */
/* Do page-table accesses go to memory one after the other, behind a cache of lines, as a clock that
 * is followed cycle by cycle says, and do requesters share walkers, lines and channels? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/dram.h"
#include "memsweep/sim/walkread.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { WALKERS = 8, MEMORY = 100, LEVELS = 4 };

typedef struct fixture {
    msw_walker pool;
    msw_walkread reads;
    void *memory[2];
} fixture;

static void open_fixture(fixture *f, uint32_t lines, uint32_t ways, uint32_t line_cycles)
{
    msw_err err = {0};
    msw_walker_config walkers = {.walkers = WALKERS,
                                 .scoreboard = true,
                                 .timed_by_owner = true,
                                 .table = msw_pagetable_x86()};
    msw_walkread_config reads = {.walks = WALKERS,
                                 .lines = lines,
                                 .ways = ways,
                                 .line_bytes = 64,
                                 .line_cycles = line_cycles};
    f->memory[0] = malloc(msw_walker_bytes(&walkers) + 64);
    f->memory[1] = malloc(msw_walkread_bytes(&reads) + 64);
    assert_ok(msw_walker_init(&f->pool, &walkers, f->memory[0], &err), err);
    assert_ok(msw_walkread_init(&f->reads, &reads, f->memory[1], &err), err);
}

static void close_fixture(fixture *f)
{
    free(f->memory[0]);
    free(f->memory[1]);
}

static void begin(fixture *f, uint64_t time, uint64_t page)
{
    msw_walk_request request = {.time = time, .page = {page << 12, 12}, .count = 1};
    msw_walk walk;
    assert_int_equal(msw_walker_request(&f->pool, &request, &walk), MSW_WALK_STARTED);
    msw_walkread_begin(&f->reads, &f->pool, &walk);
}

/* A memory of MEMORY cycles answers what reaches it by `now`. */
static void serve(fixture *f, uint64_t now)
{
    msw_walkread_read read;
    while (msw_walkread_take(&f->reads, &f->pool, now, &read))
        msw_walkread_answer(&f->reads, &f->pool, read.walk, read.time + MEMORY);
}

/* Runs until the next walk ends. Returns when that is. */
static uint64_t end_next(fixture *f)
{
    msw_walk_end end;
    while (msw_walkread_next(&f->reads) <= msw_walker_next(&f->pool) &&
           msw_walkread_next(&f->reads) < UINT64_MAX)
        serve(f, msw_walkread_next(&f->reads));
    assert_true(msw_walker_retire(&f->pool, UINT64_MAX - 1, &end));
    return end.time;
}

/* 4 accesses of 100 cycles; behind lines 4 look-ups more. The page beside it then has all 4 in
 * lines: only look-ups. */
static void accesses_follow_each_other(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, 0, 0, 0);
    begin(&f, 10, 0);
    assert_int_equal(end_next(&f), 10 + LEVELS * MEMORY);
    close_fixture(&f);
    open_fixture(&f, 16, 0, 3);
    begin(&f, 10, 0);
    assert_int_equal(end_next(&f), 10 + LEVELS * (MEMORY + 3));
    begin(&f, 1000, 1);
    assert_int_equal(end_next(&f), 1000 + LEVELS * 3);
    assert_int_equal(f.reads.stats.reads, LEVELS);
    assert_int_equal(f.reads.stats.line_hits, LEVELS);
    close_fixture(&f);
}

/* Two walks in the same lines, 10 cycles apart: the second waits for each line, is not read again,
 * and ends with the first. */
static void a_line_on_its_way_is_waited_for(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, 16, 0, 0);
    begin(&f, 0, 0);
    begin(&f, 10, 1);
    assert_int_equal(end_next(&f), LEVELS * MEMORY);
    assert_int_equal(end_next(&f), LEVELS * MEMORY);
    assert_int_equal(f.reads.stats.reads, LEVELS);
    assert_int_equal(f.reads.stats.line_waits, LEVELS);
    close_fixture(&f);
}

/* ---- against a clock that is followed cycle by cycle ---- */

/* Of what happens in one cycle, that goes first which was known first: `order`. */
typedef struct plain_walk {
    uint64_t line[LEVELS], look, back, order;
    int next;
    bool busy, reading, waiting;
    uint64_t waits_for;
} plain_walk;

typedef struct plain {
    plain_walk walks[WALKERS];
    uint64_t lines[64], used[64], clock, order;
    uint32_t capacity, look_cycles;
    uint64_t reads, hits, waits;
} plain;

static int find_line(const plain *p, uint64_t line)
{
    for (uint32_t i = 0; i < p->capacity; i++)
        if (p->used[i] && p->lines[i] == line)
            return (int)i;
    return -1;
}

static void insert_line(plain *p, uint64_t line)
{
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < p->capacity; i++)
        if (p->used[i] < p->used[oldest])
            oldest = i;
    p->lines[oldest] = line;
    p->used[oldest] = ++p->clock;
}

static void advance_plain(plain *p, int w, uint64_t now)
{
    plain_walk *walk = &p->walks[w];
    walk->reading = walk->waiting = false;
    walk->next++;
    walk->look = now + p->look_cycles;
    walk->order = ++p->order;
    walk->busy = walk->next < LEVELS;
}

/* Whether some walk reads the line and holds it in the cache. */
static bool on_its_way(const plain *p, uint64_t line)
{
    for (int w = 0; w < WALKERS; w++)
        if (p->walks[w].busy && p->walks[w].reading && p->walks[w].waits_for == line)
            return true;
    return false;
}

static void look_plain(plain *p, int w, uint64_t now)
{
    plain_walk *walk = &p->walks[w];
    uint64_t line = walk->line[walk->next];
    int at = find_line(p, line);
    if (at >= 0) {
        p->used[at] = ++p->clock;
        if (on_its_way(p, line)) {
            p->waits++;
            walk->waiting = true;
            walk->waits_for = line;
            walk->order = ++p->order;
        } else {
            p->hits++;
            advance_plain(p, w, now);
        }
        return;
    }
    insert_line(p, line);
    p->reads++;
    walk->reading = true;
    walk->waits_for = line;
    walk->back = now + MEMORY;
    walk->order = ++p->order;
}

enum { IS_BACK, IS_WAITING, LOOKS };

/* Returns the walk to which that happens now and was known first, or -1. */
static int first_of(const plain *p, int what, uint64_t now, uint64_t line)
{
    int first = -1;
    for (int w = 0; w < WALKERS; w++) {
        const plain_walk *walk = &p->walks[w];
        bool is = walk->busy;
        if (what == IS_BACK)
            is = is && walk->reading && walk->back == now;
        else if (what == IS_WAITING)
            is = is && walk->waiting && walk->waits_for == line;
        else
            is = is && !walk->reading && !walk->waiting && walk->look == now;
        if (is && (first < 0 || walk->order < p->walks[first].order))
            first = w;
    }
    return first;
}

static void follow_cycle(plain *p, uint64_t now)
{
    int w, waiter;
    while ((w = first_of(p, IS_BACK, now, 0)) >= 0) {
        uint64_t line = p->walks[w].waits_for;
        advance_plain(p, w, now);
        while ((waiter = first_of(p, IS_WAITING, now, line)) >= 0)
            advance_plain(p, waiter, now);
    }
    while ((w = first_of(p, LOOKS, now, 0)) >= 0)
        look_plain(p, w, now);
}

static void begin_both(fixture *f, plain *p, uint64_t now, uint64_t page)
{
    msw_page of = {page << 12, 12};
    int w = 0;
    while (w < WALKERS && p->walks[w].busy)
        w++;
    assert_int_equal(w == WALKERS, f->pool.board.free_count == 0);
    if (w == WALKERS || msw_mshr_find(&f->pool.board, msw_page_key(of)) != MSW_MSHR_NONE)
        return;
    p->walks[w] = (plain_walk){.look = now + p->look_cycles, .order = ++p->order, .busy = true};
    for (unsigned level = 0; level < LEVELS; level++)
        p->walks[w].line[level] =
            msw_pagetable_entry(&f->pool.table, of.address, LEVELS - level) / 64;
    begin(f, now, page);
}

static void lines_agree_with_a_plain_clock(void **state)
{
    (void)state;
    static const uint32_t SIZES[] = {8, 16, 32, 64};
    for (size_t c = 0; c < sizeof SIZES / sizeof *SIZES; c++) {
        fixture f;
        msw_rng rng;
        msw_walk_end end;
        plain p = {.capacity = SIZES[c], .look_cycles = 7};
        uint64_t ended = 0;
        open_fixture(&f, SIZES[c], 0, 7);
        msw_rng_init(&rng, 11, c);
        for (uint64_t now = 0; now < 30000; now++) {
            follow_cycle(&p, now);
            serve(&f, now);
            while (msw_walker_next(&f.pool) <= now && msw_walker_retire(&f.pool, now, &end))
                ended++;
            if (now % 11 == 0)
                begin_both(&f, &p, now, msw_rng_below(&rng, 300));
        }
        assert_true(ended > 200);
        assert_int_equal(f.reads.stats.reads, p.reads);
        assert_int_equal(f.reads.stats.line_hits, p.hits);
        assert_int_equal(f.reads.stats.line_waits, p.waits);
        close_fixture(&f);
    }
}

/* ---- laws ---- */

/* Walks random pages one after the other. Returns the reads. */
static uint64_t reads_with(uint32_t lines, uint64_t spread)
{
    fixture f;
    msw_rng rng;
    uint64_t time = 0;
    open_fixture(&f, lines, 0, 1);
    msw_rng_init(&rng, 5, 0);
    for (int i = 0; i < 2000; i++) {
        begin(&f, time, msw_rng_below(&rng, spread) << msw_rng_below(&rng, 10));
        time = end_next(&f);
    }
    const msw_walkread_stats *s = &f.reads.stats;
    assert_int_equal(s->reads + s->line_hits + s->line_waits, f.pool.stats.accesses);
    close_fixture(&f);
    return s->reads;
}

static void more_lines_never_read_more(void **state)
{
    (void)state;
    for (uint64_t spread = 16; spread <= 65536; spread *= 8) {
        uint64_t before = UINT64_MAX;
        for (uint32_t lines = 1; lines <= 1024; lines *= 2) {
            uint64_t reads = reads_with(lines, spread);
            assert_true(reads <= before);
            before = reads;
        }
        assert_true(before < 4 * 2000 / 2);
    }
}

/* ---- shared channels ---- */

enum { DATA = 1 << 20 };

/* Two requesters, each a walk of another page every 500 cycles, on one pool; `gap` cycles between
 * reads of data on the same channel (0: none). Returns the mean length of a walk. */
static double walks_beside_data(uint64_t gap, uint64_t *by_requester)
{
    fixture f;
    msw_err err = {0};
    open_fixture(&f, 0, 0, 0);
    msw_dram_config config = *msw_dram_preset_find("hbm2", &err);
    config.channels = 1;
    config.read_depth = 256; /* none is refused */
    void *memory = aligned_alloc(64, (msw_dram_bytes(&config) + 63) / 64 * 64);
    msw_dram *dram = msw_dram_init(memory, &config, &err);
    assert_non_null(dram);
    uint64_t began[WALKERS], walks = 0, cycles = 0, address = 0;
    for (uint64_t now = 0; now < 40000; now++) {
        msw_dram_completion done;
        msw_walkread_read read;
        msw_walk_end end;
        while (msw_dram_next(dram, now, &done))
            if (done.tag < DATA)
                msw_walkread_answer(&f.reads, &f.pool, (uint32_t)done.tag, done.time);
        while (msw_walker_next(&f.pool) <= now && msw_walker_retire(&f.pool, now, &end)) {
            by_requester[end.note - 1]++;
            cycles += end.time - began[end.entry];
            walks++;
        }
        if (now % 250 == 0) {
            msw_walk_request request = {.time = now,
                                        .page = {(now / 250) << 21, 12},
                                        .count = 1,
                                        .note = 1 + now / 250 % 2};
            msw_walk walk;
            if (msw_walker_request(&f.pool, &request, &walk) == MSW_WALK_STARTED) {
                began[walk.entry] = now;
                msw_walkread_begin(&f.reads, &f.pool, &walk);
            }
        }
        while (msw_walkread_take(&f.reads, &f.pool, now, &read))
            assert_true(msw_dram_push(dram, now, read.address, read.bytes, false, read.walk));
        if (gap && now % gap == 0) {
            msw_dram_push(dram, now, ((uint64_t)1 << 33) + address, 64, false, DATA);
            address += 64;
        }
    }
    free(memory);
    close_fixture(&f);
    return (double)cycles / (double)walks;
}

/* Data that fills half of the channel makes walks longer; both requesters are served alike. */
static void walks_queue_behind_the_data(void **state)
{
    (void)state;
    uint64_t alone[2] = {0, 0}, beside[2] = {0, 0};
    double quiet = walks_beside_data(0, alone), busy = walks_beside_data(4, beside);
    assert_true(busy > 1.1 * quiet);
    assert_true(alone[0] >= 78 && alone[1] >= 78);
    assert_true(beside[0] + 2 >= beside[1] && beside[1] + 2 >= beside[0]);
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    msw_walkread_config bad[] = {{.walks = 1, .lines = 10, .ways = 4, .line_bytes = 64},
                                 {.walks = 1, .lines = 8, .line_bytes = 48}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        msw_walkread reads;
        msw_err err = {0};
        void *memory = malloc(msw_walkread_bytes(&bad[i]) + 64);
        assert_int_equal(msw_walkread_init(&reads, &bad[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_follow_each_other),
        cmocka_unit_test(a_line_on_its_way_is_waited_for),
        cmocka_unit_test(lines_agree_with_a_plain_clock),
        cmocka_unit_test(more_lines_never_read_more),
        cmocka_unit_test(walks_queue_behind_the_data),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim walkread", tests, NULL, NULL);
}

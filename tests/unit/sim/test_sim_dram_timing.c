/* SPDX-License-Identifier: MIT */
/* Does any command, on any stream and any configuration, break a timing rule; is every request
 * answered once? */
#include "dram_rules.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 1500, CONFIGS = 300, TRACE = 16 * REQUESTS };

typedef struct outcome {
    uint8_t answers[REQUESTS];
    uint64_t arrival[REQUESTS];
    uint64_t last;
    uint32_t read, written;
} outcome;

static void take(msw_dram *dram, uint64_t limit, outcome *o)
{
    msw_dram_completion done;
    while (msw_dram_next(dram, limit, &done)) {
        assert_true(done.time >= o->last);
        assert_true(done.time <= limit && done.time > o->arrival[done.tag]);
        assert_int_equal(done.arrival, o->arrival[done.tag]);
        o->last = done.time;
        o->answers[done.tag]++;
    }
}

static uint64_t offer(msw_dram *dram, uint64_t time, uint64_t address, bool is_write, uint64_t tag,
                      outcome *o)
{
    uint32_t bytes = 32 - (uint32_t)(address % 32);
    while (!msw_dram_push(dram, time, address, bytes, is_write, tag)) {
        uint64_t room = msw_dram_room(dram, address, is_write);
        if (room != MSW_DRAM_NEVER && room > time)
            time = room;
        take(dram, time, o);
        time += room == MSW_DRAM_NEVER;
    }
    *(is_write ? &o->written : &o->read) += bytes;
    o->arrival[tag] = time;
    return time;
}

static void play(msw_dram *dram, dram_source *source, outcome *o)
{
    uint64_t time = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        bool is_write;
        uint64_t wait, address = source_next(source, &is_write, &wait);
        time = offer(dram, time + wait, address, is_write, i, o);
        take(dram, time, o);
    }
    take(dram, MSW_DRAM_NEVER - 1, o);
    msw_dram_drain(dram);
}

typedef struct rows {
    uint32_t open[4096]; /* row + 1 of each (channel, bank, buffer); 0: closed */
    uint32_t selected[1024];
    bool used[4096];
    uint64_t openings; /* of rows that a column command has used */
} rows;

static void check_state(const msw_dram_config *c, rows *r, const msw_dram_command *command)
{
    uint32_t per_rank = c->groups * c->banks * c->buffers;
    uint32_t *all = &r->open[(command->channel * c->ranks + rank_of(c, command)) * per_rank];
    uint32_t *own =
        &r->open[(command->channel * c->ranks * c->groups * c->banks + command->bank) * c->buffers +
                 command->buffer];
    uint32_t bank = command->channel * c->ranks * c->groups * c->banks + command->bank;
    if (command->kind == MSW_DRAM_ACT) {
        assert_int_equal(*own, 0);
        assert_int_equal(command->row % c->buffers, command->buffer);
        *own = command->row + 1;
        r->used[own - r->open] = false;
    } else if (command->kind == MSW_DRAM_SEL) {
        assert_int_equal(*own, command->row + 1);
        r->selected[bank] = command->buffer;
    } else if (is_column(command) || command->kind == MSW_DRAM_PRE) {
        assert_int_equal(*own, command->row + 1);
        if (is_column(command)) {
            assert_true(!c->t.sel || r->selected[bank] == command->buffer);
            r->openings += !r->used[own - r->open];
            r->used[own - r->open] = true;
        }
        if (command->kind == MSW_DRAM_PRE || command->auto_precharge)
            *own = 0;
    } else {
        for (uint32_t i = 0; i < per_rank; i++, all++)
            *all = command->kind == MSW_DRAM_PREA ? 0 : *all;
        for (uint32_t i = 0; i < per_rank; i++)
            assert_int_equal(*--all, 0);
    }
}

/* Traces of channels are interleaved by when they were simulated: sort them apart. */
static int by_channel_and_time(const void *a, const void *b)
{
    const msw_dram_command *x = a, *y = b;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return 0;
}

/* Returns how many openings of rows were used. */
static uint64_t check_trace(const msw_dram_config *c, msw_dram_command *trace, size_t count)
{
    rows state;
    uint64_t last[4] = {0};
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < count; i++) {
        assert_true(trace[i].time >= last[trace[i].channel]);
        last[trace[i].channel] = trace[i].time;
        check_state(c, &state, &trace[i]);
    }
    qsort(trace, count, sizeof *trace, by_channel_and_time);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        first = i && trace[i].channel != trace[i - 1].channel ? i : first;
        dram_history h = {c, trace + first, i - first};
        if (!command_fits(&h, &trace[i]))
            fail_msg("command %zu (kind %u, cycle %llu) breaks a rule", i, trace[i].kind,
                     (unsigned long long)trace[i].time);
    }
    return state.openings;
}

static void check_refresh(const msw_dram_config *c, const msw_dram_command *trace, size_t count)
{
    uint64_t number[64] = {0};
    for (size_t i = 0; i < count; i++) {
        if (trace[i].kind != MSW_DRAM_REF)
            continue;
        uint32_t rank = rank_of(c, &trace[i]);
        uint64_t *n = &number[trace[i].channel * c->ranks + rank];
        uint64_t due = (*n + 1) * c->t.refi - (uint64_t)c->t.refi * rank / c->ranks;
        assert_true(trace[i].time >= due && trace[i].time <= due + 200);
        (*n)++;
    }
}

/* An opening that is used is no hit once, whether for reads or for writes. */
static void check_totals(msw_dram *dram, const msw_dram_config *c, const outcome *o,
                         uint64_t openings)
{
    msw_dram_stats all = {0};
    for (uint32_t i = 0; i < c->channels; i++)
        msw_dram_stats_sum(&all, msw_dram_channel_stats(dram, i));
    assert_int_equal(all.reads + all.writes, REQUESTS);
    assert_int_equal(all.bytes_read, o->read);
    assert_int_equal(all.bytes_written, o->written);
    assert_int_equal(all.hits + all.closed + all.conflicts, all.commands_rd + all.commands_wr);
    assert_int_equal(all.commands_rd + all.forwarded, all.reads);
    assert_int_equal(all.commands_wr, all.writes);
    assert_int_equal(all.closed + all.conflicts, openings);
    for (uint32_t i = 0; i < REQUESTS; i++)
        assert_int_equal(o->answers[i], 1);
}

static void no_rule_is_broken(void **state)
{
    (void)state;
    msw_dram_command *trace = malloc(TRACE * sizeof *trace);
    outcome *o = malloc(sizeof *o);
    for (uint32_t i = 0; i < CONFIGS; i++) {
        msw_err err;
        msw_rng rng;
        msw_rng_init(&rng, 11, i);
        msw_dram_config c = random_config(&rng);
        dram_source source = random_source(&rng, &c);
        assert_ok(msw_dram_check(&c, &err), err);
        void *memory = aligned_alloc(64, msw_dram_bytes(&c));
        msw_dram *dram = msw_dram_init(memory, &c, &err);
        assert_non_null(dram);
        memset(o, 0, sizeof *o);
        msw_dram_trace(dram, trace, TRACE);
        play(dram, &source, o);
        assert_in_range(msw_dram_traced(dram), REQUESTS / 4, TRACE);
        check_totals(dram, &c, o, check_trace(&c, trace, msw_dram_traced(dram)));
        check_refresh(&c, trace, msw_dram_traced(dram));
        free(memory);
    }
    free(o);
    free(trace);
}

/* Pushes a stream as its answers come, `OPEN` at most unanswered; with a trace the channels go in
 * lockstep. */
static void answer_all(const msw_dram_config *c, dram_source source, bool lockstep,
                       msw_dram_completion *done)
{
    void *memory = aligned_alloc(64, msw_dram_bytes(c));
    msw_dram *dram = msw_dram_init(memory, c, NULL);
    enum { OPEN = 24 };
    uint64_t time = 0;
    uint32_t taken = 0;
    if (lockstep)
        msw_dram_trace(dram, NULL, 0);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        bool is_write;
        uint64_t wait, address = source_next(&source, &is_write, &wait);
        time += wait;
        assert_true(msw_dram_push(dram, time, address, 1, is_write, i));
        for (; i + 1 - taken > OPEN; taken++) {
            assert_true(msw_dram_next(dram, MSW_DRAM_NEVER, &done[taken]));
            time = done[taken].time > time ? done[taken].time : time;
        }
    }
    for (; taken < REQUESTS; taken++)
        assert_true(msw_dram_next(dram, MSW_DRAM_NEVER, &done[taken]));
    free(memory);
}

static void channels_that_go_ahead_answer_the_same(void **state)
{
    (void)state;
    msw_dram_completion *ahead = malloc(REQUESTS * sizeof *ahead);
    msw_dram_completion *lockstep = malloc(REQUESTS * sizeof *lockstep);
    for (uint32_t i = 0; i < CONFIGS; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 13, i);
        msw_dram_config c = random_config(&rng);
        c.channels = 4;
        c.read_depth = c.write_depth = REQUESTS;
        dram_source source = random_source(&rng, &c);
        answer_all(&c, source, false, ahead);
        answer_all(&c, source, true, lockstep);
        for (uint32_t k = 0; k < REQUESTS; k++) {
            assert_int_equal(ahead[k].time, lockstep[k].time);
            assert_int_equal(ahead[k].tag, lockstep[k].tag);
            assert_int_equal(ahead[k].outcome, lockstep[k].outcome);
        }
    }
    free(lockstep);
    free(ahead);
}

/* The checker itself must be able to fail: one cycle less than each rule asks for is refused. */
static void the_checker_sees_every_rule(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("ddr4_3200", NULL);
    const struct {
        uint8_t from, to;
        uint32_t bank_from, bank_to, gap;
    } CASES[] = {
        {MSW_DRAM_ACT, MSW_DRAM_RD, 0, 0, 22},   {MSW_DRAM_ACT, MSW_DRAM_PRE, 0, 0, 52},
        {MSW_DRAM_ACT, MSW_DRAM_ACT, 0, 0, 74},  {MSW_DRAM_PRE, MSW_DRAM_ACT, 0, 0, 22},
        {MSW_DRAM_ACT, MSW_DRAM_ACT, 0, 1, 8},   {MSW_DRAM_ACT, MSW_DRAM_ACT, 0, 4, 4},
        {MSW_DRAM_RD, MSW_DRAM_RD, 0, 1, 8},     {MSW_DRAM_RD, MSW_DRAM_RD, 0, 4, 4},
        {MSW_DRAM_RD, MSW_DRAM_RD, 0, 16, 5},    {MSW_DRAM_RD, MSW_DRAM_PRE, 0, 0, 12},
        {MSW_DRAM_WR, MSW_DRAM_PRE, 0, 0, 44},   {MSW_DRAM_WR, MSW_DRAM_RD, 0, 1, 32},
        {MSW_DRAM_WR, MSW_DRAM_RD, 0, 4, 24},    {MSW_DRAM_RD, MSW_DRAM_WR, 0, 4, 12},
        {MSW_DRAM_REF, MSW_DRAM_ACT, 0, 5, 560}, {MSW_DRAM_PRE, MSW_DRAM_REF, 3, 0, 22},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_dram_command from = {.time = 100, .kind = CASES[i].from, .bank = CASES[i].bank_from};
        msw_dram_command to = {
            .time = 100 + CASES[i].gap, .kind = CASES[i].to, .bank = CASES[i].bank_to};
        dram_history h = {&c, &from, 1};
        assert_true(command_fits(&h, &to));
        to.time--;
        assert_false(command_fits(&h, &to));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_sees_every_rule),
        cmocka_unit_test(no_rule_is_broken),
        cmocka_unit_test(channels_that_go_ahead_answer_the_same),
    };
    return cmocka_run_group_tests_name("sim_dram_timing", tests, NULL, NULL);
}

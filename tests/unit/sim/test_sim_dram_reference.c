/* Does the event-driven scheduler issue exactly the commands, in exactly the cycles, of one that
 * looks at every request in every cycle? */
#include "dram_rules.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 250, CONFIGS = 30, TRACE = 40 * REQUESTS, UNITS = 1024 };

typedef struct request {
    uint64_t arrival, address;
    uint32_t bank, unit, row;
    bool is_write, queued;
} request;

typedef struct reference {
    msw_dram_config c;
    request request[REQUESTS];
    uint32_t arrived, left, mode; /* mode: 1 while writes are served */
    uint32_t open[UNITS], hits[UNITS];
    bool blocked[16];
    uint64_t due[16], bus[2];
    msw_dram_command command[TRACE];
    size_t count;
} reference;

static uint32_t queued(const reference *r, bool is_write)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->arrived; i++)
        n += r->request[i].queued && r->request[i].is_write == is_write;
    return n;
}

static void choose_mode(reference *r)
{
    uint32_t reads = queued(r, false), writes = queued(r, true);
    if (!r->mode)
        r->mode = writes >= r->c.write_high || (writes && !reads);
    else
        r->mode = writes && !(reads && writes <= r->c.write_low);
}

static void arrive(reference *r, uint64_t time)
{
    while (r->arrived < REQUESTS && r->request[r->arrived].arrival + r->c.front <= time) {
        r->request[r->arrived++].queued = true;
        choose_mode(r);
    }
}

static bool legal(const reference *r, msw_dram_command *command, uint64_t time)
{
    dram_history h = {&r->c, r->command, r->count};
    command->time = time;
    if (r->bus[is_column(command)] > time)
        return false;
    return command_fits(&h, command);
}

static void issue(reference *r, const msw_dram_command *command)
{
    assert_true(r->count < TRACE);
    r->command[r->count++] = *command;
    r->bus[is_column(command)] = command->time + 1;
    if (r->c.command_buses == 1)
        r->bus[0] = r->bus[1] = command->time + 1;
}

static void refresh_rank(reference *r, uint32_t rank, uint64_t time)
{
    uint32_t units = r->c.groups * r->c.banks * r->c.buffers, open = 0;
    uint32_t *row = &r->open[rank * units];
    msw_dram_command command = {.bank = rank * r->c.groups * r->c.banks};
    r->blocked[rank] |= time >= r->due[rank];
    if (!r->blocked[rank])
        return;
    for (uint32_t u = 0; u < units; u++)
        open += row[u] != 0;
    command.kind = open ? MSW_DRAM_PREA : MSW_DRAM_REF;
    if (!legal(r, &command, time))
        return;
    issue(r, &command);
    memset(row, 0, units * sizeof *row);
    if (!open) {
        r->blocked[rank] = false;
        r->due[rank] += r->c.t.refi;
    }
}

/* What the window holds for one row buffer. */
typedef struct unit_view {
    const request *oldest, *hit;
} unit_view;

static unit_view view(const reference *r, uint32_t unit)
{
    unit_view v = {NULL, NULL};
    uint32_t seen = 0, window = r->c.window ? r->c.window : REQUESTS;
    for (uint32_t i = 0; i < r->arrived && seen < window; i++) {
        const request *q = &r->request[i];
        if (!q->queued || q->is_write != r->mode)
            continue;
        seen++;
        if (q->unit != unit)
            continue;
        v.oldest = v.oldest ? v.oldest : q;
        v.hit = !v.hit && r->open[unit] == q->row + 1 ? q : v.hit;
    }
    return v;
}

/* The command that the row buffer of request `i` would issue for that very request, if any. */
static bool wanted(const reference *r, const request *q, msw_dram_command *command)
{
    unit_view v = view(r, q->unit);
    bool capped = r->c.hit_cap && r->hits[q->unit] >= r->c.hit_cap && v.hit != v.oldest;
    *command = (msw_dram_command){.bank = q->bank, .buffer = q->unit % r->c.buffers, .row = q->row};
    if (r->blocked[q->bank / (r->c.groups * r->c.banks)])
        return false;
    if (!r->open[q->unit]) {
        command->kind = MSW_DRAM_ACT;
        return q == v.oldest;
    }
    if (v.hit && !capped) {
        command->kind = q->is_write ? MSW_DRAM_WR : MSW_DRAM_RD;
        return q == v.hit;
    }
    command->kind = MSW_DRAM_PRE;
    command->row = r->open[q->unit] - 1;
    return q == v.oldest;
}

static void apply(reference *r, request *q, msw_dram_command *command)
{
    if (is_column(command)) {
        q->queued = false;
        r->left--;
        r->hits[q->unit]++;
        command->auto_precharge = r->c.page == MSW_DRAM_CLOSED_PAGE ||
                                  (r->c.page == MSW_DRAM_CLOSED_LAST && !view(r, q->unit).hit);
        if (command->auto_precharge)
            r->open[q->unit] = 0;
    } else {
        r->open[q->unit] = command->kind == MSW_DRAM_ACT ? q->row + 1 : 0;
        r->hits[q->unit] = 0;
    }
    issue(r, command);
    if (is_column(command))
        choose_mode(r);
}

static bool issue_best(reference *r, uint64_t time, bool column)
{
    uint32_t seen = 0, window = r->c.window ? r->c.window : REQUESTS;
    for (uint32_t i = 0; i < r->arrived && seen < window; i++) {
        request *q = &r->request[i];
        msw_dram_command command;
        if (!q->queued || q->is_write != r->mode)
            continue;
        seen++;
        if (wanted(r, q, &command) && is_column(&command) == column && legal(r, &command, time)) {
            apply(r, q, &command);
            return true;
        }
    }
    return false;
}

static void cycle(reference *r, uint64_t time)
{
    arrive(r, time);
    if (r->c.t.refi)
        for (uint32_t rank = 0; rank < r->c.ranks; rank++)
            refresh_rank(r, rank, time);
    while (issue_best(r, time, true) || issue_best(r, time, false))
        ;
}

static void make_requests(reference *r, dram_source *source)
{
    msw_dram_map map;
    msw_dram_map_init(&map, &r->c, NULL);
    uint64_t time = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        request *q = &r->request[i];
        uint64_t wait;
        q->address = source_next(source, &q->is_write, &wait);
        msw_dram_location place = msw_dram_locate(&map, q->address);
        q->bank = place.bank;
        q->row = place.row;
        q->unit = place.bank * r->c.buffers + place.row % r->c.buffers;
        q->arrival = time += wait;
    }
    for (uint32_t i = 0; i < r->c.ranks; i++)
        r->due[i] = r->c.t.refi - (uint64_t)r->c.t.refi * i / r->c.ranks;
    r->left = REQUESTS;
}

static size_t run_model(const reference *r, msw_dram_command *trace)
{
    msw_err err;
    msw_dram_completion done;
    void *memory = aligned_alloc(64, msw_dram_bytes(&r->c));
    msw_dram *dram = msw_dram_init(memory, &r->c, &err);
    assert_non_null(dram);
    msw_dram_trace(dram, trace, TRACE);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const request *q = &r->request[i];
        assert_true(msw_dram_push(dram, q->arrival, q->address, 1, q->is_write, i));
        while (msw_dram_next(dram, q->arrival, &done))
            ;
    }
    while (msw_dram_next(dram, MSW_DRAM_NEVER, &done))
        ;
    msw_dram_drain(dram);
    size_t count = msw_dram_traced(dram);
    free(memory);
    return count;
}

static msw_dram_config small_config(msw_rng *rng)
{
    msw_dram_config c = random_config(rng);
    c.channels = 1;
    c.read_depth = c.write_depth = REQUESTS;
    c.forward = false;
    return c;
}

static void compare(const reference *r, const msw_dram_command *trace, size_t count,
                    uint32_t config)
{
    for (size_t i = 0; i < count && i < r->count; i++) {
        const msw_dram_command *a = &r->command[i], *b = &trace[i];
        bool same = a->time == b->time && a->kind == b->kind && a->bank == b->bank &&
                    a->buffer == b->buffer && (is_rank_wide(a) || a->row == b->row) &&
                    a->auto_precharge == b->auto_precharge;
        if (!same)
            fail_msg(
                "config %u, command %zu: kind %u bank %u at %llu, wanted kind %u bank %u at %llu",
                config, i, b->kind, b->bank, (unsigned long long)b->time, a->kind, a->bank,
                (unsigned long long)a->time);
    }
    assert_int_equal(count, r->count);
}

static void commands_are_those_of_a_scan_of_every_cycle(void **state)
{
    (void)state;
    reference *r = malloc(sizeof *r);
    msw_dram_command *trace = malloc(TRACE * sizeof *trace);
    for (uint32_t i = 0; i < CONFIGS; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 12, i);
        memset(r, 0, sizeof *r);
        r->c = small_config(&rng);
        dram_source source = random_source(&rng, &r->c);
        make_requests(r, &source);
        for (uint64_t time = 0; r->left; time++)
            cycle(r, time);
        compare(r, trace, run_model(r, trace), i);
    }
    free(trace);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_those_of_a_scan_of_every_cycle),
    };
    return cmocka_run_group_tests_name("sim_dram_reference", tests, NULL, NULL);
}

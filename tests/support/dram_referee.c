/* SPDX-License-Identifier: MIT */
#include "dram_referee.h"

#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { UNITS = 1024, KINDS = MSW_DRAM_SEL + 1 };

typedef struct request {
    uint64_t arrival;
    uint32_t bank, unit, row;
    bool is_write;
} request;

typedef struct referee {
    msw_dram_config c;
    request request[REFEREE_REQUESTS]; /* of the channel, by arrival */
    uint32_t count, arrived;
    request *queue[REFEREE_REQUESTS]; /* by age */
    uint32_t queued, mode;            /* mode: 1 while writes are served */
    uint32_t open[UNITS], hits[UNITS], selected[UNITS];
    bool blocked[16];
    uint64_t due[16], bus[2];
    msw_dram_command *command;
    size_t commands;
} referee;

static uint32_t queued(const referee *r, bool is_write)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->queued; i++)
        n += r->queue[i]->is_write == is_write;
    return n;
}

static void choose_mode(referee *r)
{
    uint32_t reads = queued(r, false), writes = queued(r, true);
    if (!r->mode)
        r->mode = writes >= r->c.write_high || (writes && !reads);
    else
        r->mode = writes && !(reads && writes <= r->c.write_low);
}

static void arrive(referee *r, uint64_t time)
{
    while (r->arrived < r->count && r->request[r->arrived].arrival + r->c.controller <= time) {
        r->queue[r->queued++] = &r->request[r->arrived++];
        choose_mode(r);
    }
}

static bool legal(const referee *r, msw_dram_command *command, uint64_t time)
{
    dram_history h = {&r->c, r->command, r->commands};
    command->time = time;
    if (r->bus[is_column(command)] > time)
        return false;
    return command_fits(&h, command);
}

static void issue(referee *r, const msw_dram_command *command)
{
    assert_true(r->commands < REFEREE_TRACE);
    r->command[r->commands++] = *command;
    r->bus[is_column(command)] = command->time + 1;
    if (r->c.command_buses == 1)
        r->bus[0] = r->bus[1] = command->time + 1;
}

static void refresh_rank(referee *r, uint32_t rank, uint64_t time)
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

/* The requests of the side being served that the scheduler sees, by age. Returns their number. */
static uint32_t visible(const referee *r, request **seen)
{
    uint32_t n = 0, window = r->c.window ? r->c.window : REFEREE_REQUESTS;
    for (uint32_t i = 0; i < r->queued && n < window; i++)
        if (r->queue[i]->is_write == r->mode)
            seen[n++] = r->queue[i];
    return n;
}

/* Does one of the first `count` requests wait for the open row of a unit? */
static bool row_is_wanted(const referee *r, request **seen, uint32_t count, uint32_t unit)
{
    for (uint32_t i = 0; i < count; i++)
        if (seen[i]->unit == unit && r->open[unit] == seen[i]->row + 1)
            return true;
    return false;
}

static bool may_close(const referee *r, request **seen, uint32_t count, uint32_t i)
{
    uint32_t unit = seen[i]->unit;
    bool capped = r->c.hit_cap && r->hits[unit] >= r->c.hit_cap;
    if (row_is_wanted(r, seen, i, unit))
        return false;
    return r->c.closing == MSW_DRAM_CLOSE_OLDER || capped || !row_is_wanted(r, seen, count, unit);
}

static bool is_of_use(const referee *r, const request *q, uint64_t time)
{
    const msw_dram_timing *t = &r->c.t;
    uint64_t column = 0;
    for (size_t i = r->commands; i-- > 0;) {
        const msw_dram_command *c = &r->command[i];
        if (c->bank != q->bank)
            continue;
        bool same = c->buffer == q->unit % r->c.buffers;
        if (same && c->kind == MSW_DRAM_ACT && c->time + t->rcd > column)
            column = c->time + t->rcd;
        if (!same && is_column(c) && t->swap && c->time + t->ccd_l + t->swap > column)
            column = c->time + t->ccd_l + t->swap;
    }
    return time + t->sel >= column;
}

/* The command that request `i` would issue, if any. */
static bool wanted(const referee *r, request **seen, uint32_t count, uint32_t i, uint64_t time,
                   msw_dram_command *command)
{
    const request *q = seen[i];
    bool select = r->c.t.sel && r->c.buffers > 1 && r->selected[q->bank] != q->unit;
    *command = (msw_dram_command){.bank = q->bank, .buffer = q->unit % r->c.buffers, .row = q->row};
    if (r->blocked[q->bank / (r->c.groups * r->c.banks)])
        return false;
    if (!r->open[q->unit]) {
        command->kind = MSW_DRAM_ACT;
        return true;
    }
    if (r->open[q->unit] == q->row + 1) {
        command->kind = select ? MSW_DRAM_SEL : q->is_write ? MSW_DRAM_WR : MSW_DRAM_RD;
        return !select ||
               (!row_is_wanted(r, seen, i, r->selected[q->bank]) && is_of_use(r, q, time));
    }
    command->kind = MSW_DRAM_PRE;
    command->row = r->open[q->unit] - 1;
    return may_close(r, seen, count, i);
}

static void leave(referee *r, const request *q)
{
    uint32_t at = 0;
    while (r->queue[at] != q)
        at++;
    memmove(&r->queue[at], &r->queue[at + 1], (--r->queued - at) * sizeof *r->queue);
}

static bool closes_itself(const referee *r, uint32_t unit)
{
    request *seen[REFEREE_REQUESTS];
    if (r->c.page == MSW_DRAM_CLOSED_PAGE)
        return true;
    return r->c.page == MSW_DRAM_CLOSED_LAST && !row_is_wanted(r, seen, visible(r, seen), unit);
}

static void apply(referee *r, const request *q, msw_dram_command *command)
{
    if (is_column(command)) {
        leave(r, q);
        r->hits[q->unit]++;
        command->auto_precharge = closes_itself(r, q->unit);
        if (command->auto_precharge)
            r->open[q->unit] = 0;
    } else if (command->kind == MSW_DRAM_SEL) {
        r->selected[q->bank] = q->unit;
    } else {
        r->open[q->unit] = command->kind == MSW_DRAM_ACT ? q->row + 1 : 0;
        r->hits[q->unit] = 0;
    }
    issue(r, command);
    if (is_column(command))
        choose_mode(r);
}

/* What an older request of the same row buffer could not do no younger one can. */
static bool issue_best(referee *r, uint64_t time, bool column)
{
    request *seen[REFEREE_REQUESTS];
    bool tried[KINDS][UNITS] = {{false}};
    uint32_t count = visible(r, seen);
    for (uint32_t i = 0; i < count; i++) {
        msw_dram_command command;
        if (!wanted(r, seen, count, i, time, &command) || is_column(&command) != column ||
            tried[command.kind][seen[i]->unit])
            continue;
        tried[command.kind][seen[i]->unit] = true;
        if (!legal(r, &command, time))
            continue;
        apply(r, seen[i], &command);
        return true;
    }
    return false;
}

static void cycle(referee *r, uint64_t time)
{
    arrive(r, time);
    if (r->c.t.refi)
        for (uint32_t rank = 0; rank < r->c.ranks; rank++)
            refresh_rank(r, rank, time);
    while (issue_best(r, time, true) || issue_best(r, time, false))
        ;
}

static void take_share(referee *r, const referee_request *requests, uint32_t channel)
{
    msw_dram_map map;
    msw_dram_map_init(&map, &r->c, NULL);
    for (uint32_t i = 0; i < REFEREE_REQUESTS; i++) {
        msw_dram_location at = msw_dram_locate(&map, requests[i].address);
        if (at.channel != channel)
            continue;
        r->request[r->count++] = (request){.arrival = requests[i].arrival,
                                           .bank = at.bank,
                                           .row = at.row,
                                           .unit = at.bank * r->c.buffers + at.row % r->c.buffers,
                                           .is_write = requests[i].is_write};
    }
}

size_t referee_play(const msw_dram_config *config, const referee_request *requests,
                    uint32_t channel, msw_dram_command *trace)
{
    referee *r = calloc(1, sizeof *r);
    r->c = *config;
    r->command = trace;
    take_share(r, requests, channel);
    for (uint32_t i = 0; i < r->c.ranks; i++)
        r->due[i] = r->c.t.refi - (uint64_t)r->c.t.refi * i / r->c.ranks;
    for (uint32_t i = 0; i < r->c.ranks * r->c.groups * r->c.banks; i++)
        r->selected[i] = i * r->c.buffers;
    for (uint64_t time = 0; r->queued || r->arrived < r->count; time++)
        cycle(r, time);
    size_t commands = r->commands;
    free(r);
    return commands;
}

/* ---- the model ---- */

static size_t play_model(const msw_dram_config *c, const referee_request *requests,
                         msw_dram_command *trace, size_t capacity)
{
    msw_err err;
    msw_dram_completion done;
    void *memory = aligned_alloc(64, msw_dram_bytes(c));
    msw_dram *dram = msw_dram_init(memory, c, &err);
    assert_non_null(dram);
    msw_dram_trace(dram, trace, capacity);
    for (uint32_t i = 0; i < REFEREE_REQUESTS; i++) {
        const referee_request *q = &requests[i];
        assert_true(msw_dram_push(dram, q->arrival, q->address, 1, q->is_write, i));
        while (msw_dram_next(dram, q->arrival, &done))
            ;
    }
    while (msw_dram_next(dram, MSW_DRAM_NEVER, &done))
        ;
    msw_dram_drain(dram);
    size_t count = msw_dram_traced(dram);
    assert_true(count <= capacity);
    free(memory);
    return count;
}

static bool same_command(const msw_dram_command *a, const msw_dram_command *b)
{
    return a->time == b->time && a->kind == b->kind && a->bank == b->bank &&
           a->buffer == b->buffer && (is_rank_wide(a) || a->row == b->row) &&
           a->auto_precharge == b->auto_precharge;
}

/* Refreshes of a channel that has nothing to do any more are not compared. */
static void compare_channel(const msw_dram_command *a, size_t count, const msw_dram_command *model,
                            size_t all, uint32_t channel, const char *name)
{
    size_t i = 0;
    for (const msw_dram_command *b = model; b < model + all; b++) {
        if (b->channel != channel || (i >= count && is_rank_wide(b)))
            continue;
        if (i >= count || !same_command(&a[i], b))
            fail_msg("%s, channel %u, command %zu: kind %u bank %u at %llu, wanted kind %u bank %u "
                     "at %llu",
                     name, channel, i, b->kind, b->bank, (unsigned long long)b->time,
                     i < count ? a[i].kind : 99, i < count ? a[i].bank : 0,
                     i < count ? (unsigned long long)a[i].time : 0);
        i++;
    }
    assert_int_equal(i, count);
}

size_t referee_compare(const msw_dram_config *config, const referee_request *requests,
                       const char *name)
{
    size_t capacity = 4 * REFEREE_TRACE, commands = 0;
    msw_dram_command *model = malloc(capacity * sizeof *model);
    msw_dram_command *trace = malloc(REFEREE_TRACE * sizeof *trace);
    msw_dram_config c = *config;
    c.read_depth = c.write_depth = REFEREE_REQUESTS;
    c.forward = false;
    size_t all = play_model(&c, requests, model, capacity);
    for (uint32_t channel = 0; channel < c.channels; channel++) {
        size_t count = referee_play(&c, requests, channel, trace);
        compare_channel(trace, count, model, all, channel, name);
        commands += count;
    }
    free(trace);
    free(model);
    return commands;
}

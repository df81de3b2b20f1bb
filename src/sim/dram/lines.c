/* SPDX-License-Identifier: MIT */
/* dram_lines: rules and equations in docs/models/sim-dram-lines.md.
 *
 * State: per bank and row buffer (slot) the open row, the earliest column command, PRE and ACT; per
 * bus the earliest RD, WR and ACT. Requests in the window are sorted by age. A request is `open`
 * when all its banks have its row open; `column` is when the last of them takes a column command.
 */
#include "sim/dram/lines.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Between two refreshes a request must be able to open its rows and to use them: else those are
 * closed again and again. */
static int check_refresh(const msw_dram_lines_config *c, msw_err *err)
{
    const msw_dram_timing *t = &c->t;
    uint64_t lost = (uint64_t)t->rp + t->rfc + msw_max_u64(t->ras, t->rcd);
    uint32_t apart = msw_max_u32(t->rrd_l, t->faw / 4 + (t->faw % 4 > 0));
    uint64_t opening = (uint64_t)t->rcd + (c->banks - 1) * (uint64_t)apart;
    if (t->refi && t->refi <= lost + opening)
        return msw_fail(err,
                        "refi is %u: refreshes leave no time to open a row (rfc %u + rp %u + ras "
                        "%u + rcd %u + %u for each further bank); 0 switches refresh off",
                        t->refi, t->rfc, t->rp, t->ras, t->rcd, apart);
    return 0;
}

int msw_dram_lines_check(const msw_dram_lines_config *c, msw_err *err)
{
    if (c->banks < 1 || c->banks > MSW_DRAM_LINES_BANKS)
        return msw_fail(err, "%u banks of a near-bank channel; allowed: 1 to %d", c->banks,
                        MSW_DRAM_LINES_BANKS);
    if (c->buffers < 1 || c->buffers > MSW_DRAM_LINES_BUFFERS)
        return msw_fail(err, "%u row buffers of a bank; allowed: 1 to %d", c->buffers,
                        MSW_DRAM_LINES_BUFFERS);
    if (c->groups < 1 || c->groups > MSW_DRAM_LINES_GROUPS)
        return msw_fail(err, "%u bank groups; allowed: 1 to %d", c->groups, MSW_DRAM_LINES_GROUPS);
    if (c->window < 1 || c->window > MSW_DRAM_LINES_WINDOW)
        return msw_fail(err, "a scheduler's window of %u; allowed: 1 to %d", c->window,
                        MSW_DRAM_LINES_WINDOW);
    if (c->capacity < 1 || (c->capacity & (c->capacity - 1)))
        return msw_fail(err, "room for %u requests; allowed: a power of two", c->capacity);
    return check_refresh(c, err);
}

size_t msw_dram_lines_bytes(const msw_dram_lines_config *config)
{
    return msw_align_line(sizeof(msw_dram_lines)) +
           config->capacity * sizeof(msw_dram_lines_request);
}

msw_dram_lines *msw_dram_lines_init(void *memory, const msw_dram_lines_config *config)
{
    msw_dram_lines *l = memory;
    memset(l, 0, sizeof *l);
    l->config = config;
    l->waiting = (msw_dram_lines_request *)((char *)memory + msw_align_line(sizeof *l));
    for (uint32_t b = 0; b < MSW_DRAM_LINES_BANKS; b++)
        for (uint32_t s = 0; s < MSW_DRAM_LINES_BUFFERS; s++)
            l->slots[b][s].row = LINES_NO_ROW;
    l->when = l->closing = MSW_DRAM_NEVER;
    l->refresh = config->t.refi ? config->t.refi : MSW_DRAM_NEVER;
    return l;
}

/* ---- requests that have not reached the scheduler's window ---- */

static uint64_t reaches(const msw_dram_lines *l, const msw_dram_lines_request *r)
{
    return r->arrival + l->config->controller;
}

/* Kept in order of arrival by insertion from the end: requests come nearly in order, so few are
 * moved. */
bool msw_dram_lines_push(msw_dram_lines *l, const msw_dram_lines_request *request)
{
    uint32_t mask = l->config->capacity - 1, at = l->tail;
    if (l->tail - l->head == l->config->capacity)
        return false;
    for (; at != l->head && l->waiting[(at - 1) & mask].arrival > request->arrival; at--)
        l->waiting[at & mask] = l->waiting[(at - 1) & mask];
    l->waiting[at & mask] = *request;
    l->tail++;
    if (l->count < l->config->window)
        l->when = msw_min_u64(l->when, msw_max_u64(reaches(l, request), l->now));
    l->totals.lines++;
    return true;
}

static void admit(msw_dram_lines *l)
{
    uint32_t mask = l->config->capacity - 1;
    while (l->head != l->tail && l->count < l->config->window) {
        const msw_dram_lines_request *r = &l->waiting[l->head & mask];
        if (reaches(l, r) > l->now)
            return;
        l->window[l->count] = (lines_entry){.request = *r};
        l->head++;
        lines_look(l, l->count++);
        l->again = true;
    }
    if (l->head == l->tail)
        l->head = l->tail = 0; /* the ring's first places stay in the cache */
}

/* ---- refresh ---- */

void msw_dram_lines_put_off(msw_dram_lines *l, uint64_t cycles)
{
    if (l->refresh != MSW_DRAM_NEVER)
        l->refresh += cycles;
}

/* Closes all rows as soon as they may be, and keeps the banks for rfc. Whole periods in which
 * nothing waited are only counted. */
static void refresh(msw_dram_lines *l)
{
    const msw_dram_timing *t = &l->config->t;
    uint64_t due = l->refresh, idle = (l->now - due) / t->refi;
    l->totals.refreshes += (idle + 1) * l->config->banks;
    due += idle * t->refi;
    l->refresh = due + t->refi;
    uint64_t start = due;
    for (uint32_t b = 0; b < l->config->banks; b++)
        for (uint32_t s = 0; s < l->config->buffers; s++)
            if (l->slots[b][s].row != LINES_NO_ROW)
                start = msw_max_u64(start, l->slots[b][s].precharge);
    for (uint32_t b = 0; b < l->config->banks; b++)
        for (uint32_t s = 0; s < l->config->buffers; s++) {
            l->slots[b][s].row = LINES_NO_ROW;
            l->slots[b][s].activate = start + t->rp + t->rfc;
        }
    for (uint32_t i = 0; i < l->count; i++)
        lines_look(l, i);
    l->again = true;
}

/* ---- decisions ---- */

static void remove_entry(msw_dram_lines *l, uint32_t index)
{
    uint64_t below = ((uint64_t)1 << index) - 1;
    l->count--;
    l->closed = (l->closed & below) | (l->closed >> 1 & ~below);
    l->again = true;
    memmove(&l->window[index], &l->window[index + 1], (l->count - index) * sizeof l->window[0]);
}

/* The oldest request whose column commands can go now. Returns its index, or `count` with the next
 * time to look in `when`. */
static uint32_t choose(const msw_dram_lines *l, uint64_t *when)
{
    *when = MSW_DRAM_NEVER;
    uint64_t all = l->count == 64 ? UINT64_MAX : ((uint64_t)1 << l->count) - 1;
    for (uint64_t open = all & ~l->closed; open; open &= open - 1) {
        uint32_t i = msw_bits_lowest(open);
        uint64_t due = lines_due(l, &l->window[i]);
        if (due <= l->now)
            return i;
        *when = msw_min_u64(*when, due);
    }
    return l->count;
}

static void plan(msw_dram_lines *l, uint64_t when)
{
    if (l->head != l->tail && l->count < l->config->window) {
        uint64_t next = reaches(l, &l->waiting[l->head & (l->config->capacity - 1)]);
        when = msw_min_u64(when, msw_max_u64(next, l->now + 1));
    }
    l->when = when;
}

static void serve(msw_dram_lines *l, uint32_t chosen, msw_dram_lines_completion *completion)
{
    lines_serve(l, &l->window[chosen], completion);
    remove_entry(l, chosen);
    admit(l);
    if (l->closed)
        lines_open_rows(l);
    uint64_t next = msw_max_u64(lines_bus_free(l), l->now + 1);
    plan(l, l->count ? next : MSW_DRAM_NEVER);
}

uint64_t msw_dram_lines_when(const msw_dram_lines *lines)
{
    return lines->when;
}

uint32_t msw_dram_lines_waiting(const msw_dram_lines *lines)
{
    return lines->tail - lines->head + lines->count;
}

const msw_dram_lines_stats *msw_dram_lines_totals(const msw_dram_lines *lines)
{
    return &lines->totals;
}

bool msw_dram_lines_next(msw_dram_lines *l, uint64_t now, msw_dram_lines_completion *completion)
{
    while (l->when <= now) {
        l->now = l->when;
        if (l->now >= l->refresh)
            refresh(l);
        admit(l);
        uint64_t when;
        uint32_t chosen = choose(l, &when);
        if (chosen == l->count && l->closed && (l->again || l->closing <= l->now)) {
            lines_open_rows(l); /* one that was opened ahead of time may go at once */
            chosen = choose(l, &when);
        }
        if (chosen < l->count) {
            serve(l, chosen, completion);
            return true;
        }
        plan(l, msw_max_u64(msw_min_u64(when, l->closing), l->now + 1));
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* dram_lines: rows that are opened, and column commands. */
#include "sim/dram/lines.h"

#include "memsweep/base/bits.h"

/* When the first burst of a line may go, for a row that is needed some cycles behind it. */
static uint64_t before(uint64_t column, uint64_t ahead)
{
    return column > ahead ? column - ahead : 0;
}

/* The bursts of a line follow each other on a shared bus: the one in position i needs its row i
 * bursts later. */
void lines_look(msw_dram_lines *l, uint32_t index)
{
    lines_entry *e = &l->window[index];
    uint32_t buffers = l->config->buffers;
    uint64_t ahead = 0, burst = l->config->own_buses ? 0 : l->config->t.bl;
    bool closed = false;
    e->column = 0;
    for (uint32_t left = e->request.banks; left; left &= left - 1, ahead += burst) {
        uint32_t bank = msw_bits_lowest(left), s = lines_find(l, bank, e->request.row);
        if (s == buffers)
            closed = true;
        else
            e->column = msw_max_u64(e->column, before(l->slots[bank][s].column, ahead));
    }
    l->closed = (l->closed & ~((uint64_t)1 << index)) | (uint64_t)closed << index;
}

/* ---- opening rows ---- */

/* When the row in a buffer may be closed. */
static uint64_t closable(const lines_slot *slot)
{
    return slot->row == LINES_NO_ROW ? 0 : slot->precharge;
}

/* The buffer that a row of a bank may be opened in: `claimed` ones are wanted by others. Returns
 * `buffers` where there is none. */
static uint32_t place(const msw_dram_lines *l, uint32_t bank, uint32_t row, uint32_t claimed)
{
    uint32_t buffers = l->config->buffers, best = buffers;
    if (l->config->placing == MSW_DRAM_LINES_MOD)
        return claimed >> (row % buffers) & 1 ? buffers : row % buffers;
    for (uint32_t s = 0; s < buffers; s++) {
        const lines_slot *slot = &l->slots[bank][s];
        if (claimed >> s & 1)
            continue;
        if (slot->row == LINES_NO_ROW)
            return s;
        if (best == buffers || slot->used < l->slots[bank][best].used)
            best = s;
    }
    return best;
}

/* Requests that had a row open which is closed now. */
static void lose(msw_dram_lines *l, uint32_t bank, uint32_t row)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->window[i].request.row == row && l->window[i].request.banks >> bank & 1)
            l->closed |= (uint64_t)1 << i;
}

static uint64_t activation(msw_dram_lines *l, uint32_t bank, uint64_t earliest)
{
    const msw_dram_timing *t = &l->config->t;
    lines_bus *bus = lines_bus_of(l, bank);
    uint64_t act = msw_max_u64(earliest, bus->activate);
    if (bus->last[bus->oldest])
        act = msw_max_u64(act, bus->last[bus->oldest] + t->faw);
    bus->last[bus->oldest] = act;
    bus->oldest = (bus->oldest + 1) % 4;
    bus->activate = act + t->rrd_l;
    l->totals.acts++;
    return act;
}

static void open_row(msw_dram_lines *l, lines_entry *e, uint32_t bank, uint32_t s)
{
    const msw_dram_timing *t = &l->config->t;
    lines_slot *slot = &l->slots[bank][s];
    uint64_t start = l->config->ahead ? e->request.arrival + l->config->controller : l->now;
    if (l->config->buffers > 1 && l->selected[bank] != s)
        start = msw_max_u64(start, l->other_buffer[bank]);
    if (slot->row != LINES_NO_ROW) {
        uint64_t precharge = msw_max_u64(start, slot->precharge);
        start = precharge + t->rp;
        lose(l, bank, slot->row);
        l->totals.pres++;
        e->conflicts |= (uint16_t)(1U << bank);
    }
    uint64_t act = activation(l, bank, msw_max_u64(start, slot->activate));
    *slot = (lines_slot){.column = act + t->rcd,
                         .precharge = act + t->ras,
                         .activate = act + t->rc,
                         .used = act,
                         .row = e->request.row};
    e->opened |= (uint16_t)(1U << bank);
}

/* Opens what rows of a request it can, and claims the buffers that it wants. Returns whether it
 * opened one. */
static bool open_entry(msw_dram_lines *l, lines_entry *e, uint16_t *claimed)
{
    uint32_t buffers = l->config->buffers, row = e->request.row;
    bool opened = false;
    for (uint32_t left = e->request.banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left), s = lines_find(l, bank, row);
        if (s == buffers) {
            s = place(l, bank, row, claimed[bank]);
            uint64_t due = s < buffers ? closable(&l->slots[bank][s]) : MSW_DRAM_NEVER;
            if (due <= l->now) {
                open_row(l, e, bank, s);
                opened = true;
            } else {
                l->closing = msw_min_u64(l->closing, due);
            }
        }
        if (s == buffers && l->config->placing == MSW_DRAM_LINES_MOD)
            s = row % buffers;
        claimed[bank] |= (uint16_t)(s == buffers ? UINT16_MAX : 1U << s);
    }
    return opened;
}

/* With CLOSE_LAST a row that anybody waits for stays, up to the cap. */
static void claim_wanted(const msw_dram_lines *l, uint16_t *claimed)
{
    uint32_t cap = l->config->hit_cap;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t left = l->window[i].request.banks; left; left &= left - 1) {
            uint32_t bank = msw_bits_lowest(left);
            uint32_t s = lines_find(l, bank, l->window[i].request.row);
            if (s < l->config->buffers && (cap == 0 || l->slots[bank][s].served < cap))
                claimed[bank] |= (uint16_t)(1U << s);
        }
}

/* Where the row alone says the buffer: banks of each buffer that older requests want. */
static uint32_t open_by_row(msw_dram_lines *l, uint32_t end)
{
    uint16_t wanted[MSW_DRAM_LINES_BUFFERS] = {0}, claimed[MSW_DRAM_LINES_BANKS];
    uint32_t opened = 0;
    for (uint32_t i = 0; i < end; i++) {
        lines_entry *e = &l->window[i];
        uint32_t s = e->request.row % l->config->buffers;
        uint16_t left = e->request.banks & (uint16_t)~wanted[s];
        wanted[s] |= e->request.banks;
        if (!(l->closed >> i & 1) || !left)
            continue;
        for (uint32_t b = 0; b < l->config->banks; b++)
            claimed[b] = left >> b & 1 ? 0 : UINT16_MAX;
        opened += open_entry(l, e, claimed);
    }
    return opened;
}

/* Whether no request of the window has all its rows open. */
static bool all_closed(const msw_dram_lines *l)
{
    return msw_bits_count(l->closed) == l->count;
}

/* Where no request has all its rows open, each could wait for a row that another one keeps: then
 * the older one's wish counts. */
static uint32_t open_by_use(msw_dram_lines *l, uint32_t end)
{
    uint16_t claimed[MSW_DRAM_LINES_BANKS] = {0};
    uint32_t opened = 0;
    if (l->config->closing == MSW_DRAM_CLOSE_LAST && !all_closed(l))
        claim_wanted(l, claimed);
    for (uint32_t i = 0; i < end; i++)
        opened += open_entry(l, &l->window[i], claimed);
    return opened;
}

/* The oldest ones that are open only claim what they want; behind the last that is not, nobody
 * counts. */
static void open_once(msw_dram_lines *l)
{
    uint32_t end = l->config->ahead ? msw_bits_highest(l->closed) + 1 : 1;
    bool by_row =
        l->config->placing == MSW_DRAM_LINES_MOD && l->config->closing == MSW_DRAM_CLOSE_OLDER;
    l->closing = MSW_DRAM_NEVER;
    uint32_t opened = by_row ? open_by_row(l, end) : open_by_use(l, end);
    for (uint32_t i = 0; i < l->count && opened; i++)
        lines_look(l, i);
}

/* A row past the cap may be taken from the last request that had all of its own open. From then on
 * nobody can go, and rows that were kept for those that can keep the others apart for ever, as no
 * time comes at which to look again: the older one's wish counts at once. */
void lines_open_rows(msw_dram_lines *l)
{
    bool some_open = !all_closed(l);
    l->closing = MSW_DRAM_NEVER;
    l->again = false;
    if (!l->closed || (some_open && !l->config->ahead))
        return;
    open_once(l);
    if (some_open && l->config->closing == MSW_DRAM_CLOSE_LAST && all_closed(l))
        open_once(l);
}

/* ---- column commands ---- */

/* When a buffer can be connected to the bank's column path for a request. */
static uint64_t connected(const msw_dram_lines *l, const lines_entry *e, uint32_t bank, uint32_t s)
{
    if (l->config->buffers == 1 || l->selected[bank] == s || l->config->t.sel == 0)
        return 0;
    uint64_t arrival = e->request.arrival + l->config->controller;
    return msw_max_u64(l->other_buffer[bank], arrival) + l->config->t.sel;
}

/* The earliest time at which a bus takes a column command of one of its groups. */
static uint64_t free_at(const msw_dram_lines *l, const lines_bus *bus, bool writes)
{
    const uint64_t *times = writes ? bus->write : bus->read;
    uint64_t first = times[0];
    for (uint32_t g = 1; g < l->config->groups; g++)
        first = msw_min_u64(first, times[g]);
    return first;
}

uint64_t lines_bus_free(const msw_dram_lines *l)
{
    uint64_t first = MSW_DRAM_NEVER;
    for (uint32_t b = 0; b < (l->config->own_buses ? l->config->banks : 1); b++)
        first = msw_min_u64(
            first, msw_min_u64(free_at(l, &l->buses[b], false), free_at(l, &l->buses[b], true)));
    return first;
}

uint64_t lines_due(const msw_dram_lines *l, const lines_entry *e)
{
    bool writes = e->request.is_write && !e->request.updates, shared = !l->config->own_buses;
    uint64_t due = e->column;
    if (shared)
        due = msw_max_u64(due, free_at(l, &l->buses[0], writes));
    if (shared && (l->config->buffers == 1 || l->config->t.sel == 0))
        return due;
    for (uint32_t left = e->request.banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left), s = lines_find(l, bank, e->request.row);
        due = msw_max_u64(due, connected(l, e, bank, s));
        if (!shared)
            due = msw_max_u64(due, free_at(l, &l->buses[bank], writes));
    }
    return due;
}

static void pass(uint64_t *times, uint32_t groups, uint32_t own, uint64_t near, uint64_t far)
{
    for (uint32_t g = 0; g < groups; g++)
        times[g] = msw_max_u64(times[g], g == own ? far : near);
}

/* A column command at `at` delays the others on its bus, those of its own group for longer. */
static void hold_bus(const msw_dram_lines *l, lines_bus *bus, uint32_t group, uint64_t at,
                     bool is_write)
{
    const msw_dram_timing *t = &l->config->t;
    uint64_t same = at + msw_max_u64(t->ccd_l, t->bl), other = at + msw_max_u64(t->ccd_s, t->bl);
    uint64_t end = at + t->cwl + t->bl, turned = at + t->cl + t->bl + t->rtw;
    turned = turned > t->cwl ? turned - t->cwl : 0;
    uint32_t groups = l->config->groups;
    if (is_write) {
        pass(bus->write, groups, group, other, same);
        pass(bus->read, groups, group, end + t->wtr_s, end + t->wtr_l);
    } else {
        pass(bus->read, groups, group, other, same);
        pass(bus->write, groups, group, msw_max_u64(turned, other), msw_max_u64(turned, same));
    }
}

/* One column command of a bank's buffer. Returns its time. */
static uint64_t column(msw_dram_lines *l, uint32_t bank, uint32_t s, bool is_write,
                       uint64_t earliest)
{
    const msw_dram_timing *t = &l->config->t;
    lines_slot *slot = &l->slots[bank][s];
    lines_bus *bus = lines_bus_of(l, bank);
    uint32_t group = bank % l->config->groups;
    uint64_t at = msw_max_u64(earliest, slot->column);
    at = msw_max_u64(at, is_write ? bus->write[group] : bus->read[group]);
    hold_bus(l, bus, group, at, is_write);
    uint64_t closable_at = at + (is_write ? t->cwl + t->bl + t->wr : t->rtp);
    slot->precharge = msw_max_u64(slot->precharge, closable_at);
    slot->used = at;
    slot->served++;
    l->selected[bank] = (uint8_t)s;
    l->other_buffer[bank] = at + (is_write ? t->wa : t->ra);
    l->totals.data_cycles += t->bl;
    return at;
}

/* Reads all bursts of an update, so that the bus turns round once. Fills when each is merged, by
 * bank. */
static void read_first(msw_dram_lines *l, const lines_entry *e, uint64_t *merged)
{
    const msw_dram_timing *t = &l->config->t;
    for (uint32_t left = e->request.banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left), s = lines_find(l, bank, e->request.row);
        uint64_t at = msw_max_u64(l->now, connected(l, e, bank, s));
        merged[bank] = column(l, bank, s, false, at) + t->cl + t->bl + 1;
        l->totals.update_reads++;
    }
}

void lines_serve(msw_dram_lines *l, const lines_entry *e, msw_dram_lines_completion *completion)
{
    const msw_dram_timing *t = &l->config->t;
    bool writes = e->request.is_write, updates = writes && e->request.updates, first = true;
    uint64_t end = 0, merged[MSW_DRAM_LINES_BANKS];
    if (updates)
        read_first(l, e, merged);
    for (uint32_t left = e->request.banks; left; left &= left - 1) {
        uint32_t bank = msw_bits_lowest(left), s = lines_find(l, bank, e->request.row);
        uint64_t at = updates ? merged[bank] : msw_max_u64(l->now, connected(l, e, bank, s));
        at = column(l, bank, s, writes, at);
        l->totals.wait_cycles += first ? at - e->request.arrival : 0;
        first = false;
        end = msw_max_u64(end, at + (writes ? t->cwl : t->cl) + t->bl);
    }
    uint32_t banks = msw_bits_count(e->request.banks), opened = msw_bits_count(e->opened);
    uint32_t conflicts = msw_bits_count(e->conflicts);
    *(writes ? &l->totals.writes : &l->totals.reads) += banks;
    l->totals.hits += banks - opened;
    l->totals.conflicts += conflicts;
    l->totals.closed += opened - conflicts;
    *completion =
        (msw_dram_lines_completion){.time = end, .tag = e->request.tag, .is_write = writes};
}

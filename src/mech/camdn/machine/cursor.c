/* SPDX-License-Identifier: MIT */
/* Finds the next lines of a phase, and where lines lie: in the spaces of tenants, and in memory. A
 * run takes the lines whose first byte lies in it. */
#include "mech/camdn/machine/system.h"

enum { SPACE_BITS = 39, NETWORK_BITS = 35 };

/* Lines that start before an address. */
static uint64_t lines_before(const camdn_system *s, uint64_t address)
{
    return (address + ((uint64_t)1 << s->servers.line_shift) - 1) >> s->servers.line_shift;
}

void camdn_npu_open_row(const camdn_system *s, camdn_cursor *at)
{
    uint64_t start = at->run.address + at->row * at->run.stride;
    at->line = lines_before(s, start);
    at->lines = lines_before(s, start + at->run.bytes) - at->line;
    if (at->run.rows > 1)
        at->old = at->row < at->run.old ? at->lines : 0;
    else
        at->old = lines_before(s, start + at->run.old) - at->line;
}

bool camdn_npu_seek(const camdn_system *s, const camdn_npu *n, camdn_cursor *at)
{
    while (at->lines == 0) {
        if (at->run.bytes > 0 && at->row + 1 < at->run.rows) {
            at->row++;
            camdn_npu_open_row(s, at);
            continue;
        }
        if (camdn_gang_again(at)) {
            camdn_npu_open_row(s, at);
            continue;
        }
        bool load = n->dma.phase == CAMDN_LOADS;
        if (!load && n->dma.store.bytes == 0)
            return false;
        if (load ? !camdn_walk_load(&n->dma.walk, at->part, &at->run)
                 : !camdn_walk_store_more(&n->dma.walk, ++at->part, n->dma.store_tile, &at->run))
            return false;
        at->row = 0;
        if (load) {
            if (s->plans)
                camdn_source_load(n, at->part, &at->run);
            camdn_gang_run(s, n, at);
            at->part++;
        }
        if (at->run.bytes > 0)
            camdn_npu_open_row(s, at);
    }
    return true;
}

uint64_t camdn_virtual_of(const camdn_system *s, uint64_t line)
{
    const camdn_translate *t = &s->translate;
    uint32_t nets = s->draws.mix->count, n = 0;
    uint64_t at = (line << s->servers.line_shift) - t->first, owner = at / t->each;
    at -= owner * t->each;
    while (n + 1 < nets && s->bases[2 * (n + 1)] - t->first <= at)
        n++;
    return ((owner + 1) << SPACE_BITS) + ((uint64_t)n << NETWORK_BITS) +
           (at - (s->bases[2 * n] - t->first));
}

uint64_t camdn_page_room(const camdn_system *s, uint64_t line)
{
    uint64_t page = (uint64_t)1 << s->translate.page_shift;
    return msw_div_up(page - (camdn_virtual_of(s, line) & (page - 1)), (uint64_t)s->config->line);
}

/* A shuffle of the numbers below 2^bits: each step can be undone. */
static uint64_t shuffle(uint64_t number, unsigned bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int round = 0; round < 2; round++) {
        number = (number * 0x9E3779B97F4A7C15u) & mask;
        number ^= number >> (bits + 1) / 2;
    }
    return number;
}

/* The frame of a page: the next one where it has none. */
static uint64_t touch(uint32_t *frames, uint64_t page)
{
    uint32_t *frame = &frames[page + 1];
    *frame = *frame ? *frame : ++frames[0];
    return *frame - 1;
}

uint64_t camdn_line_of(const camdn_system *s, uint64_t line)
{
    const camdn_translate *t = &s->translate;
    if (t->frame_bits == 0 && !t->frames)
        return line;
    uint64_t at = (line << s->servers.line_shift) - t->first, page = at >> t->page_shift;
    page = t->frames ? touch(t->frames, page) : shuffle(page, t->frame_bits);
    at = (page << t->page_shift | (at & (((uint64_t)1 << t->page_shift) - 1))) + t->first;
    return at >> s->servers.line_shift;
}

/* SPDX-License-Identifier: MIT */
/* Pages of an access: whether they are here, and what else an access does to them. */
#include "mech/uvm/sample/pages.h"

#include "mech/uvm/pages/predict.h"

enum { AHEAD = 8 }; /* accesses of a site */

/* Where an access lies that is one piece; `fixed`: in as many pages while its first stays. */
typedef struct extent {
    uint64_t first, last; /* pages */
    uint64_t lines;
    bool one, fixed;
} extent;

static bool is_here(const uvm_machine *m, uint64_t page)
{
    return m->layout->chunk_of[page] == UVM_NO_CHUNK || m->pager.where[page] == UVM_VALID;
}

/* A page that the TLB does not have is walked for. */
static int walk(fast *f, uint32_t number, uint32_t warp, const uvm_site *site, uint64_t page,
                uint64_t time)
{
    uvm_machine *m = f->m;
    uvm_sm *sm = &m->sms[number];
    uvm_event event = uvm_event_of(m, number, warp, (uint16_t)site->slot, page);
    msw_page entry = {page << m->layout->shift, m->layout->shift};
    m->totals.fills++;
    uvm_pager_request(&m->pager, page, site->kind != UVM_LOAD);
    uvm_pager_touch(&m->pager, page);
    if (sm->translated)
        sm->translated[page / 64] |= (uint64_t)1 << page % 64;
    else
        msw_tlb_fill(&sm->tlb, 0, entry, 0, time);
    return m->pager.predictor ? uvm_ahead_event(&m->pager, time, &event, false) : 0;
}

static int touch(fast *f, uint32_t number, uint32_t warp, const uvm_site *site, uint64_t page,
                 uint64_t time)
{
    uvm_machine *m = f->m;
    if (m->layout->chunk_of[page] == UVM_NO_CHUNK)
        return 0;
    if (site->kind != UVM_LOAD)
        m->pager.flags[page] |= UVM_DIRTY;
    if (uvm_translates(m, &m->sms[number], page))
        return 0;
    return walk(f, number, warp, site, page, time);
}

/* Lists the pages of an access; neighbours are listed once. Returns how many. */
static uint32_t list_pages(const uvm_machine *m, const uvm_site *site, uint64_t address,
                           uint64_t *pages)
{
    unsigned shift = m->layout->shift;
    const uvm_shape *shape = &m->stream->shapes[site->shape];
    const uvm_piece *piece = &m->stream->pieces[shape->first];
    uint64_t before = UINT64_MAX;
    uint32_t found = 0;
    for (uint32_t p = 0; p < shape->count; p++, piece++) {
        uint64_t at = address + (uint64_t)piece->offset - m->layout->base;
        for (uint32_t i = 0; i < piece->count; i++, at += (uint64_t)piece->stride)
            for (uint64_t page = at >> shift; page <= (at + piece->span - 1) >> shift; page++)
                if (page != before && found < UVM_LINES)
                    pages[found++] = before = page;
    }
    return found;
}

/* Accesses of lines that the policy of eviction looks at. */
static void tell_lines(uvm_machine *m, const uvm_site *site, uint64_t address)
{
    uint64_t lines[UVM_LINES];
    uint32_t count = m->pager.memory.watch ? uvm_lines(m->stream, site, address, lines) : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t page = ((lines[i] << UVM_LINE_SHIFT) - m->layout->base) >> m->layout->shift;
        if (m->layout->chunk_of[page] != UVM_NO_CHUNK)
            uvm_pager_access(&m->pager, page);
    }
}

/* Lines of a piece, about. */
static uint64_t lines_of(const uvm_piece *piece, uint64_t at)
{
    uint64_t line = (uint64_t)1 << UVM_LINE_SHIFT, in = at & (line - 1);
    uint64_t stride = (uint64_t)(piece->stride < 0 ? -piece->stride : piece->stride);
    if (stride < line)
        return ((in + (piece->count - 1) * stride + piece->span - 1) >> UVM_LINE_SHIFT) + 1;
    return piece->count * (((in + piece->span - 1) >> UVM_LINE_SHIFT) + 1);
}

static extent extent_of(const uvm_machine *m, const uvm_site *site, uint64_t address)
{
    const uvm_shape *shape = &m->stream->shapes[site->shape];
    const uvm_piece *piece = &m->stream->pieces[shape->first];
    uint64_t in_page = ((uint64_t)1 << m->layout->shift) - 1;
    uint64_t at = address + (uint64_t)piece->offset - m->layout->base;
    uint64_t end = at + (piece->count - 1) * (uint64_t)piece->stride + piece->span - 1;
    extent e = {.first = at >> m->layout->shift, .last = end >> m->layout->shift};
    bool steps =
        ((uint64_t)piece->stride & in_page) == 0 && (at & in_page) + piece->span <= in_page + 1;
    e.one = shape->count == 1;
    e.fixed = e.one && ((piece->stride >= 0 && e.first == e.last) || steps);
    for (uint32_t p = 0; p < shape->count; p++)
        e.lines += lines_of(&piece[p], address + (uint64_t)piece[p].offset);
    return e;
}

/* Whether a page that a site of a loop would be at after this many accesses more is not here. */
static bool is_missing_after(const uvm_machine *m, const uvm_warp *w, uint32_t slot, uint64_t count)
{
    uint64_t step = w->reader.step[slot];
    uint64_t at = w->reader.address[slot] + count * step - m->layout->base;
    return step && at >> m->layout->shift < m->layout->pages && !is_here(m, at >> m->layout->shift);
}

bool uvm_fast_near(const uvm_machine *m)
{
    uint32_t slots = m->grid.launch->kernel->slots;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++)
        for (uint32_t i = 0; i < m->grid.ctas_held * m->grid.launch->warps; i++) {
            const uvm_warp *w = &m->sms[s].warps[i];
            if (w->state != UVM_RUNS && w->state != UVM_AT_BARRIER)
                continue;
            for (uint32_t slot = 0; slot < slots; slot++)
                for (uint64_t count = AHEAD; count; count /= 2)
                    if (is_missing_after(m, w, slot, count))
                        return true;
        }
    return false;
}

int uvm_fast_pages(fast *f, uint32_t number, uint32_t warp, uint64_t time)
{
    uvm_machine *m = f->m;
    uvm_warp *w = &m->sms[number].warps[warp];
    const uvm_site *site = w->site;
    uint64_t pages[UVM_LINES];
    size_t at = ((size_t)number * (size_t)m->config->sm_warps + warp) * m->stream->slots_most;
    uvm_met *met = &f->s->met[at + site->slot];
    extent e = extent_of(m, site, w->address);
    f->near |= is_missing_after(m, w, site->slot, AHEAD);
    f->lines -= (int64_t)(e.lines * msw_max_u64(m->grid.line_ticks, UVM_TICKS));
    if (e.fixed && met->page == e.first + 1 && met->age == f->age && met->shape == site->shape &&
        (met->written || site->kind == UVM_LOAD) && !m->pager.memory.watch)
        return 0;
    uint32_t count = list_pages(m, site, w->address, pages);
    for (uint32_t i = 0; i < count; i++)
        f->missed |= !is_here(m, pages[i]);
    if (f->missed)
        return 0;
    tell_lines(m, site, w->address);
    for (uint32_t i = 0; i < count; i++)
        if (touch(f, number, warp, site, pages[i], time))
            return -1;
    if (e.fixed)
        *met = (uvm_met){e.first + 1, f->age, site->shape, site->kind != UVM_LOAD};
    return 0;
}

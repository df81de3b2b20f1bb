/* SPDX-License-Identifier: MIT */
/* Predictions take time: they wait for a server, or overlap, and bring pages when they are there.
 */
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/pages/predict.h"

enum { BLOCK_PAGES = UVM_BLOCK_BYTES / 4096 };

int uvm_ahead_init(uvm_pager *p, const uvm_foreseen *known)
{
    const uvm_config *c = p->config;
    const uvm_prediction *kind = &uvm_predictions[c->prefetcher];
    uint64_t clusters = (uint64_t)c->sms * (c->predict_by == UVM_BY_SM ? 1 : (uint64_t)c->sm_warps);
    uint64_t room = msw_bits_power((uint64_t)c->predict_queue * UVM_DEGREE_MOST + 1);
    if (!kind->predict)
        return 0;
    uvm_predictor *q = msw_arena_zero(p->arena, 1, sizeof *q);
    if (!q)
        return msw_fail_memory(p->err);
    *q = (uvm_predictor){.config = c, .pages = p->layout->pages, .mask = room - 1};
    q->known = known ? *known : (uvm_foreseen){0};
    q->ring = msw_arena_take(p->arena, room * sizeof *q->ring);
    q->bytes = kind->init(q, clusters, p->arena);
    p->predictor = q;
    return q->ring && q->bytes != UINT64_MAX ? 0 : msw_fail_memory(p->err);
}

int uvm_ahead_event(uvm_pager *p, uint64_t now, const uvm_event *event, bool fault)
{
    uvm_predictor *q = p->predictor;
    const uvm_config *c = p->config;
    uint64_t out[UVM_DEGREE_MOST];
    if (q && q->known.asker.self && q->known.asker.tell(q->known.asker.self, event))
        return msw_fail_memory(p->err);
    if (!q || (c->predict_on == UVM_ON_FAULT && !fault) ||
        ((!c->prefetch_when_full || c->full_prefetcher != UVM_FULL_SAME) && p->memory.short_once))
        return 0;
    uint32_t count = uvm_predictions[c->prefetcher].predict(q, event, out);
    if (!count || q->failed)
        return q->failed;
    if (q->tail - q->head + UVM_DEGREE_MOST > q->mask ||
        q->tail - q->head >= (uint64_t)c->predict_queue * count) {
        q->dropped++;
        return 0;
    }
    uint64_t work = (uint64_t)(c->predict_ns * c->clock_ghz + 0.5), ready = now + work;
    if (c->predict_server == UVM_SERVER_SERIAL)
        ready = q->server_free = msw_max_u64(now, q->server_free) + work;
    for (uint32_t i = 0; i < count; i++)
        q->ring[q->tail++ & q->mask] = (uvm_ahead_page){ready, out[i], false};
    q->predictions++;
    p->predicted_until = q->ring[q->head & q->mask].ready;
    return 0;
}

/* A page, or the pages of its block: from the one returned up to *end. */
static uint64_t first_of(const uvm_pager *p, int64_t unit, uint64_t page, uint64_t *end)
{
    const uvm_layout *l = p->layout;
    const uvm_chunk *c = &l->chunks[l->chunk_of[page]];
    *end = page + 1;
    if (unit != UVM_PER_BLOCK)
        return page;
    uint64_t first = page - (page - c->first) % l->block_pages;
    *end = msw_min_u64(first + l->block_pages, c->first + c->pages);
    return first;
}

/* Adds a predicted page, or its block, to those of its chunk. Returns the chunk, UVM_NO_CHUNK:
 * there is nothing to bring. */
static uint32_t want(const uvm_pager *p, uint64_t page, uvm_set *wanted)
{
    const uvm_layout *l = p->layout;
    if (page >= l->pages || l->chunk_of[page] == UVM_NO_CHUNK || p->where[page] != UVM_ON_HOST ||
        p->flags[page] & UVM_REQUESTED_PAGE)
        return UVM_NO_CHUNK;
    uint64_t start = l->chunks[l->chunk_of[page]].first, end;
    for (uint64_t i = first_of(p, p->config->predict_unit, page, &end); i < end; i++)
        wanted->words[(i - start) / 64] |= (uint64_t)1 << (i - start) % 64;
    return l->chunk_of[page];
}

/* Marks the pages that a held fault brings: until it is served others that ask for them join it,
 * and ask for no prediction. */
static void hold_block(uvm_pager *p, uint64_t page)
{
    uint64_t end, i = first_of(p, p->config->fault_brings, page, &end);
    for (; i < end; i++)
        p->flags[i] |= UVM_HELD;
}

/* Lists the page of a held fault. Those of its block that have joined it come with the block, and
 * do not cut its transfer as faults do; where memory is short and nothing else is brought they are
 * listed, too. Returns how many. */
static size_t release_block(uvm_pager *p, uint64_t page, uint64_t *pages)
{
    uint64_t end, i = first_of(p, p->config->fault_brings, page, &end);
    bool alone = !p->config->prefetch_when_full && p->memory.short_once;
    size_t count = 0;
    for (pages[count++] = page; i < end; i++) {
        bool joined = p->where[i] == UVM_ON_HOST && p->flags[i] & UVM_REQUESTED_PAGE;
        if (alone && p->flags[i] & UVM_HELD && joined && i != page)
            pages[count++] = i;
        p->flags[i] &= (uint8_t)~UVM_HELD;
    }
    return count;
}

bool uvm_ahead_holds(uvm_pager *p, uint64_t now, uint64_t page)
{
    uvm_predictor *q = p->predictor;
    if (q->head == q->tail || q->tail - q->head > q->mask)
        return false;
    uint64_t ready = q->ring[(q->tail - 1) & q->mask].ready;
    q->ring[q->tail++ & q->mask] = (uvm_ahead_page){msw_max_u64(ready, now), page, true};
    hold_block(p, page);
    return true;
}

/* Those that joined and have not been asked for with the block are faults of their own now: a page
 * that thrashes does not come along, and nothing does with a page that is put off. */
static int serve_joined(uvm_pager *p, uint64_t now, uint64_t page)
{
    uint64_t left[BLOCK_PAGES];
    uint64_t end, i = first_of(p, p->config->fault_brings, page, &end);
    size_t count = 0;
    for (; i < end; i++)
        if (p->where[i] == UVM_ON_HOST && p->flags[i] & UVM_REQUESTED_PAGE &&
            !(p->flags[i] & UVM_HELD) && !uvm_thrash_refused(p, i))
            left[count++] = i;
    return count ? uvm_pager_serve(p, now, left, count) : 0;
}

/* Faults that waited for the same time are served together. */
static int serve_held(uvm_pager *p, uint64_t now)
{
    uvm_predictor *q = p->predictor;
    uint64_t pages[UVM_DEGREE_MOST * BLOCK_PAGES] = {0};
    size_t count = 0;
    for (; q->head < q->tail && count <= (UVM_DEGREE_MOST - 1) * BLOCK_PAGES; q->head++) {
        const uvm_ahead_page *made = &q->ring[q->head & q->mask];
        if (!made->held || made->ready > now)
            break;
        count += release_block(p, made->page, pages + count);
    }
    if (uvm_pager_serve(p, now, pages, count))
        return -1;
    for (size_t i = 0; i < count && p->thrash; i++)
        if (serve_joined(p, now, pages[i]))
            return -1;
    return 0;
}

/* Pages of one chunk that are there at once are asked for together: a row is one transfer. */
static int ask_predicted(uvm_pager *p, uint64_t now)
{
    uvm_predictor *q = p->predictor;
    uvm_set wanted = {{0}};
    uint32_t chunk = want(p, q->ring[q->head++ & q->mask].page, &wanted);
    if (chunk == UVM_NO_CHUNK)
        return 0;
    for (; q->head < q->tail; q->head++) {
        const uvm_ahead_page *made = &q->ring[q->head & q->mask];
        if (made->held || made->ready > now ||
            (made->page < p->layout->pages && p->layout->chunk_of[made->page] != chunk))
            break;
        want(p, made->page, &wanted);
    }
    return uvm_pager_ask(p, now, chunk, &wanted);
}

int uvm_ahead_step(uvm_pager *p, uint64_t now)
{
    uvm_predictor *q = p->predictor;
    while (q->head < q->tail && q->ring[q->head & q->mask].ready <= now) {
        bool held = q->ring[q->head & q->mask].held;
        if (held ? serve_held(p, now) : ask_predicted(p, now))
            return -1;
    }
    p->predicted_until = q->head < q->tail ? q->ring[q->head & q->mask].ready : UINT64_MAX;
    return uvm_memory_room(p, now, p->memory.queued);
}

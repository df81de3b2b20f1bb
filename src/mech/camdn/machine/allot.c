/* SPDX-License-Identifier: MIT */
/* Who gets pages. Equal: a share for good. Dynamic: Algorithm 1 of the paper, as ../README.md says
 * it ("Pages"): an operator or a block asks for what is expected to be free within its time-out,
 * waits for it, and asks for less when time is out. */
#include "mech/camdn/machine/system.h"

enum { WHOLE_BLOCK = UINT32_MAX };

static const camdn_op_plan *op_of(const camdn_npu *n, uint32_t op)
{
    return &n->plan->ops[op];
}

static const camdn_block_plan *block_of(const camdn_npu *n, uint32_t op)
{
    return &n->plan->blocks[op_of(n, op)->block];
}

/* Cycles that are expected of an operator by itself, and of its block. */
static double cycles_of_op(const camdn_npu *n, uint32_t op)
{
    return n->expected_ops[op];
}

static double cycles_of_block(const camdn_npu *n, uint32_t op)
{
    return n->expected_blocks[op_of(n, op)->block];
}

static bool is_head(const camdn_npu *n, uint32_t op)
{
    const camdn_block_plan *b = block_of(n, op);
    return b->first == op && b->end - b->first > 1;
}

/* ---- pages and what lies in them ---- */

static void take_pages(camdn_system *s, uint32_t tenant, uint32_t need)
{
    camdn_ptable *p = &s->npus[tenant].ptable;
    if (p->count < need)
        camdn_log_pages(s, s->npus[tenant].time);
    while (p->count < need) {
        uint32_t page = s->idle[--s->idle_count];
        s->failed |= msw_page_take(&s->cache, tenant, page, s->err) != 0;
        p->page[p->count] = page;
        p->spare[p->spare_count++] = (uint16_t)p->count++;
    }
}

static void release_pages(camdn_system *s, uint32_t tenant)
{
    camdn_ptable *p = &s->npus[tenant].ptable;
    uint64_t dirty; /* of tensors that nobody reads any more */
    if (p->count > 0)
        camdn_log_pages(s, s->npus[tenant].time);
    while (p->count > 0) {
        uint32_t page = p->page[--p->count];
        s->failed |= msw_page_release(&s->cache, tenant, page, &dirty, s->err) != 0;
        s->idle[s->idle_count++] = page;
    }
    p->spare_count = 0;
}

static void open_region(camdn_ptable *p, camdn_region *region, uint32_t tensor, uint32_t pages)
{
    region->tensor = tensor;
    region->count = pages;
    for (uint32_t i = 0; i < pages; i++)
        region->pages[i] = p->spare[--p->spare_count];
}

static void close_region(camdn_ptable *p, camdn_region *region)
{
    for (uint32_t i = region->count; i-- > 0;)
        p->spare[p->spare_count++] = region->pages[i];
    region->count = 0;
}

/* Tensors of the block that nobody reads behind the present operator. */
static void close_held(camdn_npu *n)
{
    camdn_ptable *p = &n->ptable;
    for (uint32_t i = 0; i < p->held_count;) {
        if (n->net->tensors[p->held[i].tensor].last > n->op) {
            i++;
            continue;
        }
        close_region(p, &p->held[i]);
        camdn_region last = p->held[--p->held_count], gone = p->held[i];
        p->held[i] = last;
        p->held[p->held_count] = gone; /* its memory is used again */
    }
}

/* The present operator's own pages, and those of its output where the block holds it. */
static void open_regions(camdn_system *s, camdn_npu *n)
{
    camdn_ptable *p = &n->ptable;
    const camdn_block_plan *b = block_of(n, n->op);
    uint32_t tensor = n->net->ops[n->op].output;
    const msw_graph_tensor *t = &n->net->tensors[tensor];
    if (n->ask.block && t->role == MSW_GRAPH_INTERMEDIATE && t->last < b->end) {
        uint64_t lines = msw_div_up(t->bytes, (uint64_t)s->config->line);
        open_region(p, &p->held[p->held_count++], tensor,
                    (uint32_t)msw_div_up(lines, p->page_lines));
    }
    open_region(p, &p->own, MSW_GRAPH_NONE, n->level->pages);
}

/* ---- Algorithm 1 ---- */

static int64_t available(const camdn_system *s, uint32_t tenant, double limit)
{
    int64_t pages = s->idle_count;
    for (uint32_t i = 0; i < s->count; i++) {
        const camdn_npu *n = &s->npus[i];
        if (i != tenant && n->stage == CAMDN_RUNNING && (double)n->ask.next_time < limit)
            pages += (int64_t)n->ptable.count - (int64_t)n->ask.next_need;
    }
    return pages;
}

/* Pages that a tenant is expected to ask for at an operator. */
static uint32_t expected(const camdn_system *s, const camdn_npu *n, uint32_t op)
{
    uint32_t share = s->plans->share,
             most = s->config->next == CAMDN_NEXT_MOST ? UINT32_MAX : share;
    if (s->config->next == CAMDN_NEXT_LEAST)
        return 0;
    if (op == n->net->op_count)
        return share; /* another network: nobody knows */
    const camdn_op_plan *plan = op_of(n, op);
    if (is_head(n, op) && block_of(n, op)->pages <= most)
        return block_of(n, op)->pages;
    return plan->levels[camdn_candidate(plan, most)].pages;
}

static void start(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->op);
    bool head = n->ask.candidate == WHOLE_BLOCK;
    n->ask.block |= head;
    n->level = n->ask.block ? &plan->inside : &plan->levels[n->ask.candidate];
    if (!n->ask.block || head) {
        const camdn_block_plan *b = block_of(n, n->op);
        n->ask.next_time =
            n->time + (uint64_t)(head ? cycles_of_block(n, n->op) : cycles_of_op(n, n->op));
        n->ask.next_need = expected(s, n, head ? b->end : n->op + 1);
    }
    n->now.wait_pages += n->time - n->ask.since;
    n->stage = CAMDN_RUNNING;
    open_regions(s, n);
}

static void grant(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->time += (uint64_t)s->config->page_cycles * n->ask.need;
    take_pages(s, tenant, n->ask.need);
}

/* Takes the pages and starts, or waits until the limit. */
static void attempt(camdn_system *s, uint32_t tenant, double estimate)
{
    camdn_npu *n = &s->npus[tenant];
    if (s->idle_count >= n->ask.need) {
        grant(s, tenant);
        start(s, tenant);
        return;
    }
    n->stage = CAMDN_WAITING;
    n->ask.ticket = s->tickets++;
    n->time += (uint64_t)(s->config->timeout * estimate);
}

/* Pages have come back: who waits longest and can have what it asks for. */
static void serve(camdn_system *s, uint64_t now)
{
    for (;;) {
        camdn_npu *first = NULL;
        for (uint32_t i = 0; i < s->count; i++) {
            camdn_npu *n = &s->npus[i];
            if (n->stage == CAMDN_WAITING && n->ask.need <= s->idle_count &&
                (!first || n->ask.ticket < first->ask.ticket))
                first = n;
        }
        if (!first)
            return;
        uint32_t tenant = (uint32_t)(first - s->npus);
        first->stage = CAMDN_GRANTED;
        first->time = now;
        grant(s, tenant);
        camdn_heap_update(s, tenant);
    }
}

static void choose(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->op);
    const camdn_block_plan *b = block_of(n, n->op);
    double now = (double)n->time, timeout = s->config->timeout;
    if (is_head(n, n->op) &&
        (int64_t)b->pages < available(s, tenant, now + timeout * cycles_of_block(n, n->op))) {
        n->ask.candidate = WHOLE_BLOCK;
        n->ask.need = b->pages;
        attempt(s, tenant, cycles_of_block(n, n->op));
        return;
    }
    int64_t pages = available(s, tenant, now + timeout * cycles_of_op(n, n->op));
    n->ask.candidate = camdn_candidate(plan, pages);
    n->ask.need = plan->levels[n->ask.candidate].pages;
    attempt(s, tenant, cycles_of_op(n, n->op));
}

static void choose_equal(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->op);
    bool block = is_head(n, n->op) && block_of(n, n->op)->pages <= s->plans->share;
    n->ask.candidate = block ? (uint32_t)WHOLE_BLOCK : camdn_candidate(plan, s->plans->share);
    start(s, tenant);
}

void camdn_pages_begin(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->ask.since = n->time;
    n->ask.candidate = 0;
    if (n->ask.block)
        start(s, tenant);
    else if (s->config->allocation == CAMDN_EQUAL)
        choose_equal(s, tenant);
    else
        choose(s, tenant);
}

void camdn_pages_granted(camdn_system *s, uint32_t tenant)
{
    start(s, tenant);
}

/* Whether the tenant keeps its pages when the present operator ends. */
static bool keeps_pages(const camdn_system *s, const camdn_npu *n)
{
    bool inside = n->ask.block && n->op + 1 < block_of(n, n->op)->end;
    return inside || s->config->allocation == CAMDN_EQUAL;
}

uint64_t camdn_pages_release_cycles(const camdn_system *s, uint32_t tenant)
{
    const camdn_npu *n = &s->npus[tenant];
    return keeps_pages(s, n) ? 0 : (uint64_t)s->config->release_cycles * n->ptable.count;
}

void camdn_pages_end(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    camdn_ptable *p = &n->ptable;
    close_region(p, &p->own);
    close_held(n);
    bool keeps = keeps_pages(s, n);
    n->ask.block &= n->op + 1 < block_of(n, n->op)->end;
    if (keeps)
        return;
    release_pages(s, tenant);
    serve(s, n->time);
}

void camdn_pages_timeout(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->op);
    n->ask.candidate = camdn_candidate(plan, (int64_t)n->ask.need - 1);
    n->ask.need = plan->levels[n->ask.candidate].pages;
    attempt(s, tenant, cycles_of_op(n, n->op));
}

void camdn_pages_start(camdn_system *s)
{
    for (uint32_t page = s->cache.numbers; page-- > 0;)
        if (msw_page_exists(&s->cache, page))
            s->idle[s->idle_count++] = page;
    for (uint32_t i = 0; s->config->allocation == CAMDN_EQUAL && i < s->count; i++)
        take_pages(s, i, s->plans->share);
}

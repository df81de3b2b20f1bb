/* SPDX-License-Identifier: MIT */
/* Allots the cache among NPUs: pages, or ways by utility.
 *
 * Pages are equal shares for good, or dynamic: Algorithm 1 of the paper, as plan/README.md says it
 * ("Pages"): an operator or a block requests what is expected to be free within its time-out, waits
 * for it, and requests less when time is out.
 *
 * Ways by utility are those of Qureshi and Patt, MICRO 2006. A monitor by tenant counts the hits
 * that it would have with each number of ways, in one set of EVERY. Each period the ways are dealt
 * out anew, one to each tenant, then to the one that gains most per way:
 *
 *   gain(t, n) = (misses(t, held) - misses(t, held + n)) / n,  n = 1 to what is left
 *
 * the first tenant where equal; then all counts are halved. */
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

/* Whether a block may start here. */
static bool is_head(const camdn_system *s, const camdn_npu *n, uint32_t op)
{
    const camdn_block_plan *b = block_of(n, op);
    return b->first == op && b->end - b->first > 1 &&
           s->expected->block_worth[n->task.now.network][op_of(n, op)->block];
}

/* The candidate within so many pages that is worth most. */
static uint32_t choice_of(const camdn_system *s, const camdn_npu *n, uint32_t op, int64_t pages)
{
    return camdn_choice(s->expected, n->task.now.network, n->plan, op, pages);
}

/* ---- pages and what lies in them ---- */

static void take_pages(camdn_system *s, uint32_t tenant, uint32_t need)
{
    camdn_ptable *p = &s->npus[tenant].ptable;
    if (p->count < need)
        camdn_log_pages(s, s->npus[tenant].time);
    while (p->count < need) {
        uint32_t page = s->pool.idle[--s->pool.idle_count];
        s->failed |= msw_page_take(&s->cache, tenant, page, s->err) != 0;
        p->page[p->count] = page;
        p->spare[p->spare_count++] = (uint16_t)p->count++;
    }
}

static void release_pages(camdn_system *s, uint32_t tenant)
{
    camdn_ptable *p = &s->npus[tenant].ptable;
    uint64_t dirty; /* of tensors that are not read any more */
    if (p->count > 0)
        camdn_log_pages(s, s->npus[tenant].time);
    while (p->count > 0) {
        uint32_t page = p->page[--p->count];
        s->failed |= msw_page_release(&s->cache, tenant, page, &dirty, s->err) != 0;
        s->pool.idle[s->pool.idle_count++] = page;
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

/* Tensors of the block that are not read behind the present operator. */
static void close_held(camdn_npu *n)
{
    camdn_ptable *p = &n->ptable;
    for (uint32_t i = 0; i < p->held_count;) {
        if (n->task.net->tensors[p->held[i].tensor].last > n->task.op) {
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
    const camdn_block_plan *b = block_of(n, n->task.op);
    uint32_t tensor = n->task.net->ops[n->task.op].output;
    const msw_graph_tensor *t = &n->task.net->tensors[tensor];
    if (n->request.block && t->role == MSW_GRAPH_INTERMEDIATE && t->last < b->end) {
        uint64_t lines = msw_div_up(t->bytes, (uint64_t)s->config->line);
        open_region(p, &p->held[p->held_count++], tensor,
                    (uint32_t)msw_div_up(lines, p->page_lines));
    }
    open_region(p, &p->own, MSW_GRAPH_NONE, n->level->pages);
}

/* ---- Algorithm 1 ---- */

/* Returns whether the tenant retains its pages when the present operator ends. */
static bool keeps_pages(const camdn_system *s, const camdn_npu *n)
{
    bool inside = n->request.block && n->task.op + 1 < block_of(n, n->task.op)->end;
    return inside || s->config->allocation == CAMDN_EQUAL;
}

/* When a tenant that holds pages is expected to request others: known where its operator has ended
 * but for the last stores and its table. */
static bool comes_free(const camdn_system *s, const camdn_npu *n, double limit)
{
    if (n->stage == CAMDN_BETWEEN && !keeps_pages(s, n))
        return (double)n->time < limit;
    return (n->stage == CAMDN_RUNNING || n->stage == CAMDN_BETWEEN) &&
           (double)n->request.next_time < limit;
}

static int64_t available(const camdn_system *s, uint32_t tenant, double limit)
{
    int64_t pages = s->pool.idle_count;
    for (uint32_t i = 0; i < s->count; i++) {
        const camdn_npu *n = &s->npus[i];
        if (i != tenant && comes_free(s, n, limit))
            pages += (int64_t)n->ptable.count - (int64_t)n->request.next_need;
    }
    return pages;
}

/* Pages that a tenant is expected to request at an operator. */
static uint32_t expected(const camdn_system *s, const camdn_npu *n, uint32_t op)
{
    uint32_t share = s->plans->share,
             most = s->config->next == CAMDN_NEXT_MOST ? UINT32_MAX : share;
    if (s->config->next == CAMDN_NEXT_LEAST)
        return 0;
    if (op == n->task.net->op_count)
        return share; /* another network: not known */
    const camdn_op_plan *plan = op_of(n, op);
    if (is_head(s, n, op) && block_of(n, op)->pages <= most)
        return block_of(n, op)->pages;
    return plan->levels[choice_of(s, n, op, most)].pages;
}

static void start_op(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->task.op);
    bool head = n->request.candidate == WHOLE_BLOCK;
    n->request.block |= head;
    n->level = n->request.block ? &plan->inside : &plan->levels[n->request.candidate];
    if (!n->request.block || head) {
        const camdn_block_plan *b = block_of(n, n->task.op);
        n->request.next_time = n->time + (uint64_t)(head ? cycles_of_block(n, n->task.op)
                                                         : cycles_of_op(n, n->task.op));
        n->request.next_need = expected(s, n, head ? b->end : n->task.op + 1);
    }
    n->task.now.wait_pages += n->time - n->request.since;
    n->stage = CAMDN_RUNNING;
    open_regions(s, n);
}

static void grant(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->time += (uint64_t)s->config->page_cycles * n->request.need;
    take_pages(s, tenant, n->request.need);
}

/* Takes the pages and starts, or waits until the limit. */
static void attempt(camdn_system *s, uint32_t tenant, double estimate)
{
    camdn_npu *n = &s->npus[tenant];
    if (s->pool.idle_count >= n->request.need) {
        grant(s, tenant);
        start_op(s, tenant);
        return;
    }
    n->stage = CAMDN_WAITING;
    n->request.ticket = s->pool.tickets++;
    n->time += (uint64_t)(s->config->timeout * estimate);
}

/* Pages have come back: the NPU that waits longest and can have what it requests gets them. */
static void serve(camdn_system *s, uint64_t now)
{
    for (;;) {
        camdn_npu *first = NULL;
        for (uint32_t i = 0; i < s->count; i++) {
            camdn_npu *n = &s->npus[i];
            if (n->stage == CAMDN_WAITING && n->request.need <= s->pool.idle_count &&
                (!first || n->request.ticket < first->request.ticket))
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

static void choose_candidate(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->task.op);
    const camdn_block_plan *b = block_of(n, n->task.op);
    double now = (double)n->time, timeout = s->config->timeout;
    if (is_head(s, n, n->task.op) &&
        (int64_t)b->pages < available(s, tenant, now + timeout * cycles_of_block(n, n->task.op))) {
        n->request.candidate = WHOLE_BLOCK;
        n->request.need = b->pages;
        attempt(s, tenant, cycles_of_block(n, n->task.op));
        return;
    }
    int64_t pages = available(s, tenant, now + timeout * cycles_of_op(n, n->task.op));
    n->request.candidate = choice_of(s, n, n->task.op, pages);
    n->request.need = plan->levels[n->request.candidate].pages;
    attempt(s, tenant, cycles_of_op(n, n->task.op));
}

static void choose_equal(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    bool block = is_head(s, n, n->task.op) && block_of(n, n->task.op)->pages <= s->plans->share;
    n->request.candidate =
        block ? (uint32_t)WHOLE_BLOCK : choice_of(s, n, n->task.op, s->plans->share);
    start_op(s, tenant);
}

void camdn_pages_begin(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->request.since = n->time;
    n->request.candidate = 0;
    if (n->request.block)
        start_op(s, tenant);
    else if (s->config->allocation == CAMDN_EQUAL)
        choose_equal(s, tenant);
    else
        choose_candidate(s, tenant);
}

void camdn_pages_granted(camdn_system *s, uint32_t tenant)
{
    start_op(s, tenant);
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
    n->request.block &= n->task.op + 1 < block_of(n, n->task.op)->end;
    if (keeps)
        return;
    release_pages(s, tenant);
    serve(s, n->time);
}

void camdn_pages_timeout(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_op_plan *plan = op_of(n, n->task.op);
    n->request.candidate = choice_of(s, n, n->task.op, (int64_t)n->request.need - 1);
    n->request.need = plan->levels[n->request.candidate].pages;
    attempt(s, tenant, cycles_of_op(n, n->task.op));
}

void camdn_pages_start(camdn_system *s)
{
    for (uint32_t page = s->cache.numbers; page-- > 0;)
        if (msw_page_exists(&s->cache, page))
            s->pool.idle[s->pool.idle_count++] = page;
    for (uint32_t i = 0; s->config->allocation == CAMDN_EQUAL && i < s->count; i++)
        take_pages(s, i, s->plans->share);
}

enum { EVERY = 32 };

static msw_utility_config monitor_config(const camdn_config *c)
{
    uint64_t sets = (uint64_t)(c->cache / (c->line * c->ways));
    return (msw_utility_config){.sets = (uint32_t)sets,
                                .ways = (uint32_t)camdn_tagged_ways(c),
                                .every = sets >= EVERY ? EVERY : 1};
}

size_t camdn_utility_bytes(const camdn_config *c)
{
    msw_utility_config config = monitor_config(c);
    return c->share == CAMDN_SHARE_UTILITY ? msw_utility_bytes(&config) : 0;
}

int camdn_utility_start(camdn_system *s, char *memory, size_t bytes, msw_err *err)
{
    msw_utility_config config = monitor_config(s->config);
    for (uint32_t i = 0; i < s->count; i++)
        if (msw_utility_init(&s->npus[i].utility, &config, memory + i * bytes, err))
            return -1;
    s->next_deal = (uint64_t)s->config->utility_cycles;
    return 0;
}

void camdn_utility_add(camdn_system *s, uint32_t tenant, uint64_t line)
{
    uint64_t slices = (uint64_t)s->config->slices, sets = s->npus[tenant].utility.sets / slices;
    msw_utility_add(&s->npus[tenant].utility,
                    (uint32_t)(line % slices * sets + line / slices % sets), line);
}

/* The most that a tenant gains per way; `more` becomes how many ways that takes. */
static double best_gain(const camdn_system *s, uint32_t tenant, uint32_t held, uint32_t left,
                        uint32_t *more)
{
    const msw_utility *u = &s->npus[tenant].utility;
    double now = (double)msw_utility_misses(u, held), best = -1;
    for (uint32_t n = 1; n <= left; n++) {
        double gain = (now - (double)msw_utility_misses(u, held + n)) / n;
        if (gain > best) {
            best = gain;
            *more = n;
        }
    }
    return best;
}

static void deal_ways(const camdn_system *s, uint32_t *held)
{
    uint32_t left = (uint32_t)camdn_tagged_ways(s->config) - s->count;
    for (uint32_t i = 0; i < s->count; i++)
        held[i] = 1;
    while (left > 0) {
        uint32_t winner = 0, ways = 1, more = 1;
        double best = -1;
        for (uint32_t i = 0; i < s->count; i++) {
            double gain = best_gain(s, i, held[i], left, &more);
            if (gain > best) {
                best = gain;
                winner = i;
                ways = more;
            }
        }
        held[winner] += ways;
        left -= ways;
    }
}

static void halve_counts(msw_utility *u)
{
    for (uint32_t i = 0; i < u->ways; i++)
        u->hits[i] /= 2;
    u->accesses /= 2;
}

void camdn_utility_deal(camdn_system *s, uint64_t now)
{
    uint32_t held[CAMDN_TENANTS_MAX];
    unsigned first = 0;
    if (now < s->next_deal)
        return;
    deal_ways(s, held);
    for (uint32_t i = 0; i < s->count; first += held[i++]) {
        uint64_t mask = (held[i] < 64 ? ((uint64_t)1 << held[i]) - 1 : UINT64_MAX) << first;
        s->failed |= msw_cache_mask(&s->cache.general, i, &mask, s->err) != 0;
        s->npus[i].ways = held[i];
        halve_counts(&s->npus[i].utility);
    }
    s->next_deal = now + (uint64_t)s->config->utility_cycles;
}

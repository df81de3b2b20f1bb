/* SPDX-License-Identifier: MIT */
/* The replay's requests: which bank takes one, when, and what flows past between two misses. */
#include "mech/htmmu/closed/replay_state.h"

#include <math.h>
#include <string.h>

#define TINY 1e-9 /* of a request, of a cycle */

enum { FILLS = 2, PASSES = 8 }; /* how often it is to fill; times through the sample, at most */

/* Room for requests that will find their page in the second TLB, while it is blocked. */
static double line_room(const replayer *r)
{
    double registers = (double)r->registers - r->in_use, window = (double)r->window - r->inside;
    return msw_min_f64(registers, window) - r->lined;
}

static double hit_rate(const replayer *r)
{
    const htmmu_pace *p = r->pace;
    double free = (double)r->window - r->inside - r->lined;
    if (r->banks.open == 0 || free < 1)
        return 0;
    if (r->l2_stalled && p->second > 0 && line_room(r) < 1e-6)
        return 0;
    double rate = msw_min_f64(p->rate, free * r->l1_rate);
    if (r->in_use < r->registers)
        rate = msw_min_f64(rate, (r->registers - r->in_use) * p->registered);
    return r->config->router == HTMMU_ROUTER_ADAPTIVE ? msw_min_f64(rate, r->banks.open) : rate;
}

/* Part of the requests that meet a bank whose registers are all taken, and miss. */
static double parking_share(const replayer *r)
{
    uint32_t full = r->banks.full & ~r->banks.stalled;
    return full ? r->pace->second * msw_bits_count(full) / r->banks.open : 0;
}

/* Part of the requests whose address names a blocked bank. */
static double blocked_share(const replayer *r)
{
    double share = 0;
    if (r->banks.stalled == 0 || r->config->router == HTMMU_ROUTER_ADAPTIVE)
        return 0;
    for (uint32_t bank = 0; bank < r->banks.streams; bank++)
        share += r->banks.stalled >> bank & 1 ? r->pace->named[bank] : 0;
    return share;
}

static void park_hit(replayer *r)
{
    uint32_t full = r->banks.full & ~r->banks.stalled, bank = r->banks.turn++ % r->banks.streams;
    r->park_debt -= 1;
    while (!(full >> bank & 1))
        bank = bank + 1 < r->banks.streams ? bank + 1 : 0;
    r->banks.list[bank].parked = PARKED_HIT;
    htmmu_replay_stand(r, bank);
    r->inside++;
}

/* Counts requests of a flow, and those of them that the router turns to another bank than the
 * named: those whose bank is blocked, and of those that go in one cycle, as many as ports and
 * window let, all but the first. */
static void count_flow(replayer *r, double requests)
{
    double free = (double)r->window - r->inside - r->lined;
    double together = msw_min_f64(r->pace->ports, free * r->l1_rate);
    double home = (double)r->banks.open / r->banks.streams;
    if (r->config->divert == HTMMU_DIVERT_BUSY)
        home /= msw_max_f64(together, 1);
    r->result->dispatched += requests;
    if (r->config->router == HTMMU_ROUTER_ADAPTIVE)
        r->result->diverted += requests * (1 - home);
}

/* Lets a part of a flow pass: until its end, the next event, or a request that cannot go. Returns
 * what is left of it. */
static double pass_some(replayer *r, double requests, double rate)
{
    double park = parking_share(r), block = blocked_share(r), some = requests;
    double event = msw_max_f64(r->walks.next_end, r->now);
    if (park > 0)
        some = msw_min_f64(some, (1 - r->park_debt) / park);
    if (block > 0)
        some = msw_min_f64(some, (1 - r->block_debt) / block);
    if (r->l2_stalled && r->pace->second > 0)
        some = msw_min_f64(some, line_room(r) / r->pace->second);
    some = msw_max_f64(msw_min_f64(some, (event - r->now) * rate), 0);
    r->now += some / rate;
    count_flow(r, some);
    r->lined += r->l2_stalled ? some * r->pace->second : 0;
    r->park_debt += some * park;
    r->block_debt += some * block;
    if (park > 0 && r->park_debt >= 1 - TINY) {
        park_hit(r);
    } else if (block > 0 && r->block_debt >= 1 - TINY) {
        r->block_debt = 0;
        htmmu_replay_wait(r, HTMMU_CAUSE_MSHR);
    } else if (requests - some > TINY && r->now >= event - TINY) {
        r->now = event;
        htmmu_replay_end_walks(r);
    }
    return requests - some;
}

/* Requests on other pages: a flow. */
static void pass_hits(replayer *r, double requests)
{
    while (requests > TINY) {
        double rate = hit_rate(r);
        if (rate > 0)
            requests = pass_some(r, requests, rate);
        else
            htmmu_replay_wait(r, HTMMU_CAUSE_MSHR);
    }
}

static uint32_t least_of(const replayer *r, uint32_t free, uint32_t home)
{
    uint32_t best = NONE, bank = home;
    for (uint32_t left = r->banks.streams; left; left--) {
        if (free >> bank & 1 &&
            (best == NONE || r->banks.list[bank].in_use < r->banks.list[best].in_use))
            best = bank;
        bank = bank + 1 < r->banks.streams ? bank + 1 : 0;
    }
    return best;
}

static uint32_t other_bank(const replayer *r, uint32_t free, uint32_t home)
{
    uint32_t bank = r->config->free_choice == HTMMU_FREE_LOWEST ? 0 : home;
    if (r->config->free_choice == HTMMU_FREE_LEAST)
        return least_of(r, free, home);
    while (!(free >> bank & 1))
        bank = bank + 1 < r->banks.streams ? bank + 1 : 0;
    return bank;
}

/* The bank that takes a request now, or NONE. `soon`: one will in the next cycle. */
static uint32_t bank_now(replayer *r, uint32_t home, bool *soon)
{
    int64_t cycle = (int64_t)r->now;
    if (cycle != r->banks.cycle)
        r->banks.used = 0;
    r->banks.cycle = cycle;
    uint32_t open = r->banks.all & ~r->banks.stalled, free = open & ~r->banks.used;
    bool at_home = open >> home & 1;
    if (free >> home & 1)
        return home;
    *soon = at_home;
    if (r->config->router != HTMMU_ROUTER_ADAPTIVE ||
        (at_home && r->config->divert == HTMMU_DIVERT_STALLED))
        return NONE;
    *soon = open != 0;
    return free ? other_bank(r, free, home) : NONE;
}

/* Lets happen what happens before the next request can go, and returns its bank. */
static uint32_t wait_for_bank(replayer *r, uint32_t home)
{
    for (;;) {
        bool soon = false;
        double event = r->walks.next_end;
        if (event <= r->now) {
            htmmu_replay_end_walks(r);
            continue;
        }
        if (r->inside + r->lined >= r->window) {
            htmmu_replay_wait(r, HTMMU_CAUSE_MEMORY);
            continue;
        }
        uint32_t bank = bank_now(r, home, &soon);
        if (bank != NONE)
            return bank;
        if (soon)
            r->now = msw_min_f64(event, (double)((int64_t)r->now + 1));
        else
            htmmu_replay_wait(r, HTMMU_CAUSE_MSHR);
    }
}

static void miss_l1(replayer *r, uint32_t bank, const htmmu_item *item)
{
    page_state *page = &r->pages[item->page];
    uint32_t bit = (uint32_t)1 << bank;
    r->result->misses++;
    r->result->touched += !(page->touched & bit);
    page->touched |= bit;
    page->under_way++;
    r->inside++;
    bool pending = page->pending & bit;
    if (pending && r->config->mshr_merge) {
        r->result->held++;
        page->held++;
        page->under_way--;
        return;
    }
    uint16_t number = r->free_miss;
    if (number != NONE)
        r->free_miss = r->misses[number].next;
    else
        number = r->miss_count++;
    r->misses[number] =
        (miss){.page = item->page, .block = item->block, .bank = (uint8_t)bank, .since = r->now};
    if (pending && r->config->register_holds == HTMMU_HOLDS_PAGE) {
        htmmu_replay_pass_register(r, number);
        return;
    }
    if (!(r->banks.full & bit)) {
        htmmu_replay_take_register(r, number);
        return;
    }
    r->banks.list[bank].parked = number;
    htmmu_replay_stand(r, bank);
}

static uint32_t home_of(const replayer *r, const htmmu_item *item)
{
    const htmmu_pace *p = r->pace;
    htmmu_visit visit = {.page = p->sample->pages[item->page], .first = item->first};
    return htmmu_named_bank(r->config, &visit, p->requesters);
}

/* The page has been dropped since its last use, unless it is still being walked. */
static void forget(replayer *r, const htmmu_item *item)
{
    page_state *page = &r->pages[item->page];
    if (page->walk != NONE)
        return;
    page->banks = page->touched = 0;
    page->walked = false;
    r->blocks[item->block] = 0;
}

/* Once all banks that take requests hold the page, what is left of the visit is as any other hits.
 */
static void pass_item(replayer *r, const htmmu_item *item, uint32_t home)
{
    page_state *page = &r->pages[item->page];
    uint32_t reach =
        r->config->router == HTMMU_ROUTER_ADAPTIVE ? r->banks.all : (uint32_t)1 << home;
    if (item->fresh)
        forget(r, item);
    for (uint32_t left = item->requests; left; left--) {
        uint32_t open = reach & ~r->banks.stalled;
        if (open && (page->banks & open) == open) {
            pass_hits(r, left);
            return;
        }
        uint32_t bank = wait_for_bank(r, home);
        r->banks.used |= (uint32_t)1 << bank;
        r->result->dispatched++;
        r->result->diverted += bank != home;
        if (!(page->banks >> bank & 1))
            miss_l1(r, bank, item);
        r->now += r->step;
    }
}

static void open_replayer(replayer *r, const htmmu_pace *pace, htmmu_replay *result)
{
    const htmmu_config *c = pace->config;
    r->pace = pace;
    r->config = c;
    r->result = result;
    r->now = 0;
    r->l1_rate = 1 / (double)c->l1_cycles;
    r->l2_cycles = c->l2_entries ? (double)c->l2_cycles : 0;
    r->l2_step = c->l2_entries ? 1 / (double)c->l2_ports : 0;
    r->l2_free = 0;
    r->banks.streams = (uint32_t)c->streams;
    r->banks.all = (uint32_t)(((uint64_t)1 << r->banks.streams) - 1);
    r->window = msw_min_u64((uint64_t)c->window, MISSES - HTMMU_BANKS);
    r->step = 1 / fmin((double)c->streams, (double)c->window * r->l1_rate);
    r->banks.stalled = r->banks.used = r->banks.full = r->inside = r->in_use = r->l2_open =
        r->banks.turn = 0;
    r->banks.cycle = 0;
    r->lined = 0;
    r->registers = (uint32_t)c->l1_mshrs * (c->router == HTMMU_ROUTER_NONE ? 1 : r->banks.streams);
    r->banks.open = r->banks.streams;
    r->l2_stalled = false;
    r->park_debt = r->block_debt = 0;
    r->free_miss = NONE;
    r->miss_count = 0;
    r->walks.next_end = NEVER;
    r->line.head = r->line.tail = r->ptu.head = r->ptu.tail = r->walks.head = r->walks.tail =
        r->walks.under_way = 0;
    for (uint32_t bank = 0; bank < r->banks.streams; bank++)
        r->banks.list[bank] = (bank_state){0, NONE};
    for (r->walks.free_count = 0; r->walks.free_count < WALKS; r->walks.free_count++)
        r->walks.free[r->walks.free_count] = (uint16_t)r->walks.free_count;
}

/* Nothing is known of the pages of the sample, or of their copies. */
static void open_pages(replayer *r, bool copies)
{
    const htmmu_sample *sample = r->pace->sample;
    page_state *pages = r->pages + (copies ? sample->page_count : 0);
    memset(r->blocks + (copies ? sample->block_count : 0), 0, sample->block_count);
    for (uint32_t page = 0; page < sample->page_count; page++)
        pages[page] = (page_state){.walk = NONE};
}

/* Once through the sample. Each second time its pages have other numbers, so that they do not meet
 * those that are still under way. */
static void pass_sample(replayer *r, bool again)
{
    const htmmu_sample *sample = r->pace->sample;
    uint32_t pages = again ? sample->page_count : 0, blocks = again ? sample->block_count : 0;
    double others = 0;
    for (uint32_t i = 0; i < sample->item_count; i++) {
        htmmu_item item = sample->items[i];
        uint32_t home = home_of(r, &item);
        item.page = (uint16_t)(item.page + pages);
        item.block = (uint16_t)(item.block + blocks);
        others += item.gap;
        if (!item.fresh && r->pages[item.page].under_way == 0 && r->blocks[item.block]) {
            others += item.requests;
            continue;
        }
        if (others > 0)
            pass_hits(r, others);
        others = 0;
        pass_item(r, &item, home);
    }
    pass_hits(r, others);
}

/* How many times the sample is to be passed to see the machine when it has filled. */
static uint32_t passes_of(const replayer *r)
{
    const htmmu_sample *sample = r->pace->sample;
    double room = r->registers + r->banks.streams, misses = r->result->misses;
    if (sample->fresh >= sample->all_fresh || misses <= 0)
        return 1;
    if (r->config->register_holds == HTMMU_HOLDS_PAGE)
        room *= misses / r->result->touched;
    room = msw_min_f64(r->window, room);
    return (uint32_t)msw_min_f64(1 + FILLS * room / misses, PASSES);
}

void htmmu_replay_sample(const htmmu_pace *pace, htmmu_replay *result)
{
    replayer r;
    *result = (htmmu_replay){.passes = 1};
    open_replayer(&r, pace, result);
    open_pages(&r, false);
    pass_sample(&r, false);
    uint32_t passes = passes_of(&r);
    if (passes > 1)
        open_pages(&r, true);
    for (; result->passes < passes; result->passes++)
        pass_sample(&r, (uint32_t)result->passes & 1);
    result->cycles = r.now;
    result->inside = r.inside;
    while (r.walks.next_end < NEVER) {
        r.now = msw_max_f64(r.now, r.walks.next_end);
        htmmu_replay_end_walks(&r);
    }
    result->drain = r.now - result->cycles;
}

#include "htmmu_replay.h"

#include <math.h>
#include <string.h>

enum {
    PAGES = 1400,
    MISSES = 2048, /* a power of two, more than registers and parked misses */
    WALKS = 512, /* more than are under way, with those that end together */
    NONE = 0xFFFF,
    PARKED_HIT = 0xFFFE, /* a request that will find its page in the second TLB */
};

#define NEVER 1e300

typedef struct miss {
    uint16_t page, block, next;
    uint8_t bank;
    double since; /* its look-up */
} miss;

typedef struct walk {
    double end;
    uint16_t page, block, items, first, last; /* first, last: of the misses it answers */
} walk;

typedef struct page_state {
    uint16_t walk;    /* the youngest of it, or NONE */
    uint16_t held;    /* misses that wait in a register of another */
    uint16_t under_way;
    uint32_t banks;   /* that hold it */
    uint32_t pending; /* in which a register waits for it */
    uint32_t touched; /* that were asked for it since it was dropped */
} page_state;

typedef struct bank_state {
    uint16_t in_use, parked;
} bank_state;

typedef struct queue {
    uint16_t items[MISSES];
    uint32_t head, tail;
} queue;

typedef struct replayer {
    const htmmu_pace *pace;
    const htmmu_config *config;
    htmmu_replay *result;
    double now, l1_rate, l2_cycles, l2_step, l2_free, step;
    double start; /* of a walk that is begun now */
    double walk_at; /* when a walk ends, or NEVER */
    uint32_t streams, open; /* open: banks that do not stand */
    uint32_t all, stalled, used, full; /* bit per bank */
    int64_t cycle;                     /* in which `used` holds */
    uint32_t inside, window;                    /* misses under way */
    uint32_t registers, in_use;                 /* of all banks */
    double lined;                               /* other requests in the line of the second TLB */
    bool l2_stalled;
    uint32_t l2_open;
    htmmu_cause refusal;
    double park_debt, block_debt; /* parts of a request that parks, of one that is blocked */
    uint32_t turn;
    bank_state banks[HTMMU_BANKS];
    uint16_t free_miss, miss_count;
    miss misses[MISSES];
    queue line, ptu; /* line: for the second TLB, while it stands */
    walk walks[WALKS]; /* a ring, in order of their ends */
    uint32_t walk_head, walk_tail;
    uint8_t blocks[PAGES]; /* in the second TLB */
    page_state pages[PAGES];
} replayer;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static bool is_empty(const queue *q)
{
    return q->head == q->tail;
}

static uint16_t head_of(const queue *q)
{
    return q->items[q->head % MISSES];
}

static void push(queue *q, uint16_t item)
{
    q->items[q->tail++ % MISSES] = item;
}

/* ---- registers ---- */

static void stand(replayer *r, uint32_t bank)
{
    r->stalled |= (uint32_t)1 << bank;
    r->open--;
}

static void leave_bank(replayer *r, uint32_t bank)
{
    r->stalled &= ~((uint32_t)1 << bank);
    r->open++;
}

static void take_register(replayer *r, uint16_t number);

/* A request that only asks the second TLB leaves at once. */
static void unpark(replayer *r, uint32_t number)
{
    bank_state *bank = &r->banks[number];
    uint16_t parked = bank->parked;
    bank->parked = NONE;
    leave_bank(r, number);
    if (parked == PARKED_HIT)
        r->inside--;
    else
        take_register(r, parked);
}

static void drop(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    double taken = r->now - m->since;
    r->result->taken += taken;
    if (taken > r->result->longest)
        r->result->longest = taken;
    m->next = r->free_miss;
    r->free_miss = number;
    r->inside--;
}

static void answer(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    bank_state *bank = &r->banks[m->bank];
    page_state *page = &r->pages[m->page];
    uint32_t bit = (uint32_t)1 << m->bank;
    page->banks |= bit;
    page->pending &= ~bit;
    page->under_way--;
    r->inside -= page->held;
    r->result->taken += (r->now - m->since) * page->held;
    page->held = 0;
    bank->in_use--;
    r->in_use--;
    r->full &= ~bit;
    uint32_t at = m->bank;
    drop(r, number);
    if (bank->parked != NONE)
        unpark(r, at);
}

/* ---- page-table unit ---- */

static double walk_time(const replayer *r)
{
    const htmmu_pace *p = r->pace;
    if (p->channels <= 0)
        return p->walk[0];
    double load = (r->walk_tail - r->walk_head + 1) / p->channels, place = log2(fmax(load, 1));
    int low = place < HTMMU_LOADS - 1 ? (int)place : HTMMU_LOADS - 2;
    return p->walk[low] + (p->walk[low + 1] - p->walk[low]) * fmin(place - low, 1);
}

static void start_walk(replayer *r, uint16_t number)
{
    const miss *m = &r->misses[number];
    page_state *page = &r->pages[m->page];
    double end = r->start + walk_time(r);
    if (r->walk_head != r->walk_tail)
        end = most(end, r->walks[(r->walk_tail - 1) % WALKS].end);
    else
        r->walk_at = end;
    r->result->walks++;
    r->result->redundant += page->walk != NONE;
    page->walk = (uint16_t)(r->walk_tail % WALKS);
    r->walks[r->walk_tail++ % WALKS] =
        (walk){.end = end, .page = m->page, .block = m->block, .first = number, .last = number};
    r->misses[number].next = NONE;
}

static bool can_merge(const replayer *r, const miss *m)
{
    uint16_t walking = r->pages[m->page].walk;
    return walking != NONE && r->walks[walking].items < r->config->merge_items;
}

static void merge(replayer *r, uint16_t number)
{
    walk *w = &r->walks[r->pages[r->misses[number].page].walk];
    w->items++;
    r->misses[w->last].next = number;
    r->misses[number].next = NONE;
    w->last = number;
    r->result->merged++;
}

/* Merges a miss to a walk of its page or begins one. Returns false when neither can be done. */
static bool begin_walk(replayer *r, uint16_t number)
{
    const miss *m = &r->misses[number];
    if (can_merge(r, m)) {
        merge(r, number);
        return true;
    }
    if (r->pages[m->page].walk != NONE && r->config->items_full == HTMMU_FULL_WAIT) {
        r->refusal = HTMMU_CAUSE_MERGE;
        return false;
    }
    if (r->walk_tail - r->walk_head == (uint32_t)r->config->merge_entries) {
        r->refusal = HTMMU_CAUSE_WALKERS;
        return false;
    }
    start_walk(r, number);
    return true;
}

/* Takes a miss of the second TLB in. Returns false when there is no place for it. */
static bool enter_ptu(replayer *r, uint16_t number)
{
    if (r->config->l2_mshrs && r->l2_open == (uint32_t)r->config->l2_mshrs) {
        r->refusal = HTMMU_CAUSE_MSHR;
        return false;
    }
    if ((is_empty(&r->ptu) || can_merge(r, &r->misses[number])) && begin_walk(r, number)) {
        r->l2_open++;
        return true;
    }
    if (r->ptu.tail - r->ptu.head >= (uint32_t)r->config->ptu_queue)
        return false;
    push(&r->ptu, number);
    r->l2_open++;
    return true;
}

static bool is_held(const replayer *r, uint16_t number)
{
    const miss *m = &r->misses[number];
    if (r->config->l2_entries)
        return r->blocks[m->block] != 0;
    return r->pages[m->page].banks >> m->bank & 1;
}

static bool found_again(const replayer *r, uint16_t number)
{
    return r->config->reprobe && is_held(r, number);
}

static void move_queue(replayer *r)
{
    while (!is_empty(&r->ptu)) {
        uint16_t number = head_of(&r->ptu);
        if (found_again(r, number)) {
            r->result->replayed++;
            r->l2_open--;
            answer(r, number);
        } else if (!begin_walk(r, number)) {
            return;
        }
        r->ptu.head++;
    }
}

/* ---- second TLB ---- */

/* It goes on: first with the other requests that came in the meantime. */
static void serve_line(replayer *r)
{
    r->l2_stalled = false;
    r->l2_free = most(r->l2_free, r->now + r->lined * r->l2_step);
    r->lined = 0;
}

/* Looks the next in line up. The first has been looked up before. Returns false when it stays. */
static bool leave_line(replayer *r, uint16_t number, bool again)
{
    bool held = again ? found_again(r, number) : r->config->l2_entries && is_held(r, number);
    uint32_t bank = r->misses[number].bank;
    if (!held && !enter_ptu(r, number))
        return false;
    if (r->config->l2_entries == 0)
        leave_bank(r, bank);
    if (!held)
        return true;
    *(again ? &r->result->replayed : &r->result->l2_hits) += 1;
    answer(r, number);
    return true;
}

/* The second TLB goes on when what it holds out finds a place. */
static void move_line(replayer *r)
{
    bool again = true;
    if (!r->l2_stalled)
        return;
    for (; !is_empty(&r->line); again = false) {
        uint16_t number = head_of(&r->line);
        if (!leave_line(r, number, again))
            return;
        r->line.head++;
    }
    serve_line(r);
}

static void stand_in_line(replayer *r, uint16_t number)
{
    r->l2_stalled = true;
    push(&r->line, number);
    if (r->config->l2_entries == 0)
        stand(r, r->misses[number].bank);
}

/* What the second TLB answers is answered at once: its time is little beside that of a walk. */
static void look_up_l2(replayer *r, uint16_t number)
{
    if (r->l2_stalled) {
        stand_in_line(r, number);
        return;
    }
    r->start = most(r->now + r->l2_cycles, r->l2_free);
    r->l2_free = r->start + r->l2_step;
    if (r->config->l2_entries && is_held(r, number)) {
        r->result->l2_hits++;
        r->result->taken += r->start - r->now;
        answer(r, number);
    } else if (!enter_ptu(r, number)) {
        stand_in_line(r, number);
    }
}

static void take_register(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    bank_state *bank = &r->banks[m->bank];
    uint32_t bit = (uint32_t)1 << m->bank;
    r->in_use++;
    if (++bank->in_use == r->config->l1_mshrs)
        r->full |= bit;
    r->pages[m->page].pending |= bit;
    look_up_l2(r, number);
}

/* ---- events ---- */

static void fill(replayer *r, uint32_t ended)
{
    const walk *w = &r->walks[ended];
    page_state *page = &r->pages[w->page];
    r->blocks[w->block] = 1;
    if (page->walk == ended)
        page->walk = NONE;
    for (uint16_t number = w->first; number != NONE; number = r->misses[number].next)
        page->banks |= (uint32_t)1 << r->misses[number].bank;
}

static void answer_all(replayer *r, uint16_t number)
{
    while (number != NONE) {
        uint16_t next = r->misses[number].next;
        r->l2_open--;
        answer(r, number);
        number = next;
    }
}

/* All walks that end now have filled the TLBs before anybody looks again. */
static void end_walks(replayer *r)
{
    uint32_t first = r->walk_head;
    while (r->walk_head != r->walk_tail && r->walks[r->walk_head % WALKS].end <= r->now)
        fill(r, r->walk_head++ % WALKS);
    for (uint32_t ended = r->walk_head; first != ended; first++)
        answer_all(r, r->walks[first % WALKS].first);
    r->start = r->now;
    move_queue(r);
    move_line(r);
    r->walk_at = r->walk_head == r->walk_tail ? NEVER : r->walks[r->walk_head % WALKS].end;
}

static htmmu_cause blocked_by(const replayer *r, htmmu_cause otherwise)
{
    return is_empty(&r->ptu) && !r->l2_stalled ? otherwise : r->refusal;
}

/* Nothing is dispatched until the next event. */
static void wait_for_event(replayer *r, htmmu_cause cause)
{
    double event = r->walk_at;
    if (event > r->now) {
        r->result->stall[blocked_by(r, cause)] += event - r->now;
        r->now = event;
    }
    end_walks(r);
}

/* ---- dispatch ---- */

/* Places for requests that will find their page in the second TLB, while it stands. */
static double line_room(const replayer *r)
{
    double registers = (double)r->registers - r->in_use, window = (double)r->window - r->inside;
    return least(registers, window) - r->lined;
}

static double hit_rate(const replayer *r)
{
    const htmmu_pace *p = r->pace;
    double free = (double)r->window - r->inside - r->lined;
    if (r->open == 0 || free < 1)
        return 0;
    if (r->l2_stalled && p->second > 0 && line_room(r) < 1e-6)
        return 0;
    double rate = least(p->rate, free * r->l1_rate);
    return r->config->router == HTMMU_ROUTER_ADAPTIVE ? least(rate, r->open) : rate;
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Part of the requests that meet a bank whose registers are all taken, and miss. */
static double parking_share(const replayer *r)
{
    uint32_t full = r->full & ~r->stalled;
    return full ? r->pace->second * count_bits(full) / r->open : 0;
}

/* Part of the requests whose address names a bank that stands. */
static double blocked_share(const replayer *r)
{
    double share = 0;
    if (r->stalled == 0 || r->config->router == HTMMU_ROUTER_ADAPTIVE)
        return 0;
    for (uint32_t bank = 0; bank < r->streams; bank++)
        share += r->stalled >> bank & 1 ? r->pace->named[bank] : 0;
    return share;
}

static void park_hit(replayer *r)
{
    uint32_t full = r->full & ~r->stalled, bank = r->turn++ % r->streams;
    r->park_debt -= 1;
    while (!(full >> bank & 1))
        bank = bank + 1 < r->streams ? bank + 1 : 0;
    r->banks[bank].parked = PARKED_HIT;
    stand(r, bank);
    r->inside++;
}

/* Requests on other pages: a flow that goes on until its end, an event, or one that cannot go. */
static void pass_hits(replayer *r, double requests)
{
    while (requests > 1e-9) {
        double rate = hit_rate(r), park = parking_share(r), block = blocked_share(r);
        if (rate <= 0 || r->block_debt >= 1) {
            r->block_debt = fmin(r->block_debt, 0);
            wait_for_event(r, HTMMU_CAUSE_MSHR);
            continue;
        }
        double some = requests, event = most(r->walk_at, r->now);
        if (park > 0)
            some = least(some, (1 - r->park_debt) / park);
        if (block > 0)
            some = least(some, (1 - r->block_debt) / block);
        if (r->l2_stalled && r->pace->second > 0)
            some = least(some, line_room(r) / r->pace->second);
        some = least(some, (event - r->now) * rate);
        some = some > 0 ? some : 0;
        r->now += some / rate;
        requests -= some;
        r->lined += r->l2_stalled ? some * r->pace->second : 0;
        r->park_debt += some * park;
        r->block_debt += some * block;
        if (r->park_debt >= 1 - 1e-9) {
            park_hit(r);
        } else if (r->block_debt >= 1 - 1e-9) {
            r->block_debt = 1;
        } else if (requests > 1e-9 && r->now >= event - 1e-9) {
            r->now = event;
            end_walks(r);
        }
    }
}

static uint32_t least_of(const replayer *r, uint32_t free, uint32_t home)
{
    uint32_t best = NONE, bank = home;
    for (uint32_t left = r->streams; left; left--) {
        if (free >> bank & 1 &&
            (best == NONE || r->banks[bank].in_use < r->banks[best].in_use))
            best = bank;
        bank = bank + 1 < r->streams ? bank + 1 : 0;
    }
    return best;
}

static uint32_t other_bank(const replayer *r, uint32_t free, uint32_t home)
{
    if (r->config->free_choice == HTMMU_FREE_LOWEST)
        return (uint32_t)__builtin_ctz(free);
    if (r->config->free_choice == HTMMU_FREE_LEAST)
        return least_of(r, free, home);
    uint32_t behind = free & ~(((uint32_t)1 << home) - 1);
    return (uint32_t)__builtin_ctz(behind ? behind : free);
}

/* The bank that takes a request now, or NONE. `soon`: one will in the next cycle. */
static uint32_t bank_now(replayer *r, uint32_t home, bool *soon)
{
    int64_t cycle = (int64_t)r->now;
    if (cycle != r->cycle)
        r->used = 0;
    r->cycle = cycle;
    uint32_t open = r->all & ~r->stalled, free = open & ~r->used;
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
        double event = r->walk_at;
        if (event <= r->now) {
            end_walks(r);
            continue;
        }
        if (r->inside + r->lined >= r->window) {
            wait_for_event(r, HTMMU_CAUSE_MEMORY);
            continue;
        }
        uint32_t bank = bank_now(r, home, &soon);
        if (bank != NONE)
            return bank;
        if (soon)
            r->now = least(event, (double)((int64_t)r->now + 1));
        else
            wait_for_event(r, HTMMU_CAUSE_MSHR);
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
    if (r->config->mshr_merge && page->pending & bit) {
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
    r->misses[number] = (miss){.page = item->page, .block = item->block, .bank = (uint8_t)bank, .since = r->now};
    if (!(r->full & bit)) {
        take_register(r, number);
        return;
    }
    r->banks[bank].parked = number;
    stand(r, bank);
}

static uint32_t home_of(const replayer *r, const htmmu_item *item)
{
    uint64_t address = r->pace->sample->addresses[item->page];
    if (r->config->router == HTMMU_ROUTER_NONE)
        return 0;
    return (uint32_t)((address >> r->config->router_bit) % r->streams);
}

/* The page has been dropped since its last use, unless it is still being walked. */
static void forget(replayer *r, const htmmu_item *item)
{
    page_state *page = &r->pages[item->page];
    if (page->walk != NONE)
        return;
    page->banks = page->touched = 0;
    r->blocks[item->block] = 0;
}

static void pass_item(replayer *r, const htmmu_item *item)
{
    page_state *page = &r->pages[item->page];
    uint32_t home = home_of(r, item);
    uint32_t reach = r->config->router == HTMMU_ROUTER_ADAPTIVE ? r->all : (uint32_t)1 << home;
    if (item->fresh)
        forget(r, item);
    for (uint32_t left = item->requests; left; left--) {
        if ((page->banks & reach) == reach) {
            pass_hits(r, left);
            return;
        }
        uint32_t bank = wait_for_bank(r, home);
        r->used |= (uint32_t)1 << bank;
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
    r->streams = (uint32_t)c->streams;
    r->all = (uint32_t)(((uint64_t)1 << r->streams) - 1);
    r->window = (uint32_t)c->window;
    r->step = 1 / fmin((double)c->streams, (double)c->window * r->l1_rate);
    r->stalled = r->used = r->full = r->inside = r->in_use = r->l2_open = r->turn = 0;
    r->cycle = 0;
    r->lined = 0;
    r->registers = (uint32_t)c->l1_mshrs * (c->router == HTMMU_ROUTER_NONE ? 1 : r->streams);
    r->open = r->streams;
    r->l2_stalled = false;
    r->park_debt = r->block_debt = 0;
    r->free_miss = NONE;
    r->miss_count = 0;
    r->walk_at = NEVER;
    r->line.head = r->line.tail = r->ptu.head = r->ptu.tail = r->walk_head = r->walk_tail = 0;
    for (uint32_t bank = 0; bank < r->streams; bank++)
        r->banks[bank] = (bank_state){0, NONE};
    memset(r->blocks, 0, pace->sample->block_count);
    for (uint32_t page = 0; page < pace->sample->page_count; page++)
        r->pages[page] = (page_state){.walk = NONE};
}

void htmmu_replay_sample(const htmmu_pace *pace, htmmu_replay *result)
{
    replayer r;
    double others = 0;
    *result = (htmmu_replay){0};
    open_replayer(&r, pace, result);
    for (uint32_t i = 0; i < pace->sample->item_count; i++) {
        const htmmu_item *item = &pace->sample->items[i];
        others += item->gap;
        if (!item->fresh && r.pages[item->page].under_way == 0 && r.blocks[item->block]) {
            others += item->requests;
            continue;
        }
        if (others > 0)
            pass_hits(&r, others);
        others = 0;
        pass_item(&r, item);
    }
    pass_hits(&r, others);
    result->cycles = r.now;
    result->inside = r.inside;
    while (r.walk_at < NEVER) {
        r.now = fmax(r.now, r.walk_at);
        end_walks(&r);
    }
    result->drain = r.now - result->cycles;
}

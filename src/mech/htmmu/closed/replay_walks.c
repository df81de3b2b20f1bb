/* SPDX-License-Identifier: MIT */
/* The replay's registers, second TLB, queue and walkers, and the time at which walks end: reads
 * by load, lines that are lost, walks at the same time. */
#include "mech/htmmu/closed/replay_state.h"

#include "memsweep/base/math.h"

#include <assert.h>
#include <math.h>

static inline uint16_t head_of(const queue *q)
{
    return q->items[q->head % MISSES];
}

/* How many walks are under way in a channel, as a power of two. */
static double load_of(const replayer *r)
{
    double load = (r->walks.under_way + 1) / r->pace->channels;
    return msw_math_log2(fmax(load, 1));
}

static double reading_time(const replayer *r, const htmmu_walk_pace *pace)
{
    if (r->pace->channels <= 0)
        return pace->reading[0];
    double step = load_of(r);
    int low = step < HTMMU_LOADS - 1 ? (int)step : HTMMU_LOADS - 2;
    double first = pace->reading[low], second = pace->reading[low + 1];
    return first + (second - first) * fmin(step - low, 1);
}

/* Part of the lines that a page's last walk read which others, or more lines than there are, have
 * driven out since. */
static double lost_lines(const replayer *r, const page_state *page)
{
    double since = r->result->reads - (double)page->read;
    return r->pace->again.reads > r->pace->lines ? 1 : fmin(since / r->pace->lines, 1);
}

/* Part of its reads that a walk of a page that was walked before makes itself: with that walk still
 * under way it waits for the same lines, as long as that goes on. */
static double own_part(const replayer *r, const page_state *page, double reading)
{
    double lost = lost_lines(r, page);
    if (page->walk == NONE || reading <= 0)
        return lost;
    double together = r->walks.list[page->walk].end - r->start - r->pace->again.search;
    return fmin(lost, fmax(1 - together / reading, 0));
}

/* Returns when a walk that begins at `start` ends. One of a page that was walked before finds its
 * path, and its line; while that walk is under way it waits for the line, and knows no path. */
static double htmmu_replay_end_of(replayer *r, page_state *page)
{
    const htmmu_pace *p = r->pace;
    bool beside = page->walk != NONE, again = page->walked && (!beside || p->lines > 0);
    const htmmu_walk_pace *pace = again ? &p->again : &p->first;
    double reading = reading_time(r, pace), end = r->start + pace->search;
    double part = again && p->lines > 0 ? own_part(r, page, reading) : 1;
    r->result->reading += part * reading;
    r->result->accesses += pace->accesses;
    r->result->reads += part * pace->reads;
    page->read = (float)r->result->reads;
    r->result->redundant += beside;
    end += part * reading;
    return beside && again ? msw_max_f64(end, r->walks.list[page->walk].end) : end;
}

/* ---- registers ---- */

void htmmu_replay_stand(replayer *r, uint32_t bank)
{
    r->banks.stalled |= (uint32_t)1 << bank;
    r->banks.open--;
}

static void leave_bank(replayer *r, uint32_t bank)
{
    r->banks.stalled &= ~((uint32_t)1 << bank);
    r->banks.open++;
}

/* A request that only asks the second TLB leaves at once. */
static void unpark(replayer *r, uint32_t number)
{
    bank_state *bank = &r->banks.list[number];
    uint16_t parked = bank->parked;
    bank->parked = NONE;
    leave_bank(r, number);
    if (parked == PARKED_HIT)
        r->inside--;
    else
        htmmu_replay_take_register(r, parked);
}

static void drop(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    double taken = r->now - m->since;
    r->result->taken += taken;
    if (taken > r->result->longest)
        r->result->longest = taken;
    if (r->result->first == 0)
        r->result->first = r->now;
    m->next = r->free_miss;
    r->free_miss = number;
    r->inside--;
}

static void answer(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    bank_state *bank = &r->banks.list[m->bank];
    page_state *page = &r->pages[m->page];
    uint32_t bit = (uint32_t)1 << m->bank;
    bool gives = m->registered;
    page->banks |= bit;
    page->under_way--;
    r->inside -= page->held;
    r->result->taken += (r->now - m->since) * page->held;
    page->held = 0;
    if (gives) {
        page->pending &= ~bit;
        bank->in_use--;
        r->in_use--;
        r->banks.full &= ~bit;
    }
    uint32_t at = m->bank;
    drop(r, number);
    if (gives && bank->parked != NONE)
        unpark(r, at);
}

/* ---- page-table unit ---- */

/* Puts a walk in the order of their ends. */
static void put_in_order(replayer *r, uint16_t number)
{
    uint32_t at = r->walks.tail++;
    for (; at != r->walks.head; at--) {
        uint16_t before = r->walks.order[(at - 1) % WALKS];
        if (r->walks.list[before].end <= r->walks.list[number].end)
            break;
        r->walks.order[at % WALKS] = before;
    }
    r->walks.order[at % WALKS] = number;
    r->walks.next_end = r->walks.list[r->walks.order[r->walks.head % WALKS]].end;
}

static void start_walk(replayer *r, uint16_t number)
{
    const miss *m = &r->misses[number];
    page_state *page = &r->pages[m->page];
    double at_once = r->start;
    r->start = msw_max_f64(r->start, m->looked);
    double end = htmmu_replay_end_of(r, page);
    r->start = at_once;
    uint16_t at = r->walks.free[--r->walks.free_count];
    r->result->walks++;
    r->walks.under_way++;
    page->walk = at;
    page->walked = true;
    r->walks.list[at] =
        (walk){.end = end, .page = m->page, .block = m->block, .first = number, .last = number};
    r->misses[number].next = NONE;
    put_in_order(r, at);
}

static bool can_merge(const replayer *r, const miss *m)
{
    uint16_t walking = r->pages[m->page].walk;
    return walking != NONE && r->walks.list[walking].items < r->config->merge_items;
}

static void merge(replayer *r, uint16_t number)
{
    walk *w = &r->walks.list[r->pages[r->misses[number].page].walk];
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
    if (r->walks.under_way == (uint32_t)r->config->merge_entries) {
        r->refusal = HTMMU_CAUSE_WALKERS;
        return false;
    }
    start_walk(r, number);
    return true;
}

/* Takes a miss of the second TLB in. Returns false when there is no room for it. */
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
    r->l2_free = msw_max_f64(r->l2_free, r->now + r->lined * r->l2_step);
    r->lined = 0;
}

/* It holds the page, and answers in time. */
static void answer_later(replayer *r, uint16_t number)
{
    const miss *m = &r->misses[number];
    uint16_t at;
    r->result->l2_hits++;
    if (r->walks.free_count == 0) {
        answer(r, number);
        return;
    }
    at = r->walks.free[--r->walks.free_count];
    r->walks.list[at] = (walk){.end = r->start,
                               .page = m->page,
                               .block = m->block,
                               .first = number,
                               .last = number,
                               .look_up = true};
    r->misses[number].next = NONE;
    put_in_order(r, at);
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
    if (!again && r->misses[number].looked > r->now) {
        r->start = r->misses[number].looked;
        answer_later(r, number);
        r->start = r->now;
        return true;
    }
    *(again ? &r->result->replayed : &r->result->l2_hits) += 1;
    answer(r, number);
    return true;
}

/* The second TLB goes on when what it holds out finds room. */
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
        htmmu_replay_stand(r, r->misses[number].bank);
}

static void look_up_l2(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    m->looked = r->now + r->l2_cycles;
    if (r->l2_stalled) {
        stand_in_line(r, number);
        return;
    }
    r->start = m->looked = msw_max_f64(m->looked, r->l2_free);
    r->l2_free = r->start + r->l2_step;
    if (r->config->l2_entries && is_held(r, number)) {
        answer_later(r, number);
    } else if (!enter_ptu(r, number)) {
        stand_in_line(r, number);
    }
}

void htmmu_replay_take_register(replayer *r, uint16_t number)
{
    miss *m = &r->misses[number];
    bank_state *bank = &r->banks.list[m->bank];
    uint32_t bit = (uint32_t)1 << m->bank;
    m->registered = true;
    r->in_use++;
    if (++bank->in_use == r->config->l1_mshrs)
        r->banks.full |= bit;
    r->pages[m->page].pending |= bit;
    look_up_l2(r, number);
}

void htmmu_replay_pass_register(replayer *r, uint16_t number)
{
    r->misses[number].registered = false;
    look_up_l2(r, number);
}

/* ---- events ---- */

static void fill(replayer *r, uint32_t ended)
{
    const walk *w = &r->walks.list[ended];
    page_state *page = &r->pages[w->page];
    if (!w->look_up) {
        r->blocks[w->block] = 1;
        r->walks.under_way--;
    }
    if (page->walk == ended)
        page->walk = NONE;
    for (uint16_t number = w->first; number != NONE; number = r->misses[number].next)
        page->banks |= (uint32_t)1 << r->misses[number].bank;
}

static void answer_walk(replayer *r, const walk *ended)
{
    uint16_t number = ended->first;
    while (number != NONE) {
        uint16_t next = r->misses[number].next;
        r->l2_open -= !ended->look_up;
        answer(r, number);
        number = next;
    }
}

/* All walks that end now have filled the TLBs before anybody looks again. */
void htmmu_replay_end_walks(replayer *r)
{
    uint16_t ended[WALKS];
    uint32_t count = 0;
    for (; r->walks.head != r->walks.tail; count++) {
        uint16_t next = r->walks.order[r->walks.head % WALKS];
        if (r->walks.list[next].end > r->now)
            break;
        r->walks.head++;
        fill(r, ended[count] = next);
    }
    for (uint32_t i = 0; i < count; i++)
        answer_walk(r, &r->walks.list[ended[i]]);
    for (uint32_t i = 0; i < count; i++)
        r->walks.free[r->walks.free_count++] = ended[i];
    r->start = r->now;
    move_queue(r);
    move_line(r);
    r->walks.next_end = r->walks.head == r->walks.tail
                            ? NEVER
                            : r->walks.list[r->walks.order[r->walks.head % WALKS]].end;
}

static htmmu_cause blocked_by(const replayer *r, htmmu_cause otherwise)
{
    return is_empty(&r->ptu) && !r->l2_stalled ? otherwise : r->refusal;
}

/* Nothing is dispatched until the next event. */
void htmmu_replay_wait(replayer *r, htmmu_cause cause)
{
    double event = r->walks.next_end;
    assert(event < NEVER);
    if (event > r->now) {
        r->result->stall[blocked_by(r, cause)] += event - r->now;
        r->now = event;
    }
    htmmu_replay_end_walks(r);
}

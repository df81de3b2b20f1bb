/* SPDX-License-Identifier: MIT */
/* Dispatches requests: requester, router and the banks of the first TLB. Counts what the units
 * under way get. */
#include "mech/htmmu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <assert.h>
#include <string.h>

void htmmu_clear_slot(htmmu_slot *slot)
{
    slot->wait = slot->wait_accepted = slot->wait_max = slot->open = 0;
    if (slot->first < slot->after)
        memset(slot->waits + slot->first, 0,
               (size_t)(slot->after - slot->first) * sizeof *slot->waits);
    slot->first = MSW_HISTOGRAM_BUCKETS;
    slot->after = 0;
}

void htmmu_enter_unit(htmmu_machine *m, uint64_t unit)
{
    htmmu_slot *slot = htmmu_slot_of(m, unit);
    m->units.current = unit;
    htmmu_clear_slot(slot);
    slot->before = m->counts;
    slot->before.walker = m->walker.stats;
    slot->before.memory = m->memory.stats;
    m->units.next = m->stream->units[unit + 1];
}

/* ---- when, and to which bank ---- */

uint64_t htmmu_generated(const htmmu_machine *m, uint64_t position, uint64_t access)
{
    const htmmu_config *c = m->config;
    if (c->requester == HTMMU_TIMED)
        return m->times[access];
    uint64_t burst = (uint64_t)c->burst;
    double begin = (double)(position / burst) * ((double)burst / c->rate);
    return (uint64_t)(begin + (double)(position % burst) / c->peak_rate);
}

/* What holds up a request that only an event can let go. */
static htmmu_cause blocked_by(const htmmu_machine *m, htmmu_cause otherwise)
{
    if (htmmu_ring_empty(&m->misses.ptu_queue) && !m->misses.l2_stalled)
        return otherwise;
    if (m->misses.refusal == MSW_BLOCK_MSHRS)
        return HTMMU_CAUSE_MSHR;
    return m->misses.refusal == MSW_BLOCK_SLOTS ? HTMMU_CAUSE_MERGE : HTMMU_CAUSE_WALKERS;
}

/* `until` can lie before time 0: a request made in cycles that were jumped over. */
static uint64_t wait_until(htmmu_machine *m, uint64_t time, uint64_t until, htmmu_cause cause)
{
    bool later = (int64_t)(until - time) > 0;
    m->cause = later ? cause : m->cause;
    return later ? until : time;
}

/* Banks that can take a request at `time`, from the clock on, as bits. */
static uint32_t free_banks(const htmmu_machine *m, uint64_t time)
{
    uint32_t still = m->taken_time >= time;
    return m->all_banks & ~(m->stalled | (m->taken & -still));
}

/* Of two sets of banks the one with the fewest misses under way, of those the first of `first`. */
static uint32_t least_bank(const htmmu_machine *m, uint32_t first, uint32_t then)
{
    uint32_t best = HTMMU_NONE;
    while (first | then) {
        uint32_t *from = first ? &first : &then, bank = msw_bits_lowest(*from);
        if (best == HTMMU_NONE || m->banks[bank].in_use < m->banks[best].in_use)
            best = bank;
        *from &= *from - 1;
    }
    return best;
}

/* The first of some banks from the preferred one on. */
static uint32_t first_from(const htmmu_machine *m, uint32_t banks)
{
    uint32_t behind = banks >> m->requester.preferred << m->requester.preferred;
    return msw_bits_lowest(behind ? behind : banks);
}

/* The bank among some that the router turns to. */
static uint32_t other_bank(const htmmu_machine *m, uint32_t banks)
{
    int64_t choice = m->config->free_choice;
    uint32_t behind = banks >> m->requester.preferred << m->requester.preferred;
    if (choice == HTMMU_FREE_LOWEST)
        return msw_bits_lowest(banks);
    return choice == HTMMU_FREE_LEAST ? least_bank(m, behind, banks & ~behind)
                                      : first_from(m, banks);
}

/* The preferred bank is not free at `time`, but one at least is not stalled. */
static uint64_t adapt(htmmu_machine *m, uint64_t time, uint32_t *bank)
{
    uint32_t preferred = (uint32_t)1 << m->requester.preferred, banks = free_banks(m, time);
    bool stays = m->config->divert == HTMMU_DIVERT_STALLED && !(m->stalled & preferred);
    if (banks && !stays) {
        *bank = other_bank(m, banks);
        return time;
    }
    banks = m->all_banks & ~m->stalled;
    *bank = banks & preferred ? m->requester.preferred : other_bank(m, banks);
    m->cause = HTMMU_CAUSE_BANK;
    return m->taken_time + 1;
}

/* What choose_bank does for a router that turns to the first free bank from the preferred one on;
 * one bank at least is not stalled. Whether one is free now is unpredictable: no branches. */
static uint64_t turn(htmmu_machine *m, uint64_t time, uint32_t *bank)
{
    uint32_t now = free_banks(m, time), later = m->all_banks & ~m->stalled;
    *bank = first_from(m, now ? now : later);
    m->cause = now ? m->cause : HTMMU_CAUSE_BANK;
    return now ? time : m->taken_time + 1;
}

static uint64_t choose_bank(htmmu_machine *m, uint64_t time, uint32_t *bank)
{
    if (m->requester.turns)
        return turn(m, time, bank);
    uint32_t banks = free_banks(m, time);
    *bank = m->requester.preferred;
    if (banks >> *bank & 1)
        return time;
    if (m->config->router == HTMMU_ROUTER_ADAPTIVE)
        return adapt(m, time, bank);
    if (m->stalled >> m->requester.preferred & 1) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MSHR);
        return HTMMU_NEVER;
    }
    m->cause = HTMMU_CAUSE_BANK;
    return m->taken_time + 1;
}

uint64_t htmmu_dispatch_time(htmmu_machine *m, uint32_t *bank)
{
    uint64_t time = m->clock;
    m->cause = HTMMU_CAUSE_ISSUE;
    if (m->requester.visit_left == 0 || htmmu_ring_empty(&m->requester.window)) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MEMORY);
        return HTMMU_NEVER;
    }
    if (m->stalled == m->all_banks) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MSHR);
        return HTMMU_NEVER;
    }
    time = wait_until(m, time, htmmu_ring_head(&m->requester.window) + m->l1_cycles,
                      HTMMU_CAUSE_MEMORY);
    if (m->config->requester != HTMMU_CLOSED)
        time = wait_until(m, time, m->requester.generated + m->l1_cycles, HTMMU_CAUSE_IDLE);
    time = wait_until(m, time, m->requester.port_free, HTMMU_CAUSE_ISSUE);
    return choose_bank(m, time, bank);
}

/* Of the registers of a bank, which hold different pages where this is asked, the miss that holds
 * one for `page`, or HTMMU_NONE. Whether there is one and where is unpredictable: eight pages are
 * compared without branches. */
static uint32_t same_page(const htmmu_bank *bank, uint64_t page)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < bank->in_use; i += 8) {
        uint32_t low = msw_assoc_scan_four(bank->pages + i, page);
        uint32_t high = msw_assoc_scan_four(bank->pages + i + 4, page);
        uint32_t here = low + high + (high ? 4 : 0);
        found += here ? i + here : 0;
    }
    return found ? bank->registers[found - 1] : HTMMU_NONE;
}

/* ---- one request ---- */

/* Asks for a register. */
static void ask_register(htmmu_machine *m, uint32_t number, uint32_t fresh)
{
    htmmu_bank *bank = &m->banks[number];
    htmmu_miss *miss = &m->misses.list[fresh];
    uint32_t same = m->asks_registers ? same_page(bank, miss->page) : HTMMU_NONE;
    if (same != HTMMU_NONE && m->config->mshr_merge) {
        m->counts.held++;
        miss->next = m->misses.list[same].held;
        m->misses.list[same].held = fresh;
    } else if (same != HTMMU_NONE) {
        htmmu_pass_register(m, fresh);
    } else if (bank->in_use < m->mshrs) {
        htmmu_take_register(m, fresh);
    } else {
        bank->parked = fresh;
        htmmu_block_bank(m, number);
    }
}

/* `again`: the visit has missed in this bank before, and no page has come there since. Then a
 * register holds its page: it is given back when the page has come. */
static void miss_l1(htmmu_machine *m, uint32_t number, uint64_t made, bool again)
{
    uint32_t fresh = m->misses.free;
    htmmu_miss *miss = &m->misses.list[fresh];
    m->misses.free = miss->next;
    miss->page = m->requester.page_key;
    miss->made = made;
    miss->taken = m->clock - m->l1_cycles;
    miss->unit = (uint32_t)m->units.current;
    miss->bank = (uint8_t)number;
    m->counts.l1_misses++;
    m->banks[number].misses++;
    htmmu_slot_of(m, m->units.current)->open++;
    if (again && m->passes_registers) {
        assert(same_page(&m->banks[number], miss->page) != HTMMU_NONE);
        htmmu_pass_register(m, fresh);
    } else {
        ask_register(m, number, fresh);
    }
}

static void hit_l1(htmmu_machine *m, uint64_t made)
{
    m->counts.l1_hits++;
    htmmu_ring_push(&m->requester.window, m->clock);
    htmmu_count_wait(htmmu_slot_of(m, m->units.current), m->clock - made, m->l1_cycles);
}

static void take_port(htmmu_machine *m)
{
    m->requester.port_used = m->requester.port_used * (m->requester.port_time == m->clock) + 1;
    m->requester.port_time = m->clock;
    m->requester.port_free = m->clock + (m->requester.port_used == m->streams);
}

/* The time the request was made: in a closed loop, when its slot in the window became free. */
static uint64_t take_window_slot(htmmu_machine *m)
{
    uint64_t free_since = htmmu_ring_head(&m->requester.window);
    m->requester.window.head++;
    return m->config->requester == HTMMU_CLOSED ? free_since : m->requester.generated;
}

/* Returns whether the bank holds the page. */
static bool look_up(htmmu_machine *m, uint32_t bank, uint64_t made)
{
    uint32_t bit = (uint32_t)1 << bank;
    bool again = m->requester.absent & bit;
    if (again || (!(m->requester.resident & bit) &&
                  msw_tlb_probe(&m->l1, bank, m->requester.page.address) == HTMMU_NEVER)) {
        m->requester.absent |= bit;
        miss_l1(m, bank, made, again);
        return false;
    }
    m->requester.resident |= bit;
    hit_l1(m, made);
    return true;
}

static void begin_visit(htmmu_machine *m)
{
    const htmmu_visit *visit = &m->stream->visits[m->requester.visit];
    if (m->requester.visit == m->stream->visit_count)
        return;
    m->requester.visit_left = visit->requests;
    m->requester.resident = m->requester.absent = 0;
    m->requester.page_key = visit->page;
    m->requester.page = htmmu_page_of(visit->page);
    m->requester.preferred = htmmu_named_bank(m->config, visit, m->requesters);
}

void htmmu_go_on(htmmu_machine *m)
{
    const htmmu_visit *visit = &m->stream->visits[m->requester.visit];
    if (m->requester.visit_left == 0)
        begin_visit(m);
    if (m->requester.visit_left && m->config->requester != HTMMU_CLOSED)
        m->requester.generated =
            htmmu_generated(m, m->requester.position,
                            visit->first + (visit->requests - m->requester.visit_left)) -
            m->requester.skipped;
}

bool htmmu_dispatch(htmmu_machine *m, uint32_t bank, uint64_t time)
{
    uint64_t made = take_window_slot(m);
    m->counts.stack[m->cause] += time - m->clock;
    m->clock = time;
    if (m->requester.visit == m->units.next)
        htmmu_enter_unit(m, m->units.current + 1);
    take_port(m);
    htmmu_take_bank(m, bank);
    m->counts.banks[bank]++;
    m->counts.requests++;
    m->counts.diverted += bank != m->requester.preferred;
    m->requester.routes[m->requester.preferred][bank]++;
    bool hit = look_up(m, bank, made), ends = --m->requester.visit_left == 0;
    m->requester.position++;
    if (ends) {
        m->requester.visit++;
        begin_visit(m);
    }
    if (m->config->requester != HTMMU_CLOSED)
        htmmu_go_on(m);
    return !hit || ends;
}

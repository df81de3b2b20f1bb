/* SPDX-License-Identifier: MIT */
/* Walks: the miss registers of the banks (holders, waiters, the answers that give registers
 * back), the second TLB, and the page-table unit with its queue, scoreboard with merge items,
 * walkers and path cache.
 *
 * Misses reach the second TLB in the order in which they took a register, and the page-table unit
 * in the order in which the second TLB answers. One that finds neither a walk of its page with a
 * free item nor a free walker waits in the queue; with the queue full it holds up the second TLB.
 * Without a second TLB it then stays in its bank and blocks the bank. */
#include "mech/htmmu/machine/machine.h"

#include "memsweep/base/bits.h"

/* The first in line at the second TLB is another one, or can go on. */
static void htmmu_plan_l2(htmmu_machine *m)
{
    m->misses.l2_next = HTMMU_NEVER;
    if (m->misses.l2_stalled || htmmu_ring_empty(&m->misses.l2_queue))
        return;
    uint64_t arrival = m->misses.list[htmmu_ring_head(&m->misses.l2_queue)].arrival;
    m->misses.l2_next =
        msw_max_u64(msw_max_u64(arrival + m->l2_cycles, m->misses.l2_free), m->clock);
}

static inline void answer_one(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses.list[number];
    htmmu_slot *slot = htmmu_slot_of(m, miss->unit);
    htmmu_count_wait(slot, m->clock - miss->made, m->clock - miss->taken);
    slot->open--;
    htmmu_ring_push(&m->requester.window, m->clock);
    miss->next = m->misses.free;
    m->misses.free = number;
}

/* ---- registers ---- */

void htmmu_block_bank(htmmu_machine *m, uint32_t bank)
{
    m->stalled |= (uint32_t)1 << bank;
    m->banks[bank].since = m->clock;
}

static void go_to_l2(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses.list[number];
    miss->held = HTMMU_NONE;
    miss->arrival = m->clock;
    bool first = htmmu_ring_empty(&m->misses.l2_queue);
    htmmu_ring_push(&m->misses.l2_queue, number);
    if (first)
        htmmu_plan_l2(m);
    if (!m->has_l2)
        htmmu_block_bank(m, miss->bank);
}

void htmmu_take_register(htmmu_machine *m, uint32_t number)
{
    htmmu_bank *bank = &m->banks[m->misses.list[number].bank];
    m->misses.list[number].position = (uint16_t)bank->in_use;
    bank->pages[bank->in_use] = m->misses.list[number].page;
    bank->registers[bank->in_use++] = number;
    go_to_l2(m, number);
}

void htmmu_pass_register(htmmu_machine *m, uint32_t number)
{
    m->misses.list[number].position = HTMMU_UNREGISTERED;
    go_to_l2(m, number);
}

/* The request that blocked a bank has left it. */
static void htmmu_leave_bank(htmmu_machine *m, uint32_t bank)
{
    m->stalled &= ~((uint32_t)1 << bank);
    m->banks[bank].blocked += m->clock - m->banks[bank].since;
    htmmu_take_bank(m, bank);
}

static void give_register(htmmu_machine *m, const htmmu_miss *miss)
{
    htmmu_bank *bank = &m->banks[miss->bank];
    uint32_t last = bank->registers[--bank->in_use];
    bank->registers[miss->position] = last;
    bank->pages[miss->position] = bank->pages[bank->in_use];
    bank->pages[bank->in_use] = HTMMU_NEVER;
    m->misses.list[last].position = miss->position;
}

/* A parked miss takes the register that became free, or finds that its page has come. */
static void unpark(htmmu_machine *m, uint32_t number)
{
    htmmu_bank *bank = &m->banks[number];
    uint32_t parked = bank->parked;
    bank->parked = HTMMU_NONE;
    htmmu_leave_bank(m, number);
    msw_page page = htmmu_page_of(m->misses.list[parked].page);
    if (m->config->reprobe && msw_tlb_probe(&m->l1, number, page.address) != HTMMU_NEVER) {
        m->counts.replayed++;
        answer_one(m, parked);
    } else {
        htmmu_take_register(m, parked);
    }
}

/* The page of a miss has come: counts its wait, gives back register and slot in the window, and
 * lets a parked miss go on. */
static void htmmu_answer(htmmu_machine *m, uint32_t number)
{
    uint32_t bank = m->misses.list[number].bank, held = m->misses.list[number].held;
    bool gives = m->misses.list[number].position != HTMMU_UNREGISTERED;
    if (gives)
        give_register(m, &m->misses.list[number]);
    answer_one(m, number);
    while (held != HTMMU_NONE) {
        uint32_t next = m->misses.list[held].next;
        answer_one(m, held);
        held = next;
    }
    if (gives && m->banks[bank].parked != HTMMU_NONE)
        unpark(m, bank);
}

static void fill_l1(htmmu_machine *m, uint32_t bank, msw_page page)
{
    uint64_t neighbours = htmmu_neighbours(m->config, page, m->config->l1_coalesce);
    msw_tlb_fill(&m->l1, bank, page, neighbours, m->clock);
    m->requester.resident &= ~((uint32_t)1 << bank);
    m->requester.absent &= ~((uint32_t)1 << bank);
}

static void fill_l2(htmmu_machine *m, msw_page page)
{
    if (m->has_l2)
        msw_tlb_fill(&m->l2, 0, page, htmmu_neighbours(m->config, page, m->config->l2_coalesce),
                     m->clock);
}

static bool in_l2(htmmu_machine *m, uint64_t page)
{
    return m->has_l2 && msw_tlb_probe(&m->l2, 0, htmmu_page_of(page).address) != HTMMU_NEVER;
}

/* A miss that had to wait looks again, where it is. */
static bool found_again(htmmu_machine *m, uint32_t number)
{
    const htmmu_miss *miss = &m->misses.list[number];
    if (!m->config->reprobe)
        return false;
    if (m->has_l2)
        return in_l2(m, miss->page);
    return msw_tlb_probe(&m->l1, miss->bank, htmmu_page_of(miss->page).address) != HTMMU_NEVER;
}

/* The second TLB holds the page after all, or at once. */
static void answer_from_l2(htmmu_machine *m, uint32_t number)
{
    fill_l1(m, m->misses.list[number].bank, htmmu_page_of(m->misses.list[number].page));
    htmmu_answer(m, number);
}

/* ---- page-table unit ---- */

static void wait_for_walk(htmmu_machine *m, uint32_t number, uint32_t walk, bool first)
{
    m->misses.list[number].next = HTMMU_NONE;
    if (first)
        m->misses.waiters[walk] = number;
    else
        m->misses.list[m->misses.last_waiters[walk]].next = number;
    m->misses.last_waiters[walk] = number;
    m->misses.last_page = m->misses.list[number].page;
    m->misses.last_walk = walk;
}

/* Merges a miss to a walk of its page or begins one. Returns false when neither can be done. */
static inline bool begin_walk(htmmu_machine *m, uint32_t number)
{
    const htmmu_miss *miss = &m->misses.list[number];
    msw_walk_request request = {.time = m->clock,
                                .page = htmmu_page_of(miss->page),
                                .count = 1,
                                .note = (uint64_t)1 << miss->bank};
    msw_walk walk;
    if (msw_walker_request(&m->walker, &request, &walk) == MSW_WALK_BLOCKED) {
        m->misses.refusal = walk.cause;
        return false;
    }
    wait_for_walk(m, number, walk.entry, walk.kind == MSW_WALK_STARTED);
    if (m->memory.timed && walk.kind == MSW_WALK_STARTED)
        msw_walkread_begin(&m->memory.reads, &m->walker, &walk);
    return true;
}

/* A miss on the page that went to the walkers last, while that walk has room and none has ended:
 * the second TLB cannot hold it, and there is no newer walk of it. Returns whether it is one. */
static inline bool join_last(htmmu_machine *m, uint32_t number)
{
    const htmmu_miss *miss = &m->misses.list[number];
    if (miss->page != m->misses.last_page ||
        !msw_walker_has_room(&m->walker, m->misses.last_walk) || m->config->l2_mshrs)
        return false;
    msw_walker_join(&m->walker, m->misses.last_walk, (uint64_t)1 << miss->bank);
    wait_for_walk(m, number, m->misses.last_walk, false);
    m->misses.l2_open++;
    return true;
}

static bool can_merge(const htmmu_machine *m, uint64_t page)
{
    uint32_t same = msw_mshr_find(&m->walker.board, page);
    return same != MSW_MSHR_NONE && m->walker.config.scoreboard &&
           msw_mshr_room(&m->walker.board, same);
}

static bool queue_has_room(const htmmu_machine *m)
{
    return m->misses.ptu_queue.tail - m->misses.ptu_queue.head < (uint64_t)m->config->ptu_queue;
}

/* Takes a miss of the second TLB in. Returns false when there is no room for it. */
static inline bool enter_ptu(htmmu_machine *m, uint32_t number)
{
    if (m->config->l2_mshrs && m->misses.l2_open == (uint64_t)m->config->l2_mshrs) {
        m->misses.refusal = MSW_BLOCK_MSHRS;
        return false;
    }
    bool first = htmmu_ring_empty(&m->misses.ptu_queue);
    if ((first || can_merge(m, m->misses.list[number].page)) && begin_walk(m, number)) {
        m->misses.l2_open++;
        return true;
    }
    if (!queue_has_room(m))
        return false;
    htmmu_ring_push(&m->misses.ptu_queue, number);
    m->misses.l2_open++;
    return true;
}

/* Lets the queue move as far as it can. */
static void move_queue(htmmu_machine *m)
{
    while (!htmmu_ring_empty(&m->misses.ptu_queue)) {
        uint32_t number = (uint32_t)htmmu_ring_head(&m->misses.ptu_queue);
        if (found_again(m, number)) {
            m->counts.replayed++;
            m->misses.l2_open--;
            answer_from_l2(m, number);
        } else if (!begin_walk(m, number)) {
            return;
        }
        m->misses.ptu_queue.head++;
    }
}

static void fill_tlbs(htmmu_machine *m, const msw_walk_end *end)
{
    fill_l2(m, end->page);
    for (uint64_t banks = end->note; banks; banks &= banks - 1)
        fill_l1(m, msw_bits_lowest(banks), end->page);
    m->counts.events++;
}

static void answer_all(htmmu_machine *m, uint32_t number)
{
    while (number != HTMMU_NONE) {
        uint32_t next = m->misses.list[number].next;
        m->misses.l2_open--;
        htmmu_answer(m, number);
        number = next;
    }
}

/* ---- second TLB ---- */

static void take_l2_port(htmmu_machine *m)
{
    m->misses.l2_used = m->misses.l2_used * (m->misses.l2_time == m->clock) + 1;
    m->misses.l2_time = m->clock;
    m->misses.l2_free =
        m->clock + (m->has_l2 && m->misses.l2_used == (uint32_t)m->config->l2_ports);
    m->counts.l2_lookups += m->has_l2;
    m->counts.events++;
}

/* The first in line goes on to the page-table unit. */
static void pass_l2(htmmu_machine *m, uint32_t number)
{
    m->counts.ptu_requests++;
    m->misses.l2_queue.head++;
    if (!m->has_l2)
        htmmu_leave_bank(m, m->misses.list[number].bank);
}

/* It has been looked up and was not found. */
static inline void leave_l2(htmmu_machine *m, uint32_t number)
{
    m->misses.l2_stalled = !enter_ptu(m, number);
    if (!m->misses.l2_stalled)
        pass_l2(m, number);
}

static void answer_first(htmmu_machine *m)
{
    uint32_t number = (uint32_t)htmmu_ring_head(&m->misses.l2_queue);
    if (join_last(m, number)) {
        pass_l2(m, number);
    } else if (!in_l2(m, m->misses.list[number].page)) {
        leave_l2(m, number);
    } else {
        m->misses.l2_queue.head++;
        m->counts.l2_hits++;
        answer_from_l2(m, number);
    }
}

void htmmu_l2_answer(htmmu_machine *m)
{
    take_l2_port(m);
    answer_first(m);
    htmmu_plan_l2(m);
}

/* The second TLB goes on when what it holds out finds room. */
static void move_l2(htmmu_machine *m)
{
    uint32_t number = (uint32_t)htmmu_ring_head(&m->misses.l2_queue);
    if (!m->misses.l2_stalled)
        return;
    if (!found_again(m, number)) {
        leave_l2(m, number);
        return;
    }
    m->counts.replayed++;
    m->misses.l2_stalled = false;
    m->misses.l2_queue.head++;
    if (!m->has_l2)
        htmmu_leave_bank(m, m->misses.list[number].bank);
    answer_from_l2(m, number);
}

/* All walks that end now have filled the TLBs before anybody looks again. */
void htmmu_end_walks(htmmu_machine *m)
{
    msw_walk_end end;
    uint32_t first = HTMMU_NONE, last = HTMMU_NONE;
    while (msw_walker_retire(&m->walker, m->clock, &end)) {
        fill_tlbs(m, &end);
        *(first == HTMMU_NONE ? &first : &m->misses.list[last].next) = m->misses.waiters[end.entry];
        last = m->misses.last_waiters[end.entry];
    }
    answer_all(m, first);
    move_queue(m);
    move_l2(m);
    htmmu_plan_l2(m);
    m->misses.last_page = HTMMU_NEVER;
}

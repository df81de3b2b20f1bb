/* SPDX-License-Identifier: MIT */
/* The miss registers of the banks: who holds one, who waits for one, and the answers that give them
 * back. */
#include "mech/htmmu/machine/machine.h"

#include "memsweep/base/bits.h"

void htmmu_plan_l2(htmmu_machine *m)
{
    m->l2_next = HTMMU_NEVER;
    if (m->l2_stalled || htmmu_ring_empty(&m->l2_queue))
        return;
    uint64_t arrival = m->misses[htmmu_ring_head(&m->l2_queue)].arrival;
    m->l2_next = msw_max_u64(msw_max_u64(arrival + m->l2_cycles, m->l2_free), m->clock);
}

static inline void answer_one(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses[number];
    htmmu_slot *slot = htmmu_slot_of(m, miss->unit);
    htmmu_count_wait(slot, m->clock - miss->made, m->clock - miss->taken);
    slot->open--;
    htmmu_ring_push(&m->window, m->clock);
    miss->next = m->free_miss;
    m->free_miss = number;
}

/* ---- registers ---- */

void htmmu_block_bank(htmmu_machine *m, uint32_t bank)
{
    m->stalled |= (uint32_t)1 << bank;
    m->banks[bank].since = m->clock;
}

static void go_to_l2(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses[number];
    miss->held = HTMMU_NONE;
    miss->arrival = m->clock;
    bool first = htmmu_ring_empty(&m->l2_queue);
    htmmu_ring_push(&m->l2_queue, number);
    if (first)
        htmmu_plan_l2(m);
    if (!m->has_l2)
        htmmu_block_bank(m, miss->bank);
}

void htmmu_take_register(htmmu_machine *m, uint32_t number)
{
    htmmu_bank *bank = &m->banks[m->misses[number].bank];
    m->misses[number].position = (uint16_t)bank->in_use;
    bank->pages[bank->in_use] = m->misses[number].page;
    bank->registers[bank->in_use++] = number;
    go_to_l2(m, number);
}

void htmmu_pass_register(htmmu_machine *m, uint32_t number)
{
    m->misses[number].position = HTMMU_UNREGISTERED;
    go_to_l2(m, number);
}

void htmmu_leave_bank(htmmu_machine *m, uint32_t bank)
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
    m->misses[last].position = miss->position;
}

/* A parked miss takes the register that became free, or finds that its page has come. */
static void unpark(htmmu_machine *m, uint32_t number)
{
    htmmu_bank *bank = &m->banks[number];
    uint32_t parked = bank->parked;
    bank->parked = HTMMU_NONE;
    htmmu_leave_bank(m, number);
    msw_page page = htmmu_page_of(m->misses[parked].page);
    if (m->config->reprobe && msw_tlb_probe(&m->l1, number, page.address) != HTMMU_NEVER) {
        m->counts.replayed++;
        answer_one(m, parked);
    } else {
        htmmu_take_register(m, parked);
    }
}

void htmmu_answer(htmmu_machine *m, uint32_t number)
{
    uint32_t bank = m->misses[number].bank, held = m->misses[number].held;
    bool gives = m->misses[number].position != HTMMU_UNREGISTERED;
    if (gives)
        give_register(m, &m->misses[number]);
    answer_one(m, number);
    while (held != HTMMU_NONE) {
        uint32_t next = m->misses[held].next;
        answer_one(m, held);
        held = next;
    }
    if (gives && m->banks[bank].parked != HTMMU_NONE)
        unpark(m, bank);
}

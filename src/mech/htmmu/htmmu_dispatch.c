/* Requester, router and the banks of the first TLB. */
#include "htmmu_machine.h"

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
    if (htmmu_ring_empty(&m->ptu_queue) && !m->l2_stalled)
        return otherwise;
    if (m->refusal == MSW_BLOCK_MSHRS)
        return HTMMU_CAUSE_MSHR;
    return m->refusal == MSW_BLOCK_SLOTS ? HTMMU_CAUSE_MERGE : HTMMU_CAUSE_WALKERS;
}

/* `until` can lie before time 0: a request made in cycles that were jumped over. */
static uint64_t wait_until(htmmu_machine *m, uint64_t time, uint64_t until, htmmu_cause cause)
{
    if ((int64_t)(until - time) <= 0)
        return time;
    m->cause = cause;
    return until;
}

static bool is_free(const htmmu_machine *m, uint32_t bank, uint64_t time)
{
    return m->banks[bank].free <= time && !(m->stalled >> bank & 1);
}

/* The bank among those free at `time` that the router turns to. Returns it, or HTMMU_NONE. */
static uint32_t other_bank(const htmmu_machine *m, uint32_t preferred, uint64_t time)
{
    int64_t choice = m->config->free_choice;
    uint32_t best = HTMMU_NONE, bank = choice == HTMMU_FREE_LOWEST ? 0 : preferred;
    for (uint32_t left = m->streams; left; left--) {
        if (is_free(m, bank, time)) {
            if (choice != HTMMU_FREE_LEAST)
                return bank;
            if (best == HTMMU_NONE || m->banks[bank].in_use < m->banks[best].in_use)
                best = bank;
        }
        bank = bank + 1 < m->streams ? bank + 1 : 0;
    }
    return best;
}

static uint64_t next_free(const htmmu_machine *m)
{
    uint64_t time = HTMMU_NEVER;
    for (uint32_t bank = 0; bank < m->streams; bank++)
        if (!(m->stalled >> bank & 1) && m->banks[bank].free < time)
            time = m->banks[bank].free;
    return time;
}

static uint64_t adapt(htmmu_machine *m, uint32_t preferred, uint64_t time, uint32_t *bank)
{
    bool stalled = m->stalled >> preferred & 1;
    if (!stalled && m->config->divert == HTMMU_DIVERT_STALLED) {
        *bank = preferred;
        return wait_until(m, time, m->banks[preferred].free, HTMMU_CAUSE_BANK);
    }
    *bank = other_bank(m, preferred, time);
    if (*bank != HTMMU_NONE)
        return time;
    uint64_t next = next_free(m);
    m->cause = HTMMU_CAUSE_BANK;
    *bank = is_free(m, preferred, next) ? preferred : other_bank(m, preferred, next);
    return next;
}

static uint64_t choose_bank(htmmu_machine *m, uint64_t time, uint32_t *bank)
{
    uint32_t preferred = m->preferred;
    *bank = preferred;
    if (is_free(m, preferred, time))
        return time;
    if (m->config->router == HTMMU_ROUTER_ADAPTIVE)
        return adapt(m, preferred, time, bank);
    if (m->stalled >> preferred & 1) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MSHR);
        return HTMMU_NEVER;
    }
    return wait_until(m, time, m->banks[preferred].free, HTMMU_CAUSE_BANK);
}

uint64_t htmmu_dispatch_time(htmmu_machine *m, uint32_t *bank)
{
    uint64_t time = m->clock;
    m->cause = HTMMU_CAUSE_ISSUE;
    if (m->run_left == 0 || htmmu_ring_empty(&m->window)) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MEMORY);
        return HTMMU_NEVER;
    }
    if (m->stalled == m->all_banks) {
        m->cause = blocked_by(m, HTMMU_CAUSE_MSHR);
        return HTMMU_NEVER;
    }
    time = wait_until(m, time, htmmu_ring_head(&m->window) + m->l1_cycles, HTMMU_CAUSE_MEMORY);
    if (m->config->requester != HTMMU_CLOSED)
        time = wait_until(m, time, m->generated + m->l1_cycles, HTMMU_CAUSE_IDLE);
    if (m->port_time >= time && m->port_used == m->streams)
        time = wait_until(m, time, m->port_time + 1, HTMMU_CAUSE_ISSUE);
    return choose_bank(m, time, bank);
}

/* ---- waits ---- */

static void count_wait(htmmu_slot *slot, uint64_t wait, uint64_t accepted)
{
    slot->wait += wait;
    slot->wait_accepted += accepted;
    slot->wait_max = wait > slot->wait_max ? wait : slot->wait_max;
    if (wait < HTMMU_EXACT)
        slot->exact[wait]++;
    else
        slot->rest[msw_histogram_bucket((double)wait)]++;
}

static void answer_one(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses[number];
    htmmu_slot *slot = htmmu_slot_of(m, miss->unit);
    count_wait(slot, m->clock - miss->made, m->clock - miss->taken);
    slot->open--;
    htmmu_ring_push(&m->window, m->clock);
    miss->next = m->free_miss;
    m->free_miss = number;
}

/* ---- registers ---- */

static void block_bank(htmmu_machine *m, uint32_t bank)
{
    m->stalled |= (uint32_t)1 << bank;
    m->banks[bank].since = m->clock;
}

void htmmu_take_register(htmmu_machine *m, uint32_t number)
{
    htmmu_miss *miss = &m->misses[number];
    htmmu_bank *bank = &m->banks[miss->bank];
    miss->place = (uint16_t)bank->in_use;
    miss->held = HTMMU_NONE;
    miss->arrival = m->clock;
    bank->registers[bank->in_use++] = number;
    htmmu_ring_push(&m->l2_queue, number);
    if (!m->has_l2)
        block_bank(m, miss->bank);
}

void htmmu_leave_bank(htmmu_machine *m, uint32_t bank)
{
    m->stalled &= ~((uint32_t)1 << bank);
    m->banks[bank].blocked += m->clock - m->banks[bank].since;
    m->banks[bank].free = m->clock + 1;
}

static void give_register(htmmu_machine *m, const htmmu_miss *miss)
{
    htmmu_bank *bank = &m->banks[miss->bank];
    uint32_t last = bank->registers[--bank->in_use];
    bank->registers[miss->place] = last;
    m->misses[last].place = miss->place;
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
    give_register(m, &m->misses[number]);
    answer_one(m, number);
    while (held != HTMMU_NONE) {
        uint32_t next = m->misses[held].next;
        answer_one(m, held);
        held = next;
    }
    if (m->banks[bank].parked != HTMMU_NONE)
        unpark(m, bank);
}

static uint32_t same_page(const htmmu_machine *m, const htmmu_bank *bank, uint64_t page)
{
    for (uint32_t i = 0; i < bank->in_use; i++)
        if (m->misses[bank->registers[i]].page == page)
            return bank->registers[i];
    return HTMMU_NONE;
}

/* ---- one request ---- */

static void miss_l1(htmmu_machine *m, uint32_t number, uint64_t made)
{
    htmmu_bank *bank = &m->banks[number];
    uint32_t fresh = m->free_miss;
    htmmu_miss *miss = &m->misses[fresh];
    m->free_miss = miss->next;
    *miss = (htmmu_miss){.page = m->stream->runs[m->run].page,
                         .made = made,
                         .taken = m->clock - m->l1_cycles,
                         .unit = (uint32_t)m->unit,
                         .bank = (uint8_t)number};
    m->counts.l1_misses++;
    bank->misses++;
    htmmu_slot_of(m, m->unit)->open++;
    uint32_t same = m->config->mshr_merge ? same_page(m, bank, miss->page) : HTMMU_NONE;
    if (same != HTMMU_NONE) {
        m->counts.held++;
        miss->next = m->misses[same].held;
        m->misses[same].held = fresh;
    } else if (bank->in_use < m->mshrs) {
        htmmu_take_register(m, fresh);
    } else {
        bank->parked = fresh;
        block_bank(m, number);
    }
}

static void hit_l1(htmmu_machine *m, uint64_t made)
{
    m->counts.l1_hits++;
    htmmu_ring_push(&m->window, m->clock);
    count_wait(htmmu_slot_of(m, m->unit), m->clock - made, m->l1_cycles);
}

static void take_port(htmmu_machine *m)
{
    m->port_used = m->port_time == m->clock ? m->port_used + 1 : 1;
    m->port_time = m->clock;
}

/* The time the request was made: in a closed loop, when its place in the window became free. */
static uint64_t take_place(htmmu_machine *m)
{
    uint64_t place = htmmu_ring_head(&m->window);
    m->window.head++;
    return m->config->requester == HTMMU_CLOSED ? place : m->generated;
}

static void look_up(htmmu_machine *m, uint32_t bank, uint64_t made)
{
    msw_page page = htmmu_page_of(m->stream->runs[m->run].page);
    if (!(m->resident >> bank & 1) && msw_tlb_probe(&m->l1, bank, page.address) == HTMMU_NEVER) {
        miss_l1(m, bank, made);
        return;
    }
    m->resident |= (uint32_t)1 << bank;
    hit_l1(m, made);
}

void htmmu_go_on(htmmu_machine *m)
{
    const htmmu_stream *stream = m->stream;
    const htmmu_run *run = &stream->runs[m->run];
    if (m->run_left == 0 && m->run < stream->run_count) {
        m->run_left = run->requests;
        m->resident = 0;
        m->preferred = htmmu_named_bank(m->config, run, m->requesters);
    }
    if (m->run_left && m->config->requester != HTMMU_CLOSED)
        m->generated = htmmu_generated(m, m->position, run->first + (run->requests - m->run_left)) -
                       m->skipped;
}

void htmmu_dispatch(htmmu_machine *m, uint32_t bank, uint64_t time)
{
    uint64_t made = take_place(m);
    m->counts.stack[m->cause] += time - m->clock;
    m->clock = time;
    if (m->run == m->stream->units[m->unit + 1])
        htmmu_enter_unit(m, m->unit + 1);
    take_port(m);
    m->banks[bank].free = time + 1;
    m->counts.banks[bank]++;
    m->counts.requests++;
    m->counts.diverted += bank != m->preferred;
    m->routes[m->preferred][bank]++;
    look_up(m, bank, made);
    m->position++;
    if (--m->run_left == 0)
        m->run++;
    htmmu_go_on(m);
}

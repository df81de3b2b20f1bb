/* SPDX-License-Identifier: MIT */
/* The machine's clock: events and dispatches in order. */
#include "mech/htmmu/machine/machine.h"

#include "memsweep/base/bits.h"

void htmmu_machine_jump(htmmu_machine *m, uint64_t visit, uint64_t position, uint64_t cycles)
{
    uint64_t unit = position / m->stream->unit_requests;
    m->skipped += cycles;
    m->oldest = m->counted_from = unit;
    m->visit = visit;
    m->visit_left = 0;
    m->position = position;
    for (int i = 0; i < HTMMU_SLOTS; i++)
        htmmu_clear_slot(&m->slots[i]);
    htmmu_enter_unit(m, unit);
    htmmu_go_on(m);
}

static void move_clock(htmmu_machine *m, uint64_t time)
{
    m->counts.stack[m->cause] += time - m->clock;
    m->clock = time;
}

static bool is_over(const htmmu_machine *m, uint64_t unit)
{
    uint64_t ahead = m->unit - m->oldest;
    return m->unit > unit && (m->slots[unit % HTMMU_SLOTS].open == 0 || ahead + 1 >= HTMMU_SLOTS);
}

static uint64_t next_event(const htmmu_machine *m, uint64_t *walks)
{
    *walks = msw_walker_next(&m->walker);
    return *walks < m->l2_next ? *walks : m->l2_next;
}

/* Memory answers what it can by the time of the next event, and takes the accesses that reach it
 * before. Returns whether it did: then the next event may be another one. */
static bool step_memory(htmmu_machine *m, uint64_t event)
{
    uint64_t asked = htmmu_memory_next(&m->memory);
    if (htmmu_memory_answer(&m->memory, &m->walker, msw_min_u64(asked, event)))
        return true;
    if (asked > event || asked == HTMMU_NEVER)
        return false;
    htmmu_memory_take(&m->memory, &m->walker, asked);
    return true;
}

static void happen(htmmu_machine *m, uint64_t event, uint64_t walks)
{
    move_clock(m, event);
    if (walks == event)
        htmmu_end_walks(m);
    else
        htmmu_l2_answer(m);
}

/* Of the two goals of a machine: a unit that is over, or (to UINT64_MAX) a position. */
typedef struct goal {
    uint64_t unit, position;
    uint64_t least; /* the unit dispatched from when it can be reached */
} goal;

static inline bool is_reached(htmmu_machine *m, const goal *to)
{
    if (m->unit < to->least)
        return false;
    if (to->position == HTMMU_NEVER)
        return is_over(m, to->unit);
    m->oldest = m->unit;
    return m->position >= to->position;
}

/* Events and dispatches in order. Between one miss and the next hits in a row are dispatched
 * without asking whether the goal is reached. */
static void go(htmmu_machine *m, const goal *to)
{
    uint32_t bank = 0;
    bool asks = true;
    do {
        uint64_t walks, event = next_event(m, &walks), dispatch = htmmu_dispatch_time(m, &bank);
        if (m->memory.timed && step_memory(m, msw_min_u64(dispatch, event)))
            continue;
        if (dispatch < event) {
            asks = htmmu_dispatch(m, bank, dispatch) || m->memory.timed;
        } else if (!asks) {
            asks = true;
        } else if (event == HTMMU_NEVER) {
            return;
        } else {
            happen(m, event, walks);
        }
    } while (!asks || !is_reached(m, to));
}

void htmmu_machine_finish_unit(htmmu_machine *m, uint64_t unit)
{
    m->oldest = unit;
    if (!is_over(m, unit))
        go(m, &(goal){unit, HTMMU_NEVER, unit + 1});
}

void htmmu_machine_reach(htmmu_machine *m, uint64_t unit)
{
    uint64_t position = unit * m->stream->unit_requests;
    if (m->position < position)
        go(m, &(goal){unit, position, 0});
    m->counted_from = unit;
}

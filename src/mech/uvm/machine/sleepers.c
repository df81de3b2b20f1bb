/* Choosing a warp without looking at all of them: a warp that is found not to be ready sleeps until
 * it is, in a ring of cycles. Times of warps are set and cleared without telling the ring: whoever
 * sets one wakes the warp, so what the ring says of it besides is passed over. */
#include "mech/uvm/machine/machine.h"

#include <string.h>

void uvm_scheduler_start(uvm_scheduler *s, uint64_t now)
{
    *s = (uvm_scheduler){.now = now, .warp = UVM_MOST_WARPS};
    s->sleepers.from = now;
    s->sleepers.next = s->sleepers.late_from = UINT64_MAX;
}

/* The first cycle of the ring that has a warp. */
static uint64_t first_cycle(const uvm_sleepers *s)
{
    enum { WORDS = UVM_SOON / 64 };
    uint64_t start = (s->from + 1) % UVM_SOON, above = UINT64_MAX << start % 64;
    for (uint64_t i = 0; i <= WORDS; i++) {
        uint64_t word = (start / 64 + i) % WORDS, bits = s->some[word];
        bits &= i == 0 ? above : i == WORDS ? ~above : UINT64_MAX;
        if (bits)
            return s->from + 1 + (word * 64 + msw_bits_lowest(bits) - start) % UVM_SOON;
    }
    return UINT64_MAX;
}

static uint64_t take_cycle(uvm_sleepers *s, uint64_t cycle)
{
    uint64_t at = cycle % UVM_SOON, warps = s->at[at];
    s->at[at] = 0;
    s->some[at / 64] &= ~((uint64_t)1 << at % 64);
    s->next = first_cycle(s);
    return warps;
}

static void sleep_until(uvm_sleepers *s, uint32_t warp, uint64_t time)
{
    uint64_t at = time % UVM_SOON;
    if (time == UINT64_MAX)
        return;
    if (time - s->from >= UVM_SOON) {
        s->late |= (uint64_t)1 << warp;
        s->late_from = msw_min_u64(s->late_from, time);
        return;
    }
    s->at[at] |= (uint64_t)1 << warp;
    s->some[at / 64] |= (uint64_t)1 << at % 64;
    s->next = msw_min_u64(s->next, time);
}

/* Sorts those that are late anew. */
static void look_at_late(uvm_sleepers *s, const uvm_sm *sm)
{
    uint64_t rest = s->late;
    s->late = 0;
    s->late_from = UINT64_MAX;
    for (; rest; rest &= rest - 1) {
        uint32_t warp = msw_bits_lowest(rest);
        if (sm->ready[warp] > s->from)
            sleep_until(s, warp, sm->ready[warp]);
    }
}

static void wake_until(uvm_sm *sm, uvm_sleepers *s, uint64_t now)
{
    while (s->next <= now)
        for (uint64_t rest = take_cycle(s, s->next); rest; rest &= rest - 1)
            sm->awake |= (uint64_t)1 << sm->rank[msw_bits_lowest(rest)];
    for (uint64_t rest = s->late_from <= now ? s->late : 0; rest; rest &= rest - 1)
        sm->awake |= (uint64_t)1 << sm->rank[msw_bits_lowest(rest)];
    s->from = now;
    if (s->late && s->late_from < now + UVM_SOON)
        look_at_late(s, sm);
}

/* When the first sleeper is ready. */
static uint64_t first_ready(const uvm_sm *sm, uvm_sleepers *s)
{
    while (s->next != UINT64_MAX) {
        for (uint64_t rest = s->at[s->next % UVM_SOON]; rest; rest &= rest - 1)
            if (sm->ready[msw_bits_lowest(rest)] == s->next)
                return s->next;
        take_cycle(s, s->next);
    }
    look_at_late(s, sm);
    return s->late_from;
}

uint32_t uvm_oldest(uvm_sm *sm, uint32_t number, uvm_scheduler *scheduler, uint64_t *earliest)
{
    uvm_sleepers *s = &scheduler->sleepers;
    uint64_t now = scheduler->now;
    wake_until(sm, s, now);
    for (uint64_t rest = sm->awake & sm->of[number]; rest; rest &= rest - 1) {
        uint32_t warp = sm->by_rank[msw_bits_lowest(rest)];
        if (sm->ready[warp] <= now)
            return warp;
        sm->awake &= ~(rest & (~rest + 1));
        sleep_until(s, warp, sm->ready[warp]);
    }
    *earliest = first_ready(sm, s);
    return UVM_MOST_WARPS;
}

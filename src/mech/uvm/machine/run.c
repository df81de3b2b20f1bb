/* SPDX-License-Identifier: MIT */
/* Runs a program, stage after stage; in a launch, the clock goes from one thing that ends to the
 * next. SMs run apart where they may. */
#include "mech/uvm/machine/machine.h"

#include "mech/uvm/closed/closed.h"
#include "mech/uvm/learn/network.h"
#include "mech/uvm/model.h"

#include <string.h>

/* ---- SMs and the clock ----
 *
 * What others do acts on an SM when walks end and when the pager ends something. Where pages only
 * come (nothing is evicted, read over the link or predicted from walks) it acts through pages alone
 * that an SM waits for, or would fault on. So an SM runs on its own, its walks included, up to the
 * next thing that the pager ends, to a walk of its own that faults, or to the end of a CTA whose
 * place is taken by the next of the grid. Of these the earliest is handled in common; then all go
 * on. A fault of one SM may queue pages in the past of another: that one has not met them, else it
 * had stopped there. Elsewhere all walks are handled in common, and no SM passes the first that may
 * end. The rules are the same, so where both may be used their answers are.
 *
 * How far an SM runs changes nothing but the memory that it takes to note what it did. */

enum { SLICES_UNWATCHED = 256, STUCK = 1 << 21, AGAIN = 64 };

/* In four parts that do not wait for each other. */
static uint64_t earliest(const uint64_t *times, size_t count)
{
    uint64_t first[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            first[k] = msw_min_u64(first[k], times[i + k]);
    for (; i < count; i++)
        first[0] = msw_min_u64(first[0], times[i]);
    return msw_min_u64(msw_min_u64(first[0], first[1]), msw_min_u64(first[2], first[3]));
}

/* When the first warp of an SM can issue. */
static inline uint64_t first_issue(const uvm_machine *m, uint32_t first, uint32_t end)
{
    uint64_t time = msw_min_u64(m->next[first], m->next[end - 1]);
    if (end - first > 2)
        for (uint32_t i = first + 1; i + 1 < end; i++)
            time = msw_min_u64(time, m->next[i]);
    return time;
}

/* Up to `until`, or to its own stop. */
static int run_sm(uvm_machine *m, uint32_t number, uint64_t until, uint64_t least)
{
    uvm_sm *sm = &m->sms[number];
    uint32_t count = (uint32_t)m->config->schedulers, first = number * count;
    while (!m->stopped) {
        uint64_t warps = first_issue(m, first, first + count), walks = m->walk_next[number];
        uint64_t end = msw_min_u64(until, sm->cta_stop);
        if (msw_min_u64(warps, walks) >= end)
            return 0;
        if (walks <= warps) {
            int rc = uvm_end_local_walks(m, number, walks);
            if (rc == 1)
                sm->walk_stop = walks;
            if (rc)
                return rc < 0 ? -1 : 0;
            continue;
        }
        end = msw_min_u64(msw_min_u64(end, walks), warps + least);
        if (uvm_issue(m, number, end))
            return -1;
    }
    return 0;
}

/* Runs all that are not stopped. Returns the first stop; *next is the first thing that any has left
 * to do. */
static int run_all(uvm_machine *m, uint64_t until, uint64_t *stop, uint64_t *next)
{
    uint64_t least = (uint64_t)(m->config->walk_cycles + m->config->tlb_cycles);
    uint32_t count = (uint32_t)m->config->schedulers;
    *stop = *next = UINT64_MAX;
    for (uint32_t s = 0; s < (uint32_t)m->config->sms; s++) {
        uvm_sm *sm = &m->sms[s];
        if (sm->walk_stop == UINT64_MAX && run_sm(m, s, until, least))
            return -1;
        *stop = msw_min_u64(*stop, msw_min_u64(sm->walk_stop, sm->cta_stop));
        *next = msw_min_u64(*next, m->walk_next[s]);
        *next = msw_min_u64(*next, first_issue(m, s * count, (s + 1) * count));
    }
    return 0;
}

/* How far SMs may run. */
static uint64_t run_until(const uvm_machine *m)
{
    const uvm_config *c = m->config;
    if (m->apart)
        return msw_min_u64(m->horizon, m->clock + m->span);
    uint64_t least = (uint64_t)(c->walk_cycles + c->tlb_cycles);
    if (m->remote)
        least = 1; /* lines take turns on the link without a walk */
    uint64_t first = earliest(m->next, (size_t)(c->sms * c->schedulers));
    uint64_t until = earliest(m->walk_next, (size_t)c->sms);
    if (first < UINT64_MAX - least)
        until = msw_min_u64(until, first + least);
    return msw_min_u64(m->horizon, until);
}

/* What ends in this cycle: transfers and batches, walks that fault or all, CTAs. */
static int step_common(uvm_machine *m, uint64_t now)
{
    size_t faults = 0;
    uint32_t sms = (uint32_t)m->config->sms;
    if (uvm_pager_next(&m->pager) <= now && uvm_step_pager(m, now))
        return -1;
    for (uint32_t s = 0; s < sms; s++) {
        if (m->sms[s].walk_stop > now && (m->apart || m->walk_next[s] > now))
            continue;
        m->sms[s].walk_stop = UINT64_MAX;
        if (uvm_end_sm_walks(m, s, now, &faults))
            return -1;
    }
    if (faults && uvm_pager_fault(&m->pager, now, m->faults, faults))
        return -1;
    for (uint32_t s = 0; s < sms; s++)
        if (m->sms[s].cta_stop <= now && uvm_end_ctas(m, s, now))
            return -1;
    return uvm_end_waiting(m, now);
}

/* When something last went on, and what had been done then. */
typedef struct watch {
    uint64_t done, asked, moved, round;
} watch;

/* Warps whose pages do not fit side by side can evict them from each other for ever: pages are
 * asked for again and again, and no instruction is issued and no access answered. What waits for
 * the link, however long it is, asks for nothing: each page is there once. So it has gone on too
 * long when all pages have been asked for AGAIN times over, or in STUCK steps nothing has moved. */
static int check_progress(uvm_machine *m, uint64_t round, watch *w)
{
    const uvm_pager *p = &m->pager;
    uint64_t done = m->totals.instructions + m->totals.accesses + m->waiters.answered;
    uint64_t asked = p->counts.pages_in, moved = p->in.transfers + p->out.transfers;
    if (done != w->done)
        *w = (watch){done, asked, moved, round};
    if (moved != w->moved)
        w->round = round;
    w->moved = moved;
    if (asked - w->asked <= AGAIN * m->layout->pages && round - w->round < STUCK)
        return 0;
    return msw_fail_kind(m->err, MSW_ERR_UNFIT,
                         "warps evict each other's pages, and none goes on: %llu pages asked for "
                         "without an access; more memory (oversubscription), or fewer warps",
                         (unsigned long long)(asked - w->asked));
}

static int run_launch(uvm_machine *m)
{
    uint64_t rounds = 0, latest = m->clock;
    watch w = {0};
    while (m->grid.live_ctas && !m->stopped) {
        uint64_t stop, next;
        m->horizon = uvm_pager_next(&m->pager);
        if (run_all(m, run_until(m), &stop, &next))
            return -1;
        if (!m->grid.live_ctas)
            break;
        stop = msw_min_u64(stop, m->horizon);
        if (!m->apart)
            stop = msw_min_u64(stop, earliest(m->walk_next, (size_t)m->config->sms));
        m->pager.memory.stuck =
            next == UINT64_MAX && stop == m->horizon && uvm_memory_only_looks(&m->pager);
        if (stop == UINT64_MAX && next == UINT64_MAX)
            return msw_fail_kind(m->err, MSW_ERR_INTERNAL, "uvm: nothing can go on");
        uvm_account(m, msw_min_u64(stop, next));
        if (stop <= next && step_common(m, stop))
            return -1;
        if (++rounds % SLICES_UNWATCHED)
            continue;
        MSW_TRY(check_progress(m, rounds, &w));
        m->stopped = m->stopped || uvm_over_limits(m); /* the engine looks at them itself */
    }
    for (uint32_t i = 0; i < (uint32_t)(m->config->sms * m->config->schedulers); i++)
        latest = msw_max_u64(latest, m->schedulers[i].now);
    uvm_account(m, m->stopped ? latest : msw_max_u64(m->finished, latest));
    uvm_account_end(m);
    return 0;
}

/* Time between two lines of an SM: its own limit, or its share of the memory. */
static uint64_t line_ticks(const uvm_machine *m, const uvm_launch *launch)
{
    const uvm_config *c = m->config;
    double active = (double)msw_min_u64((uint64_t)c->sms, launch->ctas);
    double own = c->sm_lines > 0 ? 1 / c->sm_lines : 0;
    double share = c->memory_lines > 0 ? active / c->memory_lines : 0;
    return (uint64_t)(msw_max_f64(own, share) * UVM_TICKS + 0.5);
}

static int start_launch(uvm_machine *m, const uvm_launch *launch)
{
    uint32_t sms = (uint32_t)m->config->sms;
    m->grid.launch = launch;
    m->grid.next_cta = m->grid.live_ctas = m->grid.ended_ctas = 0;
    m->grid.line_ticks = line_ticks(m, launch);
    m->grid.ctas_held = uvm_ctas_held(m->config, launch, m->err);
    if (!m->grid.ctas_held)
        return -1;
    uvm_heads_start(&m->grid.heads, launch, m->grid.heads_memory);
    for (uint32_t i = 0; i < sms * (uint32_t)m->config->schedulers; i++)
        uvm_scheduler_start(&m->schedulers[i], m->clock);
    uint32_t first = m->config->launch_from == UVM_FROM_NEXT ? m->grid.first_sm : 0;
    for (uint32_t slot = 0; slot < m->grid.ctas_held; slot++)
        for (uint32_t s = 0; s < sms && m->grid.next_cta < launch->ctas; s++)
            if (uvm_start_cta(m, (first + s) % sms, slot, m->clock + slot))
                return -1;
    return 0;
}

static int begin_launch(uvm_machine *m, const uvm_stage *stage)
{
    m->totals.launch += (uint64_t)m->config->launch_cycles;
    m->clock += (uint64_t)m->config->launch_cycles;
    m->finished = m->clock;
    m->pager.launch++;
    m->grid.kernel = uvm_kernel_number(m->stream, (size_t)(stage - m->stream->stages));
    uvm_slices_start(m);
    return start_launch(m, stage->launch);
}

static int launch(uvm_machine *m, const uvm_stage *stage)
{
    if (begin_launch(m, stage) || run_launch(m))
        return -1;
    m->grid.launches++;
    return 0;
}

/* Returns whether SMs may run past each other's walks under this config. */
static bool uvm_may_run_apart(const uvm_machine *m)
{
    const uvm_config *c = m->config;
    return c->migration == UVM_FIRST_TOUCH && m->pager.memory.capacity == UINT64_MAX &&
           (!m->pager.predictor || c->predict_on == UVM_ON_FAULT) && m->limit == UINT64_MAX &&
           !c->fault_registers && c->thrash == UVM_THRASH_OFF;
}

/* ---- memory ---- */

static int init_sm(uvm_machine *m, uvm_sm *sm)
{
    const uvm_config *c = m->config;
    msw_arena *arena = m->task->arena;
    size_t slots = m->stream->slots_most + 1u, warps = (size_t)c->sm_warps;
    msw_tlb_config tlb = {.banks = 1,
                          .sets = 1,
                          .ways = (uint32_t)c->tlb_entries,
                          .policy = MSW_POLICY_LRU,
                          .sizes = 1,
                          .page_shift = {(uint8_t)m->layout->shift},
                          .coalesce = 1};
    bool all = m->layout->pages <= (uint64_t)c->tlb_entries; /* what stays needs no order */
    void *memory = all ? m : msw_arena_take(arena, msw_tlb_bytes(&tlb));
    uint64_t *words = msw_arena_take(arena, 2 * warps * slots * sizeof *words);
    sm->warps = msw_arena_zero(arena, warps, sizeof *sm->warps);
    sm->ctas = msw_arena_zero(arena, warps, sizeof *sm->ctas);
    if (!memory || !words || !sm->warps || !sm->ctas)
        return msw_fail_memory(m->err);
    for (size_t w = 0; w < warps; w++) {
        sm->warps[w].reader.address = words + 2 * w * slots;
        sm->warps[w].reader.step = words + (2 * w + 1) * slots;
        sm->warps[w].scheduler =
            (uint32_t)((size_t)(sm - m->sms) * (size_t)c->schedulers + w % (size_t)c->schedulers);
    }
    if (all) {
        sm->translated = msw_arena_zero(arena, m->layout->pages / 64 + 1, sizeof *sm->translated);
        if (!sm->translated)
            return msw_fail_memory(m->err);
    }
    if (c->fault_registers) {
        sm->waits_for = msw_arena_zero(arena, m->layout->pages / 64 + 1, sizeof *sm->waits_for);
        if (!sm->waits_for)
            return msw_fail_memory(m->err);
    }
    sm->cta_stop = sm->walk_stop = UINT64_MAX;
    memset(sm->ready, 0xff, sizeof sm->ready);
    uvm_ages_init(m, (uint32_t)(sm - m->sms));
    return all ? 0 : msw_tlb_init(&sm->tlb, &tlb, memory, m->err);
}

static int init_memory(uvm_machine *m)
{
    const uvm_config *c = m->config;
    msw_arena *arena = m->task->arena;
    size_t sms = (size_t)c->sms, schedulers = sms * (size_t)c->schedulers;
    m->sms = msw_arena_zero(arena, sms, sizeof *m->sms);
    m->schedulers = msw_arena_zero(arena, schedulers, sizeof *m->schedulers);
    m->next = msw_arena_take(arena, schedulers * sizeof *m->next);
    m->walk_next = msw_arena_take(arena, sms * sizeof *m->walk_next);
    m->faults = msw_arena_take(arena, (sms * UVM_MOST_WARPS + 1) * UVM_LINES * sizeof *m->faults);
    m->waiters.last_of = msw_arena_zero(arena, m->layout->pages, sizeof *m->waiters.last_of);
    m->grid.heads_memory = msw_arena_take(arena, uvm_heads_bytes(m->stream) + 1);
    m->grid.readers = msw_arena_take(arena, (m->stream->warps_most + 1u) * sizeof *m->grid.readers);
    if (!m->sms || !m->schedulers || !m->next || !m->walk_next || !m->faults ||
        !m->waiters.last_of || !m->grid.heads_memory || !m->grid.readers)
        return msw_fail_memory(m->err);
    memset(m->next, 0xff, schedulers * sizeof *m->next);
    memset(m->walk_next, 0xff, sms * sizeof *m->walk_next);
    for (size_t s = 0; s < sms; s++)
        if (init_sm(m, &m->sms[s]))
            return -1;
    return 0;
}

int uvm_machine_init(uvm_machine *m, const msw_task *task, msw_err *err)
{
    uvm_foreseen known = uvm_foreseen_of(task);
    *m = (uvm_machine){.config = task->config,
                       .stream = task->artifacts[UVM_ARTIFACT_STREAM],
                       .layout = task->artifacts[UVM_ARTIFACT_LAYOUT],
                       .task = task,
                       .span = UVM_SPAN,
                       .grid = {.first_sm = 1 % (uint32_t)((const uvm_config *)task->config)->sms},
                       .err = err};
    m->limit = m->config->run_share < 1
                   ? (uint64_t)(m->config->run_share * (double)m->stream->threads + 0.5)
                   : UINT64_MAX;
    if (init_memory(m) || uvm_pager_init(&m->pager, m->config, m->layout,
                                         task->artifacts[UVM_ARTIFACT_LINK], task->arena, err))
        return -1;
    if ((m->config->prefetcher == UVM_LEARNED && m->config->predict_asks == UVM_ASKS_WALKS &&
         uvm_online_open(task, &known.asker, err)) ||
        uvm_ahead_init(&m->pager, &known))
        return -1;
    m->pager.task = task;
    m->pager.gone = uvm_page_gone;
    m->pager.self = m;
    m->apart = uvm_may_run_apart(m);
    m->remote = m->config->remote_translations && !m->apart;
    m->plain = !m->remote && m->config->page_trace == UVM_TRACE_NONE && !m->pager.predictor &&
               !m->config->fault_registers && !m->pager.memory.watch;
    return 0;
}

/* ---- the other stages ---- */

/* Transfers go on while nothing runs. Returns 0, or -1. */
static int pass_time(uvm_machine *m, uint64_t until)
{
    while (uvm_pager_next(&m->pager) <= until)
        if (uvm_step_pager(m, uvm_pager_next(&m->pager)))
            return -1;
    if (until > m->clock) {
        m->totals.host += until - m->clock;
        m->clock = until;
    }
    return 0;
}

/* The host waits for what goes back. */
static int send_back(uvm_machine *m, uint64_t first, uint64_t end, bool clean)
{
    if (uvm_pager_back(&m->pager, m->clock, first, end, clean))
        return -1;
    while (m->pager.out.until != UINT64_MAX)
        if (pass_time(m, m->pager.out.until))
            return -1;
    return 0;
}

static int synchronise(uvm_machine *m)
{
    if (m->config->sync != UVM_SYNC_DIRTY)
        return 0;
    if (send_back(m, 0, m->layout->pages, false))
        return -1;
    if (m->config->sync_resets_tree)
        memset(m->pager.leaves, 0, m->layout->chunk_count * sizeof *m->pager.leaves);
    return 0;
}

static int host_access(uvm_machine *m, const uvm_stage *stage)
{
    if (m->config->host_access != UVM_HOST_MIGRATES || !stage->bytes)
        return 0;
    uint64_t first = (stage->address - m->layout->base) >> m->layout->shift;
    uint64_t end = (stage->address + stage->bytes - 1 - m->layout->base) >> m->layout->shift;
    return send_back(m, first, end + 1, true);
}

/* Before the program: bulk copies are waited for, the user's prefetches are not. */
static int prepare(uvm_machine *m)
{
    if (m->config->prefetcher != UVM_BULK && m->config->prefetcher != UVM_USER)
        return 0;
    if (uvm_pager_bulk(&m->pager, 0))
        return -1;
    while (m->config->prefetcher == UVM_BULK && m->pager.in.until != UINT64_MAX)
        if (pass_time(m, m->pager.in.until))
            return -1;
    return 0;
}

int uvm_machine_run(uvm_machine *m)
{
    int rc = prepare(m);
    for (size_t s = 0; s < m->stream->stage_count && rc == 0 && !m->stopped; s++) {
        const uvm_stage *stage = &m->stream->stages[s];
        if (stage->kind == MSW_SIMT_STAGE_LAUNCH)
            rc = launch(m, stage);
        else if (stage->kind == MSW_SIMT_STAGE_SYNC)
            rc = synchronise(m);
        else
            rc = host_access(m, stage);
    }
    return rc;
}

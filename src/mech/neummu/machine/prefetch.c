/* SPDX-License-Identifier: MIT */
/* A second address generator runs ahead of the one that issues, as far as it may look: README.md,
 * "Prefetch of translations". */
#include "mech/neummu/machine/machine.h"

#include "memsweep/base/bits.h"

#include <string.h>

int neummu_prefetch_open(neummu_prefetch *p, const neummu_config *config,
                         const neummu_stream *stream, msw_arena *arena, msw_err *err)
{
    *p = (neummu_prefetch){.config = config};
    if (!neummu_prefetches(config))
        return 0;
    p->asked = msw_arena_zero(arena, stream->page_count, sizeof *p->asked);
    p->stream = stream;
    neummu_prefetch_reset(p);
    return p->asked ? 0 : msw_fail_memory(err);
}

void neummu_prefetch_reset(neummu_prefetch *p)
{
    if (++p->generation == 0 && p->stream) {
        memset(p->asked, 0, p->stream->page_count * sizeof *p->asked);
        p->generation = 1;
    }
    p->engine = p->next = (neummu_position){.during = UINT64_MAX};
    p->ahead = p->page = p->free = p->step = 0;
    p->lookups = p->walks = 0;
    p->useful = p->late = 0;
}

/* ---- what is looked at ---- */

static bool issued_at(const neummu_prefetch *p, const neummu_position *position,
                      neummu_issued *issued)
{
    return position->during < p->stream->step_count &&
           neummu_issued_at(p->stream, position->during, position->part, issued);
}

/* Whether the generator may go from the engine's transfer to that of `position`. */
static bool may_reach(const neummu_prefetch *p, const neummu_position *position,
                      const neummu_issued *issued)
{
    const neummu_step *steps = p->stream->steps;
    neummu_issued engine;
    if (position->during == p->engine.during && position->part == p->engine.part)
        return true;
    if (p->config->tlb_prefetch == NEUMMU_PREFETCH_NETWORK)
        return true;
    return p->config->tlb_prefetch == NEUMMU_PREFETCH_LAYER && issued_at(p, &p->engine, &engine) &&
           steps[engine.step].layer == steps[issued->step].layer;
}

/* Finds the visit to look at next, past the end of transfers. Returns it, or NULL. */
static const neummu_visit *next_in_order(neummu_prefetch *p)
{
    neummu_issued issued;
    if (p->ahead >= (uint64_t)p->config->tlb_prefetch_depth)
        return NULL;
    while (p->next.during < p->stream->step_count) {
        if (issued_at(p, &p->next, &issued) && p->next.visit < issued.flow->count)
            return may_reach(p, &p->next, &issued) ? &issued.flow->visits[p->next.visit] : NULL;
        p->next.visit = 0;
        if (++p->next.part == NEUMMU_PARTS) {
            p->next.part = 0;
            p->next.during++;
        }
    }
    return NULL;
}

/* Finds the page to look at next. Returns whether there is one. */
static bool find_next(neummu_prefetch *p, uint64_t *page)
{
    if (p->config->tlb_prefetch == NEUMMU_PREFETCH_NEXT_PAGE) {
        *page = p->page;
        return p->page && p->ahead < (uint64_t)p->config->tlb_prefetch_depth &&
               p->page < p->stream->first_page + p->stream->page_count;
    }
    const neummu_visit *visit = next_in_order(p);
    if (visit)
        *page = visit->page;
    return visit;
}

static void pass(neummu_prefetch *p)
{
    p->ahead++;
    p->page += p->page > 0;
    p->next.visit++;
}

uint64_t neummu_prefetch_first(const neummu_prefetch *p, const neummu_flow *flow)
{
    neummu_issued issued;
    if (!p->stream || !issued_at(p, &p->engine, &issued))
        return 0;
    return issued.flow->count > flow->count ? issued.flow->count - flow->count : 0;
}

void neummu_prefetch_part(neummu_machine *machine, uint64_t during, int part, uint64_t start)
{
    neummu_prefetch *p = &machine->prefetch;
    if (!p->stream)
        return;
    neummu_prefetch_run(machine, start, 0);
    p->engine = (neummu_position){.during = during, .part = part};
    if (during >= p->stream->step_count) /* the last stores */
        p->next.during = UINT64_MAX;
}

/* The pages behind the one being asked for, where the last look-ahead does not reach further. */
static void follow_page(neummu_prefetch *p, uint64_t page)
{
    if (p->page > page && p->page <= page + 1 + (uint64_t)p->config->tlb_prefetch_depth)
        p->ahead = p->page - page - 1;
    else
        p->ahead = 0;
    p->page = page + 1 + p->ahead;
}

static bool is_behind(const neummu_position *a, const neummu_position *b)
{
    if (b->during == UINT64_MAX || a->during != b->during)
        return b->during != UINT64_MAX && a->during < b->during;
    return a->part != b->part ? a->part < b->part : a->visit < b->visit;
}

void neummu_prefetch_visit(neummu_prefetch *p, const neummu_visit *visit, uint64_t number,
                           uint64_t now)
{
    p->free = msw_max_u64(p->free, now);
    if (p->config->tlb_prefetch == NEUMMU_PREFETCH_NEXT_PAGE) {
        follow_page(p, visit->page);
        return;
    }
    p->engine.visit = number;
    if (is_behind(&p->engine, &p->next)) {
        p->ahead -= p->ahead > 0;
        return;
    }
    p->next = p->engine;
    p->next.visit++;
    p->ahead = 0;
}

/* ---- what becomes of it ---- */

static uint64_t *asked_of(const neummu_prefetch *p, uint64_t page)
{
    return &p->asked[(page & ~NEUMMU_LARGE) - p->stream->first_page];
}

/* What a step counts is taken so many times. */
static double executions(const neummu_prefetch *p, uint64_t step)
{
    return step < p->stream->step_count ? (double)p->stream->steps[step].executions : 1;
}

void neummu_prefetch_met(neummu_machine *machine, uint64_t page, msw_mmu_kind kind)
{
    neummu_prefetch *p = &machine->prefetch;
    const msw_walker *pool = &machine->stage.mmu.walker;
    uint64_t *asked = asked_of(p, page);
    if (*asked >> 32 != p->generation)
        return;
    double times = executions(p, (uint32_t)*asked) / executions(p, p->step);
    *asked = 0;
    if (kind == MSW_MMU_L1_HIT || kind == MSW_MMU_L2_HIT)
        p->useful += times;
    else if (kind != MSW_MMU_WALK || pool->entries[machine->stage.mmu.walk.entry].again)
        p->late += times;
}

static bool is_known(msw_mmu *mmu, msw_page page)
{
    return msw_tlb_probe(&mmu->l1, 0, page.address) != UINT64_MAX ||
           (mmu->config.has_l2 && msw_tlb_probe(&mmu->l2, 0, page.address) != UINT64_MAX) ||
           msw_mshr_find(&mmu->walker.board, msw_page_key(page)) != MSW_MSHR_NONE;
}

static void look_up(neummu_machine *machine, uint64_t number)
{
    neummu_prefetch *p = &machine->prefetch;
    msw_mmu *mmu = &machine->stage.mmu;
    msw_walk_request request = {.time = p->free + mmu->lookup_cycles,
                                .page = neummu_page_of(machine->shifts, number),
                                .count = 1,
                                .note = 1}; /* fills the first TLB */
    p->lookups++;
    if (is_known(mmu, request.page))
        return;
    msw_walker_request(&mmu->walker, &request, &mmu->walk);
    *asked_of(p, number) = (uint64_t)p->generation << 32 | p->step;
    p->walks++;
    if (machine->waiting) {
        machine->waiting[mmu->walk.entry].asked = p->free;
        msw_translate_begin(&machine->stage);
    } else if (machine->walks) {
        neummu_walk_log_add(machine->walks, p->free, mmu->lookup_cycles, mmu->walk.done);
    }
}

/* ---- when ---- */

/* Whether a prefetch may begin: more walkers are free than are to be left, and nobody waits. */
static bool may_begin(const neummu_machine *machine)
{
    const msw_walker *pool = &machine->stage.mmu.walker;
    uint64_t busy = pool->board.capacity - pool->board.free_count;
    uint64_t spare = (uint64_t)machine->config->tlb_prefetch_spare;
    return busy + spare < pool->config.walkers && pool->line.count == 0;
}

static uint64_t settle(neummu_machine *machine, uint64_t now, uint64_t done)
{
    if (machine->waiting)
        return neummu_go_until(machine, now, done);
    msw_mmu_settle(&machine->stage.mmu, now);
    return done;
}

static uint64_t next_change(const neummu_machine *machine)
{
    return machine->waiting ? neummu_next_event(machine) : msw_mmu_next(&machine->stage.mmu);
}

uint64_t neummu_prefetch_run(neummu_machine *machine, uint64_t until, uint64_t done)
{
    neummu_prefetch *p = &machine->prefetch;
    uint64_t lookup = machine->stage.mmu.lookup_cycles, page;
    if (machine->waiting && machine->stage.mmu.ended > lookup)
        p->free = msw_max_u64(p->free, machine->stage.mmu.ended - lookup);
    while (p->free < until && find_next(p, &page)) {
        done = settle(machine, p->free + lookup, done);
        if (!may_begin(machine)) {
            uint64_t change = next_change(machine);
            p->free = change < until + lookup ? change - lookup : until;
            continue;
        }
        look_up(machine, page);
        pass(p);
        p->free++;
    }
    p->free = msw_max_u64(p->free, until);
    return done;
}

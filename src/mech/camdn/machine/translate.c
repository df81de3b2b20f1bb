/* SPDX-License-Identifier: MIT */
/* Translates the lines of a phase ahead of its DMA, run after run on one page, in the order in
 * which the DMA asks for them, at most so many ahead. What has been asked for stands in a ring
 * until its translation has come and the DMA asks for the lines; a group leaves when all of its
 * lines are translated. NPUs ask in the order of time, of equals the first NPU first; walks end,
 * and their accesses reach the memory, in the same order (README.md, "Translation"). */
#include "mech/camdn/machine/system.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { SPACE_BITS = 39, WALK_BITS = 15, RING_BITS = 17, NOBODY = UINT32_MAX };
static const uint64_t NEVER = UINT64_MAX;

static uint32_t stages_of(const camdn_config *c)
{
    int64_t kind = c->translation.kind;
    return kind == CAMDN_TRANSLATE_PRIVATE ? (uint32_t)camdn_running(c)
           : kind <= CAMDN_TRANSLATE_IDEAL ? 0
                                           : 1;
}

static uint32_t ring_of(const camdn_config *c)
{
    return (uint32_t)(c->translation.ahead > c->burst ? c->translation.ahead : c->burst);
}

typedef struct parts {
    size_t stages, each, waiting, reads, rings, all;
} parts;

static parts lay_out(const camdn_config *c, const msw_translate_config *stage)
{
    uint32_t count = stages_of(c);
    parts p = {.each = count ? msw_align_line(msw_translate_bytes(stage)) : 0};
    p.stages = msw_align_line(count * sizeof(msw_translate));
    p.waiting = p.stages + count * p.each;
    p.reads = p.waiting + msw_align_line((size_t)count * stage->reads.walks * sizeof(uint32_t));
    p.rings = p.reads + msw_align_line(count * sizeof(uint32_t));
    p.all = p.rings + (size_t)c->tenants * ring_of(c) * sizeof(camdn_asked);
    return p;
}

size_t camdn_translate_bytes(const camdn_config *c, uint64_t memory)
{
    msw_translate_config stage;
    if (c->translation.kind == CAMDN_TRANSLATE_NONE)
        return 0;
    camdn_stage_of(c, &stage);
    bool touched = c->translation.frames == CAMDN_FRAMES_TOUCHED;
    uint64_t pages = memory / (uint64_t)c->translation.page + 2;
    return lay_out(c, &stage).all + (touched ? (1 + pages) * sizeof(uint32_t) : 0);
}

/* Pages of all memory, as a power of two: frames are shuffled among so many. */
static unsigned frame_bits_of(const camdn_system *s)
{
    const msw_graph_product *mix = s->draws.mix;
    uint64_t bytes = s->translate.each * s->count;
    if (s->config->translation.frames != CAMDN_FRAMES_SCATTERED || mix->count == 0)
        return 0;
    return msw_bits_width((bytes >> s->translate.page_shift) + 1);
}

int camdn_translate_start(camdn_system *s, char *memory, msw_err *err)
{
    const camdn_config *c = s->config;
    const msw_graph_product *mix = s->draws.mix;
    camdn_translate *t = &s->translate;
    msw_translate_config stage;
    *t = (camdn_translate){.on = c->translation.kind != CAMDN_TRANSLATE_NONE, .next = NEVER};
    if (!t->on)
        return 0;
    camdn_stage_of(c, &stage);
    parts p = lay_out(c, &stage);
    t->ideal = c->translation.kind == CAMDN_TRANSLATE_IDEAL;
    t->unknown = !t->ideal && c->translation.memory != CAMDN_WALKS_FIXED;
    t->count = stages_of(c), t->ring = ring_of(c), t->walks = stage.reads.walks;
    t->width = t->ideal ? 1 : (uint64_t)c->translation.width;
    t->page_shift = msw_bits_log2((uint64_t)c->translation.page);
    t->stages = (void *)memory;
    t->waiting = (void *)(memory + p.waiting);
    t->reads = (void *)(memory + p.reads);
    memset(t->waiting, 0xff, (size_t)t->count * t->walks * sizeof *t->waiting);
    t->first = s->bases[0];
    t->each = s->count > 1 ? s->bases[2 * mix->count] - s->bases[0] : (uint64_t)1 << SPACE_BITS;
    t->frame_bits = frame_bits_of(s);
    if (c->translation.frames == CAMDN_FRAMES_TOUCHED)
        t->frames = (void *)(memory + p.all);
    if (t->each > (uint64_t)1 << SPACE_BITS)
        return msw_fail_kind(err, MSW_ERR_UNFIT, "translation: a tenant's memory exceeds 512 GiB");
    for (uint32_t i = 0; i < t->count; i++)
        MSW_TRY(msw_translate_init(&t->stages[i], &stage, memory + p.stages + i * p.each, err));
    t->lookup = t->unknown ? t->stages[0].mmu.lookup_cycles : 0;
    for (uint32_t i = 0; i < s->count; i++) {
        s->npus[i].ahead.ring = (camdn_asked *)(void *)(memory + p.rings) + (size_t)i * t->ring;
        s->npus[i].ahead.tick = NEVER;
    }
    return 0;
}

/* ---- what has been asked for ---- */

static camdn_asked *asked_at(const camdn_system *s, const camdn_ahead *a, uint32_t number)
{
    uint32_t at = a->head + number;
    return &a->ring[at < s->translate.ring ? at : at - s->translate.ring];
}

/* When so many lines are translated, in cycles. */
static uint64_t known_at(const camdn_system *s, const camdn_ahead *a, uint64_t lines)
{
    uint64_t last = 0;
    for (uint32_t i = 0; lines > 0 && i < a->count; i++) {
        const camdn_asked *e = asked_at(s, a, i);
        uint64_t part = msw_min_u64(lines, e->lines);
        if (e->first == NEVER)
            return NEVER;
        last = msw_max_u64(last, e->first + (part - 1) * e->gap);
        lines -= part;
    }
    return lines > 0 && !a->ended ? NEVER : last / s->translate.width;
}

/* The DMA goes on where what it waits for is known. */
static void wake(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (n->parked != CAMDN_FOR_PAGE)
        return;
    uint64_t known = known_at(s, &n->ahead, (uint64_t)s->config->burst);
    if (known == NEVER)
        return;
    n->parked = CAMDN_NOT_PARKED;
    n->time = msw_max_u64(n->resume, known);
    n->ahead.delay += n->time - n->resume;
    camdn_heap_update(s, tenant);
}

static void find_next(camdn_translate *t, const camdn_system *s)
{
    t->next = NEVER;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->npus[i].ahead.tick < t->next) {
            t->next = s->npus[i].ahead.tick;
            t->who = i;
        }
}

static void set_tick(camdn_system *s, uint32_t tenant, uint64_t tick)
{
    camdn_translate *t = &s->translate;
    s->npus[tenant].ahead.tick = tick;
    if (t->who == tenant)
        find_next(t, s);
    else if (tick < t->next || (tick == t->next && tenant < t->who))
        t->next = tick, t->who = tenant;
}

static void push(camdn_system *s, uint32_t tenant, const camdn_asked *asked)
{
    camdn_ahead *a = &s->npus[tenant].ahead;
    *asked_at(s, a, a->count++) = *asked;
    a->at.line += asked->lines;
    a->at.lines -= asked->lines;
    a->at.old -= msw_min_u64(a->at.old, asked->lines);
    a->left -= asked->lines;
}

/* ---- asking ---- */

/* Whether the lines at hand need no translation: they lie in pages of the NPU. */
static bool is_held(const camdn_system *s, const camdn_npu *n)
{
    const camdn_cursor *at = &n->ahead.at;
    if (s->config->translation.lines != CAMDN_AT_MISS || !s->plans || !at->run.view.pages)
        return false;
    return n->dma.phase != CAMDN_LOADS || at->old > 0;
}

/* The next lines that have one fate: on one page, all or none of them there before. Returns false
 * behind the last ones. */
static bool open_visit(const camdn_system *s, camdn_npu *n)
{
    camdn_ahead *a = &n->ahead;
    if (!camdn_npu_seek(s, n, &a->at))
        return false;
    a->left = a->at.lines;
    if (s->plans && n->dma.phase == CAMDN_LOADS && a->at.old > 0)
        a->left = msw_min_u64(a->at.old, a->left);
    a->left = msw_min_u64(a->left, msw_min_u64(camdn_page_room(s, a->at.line), UINT32_MAX));
    return true;
}

static void count(camdn_result *r, const msw_mmu_answer *answer)
{
    r->translations += answer->taken;
    r->tlb_hits += answer->kind == MSW_MMU_L1_HIT ? answer->taken : 0;
    r->tlb_misses += answer->kind == MSW_MMU_L1_HIT ? 0 : answer->taken;
    r->walks += answer->kind == MSW_MMU_WALK ? answer->taken : 0;
    r->merged += answer->kind == MSW_MMU_MERGED ? answer->taken : 0;
}

/* No end that is not known comes before this. */
static void look_ahead(camdn_system *s, uint32_t number, uint64_t tick)
{
    camdn_translate *t = &s->translate;
    msw_translate *stage = &t->stages[number];
    const camdn_config *c = s->config;
    bool cached = c->translation.memory == CAMDN_WALKS_CACHE;
    uint64_t least = cached ? (uint64_t)c->cache_cycles : s->banks.dram ? 1 : camdn_nearest(c);
    msw_translate_look_ahead(stage, least * t->width);
    if (t->reads[number])
        stage->mmu.horizon = msw_min_u64(stage->mmu.horizon, tick + t->width);
}

/* Lines of a walk whose end is not known wait for it. */
static void wait_for(camdn_system *s, uint32_t stage, uint32_t tenant, uint32_t walk)
{
    camdn_translate *t = &s->translate;
    const camdn_ahead *a = &s->npus[tenant].ahead;
    camdn_asked *e = asked_at(s, a, a->count - 1);
    uint32_t *first = &t->waiting[(size_t)stage * t->walks + walk];
    e->next = *first;
    *first = tenant << RING_BITS | (uint32_t)(e - a->ring);
}

/* Asks for the lines at hand, as many as meet one fate. */
static void ask(camdn_system *s, uint32_t tenant)
{
    camdn_translate *t = &s->translate;
    camdn_npu *n = &s->npus[tenant];
    camdn_ahead *a = &n->ahead;
    uint32_t npu = tenant % s->cores, number = t->count > 1 ? npu : 0;
    msw_translate *stage = &t->stages[number];
    uint64_t tick = a->tick, accesses = stage->mmu.walker.stats.accesses;
    msw_mmu_request request = {
        .time = tick - t->lookup,
        .page = {camdn_virtual_of(s, a->at.line) >> t->page_shift << t->page_shift, t->page_shift},
        .bank = stage->mmu.l1.banks > 1 ? npu : 0,
        .requester = npu,
        .count = a->left};
    if (t->unknown)
        look_ahead(s, number, tick);
    msw_mmu_answer answer = msw_translate_issue(stage, &request, &a->before);
    a->before = answer;
    n->task.now.walk_accesses += stage->mmu.walker.stats.accesses - accesses;
    if (answer.kind == MSW_MMU_BLOCKED) {
        a->blocked = answer.until == NEVER;
        set_tick(s, tenant, a->blocked ? NEVER : msw_max_u64(answer.until + t->lookup, tick + 1));
        return;
    }
    count(&n->task.now, &answer);
    camdn_asked asked = {
        .first = NEVER, .lines = (uint32_t)answer.taken, .before = (uint32_t)answer.before};
    if (answer.done != NEVER) {
        msw_translated times = msw_translate_times(stage, &request, &answer);
        asked.first = times.first, asked.gap = (uint32_t)times.gap;
    }
    push(s, tenant, &asked);
    if (answer.done == NEVER)
        wait_for(s, number, tenant, answer.entry);
    set_tick(s, tenant, tick + answer.taken);
}

static void step(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    camdn_ahead *a = &n->ahead;
    s->translate.now = msw_max_u64(s->translate.now, a->tick);
    if (a->count == s->translate.ring) {
        a->full = true;
        a->stalled = a->tick;
        set_tick(s, tenant, NEVER);
        return;
    }
    if (a->left == 0 && !open_visit(s, n)) {
        a->ended = true;
        set_tick(s, tenant, NEVER);
        wake(s, tenant);
        return;
    }
    camdn_line_of(s, a->at.line); /* touches it */
    if (s->translate.ideal || is_held(s, n)) {
        camdn_asked asked = {.first = a->tick, .lines = (uint32_t)a->left};
        push(s, tenant, &asked);
        n->task.now.translations += s->translate.ideal ? asked.lines : 0;
        n->task.now.tlb_hits += s->translate.ideal ? asked.lines : 0;
    } else {
        ask(s, tenant);
    }
    wake(s, tenant);
}

void camdn_translate_open(camdn_system *s, uint32_t tenant)
{
    camdn_translate *t = &s->translate;
    camdn_npu *n = &s->npus[tenant];
    camdn_ahead *a = &n->ahead;
    *a = (camdn_ahead){
        .at = n->dma.at, .ring = a->ring, .tick = a->tick, .before = {.kind = MSW_MMU_L1_HIT}};
    a->ended = !open_visit(s, n);
    uint64_t now = n->time * t->width + t->lookup;
    set_tick(s, tenant, a->ended ? NEVER : t->ideal ? now : msw_max_u64(now, t->now));
}

bool camdn_translate_ready(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    camdn_ahead *a = &n->ahead;
    uint64_t burst = (uint64_t)s->config->burst, known = known_at(s, a, burst);
    while (s->translate.ideal && known == NEVER && a->tick <= n->time) {
        step(s, tenant);
        known = known_at(s, a, burst);
    }
    if (known == NEVER)
        camdn_npu_park(n, CAMDN_FOR_PAGE);
    else if (known > n->time)
        a->delay += known - n->time, n->time = known;
    else
        return true;
    return false;
}

void camdn_translate_take(camdn_system *s, uint32_t tenant, uint32_t lines, uint64_t time)
{
    camdn_npu *n = &s->npus[tenant];
    camdn_ahead *a = &n->ahead;
    while (lines > 0 && a->count > 0) {
        camdn_asked *e = asked_at(s, a, 0);
        uint32_t part = lines < e->lines ? lines : e->lines;
        e->lines -= part;
        e->first += (uint64_t)part * e->gap;
        lines -= part;
        if (e->lines > 0)
            break;
        a->head = a->head + 1 == s->translate.ring ? 0 : a->head + 1;
        a->count--;
    }
    if (!a->full || a->count == s->translate.ring)
        return;
    a->full = false;
    uint64_t now =
        s->translate.ideal ? time : msw_max_u64(time * s->translate.width, s->translate.now);
    set_tick(s, tenant, msw_max_u64(a->stalled, now));
}

/* ---- walks of unknown end ---- */

/* Who waits for the walk has its answers; who was blocked asks again. */
static void end_walk(camdn_system *s, uint32_t number, const msw_walk_end *end)
{
    camdn_translate *t = &s->translate;
    uint32_t *first = &t->waiting[(size_t)number * t->walks + end->entry], at = *first;
    uint32_t gap = t->stages[number].mmu.config.walker.return_gap;
    *first = NOBODY;
    while (at != NOBODY) {
        uint32_t tenant = at >> RING_BITS;
        camdn_asked *e = &s->npus[tenant].ahead.ring[at & ((1U << RING_BITS) - 1)];
        at = e->next;
        e->first = end->time + (uint64_t)e->before * gap;
        e->gap = gap;
        wake(s, tenant);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        bool same = t->count == 1 || i % s->cores == number;
        if (!same || !s->npus[i].ahead.blocked)
            continue;
        s->npus[i].ahead.blocked = false;
        set_tick(s, i, msw_max_u64(end->time, t->now));
    }
}

static void read_table(camdn_system *s, uint32_t number, const msw_walkread_read *read)
{
    camdn_translate *t = &s->translate;
    uint64_t time = msw_div_up(read->time, t->width);
    uint64_t there = camdn_walk_read(s, read->address, time, number << WALK_BITS | read->walk);
    if (there == NEVER)
        t->reads[number]++;
    else
        msw_translate_answer(&t->stages[number], read->walk,
                             msw_max_u64(there * t->width, read->time));
}

bool camdn_translate_read(camdn_system *s)
{
    camdn_translate *t = &s->translate;
    uint32_t number = s->banks.walk >> WALK_BITS;
    if (!s->banks.read)
        return false;
    s->banks.read = false;
    t->reads[number]--;
    msw_translate_answer(&t->stages[number], s->banks.walk & ((1U << WALK_BITS) - 1),
                         msw_max_u64(s->banks.read_time * t->width, t->now));
    return true;
}

static void happen(camdn_system *s, uint32_t number, uint64_t tick)
{
    camdn_translate *t = &s->translate;
    t->now = msw_max_u64(t->now, tick);
    const msw_mmu *mmu = &t->stages[number].mmu;
    uint64_t accesses = mmu->walker.stats.accesses;
    msw_translate_event event = msw_translate_happen(&t->stages[number], t->now);
    if (mmu->walker.stats.accesses > accesses) { /* a walk has left the line */
        uint32_t waits = t->waiting[(size_t)number * t->walks + mmu->walk.entry];
        s->npus[waits >> RING_BITS].task.now.walk_accesses += mmu->walker.stats.accesses - accesses;
    }
    if (event.kind == MSW_TRANSLATE_ENDED)
        end_walk(s, number, &event.end);
    else if (event.kind == MSW_TRANSLATE_READ)
        read_table(s, number, &event.read);
}

/* Returns the stage in which something happens next, and when. */
static uint32_t next_stage(const camdn_translate *t, uint64_t *tick)
{
    uint32_t first = 0;
    *tick = NEVER;
    for (uint32_t i = 0; t->unknown && i < t->count; i++) {
        uint64_t next = msw_translate_next(&t->stages[i]);
        if (next < *tick)
            *tick = next, first = i;
    }
    return first;
}

bool camdn_translate_step(camdn_system *s, uint64_t limit)
{
    camdn_translate *t = &s->translate;
    uint64_t ends;
    uint32_t stage = next_stage(t, &ends);
    uint64_t tick = msw_min_u64(ends, t->next);
    if (tick == NEVER || tick / t->width > limit)
        return false;
    if (!t->ideal && s->banks.dram && s->banks.under_way && s->banks.now < tick / t->width) {
        uint32_t under_way = s->banks.under_way;
        camdn_banks_run(s, tick / t->width);
        camdn_translate_read(s);
        if (s->banks.under_way != under_way)
            return true;
    }
    if (ends <= t->next)
        happen(s, stage, tick);
    else
        step(s, t->who);
    return true;
}

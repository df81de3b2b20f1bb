/* SPDX-License-Identifier: MIT */
/* Page visits that the TLBs hold, how long the walks of the others take, and translations asked
 * for ahead of a flow: README.md, "Closed form of a flow".
 *
 *   hits   = visits with a stack distance below n       n    entries of the TLB(s)
 *   flying = visits with one below T / spacing          T    cycles of a walk; their page is still
 *                                                            being walked (merged, not hit)
 *   T      = accesses a + look-ups path_cycles          a    cycles of a page-table access
 *   accesses = levels - levels that the path cache saves
 *   a register saves a level unless the visit P visits / walks before lay in another area of it
 *                                                       P    walkers that take turns
 *
 * Stack distances: R. L. Mattson et al., IBM Systems Journal 9 (1970) 78-117. Known value: four
 * levels of 100 cycles and no path cache, T = 400.
 *
 * Translations asked for ahead of a flow: README.md, "Closed form of a flow", "Asked for ahead".
 *
 *   spacing  cycles between missed pages, requests of a page / requests per cycle
 *   pace   = max(spacing, T / P')          T  cycles of a walk; P' walkers less those kept spare
 *   lead   = n spacing where pace <= spacing, else 0        n  visits that may be asked for ahead
 *
 *   lead >= T      behind the first walk every page is there; late until the lead has grown
 *   0 < lead < T   every page is late, its wait shorter by the lead
 *   lead = 0       no gain but walks side by side
 *   n > entries of the TLB: pages are thrown out before they are asked for, and nothing is gained
 *
 * Known value: tests/validation/test_neummu_prefetch.c holds it against the cycle model. */
#include "mech/neummu/closed/flow.h"

#include "memsweep/base/bits.h"

#include <math.h>

/* ---- which visits the TLBs hold ---- */

static neummu_reach reach_of(double reach)
{
    if (reach < 1)
        return (neummu_reach){0, reach > 0 ? reach : 0};
    if (reach >= (double)(UINT64_C(1) << (NEUMMU_DEPTHS - 1)))
        return (neummu_reach){NEUMMU_DEPTHS, 0};
    unsigned bin = msw_bits_width((uint64_t)reach); /* it holds distances low .. 2 low - 1 */
    double low = (double)(UINT64_C(1) << (bin - 1));
    return (neummu_reach){bin, (reach - low) / low};
}

/* Visits on pages used fewer than so many distinct pages ago. */
static double visits_within(const neummu_traffic *f, neummu_reach reach)
{
    double nearer = f->within[reach.bin];
    return reach.bin < NEUMMU_DEPTHS ? nearer + reach.share * f->reused[reach.bin] : nearer;
}

void neummu_find(const neummu_rates *k, const neummu_traffic *f, neummu_found *at)
{
    const neummu_config *c = k->config;
    double first = visits_within(f, k->tlb), both = first;
    if (c->tlb2_entries > c->tlb_entries)
        both = visits_within(f, k->tlb2);
    *at = (neummu_found){first, both - first, 0, (double)f->visits - both};
}

void neummu_find_flying(const neummu_rates *k, const neummu_traffic *f, double spacing, double walk,
                        neummu_found *at)
{
    if (walk >= spacing && k->group >= 2)
        at->flying = msw_min_f64(visits_within(f, reach_of(walk / spacing)), at->first);
    at->first -= at->flying;
}

bool neummu_head_within(const neummu_traffic *f, int64_t entries)
{
    return f->head_depth < NEUMMU_DEPTHS && entries >> f->head_depth;
}

/* ---- how long a walk takes ---- */

/* A register holds the path of the walk that began as many walks ago as walkers take turns: all of
 * them, or, where the warmest is taken, as many as are busy. Returns how many visits that is. */
static double visits_back(const neummu_rates *k, const neummu_traffic *f, double walks,
                          double flying)
{
    double turns = k->walkers;
    if (k->config->walker_choice != MSW_WALKER_LONGEST_IDLE)
        turns = msw_min_f64(turns, msw_max_f64(flying, 1));
    return walks > 0 ? turns * (double)f->visits / walks : 0;
}

/* A distance among the lags: the one below it, and the share of the way to the next. */
typedef struct between {
    int lag, near; /* near: the lag that is nearest */
    double share;
} between;

static between between_of(double back)
{
    between b = {0};
    double low = 1;
    if (back <= 1)
        return b;
    for (; b.lag + 2 < NEUMMU_LAGS && 2 * low <= back; b.lag++)
        low *= 2;
    b.share = back < 2 * low ? (back - low) / low : 1;
    b.near = b.lag + (1.5 * low < back);
    return b;
}

/* Returns the visits in another area than `back` visits before. */
static double visits_moved(const neummu_traffic *f, int area, double back, const between *b)
{
    const uint32_t *row = f->moved[area];
    if (back <= 1)
        return back * row[0];
    return row[b->lag] + b->share * ((double)row[b->lag + 1] - row[b->lag]);
}

/* Whether a walk can skip a level at all: a cache of its own may have no entries, but one of a
 * lower level skips it too. */
static bool keeps_level(const neummu_config *c, int level)
{
    const int64_t entries[] = {c->path_l2_entries, c->path_l3_entries, c->path_l4_entries,
                               c->path_l5_entries};
    bool kept = c->path_cache != NEUMMU_PATH_LEVELS && c->path_cache != NEUMMU_PATH_NONE;
    for (int below = level; below >= 2 && c->path_cache == NEUMMU_PATH_LEVELS; below--)
        kept = kept || entries[below - 2] > 0;
    return kept;
}

/* Of a flow's walks: how many visits ago paths were taken that registers hold, and how many walks
 * begin before the first is over. */
typedef struct paths {
    double walks, in_flight, back;
    between at;
} paths;

/* Share of walks that cannot skip a level, because no path they could follow is in its table. */
static double share_lost(const neummu_rates *k, const neummu_traffic *f, int level, const paths *p)
{
    double lost;
    if (!(k->kept >> level & 1))
        return 1;
    if (k->config->path_cache == NEUMMU_PATH_REGISTER)
        lost = visits_moved(f, level - 2, p->back, &p->at) * p->walks / (double)f->visits;
    else /* all that begin before the first walk there is over */
        lost = (double)f->fresh[level - 2] * p->in_flight;
    return lost < p->walks ? lost / p->walks : 1;
}

/* The same for the first visit, if it is walked. */
static bool head_lost(const neummu_rates *k, const neummu_traffic *f, int level, const paths *p)
{
    if (!(k->kept >> level & 1))
        return true;
    if (k->config->path_cache != NEUMMU_PATH_REGISTER)
        return f->head_fresh >> (level - 2) & 1;
    return f->head_moved[level - 2] >> p->at.near & 1;
}

/* A unified cache also keeps the last level: share of pages it finds though the TLBs do not. */
static double leaves_kept(const neummu_rates *k, const neummu_traffic *f, double missed)
{
    const neummu_config *c = k->config;
    if (c->path_cache != NEUMMU_PATH_UNIFIED || missed <= 0)
        return 0;
    double held =
        visits_within(f, reach_of((double)c->path_entries)) - ((double)f->visits - missed);
    return held > 0 ? held / missed : 0;
}

static double lookups_of(const neummu_rates *k, double steps)
{
    if (k->config->path_cache == NEUMMU_PATH_UNIFIED)
        return steps;
    return k->config->path_cache != NEUMMU_PATH_NONE;
}

/* Cycles of an access that goes to memory. */
static double access_cycles(const neummu_rates *k)
{
    if (!neummu_reads_memory(k->config))
        return (double)k->config->walk_level_cycles;
    return k->latency + neummu_memory_weight(&k->memory, NEUMMU_LINE_BYTES) * k->per_byte;
}

/* Of the walks of the pages whose entries lie in one line, the share that waits for it to come:
 * those that begin before it is there. */
static double lines_new(double in_flight, double walks_of_page)
{
    double pages = NEUMMU_LINE_BYTES / MSW_PAGETABLE_ENTRY_BYTES;
    return msw_min_f64(1, msw_max_f64(1, in_flight) / (pages * walks_of_page));
}

void neummu_rates_of_walks(neummu_rates *k)
{
    const neummu_config *c = k->config;
    k->access = access_cycles(k);
    for (int large = 0; large < 2; large++)
        k->paths[large] = lookups_of(k, k->steps[large]) * (double)c->path_cycles;
    for (int level = 2; level <= 5; level++)
        k->kept |= (uint32_t)keeps_level(c, level) << level;
    k->tlb = reach_of((double)c->tlb_entries);
    k->tlb2 = reach_of((double)c->tlb2_entries);
}

/* A walk that makes this many accesses. Behind a cache of lines the upper levels lie in few lines,
 * which are there, and `waiting` is the share of walks for which the last one is not. */
static double walk_time(const neummu_rates *k, uint64_t large, double accesses, double waiting)
{
    const neummu_config *c = k->config;
    double cycles = accesses * k->access;
    if (c->walk_cycles)
        cycles = (double)c->walk_cycles;
    else if (c->table_lines)
        cycles = accesses * (double)c->table_line_cycles + waiting * k->access;
    return cycles + k->paths[large];
}

neummu_lengths neummu_cold_walks(const neummu_rates *k, bool large)
{
    double time = walk_time(k, large, k->steps[large], 1);
    return (neummu_lengths){.mean = time, .head = time};
}

/* Accesses of walks: at least, of the first, and the shares of walks that lose a level: their sum,
 * the largest, each. */
typedef struct reads {
    double least, head, lost, most, shares[3];
    double waiting, each; /* walks that wait for a line, walks of a page */
} reads;

static inline reads reads_of(const neummu_rates *k, const neummu_traffic *f,
                             const neummu_flight *flight, double walks)
{
    double steps = k->steps[f->large];
    reads r = {.least = steps - leaves_kept(k, f, flight->missed), .head = steps, .each = 1};
    paths on = {.walks = walks, .in_flight = flight->walks};
    if (k->config->path_cache == NEUMMU_PATH_REGISTER) {
        on.back = visits_back(k, f, walks, flight->walks);
        on.at = between_of(on.back);
    }
    for (int level = 4; level > 1; level--) {
        if (k->config->table_levels - level + 1 >= steps)
            continue;
        double share = walks > 0 ? share_lost(k, f, level, &on) : 1;
        r.shares[4 - level] = share;
        r.least -= 1;
        r.lost += share;
        r.most = msw_max_f64(r.most, share);
        r.head -= !head_lost(k, f, level, &on);
    }
    if (k->config->table_levels == 5 && (k->kept >> 5 & 1)) {
        r.least -= 1;
        r.head -= 1;
    }
    if (k->config->table_lines) {
        r.each = flight->missed > 0 ? msw_max_f64(1, walks / flight->missed) : 1;
        r.waiting = lines_new(flight->walks, r.each);
    }
    return r;
}

neummu_lengths neummu_time_mean_walk(const neummu_rates *k, const neummu_traffic *f,
                                     const neummu_flight *flight, double walks)
{
    reads r = reads_of(k, f, flight, walks - flight->again);
    return (neummu_lengths){.mean = walk_time(k, f->large, r.least + r.lost, r.waiting),
                            .head = walk_time(k, f->large, r.head, 1)};
}

void neummu_time_walks(const neummu_rates *k, const neummu_traffic *f, const neummu_flight *flight,
                       neummu_flow_model *p, neummu_lengths *lengths)
{
    double walks = p->walks - flight->again, steps = k->steps[f->large];
    reads r = reads_of(k, f, flight, walks);
    for (int level = 4; level > 1; level--)
        if (k->config->table_levels - level + 1 < steps)
            p->saved[4 - level] = (1 - r.shares[4 - level]) * walks + flight->again;
    p->levels = steps * p->walks;
    p->accesses = (r.least + r.lost) * walks;
    if (k->config->table_lines)
        p->accesses = lines_new(1, r.each) * walks;
    *lengths = (neummu_lengths){
        .mean = walk_time(k, f->large, r.least + r.lost, r.waiting),
        .head = walk_time(k, f->large, r.head, 1),
        .slow = walk_time(k, f->large, r.most > 0 ? r.least + r.lost / r.most : r.least, r.waiting),
        .slow_walks = r.most * walks,
        .fast = walk_time(k, f->large, r.least, r.waiting)};
}

/* How a flow goes on behind its start, and its pages by how they are found. */
typedef struct ahead {
    double walkers; /* that can walk ahead at once */
    double lead;    /* cycles by which a page is asked for before the engine comes to it */
    bool keeps_up;  /* pages are there when they are asked for */
    bool helps;     /* walks begin before the engine asks */
    bool wasted;    /* pages are thrown out before they are asked for */
    double missed;  /* walked because they are asked for: the first, if it was not known */
    double late, useful;
} ahead;

static ahead find_ahead(const neummu_rates *k, const neummu_traffic *f, double missed,
                        const neummu_page_plan *plan, double walk)
{
    const neummu_config *c = k->config;
    double visits = (double)f->visits, share = missed / visits;
    double spacing = plan->requests / k->width / share,
           depth = msw_min_f64(k->depth, visits) * share;
    double entries = (double)msw_max_i64(c->tlb_entries, c->tlb2_entries);
    ahead a = {.walkers = msw_max_f64(1, k->walkers - (double)c->tlb_prefetch_spare),
               .wasted = k->depth * share > entries};
    double pace = msw_max_f64(spacing, walk / a.walkers);
    bool alone = plan->walks < 1.5, free = plan->walks < a.walkers;
    bool gains = free && pace <= spacing && depth * spacing >= walk;
    a.helps = !a.wasted && (alone || gains);
    a.lead = a.helps && pace <= spacing ? depth * spacing : 0;
    a.keeps_up = a.lead >= walk;
    return a;
}

static void sort_pages(const neummu_rates *k, const neummu_traffic *f, double missed, double known,
                       double walk, double spacing, ahead *a)
{
    const neummu_config *c = k->config;
    bool held = neummu_head_within(f, msw_max_i64(c->tlb_entries, c->tlb2_entries));
    double share = msw_min_f64(1, known / (double)f->visits);
    a->missed = held || known > 0 ? 0 : 1;
    a->late = msw_max_f64(0, missed * (1 - share) - a->missed);
    if (a->keeps_up && known > 0)
        a->late = 0;
    else if (a->keeps_up) /* the generator gains a visit less a look-up at every visit */
        a->late = msw_min_f64(a->late, walk / msw_max_f64(spacing - 1 / k->width, 1 / k->width));
    a->useful = msw_max_f64(0, missed - a->missed - a->late);
}

static void count_ahead(const neummu_rates *k, const ahead *a, const neummu_page_plan *plan,
                        double walk, neummu_flow_model *p)
{
    double slots = k->group - 1, old = p->walks, asked = plan->asked;
    if (a->helps)
        asked = neummu_asked_during(k, plan->requests,
                                    a->keeps_up ? walk / 2 : msw_max_f64(0, walk - a->lead));
    double again = ceil(msw_max_f64(0, asked - slots) / k->group);
    if (plan->serial && plan->walks < 1.5) /* the one that is blocked */
        again = asked > slots ? plan->again : 0;
    double demand = a->missed * plan->walks + a->late * again;
    p->prefetches = a->late + a->useful;
    p->late = a->late;
    p->useful = a->useful;
    p->walks = p->prefetches + demand;
    p->redundant = msw_max_f64(0, p->walks - p->prefetches - a->missed);
    p->replayed = 0;
    p->misses = p->second_hits + a->missed * plan->asked + a->late * asked;
    p->merged = msw_max_f64(0, p->misses - p->second_hits - demand);
    double times = old > 0 ? p->walks / old : 1;
    p->levels *= times;
    p->accesses *= times;
    for (int level = 0; level < 3; level++)
        p->saved[level] *= times;
}

/* The engine asks again for what was thrown out. */
static void count_wasted(double missed, neummu_flow_model *p)
{
    double times = p->walks > 0 ? 1 + missed / p->walks : 1;
    p->prefetches = missed;
    p->walks += missed;
    p->levels *= times;
    p->accesses *= times;
}

/* What walks take less, as they begin earlier. */
static void shorten(neummu_lengths *walk, double lead)
{
    walk->mean = msw_max_f64(0, walk->mean - lead);
    walk->head = msw_max_f64(0, walk->head - lead);
    walk->slow = msw_max_f64(0, walk->slow - lead);
    walk->fast = msw_max_f64(0, walk->fast - lead);
}

/* Pages that were known at the start need no waiting. */
static void start_known(const neummu_rates *k, double missed, double known, double visits,
                        const ahead *a, neummu_stretch *m, neummu_flow_model *p)
{
    double pages = missed * msw_min_f64(1, known / visits);
    p->first = k->hit;
    p->before = m->walk.mean * ceil(pages / a->walkers);
    m->pages = missed - pages;
    m->between = p->requests / k->width * (1 - m->pages / visits);
    m->bytes *= m->pages / missed;
}

void neummu_look_ahead(neummu_rates *k, const neummu_traffic *f, double missed, double known,
                       neummu_page_plan *plan, neummu_stretch *m, neummu_flow_model *p)
{
    double walk = m->walk.mean, visits = (double)f->visits;
    ahead a = find_ahead(k, f, missed, plan, walk);
    p->lookups = visits;
    if (a.wasted) {
        count_wasted(missed, p);
        return;
    }
    sort_pages(k, f, missed, known, walk, plan->requests / k->width, &a);
    count_ahead(k, &a, plan, walk, p);
    if (known > 0)
        start_known(k, missed, known, visits, &a, m, p);
    if (!a.helps)
        return;
    if (plan->serial && a.keeps_up && a.missed > 0)
        p->engine += walk;
    if (plan->serial) /* walks side by side, one a page */
        k->walkers = msw_min_f64(k->walkers, msw_min_f64(a.walkers, k->depth) + 1);
    if (a.keeps_up)
        m->pages = 0;
    else if (!plan->serial)
        shorten(&m->walk, a.lead);
    plan->serial = false;
    plan->walks = 1;
    plan->answers = msw_min_f64(plan->requests, k->group);
}

/* One flow of transactions through the MMU in closed form: README.md, "Closed form of a flow".
 *
 *   r    requests of a run on one page          m    runs whose page the TLBs do not hold
 *   T    mean walk                              P    walkers
 *   g    requests a walk answers, 1 + slots     q    cycles between walks begun by the engine
 *
 * A page takes v = ceil(r / g) walks while its first is under way. Walk number i starts when the
 * engine has issued those before it and when walk i - P is over, so P walks take max(T, P q). */
#include "neummu_passage.h"
#include "neummu_parts.h"

#include <math.h>

int neummu_rates_of(const neummu_config *c, neummu_rates *rates, msw_err *err)
{
    neummu_shifts shifts = neummu_shifts_of(c);
    msw_pagetable table;
    msw_pagetable_config shape = msw_pagetable_x86();
    shape.address_bits = c->table_levels == 5 ? 57 : 48;
    *rates = (neummu_rates){
        .config = c,
        .width = (double)c->issue_width,
        .hit = (double)c->tlb_cycles,
        .lookup = (double)(c->tlb_cycles + (c->tlb2_entries ? c->tlb2_cycles : 0)),
        .walkers = (double)c->ptw_count,
        .group = c->scoreboard ? 1 + (double)c->prmb_slots : 1,
    };
    if (msw_pagetable_init(&table, &shape, err) || neummu_memory_init(&rates->memory, c, err))
        return -1;
    rates->steps[0] = msw_pagetable_steps(&table, shifts.small);
    rates->steps[1] = msw_pagetable_steps(&table, shifts.large);
    rates->per_byte = (double)rates->memory.per_byte / (double)(1 << 20) / rates->width;
    rates->latency = (double)rates->memory.latency / rates->width;
    return 0;
}

/* ---- which runs the TLBs hold ---- */

/* Runs on pages used fewer than `reach` distinct pages ago. */
static double runs_within(const neummu_traffic *f, double reach)
{
    double runs = 0, low = 0, high = 1; /* the bin holds distances low .. high - 1 */
    for (unsigned bin = 0; bin < NEUMMU_DEPTHS && low < reach; bin++) {
        double share = reach >= high ? 1 : (reach - low) / (high - low);
        runs += share * f->reused[bin];
        low = high;
        high *= 2;
    }
    return runs;
}

typedef struct found {
    double first, second, flying, missed; /* runs; flying: their page is being walked */
} found;

static found find(const neummu_rates *k, const neummu_traffic *f, double spacing, double walk)
{
    const neummu_config *c = k->config;
    double runs = (double)f->runs, flying = walk < spacing ? 0 : runs_within(f, walk / spacing);
    double first = runs_within(f, (double)c->tlb_entries), both = first;
    if (c->tlb2_entries > c->tlb_entries)
        both = runs_within(f, (double)c->tlb2_entries);
    if (k->group < 2)
        flying = 0;
    flying = flying < first ? flying : first;
    return (found){first - flying, both - first, flying, runs - both};
}

/* ---- how long a walk takes ---- */

/* Share of walks that cannot skip a level, because no path they could follow is in its table. */
static double share_lost(const neummu_rates *k, const neummu_traffic *f, int level, double walks,
                         double in_flight)
{
    double lost = (double)f->fresh[level - 2];
    if (k->config->path_cache == NEUMMU_PATH_NONE)
        return 1;
    if (k->config->path_cache == NEUMMU_PATH_REGISTER) /* each walker meets every turn */
        lost = (double)f->turns[level - 2] * k->walkers;
    else /* all that begin before the first walk there is over */
        lost *= in_flight;
    return lost < walks ? lost / walks : 1;
}

/* A unified cache also keeps the last level: share of pages it finds though the TLBs do not. */
static double leaves_kept(const neummu_rates *k, const neummu_traffic *f, double missed)
{
    const neummu_config *c = k->config;
    if (c->path_cache != NEUMMU_PATH_UNIFIED || missed <= 0)
        return 0;
    double held = runs_within(f, (double)c->path_entries) - ((double)f->runs - missed);
    return held > 0 ? held / missed : 0;
}

static double lookups_of(const neummu_rates *k, double steps)
{
    if (k->config->path_cache == NEUMMU_PATH_UNIFIED)
        return steps;
    return k->config->path_cache != NEUMMU_PATH_NONE;
}

static double walk_cycles(const neummu_config *c, double accesses)
{
    return c->walk_cycles ? (double)c->walk_cycles : accesses * (double)c->walk_level_cycles;
}

/* Fills in accesses and saved levels of all walks, of which `again` find the page's entry in the
 * unified cache. Returns the mean time of the others. */
static double time_walks(const neummu_rates *k, const neummu_traffic *f, double missed,
                         double in_flight, double again, neummu_passage *p)
{
    double kept = leaves_kept(k, f, missed), walks = p->walks - again, steps = k->steps[f->large];
    for (int level = 4; level > 1; level--) {
        bool upper = k->config->table_levels - level + 1 < steps;
        double saved = upper && walks > 0 ? 1 - share_lost(k, f, level, walks, in_flight) : 0;
        p->saved[4 - level] = saved * walks + (upper ? again : 0);
        kept += saved;
    }
    if (k->config->table_levels == 5 && k->config->path_cache != NEUMMU_PATH_NONE)
        kept += 1;
    p->levels = steps * p->walks;
    p->accesses = (steps - kept) * walks;
    return walk_cycles(k->config, steps - kept) +
           lookups_of(k, steps) * (double)k->config->path_cycles;
}

/* ---- how many walks a page takes ---- */

typedef struct page_plan {
    double requests;       /* of a run */
    double asked;          /* of them, those issued while the first walk is under way */
    double walks, answers; /* walks of a page; requests that each answers */
    double rest;           /* requests that wait for the page to arrive */
    bool serial;           /* the next page waits for this one */
    double again;          /* blocked requests that walk once more */
} page_plan;

/* Requests of a page issued while a walk of it is under way. */
static double asked_during(const neummu_rates *k, double requests, double walk)
{
    double asked = walk * k->width + 1;
    return asked < requests ? asked : requests;
}

static page_plan plan_page(const neummu_rates *k, double requests, double walk)
{
    const neummu_config *c = k->config;
    page_plan p = {.requests = requests, .walks = 1};
    double most = k->walkers + (double)c->walk_queue;
    p.asked = asked_during(k, requests, walk);
    /* Where walkers do not keep up the queue fills, and the page's first walk has to wait too. */
    if (c->walk_queue && ceil(p.asked / k->group) * walk / k->walkers > requests / k->width)
        p.asked = asked_during(k, requests, walk + walk * (double)c->walk_queue / k->walkers);
    p.answers = p.asked < k->group ? p.asked : k->group;
    if (p.asked <= k->group)
        return p;
    p.walks = ceil(p.asked / k->group);
    if (c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK)
        most = 1;
    if (p.walks <= most)
        return p;
    p.serial = true;
    p.walks = most;
    p.rest = requests - most * p.answers;
    p.again = c->reprobe ? 0 : 1;
    p.asked = most * p.answers + 1; /* the last of them is the one that is blocked */
    if (p.asked > requests)         /* a mean may lie between whole numbers */
        p.asked = requests;
    return p;
}

/* ---- when ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The runs that miss: pages, their walks, and what the engine issues before them. */
typedef struct stretch {
    double pages, walk, before, bytes;
} stretch;

/* Pages one after the other: each waits for its own walk. */
static void time_serial(const neummu_rates *k, const page_plan *plan, const stretch *m,
                        neummu_passage *p)
{
    double rest = plan->rest / k->width;
    double each = larger(m->walk + rest, plan->requests / k->width);
    each = larger(each, (plan->walks + plan->again) * m->walk / k->walkers);
    double begin = (m->pages - 1) * each + m->before;
    p->engine = begin + each;
    p->burst = begin + m->walk;
    p->burst_bytes = m->bytes / m->pages;
    p->last = begin + k->lookup + m->walk + larger(rest, plan->again * m->walk);
    bool slots = k->config->scoreboard && k->config->slots_full == NEUMMU_SLOTS_BLOCK;
    p->blocked[slots ? MSW_BLOCK_SLOTS : MSW_BLOCK_WALKERS] =
        larger(0, p->engine - p->requests / k->width);
}

/* Cycles between walks: the engine's own, or what the limit of unanswered misses leaves. */
static double gap_of(const neummu_rates *k, const page_plan *plan, double walk, double *issue)
{
    double limit = (double)k->config->outstanding, each = plan->asked / plan->walks;
    double back = (double)k->config->return_cycles - 1 / k->width;
    *issue = plan->requests / k->width / plan->walks;
    if (limit == 0)
        return *issue;
    return larger(*issue, each * (walk + larger(0, plan->answers * back / 2)) / limit);
}

static void time_rounds(const neummu_rates *k, const page_plan *plan, const stretch *m,
                        neummu_passage *p)
{
    double walks = m->pages * plan->walks, issue, last = walks - 1;
    double gap = gap_of(k, plan, m->walk, &issue);
    double round = floor(last / k->walkers), place = last - round * k->walkers;
    double begin = m->walk > k->walkers * gap ? round * m->walk : (last - place) * gap;
    /* Walks that wait in the queue do not hold up the engine. */
    double waits = larger(0, begin + (place + 1) * gap - walks * gap);
    double room = (double)k->config->walk_queue * m->walk / k->walkers;
    p->engine = m->before + walks * gap + larger(0, waits - room);
    p->burst = m->before + begin + m->walk;
    p->burst_bytes = (place + 1) * m->bytes / walks;
    p->last = m->before + begin + place * gap + k->lookup + m->walk +
              larger(0, plan->answers - 1) * (double)k->config->return_cycles;
    p->blocked[MSW_BLOCK_MSHRS] = walks * (gap - issue);
    p->blocked[MSW_BLOCK_WALKERS] = larger(0, waits - room);
}

static void count(const page_plan *plan, const found *at, neummu_passage *p)
{
    double runs_missed = at->missed * plan->asked + at->flying * plan->requests;
    p->second_hits = at->second;
    p->misses = runs_missed + at->second;
    p->walks = at->missed * (plan->walks + (plan->serial ? plan->again : 0));
    p->redundant = at->missed * (plan->walks - 1);
    p->replayed = plan->serial ? at->missed * (1 - plan->again) : 0;
    p->merged = larger(0, runs_missed - p->walks - p->replayed);
}

static neummu_passage pass_known(const neummu_rates *k, const neummu_traffic *f)
{
    neummu_passage p = {.requests = (double)f->requests};
    if (f->runs)
        p.bytes =
            (double)f->runs * neummu_memory_weight(&k->memory, (double)f->bytes / (double)f->runs);
    p.engine = p.requests / k->width;
    p.first = k->config->oracle ? 0 : k->hit;
    p.last = larger(0, p.engine - 1 / k->width) + p.first;
    return p;
}

/* Plans and counts for a mean walk. Returns the mean walk that comes of it. */
static double plan_flow(const neummu_rates *k, const neummu_traffic *f, double walk,
                        page_plan *plan, found *at, neummu_passage *p)
{
    double requests = p->requests / (double)f->runs, spacing = requests / k->width;
    *plan = plan_page(k, requests, walk);
    *at = find(k, f, spacing, walk);
    count(plan, at, p);
    double flying = plan->walks * walk / spacing;
    bool unified = k->config->path_cache == NEUMMU_PATH_UNIFIED && plan->serial;
    double again = unified ? at->missed * plan->again : 0;
    walk = time_walks(k, f, at->missed, flying < k->walkers ? flying : k->walkers, again, p);
    if (unified)
        plan->again = 0;
    return walk;
}

neummu_passage neummu_pass_both(const neummu_passage *a, const neummu_passage *b)
{
    neummu_passage p = *a;
    if (a->requests == 0 || b->requests == 0)
        return a->requests == 0 ? *b : p;
    p.requests += b->requests;
    p.bytes += b->bytes;
    p.engine += b->engine;
    p.last = larger(a->last, a->engine + b->last);
    p.burst = larger(a->burst, a->engine + b->burst);
    p.burst_bytes = b->burst_bytes;
    for (int cause = 0; cause < MSW_BLOCK_COUNT; cause++)
        p.blocked[cause] += b->blocked[cause];
    p.misses += b->misses;
    p.second_hits += b->second_hits;
    p.merged += b->merged;
    p.walks += b->walks;
    p.replayed += b->replayed;
    p.redundant += b->redundant;
    p.levels += b->levels;
    p.accesses += b->accesses;
    for (int level = 0; level < 3; level++)
        p.saved[level] += b->saved[level];
    return p;
}

neummu_passage neummu_pass(const neummu_rates *k, const neummu_traffic *f)
{
    neummu_passage p = pass_known(k, f);
    page_plan plan;
    found at;
    if (k->config->oracle || f->runs == 0)
        return p;
    double runs = (double)f->runs, walk = walk_cycles(k->config, k->steps[f->large]);
    walk = plan_flow(k, f, walk, &plan, &at, &p);
    walk = plan_flow(k, f, walk, &plan, &at, &p);
    if (at.missed < 0.5)
        return p;
    stretch m = {.pages = at.missed,
                 .walk = walk,
                 .before = (runs - at.missed) * plan.requests / k->width,
                 .bytes = p.bytes * at.missed / runs};
    p.first = at.missed > runs / 2 ? k->lookup + walk : k->hit;
    if (plan.serial)
        time_serial(k, &plan, &m, &p);
    else
        time_rounds(k, &plan, &m, &p);
    p.last = larger(p.last, p.engine - 1 / k->width + k->hit);
    return p;
}

/* Which runs the TLBs hold, and how long the walks of the others take: README.md, "Closed form of a
 * flow". */
#include "mech/neummu/closed/flow.h"

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

neummu_found neummu_find(const neummu_rates *k, const neummu_traffic *f, double spacing,
                         double walk)
{
    const neummu_config *c = k->config;
    double runs = (double)f->runs, flying = walk < spacing ? 0 : runs_within(f, walk / spacing);
    double first = runs_within(f, (double)c->tlb_entries), both = first;
    if (c->tlb2_entries > c->tlb_entries)
        both = runs_within(f, (double)c->tlb2_entries);
    if (k->group < 2)
        flying = 0;
    flying = msw_min_f64(flying, first);
    return (neummu_found){first - flying, both - first, flying, runs - both};
}

bool neummu_head_within(const neummu_traffic *f, int64_t entries)
{
    return f->head_depth < NEUMMU_DEPTHS && entries >> f->head_depth;
}

/* ---- how long a walk takes ---- */

/* A register holds the path of the walk that began as many walks ago as there are walkers. Returns
 * how many runs that is. */
static double runs_back(const neummu_rates *k, const neummu_traffic *f, double walks)
{
    return walks > 0 ? k->walkers * (double)f->runs / walks : 0;
}

/* Returns the runs in another area than `back` runs before. */
static double runs_moved(const neummu_traffic *f, int area, double back)
{
    const uint32_t *row = f->moved[area];
    double low = 1;
    int lag = 0;
    if (back <= 1)
        return back * row[0];
    for (; lag + 2 < NEUMMU_LAGS && 2 * low <= back; lag++)
        low *= 2;
    double share = back < 2 * low ? (back - low) / low : 1;
    return row[lag] + share * ((double)row[lag + 1] - row[lag]);
}

/* Share of walks that cannot skip a level, because no path they could follow is in its table. */
static double share_lost(const neummu_rates *k, const neummu_traffic *f, int level, double walks,
                         double in_flight)
{
    double lost;
    if (k->config->path_cache == NEUMMU_PATH_NONE)
        return 1;
    if (k->config->path_cache == NEUMMU_PATH_REGISTER)
        lost = runs_moved(f, level - 2, runs_back(k, f, walks)) * walks / (double)f->runs;
    else /* all that begin before the first walk there is over */
        lost = (double)f->fresh[level - 2] * in_flight;
    return lost < walks ? lost / walks : 1;
}

/* The same for the first run, if it is walked. */
static bool head_lost(const neummu_rates *k, const neummu_traffic *f, int level, double walks)
{
    double back = runs_back(k, f, walks);
    int lag = 0;
    if (k->config->path_cache == NEUMMU_PATH_NONE)
        return true;
    if (k->config->path_cache != NEUMMU_PATH_REGISTER)
        return f->head_fresh >> (level - 2) & 1;
    while (lag + 1 < NEUMMU_LAGS && 1.5 * (1 << lag) < back)
        lag++;
    return f->head_moved[level - 2] >> lag & 1;
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

static double walk_time(const neummu_rates *k, double steps, double accesses)
{
    return walk_cycles(k->config, accesses) + lookups_of(k, steps) * (double)k->config->path_cycles;
}

neummu_lengths neummu_cold_walks(const neummu_rates *k, bool large)
{
    double time = walk_time(k, k->steps[large], k->steps[large]);
    return (neummu_lengths){.mean = time, .head = time};
}

neummu_lengths neummu_time_walks(const neummu_rates *k, const neummu_traffic *f,
                                 const neummu_flight *flight, neummu_flow_model *p)
{
    double walks = p->walks - flight->again, steps = k->steps[f->large];
    double least = steps - leaves_kept(k, f, flight->missed), head = steps, lost = 0, most = 0;
    for (int level = 4; level > 1; level--) {
        if (k->config->table_levels - level + 1 >= steps)
            continue;
        double share = walks > 0 ? share_lost(k, f, level, walks, flight->walks) : 1;
        p->saved[4 - level] = (1 - share) * walks + flight->again;
        least -= 1;
        lost += share;
        most = msw_max_f64(most, share);
        head -= !head_lost(k, f, level, walks);
    }
    if (k->config->table_levels == 5 && k->config->path_cache != NEUMMU_PATH_NONE) {
        least -= 1;
        head -= 1;
    }
    p->levels = steps * p->walks;
    p->accesses = (least + lost) * walks;
    return (neummu_lengths){.mean = walk_time(k, steps, least + lost),
                            .head = walk_time(k, steps, head),
                            .slow = walk_time(k, steps, most > 0 ? least + lost / most : least),
                            .slow_walks = most * walks,
                            .fast = walk_time(k, steps, least)};
}

/* Hit rates and accesses per walk out of the profiles: README.md, "Closed form". */
#include "mech/htmmu/closed/rates.h"
#include "mech/shared/rules.h"

#include "memsweep/base/math.h"
#include "memsweep/sim/pagetable.h"

#include <math.h>

/* ---- set-associative TLBs ---- */

typedef struct shape {
    double sets, ways;
} shape;

static shape shape_of(int64_t pages, int64_t coalesce, int64_t ways)
{
    int64_t entries = pages / coalesce, set = msw_ways_of(entries, ways);
    return (shape){(double)(entries / set), (double)set};
}

/* Probability that fewer than `ways` of d pages fall into a set: Poisson. */
static double survives(const shape *s, double d)
{
    double mean = d / s->sets, term, sum;
    if (s->sets < 2)
        return d < s->ways ? 1 : 0;
    if (mean < 0.05 * s->ways)
        return 1;
    if (mean > 6 + 3 * s->ways)
        return 0;
    term = sum = msw_math_exp(-mean);
    for (double k = 1; k < s->ways; k++) {
        term *= mean / k;
        sum += term;
    }
    return sum;
}

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

/* Hits by distance among all pages, if these fall into sets at random. */
static double hits_by_chance(const htmmu_distances *d, const shape *s)
{
    double hits = 0;
    for (int bin = 0; bin < HTMMU_BINS; bin++) {
        double middle = htmmu_bin_floor(bin) + 0.5 * (htmmu_bin_width(bin) - 1);
        if (d->count[bin] <= 0)
            continue;
        double part = survives(s, middle);
        if (part <= 0)
            break;
        hits += part * d->count[bin];
    }
    return hits;
}

static double hits_within(const double *count, double ways)
{
    double hits = 0;
    for (int way = 0; way < HTMMU_WAYS && way < ways; way++)
        hits += count[way] * fmin(ways - way, 1);
    return hits;
}

/* Hits of LRU sets: as counted where the number of sets was followed. Between two numbers that were
 * followed the lower one has proportionally more ways. */
static double hits_of(const htmmu_distances *d, const htmmu_sets *counts, const shape *s)
{
    int number = (int)msw_math_log2(s->sets);
    double ways = s->ways * s->sets / msw_math_exp2(number), all = 0;
    if (number >= HTMMU_SETS || ways > HTMMU_WAYS || number == 0)
        return hits_by_chance(d, s);
    for (int way = 0; way <= HTMMU_WAYS; way++)
        all += counts->count[number][way];
    return all > 0 ? hits_within(counts->count[number], ways) : hits_by_chance(d, s);
}

/* ---- paths ---- */

/* Walks whose path was brought in by one that is still under way, beside `walks` others. */
static double too_early(const htmmu_profile *p, int filter, unsigned level, double walks)
{
    double span = msw_math_log2(fmax(walks, 1)), part;
    int low = span < HTMMU_SPANS - 1 ? (int)span : HTMMU_SPANS - 2;
    part = fmin(msw_math_exp2(span - low) - 1, 1);
    const double *behind = p->behind[filter][level];
    return between(behind[low], behind[low + 1], part);
}

/* Share of the walks that find `level` + 1 indices of their path. */
static double known_paths(const htmmu_profile *p, int filter, unsigned level, double entries,
                          double walks)
{
    if (p->walked[filter] <= 0)
        return 1;
    uint32_t whole = (uint32_t)fmin(entries, 1e9);
    int bin = htmmu_bin_of(whole);
    double below = p->paths[filter][level][bin];
    if (bin + 1 < HTMMU_BINS) {
        double part = (entries - htmmu_bin_floor(bin)) / htmmu_bin_width(bin);
        below = between(below, p->paths[filter][level][bin + 1], part < 1 ? part : 1);
    }
    return fmax(below - too_early(p, filter, level, walks), 0) / p->walked[filter];
}

static double entries_of(const htmmu_config *c, double steps)
{
    if (c->path_cache == HTMMU_PATH_REGISTER)
        return 1;
    double entries = (double)c->tpc_entries;
    return c->path_cache == HTMMU_PATH_UNIFIED ? entries / steps : entries;
}

/* Registers that a fetched page takes. */
static double registers_of(const htmmu_config *c, const htmmu_sample *sample)
{
    unsigned banks =
        c->register_holds == HTMMU_HOLDS_PAGE ? msw_bits_log2((uint64_t)htmmu_reach(c)) : 4;
    return sample->fresh > 0 ? sample->touches[banks] / sample->fresh : 1;
}

/* Pages walked at once, at most: those that come within a walk when nothing waits, and those for
 * which there are walkers, registers and slots in the window. */
static double walks_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_rates *r)
{
    const htmmu_sample *sample = &p->samples[r->size];
    double each = sample->fresh > 0 ? sample->touches[4] / sample->fresh : 1;
    double pages = (double)c->l1_mshrs * htmmu_reach(c) / registers_of(c, sample);
    double room = fmin(pages, (double)c->window / each);
    double begun = r->fresh / p->requests * r->ports * r->steps * (double)c->level_cycles;
    double walkers = (double)c->merge_entries;
    walkers /= fmax(each / (1 + (double)c->merge_items), 1); /* several for a page */
    return fmax(fmin(fmin(walkers, room), 1 + begun), 1);
}

static double saved_accesses(const htmmu_config *c, const htmmu_profile *p, double size,
                             double walks)
{
    double filter = fmin(fmax((size - 1) / 3, 0), HTMMU_FILTERS - 1), saved = 0;
    int low = filter < HTMMU_FILTERS - 1 ? (int)filter : HTMMU_FILTERS - 2;
    if (c->path_cache == HTMMU_PATH_NONE)
        return 0;
    double entries = entries_of(c, p->upper + 1);
    if (p->walked[low + 1] <= 0)
        filter = low;
    for (unsigned level = 0; level < p->upper; level++)
        saved += between(known_paths(p, low, level, entries, walks),
                         known_paths(p, low + 1, level, entries, walks), filter - low);
    return saved;
}

/* ---- all together ---- */

/* Where in the row of capacities as many visits are fresh. */
static double size_of(const htmmu_profile *p, double fresh)
{
    int size = 0;
    while (size < HTMMU_SIZES - 1 && p->samples[size + 1].all_fresh > fresh)
        size++;
    double here = p->samples[size].all_fresh;
    if (size == HTMMU_SIZES - 1 || here <= fresh)
        return size;
    return size + (here - fresh) / (here - p->samples[size + 1].all_fresh);
}

/* Share of the walks that find the entry of their page itself in a unified cache: it keeps
 * last-level entries, too, and so hits for pages that the TLBs lost and it did not. */
static double known_leaves(const htmmu_config *c, const htmmu_profile *p, double fresh)
{
    double lost = p->pages.cold, left = (double)c->tpc_entries;
    if (c->path_cache != HTMMU_PATH_UNIFIED)
        return 0;
    if (c->coalesce_fill == HTMMU_FILL_BLOCK)
        left /= (double)c->l2_coalesce;
    for (int bin = 0; bin < HTMMU_BINS; bin++)
        lost += htmmu_bin_floor(bin) >= left ? p->pages.count[bin] : 0;
    return fmax(1 - lost / fresh, 0);
}

double htmmu_accesses(const htmmu_config *c, const htmmu_profile *p, const htmmu_rates *r,
                      double walks)
{
    double upper = fmax(r->steps - saved_accesses(c, p, r->capacity, walks), 1);
    return upper * (1 - known_leaves(c, p, r->fresh));
}

static double ports_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks)
{
    if (c->router == HTMMU_ROUTER_NONE)
        return 1;
    if (c->router == HTMMU_ROUTER_ADAPTIVE && c->divert == HTMMU_DIVERT_BUSY)
        return (double)c->streams;
    return p->requests / banks->cycles;
}

htmmu_rates htmmu_rates_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks)
{
    htmmu_rates r = {.ports = ports_of(c, p, banks), .steps = p->upper + 1};
    shape l1 = shape_of(htmmu_bank_entries(c), c->l1_coalesce, c->l1_ways);
    r.l1_misses = r.fresh = fmax(p->requests - hits_of(&banks->distances, &banks->sets, &l1), 1);
    if (c->l2_entries) {
        shape l2 = shape_of(c->l2_entries, c->l2_coalesce, c->l2_ways);
        r.fresh = fmin(fmax(p->pages.total - hits_of(&p->pages, &p->sets, &l2), 1), r.l1_misses);
    }
    r.capacity = size_of(p, r.fresh);
    r.size = (int)(r.capacity + 0.5);
    r.accesses = htmmu_accesses(c, p, &r, walks_of(c, p, &r));
    return r;
}

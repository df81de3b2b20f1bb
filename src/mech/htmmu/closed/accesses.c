/* SPDX-License-Identifier: MIT */
/* What a walk does: accesses that paths, lines of the table and walks under way leave. README.md,
 * "Closed form".
 *
 *   a = levels - sum over upper levels of P(path among the last n walked, and not brought in by
 *       one of the w walks still under way)                     n  entries of the path cache
 *   s = look-ups tpc_cycles + a table_line_cycles + d(w) level_cycles
 *
 *   a     accesses of a walk        s  cycles of a walk
 *   d(w)  reads of memory, one behind the other, with w walks under way (table.c)
 *
 * Known value: four levels, no path cache, one walk at a time: a = 4. */
#include "mech/htmmu/closed/replay.h"

#include "memsweep/base/math.h"
#include "memsweep/sim/walker.h"

#include <math.h>

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

/* ---- paths ---- */

/* Walks whose path was brought in by one that is still under way, among `walks` others. */
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
double htmmu_most_walks(const htmmu_config *c, const htmmu_profile *p, const htmmu_rates *r)
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

/* Two filters and the weight of the second: what walks do comes, in all, evenly to more with the
 * walks, from one to the other. */
typedef struct mix {
    int low, high;
    double part[2]; /* of what each walk of either does, for each walk here */
} mix;

static mix mix_of(const htmmu_profile *p, double fresh)
{
    int high = 0;
    while (high < HTMMU_FILTERS - 1 && p->walked[high] > fresh)
        high++;
    int low = high ? high - 1 : 0;
    double more = p->walked[low], less = p->walked[high];
    if (less <= 0 || less >= fresh || more <= less)
        return (mix){.low = less > 0 ? high : low, .high = less > 0 ? high : low, .part = {0, 1}};
    double share = fmin((fresh - less) / (more - less), 1);
    return (mix){
        .low = low, .high = high, .part = {share * more / fresh, (1 - share) * less / fresh}};
}

static double saved_accesses(const htmmu_config *c, const htmmu_profile *p, const mix *m,
                             double walks)
{
    double saved = 0;
    if (c->path_cache == HTMMU_PATH_NONE)
        return 0;
    double entries = entries_of(c, p->upper + 1);
    for (unsigned level = 0; level < p->upper; level++)
        saved += m->part[0] * known_paths(p, m->low, level, entries, walks) +
                 m->part[1] * known_paths(p, m->high, level, entries, walks);
    return saved;
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

static double accesses_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_rates *r,
                          const mix *m, double walks)
{
    double upper = fmax(r->steps - saved_accesses(c, p, m, walks), 1);
    return upper * (1 - known_leaves(c, p, r->fresh));
}

/* ---- lines of the table ---- */

/* Of numbers of walks at once 1, 4, 16 ..: what lies between two of them. */
static double at_once(const double *values, double walks)
{
    double step = msw_math_log2(fmax(walks, 1)) / 2;
    int low = step < HTMMU_AT_ONCE - 1 ? (int)step : HTMMU_AT_ONCE - 2;
    return between(values[low], values[low + 1], fmin(step - low, 1));
}

/* What one after the other comes to over the whole stream, for walks at once: as among the first
 * walks. */
static void read_table(const htmmu_reads *one, double walks, double part, htmmu_rates *r)
{
    const htmmu_together *first = one->at_once;
    double accesses[HTMMU_AT_ONCE], reads[HTMMU_AT_ONCE], taken[HTMMU_AT_ONCE];
    if (one->walks <= 0 || part <= 0)
        return;
    for (int step = 0; step < HTMMU_AT_ONCE; step++) {
        const htmmu_together *here = &one->at_once[step];
        accesses[step] = first->accesses > 0 ? here->accesses / first->accesses : 1;
        reads[step] = first->reads > 0 ? here->reads / first->reads : 1;
        taken[step] = first->reads > 0 ? here->taken / first->reads : 1;
    }
    double each = one->reads / one->walks;
    r->accesses += part * one->accesses / one->walks * at_once(accesses, walks);
    r->reads += part * each * at_once(reads, walks);
    r->waits += part * each * (at_once(taken, walks) - at_once(reads, walks));
}

/* A page that is walked again shortly after finds its path, where it is kept for it, and its lines.
 */
static void walk_again(const htmmu_config *c, double walks, htmmu_rates *r)
{
    bool own = c->merge_entries == 1 || c->walker_choice != MSW_WALKER_LONGEST_IDLE;
    if (c->path_cache == HTMMU_PATH_NONE)
        r->again_accesses = r->steps;
    else if (c->path_cache == HTMMU_PATH_UNIFIED)
        r->again_accesses = (double)c->tpc_entries >= r->steps * walks ? 0 : r->accesses;
    else if (c->path_cache == HTMMU_PATH_SHARED)
        r->again_accesses = (double)c->tpc_entries >= walks ? 1 : r->accesses;
    else
        r->again_accesses = own ? 1 : r->accesses;
    r->again_reads = c->table_lines ? fmin(r->again_accesses, r->reads) : r->again_accesses;
}

void htmmu_walk_rates(const htmmu_config *c, const htmmu_profile *p, const htmmu_table *table,
                      double walks, htmmu_rates *r)
{
    mix m = mix_of(p, r->fresh);
    r->waits = 0;
    if (table->filters[0].walks <= 0) {
        r->reads = r->accesses = accesses_of(c, p, r, &m, walks);
        walk_again(c, walks, r);
        return;
    }
    r->accesses = r->reads = 0;
    read_table(&table->filters[m.low], walks, m.part[0], r);
    read_table(&table->filters[m.high], walks, m.part[1], r);
    walk_again(c, walks, r);
}

/* Hit rates, repeats and accesses per walk out of the profiles: README.md, "Closed form". */
#include "htmmu_rates.h"

#include "memsweep/pagetable.h"

#include <math.h>

/* ---- set-associative TLBs ---- */

typedef struct shape {
    double sets, ways;
} shape;

static shape shape_of(int64_t pages, int64_t coalesce, int64_t ways)
{
    int64_t entries = pages / coalesce, set = ways && ways < entries ? ways : entries;
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
    term = sum = exp(-mean);
    for (double k = 1; k < s->ways; k++) {
        term *= mean / k;
        sum += term;
    }
    return sum;
}

static double hits_of(const htmmu_distances *d, const shape *s)
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

/* ---- tables over capacities ---- */

/* Where in the row of capacities as many runs are fresh. */
static double size_of(const htmmu_part *p, double fresh)
{
    int size = 0;
    while (size < HTMMU_SIZES - 1 && p->fresh[size + 1] > fresh)
        size++;
    if (size == HTMMU_SIZES - 1 || p->fresh[size] <= fresh)
        return size;
    return size + (p->fresh[size] - fresh) / (p->fresh[size] - p->fresh[size + 1]);
}

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

/* Repeats of rank at most `rank`, per capacity and span. */
static double up_to_rank(const double *row, double rank)
{
    if (rank <= 0)
        return 0;
    double place = rank < 1 ? 0 : log2(rank);
    int low = place < HTMMU_RANKS - 1 ? (int)place : HTMMU_RANKS - 2;
    if (place > HTMMU_RANKS - 1)
        return row[HTMMU_RANKS - 1];
    double from = exp2(low), part = (rank - from) / from;
    return between(row[low], row[low + 1], part < 1 ? part : 1);
}

static void repeats_of(const htmmu_part *p, double size, double rank, double *out)
{
    int low = (int)size < HTMMU_SIZES - 1 ? (int)size : HTMMU_SIZES - 2;
    for (int span = 0; span < HTMMU_SPANS; span++)
        out[span] = between(up_to_rank(p->repeats[low][span], rank),
                            up_to_rank(p->repeats[low + 1][span], rank), size - low);
}

static double at_span(const double *row, double ahead)
{
    double place = ahead < 1 ? 0 : log2(ahead);
    if (place >= HTMMU_SPANS - 1)
        return row[HTMMU_SPANS - 1];
    int low = (int)place;
    double from = exp2(low);
    return between(row[low], row[low + 1], (ahead - from) / from);
}

/* ---- paths ---- */

static double known_paths(const htmmu_profile *p, int filter, unsigned level, double entries)
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
    return below / p->walked[filter];
}

static double entries_of(const htmmu_config *c, double steps)
{
    if (c->path_cache == HTMMU_PATH_REGISTER)
        return 1;
    double entries = (double)c->tpc_entries;
    return c->path_cache == HTMMU_PATH_UNIFIED ? entries / steps : entries;
}

static double saved_accesses(const htmmu_static *f)
{
    const htmmu_profile *p = f->profile;
    double place = fmin(fmax((f->size - 1) / 3, 0), HTMMU_FILTERS - 1), saved = 0;
    int low = place < HTMMU_FILTERS - 1 ? (int)place : HTMMU_FILTERS - 2;
    if (f->config->path_cache == HTMMU_PATH_NONE)
        return 0;
    double entries = entries_of(f->config, f->steps);
    if (p->walked[low + 1] <= 0)
        place = low;
    for (unsigned level = 0; level < p->upper; level++)
        saved += between(known_paths(p, low, level, entries),
                         known_paths(p, low + 1, level, entries), place - low);
    return saved;
}

/* ---- all together ---- */

/* Registers that misses can use at once. With address bits alone requests stop at the first bank
 * that is full. */
static double registers_of(const htmmu_config *c, const htmmu_banks *banks)
{
    double each = (double)c->l1_mshrs, streams = (double)c->streams;
    if (c->router == HTMMU_ROUTER_NONE || streams < 2)
        return each;
    if (c->router == HTMMU_ROUTER_ADAPTIVE)
        return each * streams;
    double place = log2(each);
    int low = place < HTMMU_LIMITS - 1 ? (int)place : HTMMU_LIMITS - 2;
    return fmax(each, between(banks->until_full[low], banks->until_full[low + 1], place - low));
}

static double ports_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks)
{
    if (c->router == HTMMU_ROUTER_NONE)
        return 1;
    if (c->router == HTMMU_ROUTER_ADAPTIVE && c->divert == HTMMU_DIVERT_BUSY)
        return (double)c->streams;
    return p->requests / banks->cycles;
}

/* Repeats of one page that the page-table unit can take in at once: with items, and in its queue.
 */
static void fill_repeats(htmmu_static *f)
{
    const htmmu_config *c = f->config;
    double items = (double)c->merge_items, walkers = (double)c->merge_entries;
    bool spreads = c->router == HTMMU_ROUTER_ADAPTIVE;
    double held = fmin(spreads ? f->registers : (double)c->l1_mshrs, (double)c->window);
    double taken = c->items_full == HTMMU_FULL_WALK ? walkers * (1 + items) : 1 + items;
    double reach = fmin(held, taken) - 1;
    repeats_of(f->part, f->size, reach, f->repeats);
    repeats_of(f->part, f->size, fmin(items, reach), f->merged);
    repeats_of(f->part, f->size, fmin(1, reach), f->first);
    repeats_of(f->part, f->size, fmin(held, taken + (double)c->ptu_queue + 1) - 1, f->queued);
    f->room = fmin(f->registers, (double)c->window);
}

htmmu_static htmmu_static_of(const htmmu_config *c, const htmmu_profile *p,
                             const htmmu_banks *banks, int part)
{
    const htmmu_part *own = &p->parts[part];
    htmmu_static f = {.config = c,
                      .profile = p,
                      .part = own,
                      .banks = banks,
                      .requests = own->requests,
                      .streams = c->router == HTMMU_ROUTER_NONE ? 1 : (double)c->streams,
                      .registers = registers_of(c, banks),
                      .ports = ports_of(c, p, banks),
                      .steps = p->upper + 1};
    shape l1 = shape_of(htmmu_bank_entries(c), c->l1_coalesce, c->l1_ways);
    bool spreads = c->router == HTMMU_ROUTER_ADAPTIVE;
    f.l1_misses = f.requests - hits_of(spreads ? &banks->scatter[part] : &banks->home[part], &l1);
    f.fresh = f.l1_misses;
    if (c->l2_entries) {
        shape l2 = shape_of(c->l2_entries, c->l2_coalesce, c->l2_ways);
        f.fresh = fmin(own->pages.total - hits_of(&own->pages, &l2), f.l1_misses);
    }
    f.size = size_of(own, f.fresh);
    fill_repeats(&f);
    f.accesses = fmax(f.steps - saved_accesses(&f), 1);
    htmmu_set_access(&f, (double)c->level_cycles);
    return f;
}

void htmmu_set_access(htmmu_static *f, double cycles)
{
    const htmmu_config *c = f->config;
    f->walk = f->accesses * cycles;
    f->walk += c->path_cache == HTMMU_PATH_NONE ? 0 : (double)c->tpc_cycles;
}

double htmmu_reading(const htmmu_static *f)
{
    const htmmu_config *c = f->config;
    return f->walk - (c->path_cache == HTMMU_PATH_NONE ? 0 : (double)c->tpc_cycles);
}

/* Mean part of the span from 0 to `ahead` at which repeats come. */
static double mean_place(const double *row, double ahead, double all)
{
    double sum = 0;
    for (int span = 1; span < HTMMU_SPANS && exp2(span - 1) < ahead; span++) {
        double low = exp2(span - 1), high = fmin(exp2(span), ahead);
        sum += (at_span(row, high) - row[span - 1]) * (low + high) / 2;
    }
    return all > 0 && ahead > 0 ? fmin(sum / all / ahead, 1) : 0;
}

/* Requests that go until `room` places are taken by repeats of a page and by the other misses, of
 * which there are `misses` in all; at most `most`. */
static double requests_ahead(const htmmu_static *f, const double *repeats, double misses,
                             double room, double most)
{
    double low = 1, high = fmax(most, 1);
    for (int round = 0; round < 10; round++) {
        double middle = sqrt(low * high);
        double taken = f->fresh > 0 ? at_span(repeats, middle) / f->fresh : 0;
        if (taken + middle * misses / f->requests < room)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A miss that waits for a walker while its page comes walks again, and takes on those that follow
 * it within a walk. */
static void count_repeats(const htmmu_static *f, double ahead, double behind, double near,
                          htmmu_ways *w)
{
    double items = 1 + (double)f->config->merge_items;
    w->repeats = near * at_span(f->repeats, ahead);
    w->excess = fmax(w->repeats - near * at_span(f->merged, ahead), 0);
    if (f->config->items_full == HTMMU_FULL_WALK)
        w->redundant = w->excess / items;
    double waiting = fmax(at_span(f->queued, behind) - w->repeats, 0);
    double each = f->fresh > 0 ? fmin(1 + w->repeats / f->fresh, items) : 1;
    w->late = f->config->reprobe ? 0 : waiting / each;
    w->repeats += waiting - w->late;
    w->early = mean_place(f->repeats, ahead, w->repeats);
}

htmmu_ways htmmu_ways_of(const htmmu_static *f)
{
    const htmmu_config *c = f->config;
    htmmu_ways w = {.requests = f->requests, .fresh = f->fresh, .accesses = f->accesses};
    double most = f->walk * f->ports, ahead = fmin(f->registers, most), behind = ahead;
    double walkers = (double)c->merge_entries, near = 1;
    for (int round = 0; round < 4; round++) {
        count_repeats(f, ahead, behind, near, &w);
        double misses = w.fresh + w.repeats + w.late, walks = w.fresh + w.redundant + w.late;
        double served = walks > 0 ? walkers * misses / walks : walkers;
        double held = fmin(f->room, served + (double)c->ptu_queue + 1);
        ahead = requests_ahead(f, f->repeats, misses, fmin(f->room, served), most);
        behind = fmax(ahead, requests_ahead(f, f->queued, misses, held, most));
        /* Parked misses go on in the order of their banks' registers: neighbours come apart by as
         * many misses as there are banks. */
        bool saturated = served < f->room && most * walks > walkers * f->requests;
        near = saturated && c->router == HTMMU_ROUTER_ADAPTIVE ? fmin(1, served / f->streams) : 1;
    }
    double first = at_span(f->first, ahead), each = first > 0 ? w.repeats / first : 0;
    double missed = 0;
    if (f->config->router == HTMMU_ROUTER_ADAPTIVE && first > 0)
        missed = first * (f->streams * (1 - pow(1 - 1 / f->streams, each + 1)) - 1);
    w.l2_hits = fmax(f->l1_misses - f->fresh - missed, 0);
    w.l1_hits = fmax(w.requests - w.fresh - w.repeats - w.l2_hits, 0);
    return w;
}

/* SPDX-License-Identifier: MIT */
/* Hit rates from stack distances: README.md, "Closed form", "Reuse". Visits that neither TLB
 * holds come from the joint histogram of both distances.
 *
 *   LRU, S sets of A ways    hits = sum over distances d of count(d) P(Poisson(d / S) < A)
 *   random replacement       P(d) = exp(-d (1 - S A / M) miss(d) / (S A))
 *   fresh                    visits with both distances beyond what its TLB keeps
 *
 *   d  distinct pages since the last use     M  misses     miss(d)  mean of 1 - P beyond d
 *
 * Sources: R. L. Mattson et al., IBM Systems Journal 9 (1970) 78-117; A. J. Smith, IEEE TSE 4
 * (1978) 121-130. Known value: one set of n ways holds every distance below n. */
#include "mech/htmmu/closed/replay.h"

#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/model.h"
#include "mech/shared/rules.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"

#include <math.h>

enum { HTMMU_FEW = 8, HTMMU_MANY = 64 }; /* requests of a visit that count */

/* From counts by both bins to counts of those in both bins or farther. */
static void add_up(float (*count)[HTMMU_FAR])
{
    for (int near = HTMMU_FAR - 1; near >= 0; near--)
        for (int far = HTMMU_FAR - 1; far >= 0; far--) {
            if (near + 1 < HTMMU_FAR)
                count[near][far] += count[near + 1][far];
            if (far + 1 < HTMMU_FAR)
                count[near][far] += count[near][far + 1];
            if (near + 1 < HTMMU_FAR && far + 1 < HTMMU_FAR)
                count[near][far] -= count[near + 1][far + 1];
        }
}

int htmmu_build_joint(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    (void)extra;
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    const htmmu_banks *banks = task->artifacts[HTMMU_ARTIFACT_BANKS];
    htmmu_joint *joint = msw_arena_zero(arena, 1, sizeof *joint);
    *root = joint;
    if (!joint)
        return msw_fail_memory(err);
    for (int deal = 0; deal < HTMMU_DEALS && banks->bins[deal]; deal++) {
        for (uint64_t visit = 0; visit < stream->visit_count; visit++) {
            uint8_t near = banks->bins[deal][visit], far = profile->bins[visit];
            joint->visits[deal][near][far]++;
            uint64_t requests = stream->visits[visit].requests;
            joint->few[deal][near][far] += (float)msw_min_u64(requests, HTMMU_FEW);
            joint->many[deal][near][far] += (float)msw_min_u64(requests, HTMMU_MANY);
        }
        add_up(joint->visits[deal]);
        add_up(joint->few[deal]);
        add_up(joint->many[deal]);
    }
    return 0;
}

/* Where in the row of bins as many uses are as far or farther. */
static double htmmu_position_of(const htmmu_distances *d, double missing)
{
    double beyond = d->cold;
    int bin = HTMMU_BINS - 1;
    if (missing <= beyond)
        return HTMMU_BINS;
    while (bin > 0 && beyond + d->count[bin] < missing)
        beyond += d->count[bin--];
    if (d->count[bin] <= 0)
        return bin;
    double part = (missing - beyond) / d->count[bin];
    return bin + 1 - (part < 1 ? part : 1);
}

/* Uses as far as a position in the row of bins or farther. */
static double htmmu_beyond(const htmmu_distances *d, double position)
{
    double beyond = d->cold;
    for (int bin = HTMMU_BINS - 1; bin >= 0 && bin + 1 > position; bin--)
        beyond += d->count[bin] * (bin >= position ? 1 : bin + 1 - position);
    return beyond;
}

static double between(double a, double b, double part)
{
    return a + (b - a) * part;
}

static double value_at(const float *row, double far)
{
    int low = far < HTMMU_FAR - 1 ? (int)far : HTMMU_FAR - 2;
    return between(row[low], row[low + 1], far - low);
}

/* Returns the sum over those at least so far in both. */
static double htmmu_joint_at(const float (*sums)[HTMMU_FAR], double near, double far)
{
    int low = near < HTMMU_FAR - 1 ? (int)near : HTMMU_FAR - 2;
    return between(value_at(sums[low], far), value_at(sums[low + 1], far), near - low);
}

/* ---- set-associative TLBs ---- */

enum { LOTS = 12 }; /* steps of a fixed point, each of which halves what is left */

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

/* Hits of random replacement. An entry survives m evictions with exp(-m / entries). Of the d pages
 * used since its last use as many missed as of all uses of pages that were away for as long or
 * longer, which is a fixed point; `evicting` of the misses find no entry empty. */
static double hits_by_lot(const htmmu_distances *d, double entries, double evicting)
{
    double uses = d->cold, misses = d->cold, hits = 0;
    for (int bin = HTMMU_BINS - 1; bin >= 0; bin--) {
        double middle = htmmu_bin_floor(bin) + 0.5 * (htmmu_bin_width(bin) - 1);
        double count = d->count[bin], part = 0;
        if (count <= 0)
            continue;
        for (int step = 0; step < LOTS; step++) {
            double missing = evicting * (misses + count * (1 - part)) / (uses + count);
            part = (part + msw_math_exp(-middle * missing / entries)) / 2;
        }
        uses += count;
        misses += count * (1 - part);
        hits += count * part;
    }
    return hits;
}

enum { FILLINGS = 4 };

/* The first misses fill what is empty. */
static double hits_at_random(const htmmu_distances *d, const shape *s)
{
    double entries = s->sets * s->ways, hits = d->total - d->cold;
    for (int step = 0; step < FILLINGS; step++)
        hits = hits_by_lot(d, entries, fmax(1 - entries / fmax(d->total - hits, 1), 0));
    return hits;
}

/* The largest number of sets that was followed, up to `number`. */
static int followed(const htmmu_sets *counts, int number)
{
    number = number < HTMMU_SETS ? number : HTMMU_SETS - 1;
    while (number > 0) {
        for (int way = 0; way <= HTMMU_WAYS; way++)
            if (counts->count[number][way] > 0)
                return number;
        number--;
    }
    return 0;
}

/* Entries found. LRU sets: as counted where the number of sets was followed; of others the lower
 * one has proportionally more ways. */
static double hits_of(const htmmu_config *c, const htmmu_distances *d, const htmmu_sets *counts,
                      const shape *s)
{
    if ((c->policy == MSW_POLICY_RANDOM || c->policy == MSW_POLICY_FIFO) && s->ways > 1)
        return hits_at_random(d, s);
    int number = followed(counts, (int)msw_math_log2(s->sets));
    double ways = s->ways * s->sets / msw_math_exp2(number);
    if (ways > HTMMU_WAYS || number == 0)
        return hits_by_chance(d, s);
    return hits_within(counts->count[number], ways);
}

/* Uses that do not find their page. Of entries that hold only walked pages those of which no use
 * since the page's last one missed, which are less far than what such a TLB loses. */
static double losses_of(const htmmu_config *c, const htmmu_distances *pages,
                        const htmmu_distances *blocks, const htmmu_sets *counts, const shape *s)
{
    double lost = blocks->total - hits_of(c, blocks, counts, s);
    return fmax(htmmu_beyond(pages, htmmu_position_of(blocks, lost)), 1);
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

static double ports_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks)
{
    if (c->router == HTMMU_ROUTER_NONE)
        return 1;
    if (c->router == HTMMU_ROUTER_ADAPTIVE && c->divert == HTMMU_DIVERT_BUSY)
        return (double)c->streams;
    return p->requests / banks->cycles;
}

/* Requests that miss the first TLB, all dealt in one way. */
static double dealt_misses(const htmmu_config *c, const htmmu_banks *banks, int deal)
{
    shape l1 = shape_of(htmmu_bank_entries(c), c->l1_coalesce, c->l1_ways);
    return losses_of(c, &banks->distances[deal], &banks->blocks[deal], &banks->sets[deal], &l1);
}

/* A sum over visits beyond `near` that are not beyond `far`. */
static double found_second(const float (*sums)[HTMMU_FAR], double near, double far)
{
    return htmmu_joint_at(sums, near, 0) - htmmu_joint_at(sums, near, far);
}

/* The same, some of them sent to the banks in turn; and the visits that the second does not hold
 * either, which would miss `lost` of all. */
static void miss_both(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks,
                      const htmmu_joint *joint, double lost, htmmu_rates *r)
{
    double misses[HTMMU_DEALS], both[HTMMU_DEALS], few[HTMMU_DEALS], many[HTMMU_DEALS];
    double far = htmmu_position_of(&p->pages, lost);
    int deals = r->spread > 0 ? HTMMU_DEALS : 1;
    for (int deal = 0; deal < deals; deal++) {
        misses[deal] = dealt_misses(c, banks, deal);
        double near = htmmu_position_of(&banks->distances[deal], misses[deal]);
        both[deal] = htmmu_joint_at(joint->visits[deal], near, far);
        double found = fmax(found_second(joint->visits[deal], near, far), 1);
        few[deal] = found_second(joint->few[deal], near, far) / found;
        many[deal] = found_second(joint->many[deal], near, far) / found;
    }
    r->few = between(few[HTMMU_HOME], few[deals - 1], r->spread);
    r->many = between(many[HTMMU_HOME], many[deals - 1], r->spread);
    r->l1_misses = between(misses[HTMMU_HOME], misses[deals - 1], r->spread);
    r->fresh = between(both[HTMMU_HOME], both[deals - 1], r->spread);
}

static double touches_of(const htmmu_config *c, const htmmu_profile *p, const htmmu_rates *r)
{
    const htmmu_sample *sample = &p->samples[r->size];
    unsigned bits = msw_bits_log2((uint64_t)htmmu_reach(c));
    if (sample->fresh <= 0)
        return 1;
    return between(sample->touches[0], sample->touches[bits], r->spread) / sample->fresh;
}

enum { STEPS = 2 };

/* A visit that misses the second TLB is of no matter where the banks that it goes to hold the page:
 * fresh visits miss at no more banks than there are misses. */
void htmmu_hit_rates(const htmmu_config *c, const htmmu_profile *p, const htmmu_banks *banks,
                     const htmmu_joint *joint, htmmu_rates *r)
{
    double lost = p->pages.total, both;
    r->ports = ports_of(c, p, banks);
    r->steps = p->upper + 1;
    if (c->l2_entries) {
        shape l2 = shape_of(c->l2_entries, c->l2_coalesce, c->l2_ways);
        lost = losses_of(c, &p->pages, &p->blocks, &p->sets, &l2);
    }
    miss_both(c, p, banks, joint, lost, r);
    both = r->fresh;
    r->touches = 1;
    for (int step = 0; step < STEPS; step++) {
        r->fresh = fmax(fmin(both, r->l1_misses / r->touches), 1);
        r->capacity = size_of(p, r->fresh);
        r->size = (int)(r->capacity + 0.5);
        r->touches = touches_of(c, p, r);
    }
    r->fresh = fmax(fmin(both, r->l1_misses / r->touches), 1);
}

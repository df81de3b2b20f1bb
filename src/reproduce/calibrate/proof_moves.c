/* SPDX-License-Identifier: MIT */
/* Truths that are known, for moves: what would have been published of a setting kept out is what
 * particles are moved to, and each unknown's true value has a rank among them.
 * docs/models/calibrate.md, section 6. */
#include "reproduce/calibrate/moves.h"
#include "reproduce/calibrate/proof.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    const msw_calibration *c;
    msw_compared compared;
    double published[MSW_MOST_COMPARED];
    bool *out;               /* the truth's block */
    double *values, *shares; /* of particles */
    double *ranks;           /* by unknown and truth */
    double *effective;       /* by truth */
} trial;

static double log_of(const void *context, size_t setting)
{
    const trial *t = context;
    return msw_compared_log(t->c, &t->compared, setting, t->published);
}

/* Settings begun by `first` up to the next block: what changes an artifact is the same. */
static void keep_out(const trial *t, size_t first)
{
    size_t end = first + 1;
    memset(t->out, 0, t->c->count * sizeof *t->out);
    while (end < t->c->waves[0].settings && !msw_calibration_begins(t->c, end))
        end++;
    memset(&t->out[first], 1, (end - first) * sizeof *t->out);
}

static double value_of(const msw_calibration *c, size_t setting, size_t unknown)
{
    return msw_unknown_value(&c->paper->spread.unknowns[unknown],
                             c->positions[setting * c->unknowns + unknown]);
}

static void rank_one(trial *t, const msw_moved *moved, size_t truth, size_t number, size_t truths)
{
    const msw_calibration *c = t->c;
    msw_rng rng;
    msw_rng_init(&rng, (uint64_t)c->paper->ask->seed + 80, truth);
    for (size_t u = 0; u < c->unknowns; u++) {
        for (size_t i = 0; i < moved->particles; i++) {
            t->values[i] = value_of(c, moved->setting[i], u);
            t->shares[i] = 1 / (double)moved->particles;
        }
        t->ranks[u * truths + number] = msw_rank_of(value_of(c, truth, u), t->values, t->shares,
                                                    moved->particles, msw_rng_uniform(&rng));
    }
}

static double effective_of(const msw_moved *moved, double *shares, size_t count)
{
    memset(shares, 0, count * sizeof *shares);
    for (size_t i = 0; i < moved->particles; i++)
        shares[moved->setting[i]] += 1 / (double)moved->particles;
    return msw_weights_effective(shares, count);
}

/* The table is as it was then: what one truth's moves went through helps no other's. */
static int forget(msw_calibration *c, size_t count)
{
    c->count = count;
    return c->interrupted ? 0 : msw_calibration_judge(c);
}

static int try_truth(msw_calibration *c, trial *t, size_t truth, size_t truths)
{
    uint64_t words[] = {(uint64_t)c->paper->ask->seed, 81, truth};
    size_t count = c->count;
    msw_moved moved = {0};
    msw_move_ask ask = {.log = log_of,
                        .context = t,
                        .out = t->out,
                        .seed = msw_hash_bytes(words, sizeof words).lo,
                        .most = msw_calibration_moves_most(c)};
    keep_out(t, truth);
    msw_compared_publish(c, &t->compared, truth, 79, t->published);
    int rc = msw_calibration_move(c, &ask, &moved);
    double *shares = calloc(c->count + moved.particles + 1, sizeof *shares);
    if (rc == 0 && !shares)
        rc = msw_fail_memory(c->paper->err);
    if (rc == 0 && moved.reached) {
        rank_one(t, &moved, truth, c->move_truths, truths);
        t->effective[c->move_truths++] = effective_of(&moved, shares, c->count);
    } else if (rc == 0 && !c->interrupted) {
        c->unreached++;
    }
    free(shares);
    free(moved.setting);
    MSW_TRY(forget(c, count));
    MSW_TRY(rc);
    return 0;
}

/* The first settings of so many blocks of the first wave, evenly spread. */
static int try_all(msw_calibration *c, trial *t, size_t wanted)
{
    size_t blocks = 0, block = 0;
    for (size_t k = 0; k < c->waves[0].settings; k++)
        blocks += msw_calibration_begins(c, k);
    size_t truths = wanted < blocks ? wanted : blocks;
    for (size_t k = 0; k < c->waves[0].settings && !c->interrupted; k++) {
        if (!msw_calibration_begins(c, k))
            continue;
        bool taken = block * truths / blocks != (block + 1) * truths / blocks;
        block++;
        if (taken && try_truth(c, t, k, wanted))
            return -1;
    }
    return 0;
}

static int compare_small(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int conclude(msw_calibration *c, const trial *t, size_t wanted)
{
    for (size_t u = 0; u < c->unknowns; u++)
        c->move_probability[u] = msw_few_ranks_probability(&t->ranks[u * wanted], c->move_truths);
    qsort(t->effective, c->move_truths, sizeof *t->effective, compare_small);
    c->move_effective = c->move_truths ? t->effective[c->move_truths / 2] : NAN;
    return msw_holm(c->move_probability, c->unknowns, c->paper->err);
}

int msw_calibration_prove_moves(msw_calibration *c)
{
    size_t wanted = (size_t)c->ask->move_truths, particles = (size_t)c->ask->particles + 1;
    trial t = {.c = c, .compared = msw_calibration_compared(c)};
    t.out = calloc(c->count + 1, sizeof *t.out);
    t.values = calloc(particles, sizeof *t.values);
    t.shares = calloc(particles, sizeof *t.shares);
    t.ranks = calloc(wanted * (c->unknowns + 1), sizeof *t.ranks);
    t.effective = calloc(wanted + 1, sizeof *t.effective);
    c->move_probability = calloc(c->unknowns + 1, sizeof *c->move_probability);
    int rc = t.out && t.values && t.shares && t.ranks && t.effective && c->move_probability
                 ? 0
                 : msw_fail_memory(c->paper->err);
    if (rc == 0)
        rc = try_all(c, &t, wanted);
    if (rc == 0 && !c->interrupted)
        rc = conclude(c, &t, wanted);
    free(t.out);
    free(t.values);
    free(t.shares);
    free(t.ranks);
    free(t.effective);
    return rc;
}

/* SPDX-License-Identifier: MIT */
/* Sequential Monte Carlo: particles start at settings of the table and are moved to where the
 * weight is, while the power of the likelihood rises to 1. What is proposed in one step is computed
 * at once. docs/models/calibrate.md, section 6. */
#include "reproduce/calibrate/moves.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLOSED = 8192, STEPS = 8, LAST_STEPS = 16 };
#define CHANGED  2.0 /* unknowns of a proposal, about */
#define MOVED    1.0 /* moves accepted per particle at each power, and at the last */
#define MOVED_AT 3.0
#define NOWHERE  SIZE_MAX

/* A setting or a proposal, by the values it has. */
typedef struct keyed {
    msw_digest block, all; /* of what changes an artifact, and of all */
    size_t at;
} keyed;

/* Values of what changes an artifact, as a setting of the table has them. */
typedef struct block {
    msw_digest digest;
    size_t setting;
    double mass; /* of the prior, and of all before */
} block;

typedef struct mover {
    msw_calibration *c;
    const msw_move_ask *ask;
    msw_moved *moved;
    size_t count; /* of particles */
    double *at, *log;
    size_t *family;
    size_t blocks;
    block *block;
    size_t indexed; /* settings */
    keyed *index;   /* of those that have values, sorted */
    double *spread; /* of the particles, by unknown */
    double *next;   /* positions proposed */
    size_t *found;  /* their settings */
    keyed *missing; /* those that are in no setting */
    bool *broken;
    double *batch;
} mover;

static const msw_unknown *unknown_of(const msw_calibration *c, size_t u)
{
    return &c->paper->spread.unknowns[u];
}

/* ---- settings by their values ---- */

static keyed key_of(const msw_calibration *c, const double *position, size_t at)
{
    keyed key = {.at = at};
    for (size_t u = 0; u < c->unknowns; u++) {
        double value = msw_unknown_value(unknown_of(c, u), position[u]);
        msw_digest digest = msw_hash_bytes(&value, sizeof value);
        key.all = msw_hash_pair(key.all, digest);
        if (unknown_of(c, u)->shapes)
            key.block = msw_hash_pair(key.block, digest);
    }
    return key;
}

static int compare(msw_digest a, msw_digest b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

static int by_all(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int order = compare(x->all, y->all);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* What needs the same artifacts stands together. */
static int by_block(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    int order = compare(x->block, y->block);
    return order ? order : by_all(a, b);
}

/* Adds the settings from `first` on that have values. */
static int note_settings(mover *m, size_t first)
{
    const msw_calibration *c = m->c;
    keyed *bigger = realloc(m->index, (c->count + 1) * sizeof *bigger);
    if (!bigger)
        return msw_fail_memory(c->paper->err);
    m->index = bigger;
    for (size_t k = first; k < c->count; k++)
        if (c->at[c->stage][k])
            m->index[m->indexed++] = key_of(c, &c->positions[k * c->unknowns], k);
    qsort(m->index, m->indexed, sizeof *m->index, by_all);
    return 0;
}

static size_t find_setting(const mover *m, const keyed *key)
{
    size_t low = 0, high = m->indexed;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(m->index[middle].all, key->all) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool same = low < m->indexed && msw_digest_equal(m->index[low].all, key->all);
    return same ? m->index[low].at : NOWHERE;
}

/* ---- the start ---- */

static bool starts(const mover *m, size_t setting)
{
    const msw_calibration *c = m->c;
    return c->drawn[setting] && msw_calibration_has_weight(c, setting) &&
           !(m->ask->out && m->ask->out[setting]);
}

static void note_block(mover *m, const keyed *key)
{
    size_t i = m->blocks; /* settings of a block mostly stand in a row */
    while (i > 0 && !msw_digest_equal(m->block[i - 1].digest, key->block))
        i--;
    if (i == 0) {
        m->block[m->blocks] = (block){key->block, key->at, 0};
        i = ++m->blocks;
    }
    m->block[i - 1].mass += 1 / m->c->sampled[key->at];
}

static int find_blocks(mover *m)
{
    const msw_calibration *c = m->c;
    bool any = false;
    for (size_t u = 0; u < c->unknowns; u++)
        any = any || unknown_of(c, u)->shapes;
    m->block = calloc(c->count + 1, sizeof *m->block);
    if (!m->block)
        return msw_fail_memory(c->paper->err);
    for (size_t k = 0; any && k < c->count; k++)
        if (starts(m, k)) {
            keyed key = key_of(c, &c->positions[k * c->unknowns], k);
            note_block(m, &key);
        }
    for (size_t i = 1; i < m->blocks; i++)
        m->block[i].mass += m->block[i - 1].mass;
    return 0;
}

static msw_rng stream(const mover *m, uint64_t part, uint64_t number)
{
    uint64_t words[] = {m->ask->seed, part};
    msw_rng rng;
    msw_rng_init(&rng, msw_hash_bytes(words, sizeof words).lo, number);
    return rng;
}

/* The key of a resampling. */
static double resample_key(const mover *m)
{
    msw_rng rng = stream(m, 1, m->moved->tempers);
    return msw_rng_uniform(&rng);
}

static void place(mover *m, const size_t *chosen)
{
    msw_calibration *c = m->c;
    for (size_t i = 0; i < m->count; i++) {
        memcpy(&m->at[i * c->unknowns], &c->positions[chosen[i] * c->unknowns],
               c->unknowns * sizeof *m->at);
        m->moved->setting[i] = m->family[i] = chosen[i];
        m->log[i] = m->ask->log(m->ask->context, chosen[i]);
    }
}

static int start(mover *m)
{
    msw_calibration *c = m->c;
    double *log = malloc((c->count + 1) * sizeof *log), phi;
    double *weights = malloc((c->count + 1) * sizeof *weights), sum = 0;
    if (!log || !weights) {
        free(log);
        free(weights);
        return msw_fail_memory(c->paper->err);
    }
    for (size_t k = 0; k < c->count; k++)
        log[k] = starts(m, k) ? m->ask->log(m->ask->context, k) : -INFINITY;
    phi = msw_temper(log, c->sampled, c->count, 0, fmin(MSW_ENOUGH, (double)m->count / 2));
    msw_tempered_weights(log, c->sampled, c->count, phi, weights);
    for (size_t k = 0; k < c->count; k++)
        sum += weights[k];
    msw_resample(weights, c->count, resample_key(m), m->count, m->found);
    m->moved->start = m->moved->phi = phi;
    if (sum > 0)
        place(m, m->found);
    else
        m->count = 0; /* no setting has a value */
    free(log);
    free(weights);
    return 0;
}

/* ---- a step ---- */

static void find_spreads(mover *m)
{
    size_t unknowns = m->c->unknowns;
    for (size_t u = 0; u < unknowns; u++) {
        double sum = 0, squares = 0, n = (double)m->count;
        for (size_t i = 0; i < m->count; i++)
            sum += m->at[i * unknowns + u];
        for (size_t i = 0; i < m->count; i++) {
            double off = m->at[i * unknowns + u] - sum / n;
            squares += off * off;
        }
        m->spread[u] = sqrt(squares / n);
    }
}

/* Gives a proposal the block that a key falls on. */
static void change_block(const mover *m, double key, double *next)
{
    const msw_calibration *c = m->c;
    double at = key * m->block[m->blocks - 1].mass;
    size_t low = 0, high = m->blocks - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->block[middle].mass <= at)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t u = 0; u < c->unknowns; u++)
        if (unknown_of(c, u)->shapes)
            next[u] = c->positions[m->block[low].setting * c->unknowns + u];
}

/* Whether part `i` of a proposal may change: an unknown that shapes nothing, or, last, the block.
 */
static bool may_change(const mover *m, size_t i)
{
    return i < m->c->unknowns ? !unknown_of(m->c, i)->shapes : m->blocks > 1;
}

/* Changes a part where it was picked; draws the same keys where not. */
static void change_part(const mover *m, size_t i, bool picked, msw_rng *rng, double *next)
{
    double keys[3];
    for (int k = 0; k < 3; k++)
        keys[k] = msw_rng_uniform(rng);
    if (!picked || !may_change(m, i))
        return;
    if (i < m->c->unknowns)
        next[i] = msw_propose(next[i], m->c->levels[i], m->spread[i], keys);
    else
        change_block(m, keys[2], next);
}

static void propose(const mover *m, size_t particle, double *next)
{
    size_t unknowns = m->c->unknowns, parts = 0, chosen = 0;
    msw_rng rng = stream(m, 2, m->moved->steps * m->count + particle), again = rng;
    for (size_t i = 0; i <= unknowns; i++)
        parts += may_change(m, i);
    double chance = CHANGED / (double)parts;
    memcpy(next, &m->at[particle * unknowns], unknowns * sizeof *next);
    for (size_t i = 0; i <= unknowns; i++)
        chosen += msw_rng_uniform(&again) < chance && may_change(m, i);
    uint64_t only = parts ? msw_rng_below(&again, parts) : 0, number = 0;
    for (size_t i = 0; i <= unknowns; i++) {
        bool picked = msw_rng_uniform(&rng) < chance;
        if (chosen == 0)
            picked = may_change(m, i) && number == only;
        number += may_change(m, i);
        change_part(m, i, picked, &again, next);
    }
}

static int compute_missing(mover *m, size_t count, bool *spent)
{
    msw_calibration *c = m->c;
    size_t batch = 0, first = c->count;
    qsort(m->missing, count, sizeof *m->missing, by_block);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !msw_digest_equal(m->missing[i].all, m->missing[i - 1].all))
            memcpy(&m->batch[batch++ * c->unknowns], &m->next[m->missing[i].at * c->unknowns],
                   c->unknowns * sizeof *m->batch);
    *spent = m->moved->computed + batch > m->ask->most;
    if (*spent || batch == 0)
        return 0;
    if (msw_calibration_add_at(c, c->stage, m->batch, batch, m->broken))
        return -1;
    m->moved->computed += c->count - first;
    return c->interrupted ? 0 : note_settings(m, first);
}

static int find_all(mover *m, bool *spent)
{
    size_t unknowns = m->c->unknowns, missing = 0;
    for (size_t i = 0; i < m->count; i++) {
        double *next = &m->next[i * unknowns];
        propose(m, i, next);
        keyed key = key_of(m->c, next, i);
        m->found[i] = find_setting(m, &key);
        if (m->found[i] == NOWHERE)
            m->missing[missing++] = key;
    }
    if (compute_missing(m, missing, spent))
        return -1;
    for (size_t k = 0; k < missing && !*spent; k++)
        m->found[m->missing[k].at] = find_setting(m, &m->missing[k]);
    return 0;
}

static void take(mover *m, size_t particle)
{
    size_t unknowns = m->c->unknowns, setting = m->found[particle];
    msw_rng rng = stream(m, 3, m->moved->steps * m->count + particle);
    double key = msw_rng_uniform(&rng);
    m->moved->proposed++;
    if (setting == NOWHERE) /* it breaks a rule */
        return;
    double log = m->ask->log(m->ask->context, setting);
    if (!msw_move_taken(m->log[particle], log, m->moved->phi, key))
        return;
    m->moved->accepted += memcmp(&m->at[particle * unknowns], &m->next[particle * unknowns],
                                 unknowns * sizeof *m->at) != 0;
    memcpy(&m->at[particle * unknowns], &m->next[particle * unknowns], unknowns * sizeof *m->at);
    m->log[particle] = log;
    m->moved->setting[particle] = setting;
}

/* Steps at one power, until enough was accepted or nothing may be computed any more. */
static int move_at_power(mover *m, bool *spent)
{
    bool last = m->moved->phi >= 1;
    int most = last ? LAST_STEPS : STEPS;
    double enough = (last ? MOVED_AT : MOVED) * (double)m->count;
    uint64_t before = m->moved->accepted;
    for (int step = 0; step < most && (double)(m->moved->accepted - before) < enough; step++) {
        find_spreads(m);
        if (find_all(m, spent))
            return -1;
        if (*spent || m->c->interrupted)
            return 0;
        for (size_t i = 0; i < m->count; i++)
            take(m, i);
        m->moved->steps++;
    }
    return 0;
}

/* ---- the next power ---- */

static void copy_particles(mover *m, const size_t *from)
{
    /* `from` never falls, so copies go down where from[i] < i, and up where it is larger: a copy of
     * all is simplest. */
    size_t unknowns = m->c->unknowns;
    memcpy(m->next, m->at, m->count * unknowns * sizeof *m->at);
    for (size_t i = 0; i < m->count; i++) {
        memcpy(&m->at[i * unknowns], &m->next[from[i] * unknowns], unknowns * sizeof *m->at);
        m->missing[i].at = m->moved->setting[from[i]];
        m->missing[i].block.lo = m->family[from[i]];
        m->batch[i] = m->log[from[i]];
    }
    for (size_t i = 0; i < m->count; i++) {
        m->moved->setting[i] = m->missing[i].at;
        m->family[i] = (size_t)m->missing[i].block.lo;
        m->log[i] = m->batch[i];
    }
}

/* Raises the power; false: there is none above at which half of the particles would count. */
static bool raise_power(mover *m)
{
    double from = m->moved->phi;
    double phi = msw_temper(m->log, NULL, m->count, from, (double)m->count / 2);
    if (!(phi > from))
        return false;
    double *weights = m->batch; /* at least one number a particle */
    msw_tempered_weights(m->log, NULL, m->count, phi - from, weights);
    m->moved->tempers++;
    m->moved->phi = phi;
    msw_resample(weights, m->count, resample_key(m), m->count, m->found);
    copy_particles(m, m->found);
    return true;
}

static int by_index(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void count_families(mover *m)
{
    qsort(m->family, m->count, sizeof *m->family, by_index);
    for (size_t i = 0; i < m->count; i++)
        m->moved->families += i == 0 || m->family[i] != m->family[i - 1];
}

static int go(mover *m)
{
    bool spent = false;
    int rc = start(m) || note_settings(m, 0) || find_blocks(m) ? -1 : 0;
    if (rc == 0 && m->count)
        rc = move_at_power(m, &spent);
    while (rc == 0 && m->count && !spent && !m->c->interrupted && m->moved->phi < 1 &&
           raise_power(m))
        rc = move_at_power(m, &spent);
    if (rc == 0)
        count_families(m);
    m->moved->reached = rc == 0 && m->moved->steps && m->moved->phi >= 1 && !m->c->interrupted;
    return rc;
}

static int make_room(mover *m)
{
    size_t count = m->count + 1, unknowns = m->c->unknowns + 1;
    m->at = calloc(count * unknowns, sizeof *m->at);
    m->log = calloc(count, sizeof *m->log);
    m->family = calloc(count, sizeof *m->family);
    m->spread = calloc(unknowns, sizeof *m->spread);
    m->next = calloc(count * unknowns, sizeof *m->next);
    m->found = calloc(count, sizeof *m->found);
    m->missing = calloc(count, sizeof *m->missing);
    m->broken = calloc(count, sizeof *m->broken);
    m->batch = calloc(count * unknowns, sizeof *m->batch);
    m->moved->setting = calloc(count, sizeof *m->moved->setting);
    return m->at && m->log && m->family && m->spread && m->next && m->found && m->missing &&
                   m->broken && m->batch && m->moved->setting
               ? 0
               : msw_fail_memory(m->c->paper->err);
}

int msw_calibration_move(msw_calibration *c, const msw_move_ask *ask, msw_moved *moved)
{
    mover m = {.c = c, .ask = ask, .moved = moved, .count = (size_t)c->ask->particles};
    *moved = (msw_moved){.particles = m.count};
    int rc = -1;
    if (make_room(&m) || go(&m))
        goto done;
    rc = 0;
done:
    void *const owned[] = {m.at,   m.log,   m.family,  m.block,  m.index, m.spread,
                           m.next, m.found, m.missing, m.broken, m.batch};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    return rc;
}

uint64_t msw_calibration_moves_most(const msw_calibration *c)
{
    return c->ask->moves ? (uint64_t)c->ask->moves : c->stage == MSW_CLOSED ? MOST_CLOSED : 0;
}

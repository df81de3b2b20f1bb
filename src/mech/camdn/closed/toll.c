/* SPDX-License-Identifier: MIT */
/* Computes what translation takes of operators, and what tenants leave each other of memory and
 * walkers (README.md, "Translation"). */
#include "mech/camdn/closed/mix.h"
#include "mech/neummu/config.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

enum { LEAF_ENTRIES = 8 /* of a line of a page table */ };

static bool is_pooled(const camdn_translation *t)
{
    return t->kind > CAMDN_TRANSLATE_PRIVATE && t->share != CAMDN_WALKERS_PARTS;
}

/* Entries of an NPU's first TLB that one of its tenants has; of both. */
static void entries_of(const camdn_config *c, double entries[2])
{
    const camdn_translation *t = &c->translation;
    double running = (double)camdn_running(c);
    double turns = c->arrivals == CAMDN_CLOSED ? (double)c->tenants / running : 1;
    entries[0] = (double)t->tlb_entries / turns;
    entries[0] /= t->kind == CAMDN_TRANSLATE_SHARED ? running : 1;
    entries[1] = (double)t->tlb2_entries / turns;
    entries[1] /= t->kind == CAMDN_TRANSLATE_PRIVATE ? 1 : running;
    entries[1] += entries[0];
}

/* ---- how far TLBs reach ---- */

/* Counts a task before which the tenant has visited so many other pages. */
static void add_reach(camdn_reaches *r, double entries, double others, double share)
{
    double reach = msw_max_f64(entries - others, 0);
    int at = (int)msw_min_f64(camdn_rank_of(msw_min_f64(reach, 1e9)), CAMDN_REACHES);
    double sum = r->share[at] + share;
    r->reach[at] += sum > 0 ? (reach - r->reach[at]) * share / sum : 0;
    r->share[at] = sum;
}

/* The networks that a tenant ran, the last first. */
typedef struct ran {
    uint8_t networks[MSW_GRAPH_NETWORKS_MAX];
    uint32_t count;
} ran;

/* Pages of other networks since the last task of a network; INFINITY: there was none. */
static double others_since(ran *r, const camdn_mix *m, uint32_t network)
{
    double pages = 0;
    uint32_t at = 0;
    for (; at < r->count && r->networks[at] != network; at++)
        pages += m->visits->pages[r->networks[at]];
    pages = at == r->count ? INFINITY : pages;
    r->count += at == r->count;
    memmove(r->networks + 1, r->networks, at * sizeof *r->networks);
    r->networks[0] = (uint8_t)network;
    return pages;
}

/* Tasks that come from outside meet any NPU: 1 / share tasks lie between two of a network. */
static void reach_of_arrivals(camdn_mix *m, const double entries[2])
{
    double pages = 0;
    for (uint32_t i = 0; i < m->count; i++)
        pages += m->networks[i].share * m->visits->pages[i];
    for (uint32_t i = 0; i < m->count; i++) {
        double share = msw_max_f64(m->networks[i].share, 1e-9);
        double others = (pages - share * m->visits->pages[i]) / share;
        m->networks[i].closed.changed = 1 - share;
        for (int k = 0; k < 2; k++)
            add_reach(&m->networks[i].closed.reaches[k], entries[k], others, 1);
    }
}

/* Of tasks that tenants draw, all are known. */
static void reach_of_draws(camdn_mix *m, const double entries[2])
{
    const camdn_config *c = m->config;
    double tasks[MSW_GRAPH_NETWORKS_MAX] = {0};
    camdn_draws draws = camdn_draws_of(m->task);
    for (uint32_t tenant = 0; tenant < (uint32_t)c->tenants; tenant++) {
        ran h = {.count = 0};
        for (uint64_t n = 0; n < (uint64_t)(c->first + c->tasks); n++) {
            uint32_t i = camdn_draw(&draws, tenant, n);
            bool counted = n >= (uint64_t)c->first, changes = h.count == 0 || h.networks[0] != i;
            double others = others_since(&h, m, i);
            tasks[i] += counted;
            m->networks[i].closed.changed += counted && changes;
            for (int k = 0; k < 2 && counted; k++)
                add_reach(&m->networks[i].closed.reaches[k], entries[k], others, 1);
        }
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->networks[i].closed.changed /= tasks[i] > 0 ? tasks[i] : 1;
}

/* Of a number that falls with the entries, what it is at so many. */
static double at_entries(const double *by, double entries)
{
    double rank = camdn_rank_of(entries);
    int low = (int)rank;
    if (low + 1 >= CAMDN_REACHES)
        return by[CAMDN_REACHES - 1];
    return by[low] + (rank - low) * (by[low + 1] - by[low]);
}

/* Where a number lies among the first so many powers of two: between one, and the next. */
static double between_powers(double number, int count, int *low)
{
    for (*low = 0; number >= 2 && *low + 2 < count; ++*low)
        number /= 2;
    return msw_max_f64(msw_min_f64(number - 1, 1), 0);
}

/* Misses of so many entries in another region than the miss so many misses before. */
static double turns_at(const camdn_visits_op *v, double entries, double lag)
{
    int low, from;
    double high = between_powers(entries, CAMDN_LENGTHS, &low), turns[2];
    double far = between_powers(lag, CAMDN_LAGS, &from);
    for (int i = 0; i < 2; i++) {
        const double *by = v->turns[low + i];
        turns[i] = by[from] + far * (by[from + 1] - by[from]);
    }
    return msw_min_f64(lag, 1) * (turns[0] + high * (turns[1] - turns[0]));
}

/* Visits of an operator that find nothing in so many entries: of pages that the task has visited
 * before, and of others. */
static void find_missed(const camdn_visits_op *v, const camdn_reaches *r, double entries,
                        double missed[2])
{
    double first = 0, all = 0;
    for (int i = 0; i <= CAMDN_REACHES; i++) {
        first += r->share[i] > 0 ? r->share[i] * at_entries(v->first, r->reach[i]) : 0;
        all += r->share[i];
    }
    missed[0] = at_entries(v->within, entries);
    missed[1] = all > 0 ? first / all : v->first[0];
}

/* ---- walks of an operator ---- */

static void set_walk(const camdn_closed *c, camdn_toll *l)
{
    const camdn_config *config = c->config;
    const camdn_translation *t = &config->translation;
    double far = camdn_far_cycles(config), each = l->accesses;
    l->walk = t->walk_cycles ? (double)t->walk_cycles : each * (double)t->level_cycles;
    if (t->memory == CAMDN_WALKS_FIXED)
        return;
    if (t->memory == CAMDN_WALKS_CACHE) {
        l->walk = each * ((double)config->cache_cycles +
                          (double)config->line / (double)config->slice_bytes);
        each /= LEAF_ENTRIES;
    } else {
        l->walk = 0;
    }
    l->walk += each * far;
    l->walk_far = each;
}

/* Adds so many visits of so many lines, which walk. */
static void walk_visits(const camdn_translation *t, double visits, double lines, camdn_toll *l)
{
    double slots = (double)t->slots, meanwhile = msw_min_f64(lines, 1 + l->walk * (double)t->width);
    double walks = 1;
    if (!t->scoreboard) {
        walks = meanwhile = msw_min_f64(meanwhile, (double)t->ahead);
    } else if (meanwhile > slots + 1) {
        bool blocks = t->slots_full == NEUMMU_SLOTS_BLOCK;
        walks = blocks ? 1 : ceil(meanwhile / (slots + 1));
        l->blocked += blocks ? visits : 0;
        meanwhile = blocks ? slots + 2 : meanwhile;
    }
    l->walks += visits * walks;
    l->misses += visits * meanwhile;
    l->merged += visits * (meanwhile - walks);
}

static void walk_all(const camdn_translation *t, const camdn_visits_op *v, const double walked[2],
                     camdn_toll *l)
{
    for (int first = 0; first < 2; first++) {
        const camdn_lengths *n = &v->lengths[first];
        double all = 0;
        for (int i = 0; i < CAMDN_LENGTHS; i++)
            all += n->visits[i];
        for (int i = 0; i < CAMDN_LENGTHS && all > 0; i++)
            if (n->visits[i] > 0)
                walk_visits(t, walked[first] * n->visits[i] / all, n->lines[i] / n->visits[i], l);
    }
    l->misses += l->second;
}

/* ---- levels that walks read ---- */

static int levels_of(int64_t page)
{
    return page < 2097152 ? 4 : page < 1073741824 ? 3 : 2;
}

/* Visits of a task that find no entry of the last level among so many, where all that are looked
 * for have missed in a TLB. */
static double leaves_of(const camdn_closed *closed, double entries, double kept)
{
    double leaves = 0;
    camdn_reaches reaches = {{0}, {0}};
    for (int i = 0; i <= CAMDN_REACHES; i++)
        if (closed->reaches->share[i] > 0)
            add_reach(&reaches, closed->reaches->reach[i] + kept, entries,
                      closed->reaches->share[i]);
    for (uint32_t o = 0; o < closed->net->op_count; o++) {
        double missed[2];
        find_missed(&closed->visits[o], &reaches, msw_max_f64(entries, kept), missed);
        leaves += missed[0] + missed[1];
    }
    return leaves;
}

/* Of the tasks of a network: visits that walk, their walks, and those of them whose walker knows
 * the path of another region. */
typedef struct walks_of_tasks {
    double visits, walks, turned;
} walks_of_tasks;

/* Adds an operator. Each of `walkers` in turn walks, so that it knows what was missed so many walks
 * before. */
static void add_walks(const camdn_closed *closed, uint32_t op, int level, double entries,
                      double walkers, walks_of_tasks *sum)
{
    const camdn_visits_op *v = &closed->visits[op];
    double missed[2];
    camdn_toll l = {.accesses = 1};
    find_missed(v, &closed->reaches[level], entries, missed);
    set_walk(closed, &l);
    walk_all(&closed->config->translation, v, missed, &l);
    double visits = missed[0] + missed[1], times = visits > 0 ? l.walks / visits : 1;
    sum->visits += visits;
    sum->walks += l.walks;
    sum->turned += times * msw_min_f64(turns_at(v, entries, walkers / times), visits);
}

/* Accesses of the walks of a network: one each; one of the level above where the path that its
 * walker keeps is of another region; and two where a task follows one of another network, in each
 * path that is kept. Tenants that share walkers lose all of them where they change: `foreign` is
 * the share of others. */
static void set_accesses(const camdn_mix *m, camdn_network *n, const double entries[2])
{
    const camdn_config *c = m->config;
    const camdn_translation *t = &c->translation;
    camdn_closed *closed = &n->closed;
    double upper = levels_of(t->page) - 1, running = (double)camdn_running(c);
    double sharing = c->arrivals == CAMDN_CLOSED ? (double)c->tenants / running : 1;
    bool own = t->path_cache == NEUMMU_PATH_REGISTER;
    double each = own ? (double)t->walkers : 1, leaf = 1;
    int level = t->tlb2_entries > 0;
    walks_of_tasks sum = {0};
    for (uint32_t o = 0; o < closed->net->op_count; o++)
        add_walks(closed, o, level, entries[level], each, &sum);
    closed->accesses = 1 + upper;
    if (t->path_cache == NEUMMU_PATH_NONE || sum.walks <= 0)
        return;
    closed->turned = own ? 1 - 1 / sharing : 0;
    closed->foreign = own && is_pooled(t) ? 1 - 1 / (sharing * running) : 0;
    sharing *= is_pooled(t) ? running : 1;
    double other = own ? sum.turned / sum.walks : 0;
    double begins = msw_min_f64(2 * closed->changed * each / sum.walks, 2);
    if (t->path_cache == NEUMMU_PATH_UNIFIED)
        leaf = msw_min_f64(
            leaves_of(closed, entries[level], (double)t->path_entries / sharing) / sum.visits, 1);
    closed->accesses = leaf + msw_min_f64(other + begins, upper);
}

int camdn_toll_open(camdn_mix *m, msw_err *err)
{
    const camdn_config *c = m->config;
    double entries[2];
    m->visits = c->translation.kind > CAMDN_TRANSLATE_IDEAL
                    ? m->task->artifacts[CAMDN_ARTIFACT_VISITS]
                    : NULL;
    if (!m->visits)
        return 0;
    entries_of(c, entries);
    for (uint32_t i = 0; i < m->count; i++) {
        camdn_closed *closed = &m->networks[i].closed;
        closed->reaches = msw_arena_zero(m->task->arena, 2, sizeof *closed->reaches);
        closed->visits = m->visits->of[i];
        if (!closed->reaches)
            return msw_fail_memory(err);
    }
    if (c->arrivals == CAMDN_CLOSED)
        reach_of_draws(m, entries);
    else
        reach_of_arrivals(m, entries);
    for (uint32_t i = 0; i < m->count; i++)
        set_accesses(m, &m->networks[i], entries);
    return 0;
}

/* ---- an operator ---- */

camdn_toll camdn_toll_of(const camdn_closed *c, uint32_t op, const camdn_moved *moved, double tiles)
{
    const camdn_translation *t = &c->config->translation;
    const camdn_visits_op *v = &c->visits[op];
    double entries[2], asked = moved->requests;
    camdn_toll l = {.lines = v->lines, .visits = v->visits, .phases = v->phases};
    entries_of(c->config, entries);
    if (c->plan && t->lines == CAMDN_AT_MISS)
        asked = moved->read + moved->written;
    double part = v->lines > 0 ? asked / (v->lines * (double)c->config->line) : 0;
    double found[2], walked[2];
    find_missed(v, &c->reaches[0], entries[0], found);
    find_missed(v, &c->reaches[t->tlb2_entries > 0], entries[t->tlb2_entries > 0], walked);
    l.walked = walked[0] + walked[1];
    l.accesses = c->accesses;
    l.foreign = c->foreign, l.turned = c->turned;
    if (c->plan) {
        l.lines *= part, l.visits *= part, l.walked *= part;
        l.phases = msw_min_f64(l.visits, 2 * tiles);
        for (int k = 0; k < 2; k++)
            walked[k] *= part, found[k] *= part;
    }
    l.second = msw_max_f64(found[0] + found[1] - l.walked, 0);
    set_walk(c, &l);
    walk_all(t, v, walked, &l);
    if (t->path_cache == NEUMMU_PATH_UNIFIED && l.walks > l.walked * (double)t->walkers) {
        l.accesses *= l.walked * (double)t->walkers / l.walks; /* the first ones bring the entry */
        set_walk(c, &l);
    }
    return l;
}

/* Accesses of a walk. Where the register of its walker knows another tenant's path, it reads all
 * levels: the first walks of a phase, one in each walker, and as far as others' walks come between
 * as the lines of a phase are asked for, which takes longer than walkers take; of tenants that take
 * turns on an NPU, the first walks of an operator. */
static double accesses_at(const camdn_op_time *t, const camdn_pace *pace)
{
    const camdn_toll *l = &t->toll;
    const camdn_translation *n = &t->config->translation;
    double walkers = (double)n->walkers, cycles = l->walk + l->walk_far * pace->queue;
    if (l->foreign + l->turned == 0 || l->walks <= 0)
        return l->accesses;
    double asks = l->lines / l->walks / (double)n->width * walkers / msw_max_f64(cycles, 1);
    double between = (1 - pace->walkers / walkers) * msw_min_f64(asks, 1);
    double lost = msw_max_f64(between, msw_min_f64(walkers * l->phases / l->walks, 1)) * l->foreign;
    lost = msw_max_f64(lost, msw_min_f64(walkers / l->walks, 1) * l->turned);
    return l->accesses + lost * (levels_of(n->page) - l->accesses);
}

static double walk_cycles(const camdn_op_time *t, const camdn_pace *pace)
{
    const camdn_toll *l = &t->toll;
    double cycles = l->walk + l->walk_far * pace->queue;
    if (l->accesses <= 0 || (t->config->translation.walk_cycles && l->walk_far == 0))
        return cycles;
    return cycles * accesses_at(t, pace) / l->accesses;
}

/* Cycles before the first line of a phase leaves, and until all of its translations are known. */
static double known_of(const camdn_op_time *t, const camdn_pace *pace, double *first)
{
    const camdn_toll *l = &t->toll;
    const camdn_translation *n = &t->config->translation;
    double s = walk_cycles(t, pace), p = pace->walkers, phases = l->phases;
    double walks = l->walks / phases, walking = msw_min_f64(l->walked / l->visits, 1), walk = 0;
    double missed = l->walked / l->visits, visits = l->visits / phases;
    *first = (double)n->tlb_cycles + missed * (s + (double)n->tlb2_cycles * (n->tlb2_entries > 0)) +
             l->second / l->visits * (double)n->tlb2_cycles;
    if (walking > 0) {
        double rounds = walks / (walking * p);
        walk = walking * s * (rounds > 1 ? rounds + (1 - 1 / p) / 2 : 1);
    }
    double known = l->lines / (phases * (double)n->width) + walking * s;
    known = msw_max_f64(known, walk);
    known = msw_max_f64(known, visits * *first / (double)n->ahead);
    if (l->blocked > 0)
        known =
            msw_max_f64(known, (l->lines + l->blocked * ((double)n->width * s - (double)n->slots)) /
                                   phases / (double)n->width);
    return (double)n->tlb_cycles + known;
}

double camdn_toll_cycles(const camdn_op_time *t, const camdn_pace *pace)
{
    double first, known = known_of(t, pace, &first), phases = t->toll.phases;
    double answer = t->answer + t->far * pace->queue, starts = t->tiles * answer;
    double tables = t->toll.walks * t->toll.walk_far * (double)t->config->line;
    double moving = msw_max_f64(t->port, (t->traffic + tables) / pace->rate);
    double wait = t->wait + t->wait_far * pace->queue;
    moving = msw_max_f64(moving + phases * first, phases * known);
    double late = msw_max_f64(moving + starts, wait + starts / 2 + phases * first);
    moving = msw_max_f64(moving, wait);
    if (t->single)
        return t->start + t->compute + late;
    double most = msw_max_f64(t->compute, moving), least = t->compute + moving - most;
    most = msw_max_f64(most, (t->compute + late) / 2);
    return t->start + most + least / t->tiles + answer + first;
}

/* ---- what tenants leave each other ---- */

/* What a tenant has of memory and walkers where tasks take so long. */
static camdn_pace pace_after(const camdn_mix *m, const camdn_shared *d, double latency)
{
    const camdn_translation *t = &m->config->translation;
    double others = m->busy - 1, walkers = (double)t->walkers, busy = m->busy;
    camdn_pace pace = {.rate = msw_max_f64(d->memory - d->others / latency, d->memory / busy)};
    double share = 1 - pace.rate / d->memory, most = others * d->group;
    pace.queue = share < 1 ? msw_min_f64(d->group * share / (1 - share), most) : most;
    pace.walkers = walkers;
    if (is_pooled(t))
        pace.walkers = msw_max_f64(walkers - others * d->walks / latency, walkers / busy);
    else if (t->kind != CAMDN_TRANSLATE_PRIVATE)
        pace.walkers = walkers / (double)camdn_running(m->config);
    if (t->share == CAMDN_WALKERS_STEALING && is_pooled(t))
        pace.walkers = msw_min_f64(pace.walkers, (double)t->most);
    return pace;
}

camdn_pace camdn_toll_pace(camdn_mix *m, const camdn_shared *d, camdn_latency_fn latency)
{
    enum { STEPS = 40 };
    const double NEAR = 1e-5;
    camdn_pace pace = pace_after(m, d, INFINITY);
    double low = latency(m, &pace), high;
    pace = pace_after(m, d, low);
    high = latency(m, &pace);
    double above = high - low, below = 0; /* latency(pace) beyond the latency, at both ends */
    pace = pace_after(m, d, high);
    below = latency(m, &pace) - high;
    for (int i = 0, side = 0; i < STEPS && high > low * (1 + NEAR) && above > 0; i++) {
        double at = below < 0 ? low + (high - low) * above / (above - below) : high;
        pace = pace_after(m, d, at);
        double beyond = latency(m, &pace) - at;
        if (fabs(beyond) <= NEAR * at)
            break;
        if (beyond > 0) {
            low = at, above = beyond;
            below /= side > 0 ? 2 : 1, side = 1;
        } else {
            high = at, below = beyond;
            above /= side < 0 ? 2 : 1, side = -1;
        }
    }
    return pace;
}

void camdn_toll_add(camdn_toll *sum, const camdn_op_time *t, const camdn_pace *pace, double share)
{
    const camdn_toll *l = &t->toll;
    if (l->phases == 0)
        return;
    sum->lines += share * l->lines, sum->misses += share * l->misses;
    sum->walks += share * l->walks, sum->merged += share * l->merged;
    sum->accesses += share * l->walks * accesses_at(t, pace);
    sum->walk += share * l->walks * walk_cycles(t, pace);
    sum->walk_far += share * l->walks * l->walk_far;
}

void camdn_toll_doubt(const camdn_mix *m, const camdn_toll *walks, double latency)
{
    const double MOST = 0.8;
    const camdn_config *c = m->config;
    const camdn_translation *t = &c->translation;
    if (!m->visits || latency <= 0)
        return;
    double tenants = t->kind == CAMDN_TRANSLATE_PRIVATE ? 1 : m->busy;
    double busy = tenants * walks->walk / latency / (double)t->walkers;
    double line = (double)(c->line * camdn_channels(c)) / camdn_memory_rate(c);
    double channel = m->busy * walks->walk_far * line / latency;
    bool lost = t->path_cache == NEUMMU_PATH_REGISTER && is_pooled(t) && !t->walk_cycles;
    if (busy > MOST && (!t->scoreboard || lost))
        msw_task_doubt(m->task,
                       "walkers are busy for %.0f %% of the time: %s depends on how tenants meet",
                       100 * msw_min_f64(busy, 1),
                       t->scoreboard ? "whose paths they keep" : "how often a page is walked");
    if (!t->scoreboard && channel > MOST)
        msw_task_doubt(m->task, "walks of a page read one line of its table: its channel is busy");
    if (c->npu_policy != CAMDN_GANG_ONE)
        msw_task_doubt(m->task, "gangs: translations of their NPUs are taken as of one");
}

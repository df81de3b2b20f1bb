/* SPDX-License-Identifier: MIT */
/* Translations asked for ahead of a flow: README.md, "Closed form of a flow", "Asked for ahead".
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

#include <math.h>

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

/* What is asked for ahead in a flow: README.md, "Closed form of a flow". */
#include "mech/neummu/closed/flow.h"

#include <math.h>

/* Pages of a flow by how they are found. */
typedef struct ahead {
    double spacing; /* cycles from visit to visit */
    double lead;    /* cycles by which a page is asked for ahead; 0: walkers are busy with misses */
    double missed;  /* walked because they are asked for: the first, if it was not known */
    double late, useful;
} ahead;

static ahead find_ahead(const neummu_rates *k, const neummu_traffic *f, double missed, double known,
                        const neummu_page_plan *plan, double walk)
{
    const neummu_config *c = k->config;
    double visits = (double)f->visits, spacing = plan->requests / k->width;
    bool held = neummu_head_within(f, msw_max_i64(c->tlb_entries, c->tlb2_entries));
    bool bound = plan->walks * walk * missed > k->walkers * spacing * visits;
    ahead a = {.spacing = spacing, .missed = held || known > 0 ? 0 : 1};
    double left = msw_max_f64(0, missed * (1 - msw_min_f64(1, known / visits)) - a.missed);
    if (!bound)
        a.lead = msw_min_f64(k->depth, visits) * spacing;
    a.late = left;
    if (a.lead >= walk && known > 0)
        a.late = 0;
    else if (a.lead >= walk) /* the generator gains a visit less a look-up at every visit */
        a.late = msw_min_f64(left, walk / msw_max_f64(spacing - 1 / k->width, 1 / k->width));
    a.useful = missed - a.missed - a.late;
    return a;
}

static void count_ahead(const neummu_rates *k, const ahead *a, const neummu_page_plan *plan,
                        double walk, neummu_flow_model *p)
{
    double slots = k->group - 1, old = p->walks;
    double wait = a->lead >= walk ? walk / 2 : walk - a->lead;
    double asked = a->lead > 0 ? neummu_asked_during(k, plan->requests, wait) : plan->asked;
    double again = ceil(msw_max_f64(0, asked - slots) / k->group);
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

/* What walks take less, as they begin earlier. */
static void shorten(neummu_lengths *walk, double lead)
{
    walk->mean = msw_max_f64(0, walk->mean - lead);
    walk->head = msw_max_f64(0, walk->head - lead);
    walk->slow = msw_max_f64(0, walk->slow - lead);
    walk->fast = msw_max_f64(0, walk->fast - lead);
}

void neummu_look_ahead(const neummu_rates *k, const neummu_traffic *f, double missed, double known,
                       const neummu_page_plan *plan, neummu_stretch *m, neummu_flow_model *p)
{
    double walk = m->walk.mean, visits = (double)f->visits;
    ahead a = find_ahead(k, f, missed, known, plan, walk);
    p->lookups = visits;
    count_ahead(k, &a, plan, walk, p);
    if (known > 0) {
        double pages = missed * msw_min_f64(1, known / visits);
        p->first = k->hit;
        p->before = walk * ceil(pages / k->walkers);
        m->pages = missed - pages;
        m->between = p->requests / k->width * (1 - m->pages / visits);
        m->bytes *= m->pages / missed;
    }
    if (a.lead < walk) {
        shorten(&m->walk, a.lead);
        return;
    }
    m->pages = 0;
    if (plan->serial && a.missed > 0)
        p->engine += walk;
}

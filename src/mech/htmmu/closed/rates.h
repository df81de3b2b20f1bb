/* Private to htmmu's closed form: what becomes of the requests, were nothing to wait for anything.
 */
#ifndef MSW_MECH_HTMMU_CLOSED_RATES_H
#define MSW_MECH_HTMMU_CLOSED_RATES_H

#include "mech/htmmu/closed/profile.h"

#include "memsweep/sim/dram_analytic.h"

typedef struct htmmu_rates {
    double l1_misses;
    double fresh;    /* visits on a page that neither TLB holds */
    int size;        /* capacity whose sample stands for them, */
    double capacity; /* the same, not rounded */
    double ports;    /* requests per cycle that hit */
    double steps;    /* of a walk, */
    double accesses; /* those that go to memory */
} htmmu_rates;

/* Returns the banks that the requests of a page can go to. */
static inline double htmmu_reach(const htmmu_config *config)
{
    return config->router == HTMMU_ROUTER_ADAPTIVE ? (double)config->streams : 1;
}

/* Accesses of a walk that finds so many others under way, mean. */
double htmmu_accesses(const htmmu_config *config, const htmmu_profile *profile,
                      const htmmu_rates *rates, double walks);

/* Those of a walk are for as many under way as there can be at most. */
htmmu_rates htmmu_rates_of(const htmmu_config *config, const htmmu_profile *profile,
                           const htmmu_banks *banks);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to htmmu's closed form: what becomes of the requests, were nothing to wait for anything.
 */
#ifndef MSW_MECH_HTMMU_CLOSED_RATES_H
#define MSW_MECH_HTMMU_CLOSED_RATES_H

#include "mech/htmmu/closed/profile.h"

#include "memsweep/sim/dram_analytic.h"

typedef struct htmmu_rates {
    double spread;    /* 1: requests go to the banks in turn, 0: to the bank that they name */
    double l1_misses; /* of requests */
    double fresh;     /* visits on a page that neither TLB holds */
    double few, many; /* requests of a visit that finds its page in the second TLB only: HTMMU_FEW,
                         HTMMU_MANY of each at most */
    double touches;   /* requests of a fresh visit that are the first at their bank */
    int size;         /* capacity whose sample represents them, */
    double capacity;  /* the same, not rounded */
    double ports;     /* requests per cycle that hit */
    double steps;     /* of a walk, */
    double accesses;  /* those that the path cache does not save; of these */
    double reads;     /* go to memory, */
    double waits;     /* wait for what another walk reads, in reads' time */
    double again_accesses, again_reads; /* of a walk of a page that was walked shortly before */
} htmmu_rates;

/* Returns the banks that the requests of a page can go to. */
static inline double htmmu_reach(const htmmu_config *config)
{
    return config->router == HTMMU_ROUTER_ADAPTIVE ? (double)config->streams : 1;
}

/* Sets what a walk that finds so many others under way does, mean. */
void htmmu_walk_rates(const htmmu_config *config, const htmmu_profile *profile,
                      const htmmu_table *table, double walks, htmmu_rates *rates);

/* Sets all but what a walk does, from `spread`. */
void htmmu_hit_rates(const htmmu_config *config, const htmmu_profile *profile,
                     const htmmu_banks *banks, const htmmu_joint *joint, htmmu_rates *rates);

/* Returns how many walks there are under way at most. */
double htmmu_most_walks(const htmmu_config *config, const htmmu_profile *profile,
                        const htmmu_rates *rates);

#endif

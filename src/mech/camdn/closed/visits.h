/* SPDX-License-Identifier: MIT */
/* Private to closed/: the pages that tasks visit, and what their translation takes. Equations:
 * README.md, "Translation". */
#ifndef MSW_MECH_CAMDN_CLOSED_VISITS_H
#define MSW_MECH_CAMDN_CLOSED_VISITS_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/graph.h"

enum { CAMDN_LENGTHS = 18, CAMDN_REACHES = 128, CAMDN_LAGS = 8 };

/* Entries of a TLB are told apart as 0 to 7, then eight in each power of two: the rank of a number
 * among those. */
static inline double camdn_rank_of(double entries)
{
    int power = 0;
    for (; entries >= 16; power++)
        entries /= 2;
    return 8 * power + entries;
}

/* Visits of 1, 2 to 3, 4 to 7, ... lines, and their lines. */
typedef struct camdn_lengths {
    double visits[CAMDN_LENGTHS], lines[CAMDN_LENGTHS];
} camdn_lengths;

/* Visits of an operator: runs of lines on one page within a load or a store. By entries of a TLB,
 * those that miss. */
typedef struct camdn_visits_op {
    double lines, visits, phases; /* phases: loads and stores that ask for any */
    double within[CAMDN_REACHES]; /* of pages that the task has visited before */
    double first[CAMDN_REACHES];  /* of others, if the task before was of the network */
    /* of 1, 2, 4, ... entries: in another region than the miss 1, 2, 4, ... misses before */
    double turns[CAMDN_LENGTHS][CAMDN_LAGS];
    camdn_lengths lengths[2]; /* of pages that the task has visited before; of others */
} camdn_visits_op;

/* Artifact: visits of all networks of a mix. */
typedef struct camdn_visits {
    const camdn_visits_op *of[MSW_GRAPH_NETWORKS_MAX];
    double pages[MSW_GRAPH_NETWORKS_MAX]; /* of a network, each once */
} camdn_visits;

extern const char *const camdn_visits_depends[];
bool camdn_visits_needed(const void *config);
int camdn_visits_build(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);

/* What the translations of an operator take, but for what tenants take from each other. */
typedef struct camdn_toll {
    double lines, misses, walks, merged, accesses;
    double phases, visits, walked, blocked; /* walked: visits that walk */
    double second;                          /* visits that the second TLB answers */
    double foreign, turned; /* walks before which their walker walked for another tenant, at most:
                               of all, of its NPU */
    double walk, walk_far; /* cycles of a walk; more of it for each that a line from memory waits */
} camdn_toll;

/* How far a tenant's TLB reaches beyond what other networks visit between two tasks of one: shares
 * of its tasks. */
typedef struct camdn_reaches {
    double share[CAMDN_REACHES + 1], reach[CAMDN_REACHES + 1];
} camdn_reaches;

#endif

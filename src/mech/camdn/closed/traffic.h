/* traffic: what an operator of a network moves when tenants share a transparent cache. Equations:
 * ../README.md, "Closed form". */
#ifndef MSW_MECH_CAMDN_CLOSED_TRAFFIC_H
#define MSW_MECH_CAMDN_CLOSED_TRAFFIC_H

#include "mech/camdn/plan/plan.h"

/* Bytes of one operator. */
typedef struct camdn_moved {
    double requests, hits, read, written, compute; /* compute: cycles */
} camdn_moved;

/* A network among others. */
typedef struct camdn_closed {
    const msw_graph_network *net;
    const camdn_table *table;
    const camdn_config *config;
    double reach; /* bytes of its own that a tenant may move between two uses of a line that hits */
    double since; /* bytes that it moves from one task of the network to the next */
    const camdn_plan *plan; /* with pages, or NULL */
    int64_t pages;          /* that it finds */
} camdn_closed;

/* Bytes that an NPU asks for in a task. */
double camdn_asked(const msw_graph_network *net, const camdn_table *table);

/* Cycles that it takes with so many bytes of memory per cycle. */
double camdn_op_cycles(const camdn_config *config, const camdn_moved *moved, double rate);

/* Returns what an operator moves. */
camdn_moved camdn_moved_by(const camdn_closed *closed, uint32_t op);

/* The same with pages, how the operator runs then, and the pages that it or its block holds. */
camdn_moved camdn_paged_by(const camdn_closed *closed, uint32_t op);
const camdn_level *camdn_paged_level(const camdn_closed *closed, uint32_t op);
uint32_t camdn_paged_held(const camdn_closed *closed, uint32_t op);

#endif

/* The closed network: misses go round between the dispatcher, the registers they hold, the second
 * TLB and the walkers. Mean-value equations with Schweitzer's estimate of what an arrival finds;
 * stations of several servers wait as one server of their joint speed does, beyond the servers. */
#include "htmmu_rates.h"

#include <math.h>

enum { ROUNDS = 24 };

/* Wait at `servers` servers of time `service` where an arrival finds `found` others. */
static double wait_at(double servers, double service, double found)
{
    return service / servers * fmax(found - (servers - 1), 0);
}

typedef struct network {
    double customers, registers, walkers, l2_ports;
    double dispatch;    /* cycles of the dispatcher per miss */
    double l2, walk;    /* cycles */
    double walks, late; /* per miss: walks; walks that repeats wait for */
    double looked;      /* per miss: look-ups in the second TLB */
} network;

typedef struct residence {
    double dispatch, hold, stay, rate;
} residence;

static residence solve(const network *n)
{
    double others = (n->customers - 1) / n->customers;
    residence r = {.dispatch = n->dispatch, .hold = n->l2 + (n->walks + n->late) * n->walk};
    r.rate = n->customers / (r.dispatch + r.hold);
    r.stay = r.hold;
    double walking = n->walk, port = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double dispatch = n->dispatch * (1 + others * r.rate * r.dispatch);
        walking = n->walk + wait_at(n->walkers, n->walk, others * r.rate * n->walks * walking);
        port = n->looked / n->l2_ports * (others * r.rate * (port + n->looked / n->l2_ports));
        double hold = n->l2 + fmin(port, r.hold) + (n->walks + n->late) * walking;
        r.stay = hold + wait_at(n->registers, hold, others * r.rate * r.stay);
        r.dispatch = (r.dispatch + dispatch) / 2;
        r.hold = hold;
        r.rate = (r.rate + n->customers / (r.dispatch + r.stay)) / 2;
        r.rate = fmin(r.rate, n->registers / r.hold);
        if (n->walks > 0)
            r.rate = fmin(r.rate, n->walkers / (n->walk * n->walks));
        if (n->dispatch > 0)
            r.rate = fmin(r.rate, 1 / n->dispatch);
    }
    return r;
}

htmmu_flow htmmu_flow_of(const htmmu_static *f, const htmmu_ways *w)
{
    const htmmu_config *c = f->config;
    double misses = fmax(w->requests - w->l1_hits, 1), window = (double)c->window;
    double walks = w->fresh + w->redundant, l2 = c->l2_entries ? (double)c->l2_cycles : 0;
    double tpc = c->path_cache == HTMMU_PATH_NONE ? 0 : (double)c->tpc_cycles;
    network n = {
        .customers = fmin(f->registers + (c->router == HTMMU_ROUTER_BITS ? 1 : f->streams), window),
        .registers = fmin(f->registers, window),
        .walkers = (double)c->merge_entries,
        .l2_ports = (double)c->l2_ports,
        .dispatch = w->requests / f->ports / misses,
        .l2 = l2,
        .walk = tpc + w->accesses * (double)c->level_cycles,
        .walks = walks / misses,
        .late = (w->repeats - w->redundant) * (1 - w->early) / misses,
        .looked = c->l2_entries ? 1 : 0,
    };
    if (c->l2_mshrs)
        n.walkers = fmin(n.walkers, (double)c->l2_mshrs / (1 + n.late / fmax(n.walks, 1e-9)));
    residence r = solve(&n);
    htmmu_flow flow = {.walk = n.walk, .hold = r.hold, .miss = r.stay};
    flow.ports = w->requests / f->ports;
    flow.registers = misses * r.hold / n.registers;
    flow.walkers = walks * n.walk / n.walkers;
    flow.second = misses * n.looked / n.l2_ports;
    flow.window = (w->requests * (double)c->l1_cycles + misses * r.hold) / window;
    flow.time = fmax(misses / r.rate, flow.ports);
    flow.time = fmax(flow.time, fmax(flow.second, flow.window));
    if (c->items_full == HTMMU_FULL_WAIT)
        flow.time += w->excess / (1 + (double)c->merge_items) * n.walk;
    flow.time += (double)c->l1_cycles + fmin(r.hold * misses, walks > 0 ? n.walk : l2);
    return flow;
}

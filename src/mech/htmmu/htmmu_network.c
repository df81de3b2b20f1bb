/* The closed network: groups of misses on one page go round between the dispatcher, the registers
 * they hold and the walkers. Mean-value equations with Schweitzer's estimate of what an arrival
 * finds; stations of several servers wait as one server of their joint speed does, beyond the
 * servers. */
#include "htmmu_rates.h"

#include <math.h>

enum { ROUNDS = 16 };

/* Wait at `servers` servers of time `service` where an arrival finds `found` others. */
static double wait_at(double servers, double service, double found)
{
    return service / servers * fmax(found - (servers - 1), 0);
}

typedef struct network {
    double groups;    /* to go round once each */
    double customers; /* groups under way at most */
    double registers; /* groups that can hold registers at once */
    double walkers;
    double dispatch;    /* cycles of the dispatcher per group */
    double extra;       /* cycles of a register beside the walk */
    double walk, walks; /* cycles of a walk, walks per group */
} network;

typedef struct residence {
    double dispatch, hold, stay, rate;
} residence;

static residence solve(const network *n)
{
    double others = fmax(n->customers - 1, 0) / n->customers, walking = n->walk;
    residence r = {.dispatch = n->dispatch, .hold = n->extra + n->walk};
    r.stay = r.hold;
    r.rate = n->customers / (r.dispatch + r.hold);
    for (int round = 0; round < ROUNDS; round++) {
        walking = n->walk + wait_at(n->walkers, n->walk, others * r.rate * n->walks * walking);
        r.hold = n->extra + walking;
        r.stay = r.hold + wait_at(n->registers, r.hold, others * r.rate * r.stay);
        r.dispatch = (r.dispatch + n->dispatch * (1 + others * r.rate * r.dispatch)) / 2;
        r.rate = (r.rate + n->customers / (r.dispatch + r.stay)) / 2;
        r.rate = fmin(r.rate, n->walkers / (n->walk * n->walks));
        r.rate = fmin(r.rate, 1 / n->dispatch);
    }
    return r;
}

/* Misses under way at most: registers and one parked per bank. */
static double customers_of(const htmmu_static *f)
{
    double parked = f->config->router == HTMMU_ROUTER_BITS ? 1 : f->streams;
    return fmin(f->registers + parked, (double)f->config->window);
}

static network network_of(const htmmu_static *f, const htmmu_ways *w)
{
    const htmmu_config *c = f->config;
    double groups = fmax(w->fresh + w->late, 1e-9), each = 1 + w->repeats / groups;
    double l2 = c->l2_entries ? (double)c->l2_cycles : 0, room = fmin(f->registers, f->room);
    network n = {
        .groups = groups,
        .customers = fmax(customers_of(f) / each, 1),
        .registers = fmax(room / each, 1),
        .walkers = (double)c->merge_entries,
        .dispatch = w->requests / f->ports / groups,
        .extra = l2 + w->l2_hits * l2 / groups / each,
        .walk = f->walk,
        .walks = 1 + w->redundant / groups,
    };
    if (c->l2_mshrs)
        n.walkers = fmin(n.walkers, (double)c->l2_mshrs * n.walks / each);
    return n;
}

htmmu_flow htmmu_flow_of(const htmmu_static *f, const htmmu_ways *w)
{
    const htmmu_config *c = f->config;
    double misses = fmax(w->requests - w->l1_hits, 1), window = (double)c->window;
    double l2 = c->l2_entries ? (double)c->l2_cycles : 0;
    network n = network_of(f, w);
    residence r = solve(&n);
    double missed = w->fresh + w->repeats + w->late, share = fmin(missed / misses, 1);
    htmmu_flow flow = {.walk = n.walk,
                       .hold = share * r.hold + (1 - share) * l2,
                       .miss = share * r.stay + (1 - share) * l2};
    flow.ports = w->requests / f->ports;
    flow.registers = n.groups * r.hold / n.registers;
    flow.walkers = n.groups * n.walks * n.walk / n.walkers;
    flow.second = c->l2_entries ? misses / (double)c->l2_ports : 0;
    flow.window = (w->requests * (double)c->l1_cycles + misses * flow.hold) / window;
    flow.time = fmax(n.groups / r.rate, fmax(flow.ports, fmax(flow.second, flow.window)));
    if (c->items_full == HTMMU_FULL_WAIT)
        flow.time += w->excess / (1 + (double)c->merge_items) * n.walk;
    return flow;
}

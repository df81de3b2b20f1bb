/* SPDX-License-Identifier: MIT */
/* Says which tasks find in a cache with tags what an earlier task of their network left there:
 * those between which and it the tenant touches no more than `kept` bytes, each once. A tenant
 * touches what the networks between take, each network once however often it ran, and the network's
 * own:
 *
 *   found   footprint(own) + sum of footprint over the other networks since <= kept
 *
 * The networks of a tenant are known, since they are drawn, so that no average is needed. Nor is
 * one for how often networks run: with k(t, i) tasks of network i that tenant t draws and L(i)
 * cycles
 *
 *   share(i)  ~  sum over t of k(t, i) / sum over j of k(t, j) L(j)
 *
 * as tenants run side by side for the same time. */
#include "mech/camdn/closed/mix.h"

#include <string.h>

bool camdn_history_add(camdn_history *h, const camdn_mix *m, uint32_t network)
{
    double bytes = m->networks[network].closed.shape->footprint;
    uint32_t at = 0;
    for (; at < h->count && h->networks[at] != network; at++)
        bytes += m->networks[h->networks[at]].closed.shape->footprint;
    bool fresh = at == h->count || bytes > m->kept;
    h->count += at == h->count;
    memmove(h->networks + 1, h->networks, at * sizeof *h->networks);
    h->networks[0] = (uint8_t)network;
    return fresh;
}

static double mean_cycles(const camdn_network *n)
{
    double found = n->runs[CAMDN_FOUND].cycles, fresh = n->runs[CAMDN_FRESH].cycles;
    return found + n->fresh * (fresh - found);
}

static void draw_tenant(camdn_mix *m, const camdn_draws *draws, uint32_t tenant)
{
    const camdn_config *c = m->config;
    camdn_history h = {.count = 0};
    memset(m->drawn->fresh[tenant], 0, sizeof m->drawn->fresh[tenant]);
    memset(m->drawn->tasks[tenant], 0, sizeof m->drawn->tasks[tenant]);
    for (uint64_t n = 0; n < (uint64_t)(c->first + c->tasks); n++) {
        uint32_t network = camdn_draw(draws, tenant, n);
        bool fresh = camdn_history_add(&h, m, network);
        m->drawn->tasks[tenant][network]++;
        m->drawn->fresh[tenant][network] += fresh;
    }
}

void camdn_history_drawn(camdn_mix *m)
{
    camdn_draws draws = camdn_draws_of(m->task);
    double shares[MSW_GRAPH_NETWORKS_MAX] = {0}, all = 0;
    double fresh[MSW_GRAPH_NETWORKS_MAX] = {0}, tasks[MSW_GRAPH_NETWORKS_MAX] = {0};
    for (uint32_t t = 0; t < (uint32_t)m->config->tenants; t++) {
        double cycles = 0;
        draw_tenant(m, &draws, t);
        for (uint32_t i = 0; i < m->count; i++)
            cycles += m->drawn->tasks[t][i] * msw_max_f64(1, mean_cycles(&m->networks[i]));
        for (uint32_t i = 0; i < m->count; i++) {
            shares[i] += m->drawn->tasks[t][i] / cycles;
            all += m->drawn->tasks[t][i] / cycles;
            fresh[i] += m->drawn->fresh[t][i];
            tasks[i] += m->drawn->tasks[t][i];
        }
    }
    for (uint32_t i = 0; i < m->count; i++) {
        m->networks[i].share = shares[i] / all;
        m->networks[i].fresh = m->plans ? 0 : tasks[i] > 0 ? fresh[i] / tasks[i] : 1;
    }
}

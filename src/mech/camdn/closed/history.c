/* SPDX-License-Identifier: MIT */
/* Says which tasks find in a cache with tags what an earlier task of their network left there:
 * those between which and it no more than `room` bytes are touched, each once. These are the
 * footprints of the networks that began since, however often each ran; of one tenant where each
 * has room of its own, else of all:
 *
 *   found   own footprint + sum over the networks since <= room
 *
 * Weights that tenants share are there once for all of them. The networks of a tenant are known, as
 * they are drawn, so that no average is needed. Nor is one for how often networks run: with k(t, i)
 * tasks of network i that tenant t draws and L(i) cycles
 *
 *   share(i)  ~  sum over t of k(t, i) / sum over j of k(t, j) L(j)
 *
 * as tenants run side by side for the same time. DRRIP keeps room / bytes of more than that. */
#include "mech/camdn/closed/mix.h"

void camdn_history_forget(camdn_history *h)
{
    for (uint32_t row = 0; row < h->rows; row++)
        for (uint32_t i = 0; i < MSW_GRAPH_NETWORKS_MAX; i++)
            h->began[row][i] = -1;
}

void camdn_history_open(camdn_history *h, uint32_t rows)
{
    *h = (camdn_history){.rows = rows};
    camdn_history_forget(h);
}

/* Bytes that so many tasks of a network touch, one on each NPU. */
static double touched_by(const camdn_mix *m, uint32_t network, uint32_t tasks, bool alone)
{
    const camdn_network *n = &m->networks[network];
    const camdn_filled *f = n->closed.filled;
    double weights = tasks;
    if (m->config->weights == CAMDN_WEIGHTS_SHARED)
        weights = alone ? 1 / msw_max_f64(1, m->sharers * n->share) : 1;
    return tasks * (f->footprint - f->weights) + weights * f->weights;
}

/* Bytes that are touched from the last task of a network on an NPU to the next one. */
static double touched_since(const camdn_history *h, const camdn_mix *m, uint32_t row,
                            uint32_t network)
{
    double since = h->began[row][network], bytes = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t tasks = 0;
        for (uint32_t r = 0; r < h->rows; r++)
            if (r == row || !m->apart)
                tasks += h->began[r][i] > since || (r == row && i == network);
        bytes += tasks > 0 ? touched_by(m, i, tasks, m->apart) : 0;
    }
    return bytes;
}

camdn_find camdn_history_add(camdn_history *h, const camdn_mix *m, uint32_t row, uint32_t network,
                             double now)
{
    camdn_find find = {.run = m->plans ? CAMDN_FOUND : CAMDN_FRESH};
    if (!m->plans && h->began[row][network] >= 0) {
        double bytes = touched_since(h, m, row, network);
        double stays = m->room - m->room / m->ways;
        bool partly = m->config->replacement == CAMDN_REPLACE_DRRIP && stays > 0;
        find.run = bytes <= m->room ? CAMDN_FOUND : partly ? CAMDN_PARTLY : CAMDN_FRESH;
        find.kept = find.run == CAMDN_PARTLY ? stays / bytes : 0;
    }
    h->began[row][network] = now;
    return find;
}

void camdn_history_count(camdn_history *h, uint32_t network, camdn_find find)
{
    h->counts[network][find.run]++;
    h->kept[network] += find.kept;
}

void camdn_history_set(const camdn_history *h, camdn_mix *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        camdn_network *n = &m->networks[i];
        double all = 0;
        for (int r = 0; r < CAMDN_RUNS; r++)
            all += h->counts[i][r];
        for (int r = 0; r < CAMDN_RUNS && all > 0; r++)
            n->parts[r] = h->counts[i][r] / all;
        double partly = h->counts[i][CAMDN_PARTLY];
        n->kept = partly > 0 ? h->kept[i] / partly : 0;
    }
}

static double mean_cycles(const camdn_network *n)
{
    double cycles = 0;
    for (int r = 0; r < CAMDN_RUNS; r++)
        cycles += n->parts[r] * n->runs[r].cycles;
    return msw_max_f64(1, cycles);
}

void camdn_history_drawn(camdn_mix *m)
{
    const camdn_config *c = m->config;
    camdn_draws draws = camdn_draws_of(m->task);
    camdn_history h;
    double shares[MSW_GRAPH_NETWORKS_MAX] = {0}, all = 0;
    camdn_history_open(&h, 1);
    for (uint32_t t = 0; t < (uint32_t)c->tenants; t++) {
        double cycles = 0, tasks[MSW_GRAPH_NETWORKS_MAX] = {0};
        camdn_history_forget(&h);
        for (uint64_t n = 0; n < (uint64_t)(c->first + c->tasks); n++) {
            uint32_t network = camdn_draw(&draws, t, n);
            camdn_history_count(&h, network, camdn_history_add(&h, m, 0, network, (double)n));
            tasks[network]++;
            cycles += mean_cycles(&m->networks[network]);
        }
        for (uint32_t i = 0; i < m->count; i++) {
            shares[i] += tasks[i] / cycles;
            all += tasks[i] / cycles;
        }
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->networks[i].share = shares[i] / all;
    camdn_history_set(&h, m);
}

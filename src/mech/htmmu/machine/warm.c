/* SPDX-License-Identifier: MIT */
/* Between measured units: visits pass through TLBs and path caches without time.
 *
 * Which bank the adaptive router turns a request to depends on what is under way, which is not
 * known here: each request draws its bank as often as requests that name the same bank went there
 * in the detail so far. */
#include "mech/htmmu/machine/machine.h"

/* Of a longer visit the rest would meet the same banks. */
enum { DRAWS_MOST = 64 };

static void warm_paths(htmmu_machine *m, msw_page page)
{
    msw_walker *walker = &m->walker;
    unsigned leaf = msw_pagetable_leaf(&walker->table, page.shift);
    uint64_t path = msw_pagetable_path(&walker->table, page.address, leaf);
    uint32_t turn = (uint32_t)(m->visit % walker->config.walkers);
    msw_walkcache_match(&walker->cache, &walker->table, turn, path, walker->table.levels - leaf);
    msw_walker_warm(walker, page, turn);
    if (m->memory.timed)
        msw_walkread_warm(&m->memory.reads, &walker->table, page);
}

static void warm_l2(htmmu_machine *m, msw_page page)
{
    if (m->has_l2 && msw_tlb_probe(&m->l2, 0, page.address) != HTMMU_NEVER)
        return;
    warm_paths(m, page);
    if (m->has_l2)
        msw_tlb_fill(&m->l2, 0, page, htmmu_neighbours(m->config, page, m->config->l2_coalesce), 0);
}

static void warm_bank(htmmu_machine *m, uint32_t bank, msw_page page)
{
    if (msw_tlb_probe(&m->l1, bank, page.address) != HTMMU_NEVER)
        return;
    warm_l2(m, page);
    msw_tlb_fill(&m->l1, bank, page, htmmu_neighbours(m->config, page, m->config->l1_coalesce), 0);
}

/* A random number of request i of a visit: of the stream alone. */
static uint64_t random_of(uint64_t visit, uint64_t i)
{
    uint64_t x = (visit << 16 | i) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint32_t draw_bank(const htmmu_machine *m, uint32_t home, uint64_t random)
{
    const uint32_t *routes = m->routes[home];
    uint64_t sum = 0;
    for (uint32_t bank = 0; bank < m->streams; bank++)
        sum += routes[bank];
    uint64_t left = (random >> 32) * sum >> 32;
    for (uint32_t bank = 0; bank < m->streams; bank++) {
        if (left < routes[bank])
            return bank;
        left -= routes[bank];
    }
    return home;
}

static void scatter(htmmu_machine *m, const htmmu_visit *visit, uint32_t home, msw_page page)
{
    uint32_t requests = visit->requests < DRAWS_MOST ? visit->requests : DRAWS_MOST, known = 0;
    for (uint32_t i = 0; i < requests && known != m->all_banks; i++) {
        uint32_t bank = draw_bank(m, home, random_of(m->visit, i));
        if (!(known >> bank & 1))
            warm_bank(m, bank, page);
        known |= (uint32_t)1 << bank;
    }
}

void htmmu_machine_warm(htmmu_machine *m, uint64_t number)
{
    const htmmu_visit *visit = &m->stream->visits[number];
    msw_page page = htmmu_page_of(visit->page);
    m->visit = number;
    uint32_t home = htmmu_named_bank(m->config, visit, m->requesters);
    if (m->config->router == HTMMU_ROUTER_ADAPTIVE)
        scatter(m, visit, home, page);
    else
        warm_bank(m, home, page);
}

/* SPDX-License-Identifier: MIT */
/* The detail table `banks`: what became of the requests of each bank of the first TLB. */
#include "mech/htmmu/machine/machine.h"

static uint64_t sum_of(const htmmu_machine *m, uint32_t bank)
{
    uint64_t requests = 0;
    for (uint32_t named = 0; named < m->streams; named++)
        requests += m->routes[named][bank];
    return requests;
}

int htmmu_add_banks(const msw_task *task, const htmmu_machine *m, msw_err *err)
{
    for (uint32_t i = 0; task->details && i < m->streams; i++) {
        const htmmu_bank *bank = &m->banks[i];
        double requests = (double)sum_of(m, i), misses = (double)bank->misses;
        double row[] = {i,
                        requests,
                        requests - misses,
                        misses,
                        requests - (double)m->routes[i][i],
                        (double)bank->blocked,
                        requests / (double)m->counts.requests};
        if (msw_detail_add(task, 0, row, err))
            return -1;
    }
    return 0;
}

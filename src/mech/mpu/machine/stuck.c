/* SPDX-License-Identifier: MIT */
/* What is said about a machine in which nothing can happen any more although warps have not left.
 */
#include "mech/mpu/machine/machine.h"

#include <stdio.h>

/* Those that wait, and the first of them. */
typedef struct waiting {
    uint64_t count;
    uint32_t core, subcore;
} waiting;

static void add(waiting *w, uint64_t count, uint32_t core, uint32_t subcore)
{
    if (!w->count && count) {
        w->core = core;
        w->subcore = subcore;
    }
    w->count += count;
}

static void look(const mpu_machine *m, uint32_t core, uint32_t subcore, waiting *at_barriers,
                 waiting *others)
{
    const mpu_warp *w = &m->cores[core].warps[(size_t)subcore * m->positions];
    for (uint32_t i = 0; i < m->positions; i++)
        if (w[i].state != MPU_WARP_EMPTY)
            add(w[i].state == MPU_WARP_AT_BARRIER ? at_barriers : others, 1, core, subcore);
}

/* Those that there are none of need no place. */
static void describe(const waiting *w, const char *what, char *text, size_t bytes)
{
    if (w->count)
        snprintf(text, bytes, "%llu %s, the first in sub-core %u of core %u; ",
                 (unsigned long long)w->count, what, w->subcore, w->core);
}

int mpu_fail_stuck(const mpu_machine *m, msw_err *err)
{
    waiting at_barriers = {0}, others = {0}, requests = {0};
    char barriers_text[128] = "", others_text[128] = "", requests_text[128] = "";
    for (uint32_t i = 0; i < m->core_count; i++)
        for (uint32_t s = 0; s < (uint32_t)m->config->subcores; s++) {
            look(m, i, s, &at_barriers, &others);
            add(&requests, msw_dram_lines_waiting(m->cores[i].subs[s].lines), i, s);
        }
    describe(&at_barriers, "at barriers", barriers_text, sizeof barriers_text);
    describe(&others, "for values or accesses", others_text, sizeof others_text);
    describe(&requests, "requests in memory controllers", requests_text, sizeof requests_text);
    return msw_fail(err, "kernel %s: all warps wait for each other: %s%s%smessages under way: %u",
                    m->kernel->kernel->name, barriers_text, others_text, requests_text,
                    m->network.under_way);
}

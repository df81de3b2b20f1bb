/* SPDX-License-Identifier: MIT */
/* How a program is cut into units of work, and which programs are. */
#include "mech/uvm/closed/order.h"
#include "mech/uvm/model.h"
#include "mech/uvm/sample/sample.h"

enum {
    LEAST_UNIT = 64,
    LEAD = 2,         /* accesses of each warp in detail before a unit, */
    LEAD_MOST = 64,   /* and as many as in it, but no more */
    SETTLE = 500,     /* cycles */
    DETAIL_SHARE = 6, /* of the accesses at most one in so many for units and what leads to them */
    UNIT_SHARE = 16,  /* the same for units alone, where they can be so large */
    LEAST_LINES = 1 << 21,
    LEAST_TURNS = 256, /* accesses of each warp in a launch */
    LEAST_MEASURED = 8,
    MOST_MEASURED = 40,
};

/* Warps that can be there at once, in the launch that has most, and how many launches there are. */
static uint64_t warps_at_once(const uvm_config *c, const uvm_stream *s, uint64_t *launches)
{
    uint64_t most = 1;
    *launches = 0;
    msw_err err = {0};
    for (size_t i = 0; i < s->stage_count; i++) {
        const uvm_launch *l = s->stages[i].launch;
        if (s->stages[i].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        ++*launches;
        uint64_t ctas = (uint64_t)c->sms * uvm_ctas_held(c, l, &err);
        most = msw_max_u64(most, msw_min_u64(ctas, l->ctas) * l->warps);
    }
    return most;
}

/* Where accesses go to the host's memory, or the run is cut, there is no stretch of time without
 * waits that could be known beforehand. Where memory is short, or TLBs, the order in which pages
 * are met decides what leaves, and the cheap model has another: README.md, "Sampling". */
static bool may_sample(const msw_task *task)
{
    const uvm_config *c = task->config;
    const uvm_layout *layout = task->artifacts[UVM_ARTIFACT_LAYOUT];
    if (c->oversubscription > 1 || 4 * (uint64_t)c->tlb_entries < 3 * layout->pages)
        return false;
    if (c->prefetcher == UVM_BLOCK || c->prefetcher == UVM_TREE ||
        c->prefetcher == UVM_TREE_DRIVER || c->prefetcher == UVM_CROSS_BLOCK)
        return false; /* how many pages of a block fault in one cycle depends on all warps' step */
    return task->fidelity == MSW_SAMPLED && c->migration == UVM_FIRST_TOUCH && c->run_share >= 1 &&
           c->thrash == UVM_THRASH_OFF && c->page_trace == UVM_TRACE_NONE;
}

uvm_cut uvm_cut_of(const msw_task *task)
{
    const uvm_stream *stream = task->artifacts[UVM_ARTIFACT_STREAM];
    uvm_cut cut = {.units = 1, .measured = 1, .settle = SETTLE};
    if (!may_sample(task))
        return cut;
    uint64_t launches, warps = warps_at_once(task->config, stream, &launches);
    uint64_t wanted =
        msw_max_u64(msw_min_u64((uint64_t)task->sampling.pilot, MOST_MEASURED), LEAST_MEASURED);
    uint64_t least = msw_max_u64(warps, LEAST_UNIT);
    uint64_t unit = msw_max_u64(least, stream->accesses / UNIT_SHARE / wanted);
    uint64_t lead = msw_max_u64(LEAD * least, msw_min_u64(unit, LEAD_MOST * least));
    uint64_t most = stream->accesses / DETAIL_SHARE / (unit + lead);
    if (most < LEAST_MEASURED || stream->lines < LEAST_LINES ||
        stream->accesses < LEAST_TURNS * warps * launches)
        return cut;
    cut.unit = unit;
    cut.lead = lead;
    cut.units = msw_div_up(stream->accesses, unit);
    cut.measured = msw_min_u64(most, wanted);
    return cut;
}

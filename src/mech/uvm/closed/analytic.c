/* SPDX-License-Identifier: MIT */
/* The closed form: one requester that touches pages in their order of first touch (README.md, "The
 * closed form", with the equations). Between two pages lie equal parts of a launch's compute time,
 * and a page that is not there is waited for, by the pager and link of the cycle model. Known
 * value: Hotspot of side 1024 on demand, 3072 far faults, as a public log of UVMSmart has it
 * (tests/validation/test_uvm.c). */
#include "mech/uvm/closed/closed.h"
#include "mech/uvm/model.h"

#include <math.h>
#include <string.h>

static int send_back(uvm_requester *r, uint64_t first, uint64_t end, bool clean)
{
    uint64_t start = r->now;
    if (uvm_pager_back(&r->pager, r->now, first, end, clean))
        return -1;
    while (r->pager.out.until != UINT64_MAX)
        if (uvm_requester_pass(r, r->pager.out.until))
            return -1;
    r->t[UVM_HOST] += (double)(r->now - start);
    return 0;
}

static int run_stage(uvm_requester *r, const uvm_stage *stage, const uvm_launch_order *order)
{
    if (stage->kind == MSW_SIMT_STAGE_LAUNCH)
        return uvm_requester_launch(r, order);
    if (stage->kind == MSW_SIMT_STAGE_SYNC) {
        if (r->config->sync != UVM_SYNC_DIRTY)
            return 0;
        if (send_back(r, 0, r->layout->pages, false))
            return -1;
        if (r->config->sync_resets_tree)
            memset(r->pager.leaves, 0, r->layout->chunk_count * sizeof *r->pager.leaves);
        return 0;
    }
    if (r->config->host_access != UVM_HOST_MIGRATES || !stage->bytes)
        return 0;
    return send_back(
        r, (stage->address - r->layout->base) >> r->layout->shift,
        ((stage->address + stage->bytes - 1 - r->layout->base) >> r->layout->shift) + 1, true);
}

static int prepare(uvm_requester *r)
{
    int64_t prefetcher = r->config->prefetcher;
    if (prefetcher != UVM_BULK && prefetcher != UVM_USER)
        return 0;
    if (uvm_pager_bulk(&r->pager, 0))
        return -1;
    while (prefetcher == UVM_BULK && r->pager.in.until != UINT64_MAX)
        if (uvm_requester_pass(r, r->pager.in.until))
            return -1;
    r->t[UVM_HOST] += (double)r->now;
    return 0;
}

/* Says where the form is not to be trusted (README.md, "The closed form"). */
static void doubt(const uvm_requester *r)
{
    const uvm_config *c = r->config;
    const uvm_counts *n = &r->pager.counts;
    const double SHARE = 0.3, AGAIN = 0.2, WIDE = 4, WAITS = 0.75;
    bool wide = r->t[UVM_LINES_ASKED] > WIDE * r->t[UVM_ACCESSES];
    bool waits = r->t[UVM_FAULT_WAIT] > WAITS * r->t[UVM_CYCLES];
    bool walks = r->pager.predictor && c->predict_on == UVM_ON_WALK && n->prefetched;
    if (n->notices && waits)
        msw_task_doubt(r->task,
                       "access counters asked for pages %llu times, which most of the time waits "
                       "for: how many accesses came before depends on when they were answered",
                       (unsigned long long)n->notices);
    else if (walks && waits)
        msw_task_doubt(r->task, "most of the time waits for pages, and which ones a predictor "
                                "names depends on the order in which walks end");
    else if ((wide || c->replay_walks) && (double)n->again > AGAIN * (double)n->pages_in)
        msw_task_doubt(r->task,
                       "%llu of %llu pages came again: which ones depends on warps that "
                       "evict each other's pages%s",
                       (unsigned long long)n->again, (unsigned long long)n->pages_in,
                       c->replay_walks ? " before they have walked again" : "");
    else if (r->walks > SHARE * r->t[UVM_CYCLES])
        msw_task_doubt(r->task,
                       "TLBs of %lld entries hold fewer pages than accesses return to: "
                       "walks again may take %.0f cycles more",
                       (long long)c->tlb_entries, r->walks);
}

/* Runs a program whose events are few on the machine. Returns 0; 1: they are more; or -1. */
static int run_whole(const msw_task *task, const uvm_order *order, double *metrics, msw_err *err)
{
    enum { FEW = 1 << 16 }; /* lines and walks: some ms */
    uint64_t lines = 0;
    for (size_t l = 0; l < order->count; l++)
        lines += order->launches[l].lines;
    if (lines > FEW)
        return 1;
    msw_task whole = *task;
    whole.event_budget = FEW;
    whole.details = NULL;
    msw_unit_out out = {.totals = metrics};
    for (int i = 0; i < UVM_METRICS; i++)
        metrics[i] = 0;
    MSW_TRY(uvm_measure(&whole, NULL, 0, 0, &out, err));
    return out.events > FEW;
}

/* Runs a program by its order. Returns 0, or -1. */
static int run_order(const msw_task *task, const uvm_order *order, double *metrics, msw_err *err)
{
    const uvm_stream *stream = task->artifacts[UVM_ARTIFACT_STREAM];
    uvm_foreseen known = uvm_foreseen_of(task);
    uvm_requester r = {.task = task,
                       .config = task->config,
                       .visits = order == task->artifacts[UVM_ARTIFACT_VISITS],
                       .layout = task->artifacts[UVM_ARTIFACT_LAYOUT],
                       .t = metrics};
    size_t launches = 0;
    for (int i = 0; i < UVM_METRICS; i++)
        metrics[i] = 0;
    r.limit = r.config->run_share < 1
                  ? (uint64_t)(r.config->run_share * (double)stream->threads + 0.5)
                  : UINT64_MAX;
    if (uvm_pager_init(&r.pager, r.config, r.layout, task->artifacts[UVM_ARTIFACT_LINK],
                       task->arena, err) ||
        uvm_ahead_init(&r.pager, &known) || prepare(&r))
        return -1;
    for (size_t s = 0; s < stream->stage_count && metrics[UVM_INSTRUCTIONS] < (double)r.limit;
         s++) {
        const uvm_launch_order *mine = &order->launches[launches];
        launches += stream->stages[s].kind == MSW_SIMT_STAGE_LAUNCH;
        if (run_stage(&r, &stream->stages[s], mine))
            return -1;
    }
    metrics[UVM_CYCLES] =
        metrics[UVM_BUSY] + metrics[UVM_FAULT_WAIT] + metrics[UVM_LAUNCH] + metrics[UVM_HOST];
    uvm_fill_pages(&r.pager, metrics);
    doubt(&r);
    return 0;
}

int uvm_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    static const int UNSTATED[] = {UVM_TLB_HITS, UVM_TLB_MISSES, UVM_WALKS, UVM_WALK_HITS,
                                   UVM_JOINED};
    const uvm_order *order = task->artifacts[UVM_ARTIFACT_ORDER];
    order = order ? order : task->artifacts[UVM_ARTIFACT_VISITS];
    int rc = run_whole(task, order, metrics, err);
    if (rc == 1)
        rc = run_order(task, order, metrics, err);
    for (size_t i = 0; i < sizeof UNSTATED / sizeof *UNSTATED; i++)
        metrics[UNSTATED[i]] = NAN;
    return rc;
}

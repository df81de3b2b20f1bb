/* SPDX-License-Identifier: MIT */
/* The closed form: one requester that touches pages in their order of first touch (README.md, "The
 * closed form"). Between two pages lie equal parts of a launch's compute time, the largest of
 *
 *   issue   I / (S K)              I  instructions of warps    S  SMs     K  schedulers
 *   ports   L / S                  L  lines
 *   chains  W (I c + N l) / w      W  waves    c  issue_cycles    N  waits    w  warps
 *
 *   l = tlb_cycles + path_cycles + memory_cycles
 *
 * and a page that is not there is waited for, by the pager and link of the cycle model. Known
 * value: Hotspot of side 1024 on demand, 3072 far faults, as a public log of UVMSmart has it
 * (tests/validation/test_uvm.c). */
#include "mech/uvm/closed/order.h"
#include "mech/uvm/metrics.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/later.h"
#include "mech/uvm/pages/predict.h"

#include <string.h>

typedef struct requester {
    const msw_task *task;
    const uvm_config *config;
    const uvm_layout *layout;
    uvm_pager pager;
    uint64_t now;
    double *t;
    uint64_t limit;
} requester;

static int pass(requester *r, uint64_t until)
{
    uvm_move come;
    while (uvm_pager_next(&r->pager) <= until)
        if (uvm_pager_step(&r->pager, uvm_pager_next(&r->pager), &come))
            return -1;
    r->now = msw_max_u64(r->now, until);
    return 0;
}

/* Up to the next thing that ends. */
static int pass_next(requester *r)
{
    uint64_t next = uvm_pager_next(&r->pager);
    if (next == UINT64_MAX)
        return msw_fail_kind(r->pager.err, MSW_ERR_INTERNAL, "uvm: nothing can go on");
    return pass(r, next);
}

static int touch(requester *r, const uvm_touch_row *row)
{
    uvm_pager *p = &r->pager;
    bool open = p->flags[row->page] & UVM_REQUESTED_PAGE;
    uint64_t start = r->now;
    uvm_event event = {.page = row->page};
    uvm_pager_access(p, row->page);
    if (p->where[row->page] == UVM_ON_HOST &&
        !uvm_memory_fetches(p, row->page, row->written, start)) {
        uint64_t until = uvm_memory_remote(p, row->page, start);
        r->t[UVM_FAULT_WAIT] += (double)(until - start);
        return pass(r, until);
    }
    if (p->where[row->page] == UVM_VALID)
        uvm_pager_use(p, row->page, start);
    uvm_pager_request(p, row->page, row->written);
    uvm_pager_touch(p, row->page);
    if (p->predictor &&
        uvm_ahead_event(p, r->now, &event, p->where[row->page] == UVM_ON_HOST && !open))
        return -1;
    r->t[UVM_JOINED] += p->where[row->page] == UVM_QUEUED;
    if (p->where[row->page] == UVM_ON_HOST && !open && uvm_pager_fault(p, r->now, &row->page, 1))
        return -1;
    /* a page may leave in the cycle in which it came: then its access is over, too */
    while (p->where[row->page] != UVM_VALID && p->flags[row->page] & UVM_REQUESTED_PAGE)
        if (pass_next(r))
            return -1;
    if (p->thrash && p->where[row->page] == UVM_ON_HOST &&
        uvm_thrash_pinned(p, row->page, r->now) && pass(r, uvm_memory_remote(p, row->page, r->now)))
        return -1;
    r->t[UVM_FAULT_WAIT] += (double)(r->now - start);
    return 0;
}

/* Cycles of a launch whose pages are all there: issue, the ports, or what a warp waits for. */
static double compute_cycles(const uvm_config *c, const uvm_launch_order *o)
{
    double latency = (double)(c->tlb_cycles + c->path_cycles + c->memory_cycles);
    double warp = ((double)o->instructions * (double)c->issue_cycles + (double)o->waits * latency) /
                  (double)o->warps;
    double issue = (double)o->instructions / (double)(o->sms * (uint64_t)c->schedulers);
    double ports = (double)o->lines / (double)o->sms;
    return msw_max_f64(msw_max_f64(issue, ports), warp * (double)o->waves);
}

static int run_launch(requester *r, const uvm_launch_order *o)
{
    const uvm_config *c = r->config;
    double share = 1, compute = compute_cycles(c, o);
    if (r->t[UVM_INSTRUCTIONS] + (double)o->threads > (double)r->limit)
        share = ((double)r->limit - r->t[UVM_INSTRUCTIONS]) / (double)o->threads;
    size_t rows = (size_t)(share * (double)o->count + 0.5);
    double each = rows ? share * compute / (double)rows : 0, owed = 0;
    for (size_t i = 0; i < rows; i++) {
        if (touch(r, &o->rows[i]))
            return -1;
        owed += each;
        uint64_t whole = (uint64_t)owed;
        owed -= (double)whole;
        if (pass(r, r->now + whole))
            return -1;
        r->t[UVM_BUSY] += (double)whole;
    }
    r->t[UVM_LAUNCH] += (double)c->launch_cycles;
    r->now += (uint64_t)c->launch_cycles;
    r->t[UVM_INSTRUCTIONS] += share * (double)o->threads;
    r->t[UVM_WARP_INSTRUCTIONS] += share * (double)o->instructions;
    r->t[UVM_ACCESSES] += share * (double)o->accesses;
    r->t[UVM_LINES_ASKED] += share * (double)o->lines;
    r->t[UVM_WALKS] += share * (double)o->pairs;
    return 0;
}

static int send_back(requester *r, uint64_t first, uint64_t end, bool clean)
{
    uint64_t start = r->now;
    if (uvm_pager_back(&r->pager, r->now, first, end, clean))
        return -1;
    while (r->pager.out.until != UINT64_MAX)
        if (pass(r, r->pager.out.until))
            return -1;
    r->t[UVM_HOST] += (double)(r->now - start);
    return 0;
}

static int run_stage(requester *r, const uvm_stage *stage, const uvm_launch_order *order)
{
    if (stage->kind == MSW_SIMT_STAGE_LAUNCH)
        return run_launch(r, order);
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

static int prepare(requester *r)
{
    int64_t prefetcher = r->config->prefetcher;
    if (prefetcher != UVM_BULK && prefetcher != UVM_USER)
        return 0;
    if (uvm_pager_bulk(&r->pager, 0))
        return -1;
    while (prefetcher == UVM_BULK && r->pager.in.until != UINT64_MAX)
        if (pass(r, r->pager.in.until))
            return -1;
    r->t[UVM_HOST] += (double)r->now;
    return 0;
}

int uvm_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    const uvm_stream *stream = task->artifacts[UVM_ARTIFACT_STREAM];
    uvm_foreseen known = uvm_foreseen_of(task);
    const uvm_order *order = task->artifacts[UVM_ARTIFACT_ORDER];
    requester r = {.task = task,
                   .config = task->config,
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
    metrics[UVM_TLB_MISSES] = metrics[UVM_WALKS];
    metrics[UVM_TLB_HITS] = msw_max_f64(metrics[UVM_LINES_ASKED] - metrics[UVM_WALKS], 0);
    uvm_fill_pages(&r.pager, metrics);
    metrics[UVM_WALK_HITS] = msw_max_f64(
        metrics[UVM_WALKS] - metrics[UVM_FAULTS] - metrics[UVM_JOINED] - metrics[UVM_REMOTE], 0);
    return 0;
}

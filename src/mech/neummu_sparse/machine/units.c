/* SPDX-License-Identifier: MIT */
/* The cycle model: a unit is a batch, passed request by request: the MMU, the memory here, the
 * link to other devices. Before a unit that does not follow the one measured last, the TLB is
 * given the pages of batches before, and the batch before it runs in unmeasured detail. */
#include "mech/neummu_sparse/batch.h"
#include "mech/neummu_sparse/model.h"

#include "memsweep/base/bits.h"
#include "memsweep/sim/event.h"
#include "memsweep/sim/link.h"

/* Whether pages of other devices are moved here. */
static inline bool neummu_sparse_pages_move(const neummu_sparse_config *config)
{
    return config->mode == NEUMMU_SPARSE_DEMAND;
}

/* The gathering device: its MMU, its memory, the link that rows of other devices come over. */
typedef struct neummu_sparse_machine {
    const neummu_sparse_config *config;
    const neummu_sparse_stream *stream;
    neummu_config mmu_config;
    msw_mmu mmu;
    void *mmu_memory;
    msw_link near, far;
    msw_event_queue answers;  /* requests whose data can be asked for */
    msw_event_queue handlers; /* of faults, by when they are free */
    uint64_t *arrival;        /* by page: when it is here, if `serial` says so */
    uint32_t *serial;         /* by page: the pass in which it came */
    uint32_t pass;
    uint64_t now, events;
} neummu_sparse_machine;

/* What counts in a pass over a batch. */
typedef struct neummu_sparse_rules {
    bool translate, remote, handle, local_only;
} neummu_sparse_rules;

/* Bytes per cycle as a ratio of two integers below 2^20. */
static msw_link_config link_config(double bandwidth, double frequency, int64_t latency)
{
    double rate = bandwidth / frequency;
    uint64_t cycles = 1;
    while (cycles < 1 << 12 && rate * 2 * (double)cycles < 1 << 19)
        cycles *= 2;
    uint64_t bytes = (uint64_t)(rate * (double)cycles + 0.5);
    return (msw_link_config){
        .bytes = bytes ? bytes : 1, .cycles = cycles, .latency_cycles = (uint32_t)latency};
}

static msw_link_config near_config(const neummu_sparse_config *c)
{
    return link_config(c->mmu.bandwidth, c->mmu.frequency, c->mmu.memory_cycles);
}

static msw_link_config far_config(const neummu_sparse_config *c)
{
    if (neummu_sparse_over_pcie(c))
        return link_config(c->pcie_bandwidth, c->mmu.frequency, c->pcie_cycles);
    return link_config(c->fast_bandwidth, c->mmu.frequency, c->fast_cycles);
}

size_t neummu_sparse_state_bytes(const msw_task *task)
{
    const neummu_sparse_config *c = task->config;
    const neummu_sparse_stream *stream = task->artifacts[0];
    neummu_config own = neummu_sparse_mmu(c);
    msw_mmu_config mmu = neummu_mmu_config(&own);
    size_t pages = neummu_sparse_pages_move(c) ? stream->page_count : 0;
    return msw_align_line(sizeof(neummu_sparse_machine)) + msw_align_line(msw_mmu_bytes(&mmu)) +
           msw_align_line(msw_event_bytes(stream->largest_batch + 1)) +
           msw_align_line(msw_event_bytes((size_t)c->fault_parallel)) +
           msw_align_line(pages * sizeof(uint64_t)) + msw_align_line(pages * sizeof(uint32_t));
}

/* Takes the next part of the memory. */
static void *part(char **memory, size_t size)
{
    void *here = *memory;
    *memory += msw_align_line(size);
    return here;
}

/* Empties the MMU and goes back to time 0. */
static int neummu_sparse_reset(neummu_sparse_machine *s, msw_err *err)
{
    msw_mmu_config mmu = neummu_mmu_config(&s->mmu_config);
    s->now = 0;
    return msw_mmu_init(&s->mmu, &mmu, s->mmu_memory, err);
}

int neummu_sparse_begin(const msw_task *task, void *memory, msw_err *err)
{
    char *next = memory;
    neummu_sparse_machine *s = part(&next, sizeof *s);
    const neummu_sparse_config *c = task->config;
    *s = (neummu_sparse_machine){
        .config = c, .stream = task->artifacts[0], .mmu_config = neummu_sparse_mmu(c)};
    msw_mmu_config mmu = neummu_mmu_config(&s->mmu_config);
    msw_link_config near = near_config(c), far = far_config(c);
    size_t waiting = s->stream->largest_batch + 1;
    size_t pages = neummu_sparse_pages_move(c) ? s->stream->page_count : 0;
    s->mmu_memory = part(&next, msw_mmu_bytes(&mmu));
    MSW_TRY(msw_link_init(&s->near, &near, err));
    MSW_TRY(msw_link_init(&s->far, &far, err));
    msw_event_init(&s->answers, waiting, part(&next, msw_event_bytes(waiting)));
    size_t handlers = (size_t)c->fault_parallel;
    msw_event_init(&s->handlers, handlers, part(&next, msw_event_bytes(handlers)));
    s->arrival = part(&next, pages * sizeof *s->arrival);
    s->serial = part(&next, pages * sizeof *s->serial);
    for (size_t p = 0; p < pages; p++)
        s->serial[p] = 0;
    return neummu_sparse_reset(s, err);
}

/* ---- one pass over a batch ---- */

static uint64_t pass_bytes(msw_link *link, uint64_t time, uint64_t bytes)
{
    msw_link_series series = {.time = time, .count = 1, .bytes = bytes};
    return msw_link_reserve(link, &series);
}

/* A fault takes the handler that is free first; then the page comes. Returns when it is here. */
static uint64_t fetch_page(neummu_sparse_machine *s, const neummu_sparse_rules *r, uint64_t time)
{
    if (r->handle) {
        msw_event handler;
        msw_event_pop(&s->handlers, &handler);
        time = msw_max_u64(handler.time, time);
        time += (uint64_t)neummu_sparse_cycles(s->config, s->config->fault_latency);
        msw_event_push(&s->handlers, time, 0);
    }
    return pass_bytes(&s->far, time, (uint64_t)s->config->mmu.page_size);
}

static uint64_t page_arrival(neummu_sparse_machine *s, const neummu_sparse_rules *r, uint64_t time,
                             uint32_t page, uint32_t batch)
{
    if (s->stream->first_batch[page] != batch)
        return 0;
    if (s->serial[page] != s->pass) {
        s->serial[page] = s->pass;
        s->arrival[page] = fetch_page(s, r, time);
    }
    return s->arrival[page];
}

/* Asks for the data of a request whose translation is known. Returns when they are here, or 0 when
 * the request waits for its page first. */
static uint64_t fetch(neummu_sparse_machine *s, const neummu_sparse_rules *r, uint64_t time,
                      uint64_t request, uint32_t batch)
{
    uint32_t page = s->stream->pages[request];
    bool remote = r->remote && s->stream->homes[page] != 0;
    if (remote && neummu_sparse_pages_move(s->config)) {
        uint64_t here = page_arrival(s, r, time, page, batch);
        if (here > time) {
            msw_event_push(&s->answers, here, request);
            return 0;
        }
        remote = false;
    }
    uint64_t bytes = neummu_sparse_bytes(s->stream->accesses, request);
    return pass_bytes(remote ? &s->far : &s->near, time, bytes);
}

static uint64_t answer_until(neummu_sparse_machine *s, const neummu_sparse_rules *r, uint64_t time,
                             uint32_t batch, uint64_t end)
{
    msw_event event;
    while (msw_event_next(&s->answers) <= time && msw_event_pop(&s->answers, &event)) {
        uint64_t here = fetch(s, r, event.time, event.data, batch);
        end = msw_max_u64(here, end);
    }
    return end;
}

/* Issues a request. Returns when the next can be. */
static uint64_t issue(neummu_sparse_machine *s, const neummu_sparse_rules *r, uint64_t time,
                      uint64_t request)
{
    if (!r->translate) {
        msw_event_push(&s->answers, time, request);
        return time + 1;
    }
    unsigned shift = s->stream->page_shift;
    msw_mmu_request q = {.time = time,
                         .page = {s->stream->numbers[s->stream->pages[request]] << shift, shift},
                         .count = 1};
    msw_mmu_series_result result = msw_mmu_series(&s->mmu, &q);
    msw_event_push(&s->answers, result.done, request);
    return result.next;
}

static bool is_skipped(const neummu_sparse_machine *s, const neummu_sparse_rules *r,
                       uint64_t request)
{
    return r->local_only && s->stream->homes[s->stream->pages[request]] != 0;
}

static int start_links(neummu_sparse_machine *s, msw_err *err)
{
    msw_link_config near = s->near.config, far = s->far.config;
    s->handlers.count = 0;
    for (int64_t h = 0; h < s->config->fault_parallel; h++)
        msw_event_push(&s->handlers, 0, 0);
    s->pass++;
    MSW_TRY(msw_link_init(&s->near, &near, err));
    return msw_link_init(&s->far, &far, err);
}

/* Gathers a batch from s->now (translated) or from 0. Returns how long it takes, in `cycles`. */
static int neummu_sparse_gather(neummu_sparse_machine *s, uint32_t number,
                                const neummu_sparse_rules *r, uint64_t *cycles, msw_err *err)
{
    const neummu_sparse_batch *batch = &s->stream->batches[number];
    uint64_t start = r->translate ? s->now : 0, time = start, end = start;
    if (start_links(s, err))
        return -1;
    for (uint64_t i = batch->first; i < batch->first + batch->count; i++) {
        if (is_skipped(s, r, i))
            continue;
        end = answer_until(s, r, time, number, end);
        time = issue(s, r, time, i);
    }
    end = answer_until(s, r, UINT64_MAX - 1, number, end);
    s->events += batch->count;
    *cycles = end - start;
    if (r->translate) {
        s->now = end;
        msw_mmu_settle(&s->mmu, end);
    }
    return 0;
}

/* Batches 0, 1, 2-3, 4-7, ...: first touches of pages grow rarer. */
static uint64_t stratum_first(size_t stratum)
{
    return stratum ? (uint64_t)1 << (stratum - 1) : 0;
}

int neummu_sparse_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const neummu_sparse_stream *stream = task->artifacts[0];
    (void)err;
    *count = 0;
    for (size_t h = 0; stratum_first(h) < stream->batch_count; h++) {
        uint64_t first = stratum_first(h);
        uint64_t next = msw_min_u64(stratum_first(h + 1), stream->batch_count);
        strata[(*count)++] = (msw_stratum){.units = next - first, .cost = 1};
    }
    return 0;
}

static bool has_mmu(const neummu_sparse_config *c)
{
    return !c->mmu.oracle && c->mode != NEUMMU_SPARSE_COPY;
}

/* Enters pages as far back as the TLB reaches. */
static void fill_tlb(neummu_sparse_machine *s, uint32_t until)
{
    uint64_t room = (uint64_t)s->config->mmu.tlb_entries, wanted = 2 * room;
    uint32_t from = until;
    unsigned shift = s->stream->page_shift;
    for (uint64_t seen = 0; from > 0 && seen < wanted; seen += s->stream->batches[from].count)
        from--;
    uint64_t end = s->stream->batches[until].first;
    for (uint64_t i = s->stream->batches[from].first; i < end; i++) {
        uint64_t address = s->stream->numbers[s->stream->pages[i]] << shift;
        if (msw_tlb_probe(&s->mmu.l1, 0, address) == UINT64_MAX)
            msw_tlb_fill(&s->mmu.l1, 0, (msw_page){address, shift}, 0, 0);
    }
}

int neummu_sparse_warm(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                       msw_err *err)
{
    neummu_sparse_machine *s = memory;
    uint64_t batch = stratum_first(stratum) + unit, cycles;
    (void)task;
    s->events = 0;
    if (!has_mmu(s->config) || batch == 0)
        return 0;
    if (neummu_sparse_reset(s, err))
        return -1;
    fill_tlb(s, (uint32_t)batch - 1);
    return neummu_sparse_gather(
        s, (uint32_t)batch - 1,
        &(neummu_sparse_rules){.translate = true, .remote = true, .handle = true}, &cycles, err);
}

static void add_counts(const msw_mmu *mmu, const msw_mmu_stats *m, const msw_walker_stats *w,
                       double *t)
{
    t[NEUMMU_SPARSE_HITS] = (double)(mmu->stats.l1_hits - m->l1_hits);
    t[NEUMMU_SPARSE_MISSES] = (double)(mmu->stats.l1_misses - m->l1_misses);
    t[NEUMMU_SPARSE_MERGED] = (double)(mmu->stats.merged - m->merged);
    t[NEUMMU_SPARSE_WALKS] = (double)(mmu->walker.stats.walks - w->walks);
    t[NEUMMU_SPARSE_REDUNDANT] = (double)(mmu->walker.stats.redundant - w->redundant);
    t[NEUMMU_SPARSE_WALK_ACCESSES] = (double)(mmu->walker.stats.accesses - w->accesses);
}

/* The passes that need no MMU. */
static int time_known(neummu_sparse_machine *s, uint32_t batch, neummu_sparse_times *times,
                      msw_err *err)
{
    uint64_t here, there, handled;
    if (neummu_sparse_gather(s, batch, &(neummu_sparse_rules){0}, &here, err) ||
        neummu_sparse_gather(s, batch, &(neummu_sparse_rules){.remote = true}, &there, err))
        return -1;
    handled = there;
    if (neummu_sparse_pages_move(s->config) &&
        neummu_sparse_gather(s, batch, &(neummu_sparse_rules){.remote = true, .handle = true},
                             &handled, err))
        return -1;
    *times = (neummu_sparse_times){(double)here, (double)there, (double)handled, (double)handled};
    return 0;
}

static int time_copy(neummu_sparse_machine *s, uint32_t batch, neummu_sparse_times *times,
                     msw_err *err)
{
    uint64_t here;
    neummu_sparse_copied copied = neummu_sparse_copy(s->config, &s->stream->batches[batch]);
    if (neummu_sparse_gather(s, batch, &(neummu_sparse_rules){.local_only = true}, &here, err))
        return -1;
    double copying = copied.transfer + copied.cpu;
    *times = (neummu_sparse_times){.all = (double)here > copying ? (double)here : copying};
    return 0;
}

int neummu_sparse_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                          msw_unit_out *out, msw_err *err)
{
    neummu_sparse_machine *s = memory;
    uint32_t batch = (uint32_t)(stratum_first(stratum) + unit);
    neummu_sparse_times times;
    msw_mmu_stats mmu = s->mmu.stats;
    msw_walker_stats walker = s->mmu.walker.stats;
    uint64_t cycles;
    (void)task;
    if (s->config->mode == NEUMMU_SPARSE_COPY ? time_copy(s, batch, &times, err)
                                              : time_known(s, batch, &times, err))
        return -1;
    if (has_mmu(s->config)) {
        neummu_sparse_rules all = {.translate = true, .remote = true, .handle = true};
        if (neummu_sparse_gather(s, batch, &all, &cycles, err))
            return -1;
        times.all = (double)cycles;
    } else {
        out->totals[NEUMMU_SPARSE_HITS] = (double)s->stream->batches[batch].count;
    }
    if (has_mmu(s->config))
        add_counts(&s->mmu, &mmu, &walker, out->totals);
    neummu_sparse_add(s->config, &s->stream->batches[batch], &times, out->totals);
    out->events = s->events;
    s->events = 0;
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* The cycle model: a unit is a batch. Before one that does not follow the unit measured last, the
 * TLB is given the pages of batches before, and the one before it runs in unmeasured detail. */
#include "mech/neummu_sparse/machine/gather.h"
#include "mech/neummu_sparse/metrics.h"
#include "mech/neummu_sparse/model.h"

#include "memsweep/base/bits.h"

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

/* SPDX-License-Identifier: MIT */
/* What the pager has counted, as metrics. */
#include "mech/uvm/pages/predict.h"

#include "mech/uvm/metrics.h"

static double cycles_of(uint64_t ticks)
{
    return (double)ticks / (1 << MSW_CURVE_TICK_BITS);
}

void uvm_fill_pages(const uvm_pager *p, double *t)
{
    const uvm_counts *n = &p->counts;
    bool excluded = p->config->fault_charge == UVM_EXCLUDED;
    t[UVM_FAULTS] = (double)n->faults;
    t[UVM_CHARGED] = t[UVM_CYCLES] + (excluded ? (double)n->faults * (double)p->fault_cycles : 0);
    t[UVM_TOUCHED] = (double)n->touched;
    t[UVM_FIRST] = (double)n->first;
    t[UVM_FIRST_MET] = (double)n->first_met;
    t[UVM_LATE] = (double)n->late;
    t[UVM_PAGES_IN] = (double)n->pages_in;
    t[UVM_PAGES_USED] = (double)n->used;
    t[UVM_PAGES_AHEAD] = (double)n->prefetched;
    t[UVM_AHEAD_USED] = (double)n->prefetched_used;
    t[UVM_AGAIN] = (double)n->again;
    t[UVM_PAGES_BACK] = (double)n->back;
    if (p->predictor) {
        t[UVM_PREDICTED] = (double)p->predictor->predictions;
        t[UVM_DROPPED] = (double)p->predictor->dropped;
        t[UVM_STATE] = (double)p->predictor->bytes;
    }
    t[UVM_EVICTIONS] = (double)n->evictions;
    t[UVM_EVICTED] = (double)n->evicted;
    t[UVM_REMOTE] = (double)n->remote;
    t[UVM_NOTICES] = (double)n->notices;
    t[UVM_NAPS] = (double)n->naps;
    t[UVM_PINS] = (double)n->pins;
    t[UVM_BYTES_IN] = (double)p->in.bytes;
    t[UVM_BYTES_OUT] = (double)p->out.bytes;
    t[UVM_TRANSFERS] = (double)(p->in.transfers + p->out.transfers);
    t[UVM_LINK_IN] = cycles_of(p->in.busy);
    t[UVM_LINK_OUT] = cycles_of(p->out.busy);
    t[UVM_ENERGY] = 1e-3 * p->config->link_pj_per_bit * 8 * (t[UVM_BYTES_IN] + t[UVM_BYTES_OUT]);
}

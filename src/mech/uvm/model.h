/* SPDX-License-Identifier: MIT */
/* Private to uvm: the functions of the record. */
#ifndef MSW_MECH_UVM_MODEL_H
#define MSW_MECH_UVM_MODEL_H

#include "memsweep/mech/mechanism.h"

enum {
    UVM_ARTIFACT_STREAM,
    UVM_ARTIFACT_LAYOUT,
    UVM_ARTIFACT_LINK,
    UVM_ARTIFACT_ORDER,
    UVM_ARTIFACT_VISITS,
    UVM_ARTIFACT_FUTURE,
    UVM_ARTIFACT_TRACE,
    UVM_ARTIFACT_NETWORK,
    UVM_ARTIFACT_CORPUS_NETWORK,
    UVM_ARTIFACT_TUNED_NETWORK,
    UVM_ARTIFACT_PREDICTIONS,
};
enum { UVM_DETAIL_LINK, UVM_DETAIL_PAGES };

extern const msw_metric uvm_metrics[];
extern const msw_self_check uvm_checks[];

int uvm_build_link(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err);

int uvm_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int uvm_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_unit_out *out,
                msw_err *err);
int uvm_analytic(const msw_task *task, double *metrics, msw_err *err);
void uvm_derive(const msw_task *task, double *metrics);

#endif

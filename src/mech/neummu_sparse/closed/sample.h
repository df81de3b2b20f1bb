/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse's closed form: batches that the cycle model gathers where translation
 * costs anything (README.md, "Fidelities"). */
#ifndef MSW_MECH_NEUMMU_SPARSE_CLOSED_SAMPLE_H
#define MSW_MECH_NEUMMU_SPARSE_CLOSED_SAMPLE_H

#include "memsweep/mech/mechanism.h"

/* Puts what drawn batches say of translation and of the MMU in `metrics`, which have the formulas'
 * answer. Returns 0, or -1. */
int neummu_sparse_simulate(const msw_task *task, double *metrics, msw_err *err);

#endif

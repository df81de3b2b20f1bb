/* SPDX-License-Identifier: MIT */
/* What the tables of pairs share. */
#ifndef RESULTS_FIDELITY_PAIRS_H
#define RESULTS_FIDELITY_PAIRS_H

#include "memsweep/results/fidelity.h"

/* Starts a row of a table: the group, both fidelities, the metric. */
void msw_agree_start_row(const msw_agree_options *ask, const msw_agree_match *match, uint32_t group,
                         const char *metric, msw_table_builder *builder);

#endif

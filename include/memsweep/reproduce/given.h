/* SPDX-License-Identifier: MIT */
/* given: what a calibration of a paper predicts of each quantity, as it is kept in the paper's
 * database (docs/store.md) and shown on its page. */
#ifndef MEMSWEEP_REPRODUCE_GIVEN_H
#define MEMSWEEP_REPRODUCE_GIVEN_H

#include "memsweep/reproduce/paper.h"

/* The kind of the analysis that holds it. */
#define MSW_GIVEN_KIND "given"

/* Digest of what it is made against: published.csv, and the plans of the sweeps. Returns 0, or -1.
 */
int msw_given_digest(const msw_paper *paper, msw_digest *digest);

/* Appends it as Markdown; nothing where nothing is kept. What is kept may come from anybody: of
 * what makes no sense only that is said. Returns 0, or -1. */
int msw_given_page(const msw_paper *paper, msw_text *out);

#endif

/* SPDX-License-Identifier: MIT */
/* How near a closed form is to full runs over random configs: facts for a workload. */
#ifndef MEMSWEEP_TESTS_AGREEMENT_H
#define MEMSWEEP_TESTS_AGREEMENT_H

#include "section.h"

#include "direct.h"

/* A mechanism, a metric by which configs are ranked, and how random configs are drawn. */
typedef struct agreeing {
    const char *mech, *ranked;
    void (*draw)(direct *d, uint64_t seed);
    int configs;
} agreeing;

/* Rows of a workload. */
void agreement_rows(bench *b, const agreeing *a, const char *workload);

#endif

/* SPDX-License-Identifier: MIT */
/* Evaluating points without plan or store: an artifact source that builds and keeps everything. */
#ifndef MEMSWEEP_TESTS_DIRECT_H
#define MEMSWEEP_TESTS_DIRECT_H

#include "memsweep/base/text.h"
#include "memsweep/mech/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct direct_entry {
    struct direct_entry *next;
    msw_digest key;
    msw_arena arena;
    const void *root;
} direct_entry;

/* One evaluation set-up: config, workload, memory. Start with direct_open. */
typedef struct direct {
    const msw_mech *mech;
    msw_workload workload;
    void *config;
    msw_arena arena;
    direct_entry *entries;
    msw_artifact_source source;
    msw_task task;
    msw_answer answer;
    double metrics[MSW_METRICS_MAX], half_widths[MSW_METRICS_MAX];
    msw_metric_map map;
} direct;

int direct_get(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
               const void *extra, const void **root, void **handle, msw_err *err);

void direct_put(void *context, void *handle);

void direct_drop_artifacts(direct *d);

/* Drops those built since `mark` was the newest. */
void direct_drop_since(direct *d, const direct_entry *mark);

/* Defaults of a mechanism on a workload. Returns 0, or -1. */
int direct_open(direct *d, const msw_mech *mech, const char *workload, msw_err *err);

void direct_set(direct *d, const char *param, double value);

/* A parameter's value; a list ends with a name of NULL. */
typedef struct direct_setting {
    const char *name;
    double value;
} direct_setting;

/* Opens with these settings. Returns 0, or -1. */
int direct_open_set(direct *d, const msw_mech *mech, const char *workload,
                    const direct_setting *settings, msw_err *err);

void direct_run(direct *d, msw_fidelity fidelity, uint64_t stream);

void direct_close(direct *d);

#endif

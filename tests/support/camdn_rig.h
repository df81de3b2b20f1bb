/* SPDX-License-Identifier: MIT */
/* A machine of camdn with pages on networks of ours, unit by unit. */
#ifndef MEMSWEEP_TESTS_CAMDN_RIG_H
#define MEMSWEEP_TESTS_CAMDN_RIG_H

#include "streams.h"

#include "mech/camdn/machine/system.h"

typedef struct camdn_rig {
    stream s;
    camdn_config config;
    msw_arena arena;
    msw_task task;
    const void *artifacts[CAMDN_ARTIFACTS];
    camdn_system *system;
    msw_err err;
} camdn_rig;

/* Takes defaults with pages and one task of one tenant; then the machine starts. */
void camdn_rig_open(camdn_rig *rig, const char *workload);
void camdn_rig_start(camdn_rig *rig);

/* Builds tables, levels and plans of a task, which has a config, a product and an arena. */
void camdn_rig_artifacts(msw_task *task, const void **artifacts);

/* Sums a task of each tenant. */
void camdn_rig_measure(camdn_rig *rig, double *totals);

void camdn_rig_close(camdn_rig *rig);

#endif

/* SPDX-License-Identifier: MIT */
/* seek_drive: a sweep whose design is a search on its way: rounds of designs that follow from the
 * plan and the rows of earlier rounds alone, so a run that goes on proposes the same again. */
#ifndef MEMSWEEP_EXPLORE_SEEK_DRIVE_H
#define MEMSWEEP_EXPLORE_SEEK_DRIVE_H

#include "memsweep/explore/drive.h"
#include "memsweep/explore/seek.h"

enum { MSW_SEEK_GROWTH = 24, MSW_SEEK_SAID_SECONDS = 5 };

typedef struct msw_seek_report {
    msw_seek_statement statement;
    msw_seek_growth growth[MSW_SEEK_GROWTH];
    size_t growth_count;
    double designs; /* designs of the space, about */
    bool over;
    msw_run_result result;   /* of all rounds */
    uint64_t reused, spared; /* spared: points of designs that other workloads showed dominated */
    double decision_seconds, reading_seconds;
    int told; /* on ranks above 0: the msw_err_kind of what failed on rank 0; 0: nothing */
} msw_seek_report;

/* Searches with job->plan, whose sweep in the file is job->full; on all ranks. Returns 0, or -1. */
int msw_seek_drive(const msw_explore_job *job, msw_seek_report *report, msw_err *err);

/* The statement in words, and as JSON for the file. */
void msw_seek_say(const msw_plan *plan, const msw_seek_report *report, msw_text *out);
void msw_seek_say_json(const msw_plan *plan, const msw_seek_report *report, msw_text *settings,
                       msw_text *result);

#endif

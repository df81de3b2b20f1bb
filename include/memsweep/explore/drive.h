/* SPDX-License-Identifier: MIT */
/* drive: a sweep at fidelity `auto` on its way: rounds of points in full, chosen from the answers
 * of the closed form, which are complete, and of the rounds before.
 *
 * Rank 0 decides; the others are told which points are wanted. What was decided follows from the
 * plan and the answers alone: a run that goes on decides the same again. */
#ifndef MEMSWEEP_EXPLORE_DRIVE_H
#define MEMSWEEP_EXPLORE_DRIVE_H

#include "memsweep/explore/explore.h"
#include "memsweep/run/run.h"

/* Refuses a plan whose audit cannot say what is asked of it, with the number of draws that could.
 * Returns 0, or -1. */
int msw_explore_check(const msw_plan *plan, msw_err *err);

/* Says how many points will run in full, and what the audit can say at best. */
void msw_explore_forecast(const msw_plan *plan, msw_text *out);

/* How far an exploration has come. */
typedef struct msw_explore_progress {
    uint32_t round; /* from 1 */
    msw_explore_role role;
    uint64_t points, missing; /* of the round; of them, to be computed */
    uint64_t left;            /* of the budget, after the round */
} msw_explore_progress;

struct msw_seek_report;

typedef struct msw_explore_job {
    const msw_plan *plan;          /* the whole */
    msw_store *store;              /* rank 0 alone */
    int64_t whole, analytic, full; /* sweeps of the file */
    const msw_ranks *ranks;
    msw_run_options options;
    bool retry;
    uint64_t until;         /* do no more rounds than so many; 0: all */
    uint64_t shard, shards; /* of the last of them compute only this part; 0: all */
    msw_store *target;      /* of that part, and its number of `full` there; NULL: `store` */
    int64_t target_full;
    void *context;
    void (*started)(void *context, const msw_explore_progress *progress);
    void (*ended)(void *context, const msw_run_result *result);
    int (*begin_run)(void *context, int64_t *run, msw_err *err); /* before the first point */
    /* NULL, or what takes the missing points of a round in place of computing them: the drive then
     * stops, as if it had been asked to. */
    int (*hand)(void *context, const msw_plan *full, const msw_todo *todo, msw_err *err);
    /* What a search could say now, every few seconds. Returns 0, or -1. */
    int (*grown)(void *context, const struct msw_seek_report *report, msw_err *err);
} msw_explore_job;

typedef struct msw_explore_report {
    msw_explore_statement statement;
    char stratum[160]; /* that most of the audited ones found wrong are of; or empty */
    bool over; /* nothing is left to do: else the statement is one of what is known so far */
    msw_run_result result;   /* of all rounds together */
    uint64_t reused;         /* points that the file had */
    double decision_seconds; /* of processor time: spent in choosing */
    double reading_seconds;  /* and in reading answers back for it */
    int told; /* on ranks above 0: the msw_err_kind of what failed on rank 0; 0: nothing */
} msw_explore_report;

/* Runs rounds until all is said, `until` is reached or it is stopped; on all ranks. At the end the
 * whole has its rows and choices. Returns 0, or -1. */
int msw_explore_drive(const msw_explore_job *job, msw_explore_report *report, msw_err *err);

/* Tells the other ranks, which drive, that rank 0 could not begin. */
void msw_explore_dismiss(const msw_explore_job *job, msw_err *err);

/* The statement in words, one sentence a line. */
void msw_explore_say(const msw_plan *plan, const msw_explore_report *report, msw_text *out);

/* The same as JSON: for the file. */
void msw_explore_say_json(const msw_plan *plan, const msw_explore_report *report,
                          msw_text *settings, msw_text *result);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to closed/: the networks of a mix, how their tasks run, and what tenants take from each
 * other. Equations: README.md, "Closed form". */
#ifndef MSW_MECH_CAMDN_CLOSED_MIX_H
#define MSW_MECH_CAMDN_CLOSED_MIX_H

#include "mech/camdn/closed/traffic.h"

/* A task of a network finds what an earlier one left in a cache with tags, or does not, or finds a
 * part of it (DRRIP). */
enum { CAMDN_FOUND, CAMDN_FRESH, CAMDN_PARTLY, CAMDN_RUNS };

/* One way of an operator, and the share of the tasks that run it so. */
typedef struct camdn_part_run {
    camdn_op_time time;
    camdn_op_time *ganged; /* on 2 and 4 NPUs, where tasks have so many */
    double share;
    bool known; /* `time` and `ganged` */
} camdn_part_run;

/* The ways of an operator: with pages its candidates, then that of its block; else one. */
typedef struct camdn_op_run {
    uint32_t first, count;
} camdn_op_run;

/* How tasks of a network run. */
typedef struct camdn_run_of {
    camdn_op_run *ops;
    camdn_part_run *ways;
    const camdn_part_run **seen; /* the ways that were summed: those that tasks run in */
    uint32_t seen_count;
    camdn_moved moved; /* by a task */
    double group;      /* lines from memory that leave together, on average over all of them */
    double table_wait; /* cycles until pages are its own, and are returned */
    double wait;       /* until others have returned them */
    double cycles, memory_wait;
    camdn_toll toll; /* of a task */
    double toll_wait;
    struct camdn_station *stations; /* by crowd, NPUs and operator */
} camdn_run_of;

/* Numbers of tasks that run at a time for which stations are known: 1, 2, 4, ... */
enum { CAMDN_CROWDS = 7 };

/* An operator in one of its ways, on average. */
typedef struct camdn_station {
    double cycles, compute, memory_wait, toll_wait;
} camdn_station;

typedef struct camdn_network {
    camdn_closed closed;
    uint32_t number;
    double share;                     /* of the tasks */
    double parts[CAMDN_RUNS];         /* shares of its tasks that run so */
    double kept;                      /* of the lines of those that find a part */
    double cycles;                    /* of a task, on average */
    double sizes[CAMDN_GANG_SIZES];   /* shares of its work that run on 1, 2 and 4 NPUs */
    double (*left)[CAMDN_GANG_SIZES]; /* by operator; of gangs whose size follows from it */
    camdn_run_of runs[CAMDN_RUNS];
} camdn_network;

typedef struct camdn_mix {
    const camdn_config *config;
    const msw_task *task;
    camdn_network networks[MSW_GRAPH_NETWORKS_MAX];
    uint32_t count;
    camdn_memory_form memory;
    const camdn_plans *plans; /* with pages */
    const camdn_expected *expected;
    const camdn_visits *visits; /* where addresses are translated */
    double room;    /* bytes that may be touched from a task to one that finds what it left... */
    bool apart;     /* ...by the tenant alone, or by all of them */
    double ways;    /* that it may fill */
    double sharers; /* tenants that bring the same weights */
    double busy;    /* NPUs that run while a task does, its own included */
    camdn_pace pace;
    camdn_pace crowds[CAMDN_CROWDS]; /* where 1, 2, 4, ... tasks run at a time */
} camdn_mix;

/* Opens the runs of a network, with nothing known. Returns 0, or -1. */
int camdn_runs_open(camdn_mix *mix, camdn_network *network, msw_err *err);

/* What is known of ways does not hold any more. */
void camdn_runs_forget(camdn_network *network);

/* Its cycles at a pace, on average over the numbers of NPUs that tasks have. */
double camdn_way_cycles(camdn_network *network, int run, uint32_t op, uint32_t way,
                        const camdn_pace *pace);

/* Fills the stations of all runs for a crowd, which leaves such a pace; the pages that are waited
 * for are each one's part. */
void camdn_runs_stations(camdn_network *network, uint32_t crowd, const camdn_pace *pace);

static inline camdn_station *camdn_station_at(const camdn_network *n, int run, uint32_t crowd,
                                              uint32_t size, uint32_t op)
{
    size_t row = (size_t)crowd * CAMDN_GANG_SIZES + size;
    return &n->runs[run].stations[row * n->closed.net->op_count + op];
}

/* Sums what tasks move with the present shares of ways. */
void camdn_runs_sum(camdn_network *network);

/* Sets the cycles of tasks, and of them those that wait for memory, at a pace. Returns their mean
 * over the tasks of the network. */
double camdn_runs_time(camdn_network *network, const camdn_pace *pace);

/* Shares of ways of Algorithm 1 (contest.c), from the present ones and the present pace. Returns
 * the largest change of a share of time, or -1: no memory. */
typedef struct camdn_contest camdn_contest;
camdn_contest *camdn_contest_open(camdn_mix *mix);
double camdn_contest_step(camdn_contest *contest);

/* Sets what stays of its lines where tasks find a part of them, if that saves requests to memory.
 */
void camdn_runs_keep(camdn_network *network);

/* ---- translation (toll.c) ---- */

/* What all tenants ask of memory and walkers. */
typedef struct camdn_shared {
    double memory; /* bytes per cycle that it carries */
    double others; /* bytes of all tasks that run but one */
    double group;  /* cycles of the lines from memory that leave together */
    double walks;  /* cycles that a task takes walkers for */
} camdn_shared;

typedef double (*camdn_latency_fn)(camdn_mix *mix, const camdn_pace *pace);

/* Finds how far TLBs reach, where addresses are translated. Returns 0, or -1: no memory. */
int camdn_toll_open(camdn_mix *mix, msw_err *err);

/* Adds what a share of the tasks takes at a pace to what tasks take. */
void camdn_toll_add(camdn_toll *sum, const camdn_op_time *time, const camdn_pace *pace,
                    double share);

/* Says where walks are known to be counted badly; `walks`: those of a task. */
void camdn_toll_doubt(const camdn_mix *mix, const camdn_toll *walks, double latency);

/* Returns what tenants leave each other, of which tasks take `latency`. */
camdn_pace camdn_toll_pace(camdn_mix *mix, const camdn_shared *shared, camdn_latency_fn latency);

/* ---- which tasks find what earlier ones left (history.c) ---- */

/* When tasks of each network began last on an NPU (or of a tenant), and what counted ones found. */
typedef struct camdn_history {
    double began[CAMDN_TENANTS_MAX][MSW_GRAPH_NETWORKS_MAX]; /* -1: never */
    double counts[MSW_GRAPH_NETWORKS_MAX][CAMDN_RUNS], kept[MSW_GRAPH_NETWORKS_MAX];
    uint32_t rows;
} camdn_history;

/* What a task finds. */
typedef struct camdn_find {
    int run;
    double kept; /* of CAMDN_PARTLY */
} camdn_find;

/* Opens one of so many NPUs; forgets when tasks began, but not what they found. */
void camdn_history_open(camdn_history *history, uint32_t rows);
void camdn_history_forget(camdn_history *history);

/* A task of a network is next on an NPU. Returns what it finds. */
camdn_find camdn_history_add(camdn_history *history, const camdn_mix *mix, uint32_t row,
                             uint32_t network, double now);

/* Counts a task that found so much; sets the shares of the networks from all that were counted. */
void camdn_history_count(camdn_history *history, uint32_t network, camdn_find find);
void camdn_history_set(const camdn_history *history, camdn_mix *mix);

/* Finds what the tasks find that tenants draw, and sets the shares of the networks. */
void camdn_history_drawn(camdn_mix *mix);

/* ---- tasks that come from outside, by a queue (queue.c) ---- */

/* A counted task that is over. */
typedef struct camdn_task_run {
    uint32_t network;
    int run;
    double waited; /* for an NPU */
    double cycles, compute, memory_wait;
    uint64_t target;
} camdn_task_run;

/* Returns a task that has the mean cycles of its network. */
camdn_task_run camdn_ran_of(const camdn_network *network, int run, uint64_t target);

/* What becomes of it. */
typedef void (*camdn_served_fn)(void *context, const camdn_task_run *task);

typedef struct camdn_queue {
    camdn_jobs jobs;
    camdn_job *list;
    double *starts, *ends, *sums; /* by task that has run */
    double (*spans)[2];           /* of counted tasks */
    uint64_t room;
    uint64_t count, counts; /* tasks that have run; that are counted */
} camdn_queue;

int camdn_queue_open(camdn_mix *mix, camdn_queue *queue, msw_err *err);

/* Runs it with the present cycles; sets how many NPUs are busy while a counted task runs, and the
 * shares of those that find nothing. */
void camdn_queue_run(camdn_mix *mix, camdn_queue *queue, camdn_served_fn served, void *context);

/* Books that the task of a number ran from a time to another one (stations.c). */
void camdn_queue_ran(const camdn_mix *mix, camdn_queue *queue, uint64_t number, double start,
                     double end);

/* The same where tasks run on gangs: by operator, each a station (stations.c). */
void camdn_stations_run(camdn_mix *mix, camdn_queue *queue, camdn_served_fn served, void *context);

#endif

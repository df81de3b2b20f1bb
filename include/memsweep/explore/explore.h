/* SPDX-License-Identifier: MIT */
/* explore: which points of a sweep run at full fidelity, and what can be said of the others.
 *
 * A pure state machine: it is handed the closed form's answers, says which units to run next, is
 * told what came out, and ends with a statement. A unit is one answer that competes: a point, or a
 * design over its workloads. No threads, no clock, no store: the same answers give the same choices
 * on any machine. docs/models/auto.md has the equations. */
#ifndef MEMSWEEP_EXPLORE_EXPLORE_H
#define MEMSWEEP_EXPLORE_EXPLORE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_EXPLORE_OBJECTIVES = 16, MSW_EXPLORE_LEVELS = 32 };

/* What distinguishes units, for learning: a factor of the sweep, a workload, a bottleneck. */
typedef struct msw_explore_factor {
    const uint8_t *level; /* of each unit, below `levels` */
    unsigned levels;      /* at most MSW_EXPLORE_LEVELS */
    bool ordered;         /* neighbouring levels are alike */
} msw_explore_factor;

/* Objectives are costs: lower is better. Open ones differ between fidelities and are logarithms;
 * NaN: the closed form has no answer. */
/* A guess at an error, ln(full / closed form) of a cost. */
typedef struct msw_guess {
    double mean, deviation;
} msw_guess;

typedef struct msw_explore_space {
    size_t units;
    uint32_t groups;         /* one front each */
    const uint32_t *group;   /* of each unit */
    const uint32_t *stratum; /* of each unit: errors are alike within one; below `strata` */
    uint32_t strata;
    unsigned exact_count, open_count;
    const double *exact[MSW_EXPLORE_OBJECTIVES]; /* the same at every fidelity */
    const double *open[MSW_EXPLORE_OBJECTIVES];  /* by the closed form */
    const bool *doubtful; /* of each unit, or NULL: the closed form's open answers, given as NaN,
                             are not to be trusted, so any of these units may be on the front */
    const msw_guess *known[MSW_EXPLORE_OBJECTIVES]; /* of each unit, from a table of errors, before
                                                       any is run: NaN or NULL: nothing */
    double floor[MSW_EXPLORE_OBJECTIVES];           /* proven least of an open one, or -INFINITY */
    unsigned factor_count;
    const msw_explore_factor *factors;
} msw_explore_space;

typedef struct msw_explore_rules {
    uint64_t budget;   /* units at full fidelity in all */
    uint64_t audit;    /* of them, in the first audit */
    uint64_t batch;    /* units of a round of the search */
    double confidence; /* of the statement */
    double tolerance;  /* a share: as good as within it is as good */
    uint64_t seed;
} msw_explore_rules;

typedef enum msw_explore_role {
    MSW_EXPLORE_SEARCH, /* bought because it may change the front */
    MSW_EXPLORE_AUDIT   /* drawn at random from what was discarded */
} msw_explore_role;

/* What came out of a unit at full fidelity. */
typedef struct msw_explore_answer {
    enum { MSW_EXPLORE_OK, MSW_EXPLORE_INFEASIBLE, MSW_EXPLORE_FAILED } state;
    double exact[MSW_EXPLORE_OBJECTIVES], open[MSW_EXPLORE_OBJECTIVES];
} msw_explore_answer;

typedef struct msw_explore_round {
    uint32_t number; /* from 0 */
    msw_explore_role role;
    const uint32_t *units; /* ascending */
    size_t count;
} msw_explore_round;

/* "With `confidence` at most `wrong` of `discarded` are wrong." */
typedef struct msw_explore_statement {
    uint64_t discarded, proven; /* judged by sampling; left out because their floor is covered */
    uint64_t wrong;             /* the limit, audited ones that joined the front not counted */
    uint64_t searched, audited; /* units run */
    uint64_t found;             /* audited ones that were wrong, failed ones included */
    uint64_t lost;              /* of those, without an answer */
    uint64_t failed;            /* without an answer, in search or audit */
    uint64_t front;             /* distinct vectors announced */
    double surplus;             /* largest share by which an audited one beat the front; 0: none */
    double missed;              /* estimate without guarantee: share of the hypervolume */
    uint32_t audits, rounds;
    uint32_t stratum; /* that most of the found ones are of; UINT32_MAX: none */
    bool settled;     /* the search ended because nothing was promising any more */
} msw_explore_statement;

typedef struct msw_explorer msw_explorer;

/* Makes one; what `space` points to has to live as long. Returns 0, or -1. */
int msw_explorer_new(const msw_explore_space *space, const msw_explore_rules *rules,
                     msw_explorer **explorer, msw_err *err);
void msw_explorer_free(msw_explorer *explorer);

/* Decides which units are run next; every unit of the round before must have been reported.
 * Returns 1 and the round, 0 when all is said, or -1. */
int msw_explorer_next(msw_explorer *explorer, msw_explore_round *round, msw_err *err);

/* Tells what came out of a unit of the current round, in any order. */
void msw_explorer_tell(msw_explorer *explorer, uint32_t unit, const msw_explore_answer *answer);

/* What can be said after the last round that was reported. */
void msw_explorer_statement(const msw_explorer *explorer, msw_explore_statement *statement);

/* The state of a unit. */
typedef enum msw_explore_standing {
    MSW_EXPLORE_OPEN,    /* not run */
    MSW_EXPLORE_PROVEN,  /* not run: no answer it can have would count */
    MSW_EXPLORE_FRONT,   /* run, and announced */
    MSW_EXPLORE_COVERED, /* run, and another is at least as good */
    MSW_EXPLORE_NOTHING, /* run: infeasible */
    MSW_EXPLORE_LOST     /* run, without an answer */
} msw_explore_standing;

msw_explore_standing msw_explorer_standing(const msw_explorer *explorer, uint32_t unit);

/* The share by which a unit that was run is better than the best other one at no more cost; below
 * zero: worse. Returns it, NaN where there is none to compare with. */
double msw_explorer_margin(const msw_explorer *explorer, uint32_t unit);

#endif

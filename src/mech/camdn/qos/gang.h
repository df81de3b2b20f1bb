/* SPDX-License-Identifier: MIT */
/* gang: NPUs that run the operators of one task together, and who decides how many a task has.
 * Rules: ../README.md, "Gangs". */
#ifndef MSW_MECH_CAMDN_QOS_GANG_H
#define MSW_MECH_CAMDN_QOS_GANG_H

#include "mech/camdn/mapper/mapper.h"
#include "mech/camdn/model.h"

enum { CAMDN_GANG_MOST = 4, CAMDN_GANG_SIZES = 3 }; /* 1, 2, 4 */

/* Which operand all NPUs of a gang load. */
typedef enum camdn_common { CAMDN_COMMON_NONE, CAMDN_COMMON_W, CAMDN_COMMON_A } camdn_common;

typedef struct camdn_gang {
    uint32_t width, slots; /* NPUs; groups of lines that they have under way at most */
    camdn_common common;   /* of the present operator */
    uint32_t again;        /* so often the present run is asked for once more */
    uint64_t port_line;    /* bytes that a line of it takes of the ports */
} camdn_gang;

/* How an operator is split: its step and its array as one NPU of so many buffers would have them,
 * and the cycles of who has most to do. */
typedef struct camdn_split {
    camdn_step step;
    camdn_array array;
    uint64_t cycles;
    camdn_common common;
} camdn_split;

/* Splits an operator that runs in one of its ways among so many NPUs. */
camdn_split camdn_split_of(const msw_graph_network *net, uint32_t op, const camdn_step *step,
                           const camdn_array *array, uint64_t compute, uint32_t width);

/* NPUs that a task may have at most. */
uint32_t camdn_gang_most(const camdn_config *config);

/* What a network has left to do, in cycles as MoCA predicts them: by operator from which on (one
 * more than there are), for 1, 2 and 4 NPUs. `left` has room for all. */
void camdn_left_fill(const camdn_config *config, const camdn_table *table,
                     const msw_graph_network *net, const camdn_array *array,
                     double (*left)[CAMDN_GANG_SIZES]);

/* Cycles of a task with the most NPUs that it may have. */
double camdn_fastest(const camdn_config *config, const camdn_table *table,
                     const msw_graph_network *net, const camdn_array *array);

/* The number of a width among the sizes. */
static inline uint32_t camdn_size_of(uint32_t width)
{
    return width >= 4 ? 2 : width >= 2 ? 1 : 0;
}

/* A task of which a policy decides. */
typedef struct camdn_claim {
    double slack; /* cycles until it is to be done; a large number: it has no target */
    const double *left;
    uint32_t width;
    bool keeps; /* the rules for hopeless tasks do not hold */
} camdn_claim;

/* NPUs that AuRORA gives a task that starts, whatever is idle; `alone`: nobody else runs. */
uint32_t camdn_aurora_size(const camdn_claim *claim, bool alone);

/* 100 slack / left; 0: it cannot be in time with the most NPUs. */
double camdn_aurora_score(const camdn_claim *claim);

/* NPUs that AuRORA leaves or gives a task at the end of an operator, beside the claims of others
 * that run. */
uint32_t camdn_aurora_change(const camdn_claim *claim, const camdn_claim *others, uint32_t count,
                             uint32_t idle);

/* Per cent of the bandwidth that AuRORA gives a task that asks for `own`, beside others with so
 * much in all, and in all weighted with their scores; that each gets where all who ask for more
 * than the least have equal parts. */
double camdn_rate_aurora(double own, double score, double others, double weighted);
double camdn_rate_equal(double own, const double *others, uint32_t count);

/* NPUs of each of so many tasks where all have as many as one another, as far as they are a power
 * of two. */
uint32_t camdn_equal_size(uint32_t npus, uint32_t tasks, uint32_t most);

#endif

/* SPDX-License-Identifier: MIT */
/* acting: where a parameter acts at all, as its row of a table says (`acts`): of a mechanism or
 * of a front end. One that waits for another ("the rate of an open requester") changes nothing
 * elsewhere: it is not drawn there, and points that differ only in it are equal. */
#ifndef MEMSWEEP_SWEEP_ACTING_H
#define MEMSWEEP_SWEEP_ACTING_H

#include "memsweep/sweep/sweep.h"

/* The conditions of a table, compiled; they belong to one thread. */
typedef struct msw_conditions msw_conditions;

/* Compiles them; `owner` names the table in messages. Returns 0, or -1. */
int msw_conditions_new(const msw_param *table, const char *owner, msw_conditions **conditions,
                       msw_err *err);
void msw_conditions_free(msw_conditions *conditions);

/* Asks whether a parameter acts with a config; one without a condition always does. Returns 1, 0,
 * or -1 with `err`. */
int msw_conditions_hold(const msw_conditions *conditions, const char *param, const void *config,
                        msw_err *err);

/* Whether the condition of a parameter is about another one. */
bool msw_conditions_ask(const msw_conditions *conditions, const char *param, const char *other);

/* The conditions of all tables of a plan. One of the mechanism acts at a point of the design or
 * does not, whatever the workload. One of a front end may act for some of its workloads only, as a
 * workload's name says some of the front end's parameters. */
typedef struct msw_acting msw_acting;

/* Compiles them; they belong to one thread. Returns 0, or -1. */
int msw_acting_new(const msw_plan *plan, msw_acting **acting, msw_err *err);
void msw_acting_free(msw_acting *acting);

/* Whether points of a workload have to be asked about parameter `index` of the schema: for one of
 * the mechanism those of the first workload, for one of a front end those of all its workloads. */
bool msw_acting_concerns(const msw_acting *acting, size_t index, size_t workload);

/* Asks whether the parameter acts with the block of such a point; where `open` is not NULL, whether
 * it may, with any value of the parameters of the schema that are open. Returns 1, 0, or -1. */
int msw_acting_at(const msw_acting *acting, size_t index, const void *block, const bool *open,
                  msw_err *err);

/* Whether the condition of a parameter is about another one, by their numbers in the schema. */
bool msw_acting_asks(const msw_acting *acting, size_t index, size_t other);

/* Points that differ only in factors that do not act there are equal. */
typedef struct msw_alike msw_alike;

/* Finds the factors of a plan that may not act at some of its points. Returns 0 and them, or NULL
 * where there are none; or -1. */
int msw_alike_new(const msw_plan *plan, msw_alike **alike, msw_err *err);
void msw_alike_free(msw_alike *alike);

/* The key of the point with all such factors at their defaults: the same for all that are equal to
 * it. Returns 0, or -1. */
int msw_alike_key(msw_alike *alike, const msw_point *point, msw_digest *key, msw_err *err);

#endif

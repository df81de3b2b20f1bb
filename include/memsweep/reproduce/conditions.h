/* SPDX-License-Identifier: MIT */
/* conditions: where a parameter acts at all, as its row of a table says (`acts`): of a mechanism or
 * of a front end. One that waits for another ("the rate of an open requester") is not drawn where
 * it changes nothing. */
#ifndef MEMSWEEP_REPRODUCE_CONDITIONS_H
#define MEMSWEEP_REPRODUCE_CONDITIONS_H

#include "memsweep/param/param.h"

#include <stdbool.h>

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

#endif

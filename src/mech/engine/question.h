/* SPDX-License-Identifier: MIT */
/* Private to mech: expressions over what a mechanism declares, asked config by config. */
#ifndef MSW_MECH_ENGINE_QUESTION_H
#define MSW_MECH_ENGINE_QUESTION_H

#include "memsweep/expr/expr.h"
#include "memsweep/mech/mechanism.h"

typedef enum msw_question_scope {
    MSW_ASK_CONFIG, /* parameters and the name of the workload */
    MSW_ASK_ANSWER  /* these and metrics */
} msw_question_scope;

typedef struct msw_question {
    const msw_mech *mech;
    size_t param_count;
    msw_expr_host *host;
    msw_expr *expr; /* NULL: nothing is asked */
} msw_question;

/* Compiles an expression. Returns 0, or -1; what was opened is closed by msw_question_close. */
int msw_question_open(msw_question *question, const msw_mech *mech, msw_question_scope scope,
                      const char *text, msw_err *err);
void msw_question_close(msw_question *question);

/* Binds a config, the name of its workload and (NULL in MSW_ASK_CONFIG) its metrics. */
void msw_question_bind(msw_question *question, const void *config, const char *workload,
                       const double *metrics);

#endif

/* SPDX-License-Identifier: MIT */
#include "mech/engine/question.h"

#include <stdlib.h>

msw_expr_name *msw_question_names(const msw_mech *mech, msw_question_scope scope, size_t *count,
                                  msw_err *err)
{
    size_t params = msw_params_count(mech->params);
    size_t metrics = scope == MSW_ASK_ANSWER ? mech->metric_count : 0;
    msw_expr_name *names = calloc(params + 1 + metrics, sizeof *names);
    *count = params + 1 + metrics;
    if (!names) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < params; i++)
        names[i] = (msw_expr_name){mech->params[i].name, msw_param_type(&mech->params[i])};
    names[params] = (msw_expr_name){"workload", MSW_EXPR_TEXT};
    for (size_t m = 0; m < metrics; m++)
        names[params + 1 + m] = (msw_expr_name){mech->metrics[m].name, MSW_EXPR_REAL};
    return names;
}

int msw_question_open(msw_question *question, const msw_mech *mech, msw_question_scope scope,
                      const char *text, msw_err *err)
{
    size_t count;
    *question = (msw_question){.mech = mech, .param_count = msw_params_count(mech->params)};
    msw_expr_name *names = msw_question_names(mech, scope, &count, err);
    int result = names && msw_expr_host_new(names, count, &question->host, err) == 0 &&
                         msw_expr_new(question->host, text, &question->expr, err) == 0
                     ? 0
                     : -1;
    free(names);
    return result;
}

void msw_question_close(msw_question *question)
{
    msw_expr_free(question->expr);
    msw_expr_host_free(question->host);
    *question = (msw_question){0};
}

void msw_question_bind(msw_question *question, const void *config, const char *workload,
                       const double *metrics)
{
    const int *names;
    size_t count = msw_expr_used(question->expr, &names);
    for (size_t k = 0; k < count; k++) {
        size_t name = (size_t)names[k];
        if (name < question->param_count)
            msw_param_bind(&question->mech->params[name], config, question->expr, k);
        else if (name == question->param_count)
            msw_expr_bind_text(question->expr, k, workload);
        else if (isnan(metrics[name - question->param_count - 1]))
            msw_expr_bind_null(question->expr, k);
        else
            msw_expr_bind_real(question->expr, k, metrics[name - question->param_count - 1]);
    }
}

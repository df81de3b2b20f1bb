/* SPDX-License-Identifier: MIT */
#include "cli/eval/eval.h"

#include "memsweep/run/run.h"

static int evaluate(const msw_plan *plan, msw_worker *worker, msw_batch *batch, msw_err *err)
{
    for (uint64_t i = 0; i < plan->points; i++)
        if (msw_worker_evaluate(worker, i, 0, batch, err))
            return -1;
    return 0;
}

msw_batch *cli_answer(const msw_plan *plan, msw_err *err)
{
    msw_worker *worker = NULL;
    msw_artifacts *artifacts = msw_artifacts_new(0);
    msw_batch *batch =
        msw_batch_new(plan->points, plan->schema.count, msw_metrics_count(plan->mech->metrics));
    int rc = artifacts && batch ? msw_worker_new(plan, artifacts, false, &worker, err)
                                : msw_fail_memory(err);
    if (rc == 0)
        rc = evaluate(plan, worker, batch, err);
    msw_worker_free(worker);
    msw_artifacts_free(artifacts);
    if (rc) {
        msw_batch_free(batch);
        batch = NULL;
    }
    return batch;
}

double cli_answer_metric(const msw_batch *batch, size_t row, size_t metric)
{
    return msw_batch_values(batch, row)[batch->params + metric];
}

double cli_answer_half_width(const msw_batch *batch, size_t row, size_t metric)
{
    return msw_batch_values(batch, row)[batch->params + batch->metrics + metric];
}

#include "neummu.h"
int neummu_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    (void)task;
    (void)err;
    for (int i = 0; i <= NEUMMU_LEAKAGE; i++)
        metrics[i] = 0;
    return 0;
}

/* The front that figures show: found once for all of them. */
#include "plot.h"

#include <stdlib.h>
#include <string.h>

static int name_objectives(const cli_plot *p, cli_objectives *o)
{
    for (size_t i = 0; i < p->metric_count && i < MSW_PARETO_OBJECTIVES; i++) {
        const msw_column *column = cli_plot_column(p, p->metrics[i], p->err);
        o->names[i] = column ? msw_strdup(p->metrics[i]) : NULL;
        if (!o->names[i])
            return column ? msw_fail_memory(p->err) : -1;
        o->goals[i] = column->goal;
        for (size_t j = 0; j < p->sweep.objective_count; j++)
            if (strcmp(p->sweep.objectives[j].name, p->metrics[i]) == 0)
                o->goals[i] = p->sweep.objectives[j].goal;
        o->count = i + 1;
    }
    return 0;
}

int cli_plot_front(cli_plot *p, cli_front *front)
{
    front->ask = (cli_front_ask){
        .group_by = p->workloads > 1 ? "workload" : NULL, .filter = p->ask.filter, .ranks = 1};
    front->store = p->store;
    front->err = p->err;
    return name_objectives(p, &front->objectives) ||
                   msw_store_sweep(p->store, p->sweep.name, &front->sweep, p->err) ||
                   cli_front_find(front)
               ? -1
               : 0;
}

int cli_plot_keep_front(cli_plot *p, const cli_front *front)
{
    p->front_points = malloc((front->chosen_count + 1) * sizeof *p->front_points);
    if (!p->front_points)
        return msw_fail_memory(p->err);
    p->front = front->chosen_count;
    for (size_t i = 0; i < p->front; i++)
        p->front_points[i] = front->values.columns[CLI_FRONT_POINT].values[front->chosen[i]];
    return 0;
}

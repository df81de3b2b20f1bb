/* SPDX-License-Identifier: MIT */
/* Points by their values: of a program that somebody else ran. */
#include "cli/run/sweep_run.h"

#include "memsweep/base/hash.h"

#include <stdlib.h>
#include <string.h>

static msw_digest begin_look(const msw_plan *plan, const char *workload)
{
    return msw_hash_pair(plan->digest, msw_hash_string(workload));
}

static msw_digest add_look(msw_digest all, double value)
{
    value += 0.0; /* no negative zero */
    return msw_hash_pair(all, msw_hash_bytes(&value, sizeof value));
}

/* Every point counts as asked for; of points that are told apart by nothing the first is meant. */
int cli_asked_list(cli_asked *asked, const msw_plan *plan, msw_pointer *pointer, msw_err *err)
{
    const msw_space *space = &plan->space;
    asked->plan = plan;
    asked->leases = calloc(plan->points + 1, sizeof *asked->leases);
    if (!asked->leases)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < plan->points; i++) {
        msw_point point;
        uint64_t *number;
        if (msw_pointer_at(pointer, i, true, &point, NULL))
            continue; /* it has no key: a run says why */
        msw_digest look = begin_look(plan, plan->workloads[point.workload].name);
        for (size_t f = 0; f < space->factor_count; f++)
            for (size_t t = 0; t < space->factors[f].target_count; t++)
                look = add_look(
                    look, msw_schema_get(&plan->schema, space->factors[f].targets[t], point.block));
        asked->leases[asked->count] = (msw_lease){.point = i, .key = point.key};
        MSW_TRY(msw_map_add(&asked->values, look.lo, &number, err));
        *number = *number ? *number : asked->count + 1;
        asked->count++;
    }
    return 0;
}

static int read_value(const msw_param *param, const msw_json *value, double *number, msw_err *err)
{
    *number = value->kind == MSW_JSON_TRUE;
    if (value->kind == MSW_JSON_TRUE || value->kind == MSW_JSON_FALSE)
        return 0;
    if (value->kind != MSW_JSON_NUMBER && value->kind != MSW_JSON_STRING)
        return msw_fail(err, "%s: a number or a text", param->name);
    return msw_param_parse(param, value->text, number, err);
}

int cli_asked_find(const cli_asked *asked, const msw_json *line, const msw_json *values,
                   uint64_t *number, msw_err *err)
{
    const msw_plan *plan = asked->plan;
    const msw_json *workload = msw_json_find(line, "workload");
    if (plan->workload_count > 1 && !(workload && workload->kind == MSW_JSON_STRING))
        return msw_fail(err, "no \"workload\": the sweep has several");
    msw_digest look =
        begin_look(plan, workload && workload->text ? workload->text : plan->workloads[0].name);
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++) {
            double value;
            const msw_param *param = plan->schema.params[plan->space.factors[f].targets[t]];
            const msw_json *given = msw_json_find(values, param->name);
            if (!given)
                return msw_fail(err, "values: %s, which the sweep varies, is missing", param->name);
            MSW_TRY(read_value(param, given, &value, err));
            look = add_look(look, value);
        }
    const uint64_t *found = msw_map_find(&asked->values, look.lo);
    if (!found)
        return msw_fail(err, "the sweep has no point with these values");
    *number = *found - 1;
    return 0;
}

/* A value that the sweep does not vary has to be the sweep's own. */
int cli_asked_check(const msw_plan *plan, const msw_json *values, const double *row, msw_err *err)
{
    for (const msw_json *given = values->first; given; given = given->next) {
        double value;
        size_t i = 0;
        char text[MSW_PARAM_TEXT];
        while (i < plan->schema.count && strcmp(plan->schema.params[i]->name, given->key) != 0)
            i++;
        if (i == plan->schema.count)
            return msw_fail(err, "values: there is no parameter '%s'", given->key);
        const msw_param *param = plan->schema.params[i];
        MSW_TRY(read_value(param, given, &value, err));
        if (value != row[i])
            return msw_fail(err, "values: %s is %s in this sweep", param->name,
                            msw_param_print(param, row[i], text));
    }
    return 0;
}

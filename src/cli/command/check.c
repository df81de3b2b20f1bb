/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/explore/drive.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/idle.h"
#include "memsweep/sweep/preview.h"
#include "memsweep/sweep/sweep.h"

typedef struct settings {
    const char *sweep, *fidelity;
    int64_t seed;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep check sweeps/quickstart.yaml", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_plan *plan = NULL;
    char points[32], digest[MSW_DIGEST_TEXT];
    int code = cli_load_plan(c, s->sweep, s->fidelity, s->seed, &plan);
    if (code)
        return code;
    msw_err err = {0};
    if (msw_explore_check(plan, &err)) {
        msw_plan_free(plan);
        return cli_fail(&err);
    }
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "%s: good, %s points of %s at %s, digest %s\n", plan->name,
                 msw_count_text(plan->points, points), plan->mech->name, msw_plan_fidelity(plan),
                 msw_digest_text(plan->digest, digest));
    if (plan->points > MSW_STORE_POINTS_MAX)
        msw_text_add(&text, "note: too many points to run, a file holds at most %s\n",
                     msw_count_text(MSW_STORE_POINTS_MAX, points));
    int rc = msw_plan_outside_note(plan, &text, &err) || msw_plan_idle(plan, &text, &err);
    msw_plan_free(plan);
    if (rc) {
        msw_text_free(&text);
        return cli_fail(&err);
    }
    return cli_print(&text);
}

const cli_command cli_command_check = {
    .name = "check",
    .doc = "checks a sweep file and reports everything that is wrong with it",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

/* SPDX-License-Identifier: MIT */
/* What the audit of a plan can say, before anything is run. */
#include "memsweep/explore/drive.h"

#include "memsweep/base/units.h"
#include "memsweep/explore/limit.h"

#include <inttypes.h>

/* Units are points, or designs of several points each. */
typedef struct sizes {
    uint64_t units, budget, audit, discarded;
    double error; /* of the first audit */
} sizes;

static sizes sizes_of(const msw_plan *plan)
{
    uint64_t each = plan->automatic.over ? plan->workload_count : 1;
    sizes s = {plan->points / each, msw_auto_budget(plan) / each, msw_auto_audit(plan) / each, 0,
               (1 - plan->automatic.confidence) / 2};
    s.discarded = s.units - (s.budget - s.audit);
    return s;
}

static int refuse_empty(const msw_plan *plan, const sizes *s, msw_err *err)
{
    char points[32];
    return msw_fail(err,
                    "%s: fidelity auto: a budget of %" PRIu64 " of %s %s draws %" PRIu64
                    " for the audit and searches with %" PRIu64
                    ": at least one each is needed; write 'auto: {budget: ...}'",
                    plan->name, s->budget, msw_count_text(s->units, points),
                    plan->automatic.over ? "designs" : "points", s->audit, s->budget - s->audit);
}

int msw_explore_check(const msw_plan *plan, msw_err *err)
{
    char draws[32], discarded[32], asked[32], best[32];
    if (plan->part != MSW_PART_AUTO)
        return 0;
    sizes s = sizes_of(plan);
    if (!s.audit || s.audit >= s.budget)
        return refuse_empty(plan, &s, err);
    uint64_t most = (uint64_t)(plan->automatic.at_most * (double)s.discarded);
    uint64_t limit = msw_limit_wrong(s.discarded, s.audit, 0, s.error);
    if (limit <= most)
        return 0;
    return msw_fail(err,
                    "%s: fidelity auto: an audit of %s draws cannot say that at most %" PRIu64
                    " of %s discarded are wrong: with none found it says %s; that takes %s draws",
                    plan->name, msw_count_text(s.audit, draws), most,
                    msw_count_text(s.discarded, discarded), msw_count_text(limit, best),
                    msw_count_text(msw_limit_draws(s.discarded, most, s.error), asked));
}

void msw_explore_forecast(const msw_plan *plan, msw_text *out)
{
    char a[32], b[32], c[32], d[32];
    sizes s = sizes_of(plan);
    const char *unit = plan->automatic.over ? "designs" : "points";
    msw_text_add(out, "auto       in full at most %s of %s %s: %s by search, %s by audit\n",
                 msw_count_text(s.budget, a), msw_count_text(s.units, b), unit,
                 msw_count_text(s.budget - s.audit, c), msw_count_text(s.audit, d));
    msw_text_add(out,
                 "           an audit that finds nothing says, with %g %% confidence, that at most "
                 "%s of %s discarded are wrong\n",
                 100 * plan->automatic.confidence,
                 msw_count_text(msw_limit_wrong(s.discarded, s.audit, 0, s.error), a),
                 msw_count_text(s.discarded, b));
}

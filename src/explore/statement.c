/* SPDX-License-Identifier: MIT */
/* What can be said at the end, in words and as JSON. */
#include "memsweep/explore/drive.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/units.h"

#include <inttypes.h>

static const char *unit_of(const msw_plan *plan)
{
    return plan->automatic.over ? "designs" : "points";
}

static void say_front(const msw_plan *plan, const msw_explore_report *r, msw_text *out)
{
    char front[32], searched[32], audited[32], all[32];
    const msw_explore_statement *s = &r->statement;
    uint64_t each = plan->automatic.over ? plan->workload_count : 1;
    msw_text_add(
        out, "front: %s vectors at full fidelity, from %s %s searched and %s audited of %s",
        msw_count_text(s->front, front), msw_count_text(s->searched, searched), unit_of(plan),
        msw_count_text(s->audited, audited), msw_count_text(plan->points / each, all));
    msw_text_add(out, " (%.3g %%)\n",
                 100 * (double)((s->searched + s->audited) * each) / (double)plan->points);
}

/* What the sample says, and where it says nothing. */
static void say_limit(const msw_plan *plan, const msw_explore_statement *s, msw_text *out)
{
    char wrong[32], all[32];
    if (!s->audits) {
        msw_text_add(out, "none before an audit");
        return;
    }
    msw_text_add(out, "with %g %% confidence at most %s of the %s discarded %s are wrong (%.3g %%)",
                 100 * plan->automatic.confidence, msw_count_text(s->wrong, wrong),
                 msw_count_text(s->discarded, all), unit_of(plan),
                 s->discarded ? 100 * (double)s->wrong / (double)s->discarded : 0);
}

static void say_audit(const msw_explore_report *r, msw_text *out)
{
    const msw_explore_statement *s = &r->statement;
    uint64_t found = s->found - s->lost;
    if (found)
        msw_text_add(out,
                     "audit: %" PRIu64 " found wrong, by at most %.3g %%; they joined the front\n"
                     "       estimate without guarantee: %.2g %% of the hypervolume is missed\n",
                     found, 100 * s->surplus, 100 * s->missed);
    else if (s->audits)
        msw_text_add(out, "audit: none found wrong\n");
    if (s->lost)
        msw_text_add(out, "       %" PRIu64 " without an answer count as wrong\n", s->lost);
    if (s->found)
        msw_text_add(out, "       most of them: %s\n", r->stratum);
}

void msw_explore_say(const msw_plan *plan, const msw_explore_report *r, msw_text *out)
{
    char proven[32];
    const msw_explore_statement *s = &r->statement;
    say_front(plan, r, out);
    msw_text_add(out, "statement: ");
    say_limit(plan, s, out);
    msw_text_add(out,
                 "\n           wrong: feasible, and no announced one is at most as expensive and "
                 "within %.3g %%\n",
                 100 * plan->automatic.tolerance);
    say_audit(r, out);
    if (s->proven)
        msw_text_add(out, "proof: %s more %s cannot count: their floor is covered\n",
                     msw_count_text(s->proven, proven), unit_of(plan));
    if (!s->settled && s->audits)
        msw_text_add(out,
                     "note: the search ended with its budget, not because nothing was promising: "
                     "a larger 'auto: {budget: ...}' goes on from these rows\n");
    if (s->failed > s->lost)
        msw_text_add(out,
                     "note: %" PRIu64
                     " of the search have no answer and count as discarded and wrong\n",
                     s->failed - s->lost);
}

void msw_explore_say_json(const msw_plan *plan, const msw_explore_report *r, msw_text *settings,
                          msw_text *result)
{
    const msw_auto *a = &plan->automatic;
    const msw_explore_statement *s = &r->statement;
    msw_text_add(settings, "{\"budget\": %" PRIu64 ", \"audit\": %" PRIu64 ", \"confidence\": ",
                 msw_auto_budget(plan), msw_auto_audit(plan));
    msw_text_add_double(settings, a->confidence);
    msw_text_add(settings, ", \"tolerance\": ");
    msw_text_add_double(settings, a->tolerance);
    msw_text_add(settings, ", \"batch\": %" PRIu64 ", \"over\": ", a->batch);
    msw_text_add_json(settings, a->over ? a->over : "");
    msw_text_add(settings, "}");
    msw_text_add(result,
                 "{\"front\": %" PRIu64 ", \"discarded\": %" PRIu64 ", \"wrong\": %" PRIu64
                 ", \"found\": %" PRIu64 ", \"failed\": %" PRIu64 ", \"proven\": %" PRIu64
                 ", \"searched\": %" PRIu64 ", \"audited\": %" PRIu64 ", \"audits\": %u, "
                 "\"rounds\": %u, \"settled\": %s, \"surplus\": ",
                 s->front, s->discarded, s->wrong, s->found, s->failed, s->proven, s->searched,
                 s->audited, s->audits, s->rounds, s->settled ? "true" : "false");
    msw_text_add_double(result, s->surplus);
    msw_text_add(result, ", \"missed\": ");
    msw_text_add_double(result, s->missed);
    msw_text_add(result, ", \"stratum\": ");
    msw_text_add_json(result, r->stratum);
    msw_text_add(result, ", \"statement\": \"");
    say_limit(plan, s, result);
    msw_text_add(result, "\"}");
}

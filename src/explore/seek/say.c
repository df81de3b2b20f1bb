/* SPDX-License-Identifier: MIT */
/* A search in words and as JSON. */
#include "memsweep/explore/seek_drive.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/text.h"
#include "memsweep/base/units.h"

#include <inttypes.h>
#include <math.h>

static const char *end_of(msw_seek_end end)
{
    static const char *const WORDS[] = {
        [MSW_SEEK_GOES_ON] = "not over",
        [MSW_SEEK_SPENT] = "all evaluations are spent",
        [MSW_SEEK_PATIENT] = "patience ended",
        [MSW_SEEK_EMPTY] = "no move found a design that is not known",
    };
    return WORDS[end];
}

static void say_audit(const msw_seek_statement *s, msw_text *out)
{
    char draws[32];
    if (!s->draws) {
        msw_text_add(out, "audit: none\n");
        return;
    }
    msw_text_add(out,
                 "audit: %" PRIu64 " of %s designs drawn at random extend the front: with 95 %% "
                 "confidence at most %.3g %% of the space would\n",
                 s->found, msw_count_text(s->draws, draws), 100 * s->missed);
    if (s->lost)
        msw_text_add(out, "       %" PRIu64 " of those have no answer to be trusted and may not\n",
                     s->lost);
}

static void say_growth(const msw_seek_report *r, msw_text *out)
{
    msw_text_add(out, "hypervolume (share of the last):");
    for (size_t i = 0; i<r->growth_count; i += r->growth_count> 8 ? 3 : 1)
        msw_text_add(out, "%s %.4g at %" PRIu64, i ? "," : "", r->growth[i].hypervolume,
                     r->growth[i].evaluations);
    msw_text_add(out, "\n");
}

void msw_seek_say(const msw_plan *plan, const msw_seek_report *r, msw_text *out)
{
    const msw_seek_statement *s = &r->statement;
    char front[32], evaluated[32], ago[32];
    msw_text_add(out, "front: %s vectors from %s designs of %.3g, %" PRIu64 " rounds; %s\n",
                 msw_count_text(s->front, front), msw_count_text(s->evaluated, evaluated),
                 r->designs, (uint64_t)s->rounds, end_of(s->end));
    uint64_t searched = s->evaluated - s->made[MSW_SEEK_AUDIT];
    msw_text_add(out, "last gain: %s evaluations before the search ended\n",
                 msw_count_text(searched - s->last_gain, ago));
    if (r->growth_count > 1)
        say_growth(r, out);
    say_audit(s, out);
    if (plan->automatic.over)
        msw_text_add(out, "designs are compared over their workloads: %s", plan->automatic.over);
    if (r->spared)
        msw_text_add(out, "; %s points were spared of designs that other workloads ruled out",
                     msw_count_text(r->spared, ago));
    if (plan->automatic.over)
        msw_text_add(out, "\n");
    if (s->failed)
        msw_text_add(out,
                     "note: %" PRIu64 " designs have no answer to be trusted: they were left "
                     "out\n",
                     s->failed);
}

static void add_number(msw_text *out, const char *name, double value)
{
    msw_text_add(out, ", ");
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
    if (isfinite(value))
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "null");
}

void msw_seek_say_json(const msw_plan *plan, const msw_seek_report *r, msw_text *settings,
                       msw_text *result)
{
    const msw_seek_statement *s = &r->statement;
    msw_text_add(settings, "{\"over\": ");
    msw_text_add_json(settings, plan->automatic.over ? plan->automatic.over : "");
    msw_text_add(settings, ", \"seed\": %" PRIu64 "}", plan->seed);
    msw_text_add(result,
                 "{\"evaluated\": %" PRIu64 ", \"front\": %" PRIu64 ", \"infeasible\": %" PRIu64
                 ", \"failed\": %" PRIu64 ", \"rounds\": %" PRIu32 ", \"last_gain\": %" PRIu64
                 ", \"draws\": %" PRIu64 ", \"found\": %" PRIu64 ", \"lost\": %" PRIu64
                 ", \"spared\": %" PRIu64,
                 s->evaluated, s->front, s->infeasible, s->failed, s->rounds, s->last_gain,
                 s->draws, s->found, s->lost, r->spared);
    add_number(result, "missed", s->missed);
    add_number(result, "designs", r->designs);
    msw_text_add(result, ", \"end\": ");
    msw_text_add_json(result, end_of(s->end));
    msw_text_add(result, ", \"moves\": {");
    for (int m = 0; m < MSW_SEEK_MOVES; m++) {
        msw_text_add(result, "%s", m ? ", " : "");
        msw_text_add_json(result, msw_seek_move_name((msw_seek_move)m));
        msw_text_add(result, ": [%" PRIu64 ", %" PRIu64 "]", s->made[m], s->gained[m]);
    }
    msw_text_add(result, "}, \"growth\": [");
    for (size_t i = 0; i < r->growth_count; i++) {
        msw_text_add(result, "%s[%" PRIu64 ", %" PRIu64, i ? ", " : "", r->growth[i].evaluations,
                     r->growth[i].front);
        msw_text_add(result, ", ");
        msw_text_add_double(result, r->growth[i].hypervolume);
        msw_text_add(result, "]");
    }
    msw_text_add(result, "]}");
}

/* SPDX-License-Identifier: MIT */
/* The page of a paper: what was published and what the model says, as Markdown. The same rows give
 * the same bytes. */
#include "memsweep/format/outfile.h"
#include "memsweep/reproduce/given.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *msw_paper_stem(const msw_paper *p)
{
    char *folder =
        p->ask->docs ? msw_strdup(p->ask->docs) : msw_strfmt("%s/paper", p->context->results_dir);
    const char *fidelity = p->ask->fidelity;
    char *stem = folder ? msw_strfmt("%s/%s%s%s", folder, p->name, fidelity ? "-" : "",
                                     fidelity ? fidelity : "")
                        : NULL;
    free(folder);
    return stem;
}

/* ---- the top ---- */

static void add_command(const msw_paper *p, msw_text *out)
{
    msw_text_add(out, "memsweep reproduce %s", p->name);
    if (p->ask->figures) {
        msw_text_add(out, " --figure ");
        msw_text_add_shell(out, p->ask->figures);
    }
    if (p->ask->fidelity)
        msw_text_add(out, " --fidelity %s", p->ask->fidelity);
    if (p->ask->samples)
        msw_text_add(out, " --over-unknowns %" PRId64, p->ask->samples);
    if (p->ask->samples && p->ask->inner != 16)
        msw_text_add(out, " --inner %" PRId64, p->ask->inner);
    if (p->ask->samples && p->ask->seed != 1)
        msw_text_add(out, " --seed %" PRId64, p->ask->seed);
    if (p->ask->samples && p->ask->confirm != 16)
        msw_text_add(out, " --confirm %" PRId64, p->ask->confirm);
    if (p->ask->unknowns) {
        msw_text_add(out, " --unknowns ");
        msw_text_add_shell(out, p->ask->unknowns);
    }
    if (p->ask->no_figures)
        msw_text_add(out, " --no-figures");
}

static void add_top(const msw_paper *p, msw_text *out)
{
    msw_text_add(out, "# %s: published against the model\n\n<!-- made by ", p->name);
    add_command(p, out);
    msw_text_add(out, " -->\n\nMade by `");
    add_command(p, out);
    msw_text_add(out, "`; what the columns mean: docs/reproduce.md. Certainty `remembered` is "
                      "not verified and gets no verdict.\n\n");
    msw_text_add(out, "Verdicts, ");
    msw_paper_summary(p, out);
    msw_text_add(out, ".\n\n");
}

/* ---- claims ---- */

static void add_row(const msw_claim *claim, const msw_claim_answer *a, msw_text *out)
{
    msw_text_add(out, "| ");
    msw_text_add_markdown(out, claim->quantity);
    msw_text_add(out, " | ");
    msw_claim_number(claim, claim->published, out);
    msw_text_add(out, " | %s | ", msw_certainty_name(claim->certainty));
    msw_claim_number(claim, a->value, out);
    if (a->half_width > 0)
        msw_text_add(out, " +- %.2g", a->half_width * msw_claim_scale(claim));
    msw_text_add(out, " | ");
    if (claim->published != 0 && !isnan(claim->published) && !isnan(a->value))
        msw_text_add(out, "%.3g", a->value / claim->published);
    msw_text_add(out, " | ");
    msw_claim_band(claim, out);
    msw_text_add(out, " | %s | ", msw_judgement_name(a->verdict));
    msw_claim_counts_as(claim, a, out);
    msw_text_add(out, " |\n");
}

static void add_remark(msw_text *out, const char *text, bool *first)
{
    if (!text || !*text)
        return;
    msw_text_add(out, "%s", *first ? "" : "; ");
    msw_text_add_markdown(out, text);
    *first = false;
}

static void add_reason(void *context, const msw_claim *claim, const msw_claim_answer *a)
{
    msw_text *out = context;
    bool first = false;
    msw_text_add(out, "  - experiment `%s`: ", claim->id);
    msw_text_add_markdown(out, claim->quantity);
    msw_text_add(out, ": ");
    msw_claim_number(claim, a->value, out);
    add_remark(out, a->shown, &first);
    add_remark(out, claim->note, &first);
    msw_text_add(out, "\n");
}

static void add_details(const msw_paper *p, const msw_claim *claim, const msw_claim_answer *a,
                        msw_text *out)
{
    bool first = true;
    msw_text_add(out, "- ");
    msw_text_add_markdown(out, claim->quantity);
    msw_text_add(out, ": ");
    add_remark(out, claim->source, &first);
    add_remark(out, a->shown, &first);
    add_remark(out, claim->note, &first);
    msw_text_add(out, "\n");
    if (a->verdict != MSW_PASS)
        msw_paper_explain(p, claim, add_reason, out);
    if (a->verdict == MSW_MISS && !*claim->explain)
        msw_text_add(out, "  - no experiment explains it\n");
}

/* Appends the claims from `first` on that share its figure. Returns where the next one begins. */
static size_t add_figure(const msw_paper *p, size_t first, msw_text *out)
{
    const char *figure = p->claims.list[first].figure;
    msw_text details = MSW_TEXT_EMPTY;
    size_t i = first;
    bool any = false;
    for (; i < p->claims.count && strcmp(p->claims.list[i].figure, figure) == 0; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (!p->answers[i].wanted || claim->certainty == MSW_EXPERIMENT)
            continue;
        if (!any)
            msw_text_add(out,
                         "## %s\n\n| quantity | published | certainty | model | ratio | band | "
                         "verdict | counts |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
                         figure);
        any = true;
        add_row(claim, &p->answers[i], out);
        add_details(p, claim, &p->answers[i], &details);
    }
    if (any)
        msw_text_add(out, "\n%s\n", msw_text_str(&details));
    out->failed = out->failed || details.failed;
    msw_text_free(&details);
    return i;
}

/* ---- the end ---- */

static void add_sweeps(const msw_paper *p, msw_text *out)
{
    msw_text_add(out, "## Sweeps\n\n| sweep | mechanism | fidelity | points |\n"
                      "| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < p->sweep_count; i++) {
        const msw_plan *plan = p->sweeps[i].plan;
        if (plan)
            msw_text_add(out, "| %s | %s, version %d | %s | %" PRIu64 " |\n", p->sweeps[i].word,
                         plan->mech->name, msw_mech_version(plan->mech, plan->fidelity),
                         msw_plan_fidelity(plan), plan->points);
    }
}

static int add_page(const msw_paper *p, msw_text *out)
{
    add_top(p, out);
    for (size_t i = 0; i < p->claims.count;)
        i = add_figure(p, i, out);
    if (p->images.size)
        msw_text_add(out, "## Figures\n\n%s", msw_text_str(&p->images));
    if (p->spread.samples)
        msw_spread_page(p, out);
    int rc = msw_given_page(p, out);
    add_sweeps(p, out);
    return rc;
}

int msw_paper_page(msw_paper *p)
{
    /* A page of some figures is no page of the paper: only when asked for. */
    if (p->ask->figures && !p->ask->docs)
        return 0;
    msw_text page = MSW_TEXT_EMPTY;
    char *stem = msw_paper_stem(p), *path = stem ? msw_strfmt("%s.md", stem) : NULL;
    int rc = !path                ? msw_fail_memory(p->err)
             : add_page(p, &page) ? -1
                                  : msw_outfile_write(path, MSW_OUTPUT_PAPER, NULL, &page, p->err);
    if (rc == 0)
        msw_text_add(&p->drawn, "%s\n", path);
    msw_text_free(&page);
    free(path);
    free(stem);
    return rc;
}

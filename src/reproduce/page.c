/* SPDX-License-Identifier: MIT */
/* Makes a paper, from its name to its answers, figures (as figures.csv names them) and page: what
 * was published and what the model says, as Markdown. The same rows give the same bytes. */
#include "memsweep/format/outfile.h"

#include "memsweep/base/csv.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/text.h"
#include "memsweep/figure/figure.h"
#include "memsweep/reproduce/given.h"
#include "memsweep/reproduce/paper.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folder and name of the page and of what belongs to it: <docs>/<paper> or
 * <docs>/<paper>-<fidelity>; the caller frees it. */
static char *msw_paper_stem(const msw_paper *p)
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
    if (p->ask->beside)
        msw_text_add(out, " --closed-form");
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

static void add_row(const msw_claim *claim, const msw_claim_answer *a, bool beside, msw_text *out)
{
    msw_text_add(out, "| ");
    msw_text_add_markdown(out, claim->quantity);
    msw_text_add(out, " | ");
    msw_claim_number(claim, claim->published, out);
    msw_text_add(out, " | ");
    msw_claim_number(claim, a->value, out);
    if (a->half_width > 0)
        msw_text_add(out, " +- %.2g", a->half_width * msw_claim_scale(claim));
    msw_text_add(out, " | ");
    if (beside) {
        msw_claim_number(claim, a->closed, out);
        msw_text_add(out, " | ");
    }
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

/* An experiment is told where the page, whose remarks `context` are, names it first. */
static void add_reason(void *context, const msw_claim *claim, const msw_claim_answer *a)
{
    msw_text *out = context;
    size_t at = out->size;
    bool first = false;
    msw_text_add(out, "  - experiment `%s`: ", claim->id);
    const char *all = msw_text_str(out);
    if (strstr(all, all + at) < all + at) {
        msw_text_add(out, "above\n");
        return;
    }
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
    msw_text_add(out, ": %s: ", msw_certainty_name(claim->certainty));
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
static size_t add_figure(const msw_paper *p, size_t first, msw_text *details, msw_text *out)
{
    const char *figure = p->claims.list[first].figure;
    size_t i = first, start = details->size;
    bool any = false;
    for (; i < p->claims.count && strcmp(p->claims.list[i].figure, figure) == 0; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (!p->answers[i].wanted || claim->certainty == MSW_EXPERIMENT)
            continue;
        if (!any)
            msw_text_add(out,
                         "## %s\n\n| quantity | published | model | %sband | verdict | counts |\n"
                         "| --- | --- | --- | --- | --- | ---%s |\n",
                         figure, p->ask->beside ? "closed form | " : "",
                         p->ask->beside ? " | ---" : "");
        any = true;
        add_row(claim, &p->answers[i], p->ask->beside, out);
        add_details(p, claim, &p->answers[i], details);
    }
    if (any)
        msw_text_add(out, "\n%s\n", msw_text_str(details) + start);
    return i;
}

/* ---- the end ---- */

/* What is said of claims in common, a line each. */
static void add_facts(const msw_paper *p, msw_fact_kind kind, const char *title, msw_text *out)
{
    bool any = false;
    for (size_t f = 0; f < p->claims.fact_count; f++) {
        const msw_fact *fact = &p->claims.facts[f];
        if (fact->kind != kind)
            continue;
        msw_text_add(out, any ? "- " : "## %s\n\n- ", title);
        any = true;
        msw_text_add_markdown(out, fact->name);
        msw_text_add(out, " (`%s`): ", fact->what);
        msw_text_add_markdown(out, fact->why);
        msw_text_add(out, "\n");
    }
    msw_text_add(out, "%s", any ? "\n" : "");
}

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
    msw_text details = MSW_TEXT_EMPTY;
    add_top(p, out);
    for (size_t i = 0; i < p->claims.count;)
        i = add_figure(p, i, &details, out);
    out->failed = out->failed || details.failed;
    msw_text_free(&details);
    add_facts(p, MSW_FACT_CONFLICT, "Where the paper contradicts itself", out);
    add_facts(p, MSW_FACT_INFERRED, "Parameters inferred from what was published", out);
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

enum { FIGURE, SWEEP, RECIPE, METRIC, FACTOR, FILTER, TITLE, COLUMN_COUNT };
static const char *const COLUMNS[] = {"figure", "sweep",  "recipe", "metric",
                                      "factor", "filter", "title",  NULL};

/* What is drawn, from where to where. */
typedef struct drawing {
    msw_paper *paper;
    msw_csv csv;
    size_t where[COLUMN_COUNT];
    char *file, *folder;
    msw_plot_outcome outcome;
} drawing;

static const char *cell(const drawing *d, int column)
{
    return d->csv.fields[d->where[column]];
}

static const char *cell_or_null(const drawing *d, int column)
{
    return *cell(d, column) ? cell(d, column) : NULL;
}

static void add_image(const drawing *d, const char *sweep)
{
    const char *folder = strrchr(d->folder, '/');
    msw_text *out = &d->paper->images;
    msw_text_add(out, "**");
    msw_text_add_markdown(out, cell(d, FIGURE));
    msw_text_add(out, ".** ");
    msw_text_add_markdown(out, cell(d, TITLE));
    msw_text_add(out, "\n\n![");
    msw_text_add_markdown(out, cell(d, TITLE));
    msw_text_add(out, "](%s/", folder ? folder + 1 : d->folder);
    msw_plot_name(sweep, cell(d, RECIPE), "svg", out);
    msw_text_add(out, ")\n\n");
}

static int draw_one(drawing *d)
{
    msw_paper *p = d->paper;
    const char *word = cell(d, SWEEP);
    if (!msw_paper_asked(p, cell(d, FIGURE)))
        return 0;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(p, word, strlen(word), p->err);
    if (!sweep)
        return -1;
    if (!sweep->plan && p->ask->fidelity)
        return 0; /* rows that have no answer there */
    if (!sweep->plan)
        return msw_fail(p->err, "no row of published.csv reads sweep '%s'", word);
    msw_plot plot = {.context = p->context,
                     .options = {.sweep = sweep->called,
                                 .filter = cell_or_null(d, FILTER),
                                 .metrics = cell_or_null(d, METRIC),
                                 .factors = cell_or_null(d, FACTOR),
                                 .recipes = p->folder,
                                 .format = "svg",
                                 .folder = d->folder},
                     .err = p->err};
    int rc = -1;
    if (msw_plot_open(&plot, d->file) || msw_plot_make(&plot, cell(d, RECIPE), true, &d->outcome))
        goto done;
    rc = 0;
done:
    if (rc == 0)
        add_image(d, plot.sweep.name);
    msw_plot_free(&plot);
    return rc;
}

static int draw_rows(drawing *d)
{
    msw_err *err = d->paper->err;
    int got = 0, rc = msw_csv_header(&d->csv, COLUMNS, COLUMN_COUNT, d->where, err);
    while (rc == 0 && (got = msw_csv_next(&d->csv, err)) > 0)
        if (msw_csv_check(&d->csv, COLUMN_COUNT, err))
            rc = -1;
        else if (draw_one(d))
            rc = msw_fail_prefix(err, "%s:%zu: ", d->csv.path, d->csv.line);
    MSW_TRY(rc);
    MSW_TRY(got < 0);
    return 0;
}

static int draw_table(msw_paper *p, const char *path, char *text)
{
    drawing d = {.paper = p, .file = msw_paper_database(p, ""), .folder = msw_paper_stem(p)};
    msw_csv_start(&d.csv, path, text);
    int rc = d.file && d.folder ? draw_rows(&d) : msw_fail_memory(p->err);
    for (size_t i = 0; i < d.outcome.written_count; i++)
        msw_text_add(&p->drawn, "%s\n", d.outcome.written[i].path);
    if (d.outcome.without_gnuplot)
        msw_log_line(&p->context->log, MSW_LOG_WARN,
                     "no gnuplot here, so the tables were written and no figures");
    msw_plot_outcome_free(&d.outcome);
    free(d.file);
    free(d.folder);
    return rc;
}

static bool there(const char *path)
{
    return access(path, R_OK) == 0;
}

/* draw.c: draws what figures.csv names. */
static int msw_paper_draw(msw_paper *p)
{
    if (p->ask->no_figures)
        return 0;
    char *path = msw_strfmt("%s/figures.csv", p->folder), *text = NULL;
    size_t size;
    int rc = path ? 0 : msw_fail_memory(p->err);
    if (rc == 0 && there(path))
        rc = msw_read_file(path, &text, &size, p->err) ? -1 : draw_table(p, path, text);
    free(text);
    free(path);
    return rc;
}

/* A paper is called like its folder. */
static int find(msw_paper *p, const char *word)
{
    p->folder = msw_paper_folder(p->context, word, p->err);
    if (!p->folder)
        return -1;
    p->name = msw_strdup(strrchr(p->folder, '/') + 1);
    return p->name ? 0 : msw_fail_memory(p->err);
}

/* Answers the claims by the closed form, too: a column of its own that decides nothing. */
static int answer_beside(msw_paper *p, const char *word)
{
    msw_paper_options ask = *p->ask;
    ask.fidelity = "analytic";
    ask.calibrates = true; /* which compares, and explains nothing */
    msw_paper other = {
        .context = p->context, .ask = &ask, .watch = p->watch, .shared = p->shared, .err = p->err};
    int rc = -1;
    if (find(&other, word) || msw_paper_open(&other) || msw_paper_answer(&other))
        goto done;
    p->interrupted |= other.interrupted;
    p->some_failed |= other.some_failed;
    for (size_t i = 0; i < p->claims.count; i++)
        p->answers[i].closed = other.answers[i].value;
    rc = 0;
done:
    msw_paper_free(&other);
    return rc;
}

int msw_paper_make(msw_paper *p, const char *word)
{
    if (find(p, word) || msw_paper_open(p) || msw_paper_answer(p))
        return -1;
    if (p->ask->beside && !p->interrupted && answer_beside(p, word))
        return -1;
    if (p->interrupted)
        return 0;
    if (p->ask->samples && (msw_paper_spread(p) || (!p->interrupted && msw_paper_confirm(p))))
        return -1;
    return p->interrupted || (msw_paper_draw(p) == 0 && msw_paper_page(p) == 0) ? 0 : -1;
}

bool msw_paper_passes(const msw_paper *p)
{
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].verdict == MSW_MISS || p->answers[i].verdict == MSW_UNCLEAR)
            return false;
    return true;
}

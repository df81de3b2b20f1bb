#include "cli/save.h"

#include "memsweep/results/fidelity.h"

#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_agree;

typedef struct settings {
    const char *file, *other, *sweep, *other_sweep, *metric, *group_by, *filter, *confidence,
        *format;
    int64_t worst;
    bool save;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    MSW_ROW(.name = "other", .kind = CLI_DATABASE, .count = CLI_OPTIONAL,
            .help = "where the references are; else the same file",
            .offset = offsetof(settings, other)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_SWEEP_OPTION(settings),
    MSW_ROW(.name = "other-sweep", .kind = CLI_TEXT, .arg = "NAME",
            .help = "the sweep with the references; else the one of the same name, or the only one "
                    "of the other file",
            .offset = offsetof(settings, other_sweep)),
    MSW_ROW(.name = "metric", .letter = 'm', .kind = CLI_TEXT, .arg = "LIST",
            .help = "metrics to compare; else all of the mechanism",
            .offset = offsetof(settings, metric)),
    MSW_ROW(.name = "group-by", .letter = 'g', .kind = CLI_TEXT, .arg = "LIST",
            .help = "one result per value of a column or several, e.g. workload or bound_by",
            .offset = offsetof(settings, group_by)),
    MSW_ROW(.name = "filter", .letter = 'w', .kind = CLI_TEXT, .arg = "EXPRESSION",
            .help = "only rows for which it holds take part: a region of the parameters",
            .offset = offsetof(settings, filter)),
    MSW_ROW(.name = "confidence", .kind = CLI_TEXT, .arg = "SHARE", .def = "95%",
            .help = "of the intervals of the shares", .offset = offsetof(settings, confidence)),
    MSW_ROW(.name = "worst", .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "lists instead, for each two fidelities, the N pairs with the largest relative "
                    "error of the first metric (else the primary one), with their parameters",
            .offset = offsetof(settings, worst), .max = INT32_MAX),
    CLI_SAVE(settings),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep run quickstart -o all.db --fidelity analytic",
    "memsweep run quickstart -o all.db --fidelity full",
    "memsweep agree all.db --metric cycles,slowdown --group-by workload",
    "memsweep agree cheap.db dear.db --worst 5", NULL};

typedef struct job {
    const cli *c;
    const settings *s;
    msw_store *store, *other;
    msw_sweep_info sweep, other_sweep;
    msw_agree_options ask;
    msw_agree_side candidates, references;
    double confidence;
    size_t pairs;
    msw_table_builder builder;
    msw_err err;
} job;

/* ---- what there is ---- */

static bool has(const msw_agree_side *side, int fidelity)
{
    return side->first[fidelity + 1] > side->first[fidelity];
}

static void add_fidelities(const msw_agree_side *side, msw_text *out)
{
    const char *before = "";
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (has(side, f)) {
            msw_text_add(out, "%s%s", before, msw_fidelity_name((msw_fidelity)f));
            before = ", ";
        }
}

/* The fidelity to run next: the most exact one that is not there. */
static const char *missing_fidelity(const msw_agree_side *side)
{
    int f = MSW_FIDELITY_COUNT - 1;
    while (f > 0 && has(side, f))
        f--;
    return msw_fidelity_name((msw_fidelity)f);
}

static int fail_alone(job *j)
{
    char *path = msw_context_database(&j->c->context, j->s->file);
    msw_text there = MSW_TEXT_EMPTY;
    add_fidelities(&j->candidates, &there);
    msw_fail(&j->err,
             "sweep '%s' has rows at one fidelity only (%s): run another into the same file, "
             "'memsweep run <sweep file> --fidelity %s -o %s'",
             j->sweep.name, there.size ? msw_text_str(&there) : "none",
             missing_fidelity(&j->candidates), path ? path : j->s->file);
    free(path);
    msw_text_free(&there);
    return -1;
}

static int fail_apart(job *j)
{
    return msw_fail(&j->err,
                    "no point of sweep '%s' is answered by both: parameters, workload, replicate "
                    "and seed must be the same",
                    j->sweep.name);
}

/* ---- comparing ---- */

static int compare(job *j, int candidate, int reference)
{
    msw_agree_match match = {.candidates = &j->candidates,
                             .references = j->s->other ? &j->references : &j->candidates,
                             .candidate = candidate,
                             .reference = reference};
    int rc = msw_agree_find(&j->ask, &match, &j->err);
    if (rc == 0 && match.n)
        rc = j->s->worst ? msw_agree_worst(&j->ask, &match, (size_t)j->s->worst, &j->builder)
                         : msw_agree_measure(&j->ask, &match, j->confidence, &j->builder);
    j->pairs += match.n;
    msw_agree_drop(&match);
    return rc;
}

static int compare_all(job *j)
{
    const msw_agree_side *references = j->s->other ? &j->references : &j->candidates;
    size_t tried = 0;
    for (int reference = MSW_FIDELITY_COUNT - 1; reference >= 0; reference--)
        for (int candidate = 0; candidate <= reference; candidate++) {
            if ((candidate == reference && !j->s->other) || !has(&j->candidates, candidate) ||
                !has(references, reference))
                continue;
            tried++;
            if (compare(j, candidate, reference))
                return -1;
        }
    if (!tried && !j->s->other)
        return fail_alone(j);
    return j->pairs ? 0 : fail_apart(j);
}

/* ---- the command ---- */

static int read_other(const cli *c, job *j)
{
    const char *name = j->s->other_sweep;
    msw_err none = {0};
    if (!j->s->other)
        return 0;
    if (msw_open_database(&c->context, j->s->other, MSW_STORE_READ, &j->other, &j->err))
        return -1;
    if ((name || msw_store_sweep(j->other, j->sweep.name, &j->other_sweep, &none)) &&
        msw_store_sweep(j->other, name, &j->other_sweep, &j->err))
        return -1;
    if (strcmp(j->other_sweep.mechanism, j->sweep.mechanism) != 0)
        return msw_fail(&j->err, "'%s' is about %s and '%s' about %s", j->sweep.name,
                        j->sweep.mechanism, j->other_sweep.name, j->other_sweep.mechanism);
    return msw_agree_read(j->other, &j->other_sweep, &j->ask, &j->references, &j->err);
}

static int read_candidates(const cli *c, job *j)
{
    const settings *s = j->s;
    msw_store_mode mode = s->save ? MSW_STORE_WRITE : MSW_STORE_READ;
    if (cli_share("confidence", s->confidence, &j->confidence, &j->err) ||
        msw_open_database(&c->context, s->file, mode, &j->store, &j->err) ||
        msw_store_sweep(j->store, s->sweep, &j->sweep, &j->err))
        return -1;
    const msw_mech *mech = msw_mech_find(j->sweep.mechanism);
    if (!mech)
        return msw_fail(&j->err, "this memsweep has no mechanism '%s'", j->sweep.mechanism);
    const char *metrics = s->metric || !s->worst ? s->metric : mech->primary;
    return msw_agree_metrics(metrics, mech, &j->ask, &j->err) ||
                   msw_agree_read(j->store, &j->sweep, &j->ask, &j->candidates, &j->err)
               ? -1
               : 0;
}

static int work(const cli *c, job *j)
{
    if (read_candidates(c, j) || read_other(c, j) || compare_all(j) || j->builder.failed)
        return -1;
    return j->s->save ? cli_save_table(&j->builder, j->store, j->sweep.id, &cli_command_agree, j->s)
                      : 0;
}

static void free_job(job *j)
{
    msw_agree_free(&j->candidates);
    msw_agree_free(&j->references);
    msw_sweep_info_free(&j->sweep);
    msw_sweep_info_free(&j->other_sweep);
    msw_table_free(&j->builder.table);
    for (size_t i = 0; i < j->ask.metric_count; i++)
        free(j->ask.metrics[i]);
    msw_store_close(j->other, NULL);
}

static int run(const cli *c, const void *given)
{
    job j = {.c = c, .s = given};
    j.ask.group_by = j.s->group_by;
    j.ask.filter = j.s->filter;
    j.builder.err = &j.err;
    int rc = work(c, &j);
    if (msw_store_close(j.store, rc ? NULL : &j.err))
        rc = -1;
    msw_format_style style = {
        .width = cli_terminal_width(),
        .hide_same = true,
        .note = "errors are relative to the reference; covered: its share inside the candidate's "
                "intervals; same: share of points with the same bottleneck; stated: error the "
                "mechanism promises"};
    int code = rc ? cli_fail(&j.err) : cli_print_table(&j.builder.table, j.s->format, &style);
    free_job(&j);
    return code;
}

const cli_command cli_command_agree = {
    .name = "agree",
    .doc = "tells how well one fidelity speaks for another on the same points",
    .about = "Rows of all fidelities of a sweep are matched by parameters, workload, replicate and "
             "seed. bias is the mean relative error, median, p95 and worst are of its size, tau "
             "says whether both order the points alike (Kendall). Where the mechanism states how "
             "far its "
             "closed form may be from the full model, within is the share of points that keep to "
             "it, and the verdict is broken when one does not. Intervals of points that share a "
             "random stream fail together, so coverage needs many seeds or workloads.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

/* SPDX-License-Identifier: MIT */
/* Answers lines of JSON one by one, so that a program in any language has a fast loop: the plan,
 * its artifacts and its worker are made once, and a line only changes parameters of the mechanism.
 */
#include "cli/eval/eval.h"

#include "cli/run/sweep_run.h"

#include "memsweep/base/json.h"
#include "memsweep/base/quote.h"
#include "memsweep/run/run.h"
#include "memsweep/sweep/errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { LINE_MOST = 1 << 20 };

typedef struct stream {
    msw_plan *plan;
    void *base; /* the block that all lines start from */
    msw_worker *worker;
    msw_batch *batch;
    msw_arena arena; /* of a line */
    msw_text out;
    const msw_json *id; /* of the line, handed back as it is */
    size_t workload;
    uint64_t bad; /* lines without an answer */
} stream;

/* ---- a line ---- */

static int find_workload(stream *s, const msw_json *value, msw_err *err)
{
    const msw_plan *plan = s->plan;
    for (size_t w = 0; value->kind == MSW_JSON_STRING && w < plan->workload_count; w++)
        if (strcmp(plan->workloads[w].name, value->text) == 0) {
            s->workload = w;
            return 0;
        }
    return msw_fail(err, "workload: not one of those on the command line");
}

/* What a workload's own parameter changes, and what follows from others, is settled with the plan.
 */
static int find_parameter(const stream *s, const char *name, int *index, msw_err *err)
{
    const msw_schema *schema = &s->plan->schema;
    *index = msw_schema_find(schema, name);
    if (*index < 0) {
        const char *near = msw_schema_nearest(schema, name);
        return msw_fail(err, "no parameter '%s'%s%s%s", name, near ? ", did you mean '" : "",
                        near ? near : "", near ? "'?" : "");
    }
    if ((size_t)*index >= schema->part_first[1])
        return msw_fail(err, "'%s' belongs to the workload: set it on the command line", name);
    for (size_t f = 0; f < s->plan->space.fixed_count; f++)
        if (s->plan->space.fixed[f].target == (size_t)*index)
            return msw_fail(err, "'%s' follows from others, as the command line says", name);
    return 0;
}

static const char *word_of(const msw_json *value)
{
    switch (value->kind) {
    case MSW_JSON_NUMBER:
    case MSW_JSON_STRING:
        return value->text;
    case MSW_JSON_TRUE:
        return "on";
    case MSW_JSON_FALSE:
        return "off";
    default:
        return NULL;
    }
}

static int set_member(stream *s, const msw_json *member, msw_err *err)
{
    int index;
    double value;
    const char *word = word_of(member);
    if (strcmp(member->key, "workload") == 0)
        return find_workload(s, member, err);
    if (!word)
        return msw_fail(err, "%s: allowed: a number, a text, true or false", member->key);
    if (strcmp(member->key, "id") == 0) {
        s->id = member;
        return 0;
    }
    MSW_TRY(find_parameter(s, member->key, &index, err));
    if (msw_param_parse(s->plan->schema.params[index], word, &value, err))
        return -1;
    msw_schema_set(&s->plan->schema, (size_t)index, s->plan->space.base, value);
    return 0;
}

static int read_line(stream *s, const char *line, size_t size, msw_err *err)
{
    const msw_json *object = msw_json_read("line", line, size, &s->arena, err);
    if (!object)
        return -1;
    if (object->kind != MSW_JSON_OBJECT)
        return msw_fail(err, "found no object; allowed: {\"NAME\": VALUE, ...}");
    for (const msw_json *m = object->first; m; m = m->next)
        MSW_TRY(set_member(s, m, err));
    return 0;
}

/* ---- an answer ---- */

static void add_id(stream *s)
{
    if (!s->id)
        return;
    msw_text_add_bytes(&s->out, "\"id\": ", 6);
    if (s->id->kind == MSW_JSON_STRING)
        msw_text_add_json(&s->out, s->id->text);
    else
        msw_text_add(&s->out, "%s",
                     s->id->kind == MSW_JSON_NUMBER ? s->id->text
                     : s->id->kind == MSW_JSON_TRUE ? "true"
                                                    : "false");
    msw_text_add_bytes(&s->out, ", ", 2);
}

static void add_number(stream *s, const char *name, const char *ending, double value)
{
    char title[MSW_PARAM_TEXT];
    snprintf(title, sizeof title, "%s%s", name, ending);
    msw_text_add_bytes(&s->out, ", ", 2);
    msw_text_add_json(&s->out, title);
    msw_text_add_bytes(&s->out, ": ", 2);
    if (isfinite(value))
        msw_text_add_double(&s->out, value);
    else
        msw_text_add_bytes(&s->out, "null", 4);
}

/* What is known of the errors of a closed form, by the names that a view's columns have. */
static void add_errors(stream *s)
{
    const msw_metric *metrics = s->plan->mech->metrics;
    char text[CLI_ERRORS_TEXT];
    const char *from = cli_answer_errors(s->plan, s->batch, 0, text);
    for (size_t m = 0; metrics[m].name; m++) {
        double low = NAN, high = NAN;
        if (!cli_answer_has_interval(s->plan, m))
            continue;
        cli_answer_interval(s->plan, s->batch, 0, m, &low, &high);
        add_number(s, metrics[m].name, "_low", low);
        add_number(s, metrics[m].name, "_high", high);
    }
    if (!from)
        return;
    msw_text_add(&s->out, ", \"" MSW_ERRORS_COLUMN "\": ");
    msw_text_add_json(&s->out, from);
}

static void add_answer(stream *s)
{
    const msw_metric *metrics = s->plan->mech->metrics;
    const msw_row *row = &s->batch->rows[0];
    msw_text_add(&s->out, "\"workload\": ");
    msw_text_add_json(&s->out, s->plan->workloads[row->workload].name);
    msw_text_add(&s->out, ", \"status\": ");
    msw_text_add_json(&s->out, msw_status_name((msw_status)row->status));
    if (row->reason) {
        msw_text_add(&s->out, ", \"reason\": ");
        msw_text_add_json(&s->out, msw_batch_reason_text(s->batch, 0));
    }
    if (row->doubt) {
        msw_text_add(&s->out, ", \"" MSW_DOUBT_NAME "\": ");
        msw_text_add_json(&s->out, msw_batch_doubt_text(s->batch, 0));
    }
    for (size_t m = 0; metrics[m].name; m++)
        add_number(s, metrics[m].name, "", cli_answer_metric(s->batch, 0, m));
    for (size_t m = 0; metrics[m].name && s->plan->fidelity == MSW_SAMPLED; m++)
        add_number(s, metrics[m].name, "_hw", cli_answer_half_width(s->batch, 0, m));
    add_errors(s);
    if (row->status != MSW_OK && row->status != MSW_INFEASIBLE)
        s->bad++;
}

/* Returns -1 only where nothing more can be answered: what is wrong with a line is its answer. */
static int answer(stream *s, const char *line, size_t size, msw_err *err)
{
    msw_err wrong = {0};
    msw_arena_reset(&s->arena);
    msw_batch_clear(s->batch);
    s->out.size = 0;
    s->id = NULL;
    s->workload = 0;
    memcpy(s->plan->space.base, s->base, s->plan->schema.size);
    int rc = size > LINE_MOST ? msw_fail(&wrong, "longer than %d bytes", LINE_MOST)
                              : read_line(s, line, size, &wrong);
    uint64_t index = s->workload * (s->plan->points / s->plan->workload_count);
    if (rc == 0 && msw_worker_evaluate(s->worker, index, 0, s->batch, err))
        return -1;
    msw_text_add_bytes(&s->out, "{", 1);
    add_id(s);
    if (rc == 0) {
        add_answer(s);
    } else {
        msw_text_add(&s->out, "\"error\": ");
        msw_text_add_json(&s->out, wrong.text);
        s->bad++;
    }
    msw_text_add_bytes(&s->out, "}\n", 2);
    return s->out.failed ? msw_fail_memory(err) : 0;
}

static int answer_all(stream *s, msw_err *err)
{
    char *line = malloc(LINE_MOST + 2);
    size_t size;
    int rc = line ? 0 : msw_fail_memory(err);
    while (rc == 0 && cli_next_line(line, LINE_MOST, &size)) {
        if (strspn(line, " \t\r") == size)
            continue;
        rc = answer(s, line, size, err);
        /* Who asks may wait for the answer before asking again. */
        if (rc == 0 &&
            (fwrite(s->out.data, 1, s->out.size, stdout) < s->out.size || fflush(stdout)))
            break; /* nobody reads any more, or the disk is full: the end of the command says so */
    }
    free(line);
    return rc;
}

int cli_answer_stream(msw_plan *plan)
{
    msw_err err = {0};
    stream s = {.plan = plan, .base = malloc(plan->schema.size)};
    msw_artifacts *artifacts = msw_artifacts_new(0);
    s.batch = msw_batch_new(1, plan->schema.count, msw_metrics_count(plan->mech->metrics));
    int rc = s.base && artifacts && s.batch
                 ? msw_worker_new(plan, artifacts, false, &s.worker, &err)
                 : msw_fail_memory(&err);
    if (rc == 0) {
        memcpy(s.base, plan->space.base, plan->schema.size);
        rc = answer_all(&s, &err);
    }
    msw_worker_free(s.worker);
    msw_artifacts_free(artifacts);
    msw_batch_free(s.batch);
    msw_arena_free(&s.arena);
    msw_text_free(&s.out);
    free(s.base);
    return rc ? cli_fail(&err) : s.bad ? EXIT_SOME_FAILED : EXIT_OK;
}

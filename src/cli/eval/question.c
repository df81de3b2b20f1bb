/* SPDX-License-Identifier: MIT */
/* Reads the words of `eval` as a sweep of one point, so that names, values, units and messages are
 * those of sweeps; and the plan of a sweep that a database holds. */
#include "cli/eval/eval.h"
#include "cli/run/launch.h"
#include "memsweep/results/replay.h"
#include "memsweep/run/run.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The plan of a sweep that a database holds, from the inputs in it. */

static int load(const cli *c, msw_replay *from, msw_plan **plan)
{
    msw_messages messages = {0};
    msw_text lines = MSW_TEXT_EMPTY;
    msw_err err = {0};
    msw_plan_options options = {.data_dirs = c->context.data_dirs, .seed = -1};
    const char *path = msw_replay_options(from, &options);
    int code = msw_plan_load(path, &options, plan, &messages) ? cli_fail_plan(&messages) : EXIT_OK;
    if (code == EXIT_OK && msw_replay_differ(from, *plan, &lines)) {
        msw_fail(&err,
                 "%s: stored with other versions than those here, so that its points may "
                 "come out otherwise:\n%s",
                 from->path, msw_text_str(&lines));
        code = cli_fail(&err);
    }
    if (code == EXIT_OK) /* all that is computed is shown, whatever rows hold */
        (*plan)->keep.metric_count = 0;
    msw_text_free(&lines);
    msw_text_free(&messages.text);
    return code;
}

int cli_own_errors(const cli *c, const char *file, msw_plan *plan)
{
    msw_store *store = NULL;
    msw_err err = {0};
    int rc = msw_store_open(file, MSW_STORE_READ, false, &c->context.log, &store, &err);
    if (rc == 0)
        rc = msw_store_own_errors(store, plan, &err);
    if (msw_store_close(store, rc ? NULL : &err))
        rc = -1;
    return rc ? cli_fail(&err) : EXIT_OK;
}

int cli_stored_plan(const cli *c, const char *file, const char *sweep, msw_plan **plan)
{
    msw_replay from = {0};
    msw_err err = {0};
    int code = msw_replay_open(&from, &c->context, file, sweep, &err) ? cli_fail(&err)
                                                                      : load(c, &from, plan);
    msw_replay_close(&from);
    return code;
}

/* Reads the words of `eval` as a sweep of one point, so that names, values, units, presets and
 * messages are those of sweep files (one line per word: a message about a line becomes one about
 * its word), and evaluates it. */

enum { HEAD_LINES = 6 }; /* before the first setting */
#define LABEL "eval"

static void add_part(msw_text *out, const char *text, size_t size)
{
    msw_text part = MSW_TEXT_EMPTY;
    msw_text_add_bytes(&part, text, size);
    msw_text_add_yaml(out, msw_text_str(&part));
    out->failed = out->failed || part.failed;
    msw_text_free(&part);
}

static void add_list(msw_text *out, const char *list)
{
    msw_text_add(out, "[");
    for (bool first = true; *list; first = false) {
        size_t size = msw_workload_name_size(list);
        msw_text_add(out, first ? "" : ", ");
        add_part(out, list, size);
        list += size + (list[size] == ',');
    }
    msw_text_add(out, "]");
}

static int add_setting(msw_text *out, const char *word, msw_err *err)
{
    size_t name = strcspn(word, "=");
    if (!name || !word[name] || !word[name + 1])
        return msw_fail(err, "found '%s', allowed: NAME=VALUE, e.g. page_size=64KiB%s%s%s", word,
                        strchr(word, '/') && !word[name] ? "; did you mean '-w " : "",
                        strchr(word, '/') && !word[name] ? word : "",
                        strchr(word, '/') && !word[name] ? "'?" : "");
    msw_text_add(out, "  ");
    add_part(out, word, name);
    msw_text_add(out, ": ");
    msw_text_add_yaml(out, word + name + 1);
    msw_text_add(out, "\n");
    return 0;
}

/* Refuses a setting that an earlier word gives, too. */
static int check_once(const cli_question *q, size_t index, msw_err *err)
{
    const char *word = q->settings->list[index];
    size_t size = strcspn(word, "=") + 1;
    for (size_t i = 0; i < index; i++)
        if (strncmp(q->settings->list[i], word, size) == 0)
            return msw_fail(err, "'%.*s' is given twice: '%s' and '%s'", (int)size - 1, word,
                            q->settings->list[i], word);
    return 0;
}

int cli_question_text(const cli_question *q, msw_text *out, msw_err *err)
{
    const msw_mech *mech = msw_mech_find(q->mechanism);
    const char *workloads = q->workloads ? q->workloads : mech ? mech->default_workload : "";
    bool program = cli_is_definition(q->mechanism);
    msw_text_add(out, "sweep: " LABEL "\nmechanism: %s", program ? "{program: " : "");
    msw_text_add_yaml(out, q->mechanism);
    msw_text_add(out, "%s\n", program ? "}" : "");
    if (!program || q->workloads) {
        msw_text_add(out, "workloads: ");
        add_list(out, workloads);
    }
    msw_text_add(out, "\nfidelity: %s\n", q->fidelity);
    if (q->preset) {
        msw_text_add(out, "preset: ");
        msw_text_add_yaml(out, q->preset);
    }
    msw_text_add(out, "\n%s", q->settings->count ? "fix:\n" : "\n");
    for (size_t i = 0; i < q->settings->count; i++)
        if (check_once(q, i, err) || add_setting(out, q->settings->list[i], err))
            return -1;
    return 0;
}

/* The word that a line of the sweep stands for, or NULL. */
static const char *word_of(const cli_question *q, unsigned long line)
{
    switch (line) {
    case 2:
        return q->mechanism;
    case 3:
        return q->workloads ? q->workloads : "the default workload";
    case 5:
        return q->preset;
    default:
        return line > HEAD_LINES && line - HEAD_LINES <= q->settings->count
                   ? q->settings->list[line - HEAD_LINES - 1]
                   : NULL;
    }
}

/* Whether a message quotes a word, so that it need not stand before it, too. */
static bool quotes(const char *message, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = message; at + length + 2 <= message + size; at++)
        if (*at == '\'' && strncmp(at + 1, word, length) == 0 && at[length + 1] == '\'')
            return true;
    return false;
}

/* "eval:7:3: message" to "word: message". */
static void add_message(const cli_question *q, const char *line, size_t size)
{
    msw_text text = MSW_TEXT_EMPTY, seen = MSW_TEXT_EMPTY;
    const char *word = NULL, *rest = line;
    if (size > sizeof LABEL && strncmp(line, LABEL ":", sizeof LABEL) == 0) {
        char *end;
        word = word_of(q, strtoul(line + sizeof LABEL, &end, 10));
        while (*end == ':' || isdigit((unsigned char)*end) || *end == ' ')
            end++;
        rest = end;
        if (word && quotes(rest, (size_t)(line + size - rest), word))
            word = NULL;
    }
    msw_text_add(&text, "memsweep: %s%s%.*s", word ? word : "", word ? ": " : "",
                 (int)(line + size - rest), rest);
    msw_text_add_visible(&seen, msw_text_str(&text));
    fprintf(stderr, "%s\n", msw_text_str(&seen));
    msw_text_free(&text);
    msw_text_free(&seen);
}

/* One line per message. Where the mechanism is not there, all else follows from that. */
static void say_all(const cli_question *q, const char *text)
{
    bool known = msw_mech_find(q->mechanism) != NULL || cli_is_definition(q->mechanism);
    while (*text) {
        size_t size = strcspn(text, "\n");
        if (known || strncmp(text, LABEL ":2:", sizeof LABEL + 2) == 0)
            add_message(q, text, size);
        text += size + (text[size] == '\n');
    }
}

int cli_question_plan(const cli *c, const cli_question *q, msw_plan **plan)
{
    msw_err err = {0};
    msw_text text = MSW_TEXT_EMPTY;
    msw_messages messages = {0};
    msw_plan_options options = {.data_dirs = c->context.data_dirs, .seed = q->seed};
    int code = EXIT_OK;
    if (cli_question_text(q, &text, &err))
        code = cli_fail(&err);
    else if (msw_plan_parse(LABEL, msw_text_str(&text), text.size, &options, plan, &messages))
        code = messages.trouble ? EXIT_TROUBLE : EXIT_USAGE;
    say_all(q, code ? msw_messages_text(&messages) : msw_text_str(&(*plan)->warnings));
    msw_text_free(&messages.text);
    msw_text_free(&text);
    return code;
}

static int evaluate(msw_worker *worker, uint64_t first, uint64_t end, msw_batch *batch,
                    msw_err *err)
{
    for (uint64_t i = first; i < end; i++)
        if (msw_worker_evaluate(worker, i, 0, batch, err))
            return -1;
    return 0;
}

static msw_batch *answer_points(const msw_plan *plan, msw_launches *launches, uint64_t first,
                                uint64_t end, msw_err *err)
{
    msw_worker *worker = NULL;
    msw_artifacts *artifacts = msw_artifacts_new(0);
    msw_batch *batch =
        msw_batch_new(end - first, plan->schema.count, msw_metrics_count(plan->mech->metrics));
    int rc = artifacts && batch ? msw_worker_new(plan, artifacts, false, &worker, err)
                                : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_worker_launch(worker, launches, err);
    if (rc == 0)
        rc = evaluate(worker, first, end, batch, err);
    msw_worker_free(worker);
    msw_artifacts_free(artifacts);
    if (rc) {
        msw_batch_free(batch);
        batch = NULL;
    }
    return batch;
}

msw_batch *cli_answer(const msw_plan *plan, msw_launches *launches, msw_err *err)
{
    return answer_points(plan, launches, 0, plan->points, err);
}

msw_batch *cli_answer_point(const msw_plan *plan, uint64_t point, msw_err *err)
{
    if (point < plan->points)
        return answer_points(plan, NULL, point, point + 1, err);
    msw_fail(err, "--point: there is no point %" PRIu64 ": the sweep has %" PRIu64, point,
             plan->points);
    return NULL;
}

int cli_answer_dry(const msw_plan *plan)
{
    msw_err err = {0};
    msw_text text = MSW_TEXT_EMPTY;
    msw_pointer *pointer = NULL;
    msw_point point;
    msw_task task;
    int rc = plan->program ? msw_pointer_new(plan, &pointer, &err)
                           : msw_fail(&err, "--dry: %s is no program", plan->mech->name);
    for (uint64_t i = 0; rc == 0 && i < plan->points; i++) {
        rc = msw_pointer_at(pointer, i, false, &point, &err);
        if (rc)
            break;
        msw_point_task(plan, &point, &task);
        msw_program_scope scope = {.program = plan->program,
                                   .config = task.config,
                                   .fidelity = &plan->program->fidelities[plan->fidelity],
                                   .workload = msw_program_case(plan->program, task.workload->name),
                                   .seed = task.stream & 0x7fffffff,
                                   .replicate = task.replicate};
        rc = msw_program_dry(&scope, &text, &err);
    }
    msw_pointer_free(pointer);
    int code = rc ? cli_fail(&err) : cli_print(&text);
    if (rc)
        msw_text_free(&text);
    return code;
}

double cli_answer_metric(const msw_batch *batch, size_t row, size_t metric)
{
    return msw_batch_values(batch, row)[batch->params + metric];
}

double cli_answer_half_width(const msw_batch *batch, size_t row, size_t metric)
{
    return msw_batch_values(batch, row)[batch->params + batch->metrics + metric];
}

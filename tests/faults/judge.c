/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const outcome_names[OUT_COUNT] = {
    "none",    "absorbed", "safe",    "told", "crash", "code",
    "message", "wrong",    "unsound", "lost", "left",  "leak",
};

static void say(char *detail, size_t size, const char *what, const char *text)
{
    snprintf(detail, size, "%s%s%.300s", what, *text ? ": " : "", text);
    for (char *at = detail; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
}

/* ---- without faults ---- */

static bool is_there(const trial_command *c)
{
    return c->words[0] != NULL;
}

static int must_run(const trial_command *command, bool stacks, trial_result *r)
{
    trial_options none = {.plan = {.call = FAULT_CALLS}, .stacks = stacks};
    trial_run(command, &none, r);
    if (r->code == 0)
        return 0;
    fprintf(stderr, "'%s' ends with %d (signal %d) without a fault: %s\n", command->words[0],
            r->code, r->signal, r->err);
    return -1;
}

static int make_template(expected *e, trial_result *r)
{
    static folder first;
    first = (folder){.count = 2};
    snprintf(first.files[0].name, sizeof first.files[0].name, "learned.yaml");
    snprintf(first.files[1].name, sizeof first.files[1].name, "small.yaml");
    first.files[0].bytes = (char *)scenario_learned;
    first.files[0].size = strlen(scenario_learned);
    first.files[1].bytes = (char *)scenario_sweep;
    first.files[1].size = strlen(scenario_sweep);
    folder_write(&first, e->path);
    for (size_t i = 0; i < SCENARIO_BEFORE && is_there(&e->s->before[i]); i++)
        if (must_run(&e->s->before[i], false, r))
            return -1;
    folder_read(&e->template, e->path);
    return 0;
}

/* Where points failed, the next run is asked to try them again. */
static trial_command again_after(const expected *e, int code)
{
    trial_command again = e->s->command;
    int n = 0;
    while (again.words[n])
        n++;
    if (code == 1)
        again.words[n] = "--retry";
    return again;
}

static int ask(const expected *e, int code, trial_result *r)
{
    const trial_command *commands[3] = {NULL};
    trial_command again = again_after(e, code);
    int n = 0;
    if (code)
        commands[n++] = &again;
    if (is_there(&e->s->digest))
        commands[n++] = &e->s->digest;
    trial_check(commands, e->s->database, r);
    return n;
}

int expected_make(expected *e, const scenario *s, const char *path)
{
    trial_result *r = malloc(sizeof *r);
    memset(e, 0, sizeof *e);
    e->s = s;
    e->path = path;
    int rc = r && make_template(e, r) == 0 ? must_run(&s->command, true, r) : -1;
    if (rc == 0) {
        memcpy(e->calls, trial_record()->calls, sizeof e->calls);
        e->live = trial_record()->live;
        e->sqlite_live = trial_record()->sqlite_live;
        e->descriptors = trial_record()->descriptors;
        memcpy(e->out, r->out[0], sizeof e->out);
        int n = ask(e, 0, r);
        memcpy(e->digest, r->out[n ? n - 1 : 0], sizeof e->digest);
        folder_read(&e->after, path);
    }
    free(r);
    return rc;
}

void expected_free(expected *e)
{
    folder_free(&e->template);
    folder_free(&e->after);
    free(e->good[0]);
    free(e->good[1]);
    free(e->good[2]);
}

/* ---- the files ---- */

static bool known_good(const expected *e, int which, uint64_t state)
{
    for (size_t i = 0; i < e->good_count[which]; i++)
        if (e->good[which][i] == state)
            return true;
    return false;
}

static void remember_good(expected *e, int which, uint64_t state)
{
    uint64_t *list = realloc(e->good[which], (e->good_count[which] + 1) * sizeof *list);
    if (!list)
        abort();
    e->good[which] = list;
    list[e->good_count[which]++] = state;
}

static bool same_output(const expected *e, const folder *now)
{
    if (!e->s->output)
        return true;
    const folder_file *a = folder_find(&e->after, e->s->output),
                      *b = folder_find(now, e->s->output);
    return a && b && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static outcome judge_answers(const expected *e, int code, const trial_result *r, int commands,
                             char *detail, size_t size)
{
    bool again = code != 0;
    outcome bad = again ? OUT_LOST : OUT_WRONG;
    if (r->signal || r->code == 99) {
        say(detail, size, r->signal ? "the next run is killed" : "not sound", r->err);
        return r->signal ? OUT_LOST : OUT_UNSOUND;
    }
    if (r->code) {
        say(detail, size, "the next command fails", r->err);
        return bad;
    }
    if (is_there(&e->s->digest) && strcmp(r->out[commands - 1], e->digest) != 0) {
        say(detail, size, "another digest", r->out[commands - 1]);
        return bad;
    }
    if (again && e->s->prints && strcmp(r->out[0], e->out) != 0) {
        say(detail, size, "the next answer is another", r->out[0]);
        return bad;
    }
    return OUT_NONE;
}

static outcome judge_folder(const expected *e, int code, char *detail, size_t size)
{
    static folder now;
    char extra[1000];
    folder_read(&now, e->path);
    outcome found = OUT_NONE;
    folder_extra(&now, &e->after, e->parts_may_stay, extra, sizeof extra);
    if (!same_output(e, &now)) {
        say(detail, size, "the output is another", "");
        found = code ? OUT_LOST : OUT_WRONG;
    } else if (*extra) {
        say(detail, size, "left behind", extra);
        found = OUT_LEFT;
    }
    folder_free(&now);
    return found;
}

bool judge_known(expected *e, uint64_t rows, bool good)
{
    static folder now;
    folder_read(&now, e->path);
    uint64_t state = folder_digest(&now) + rows * 0x9e3779b97f4a7c15u;
    folder_free(&now);
    if (good)
        remember_good(e, 2, state);
    return known_good(e, 2, state);
}

outcome judge_files(expected *e, int code, char *detail, size_t size)
{
    static folder now;
    static trial_result r;
    int which = code != 0;
    folder_read(&now, e->path);
    uint64_t state = folder_digest(&now);
    folder_free(&now);
    if (known_good(e, which, state))
        return OUT_NONE;
    int commands = ask(e, code, &r);
    outcome found = judge_answers(e, code, &r, commands, detail, size);
    if (found == OUT_NONE)
        found = judge_folder(e, code, detail, size);
    if (found == OUT_NONE)
        remember_good(e, which, state);
    return found;
}

/* ---- the process ---- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Warnings come before what ends a command. What is wrong while a sweep file is read may be told of
 * several of its lines. */
static int count_messages(const char *text)
{
    int count = 0, lines = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        count += starts(at, "memsweep: ") && !starts(at, "memsweep: warning: ");
        lines += starts(at, "small.yaml:") || starts(at, "learned.yaml:") ||
                 strcmp(at, "out of memory\n") == 0;
    }
    return count || !lines ? count : 1;
}

static bool says_nothing(const char *text)
{
    static const char *const EMPTY[] = {"(null)", "not an error", "Success", ": \n",
                                        "nknown error"};
    for (size_t i = 0; i < sizeof EMPTY / sizeof *EMPTY; i++)
        if (strstr(text, EMPTY[i]))
            return true;
    return false;
}

static outcome judge_process(const expected *e, const trial_result *r, char *detail, size_t size)
{
    char number[64];
    const fault_record *record = trial_record();
    if (r->signal) {
        snprintf(number, sizeof number, "signal %d", r->signal);
        say(detail, size, number, r->err);
        return OUT_CRASH;
    }
    /* A point that cannot be computed for want of memory is a failed one. */
    bool failed = r->code == 1 && strstr(r->err, "failed") && strstr(r->err, "out of memory");
    if (r->code != 0 && r->code != 3 && !failed) {
        snprintf(number, sizeof number, "exit code %d", r->code);
        say(detail, size, number, r->err);
        return OUT_CODE;
    }
    if (r->code && (count_messages(r->err) != 1 || says_nothing(r->err))) {
        say(detail, size, "messages", r->err);
        return OUT_MESSAGE;
    }
    if (record->live != e->live || record->sqlite_live != e->sqlite_live ||
        record->descriptors != e->descriptors) {
        snprintf(detail, size,
                 "%ld allocations (the first is number %lu), %ld of SQLite, %d descriptors",
                 (long)record->live - (long)e->live, (unsigned long)record->leaked_at,
                 record->sqlite_live - e->sqlite_live, record->descriptors - e->descriptors);
        return OUT_LEAK;
    }
    return OUT_NONE;
}

outcome judge(expected *e, const trial_result *r, char *detail, size_t size)
{
    *detail = '\0';
    if (!trial_record()->hits)
        return OUT_NONE;
    outcome found = judge_process(e, r, detail, size);
    if (found == OUT_NONE && r->code == 0 && e->s->prints && strcmp(r->out[0], e->out) != 0) {
        say(detail, size, "prints something else", r->out[0]);
        found = OUT_WRONG;
    }
    if (found == OUT_NONE)
        found = judge_files(e, r->code, detail, size);
    /* What could not be removed is removed by the next. */
    if (found == OUT_LEFT && r->code == 0)
        found = judge_files(e, -1, detail, size);
    return found != OUT_NONE ? found : r->code ? OUT_TOLD : OUT_ABSORBED;
}

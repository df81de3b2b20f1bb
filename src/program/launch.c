/* SPDX-License-Identifier: MIT */
/* Runs a point: folder, program, status, metrics. What a program does is an answer; what keeps all
 * programs from running, such as a full disk, ends the run without one. */
#include "memsweep/program/launch.h"
#include "memsweep/base/clock.h"

#include "program/reading.h"

#include "memsweep/base/context.h"
#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"
#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct msw_launches {
    const msw_program *program;
    msw_launch_options options;
    char *folder, *work; /* where the caller wants it, and inside of that */
    msw_file_info *seen; /* files, then tools, as they were when the run began */
    msw_text environment;
    size_t variables;
    atomic_bool checked; /* whether the first point gave the same twice */
};

struct msw_launcher {
    msw_launches *all;
    msw_supervisor *supervisor;
    msw_launch launch;
    msw_child_end end;
    char folder[MSW_PROGRAM_PATH];
    msw_text attempts;
    bool interrupted;
    msw_err broken;
};

/* ---- opening ---- */

/* Absolute, for the folder of a run is not the caller's; and this process' own, so that no other
 * one removes it. */
static int make_work(msw_launches *l, msw_err *err)
{
    enum { TRIES = 5 }; /* another process may remove the empty folder around it just now */
    for (int i = 0; i < TRIES && !l->work; i++) {
        MSW_TRY(msw_make_folder(l->options.work, err));
        msw_disk_make_folder(l->options.work, 0700);
        char *real = msw_file_real(l->options.work, NULL);
        l->work = real ? msw_strfmt("%s/XXXXXX", real) : NULL;
        free(real);
        if (!l->work || msw_disk_make_own_folder(l->work) == 0)
            continue;
        free(l->work);
        l->work = NULL;
    }
    return l->work ? 0
                   : msw_fail_kind(err, MSW_ERR_IO, "cannot make a folder in %s: %s",
                                   l->options.work, strerror(errno));
}

int msw_launches_open(const msw_program *program, const msw_launch_options *options,
                      msw_launches **launches, msw_err *err)
{
    msw_launches *l = calloc(1, sizeof *l);
    if (!l)
        return msw_fail_memory(err);
    l->program = program;
    l->options = *options;
    l->options.work = l->folder = msw_strdup(options->work);
    atomic_init(&l->checked, options->once || program->random);
    int rc = l->folder ? msw_program_environment(program, &l->environment, &l->variables, err)
                       : msw_fail_memory(err);
    if (rc == 0)
        rc = program_files_look(program, &l->seen, err) || make_work(l, err);
    if (rc == 0) {
        *launches = l;
        return 0;
    }
    msw_launches_close(l);
    return -1;
}

void msw_launches_close(msw_launches *l)
{
    if (!l)
        return;
    if (l->work)
        msw_program_remove_work(l->work);
    free(l->work);
    free(l->folder);
    free(l->seen);
    msw_text_free(&l->environment);
    free(l);
}

const char *msw_launches_work(const msw_launches *l)
{
    return l->work;
}

/* ---- one attempt ---- */

static bool keeps_all(const msw_launches *l)
{
    return l->options.keep || l->program->limits.keep == MSW_KEEP_ALL;
}

static const char *path_of(const msw_program *p, const char *word)
{
    for (size_t i = 0; i < p->tool_count; i++)
        if (strcmp(p->tools[i].name, word) == 0)
            return p->tools[i].path;
    return word;
}

static double seconds_left(const msw_task *task, const msw_program *p)
{
    double left = (double)(task->deadline_ns - msw_now_ns()) * 1e-9;
    double most = p->limits.timeout_s > 0 ? p->limits.timeout_s : INFINITY;
    most = task->deadline_ns ? fmin(most, fmax(left, 1e-3)) : most;
    return isinf(most) ? 0 : most;
}

static int start(msw_launcher *w, const msw_text *command, size_t words, double timeout_s,
                 msw_err *err)
{
    const msw_launches *l = w->all;
    const msw_program *p = l->program;
    msw_text bytes = MSW_TEXT_EMPTY;
    const char *path = path_of(p, msw_text_str(command));
    msw_text_add_bytes(&bytes, path, strlen(path) + 1);
    msw_text_add_bytes(&bytes, w->folder, strlen(w->folder) + 1);
    msw_text_add_bytes(&bytes, msw_text_str(command), command->size);
    msw_text_add_bytes(&bytes, msw_text_str(&l->environment), l->environment.size);
    msw_child_head head = {.bytes = bytes.size,
                           .words = words,
                           .variables = l->variables,
                           .timeout_s = timeout_s,
                           .grace_s = p->limits.grace_s,
                           .memory = p->limits.memory,
                           .output = p->limits.output,
                           .processes = p->limits.processes,
                           .keep = keeps_all(l)};
    int rc = bytes.failed
                 ? msw_fail_memory(err)
                 : msw_supervisor_run(w->supervisor, &head, bytes.data, l->options.stopping,
                                      l->options.stopping_context, &w->end, err);
    msw_text_free(&bytes);
    return rc;
}

static int is_pattern(const msw_launcher *w, const msw_pattern *pattern, msw_err *err)
{
    bool exited = w->end.how == MSW_CHILD_EXITED;
    if (pattern->exit >= 0 && (!exited || w->end.code != pattern->exit))
        return 0;
    return pattern->line ? msw_program_matches(w->folder, pattern->file, pattern->line, err) : 1;
}

static int find_pattern(const msw_launcher *w, const msw_pattern *list, size_t count,
                        const msw_pattern **found, msw_err *err)
{
    *found = NULL;
    for (size_t i = 0; i < count && !*found; i++) {
        int rc = is_pattern(w, &list[i], err);
        if (rc < 0)
            return -1;
        *found = rc ? &list[i] : NULL;
    }
    return 0;
}

/* Why a run that did not end well is no answer. */
static int say_end(const msw_launcher *w, const char *word, msw_err *err)
{
    char last[120];
    const char *name = strsignal(w->end.code);
    msw_program_last_words(w->folder, last, sizeof last);
    const char *colon = *last ? ": " : "";
    switch (w->end.how) {
    case MSW_CHILD_EXITED:
        return msw_fail(err, "exit code %d%s%s", w->end.code, colon, last);
    case MSW_CHILD_SIGNALLED:
        return msw_fail(err, "signal %d (%s)%s%s", w->end.code, name ? name : "unknown", colon,
                        last);
    case MSW_CHILD_NOT_STARTED:
        return msw_fail(err, "'%s' cannot be started: %s", word, strerror(w->end.code));
    case MSW_CHILD_CROWDED:
        return msw_fail(err, "more than %d processes at once: 'limits: {processes: N}' allows more",
                        (int)w->all->program->limits.processes);
    case MSW_CHILD_TIMED_OUT:
    case MSW_CHILD_STOPPED:
        break;
    }
    return msw_fail(err, "timeout");
}

static int check_expected(const msw_launcher *w, const msw_program_scope *scope, msw_err *err)
{
    const msw_program *p = scope->program;
    for (size_t i = 0; i < p->expect_count; i++) {
        msw_text line = MSW_TEXT_EMPTY;
        int rc = msw_program_fill(scope, p->expect[i].line, &line, err);
        int found =
            rc ? -1 : msw_program_matches(w->folder, p->expect[i].file, msw_text_str(&line), err);
        if (found == 0)
            msw_fail(err, "%s has no line '%s': the program took other settings", p->expect[i].file,
                     msw_text_str(&line));
        msw_text_free(&line);
        if (found <= 0)
            return -1;
    }
    return 0;
}

/* Status before values: what was printed on the way to a failure is no answer. Returns 0, -1, or
 * MSW_LAUNCH_EXPIRED. */
static int judge(msw_launcher *w, const msw_program_scope *scope, const char *word, double *metrics,
                 msw_err *err)
{
    const msw_program *p = scope->program;
    if (w->end.how == MSW_CHILD_TIMED_OUT)
        return MSW_LAUNCH_EXPIRED;
    const msw_pattern *unfit = NULL, *failed;
    if (w->end.how != MSW_CHILD_NOT_STARTED)
        MSW_TRY(find_pattern(w, p->infeasible, p->infeasible_count, &unfit, err));
    if (unfit) {
        char last[120];
        msw_program_last_words(w->folder, last, sizeof last);
        return msw_fail_kind(err, MSW_ERR_UNFIT, "%s",
                             unfit->line ? unfit->line
                             : *last     ? last
                                         : "its exit code says so");
    }
    if (w->end.how != MSW_CHILD_EXITED || w->end.code)
        return say_end(w, word, err);
    MSW_TRY(find_pattern(w, p->failed, p->failed_count, &failed, err));
    if (failed)
        return msw_fail(err, "%s has a line '%s'", failed->line ? failed->file : "it",
                        failed->line ? failed->line : "");
    if (w->end.left && !p->leftovers)
        return msw_fail(err,
                        "it ended while %d of its processes went on: 'leftovers: yes' allows that",
                        w->end.left);
    MSW_TRY(check_expected(w, scope, err));
    return msw_program_metrics(p, w->folder, metrics, err);
}

static unsigned cause_of(const msw_launcher *w, const msw_err *err)
{
    static const char *const MEMORY[] = {"bad_alloc", "MemoryError", "out of memory",
                                         "Out of memory", "Cannot allocate memory"};
    if (w->end.how == MSW_CHILD_TIMED_OUT)
        return MSW_RETRY_TIMEOUT;
    for (size_t i = 0; i < sizeof MEMORY / sizeof *MEMORY; i++)
        if (strstr(err->text, MEMORY[i]))
            return MSW_RETRY_MEMORY;
    if (w->end.how == MSW_CHILD_SIGNALLED)
        return w->end.code == SIGKILL ? MSW_RETRY_SIGNAL | MSW_RETRY_MEMORY : MSW_RETRY_SIGNAL;
    return w->end.code || w->end.how != MSW_CHILD_EXITED ? MSW_RETRY_EXIT : MSW_RETRY_OUTPUT;
}

static void leave(msw_launcher *w, int rc, const msw_err *err)
{
    const msw_launches *l = w->all;
    bool bad = rc && err->kind != MSW_ERR_UNFIT && !w->interrupted && !w->broken.kind;
    if (keeps_all(l) || (bad && l->program->limits.keep == MSW_KEEP_FAILED))
        return;
    msw_program_remove(w->folder);
    w->folder[0] = '\0';
}

static int breaks(msw_launcher *w, const msw_err *err)
{
    w->broken = *err;
    w->broken.kind = err->kind == MSW_ERR_INTERNAL ? MSW_ERR_INTERNAL : MSW_ERR_IO;
    return -1;
}

static int attempt(msw_launcher *w, const msw_program_scope *scope, const msw_task *task,
                   double *metrics, msw_err *err)
{
    msw_text command = MSW_TEXT_EMPTY;
    size_t words;
    w->end = (msw_child_end){0};
    w->folder[0] = '\0';
    if (program_files_check(w->all->program, w->all->seen, err))
        return breaks(w, err);
    if (msw_program_command(scope, &command, &words, err)) {
        msw_text_free(&command);
        return -1;
    }
    int rc = program_folder_make(w->all->work, scope, w->folder, err);
    if (rc == 0)
        rc = start(w, &command, words, seconds_left(task, scope->program), err);
    if (rc)
        breaks(w, err);
    else if (w->end.how == MSW_CHILD_STOPPED) {
        w->interrupted = true;
        rc = -1;
    } else {
        rc = judge(w, scope, msw_text_str(&command), metrics, err);
        if (program_folder_is_full(w->folder)) {
            msw_fail_kind(err, MSW_ERR_IO, "the disk of %s is full", w->all->work);
            rc = breaks(w, err);
        }
    }
    if (w->folder[0])
        leave(w, rc, err);
    msw_text_free(&command);
    return rc;
}

/* A line for the table of attempts: when and where, how it ended, what it took, where its files
 * are, and its last words. */
static void note_attempt(msw_launcher *w, const char *said)
{
    static const char *const HOWS[] = {"exit",      "signal",  "timeout",
                                       "processes", "stopped", "not started"};
    char host[64] = "", ended[32];
    struct tm utc;
    const msw_child_end *e = &w->end;
    gethostname(host, sizeof host - 1);
    int64_t now = msw_utc_ns();
    time_t seconds = (time_t)(now / 1000000000);
    strftime(ended, sizeof ended, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &utc));
    msw_text_add(&w->attempts, "%s.%06ldZ\t%s\t%s", ended, (long)(now % 1000000000 / 1000), host,
                 HOWS[e->how]);
    if (e->how == MSW_CHILD_EXITED || e->how == MSW_CHILD_SIGNALLED)
        msw_text_add(&w->attempts, " %d", e->code);
    msw_text_add(&w->attempts, "\t%.6f\t%.6f\t%.0f\t", e->wall_s, e->cpu_s, e->memory_bytes);
    for (const char *part = w->folder[0] ? w->folder : ""; *part; part++)
        msw_text_add(&w->attempts, "%c", strchr("\t\n", *part) ? ' ' : *part);
    msw_text_add(&w->attempts, "\t");
    for (; *said; said++)
        msw_text_add(&w->attempts, "%c", strchr("\t\n", *said) ? ' ' : *said);
    msw_text_add(&w->attempts, "\n");
}

static bool may_retry(const msw_launcher *w, int rc, const msw_err *err)
{
    return rc && !w->interrupted && !w->broken.kind && err->kind != MSW_ERR_UNFIT &&
           (w->all->program->limits.retry_causes & cause_of(w, err));
}

static int attempts(msw_launcher *w, const msw_program_scope *scope, const msw_task *task,
                    double *metrics, msw_err *err)
{
    int rc = 0;
    for (int i = 0; i <= w->all->program->limits.retries; i++) {
        msw_err_clear(err);
        rc = attempt(w, scope, task, metrics, err);
        note_attempt(w, rc < 0 ? err->text : "");
        if (!may_retry(w, rc, err))
            break;
    }
    return rc;
}

/* ---- a point ---- */

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The first answer of a run is asked for twice: a program that gives another one has no business
 * among keys that promise the same bits. */
static int compare_twice(msw_launcher *w, const msw_program_scope *scope, const msw_task *task,
                         const double *metrics, msw_err *err)
{
    const msw_program *p = w->all->program;
    double again[MSW_METRICS_MAX];
    MSW_TRY(attempts(w, scope, task, again, err));
    for (size_t m = 0; m < p->external->metric_count; m++)
        if (!p->readers[m].measured && !is_same(metrics[m], again[m])) {
            msw_fail_kind(err, MSW_ERR_IO,
                          "the same point gave %s %.17g, then %.17g: 'random: yes' in the "
                          "definition gives it @seed@ and replicates, 'measured: yes' says that a "
                          "metric is a time",
                          p->external->metrics[m].name, metrics[m], again[m]);
            return breaks(w, err);
        }
    return 0;
}

static int run(void *context, const msw_task *task, double *metrics, msw_err *err)
{
    msw_launcher *w = context;
    const msw_program *p = w->all->program;
    msw_program_scope scope = {.program = p,
                               .config = task->config,
                               .fidelity = &p->fidelities[task->fidelity],
                               .workload = msw_program_case(p, task->workload->name),
                               .seed = task->stream & 0x7fffffff,
                               .replicate = task->replicate};
    w->interrupted = false;
    msw_err_clear(&w->broken);
    msw_text_clear(&w->attempts);
    if (!scope.workload)
        return msw_fail(err, "no case '%s' in %s", task->workload->name, p->path);
    int rc = attempts(w, &scope, task, metrics, err);
    if (rc == 0 && !atomic_exchange(&w->all->checked, true))
        rc = compare_twice(w, &scope, task, metrics, err);
    return rc;
}

int msw_launcher_new(msw_launches *launches, msw_launcher **launcher, msw_err *err)
{
    msw_launcher *w = calloc(1, sizeof *w);
    if (!w)
        return msw_fail_memory(err);
    w->all = launches;
    w->launch = (msw_launch){.context = w, .run = run};
    if (msw_supervisor_start(launches->options.self, &w->supervisor, err)) {
        free(w);
        return -1;
    }
    *launcher = w;
    return 0;
}

void msw_launcher_free(msw_launcher *launcher)
{
    if (launcher) {
        msw_supervisor_end(launcher->supervisor);
        msw_text_free(&launcher->attempts);
    }
    free(launcher);
}

const msw_launch *msw_launcher_launch(const msw_launcher *launcher)
{
    return &launcher->launch;
}

const char *msw_launcher_attempts(const msw_launcher *launcher)
{
    return msw_text_str(&launcher->attempts);
}

int msw_launcher_outcome(const msw_launcher *launcher, msw_err *err)
{
    if (launcher->broken.kind) {
        if (err)
            *err = launcher->broken;
        return -1;
    }
    return launcher->interrupted;
}

/* ---- the version command ---- */

int msw_launches_version(msw_launches *l, msw_text *text, msw_err *err)
{
    const msw_program *p = l->program;
    msw_text command = MSW_TEXT_EMPTY;
    msw_launcher *w = NULL;
    char *bytes = NULL;
    size_t words = 0, size;
    if (!p->version)
        return 0;
    for (; p->version[words]; words++)
        msw_text_add_bytes(&command, p->version[words], strlen(p->version[words]) + 1);
    double config[512] = {0};
    msw_program_scope scope = {p, config, &p->fidelities[MSW_FULL], &p->cases[0], 0, 0};
    int rc = msw_launcher_new(l, &w, err);
    msw_params_defaults(p->external->params, config);
    if (rc == 0)
        rc = program_folder_make(l->work, &scope, w->folder, err);
    if (rc == 0)
        rc = start(w, &command, words, 60, err);
    if (rc == 0 && (w->end.how != MSW_CHILD_EXITED || w->end.code))
        rc = say_end(w, p->version[0], err) ? msw_fail_prefix(err, "version: ") : -1;
    if (rc == 0 && msw_program_output(w->folder, "stdout", &bytes, &size, err) == 0)
        msw_text_add_bytes(text, bytes, strcspn(bytes, "\n"));
    if (w && w->folder[0])
        msw_program_remove(w->folder);
    free(bytes);
    msw_launcher_free(w);
    msw_text_free(&command);
    return rc;
}

/* SPDX-License-Identifier: MIT */
/* Writes job scripts from the templates in slurm/, gives them to Slurm, and reads what its
 * commands say of jobs. */
#include "cli/slurm/slurm.h"

#include "memsweep/base/program.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/table.h"
#include "memsweep/format/outfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on_path(const char *program)
{
    const char *at = getenv("PATH");
    bool found = false;
    while (at && *at && !found) {
        size_t size = strcspn(at, ":");
        char *path = msw_strfmt("%.*s/%s", size ? (int)size : 1, size ? at : ".", program);
        found = path && access(path, X_OK) == 0;
        free(path);
        at += size + (at[size] == ':');
    }
    return found;
}

int cli_script_need_slurm(const char *sweep, msw_err *err)
{
    if (is_on_path("sbatch"))
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "sbatch was not found on PATH: Slurm is not installed here, or not for "
                         "you; --dry-run prints the job script to submit it by hand, 'memsweep run "
                         "%s' computes on this machine",
                         sweep);
}

int64_t cli_slurm_seconds(const char *time)
{
    /* By the numbers there are: with days in front they start at hours. */
    static const int64_t PLAIN[3][3] = {{60}, {60, 1}, {3600, 60, 1}},
                         BEHIND_DAYS[] = {3600, 60, 1};
    const char *dash = strchr(time, '-');
    int64_t seconds = 0, values[3] = {0};
    char *end = (char *)time;
    int count = 0;
    if (dash) {
        seconds = 86400 * strtoll(time, &end, 10);
        if (end != dash)
            return 0;
        end++;
    }
    for (;; end++) {
        char *start = end;
        if (count == 3 || *start < '0' || *start > '9')
            return 0;
        values[count++] = strtoll(start, &end, 10);
        if (*end != ':')
            break;
    }
    for (int i = 0; i < count; i++)
        seconds += values[i] % 1000000000 * (dash ? BEHIND_DAYS[i] : PLAIN[count - 1][i]);
    return *end ? 0 : seconds;
}

/* The next line about a job: "15 PENDING Priority". Returns it, or NULL. */
static const char *find_line(const char *lines, const char *job)
{
    size_t size = strlen(job);
    lines += lines && *lines == '\n';
    for (const char *line = lines; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, job, size) == 0 && line[size] == ' ')
            return line + size + 1;
    return NULL;
}

/* States of a job's tasks in the order of squeue, each once with its number when there are several:
 * "2 RUNNING, PENDING (Priority)". A job no longer known has ended. */
static void find_state(const char *lines, const char *job, msw_text *state)
{
    char seen[8][64];
    size_t kinds = 0, counts[8] = {0};
    for (const char *at = find_line(lines, job); at; at = find_line(strchr(at, '\n'), job)) {
        char text[64];
        int word = (int)strcspn(at, " \n"), rest = (int)strcspn(at, "\n");
        bool waits = strncmp(at, "PENDING", 7) == 0 && word + 1 < rest;
        snprintf(text, sizeof text, waits ? "%.*s (%.*s)" : "%.*s", word, at, rest - word - 1,
                 at + word + 1);
        size_t k = 0;
        while (k < kinds && strcmp(seen[k], text) != 0)
            k++;
        if (k == kinds && kinds < 8)
            memcpy(seen[kinds++], text, sizeof text);
        if (k < 8)
            counts[k]++;
        if (!strchr(at, '\n'))
            break;
    }
    for (size_t k = 0; k < kinds; k++) {
        msw_text_add(state, "%s", k ? ", " : "");
        if (counts[k] > 1)
            msw_text_add(state, "%zu ", counts[k]);
        msw_text_add(state, "%s", seen[k]);
    }
    if (!kinds)
        msw_text_add(state, "ended");
}

/* A number of Slurm, with those of an array; the file may hold anything. */
static bool is_job(const char *id)
{
    return *id && strspn(id, "0123456789_+") == strlen(id);
}

/* What squeue says about jobs ("12,15"): number, state and reason, a line each. Returns false when
 * it cannot be asked. */
static bool read_states(const char *ids, msw_text *lines)
{
    char *jobs = msw_strfmt("--jobs=%s", ids);
    const char *const argv[] = {"squeue", "--noheader",        "--states=all",
                                jobs,     "--format=%A %T %r", NULL};
    bool asked = jobs && msw_program_read(argv, true, lines) == 0;
    free(jobs);
    return asked;
}

/* squeue forgets a job minutes after its end; sacct, where a site has it, does not. */
bool cli_job_cancelled(const char *id)
{
    msw_text lines = MSW_TEXT_EMPTY;
    const char *const sacct[] = {"sacct", "-X", "-n", "-P", "-o", "State", "-j", id, NULL};
    if (!is_job(id))
        return false;
    if (!read_states(id, &lines) || !strchr(msw_text_str(&lines), ' '))
        msw_program_read(sacct, true, &lines);
    bool cancelled = strstr(msw_text_str(&lines), "CANCELLED") != NULL;
    msw_text_free(&lines);
    return cancelled;
}

int cli_add_job_states(msw_table *jobs, msw_err *err)
{
    msw_text ids = MSW_TEXT_EMPTY, lines = MSW_TEXT_EMPTY;
    const int job = msw_table_find(jobs, "job"),
              state = msw_table_add_column(jobs, "state", "", MSW_GOAL_NONE, err);
    int rc = state < 0 ? -1 : 0;
    for (size_t r = 0; r < jobs->rows; r++) {
        const char *id = jobs->columns[job].labels[(size_t)jobs->columns[job].values[r]];
        if (is_job(id))
            msw_text_add(&ids, "%s%s", ids.size ? "," : "", id);
    }
    bool asked = ids.size && read_states(msw_text_str(&ids), &lines);
    for (size_t r = 0; r < jobs->rows && rc == 0; r++) {
        msw_text text = MSW_TEXT_EMPTY;
        const char *id = jobs->columns[job].labels[(size_t)jobs->columns[job].values[r]];
        if (asked && is_job(id))
            find_state(msw_text_str(&lines), id, &text);
        else
            msw_text_add(&text, "unknown");
        int label = msw_column_label(&jobs->columns[state], msw_text_str(&text), err);
        msw_text_free(&text);
        jobs->columns[state].values[r] = label;
        rc = label < 0 ? -1 : 0;
    }
    msw_text_free(&ids);
    msw_text_free(&lines);
    return rc;
}

enum { PATH_BYTES = 4096 };

void cli_script_free(cli_script *s)
{
    msw_text *const texts[] = {&s->file,       &s->output,    &s->sweep,        &s->options,
                               &s->join,       &s->more,      &s->merge_more,   &s->log,
                               &s->merge_log,  &s->launch,    &s->build_output, &s->build_options,
                               &s->build_more, &s->build_log, &s->prologue,     &s->words,
                               &s->state};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        msw_text_free(texts[i]);
}

static int read_template(const cli *c, const char *kind, char **text, msw_err *err)
{
    size_t size;
    for (const char *const *dir = c->context.data_dirs; *dir; dir++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/slurm/%s.sh.in", *dir, kind);
        if (access(path, R_OK) == 0)
            return msw_read_file(path, text, &size, err);
    }
    return msw_fail_kind(err, MSW_ERR_IO, "no slurm/%s.sh.in in the data folders", kind);
}

static void add_program(const cli *c, msw_text *out)
{
    char path[PATH_BYTES];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size > 0)
        path[size] = '\0';
    msw_text_add_shell(out, size > 0 ? path : c->argv[0]);
}

int cli_script_write(const cli *c, const cli_script *s, const char *kind, msw_text *out,
                     msw_err *err)
{
    char *text = NULL;
    msw_text program = MSW_TEXT_EMPTY, join = MSW_TEXT_EMPTY;
    bool merge = strcmp(kind, "merge") == 0 || strcmp(kind, "next") == 0;
    bool build = strcmp(kind, "artifacts") == 0;
    add_program(c, &program);
    if (s->join.size)
        msw_text_add(&join, "%s%s merge %s || exit 3", msw_text_str(&s->join),
                     msw_text_str(&program), msw_text_str(&s->file));
    const msw_slot slots[] = {
        {"NAME", s->name},
        {"NODES", s->numbers[0]},
        {"TASKS", s->numbers[1]},
        {"CPUS", s->numbers[2]},
        {"MEMORY", s->numbers[3]},
        {"WARNING", s->numbers[4]},
        {"LIVES", s->numbers[5]},
        {"TIME", s->time},
        {"LOG", msw_text_str(merge   ? &s->merge_log
                             : build ? &s->build_log
                                     : &s->log)},
        {"MORE", msw_text_str(merge   ? &s->merge_more
                              : build ? &s->build_more
                                      : &s->more)},
        {"LAUNCH", msw_text_str(&s->launch)},
        {"PROLOGUE", msw_text_str(&s->prologue)},
        {"MEMSWEEP", msw_text_str(&program)},
        {"SWEEP", msw_text_str(&s->sweep)},
        {"FILE", msw_text_str(merge   ? &s->file
                              : build ? &s->build_output
                                      : &s->output)},
        {"OPTIONS", msw_text_str(build ? &s->build_options : &s->options)},
        {"JOIN", msw_text_str(&join)},
        {"ROUND", s->round},
        {"WORDS", msw_text_str(&s->words)},
        {"STATE", msw_text_str(&s->state)},
        {NULL, NULL},
    };
    int rc = read_template(c, build ? "job" : kind, &text, err)
                 ? -1
                 : msw_template_fill(text, slots, out, err);
    free(text);
    out->failed = out->failed || program.failed;
    msw_text_free(&program);
    msw_text_free(&join);
    return rc;
}

static int sbatch(const char *path, const char *after, char id[64], msw_err *err)
{
    msw_text printed = MSW_TEXT_EMPTY;
    char *when = msw_strfmt(after ? "--dependency=%s" : "--hold%.0s", after ? after : "");
    /* A path that starts with '-' would be an option. */
    char *file = msw_strfmt("%s%s", *path == '-' ? "./" : "", path);
    const char *const argv[] = {"sbatch", "--parsable", when, file, NULL};
    int code = when && file ? msw_program_read(argv, false, &printed) : -1;
    const char *text = msw_text_str(&printed);
    size_t size = strcspn(text, ";\n");
    snprintf(id, 64, "%.*s", (int)(size < 63 ? size : 63), text);
    msw_text_free(&printed);
    free(when);
    free(file);
    if (code == MSW_NO_PROGRAM)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "there is no sbatch here: submit where Slurm is; the script is %s",
                             path);
    return code == 0 && *id
               ? 0
               : msw_fail_kind(err, MSW_ERR_IO, "sbatch did not take %s; its own message is above",
                               path);
}

int cli_script_submit(const cli *c, const cli_script *script, const char *kind, const char *file,
                      const char *after, char id[64], msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    char *path = msw_strfmt("%s.%s.sh", file, kind);
    int rc = path ? cli_script_write(c, script, kind, &text, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_outfile_write(path, MSW_OUTPUT_SCRIPT, NULL, &text, err);
    if (rc == 0)
        rc = sbatch(path, after, id, err);
    msw_text_free(&text);
    free(path);
    return rc;
}

void cli_script_cancel(const char *const *ids)
{
    msw_text printed = MSW_TEXT_EMPTY;
    for (; *ids; ids++) {
        const char *const argv[] = {"scancel", *ids, NULL};
        if (**ids)
            msw_program_read(argv, true, &printed);
    }
    msw_text_free(&printed);
}

int cli_script_release(const char *id, msw_err *err)
{
    msw_text printed = MSW_TEXT_EMPTY;
    const char *const argv[] = {"scontrol", "release", id, NULL};
    int code = msw_program_read(argv, false, &printed);
    msw_text_free(&printed);
    return code == 0 ? 0
                     : msw_fail_kind(
                           err, MSW_ERR_IO,
                           "job %s is held: 'scontrol release %s' did not work; it is taken back",
                           id, id);
}

int cli_script_check(const char *option, const char *value, msw_err *err)
{
    for (const char *s = value ? value : ""; *s; s++)
        if ((unsigned char)*s <= ' ' || *s == 0x7f || strchr("\"'\\#%", *s))
            return msw_fail(err,
                            "%s: a line of a job script cannot hold %s%.1s%s: use letters, digits "
                            "and . _ - / : , + = @",
                            option, (unsigned char)*s <= ' ' ? "blanks or line ends" : "'",
                            (unsigned char)*s <= ' ' ? "" : s, (unsigned char)*s <= ' ' ? "" : "'");
    return 0;
}

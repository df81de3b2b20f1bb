/* SPDX-License-Identifier: MIT */
/* Whether a command may start the program of a sweep: what the user allowed, and how many run at
 * once. */
#include "cli/run/launch.h"
#include "cli/run/sweep_run.h"
#include "memsweep/base/context.h"
#include "memsweep/base/quote.h"
#include "memsweep/format/outfile.h"
#include "memsweep/run/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Definitions that the user allowed, one line each in a file of the user's own: the digest, then
 * the path for people. A definition that changed, or lies elsewhere, has another digest. */

enum { ALLOWED_MOST = 16 << 20 };

static char *allowed_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        return msw_strfmt("%s/memsweep/allowed", config);
    return home && home[0] == '/' ? msw_strfmt("%s/.config/memsweep/allowed", home) : NULL;
}

/* Reads the file; what is not there is empty. */
static void read_allowed(const char *path, msw_text *text)
{
    char *bytes = NULL;
    size_t size;
    if (path && msw_read_file_most(path, ALLOWED_MOST, &bytes, &size, NULL) == 0)
        msw_text_add_bytes(text, bytes, size);
    free(bytes);
}

/* Whether the user allowed a definition, as it is now, by `memsweep allow`. Returns the answer. */
static bool is_allowed(const msw_program *program)
{
    char digest[MSW_DIGEST_TEXT], *path = allowed_path();
    size_t digits = MSW_DIGEST_TEXT - 1;
    msw_text text = MSW_TEXT_EMPTY;
    bool found = false;
    msw_digest_text(program->consent, digest);
    read_allowed(path, &text);
    for (const char *at = msw_text_str(&text); at && !found; at = strchr(at, '\n')) {
        at += *at == '\n';
        found = strncmp(at, digest, digits) == 0 && at[digits] == ' ';
    }
    msw_text_free(&text);
    free(path);
    return found;
}

int cli_allow(const msw_program *program, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT], *path = allowed_path();
    msw_text text = MSW_TEXT_EMPTY;
    if (!path)
        return msw_fail_kind(err, MSW_ERR_IO, "neither HOME nor XDG_CONFIG_HOME names a folder");
    char *real = realpath(program->path, NULL);
    read_allowed(path, &text);
    msw_text_add(&text, "%s %s\n", msw_digest_text(program->consent, digest),
                 real ? real : program->path);
    int rc = msw_make_folder(path, err);
    if (rc == 0)
        rc = msw_outfile_write(path, MSW_OUTPUT_TABLE, NULL, &text, err);
    msw_text_free(&text);
    free(real);
    free(path);
    return rc;
}

static bool is_same_file(const char *a, const char *b)
{
    char *one = realpath(a, NULL), *other = realpath(b, NULL);
    bool same = one && other && strcmp(one, other) == 0;
    free(one);
    free(other);
    return same;
}

static int refuse(const msw_program *p, msw_err *err)
{
    msw_text words = MSW_TEXT_EMPTY;
    const char *const *command = p->command ? p->command : p->fidelities[MSW_FULL].command;
    for (size_t i = 0; command && command[i]; i++) {
        msw_text_add(&words, i ? " " : "");
        msw_text_add_shell(&words, command[i]);
    }
    msw_fail(err,
             "this sweep starts a program, which needs your consent: %s\n"
             "say --program %s, or once 'memsweep allow %s'",
             msw_text_str(&words), p->path, p->path);
    msw_text_free(&words);
    return -1;
}

int cli_launch_consent(const msw_plan *plan, const char *named, msw_err *err)
{
    const msw_program *p = plan->program;
    if (plan->by_hand)
        return msw_fail(err,
                        "the answers of this sweep are told ('by: hand'): 'memsweep ask' gives "
                        "its points, 'memsweep tell' takes their answers");
    if (named && !p)
        return msw_fail(err, "--program: the mechanism of this sweep is %s, no program",
                        plan->mech->name);
    if (named && !is_same_file(named, p->path))
        return msw_fail(err, "--program %s: the sweep's program is %s", named, p->path);
    return !p || named || is_allowed(p) ? 0 : refuse(p, err);
}

static bool is_stopping(void *context)
{
    (void)context;
    return *cli_catch_stop() != 0;
}

int cli_launch_open(msw_plan *plan, const cli_launch_ask *ask, msw_launches **launches,
                    msw_err *err)
{
    msw_text version = MSW_TEXT_EMPTY;
    *launches = NULL;
    if (!ask->asked)
        MSW_TRY(cli_launch_consent(plan, ask->program, err));
    if (!plan->program)
        return 0;
    cli_catch_stop();
    msw_launch_options options = {
        .work = ask->work, .keep = ask->keep, .once = ask->once, .stopping = is_stopping};
    int rc = msw_launches_open(plan->program, &options, launches, err);
    if (rc == 0)
        rc = msw_launches_version(*launches, &version, err);
    if (rc == 0)
        rc = msw_plan_set_version(plan, msw_text_str(&version), err);
    if (rc) {
        msw_launches_close(*launches);
        *launches = NULL;
    }
    msw_text_free(&version);
    return rc;
}

void cli_launch_tell_left(const msw_launches *launches, const msw_log *log)
{
    msw_text pids = MSW_TEXT_EMPTY;
    char *folder = launches ? msw_strdup(msw_launches_work(launches)) : NULL;
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    int left = slash ? cli_list_left(folder, &pids) : 0;
    if (left)
        msw_log_line(log, MSW_LOG_WARN,
                     "%d process%s in folders of earlier runs in %s, which nothing watches any "
                     "more: 'kill%s' ends %s",
                     left, left == 1 ? "" : "es", folder, msw_text_str(&pids),
                     left == 1 ? "it" : "them");
    msw_text_free(&pids);
    free(folder);
}

int cli_launch_workers(const msw_plan *plan, int threads)
{
    if (!plan->program)
        return threads;
    const msw_program_limits *l = &plan->program->limits;
    double most = threads / (double)l->cpus;
    double node = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    int beside = msw_ranks_beside();
    if (l->memory > 0 && node > 0)
        most = most < node / l->memory / (beside > 1 ? beside : 1)
                   ? most
                   : node / l->memory / (beside > 1 ? beside : 1);
    return most >= 1 ? (int)most : 1;
}

/* ---- a definition alone ---- */

static int read_file(void *context, const char *path, char **data, size_t *size, msw_err *err)
{
    (void)context;
    return msw_read_file_most(path, MSW_PROGRAM_OUTPUT_MOST, data, size, err);
}

static int identify(void *context, const char *label, const char *path,
                    char digest[MSW_DIGEST_TEXT], msw_err *err)
{
    (void)context, (void)label;
    return msw_program_identify(path, digest, err);
}

int cli_load_program(const char *path, msw_program **program, msw_err *err)
{
    const msw_program_source source = {.read = read_file, .identify = identify};
    char *text;
    size_t size;
    MSW_TRY(msw_read_file_most(path, MSW_PROGRAM_OUTPUT_MOST, &text, &size, err));
    int rc = msw_program_parse(path, text, size, &source, program, err);
    free(text);
    return rc;
}

bool cli_is_definition(const char *word)
{
    size_t size = strlen(word);
    return strchr(word, '/') || (size > 5 && strcmp(word + size - 5, ".yaml") == 0) ||
           (size > 4 && strcmp(word + size - 4, ".yml") == 0);
}

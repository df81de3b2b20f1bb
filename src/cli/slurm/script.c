/* SPDX-License-Identifier: MIT */
#include "cli/slurm/script.h"

#include "memsweep/base/program.h"
#include "memsweep/format/outfile.h"

#include "memsweep/base/quote.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

void cli_script_free(cli_script *s)
{
    msw_text *const texts[] = {&s->file,       &s->output,    &s->sweep,        &s->options,
                               &s->join,       &s->more,      &s->merge_more,   &s->log,
                               &s->merge_log,  &s->launch,    &s->build_output, &s->build_options,
                               &s->build_more, &s->build_log, &s->prologue,     &s->words};
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
        rc = msw_outfile_write(path, MSW_OUTPUT_SCRIPT, NULL, &text, err) ||
                     sbatch(path, after, id, err)
                 ? -1
                 : 0;
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

bool cli_script_states(const char *ids, msw_text *lines)
{
    char *jobs = msw_strfmt("--jobs=%s", ids);
    const char *const argv[] = {"squeue", "--noheader",        "--states=all",
                                jobs,     "--format=%A %T %r", NULL};
    bool asked = jobs && msw_program_read(argv, true, lines) == 0;
    free(jobs);
    return asked;
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

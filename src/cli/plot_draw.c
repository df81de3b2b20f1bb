/* Drawing: the table and the script go to a folder of their own, gnuplot runs, the figure moves to
 * its place. */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_GNUPLOT = 127 };

static int fail_file(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

static int write_table(const msw_table *table, const char *path, msw_err *err)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return fail_file(path, err);
    int rc = msw_report_write(table, MSW_FORMAT_TSV, NULL, out, err);
    return fclose(out) && rc == 0 ? fail_file(path, err) : rc;
}

static int write_text(const msw_text *text, const char *path, msw_err *err)
{
    FILE *out = text->failed ? NULL : fopen(path, "wb");
    if (!out)
        return text->failed ? msw_fail_memory(err) : fail_file(path, err);
    fputs(msw_text_str(text), out);
    return fclose(out) ? fail_file(path, err) : 0;
}

/* ---- gnuplot ---- */

static int spawn(const char *script, const char *messages, pid_t *pid)
{
    extern char **environ;
    /* -d: nobody's own settings, or the same file would give different figures. */
    char *argv[] = {"gnuplot", "-d", (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int rc = posix_spawnp(pid, "gnuplot", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

/* Returns gnuplot's exit code, NO_GNUPLOT when there is none. */
static int run_gnuplot(const char *script, const char *messages)
{
    pid_t pid;
    int status = 0;
    if (spawn(script, messages, &pid))
        return NO_GNUPLOT;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int fail_gnuplot(const cli_figure *f, const char *messages, msw_err *err)
{
    char *text = NULL;
    size_t size = 0;
    msw_read_file(messages, &text, &size, NULL);
    /* It repeats the command first, which may be long; then: "file" line 7: what is wrong. */
    const char *shown = text ? text : "", *said = strstr(shown, "\n\"");
    shown = said ? said + 1 : shown;
    msw_fail_kind(err, MSW_ERR_IO, "%s: gnuplot failed: %s", f->gnuplot_path, shown);
    free(text);
    return -1;
}

/* A PDF says when it was made: the same figure should be the same bytes. */
static int forget_date(const char *path, msw_err *err)
{
    static const char MARK[] = "/CreationDate (D:", DATE[] = "20000101000000";
    char *bytes = NULL;
    size_t size = 0;
    if (msw_read_file(path, &bytes, &size, err))
        return -1;
    for (size_t i = 0; i + sizeof MARK + sizeof DATE < size; i++)
        if (memcmp(bytes + i, MARK, sizeof MARK - 1) == 0)
            memcpy(bytes + i + sizeof MARK - 1, DATE, sizeof DATE - 1);
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes, 1, size, out) == size;
    ok = out && fclose(out) == 0 && ok;
    free(bytes);
    return ok ? 0 : fail_file(path, err);
}

/* ---- one figure ---- */

typedef struct paths {
    char folder[256];
    char *table, *script, *messages; /* in the folder */
    char *part, *output, *kept;      /* in the user's */
} paths;

static int name_paths(const cli_figure *f, paths *at)
{
    const cli_plot *p = f->plot;
    const char *tmp = getenv("TMPDIR");
    snprintf(at->folder, sizeof at->folder, "%.200s/memsweep-plot-XXXXXX",
             tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(at->folder))
        return fail_file(at->folder, p->err);
    at->table = msw_strfmt("%s/table.tsv", at->folder);
    at->script = msw_strfmt("%s/script.gp", at->folder);
    at->messages = msw_strfmt("%s/messages", at->folder);
    at->output = msw_strfmt("%s/%s-%s.%s", p->ask.folder, p->sweep.name, f->name, p->ask.format);
    at->part = msw_strfmt("%s/%s-%s.part", p->ask.folder, p->sweep.name, f->name);
    at->kept = msw_strfmt("%s/%s-%s.tsv", p->ask.folder, p->sweep.name, f->name);
    return at->table && at->script && at->messages && at->output && at->part && at->kept
               ? 0
               : msw_fail_memory(p->err);
}

static void free_paths(paths *at)
{
    char *list[] = {at->table, at->script, at->messages, at->part, at->output, at->kept};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i] && i < 4)
            remove(list[i]);
        free(list[i]);
    }
    rmdir(at->folder);
}

static int keep_table(const cli_figure *f, const paths *at, msw_text *written)
{
    if (write_table(&f->table, at->kept, f->plot->err))
        return -1;
    msw_text_add(written, "%s\n", at->kept);
    return 0;
}

static int take_figure(const cli_figure *f, const paths *at, msw_text *written)
{
    if (strcmp(f->plot->ask.format, "pdf") == 0 && forget_date(at->part, f->plot->err))
        return -1;
    if (rename(at->part, at->output))
        return fail_file(at->output, f->plot->err);
    msw_text_add(written, "%s\n", at->output);
    return f->plot->ask.data ? keep_table(f, at, written) : 0;
}

static int draw(const cli_figure *f, const paths *at, msw_text *written)
{
    msw_text script = MSW_TEXT_EMPTY;
    cli_plot_script(f, at->table, at->part, &script);
    int rc = write_text(&script, at->script, f->plot->err) ||
                     write_table(&f->table, at->table, f->plot->err)
                 ? -1
                 : 0;
    msw_text_free(&script);
    if (rc)
        return -1;
    int code = run_gnuplot(at->script, at->messages);
    if (code == NO_GNUPLOT)
        return keep_table(f, at, written) ? -1 : 1;
    return code ? fail_gnuplot(f, at->messages, f->plot->err) : take_figure(f, at, written);
}

int cli_plot_draw(const cli_figure *f, msw_text *written)
{
    paths at = {0};
    int rc =
        name_paths(f, &at) || cli_make_folder(at.output, f->plot->err) ? -1 : draw(f, &at, written);
    free_paths(&at);
    return rc;
}

/* SPDX-License-Identifier: MIT */
/* Draws recipes, one figure after the other. Table and script go to a folder of their own under
 * names that we choose, gnuplot runs there, the figure goes to its place. No path and no name of
 * others appears in a script. */
#include "memsweep/base/disk.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"
#include "memsweep/figure/figure.h"
#include "memsweep/format/format.h"
#include "memsweep/format/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_GNUPLOT = 127 };

static int fail_file(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

/* ---- the folder gnuplot works in ---- */

static char *in_folder(const char *folder, const char *name)
{
    return msw_strfmt("%s/%s", folder, name);
}

static int write_text(const char *folder, const char *name, const msw_text *text, msw_err *err)
{
    char *path = in_folder(folder, name);
    int fd = path && !text->failed ? msw_disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600) : -1;
    int rc = path && !text->failed ? 0 : msw_fail_memory(err);
    if (rc == 0 && (fd < 0 || msw_disk_write(fd, msw_text_str(text), text->size)))
        rc = fail_file(path, err);
    if (fd >= 0)
        close(fd);
    free(path);
    return rc;
}

/* gnuplot's tables know no quotes: names are labels, numbers are exact. */
static void add_table(const msw_table *table, msw_text *out)
{
    msw_text cell = MSW_TEXT_EMPTY;
    for (size_t c = 0; c < table->column_count; c++) {
        msw_text_add(out, "%s", c ? "\t" : "");
        msw_plot_cell(table->columns[c].name, out);
    }
    msw_text_add(out, "\n");
    for (size_t row = 0; row < table->rows; row++)
        for (size_t c = 0; c < table->column_count; c++) {
            msw_text_clear(&cell);
            msw_format_cell(&table->columns[c], row, true, &cell);
            msw_plot_cell(msw_text_str(&cell), out);
            msw_text_add(out, c + 1 < table->column_count ? "\t" : "\n");
        }
    out->failed = out->failed || cell.failed;
    msw_text_free(&cell);
}

static int write_table(const msw_figure *f, const char *folder, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    add_table(&f->table, &text);
    int rc = write_text(folder, MSW_PLOT_TABLE, &text, err);
    msw_text_free(&text);
    return rc;
}

static int write_script(const msw_figure *f, const char *folder, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_plot_script(f, &text);
    int rc = write_text(folder, "script.gp", &text, err);
    msw_text_free(&text);
    return rc;
}

/* Makes what `target` names known in the folder as `name`; what is not there is left out. */
static int link_to(const char *folder, const char *name, const char *target, msw_err *err)
{
    char *path = in_folder(folder, name), *real = realpath(target, NULL);
    int rc = path ? 0 : msw_fail_memory(err);
    if (rc == 0 && real && msw_disk_link(real, path))
        rc = fail_file(path, err);
    free(path);
    free(real);
    return rc;
}

/* A recipe of the user's loads style.gp from its own folder, or else from memsweep's. */
static int link_folders(const msw_figure *f, const char *folder, msw_err *err)
{
    const char *const *dir = f->plot->context->data_dirs;
    char *own = msw_strdup(f->gnuplot_path), *slash = own ? strrchr(own, '/') : NULL;
    if (slash)
        *slash = '\0';
    int rc = own ? link_to(folder, "recipes0", slash ? own : ".", err) : msw_fail_memory(err);
    for (int i = 0; rc == 0 && dir[i] && i + 1 < MSW_PLOT_FOLDERS; i++) {
        char name[32], *path = msw_strfmt("%s/analysis", dir[i]);
        snprintf(name, sizeof name, "recipes%d", i + 1);
        rc = path ? link_to(folder, name, path, err) : msw_fail_memory(err);
        free(path);
    }
    free(own);
    return rc;
}

static int link_style(const msw_figure *f, const char *folder, msw_err *err)
{
    const char *style = f->plot->options.style;
    if (style && access(style, R_OK))
        return msw_fail(err, "--style %s: %s", style, strerror(errno));
    return style ? link_to(folder, MSW_PLOT_STYLE, style, err) : 0;
}

static int fill_folder(const msw_figure *f, const char *folder, msw_err *err)
{
    MSW_TRY(write_table(f, folder, err));
    MSW_TRY(write_script(f, folder, err));
    MSW_TRY(link_to(folder, MSW_PLOT_RECIPE, f->gnuplot_path, err));
    MSW_TRY(link_style(f, folder, err));
    return link_folders(f, folder, err);
}

/* ---- gnuplot ---- */

static int spawn(char *const *argv, const char *messages, pid_t *pid)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int rc = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns gnuplot's exit code, NO_GNUPLOT when there is none. */
static int run_gnuplot(const char *folder)
{
    msw_text enter = MSW_TEXT_EMPTY;
    char *messages = in_folder(folder, "messages");
    pid_t pid;
    msw_text_add(&enter, "cd ");
    msw_text_add_gnuplot(&enter, folder);
    /* -d: nobody's own settings, or the same file would give different figures. */
    char *const argv[] = {"gnuplot", "-d", "-e", enter.data, "script.gp", NULL};
    int code = !messages || enter.failed          ? -1
               : spawn(argv, messages, &pid) != 0 ? NO_GNUPLOT
                                                  : wait_for(pid);
    free(messages);
    msw_text_free(&enter);
    return code;
}

static int fail_gnuplot(const msw_figure *f, const char *folder, msw_err *err)
{
    char *text = NULL, *messages = in_folder(folder, "messages");
    size_t size = 0;
    if (messages)
        msw_read_file(messages, &text, &size, NULL);
    /* It repeats the command first, which may be long; then: "file" line 7: what is wrong. */
    const char *shown = text ? text : "", *said = strstr(shown, "\n\"");
    shown = said ? said + 1 : shown;
    msw_fail_kind(err, MSW_ERR_IO, "%s: gnuplot failed: %s", f->gnuplot_path, shown);
    free(text);
    free(messages);
    return -1;
}

/* ---- what becomes of it ---- */

/* A PDF says when it was made: the same figure should be the same bytes. */
static void forget_date(char *bytes, size_t size)
{
    static const char MARK[] = "/CreationDate (D:", DATE[] = "20000101000000";
    for (size_t i = 0; i + sizeof MARK + sizeof DATE < size; i++)
        if (memcmp(bytes + i, MARK, sizeof MARK - 1) == 0)
            memcpy(bytes + i + sizeof MARK - 1, DATE, sizeof DATE - 1);
}

static int read_figure(const char *folder, msw_text *bytes, msw_err *err)
{
    char *path = in_folder(folder, MSW_PLOT_OUTPUT), *data = NULL;
    size_t size = 0;
    int rc = path ? msw_read_file(path, &data, &size, err) : msw_fail_memory(err);
    if (rc == 0)
        msw_text_add_bytes(bytes, data, size);
    free(data);
    free(path);
    return rc;
}

void msw_plot_name(const char *sweep, const char *figure, const char *format, msw_text *out)
{
    msw_text_add_file_name(out, sweep);
    msw_text_add(out, "-");
    msw_text_add_file_name(out, figure);
    msw_text_add(out, ".%s", format);
}

static char *output_path(const msw_figure *f, const char *format)
{
    msw_text name = MSW_TEXT_EMPTY;
    msw_plot_name(f->plot->sweep.name, f->name, format, &name);
    char *path =
        name.failed ? NULL : msw_strfmt("%s/%s", f->plot->options.folder, msw_text_str(&name));
    msw_text_free(&name);
    return path;
}

/* Remembers what was written, and takes the path. */
static int add_written(const msw_figure *f, char *path, msw_plot_outcome *all)
{
    char *name = msw_strdup(f->name);
    if (!name || msw_vec_extend(&all->written, all->written_count, sizeof *all->written, NULL)) {
        free(name);
        free(path);
        return msw_fail_memory(f->plot->err);
    }
    all->written[all->written_count++] = (msw_plot_file){path, name};
    return 0;
}

static int keep_table(const msw_figure *f, msw_plot_outcome *all)
{
    msw_err *err = f->plot->err;
    msw_outfile out;
    char *path = output_path(f, "tsv");
    if (!path)
        return msw_fail_memory(err);
    int rc =
        msw_make_folder(path, err) || msw_outfile_open(&out, path, MSW_OUTPUT_TABLE, NULL, err);
    if (rc == 0 && msw_format_write(&f->table, MSW_FORMAT_TSV, NULL, out.file, err)) {
        msw_outfile_drop(&out);
        rc = -1;
    } else if (rc == 0) {
        rc = msw_outfile_keep(&out, err);
    }
    if (rc)
        free(path);
    return rc ? -1 : add_written(f, path, all);
}

static int keep_figure(const msw_figure *f, msw_text *bytes, msw_plot_outcome *all)
{
    const char *format = f->plot->options.format;
    char *path = output_path(f, format);
    if (strcmp(format, "pdf") == 0 && bytes->size)
        forget_date(bytes->data, bytes->size);
    msw_figure_mark(format, bytes);
    int rc = path ? msw_outfile_write(path, MSW_OUTPUT_FIGURE, NULL, bytes, f->plot->err)
                  : msw_fail_memory(f->plot->err);
    if (rc)
        free(path);
    return rc ? -1 : add_written(f, path, all);
}

static int draw_in_folder(const msw_figure *f, const char *folder, msw_plot_outcome *all)
{
    msw_err *err = f->plot->err;
    if (fill_folder(f, folder, err))
        return -1;
    int code = run_gnuplot(folder);
    if (code == NO_GNUPLOT)
        return keep_table(f, all) ? -1 : 1;
    if (code)
        return fail_gnuplot(f, folder, err);
    msw_text bytes = MSW_TEXT_EMPTY;
    int rc = read_figure(folder, &bytes, err);
    if (rc == 0)
        rc = keep_figure(f, &bytes, all);
    msw_text_free(&bytes);
    return rc == 0 && f->plot->options.data ? keep_table(f, all) : rc;
}

/* Writes the figure's table and has it drawn. Says in `outcome` what there is now.
 * Returns 0, 1 when there is no gnuplot, or -1. */
static int draw_recipe(const msw_figure *f, msw_plot_outcome *all)
{
    char *folder = msw_temp_folder(f->plot->err);
    int rc = folder ? draw_in_folder(f, folder, all) : -1;
    msw_temp_remove(folder);
    return rc;
}

void msw_plot_outcome_free(msw_plot_outcome *all)
{
    for (size_t i = 0; i < all->written_count; i++) {
        free(all->written[i].path);
        free(all->written[i].figure);
    }
    free(all->written);
    msw_text_free(&all->skipped);
    *all = (msw_plot_outcome){0};
}

/* A recipe may say in a comment what has to be done first. */
static int fail_empty(const msw_plot *p, const char *query)
{
    static const char FIRST[] = "-- first: ";
    const char *first = strstr(query, FIRST);
    if (first) {
        first += strlen(FIRST);
        return msw_fail(p->err, "nothing to show yet: say %.*s first", (int)strcspn(first, "\n"),
                        first);
    }
    return msw_fail(p->err,
                    "no row of sweep '%s' has what it shows%s%s%s ('memsweep query' lists "
                    "rows and columns)",
                    p->sweep.name, p->options.filter ? " where " : "",
                    p->options.filter ? p->options.filter : "", "");
}

static int read_query(msw_figure *f)
{
    char *query = NULL;
    size_t size = 0;
    int rc =
        msw_read_file(f->query_path, &query, &size, f->plot->err) ? -1 : msw_plot_fill(f, query);
    if (rc == 0 && msw_plot_select(f->plot, &f->sql, &f->table))
        rc = msw_fail_prefix(f->plot->err, "%s: ", f->query_path);
    else if (rc == 0 && !f->table.rows)
        rc = fail_empty(f->plot, query);
    free(query);
    return rc;
}

static int count_figure(msw_figure *f)
{
    size_t metrics = 0;
    for (size_t i = 0; i < MSW_PLOT_METRICS; i++)
        metrics |= (size_t)f->metric_used[i] << i;
    if (msw_plot_count(f->plot))
        return -1;
    f->row_count = f->plot->rows.count;
    f->dropped = f->plot->rows.dropped[metrics];
    return 0;
}

static void free_figure(msw_figure *f)
{
    free(f->query_path);
    free(f->gnuplot_path);
    msw_text_free(&f->axes_list);
    msw_text_free(&f->axes_look);
    msw_text_free(&f->slice);
    msw_text_free(&f->held);
    msw_text_free(&f->stack);
    msw_text_free(&f->sql);
    msw_table_free(&f->table);
}

/* Where nothing was asked for by name, a figure that the sweep has no data for is left out. */
int msw_plot_make(msw_plot *p, const char *name, bool asked, msw_plot_outcome *all)
{
    msw_figure f = {.plot = p, .name = name};
    int rc = msw_plot_find(&f) ? -1 : 0;
    bool fits = rc == 0 && read_query(&f) == 0;
    if (fits)
        rc = count_figure(&f) ? -1 : draw_recipe(&f, all);
    else if (rc == 0 && (asked || p->err->kind != MSW_ERR_USAGE))
        rc = msw_fail_prefix(p->err, "figure '%s': ", name);
    else if (rc == 0)
        msw_text_add(&all->skipped, "  %s: %s\n", name, p->err->text);
    if (fits && rc == 0)
        all->drawn++;
    all->without_gnuplot += rc > 0;
    free_figure(&f);
    return rc < 0 ? -1 : 0;
}

int msw_plot_make_listed(msw_plot *p, const char *list, msw_plot_outcome *all)
{
    int rc = 0;
    for (const char *at = list; *at && rc == 0;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        char *name = msw_strfmt("%.*s", (int)size, at);
        rc = !name ? msw_fail_memory(p->err) : size ? msw_plot_make(p, name, true, all) : 0;
        free(name);
        at += size;
    }
    return rc;
}

int msw_plot_make_all(msw_plot *p, msw_plot_outcome *all)
{
    msw_table names = {0};
    int rc = msw_plot_recipes(p, &names);
    for (size_t i = 0; rc == 0 && i < names.columns[0].label_count; i++)
        rc = msw_plot_make(p, names.columns[0].labels[i], false, all);
    msw_table_free(&names);
    return rc;
}

/* SPDX-License-Identifier: MIT */
/* Where recipes are: the user's own folder first, then `analysis` in the data folders. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/file.h"
#include "memsweep/base/sort.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, FOLDERS = 6 };

/* Returns how many there are. */
static size_t find_folders(const msw_plot *p, char folders[FOLDERS][PATH_BYTES])
{
    size_t count = 0;
    if (p->options.recipes)
        msw_text_fit(folders[count++], PATH_BYTES, p->options.recipes);
    for (const char *const *dir = p->context->data_dirs; *dir && count < FOLDERS; dir++)
        snprintf(folders[count++], PATH_BYTES, "%s/analysis", *dir);
    return count;
}

static bool is_known(const msw_column *column, const char *name)
{
    for (size_t i = 0; i < column->label_count; i++)
        if (strcmp(column->labels[i], name) == 0)
            return true;
    return false;
}

static int add_recipe(msw_table *names, const char *file, msw_err *err)
{
    char name[256];
    size_t size = strlen(file);
    if (size < 5 || size >= sizeof name || strcmp(file + size - 4, ".sql") != 0)
        return 0;
    msw_text_fit(name, size - 3, file);
    return is_known(&names->columns[0], name)
               ? 0
               : msw_table_text_row(names, (const char *const[]){name}, err);
}

static int list_folder(const char *folder, msw_table *names, msw_err *err)
{
    DIR *dir = opendir(folder);
    int rc = 0;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry && rc == 0; entry = readdir(dir))
        rc = add_recipe(names, entry->d_name, err);
    if (dir)
        closedir(dir);
    return rc;
}

int msw_plot_recipes(const msw_plot *p, msw_table *names)
{
    char folders[FOLDERS][PATH_BYTES];
    size_t count = find_folders(p, folders);
    int rc = msw_table_text_column(names, "figure", p->err);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = list_folder(folders[i], names, p->err);
    if (rc)
        return -1;
    msw_column *column = &names->columns[0];
    if (!column->label_count)
        return msw_fail_kind(p->err, MSW_ERR_IO,
                             "no figure recipes (analysis/*.sql) in the data folders: set "
                             "MEMSWEEP_DATA or say --recipes");
    msw_sort_strings(column->labels, column->label_count);
    return 0;
}

static int fail_unknown(const msw_figure *f)
{
    msw_table names = {0};
    msw_text all = MSW_TEXT_EMPTY;
    if (msw_plot_recipes(f->plot, &names)) {
        msw_table_free(&names);
        return -1;
    }
    const msw_column *column = &names.columns[0];
    const char **list = calloc(column->label_count + 1, sizeof *list);
    for (size_t i = 0; i < column->label_count; i++) {
        msw_text_add(&all, "%s%s", i ? ", " : "", column->labels[i]);
        if (list)
            list[i] = column->labels[i];
    }
    const char *best = list ? msw_nearest(f->name, list, sizeof *list) : NULL;
    msw_fail(f->plot->err, "no figure '%s'%s%s%s (there are %s)", f->name,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "",
             msw_text_str(&all));
    free(list);
    msw_text_free(&all);
    msw_table_free(&names);
    return -1;
}

static char *find_file(const msw_plot *p, const char *name, const char *ending)
{
    char folders[FOLDERS][PATH_BYTES];
    size_t count = find_folders(p, folders);
    for (size_t i = 0; i < count; i++) {
        char *path = msw_strfmt("%s/%s%s", folders[i], name, ending);
        if (path && access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

int msw_plot_find(msw_figure *f)
{
    f->query_path = find_file(f->plot, f->name, ".sql");
    f->gnuplot_path = find_file(f->plot, f->name, ".gp");
    if (!f->query_path)
        return fail_unknown(f);
    return f->gnuplot_path
               ? 0
               : msw_fail(f->plot->err, "%s: there is no %s.gp next to it", f->query_path, f->name);
}

/* ---- names in words ---- */

int msw_plot_read_wording(msw_plot *p)
{
    char folders[FOLDERS][PATH_BYTES];
    size_t count = find_folders(p, folders);
    for (size_t i = 0; i < count; i++) {
        size_t size;
        char *path = msw_strfmt("%s/words.tsv", folders[i]);
        bool there = path && access(path, R_OK) == 0;
        int rc = !path   ? msw_fail_memory(p->err)
                 : there ? msw_read_file(path, &p->wording, &size, p->err)
                         : 0;
        free(path);
        if (rc || there)
            return rc;
    }
    return 0;
}

bool msw_plot_in_words(const msw_plot *p, const char *name, int part, msw_text *out)
{
    size_t size = strlen(name);
    const char *line = p->wording;
    while (line && (strncmp(line, name, size) != 0 || line[size] != '\t'))
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    for (; line && part; part--) {
        line += strcspn(line, "\t\n");
        line = *line == '\t' ? line + 1 : NULL;
    }
    if (line)
        msw_text_add_bytes(out, line, strcspn(line, "\t\n"));
    return line != NULL;
}

void msw_plot_wording(const msw_plot *p, msw_text *out)
{
    for (size_t c = 0; c < p->columns.column_count; c++) {
        const char *name = p->columns.columns[c].name;
        msw_text words = MSW_TEXT_EMPTY;
        if (msw_plot_in_words(p, name, 1, &words))
            msw_text_add(out, "|%s=%s", name, msw_text_str(&words));
        msw_text_free(&words);
    }
    msw_text_add(out, "|");
}

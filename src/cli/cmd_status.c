#include "reading.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *format;
} settings;

static const cli_operand OPERANDS[] = {
    {"file", CLI_DATABASE, CLI_OPTIONAL,
     "a database, or the name of a sweep in the results folder; all of that folder when left out",
     offsetof(settings, file), NULL},
    {0},
};

static const cli_option OPTIONS[] = {CLI_FORMAT(settings), {0}};

static const char *const EXAMPLES[] = {"memsweep status", "memsweep status results/quickstart.db",
                                       NULL};

static int print(const cli *c, const char *path, const char *format, bool named)
{
    msw_err err = {0};
    msw_store *store = NULL;
    msw_table table = {0};
    msw_report_style style = {.width = cli_terminal_width(), .no_footer = true};
    int code = cli_open_database(c, path, MSW_STORE_READ, &store, &err) ||
                       msw_store_status(store, &table, &err)
                   ? cli_fail(&err)
                   : EXIT_OK;
    if (code == EXIT_OK && named)
        printf("%s\n", path);
    if (code == EXIT_OK)
        code = cli_print_table(&table, format, &style);
    msw_table_free(&table);
    msw_store_close(store, NULL);
    return code;
}

static int is_database(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 3 && strcmp(entry->d_name + size - 3, ".db") == 0;
}

static int print_folder(const cli *c, const char *format)
{
    const char *dir = cli_results_dir();
    struct dirent **entries = NULL;
    int code = EXIT_OK, count = scandir(dir, &entries, is_database, alphasort);
    if (count <= 0) {
        msw_err err = {0};
        msw_fail_kind(&err, MSW_ERR_IO, "no database in %s/ ('memsweep run' makes one)", dir);
        free(entries);
        return cli_fail(&err);
    }
    bool named = msw_format_find(format) == MSW_FORMAT_TEXT;
    for (int i = 0; i < count; i++) {
        char *path = msw_strfmt("%s/%s", dir, entries[i]->d_name);
        int one = path ? print(c, path, format, named) : EXIT_TROUBLE;
        code = one > code ? one : code;
        free(path);
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    return s->file ? print(c, s->file, s->format, false) : print_folder(c, s->format);
}

const cli_command cli_command_status = {
    .name = "status",
    .doc = "tells what databases hold: sweeps, points answered, last run",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

#include "cli/shards.h"
#include "cli/shared_options.h"
#include "cli/slurm/script.h"
#include "memsweep/results/reading.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *format;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "file", .kind = CLI_DATABASE, .count = CLI_OPTIONAL,
            .help = "a database, or the name of a sweep in the results folder; all of that folder "
                    "when left out",
            .offset = offsetof(settings, file)),
    {0},
};

static const cli_option OPTIONS[] = {CLI_FORMAT(settings), {0}};

static const char *const EXAMPLES[] = {"memsweep status", "memsweep status results/quickstart.db",
                                       NULL};

/* What goes on, below the table of sweeps in the text form. */
static int print_more(msw_store *store, const msw_format_style *style, msw_err *err)
{
    msw_table running = {0}, jobs = {0};
    int code = msw_store_running(store, &running, err) || msw_store_jobs(store, &jobs, err) ||
                       (jobs.rows && cli_add_job_states(&jobs, err))
                   ? cli_fail(err)
                   : EXIT_OK;
    const msw_table *const tables[] = {&running, &jobs};
    for (size_t t = 0; t < 2 && code == EXIT_OK; t++)
        if (tables[t]->rows) {
            printf("\n");
            code = cli_print_table(tables[t], "text", style);
        }
    msw_table_free(&running);
    msw_table_free(&jobs);
    return code;
}

static int print(const cli *c, const char *path, const char *format, bool named)
{
    msw_err err = {0};
    msw_store *store = NULL;
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
    size_t shards = 0;
    int code = msw_open_database(&c->context, path, MSW_STORE_READ, &store, &err) ||
                       msw_store_status(store, &table, &err) ||
                       cli_count_shards(c, path, &table, &shards, &err)
                   ? cli_fail(&err)
                   : EXIT_OK;
    if (code == EXIT_OK && named)
        printf("%s\n", path);
    if (code == EXIT_OK)
        code = cli_print_table(&table, format, &style);
    if (code == EXIT_OK && shards && msw_format_find(format) == MSW_FORMAT_TEXT)
        printf("(with what %zu shard%s beside it hold%s, not merged yet)\n", shards,
               shards == 1 ? "" : "s", shards == 1 ? "s" : "");
    if (code == EXIT_OK && msw_format_find(format) == MSW_FORMAT_TEXT)
        code = print_more(store, &style, &err);
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
    .about = "The text form also shows runs that are going on, with their rate and the time left, "
             "and the jobs 'memsweep submit' gave to Slurm, with their state where squeue can be "
             "asked. Points that the shards of an array have answered are counted before they are "
             "merged. "
             "Looking does not disturb a run.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

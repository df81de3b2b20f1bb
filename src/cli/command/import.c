/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

#include "memsweep/results/import.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *table, *sweep, *inputs, *outputs, *workload, *design, *fidelity, *derive, *limits,
        *file;
    bool quiet, check;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "table", .kind = CLI_FILE, .count = CLI_ONE,
            .help = "a file of comma-separated values whose first line names the columns; - is "
                    "standard input",
            .offset = offsetof(settings, table)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "sweep", .letter = 's', .kind = CLI_TEXT, .arg = "NAME",
            .help = "name of the sweep (default: the name of the table without its ending)",
            .offset = offsetof(settings, sweep)),
    MSW_ROW(.name = "inputs", .letter = 'i', .kind = CLI_TEXT, .arg = "LIST",
            .help = "the columns that were set, e.g. \"cores, 'L2 size' [KiB] log, policy as "
                    "replacement\": after a column its unit, its range A..B, log, text (its "
                    "numbers are words), as NAME",
            .offset = offsetof(settings, inputs)),
    MSW_ROW(.name = "outputs", .letter = 'u', .kind = CLI_TEXT, .arg = "LIST",
            .help = "the columns that were measured, e.g. \"time [ns] min, ipc max\": after a "
                    "column its unit, its goal (min, max), as NAME; a further column NAME_hw holds "
                    "half-widths at 95 %",
            .offset = offsetof(settings, outputs)),
    MSW_ROW(.name = "workload", .letter = 'l', .kind = CLI_TEXT, .arg = "COLUMN",
            .help = "the column whose words are workloads; default: all rows have one workload",
            .offset = offsetof(settings, workload)),
    MSW_ROW(.name = "design", .kind = CLI_CHOICE, .arg = "NAME",
            .help = "how the points were chosen: grid, list, random, lhs, sobol, halton; saltelli "
                    "and morris need the order of their rows, which is checked; default: a grid "
                    "where all combinations are there, else a list",
            .offset = offsetof(settings, design), .choices = msw_import_designs),
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME", .def = "full",
            .help = "what the rows count as: analytic, sampled or full",
            .offset = offsetof(settings, fidelity), .choices = cli_fidelities),
    MSW_ROW(.name = "derive", .kind = CLI_TEXT, .arg = "LIST",
            .help = "columns computed from others, e.g. \"edp = energy * time min\"",
            .offset = offsetof(settings, derive)),
    MSW_ROW(.name = "subject-to", .kind = CLI_TEXT, .arg = "LIST",
            .help = "limits that every analysis keeps to, e.g. \"area <= 3, time < 1e6\"",
            .offset = offsetof(settings, limits)),
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database, instead of results/<name of the sweep>.db",
            .offset = offsetof(settings, file)),
    MSW_ROW(.name = "check", .letter = 'n', .kind = CLI_FLAG,
            .help = "reads and checks the table, and stores nothing",
            .offset = offsetof(settings, check)),
    CLI_QUIET(settings, "prints errors only"),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep import gem5.csv --inputs 'cores, l2 [KiB] log' --outputs 'cycles min, energy [nJ] "
    "min'",
    "memsweep import runs.csv -s runs -i x1,x2 -u 'y min' --workload benchmark -o all.db", NULL};

/* "runs/gem5.csv" is the sweep gem5. */
static char *sweep_name(const settings *s)
{
    if (s->sweep)
        return msw_strdup(s->sweep);
    if (strcmp(s->table, "-") == 0)
        return NULL;
    const char *name = strrchr(s->table, '/');
    name = name ? name + 1 : s->table;
    return msw_strfmt("%.*s", (int)strcspn(name, "."), name);
}

static int store_rows(const cli *c, const msw_import *import, const char *path,
                      msw_import_count *count, msw_err *err)
{
    msw_store *store = NULL;
    cli_who who;
    cli_who_am_i(c, 1, 1, &who);
    int rc = msw_make_folder(path, err) ||
                     msw_store_open(path, MSW_STORE_WRITE, false, &c->context.log, &store, err)
                 ? -1
                 : msw_import_store(import, store, &who.info, count, err);
    msw_text_free(&who.line);
    MSW_TRY(msw_store_close(store, rc ? NULL : err));
    MSW_TRY(rc);
    return 0;
}

static void print_count(const char *path, const msw_import_count *count, msw_text *out)
{
    char added[32], reused[32];
    msw_text_add(out, "%s: ", path);
    if (count->added)
        msw_text_add(out, "%s rows added", msw_count_text(count->added, added));
    if (count->reused)
        msw_text_add(out, "%s%s rows are there%s", count->added ? ", " : "",
                     msw_count_text(count->reused, reused),
                     count->before ? ": the table has grown" : ", of another sweep");
    msw_text_add(out, count->added || count->reused ? "\n" : "nothing new\n");
}

static int store_table(const cli *c, const settings *s, const char *name, const msw_import *import,
                       msw_text *out, msw_err *err)
{
    msw_import_count count;
    char *path = s->file ? msw_strdup(s->file) : msw_strfmt("%s/%s.db", cli_results_dir(), name);
    int rc = path ? store_rows(c, import, path, &count, err) : msw_fail_memory(err);
    if (rc == 0)
        print_count(path, &count, out);
    free(path);
    return rc;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_text out = MSW_TEXT_EMPTY;
    msw_import *import = NULL;
    char *name = sweep_name(s);
    msw_import_ask ask = {s->table,  name,        s->inputs, s->outputs, s->workload,
                          s->design, s->fidelity, s->derive, s->limits};
    int rc = 0;
    if (!name)
        rc = s->sweep || strcmp(s->table, "-") != 0
                 ? msw_fail_memory(&err)
                 : msw_fail(&err,
                            "import: what comes from standard input has no name: --sweep NAME");
    if (rc == 0)
        rc = msw_import_read(&ask, &import, &err);
    if (rc == 0)
        msw_import_note(import, &out);
    if (rc == 0 && !s->check)
        rc = store_table(c, s, name, import, &out, &err);
    msw_import_free(import);
    free(name);
    if (rc == 0 && !s->quiet)
        return cli_print(&out);
    msw_text_free(&out);
    return rc ? cli_fail(&err) : EXIT_OK;
}

const cli_command cli_command_import = {
    .name = "import",
    .doc = "makes a sweep of a table that another program wrote",
    .about = "The table becomes a sweep of a mechanism of its own, with the inputs as parameters "
             "and the outputs as metrics, and every analysis, figure and page works on it. Names "
             "are made of the columns' titles: 'L2 Miss Rate [%]' is l2_miss_rate in %; a column "
             "is found by its title, with or without the unit, or by that name. An empty cell of "
             "an output means that it is not defined in that row; inputs need a value in every "
             "row. Importing the same rows again adds nothing; of a table that has grown the new "
             "rows are added to the sweep.",
    .first = "inputs outputs workload output check",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

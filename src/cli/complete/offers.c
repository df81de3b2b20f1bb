/* SPDX-License-Identifier: MIT */
/* What can be written somewhere: names of tables, files, what a database holds. */
#include "cli/complete/complete.h"

#include "memsweep/mech/engine.h"
#include "memsweep/results/reading.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

void cli_offer(cli_line *l, const char *word)
{
    if (strncmp(word, l->part, strlen(l->part)) != 0 || strpbrk(word, "\n\r"))
        return;
    msw_text_add_bytes(l->out, l->before, l->before_size);
    msw_text_add(l->out, "%s\n", word);
}

void cli_offer_files(cli_line *l, const char *ending)
{
    msw_text_add(l->out, ":files %s\n", ending);
}

static void offer_all(cli_line *l, const char *const *words)
{
    for (; words && *words; words++)
        cli_offer(l, *words);
}

/* Of a list only what comes after the last comma is completed. */
static void start_part(cli_line *l)
{
    const char *comma = strrchr(l->part, ',');
    if (!comma || l->before_size)
        return;
    l->before = l->part;
    l->part = comma + 1 + strspn(comma + 1, " ");
    l->before_size = (size_t)(l->part - l->before);
}

static void offer_names(cli_line *l, cli_what from, cli_what to, const char *owner)
{
    cli_names names = {0};
    if (cli_names_all(&names, false, NULL) == 0)
        for (size_t i = 0; i < names.count; i++)
            if (names.list[i].what >= from && names.list[i].what <= to &&
                (!owner || strcmp(names.list[i].owner, owner) == 0))
                cli_offer(l, names.list[i].name);
    cli_names_free(&names);
}

/* Names of files with an ending in a folder, without it. */
static void offer_stems(cli_line *l, const char *folder, const char *ending)
{
    DIR *dir = opendir(folder);
    size_t cut = strlen(ending);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        size_t size = strlen(e->d_name);
        char *stem = size > cut && strcmp(e->d_name + size - cut, ending) == 0
                         ? msw_strfmt("%.*s", (int)(size - cut), e->d_name)
                         : NULL;
        if (stem)
            cli_offer(l, stem);
        free(stem);
    }
    if (dir)
        closedir(dir);
}

static void offer_sweep_files(cli_line *l)
{
    cli_offer_files(l, "yaml");
    for (const char *const *dir = l->c->context.data_dirs; dir && *dir; dir++) {
        char *folder = msw_strfmt("%s/sweeps", *dir);
        if (folder)
            offer_stems(l, folder, ".yaml");
        free(folder);
    }
}

static void offer_databases(cli_line *l)
{
    cli_offer_files(l, "db");
    offer_stems(l, cli_results_dir(), ".db");
}

/* The names of the sweeps in the database that the line names first. */
static void offer_sweeps(cli_line *l)
{
    msw_store *store = NULL;
    msw_table table = {0};
    if (l->operand_count &&
        msw_open_database(&l->c->context, l->operands[0], MSW_STORE_READ, &store, NULL) == 0 &&
        msw_store_status(store, &table, NULL) == 0) {
        int name = msw_table_find(&table, "sweep");
        for (size_t r = 0; r < table.rows; r++)
            cli_offer(l, table.columns[name].labels[(size_t)table.columns[name].values[r]]);
    }
    msw_table_free(&table);
    msw_store_close(store, NULL);
}

/* Parameters and metrics of a sweep: the columns of its rows. */
static void offer_columns(cli_line *l)
{
    msw_table table = {0};
    cli_sweep sweep;
    start_part(l);
    if (!l->operand_count ||
        cli_sweep_word(&(cli_which){l->sweep, l->fidelity, 0, 0, 0}, &sweep, NULL))
        return;
    msw_query query = {.sweep = sweep.word, .no_rows = true};
    if (msw_read_rows(&l->c->context, l->operands[0], &query, &table, NULL) == 0)
        for (size_t c = 0; c < table.column_count; c++)
            cli_offer(l, table.columns[c].name);
    msw_table_free(&table);
}

/* ---- eval ---- */

static const msw_mech *mechanism(const cli_line *l)
{
    return l->operand_count ? msw_mech_find(l->operands[0]) : NULL;
}

static void offer_details(cli_line *l)
{
    const msw_mech *mech = mechanism(l);
    for (const msw_detail *d = mech ? mech->details : NULL; d && d->name; d++)
        cli_offer(l, d->name);
}

/* "page_size=" and then its choices. Parameters of front ends can be set, too. */
static void offer_setting(cli_line *l)
{
    cli_names names = {0};
    const char *equals = strchr(l->part, '=');
    if (cli_names_all(&names, true, NULL))
        return;
    for (size_t i = 0; mechanism(l) && i < names.count; i++) {
        const cli_named *n = &names.list[i];
        bool own = n->what == CLI_PARAMETER && (strcmp(n->owner, mechanism(l)->name) == 0 ||
                                                (!msw_mech_find(n->owner) && *l->part));
        const msw_param *param = own ? n->thing : NULL;
        char word[160];
        snprintf(word, sizeof word, "%s=", n->name);
        if (own && !equals)
            cli_offer(l, word);
        for (size_t k = 0; own && equals && k < msw_param_choices(param); k++) {
            char value[MSW_PARAM_TEXT];
            snprintf(word, sizeof word, "%s=%s", n->name, msw_param_print(param, (double)k, value));
            cli_offer(l, word);
        }
    }
    cli_names_free(&names);
}

/* ---- options and operands ---- */

static void offer_kind(cli_line *l, cli_kind kind, const char *const *choices)
{
    if (kind == CLI_CHOICE)
        offer_all(l, choices);
    else if (kind == CLI_NAME)
        offer_names(l, CLI_MECHANISM, CLI_METRIC, NULL);
    else if (kind == CLI_SWEEP)
        offer_sweep_files(l);
    else if (kind == CLI_DATABASE)
        offer_databases(l);
    else if (kind == CLI_FILE)
        cli_offer_files(l, "");
}

void cli_offer_option(cli_line *l, const cli_option *o)
{
    static const char *const COLUMNS[] = {"columns", "metric", "factor", "filter",
                                          "order",   "over",   NULL};
    bool reads = l->command->operands && l->command->operands->kind == CLI_DATABASE;
    for (size_t i = 0; COLUMNS[i]; i++)
        if (reads && o->kind != CLI_CHOICE && strcmp(o->name, COLUMNS[i]) == 0) {
            offer_columns(l);
            return;
        }
    if (reads && o->kind == CLI_TEXT && strcmp(o->name, "sweep") == 0)
        offer_sweeps(l);
    else if (strcmp(o->name, "preset") == 0 && mechanism(l))
        offer_names(l, CLI_PRESET, CLI_PRESET, mechanism(l)->name);
    else if (strcmp(o->name, "details") == 0)
        offer_details(l);
    else if (strcmp(o->name, "workload") == 0 && !reads) {
        start_part(l);
        offer_names(l, CLI_WORKLOAD, CLI_WORKLOAD, NULL);
        cli_offer_files(l, "");
    } else
        offer_kind(l, o->kind, o->choices);
}

void cli_offer_operand(cli_line *l, const cli_operand *o)
{
    if (strcmp(o->name, "mechanism") == 0)
        offer_names(l, CLI_MECHANISM, CLI_MECHANISM, NULL);
    else if (strcmp(o->name, "setting") == 0)
        offer_setting(l);
    else {
        offer_kind(l, o->kind, o->choices);
        if (o->kind == CLI_NAME && strcmp(l->command->name, "describe") == 0)
            cli_offer_files(l, "");
    }
}

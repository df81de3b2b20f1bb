/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"
#include "cli/slurm/slurm.h"
#include "memsweep/mech/stated.h"
#include "memsweep/results/reading.h"

#include <dirent.h>
#include <math.h>
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

enum { RUNS_SHOWN = 20 };

/* How far each sweep is, how fast it goes, and what is left: for people in their words, for
 * programs in seconds. */
static int add_progress(msw_table *t, const cli_shards *shards, bool eyes, msw_err *err)
{
    bool any = !eyes; /* columns for what runs, where something does */
    for (size_t r = 0; r < t->rows; r++)
        any = any || (shards->rates[r] > 0 && strcmp(cli_label(t, "state", r), "running") == 0);
    int progress = msw_table_add_column(t, "progress", "%", MSW_GOAL_NONE, err);
    int rate = any ? msw_table_add_column(t, "rows_per_s", "", MSW_GOAL_NONE, err) : 0;
    int left =
        any ? msw_table_add_column(t, eyes ? "left" : "seconds_left", "", MSW_GOAL_NONE, err) : 0;
    if (progress < 0 || rate < 0 || left < 0)
        return -1;
    for (size_t r = 0; r < t->rows; r++) {
        double points = cli_number(t, "points", r), now = shards->rates[r];
        double rows = cli_number(t, "answered", r) + cli_number(t, "failed", r);
        bool runs = now > 0 && strcmp(cli_label(t, "state", r), "running") == 0;
        char text[32];
        bool done = points <= 0 || strcmp(cli_label(t, "state", r), "complete") == 0;
        t->columns[progress].values[r] = done ? 100 : floor(1000 * rows / points) / 10;
        if (!any)
            continue;
        t->columns[rate].values[r] = runs ? now : NAN;
        t->columns[left].values[r] = runs && !eyes ? (points - rows) / now : NAN;
        if (runs && eyes)
            t->columns[left].values[r] = msw_column_label(
                &t->columns[left], msw_duration_text((points - rows) / now, text), err);
    }
    return 0;
}

static void say_shards(const cli_shards *s)
{
    if (s->lacking)
        cli_printf("(with what %zu shard%s beside it hold%s, not merged yet)\n", s->lacking,
                   s->lacking == 1 ? "" : "s", s->lacking == 1 ? "s" : "");
    if (s->several)
        cli_printf(
            "(arrays of different sizes have left shards: the one that got furthest is counted)\n");
    if (s->unread)
        cli_printf("(%zu shard%s cannot be read: just being made, or broken)\n", s->unread,
                   s->unread == 1 ? "" : "s");
}

enum { TRUST_ROWS = 200000 }; /* of more, counting would take seconds */

/* Rows of closed forms for which nothing is stated, and whose errors nobody knows. Nothing is said
 * where that cannot be asked. */
static void say_trust(msw_store *store, const msw_table *t)
{
    for (size_t r = 0; r < t->rows; r++) {
        char outside[32];
        msw_text unknown = MSW_TEXT_EMPTY;
        msw_err err = {0};
        msw_left_out count = {0};
        if (strcmp(cli_label(t, "fidelity", r), "analytic") != 0 ||
            cli_number(t, "answered", r) > TRUST_ROWS)
            continue;
        const char *sweep = cli_label(t, "sweep", r);
        char *name = msw_strfmt("%s@analytic", sweep);
        msw_query query = {.sweep = name, .columns = "point", .trusted = true};
        int rc = name ? msw_store_left_out(store, &query, &count, &err) : -1;
        if (rc == 0 && count.outside)
            cli_printf("%s: %s rows lie outside the region of one or more statements about the "
                       "closed form (column " MSW_STATED_COLUMN ")\n",
                       sweep, msw_count_text(count.outside, outside));
        msw_unknown_note(&count, &unknown);
        if (rc == 0 && unknown.size)
            cli_printf("%s: %s\n", sweep, msw_text_str(&unknown) + strlen("; "));
        msw_text_free(&unknown);
        free(name);
    }
}

/* Says what is kept of sweeps that do not keep all rows. */
static void say_kept(msw_store *store, const msw_table *t)
{
    for (size_t r = 0; r < t->rows; r++) {
        msw_text note = MSW_TEXT_EMPTY;
        cli_note_kept(store, cli_label(t, "sweep", r), &note);
        if (note.size)
            cli_printf("%s\n", msw_text_str(&note));
        msw_text_free(&note);
    }
}

/* How far each search has come: what its statement says, or said last. */
static void say_searches(msw_store *store)
{
    msw_table t = {0};
    msw_query query = {
        .sql = "SELECT s.name, a.kind = 'search', json_extract(a.result, '$.front'), "
               "json_extract(a.result, '$.evaluated') - json_extract(a.result, '$.draws'), "
               "json_extract(a.result, '$.last_gain'), json_extract(a.result, '$.draws'), "
               "json_extract(a.result, '$.missed') FROM msw_sweep AS s JOIN msw_analysis AS a ON "
               "a.id = (SELECT max(id) FROM msw_analysis WHERE sweep = s.id AND kind IN ('search', "
               "'search so far')) WHERE s.is_current ORDER BY s.name"};
    int rc = msw_store_read(store, &query, &t, NULL);
    for (size_t r = 0; rc == 0 && r < t.rows; r++) {
        const double value[] = {t.columns[2].values[r], t.columns[3].values[r],
                                t.columns[4].values[r]};
        cli_printf("%s: the search has a front of %.0f vectors after %.0f evaluations, the last "
                   "gain %.0f of them ago",
                   t.columns[0].labels[(size_t)t.columns[0].values[r]], value[0], value[1],
                   value[1] - value[2]);
        if (t.columns[1].values[r] != 1)
            cli_printf(", and goes on");
        else if (t.columns[5].values[r] > 0)
            cli_printf("; at most %.3g %% of the space extend it (95 %%)",
                       100 * t.columns[6].values[r]);
        cli_printf("\n");
    }
    msw_table_free(&t);
}

/* ---- rows that do not count ---- */

/* The members of "{a: 1, b: {..}}", one at a time: a key and its value. Returns what is behind it,
 * or NULL at the end. */
static const char *next_member(const char *at, msw_text *key, msw_text *value)
{
    int depth = 0;
    bool quoted = false, behind = false;
    msw_text_clear(key);
    msw_text_clear(value);
    while (*at == '{' || *at == ',' || *at == ' ')
        at++;
    for (; *at && *at != '\n'; at++) {
        if (*at == '"' && at[-1] != '\\')
            quoted = !quoted;
        depth += quoted ? 0 : (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth < 0 || (!depth && !quoted && *at == ','))
            break;
        if (!behind && !quoted && *at == ':')
            behind = true;
        else
            msw_text_add_bytes(behind ? value : key, at, 1);
    }
    return key->size ? at : NULL;
}

/* The value of a key, "" where there is none. */
static void find_member(const char *text, const char *name, msw_text *value)
{
    msw_text key = MSW_TEXT_EMPTY;
    while ((text = next_member(text, &key, value)) && strcmp(msw_text_str(&key), name) != 0)
        continue;
    if (!text)
        msw_text_clear(value);
    msw_text_free(&key);
}

/* Names what differs; of files and executables, which. */
static void add_changes(const char *was, const char *is, const char *inside, msw_text *out)
{
    msw_text key = MSW_TEXT_EMPTY, now = MSW_TEXT_EMPTY, before = MSW_TEXT_EMPTY;
    while ((is = next_member(is, &key, &now))) {
        const char *name = msw_text_str(&key), *value = msw_text_str(&now);
        find_member(was, name, &before);
        if (strcmp(value, msw_text_str(&before)) == 0)
            continue;
        if (!inside && strncmp(value, " {", 2) == 0)
            add_changes(msw_text_str(&before) + (before.size > 0), value + 1, name, out);
        else
            msw_text_add(out, "%s%s%s%s", out->size ? ", " : "", inside ? inside : "",
                         inside ? " " : "", name);
    }
    msw_text_free(&key);
    msw_text_free(&now);
    msw_text_free(&before);
}

/* Of programs: a sweep of the same name is there whose definition was another. */
static void say_changed(msw_store *store)
{
    msw_table t = {0};
    msw_query query = {
        .sql =
            "SELECT n.name, substr(o.digest, 1, 8), o.canonical, n.canonical FROM msw_sweep AS n "
            "JOIN msw_sweep AS o ON o.name = n.name AND o.fidelity = n.fidelity AND o.id <> n.id "
            "WHERE n.is_current AND NOT o.is_current ORDER BY n.name, o.id"};
    int rc = msw_store_read(store, &query, &t, NULL);
    for (size_t r = 0; rc == 0 && r < t.rows; r++) {
        static const char LINE[] = "\nprogram: ";
        const char *text[4];
        msw_text changes = MSW_TEXT_EMPTY;
        for (size_t i = 0; i < 4; i++)
            text[i] =
                t.columns[i].labels ? t.columns[i].labels[(size_t)t.columns[i].values[r]] : "";
        const char *was = strstr(text[2], LINE), *is = strstr(text[3], LINE);
        if (was && is) {
            add_changes(was + sizeof LINE - 1, is + sizeof LINE - 1, NULL, &changes);
            was = strstr(text[2], "\nversion: ");
            is = strstr(text[3], "\nversion: ");
            if (was && is && strcmp(was, is) != 0)
                msw_text_add(&changes, "%sits version", changes.size ? ", " : "");
        }
        if (changes.size)
            cli_printf("%s: rows of %s@%s do not count for it: other %s\n", text[0], text[0],
                       text[1], msw_text_str(&changes));
        msw_text_free(&changes);
    }
    msw_table_free(&t);
}

/* Runs and jobs in progress, below the table of sweeps in the text form. */
static int print_more(msw_store *store, const msw_table *running, const msw_format_style *style,
                      msw_err *err)
{
    msw_table jobs = {0};
    int code = msw_store_jobs(store, &jobs, err) || (jobs.rows && cli_add_job_states(&jobs, err))
                   ? cli_fail(err)
                   : EXIT_OK;
    if (running->rows > RUNS_SHOWN)
        cli_printf("\n%zu runs go on\n", running->rows);
    const msw_table *const tables[] = {running, &jobs};
    for (size_t t = 0; t < 2 && code == EXIT_OK; t++)
        if (tables[t]->rows && (t || running->rows <= RUNS_SHOWN)) {
            cli_printf("\n");
            code = cli_print_table(tables[t], "text", style);
        }
    msw_table_free(&jobs);
    return code;
}

static int print(const cli *c, const char *path, const char *format, bool named)
{
    msw_err err = {0};
    msw_store *store = NULL;
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
    cli_shards shards = {0};
    bool eyes = cli_for_eyes(format);
    int code = msw_open_database(&c->context, path, MSW_STORE_READ, &store, &err) ||
                       msw_store_status(store, &table, &err) ||
                       cli_count_shards(c, store, path, &table, &shards, &err) ||
                       add_progress(&table, &shards, eyes, &err)
                   ? cli_fail(&err)
                   : EXIT_OK;
    if (code == EXIT_OK && named)
        cli_printf("%s\n", path);
    if (code == EXIT_OK)
        code = cli_print_table(&table, format, &style);
    if (code == EXIT_OK && eyes) {
        say_shards(&shards);
        say_kept(store, &table);
        say_trust(store, &table);
        say_searches(store);
        say_changed(store);
        code = print_more(store, &shards.running, &style, &err);
    }
    cli_shards_free(&shards);
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
    bool named = cli_for_eyes(format);
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
    .doc = "shows what databases hold: sweeps, points answered, last run",
    .about = "The text form also shows runs that are going on, with their rate and the time left, "
             "and the jobs 'memsweep submit' gave to Slurm, with their state where squeue can be "
             "asked. Points that the shards of an array have answered are counted before they are "
             "merged, and the rates of all that is being written are added up. Looking at a "
             "database does not disturb a run.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/shared_options.h"

#include "memsweep/base/disk.h"
#include "memsweep/results/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    const char *into, *sweep, *conflicts;
    cli_words from;
    bool remove, quiet;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "into", .kind = CLI_DATABASE, .count = CLI_ONE,
            .help = "the database to add to; created when it does not exist",
            .offset = offsetof(settings, into)),
    MSW_ROW(.name = "from", .kind = CLI_DATABASE, .count = CLI_MANY,
            .help = "databases to add, in any order", .offset = offsetof(settings, from)),
    {0},
};

static const char *const RULES[] = {"refuse", "keep", "replace", NULL};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "conflicts", .kind = CLI_CHOICE, .arg = "RULE", .def = "refuse",
            .help = "where two files answer a point differently: refuse to merge, keep the answer "
                    "that is there, or replace it",
            .offset = offsetof(settings, conflicts), .choices = RULES),
    MSW_ROW(.name = "sweep", .letter = 's', .kind = CLI_TEXT, .arg = "NAME",
            .help = "adds this sweep of one database alone, to a database that is new: to pass it "
                    "on without the others",
            .offset = offsetof(settings, sweep)),
    MSW_ROW(.name = "remove", .kind = CLI_FLAG,
            .help = "removes the databases that were added, once all of their rows are in the one "
                    "they were added to",
            .offset = offsetof(settings, remove)),
    CLI_QUIET(settings, "prints errors only"),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep merge all.db part1.db part2.db",
                                       "memsweep merge --conflicts keep all.db old.db",
                                       "memsweep merge --remove all.db part1.db part2.db",
                                       "memsweep merge study.db all.db --sweep study", NULL};

static msw_merge_rule rule_of(const char *word)
{
    int rule = 0;
    while (strcmp(RULES[rule], word) != 0)
        rule++;
    return (msw_merge_rule)rule;
}

static int check_one(const cli *c, const settings *s, const char *path, msw_err *err)
{
    if (access(path, F_OK) && errno == ENOENT)
        return msw_fail_database(&c->context, path, err);
    return msw_store_check_source(path, s->into, err);
}

static int check_only(const settings *s, msw_err *err)
{
    if (!s->sweep || (s->from.count == 1 && access(s->into, F_OK)))
        return 0;
    if (s->from.count > 1)
        return msw_fail(err, "--sweep: found %zu databases to add, expected one", s->from.count);
    return msw_fail(err, "--sweep: %s is there already: one sweep alone goes into a new database",
                    s->into);
}

/* The digest of the plan of a sweep, from the database that holds it. */
static int find_plan(const char *path, const char *sweep, msw_digest *plan, msw_err *err)
{
    msw_sweep_info info = {0};
    msw_store *store = NULL;
    MSW_TRY(msw_store_open(path, MSW_STORE_READ, false, NULL, &store, err));
    int rc = msw_store_sweep(store, sweep, &info, err);
    *plan = info.plan;
    msw_sweep_info_free(&info);
    msw_store_close(store, NULL);
    return rc;
}

static int merge_one(msw_store *store, const settings *s, const char *path, msw_err *err)
{
    uint64_t rows;
    char text[32];
    msw_digest plan;
    if (s->sweep ? find_plan(path, s->sweep, &plan, err) ||
                       msw_store_merge_sweep(store, path, plan, &rows, err)
                 : msw_store_merge(store, path, rule_of(s->conflicts), &rows, err))
        return -1;
    if (!s->quiet)
        cli_printf("%s: %s rows added\n", path, msw_count_text(rows, text));
    return 0;
}

/* What was added is safe only now. A rule under which rows of a database may count for nothing
 * leaves it where it is. */
static int remove_added(const settings *s, msw_err *err)
{
    for (size_t i = 0; i < s->from.count; i++)
        if (msw_disk_remove(s->from.list[i]) && errno != ENOENT) /* one was named twice */
            return msw_fail_kind(err, MSW_ERR_IO, "%s is merged, and cannot be removed: %s",
                                 s->from.list[i], strerror(errno));
    return 0;
}

static int check_remove(const settings *s, msw_err *err)
{
    char *into = realpath(s->into, NULL);
    int rc = 0;
    for (size_t i = 0; s->remove && i < s->from.count && rc == 0; i++) {
        char *from = realpath(s->from.list[i], NULL);
        if (s->sweep || strcmp(s->conflicts, "keep") == 0)
            rc = msw_fail(err, "--remove: with %s not all that %s holds is added",
                          s->sweep ? "--sweep" : "--conflicts keep", s->from.list[i]);
        else if (into && from && strcmp(into, from) == 0)
            rc = msw_fail(err, "--remove: %s would be added to itself", s->into);
        else if (msw_file_lock_held(s->from.list[i]))
            rc =
                msw_fail_kind(err, MSW_ERR_IO, "--remove: %s is being written to", s->from.list[i]);
        free(from);
    }
    free(into);
    return rc;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_store *store = NULL;
    int rc = check_only(s, &err);
    if (rc == 0)
        rc = check_remove(s, &err);
    /* All of them first: what cannot be merged leaves no file behind. */
    for (size_t i = 0; i < s->from.count && rc == 0; i++)
        rc = check_one(c, s, s->from.list[i], &err);
    if (rc == 0)
        rc = msw_store_open(s->into, MSW_STORE_WRITE, false, &c->context.log, &store, &err);
    for (size_t i = 0; i < s->from.count && rc == 0; i++)
        rc = merge_one(store, s, s->from.list[i], &err);
    if (msw_store_close(store, rc ? NULL : &err))
        rc = -1;
    if (rc == 0 && s->remove)
        rc = remove_added(s, &err);
    return rc ? cli_fail(&err) : EXIT_OK;
}

const cli_command cli_command_merge = {
    .name = "merge",
    .doc = "adds the sweeps, runs and rows of databases to another",
    .about =
        "Joins the shards of an array of jobs, or whole databases. The databases read from stay as "
        "they are (--remove: until all is added), and no SQL text in them is run. Rows that are "
        "there already stay: merging twice "
        "changes nothing, and the digest of a sweep does not depend on the order of the files. "
        "Metrics that differ by more than 1e-9 for the same point are a conflict: both rows are "
        "named and nothing of that file is added, unless --conflicts says which counts.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};

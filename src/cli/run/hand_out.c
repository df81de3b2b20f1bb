/* SPDX-License-Identifier: MIT */
/* Hands out points that are to be evaluated elsewhere: what a run would compute next, as keys and
 * values, under a lease. */
#include "cli/run/sweep_run.h"

#include "memsweep/store/lease.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INSTANT_TEXT = 24 };

typedef struct handing {
    const msw_plan *plan;
    const char *fidelity;
    char deadline[INSTANT_TEXT];
    msw_pointer *pointer;
    msw_lease *leases; /* those given now */
    size_t count, room;
    bool json;
    msw_text text;
    msw_table table;
} handing;

static void print_instant(double seconds, char text[INSTANT_TEXT])
{
    time_t when = (time_t)seconds;
    struct tm utc;
    strftime(text, INSTANT_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &utc));
}

/* ---- a point, for programs ---- */

static void add_value(const msw_param *param, double value, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    if (param->kind == MSW_FLAG)
        msw_text_add(out, value != 0 ? "true" : "false");
    else if (param->kind == MSW_CHOICE)
        msw_text_add_json(out, msw_param_print(param, value, text));
    else
        msw_text_add_double(out, value);
}

static void add_values(const msw_plan *plan, const msw_point *point, msw_text *out)
{
    const msw_schema *s = &plan->schema;
    size_t front = plan->workload_frontend[point->workload] + 1;
    const char *before = "";
    for (size_t i = 0; i < s->count; i++) {
        if (i >= s->part_first[1] && (i < s->part_first[front] || i >= s->part_first[front + 1]))
            continue;
        msw_text_add(out, "%s", before);
        msw_text_add_json(out, s->params[i]->name);
        msw_text_add(out, ": ");
        add_value(s->params[i], msw_schema_get(s, i, point->block), out);
        before = ", ";
    }
}

static void add_json(handing *h, const msw_point *point, const char *key)
{
    msw_text_add(&h->text, "%s{\"key\": ", h->count ? ",\n " : "[");
    msw_text_add_json(&h->text, key);
    msw_text_add(&h->text, ", \"workload\": ");
    msw_text_add_json(&h->text, h->plan->workloads[point->workload].name);
    msw_text_add(&h->text, ", \"fidelity\": ");
    msw_text_add_json(&h->text, h->fidelity);
    msw_text_add(&h->text,
                 ", \"replicate\": %llu, \"deadline\": ", (unsigned long long)point->replicate);
    msw_text_add_json(&h->text, h->deadline);
    msw_text_add(&h->text, ", \"values\": {");
    add_values(h->plan, point, &h->text);
    msw_text_add(&h->text, "}}");
}

/* ---- a point, for people: what the sweep varies ---- */

static size_t varied(const msw_plan *plan, size_t *list)
{
    size_t count = 0;
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            list[count++] = plan->space.factors[f].targets[t];
    return count;
}

static int add_row(handing *h, const msw_point *point, const char *key, msw_err *err)
{
    enum { FIRST = 4 };
    const msw_schema *s = &h->plan->schema;
    size_t *list = calloc(s->count + 1, sizeof *list);
    const char **cells = calloc(s->count + FIRST, sizeof *cells);
    char(*texts)[MSW_PARAM_TEXT] = calloc(s->count + 1, sizeof *texts);
    static const char *const NAMES[] = {"key", "workload", "fidelity", "deadline"};
    int rc = list && cells && texts ? 0 : msw_fail_memory(err);
    size_t count = rc ? 0 : varied(h->plan, list);
    for (size_t i = 0; !h->table.rows && i < FIRST + count && rc == 0; i++)
        rc = msw_table_text_column(&h->table,
                                   i < FIRST ? NAMES[i] : s->params[list[i - FIRST]]->name, err);
    for (size_t i = 0; i < count; i++)
        cells[FIRST + i] =
            msw_param_print(s->params[list[i]], msw_schema_get(s, list[i], point->block), texts[i]);
    if (rc == 0) {
        cells[0] = key;
        cells[1] = h->plan->workloads[point->workload].name;
        cells[2] = h->fidelity;
        cells[3] = h->deadline;
        rc = msw_table_text_row(&h->table, cells, err);
    }
    free(list);
    free(cells);
    free(texts);
    return rc;
}

/* ---- choosing them ---- */

static int give(handing *h, uint64_t index, double until, msw_err *err)
{
    msw_point point;
    char key[MSW_DIGEST_TEXT];
    MSW_TRY(msw_pointer_at(h->pointer, index, true, &point, err));
    msw_digest_text(point.key, key);
    if (h->json)
        add_json(h, &point, key);
    else
        MSW_TRY(add_row(h, &point, key, err));
    h->leases[h->count++] = (msw_lease){index, point.key, until};
    return 0;
}

static bool is_missing(const msw_todo *todo, uint64_t point)
{
    return todo->everything || (todo->bitmap && todo->bitmap[point / 64] >> point % 64 & 1);
}

/* In the plan's order; `taken` is sorted by point. */
static int choose(handing *h, const cli_asking *asking, const msw_todo *todo,
                  const msw_lease *taken, size_t taken_count, msw_err *err)
{
    double now = (double)time(NULL);
    print_instant(now + asking->lease, h->deadline);
    for (uint64_t p = 0, t = 0; p < todo->points && h->count < h->room; p++) {
        while (t < taken_count && taken[t].point < p)
            t++;
        bool leased =
            t < taken_count && taken[t].point == p && taken[t].until > now && !asking->again;
        if (!leased && is_missing(todo, p))
            MSW_TRY(give(h, p, now + asking->lease, err));
    }
    return 0;
}

static int print(handing *h, const cli_asking *asking, msw_err *err)
{
    if (!h->json) {
        msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
        return !h->table.rows || cli_print_table(&h->table, asking->format, &style) == EXIT_OK
                   ? 0
                   : msw_fail_kind(err, MSW_ERR_IO, "cannot print");
    }
    msw_text_add(&h->text, h->count ? "]\n" : "[]\n");
    return cli_print(&h->text) == EXIT_OK ? 0 : msw_fail_kind(err, MSW_ERR_IO, "cannot print");
}

int cli_hand_out(cli_sweep_run *r, const msw_plan *plan, int64_t sweep, const msw_todo *todo,
                 msw_err *err)
{
    const cli_asking *asking = r->asking;
    msw_lease *taken = NULL;
    size_t taken_count = 0;
    handing h = {.plan = plan,
                 .fidelity = msw_fidelity_name(plan->fidelity),
                 .json = strcmp(asking->format, "json") == 0};
    h.room = todo->missing < (uint64_t)asking->count ? todo->missing : (size_t)asking->count;
    r->handed = true;
    h.leases = calloc(h.room + 1, sizeof *h.leases);
    int rc = h.leases ? msw_pointer_new(plan, &h.pointer, err) : msw_fail_memory(err);
    if (rc == 0 && h.room)
        rc = msw_store_leases(r->store, sweep, &taken, &taken_count, err);
    if (rc == 0)
        rc = choose(&h, asking, todo, taken, taken_count, err);
    if (rc == 0 && h.count)
        rc = msw_store_lease(r->store, sweep, h.leases, h.count, err);
    if (rc == 0)
        rc = print(&h, asking, err);
    if (rc == 0 && h.count < (size_t)asking->count && todo->missing > h.count)
        fprintf(stderr, "memsweep: %llu points are handed out and not told yet\n",
                (unsigned long long)(todo->missing - h.count));
    msw_pointer_free(h.pointer);
    msw_table_free(&h.table);
    msw_text_free(&h.text);
    free(h.leases);
    free(taken);
    return rc;
}

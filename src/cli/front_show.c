/* The rows of a front as a table. */
#include "front.h"
#include "reading.h"

#include <stdlib.h>

/* The file finds rows by row_id at once; a list of very many is slower than reading all. */
static void add_condition(const cli_front *j, msw_text *out)
{
    enum { LISTED_MOST = 20000 };
    if (j->chosen_count > LISTED_MOST)
        return;
    msw_text_add(out, "row_id IN (");
    for (size_t i = 0; i < j->chosen_count; i++)
        msw_text_add(out, "%s%.0f", i ? "," : "",
                     j->values.columns[CLI_FRONT_ROW_ID].values[j->chosen[i]]);
    msw_text_add(out, ")");
}

static int read_shown(cli_front *j)
{
    msw_text filter = MSW_TEXT_EMPTY, columns = MSW_TEXT_EMPTY;
    if (j->ask.columns) {
        msw_text_add(&columns, "row_id, point");
        for (size_t i = 0; i < j->objectives.count; i++)
            msw_text_add(&columns, ", %s", j->objectives.names[i]);
        msw_text_add(&columns, ", %s", j->ask.columns);
    }
    add_condition(j, &filter);
    msw_query query = {.sweep = j->sweep.name,
                       .columns = columns.size ? columns.data : NULL,
                       .filter = filter.size ? filter.data : NULL,
                       .limit = -1};
    int rc = filter.failed || columns.failed ? msw_fail_memory(j->err)
                                             : msw_store_read(j->store, &query, &j->shown, j->err);
    msw_text_free(&filter);
    msw_text_free(&columns);
    return rc;
}

/* Rows that were read beside the chosen ones (equal points share a row) are dropped: both tables
 * are in the order of the plan. */
static int match_rows(cli_front *j)
{
    int point = msw_table_find(&j->shown, "point");
    size_t *rows = malloc((j->chosen_count + 1) * sizeof *rows);
    if (point < 0 || !rows) {
        free(rows);
        return point < 0 ? msw_fail_kind(j->err, MSW_ERR_INTERNAL, "a view without 'point'")
                         : msw_fail_memory(j->err);
    }
    size_t k = 0;
    const double *points = j->shown.columns[point].values;
    for (size_t r = 0; r < j->shown.rows && k < j->chosen_count; r++)
        if (points[r] == j->values.columns[CLI_FRONT_POINT].values[j->chosen[k]])
            rows[k++] = r;
    int rc = k == j->chosen_count ? cli_keep_rows(&j->shown, rows, k, j->err)
                                  : msw_fail_kind(j->err, MSW_ERR_IO,
                                                  "the file changed while it was read: try again");
    free(rows);
    return rc;
}

static int add_column(cli_front *j, const char *name, size_t to,
                      double (*value)(const cli_front *, size_t))
{
    int c = msw_table_add_column(&j->shown, name, "", MSW_GOAL_NONE, j->err);
    if (c < 0)
        return -1;
    for (size_t i = 0; i < j->chosen_count; i++)
        j->shown.columns[c].values[i] = value(j, j->chosen[i]);
    cli_move_column(&j->shown, (size_t)c, to);
    return 0;
}

static double rank_of(const cli_front *j, size_t row)
{
    return j->rank[row];
}

static double crowding_of(const cli_front *j, size_t row)
{
    return j->crowding[row];
}

static double knee_of(const cli_front *j, size_t row)
{
    return j->knees[j->group ? j->group[row] : 0].row == row;
}

/* Objectives lead, after what the analysis adds. */
static int add_columns(cli_front *j)
{
    size_t front = 0;
    if ((j->ask.ranks > 1 && add_column(j, "rank", front++, rank_of)) ||
        (j->ask.crowding && add_column(j, "crowding", front++, crowding_of)) ||
        (j->ask.knee && add_column(j, "knee", front++, knee_of)))
        return -1;
    for (size_t i = 0; i < j->objectives.count; i++) {
        int c = msw_table_find(&j->shown, j->objectives.names[i]);
        if (c >= (int)front)
            cli_move_column(&j->shown, (size_t)c, front++);
    }
    return 0;
}

/* ---- order ---- */

typedef struct place {
    uint32_t group;
    int32_t rank;
    double value;
    size_t at; /* in `chosen` */
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static void find_places(const cli_front *j, place *places)
{
    double sign = j->objectives.goals[0] == MSW_GOAL_HIGHER ? -1 : 1;
    for (size_t i = 0; i < j->chosen_count; i++) {
        size_t r = j->chosen[i];
        places[i] = (place){j->group ? j->group[r] : 0, j->rank[r],
                            sign * j->values.columns[CLI_FRONT_OBJECTIVES].values[r], i};
    }
    qsort(places, j->chosen_count, sizeof *places, compare);
}

static int sort_rows(cli_front *j)
{
    size_t n = j->chosen_count;
    place *places = malloc((n + 1) * sizeof *places);
    size_t *order = malloc((n + 1) * sizeof *order), *chosen = malloc((n + 1) * sizeof *chosen);
    int rc = places && order && chosen ? 0 : msw_fail_memory(j->err);
    if (rc == 0) {
        find_places(j, places);
        for (size_t i = 0; i < n; i++) {
            order[i] = places[i].at;
            chosen[i] = j->chosen[places[i].at];
        }
        rc = cli_keep_rows(&j->shown, order, n, j->err);
        free(j->chosen);
        j->chosen = chosen;
        chosen = NULL;
    }
    free(places);
    free(order);
    free(chosen);
    return rc;
}

int cli_front_show(cli_front *j)
{
    return read_shown(j) || match_rows(j) || sort_rows(j) || add_columns(j) ? -1 : 0;
}

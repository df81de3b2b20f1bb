/* The rows of a front as a table. */
#include "front.h"
#include "reading.h"

#include <stdlib.h>

/* The file finds rows by row_id at once, so they are read in portions that fit an expression.
 * Returns the number of rows listed. */
static size_t add_condition(const cli_front *j, size_t first, msw_text *out)
{
    enum { CHARACTERS = 8000 };
    size_t i = first;
    msw_text_add(out, "row_id IN (");
    for (; i < j->chosen_count && out->size < CHARACTERS && !out->failed; i++)
        msw_text_add(out, "%s%.0f", i > first ? "," : "",
                     j->values.columns[CLI_FRONT_ROW_ID].values[j->chosen[i]]);
    msw_text_add(out, ")");
    return i - first;
}

static void add_columns_wanted(const cli_front *j, msw_text *out)
{
    if (!j->ask.columns)
        return;
    msw_text_add(out, "point");
    for (size_t i = 0; i < j->objectives.count; i++)
        msw_text_add(out, ", %s", j->objectives.names[i]);
    msw_text_add(out, ", %s", j->ask.columns);
}

static int read_portion(cli_front *j, const char *columns, size_t *next)
{
    msw_text filter = MSW_TEXT_EMPTY;
    msw_table portion = {0};
    *next += add_condition(j, *next, &filter);
    msw_query query = {.sweep = j->sweep.name,
                       .columns = *columns ? columns : NULL,
                       .filter = msw_text_str(&filter),
                       .limit = -1};
    int rc = filter.failed ? msw_fail_memory(j->err)
                           : msw_store_read(j->store, &query, &portion, j->err);
    if (rc == 0)
        rc = cli_append_rows(&j->shown, &portion, j->err);
    msw_text_free(&filter);
    msw_table_free(&portion);
    return rc;
}

static int read_shown(cli_front *j)
{
    msw_text columns = MSW_TEXT_EMPTY;
    size_t next = 0;
    add_columns_wanted(j, &columns);
    int rc = columns.failed ? msw_fail_memory(j->err) : 0;
    do
        rc = rc ? rc : read_portion(j, msw_text_str(&columns), &next);
    while (rc == 0 && next < j->chosen_count);
    msw_text_free(&columns);
    return rc;
}

typedef struct read_row {
    double point;
    size_t row;
} read_row;

static int by_point(const void *a, const void *b)
{
    const read_row *x = a, *y = b;
    return (x->point > y->point) - (x->point < y->point);
}

/* Finds the row of each chosen point; rows read beside them (equal points share one) are dropped.
 */
static int find_rows(const cli_front *j, read_row *found, size_t *rows)
{
    int column = msw_table_find(&j->shown, "point");
    if (column < 0)
        return msw_fail_kind(j->err, MSW_ERR_INTERNAL, "a view without the column 'point'");
    for (size_t r = 0; r < j->shown.rows; r++)
        found[r] = (read_row){j->shown.columns[column].values[r], r};
    qsort(found, j->shown.rows, sizeof *found, by_point);
    for (size_t i = 0; i < j->chosen_count; i++) {
        read_row wanted = {j->values.columns[CLI_FRONT_POINT].values[j->chosen[i]], 0};
        const read_row *at = bsearch(&wanted, found, j->shown.rows, sizeof *found, by_point);
        if (!at)
            return msw_fail_kind(j->err, MSW_ERR_IO,
                                 "the file changed while it was read: try again");
        rows[i] = at->row;
    }
    return 0;
}

static int match_rows(cli_front *j)
{
    read_row *found = malloc((j->shown.rows + 1) * sizeof *found);
    size_t *rows = malloc((j->chosen_count + 1) * sizeof *rows);
    int rc = found && rows ? find_rows(j, found, rows) : msw_fail_memory(j->err);
    if (rc == 0)
        rc = cli_keep_rows(&j->shown, rows, j->chosen_count, j->err);
    free(found);
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

static double share_of(const cli_front *j, size_t row)
{
    return j->share[row];
}

static double probability_of(const cli_front *j, size_t row)
{
    return j->standing[row].probability;
}

static double certain_of(const cli_front *j, size_t row)
{
    return j->standing[row].verdict == MSW_FRONT_CERTAIN;
}

static double measured_of(const cli_front *j, size_t row)
{
    return j->rank[row] == 0;
}

static double sample_of(const cli_front *j, size_t row)
{
    return j->standing[row].sample_more;
}

static int add_doubts(cli_front *j, size_t *front)
{
    return add_column(j, "probability", (*front)++, probability_of) ||
                   add_column(j, "certain", (*front)++, certain_of) ||
                   add_column(j, "measured_front", (*front)++, measured_of) ||
                   add_column(j, "sample_more", (*front)++, sample_of)
               ? -1
               : 0;
}

/* Objectives lead, after what the analysis adds. */
static int add_columns(cli_front *j)
{
    size_t front = 0;
    if ((j->ask.ranks > 1 && add_column(j, "rank", front++, rank_of)) ||
        (j->ask.crowding && add_column(j, "crowding", front++, crowding_of)) ||
        (j->ask.knee && add_column(j, "knee", front++, knee_of)) ||
        (j->ask.exclusive && add_column(j, "exclusive", front++, share_of)) ||
        (j->ask.uncertain && add_doubts(j, &front)))
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
        places[i] = (place){j->group ? j->group[r] : 0, j->ask.uncertain ? 0 : j->rank[r],
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

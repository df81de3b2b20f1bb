/* SPDX-License-Identifier: MIT */
/* How many rows take part in figures, and which factors vary in them: found once for all of them.
 */
#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"

/* Appends the count of rows that have a value for each of a set of metrics. */
static void add_count(const msw_plot *p, size_t metrics, msw_text *sql)
{
    msw_text_add(sql, ", coalesce(sum(status = 'ok'");
    for (size_t i = 0; i < MSW_PLOT_METRICS && i < p->metric_count; i++)
        if (metrics >> i & 1) {
            msw_text_add(sql, " AND ");
            msw_text_add_sql_name(sql, p->metrics[i]);
            msw_text_add(sql, " IS NOT NULL");
        }
    msw_text_add(sql, "), 0)");
}

/* How many rows take part, and how many of them have no value for what is shown: for all figures in
 * one pass. */
static int count_rows(msw_plot *p)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table counts = {0};
    msw_text_add(&sql, "SELECT count(*)");
    for (size_t metrics = 0; metrics < 1 << MSW_PLOT_METRICS; metrics++)
        add_count(p, metrics, &sql);
    msw_text_add(&sql, " FROM (%s)", msw_text_str(&p->rows));
    if (msw_plot_select(p, &sql, &counts))
        return -1;
    p->row_count = (uint64_t)counts.columns[0].values[0];
    for (size_t metrics = 0; metrics < 1 << MSW_PLOT_METRICS; metrics++)
        p->dropped[metrics] = p->row_count - (uint64_t)counts.columns[1 + metrics].values[0];
    msw_table_free(&counts);
    return 0;
}

/* A filter may leave but one value of a factor. Each query ends at the second. */
static int find_varying(msw_plot *p)
{
    for (size_t i = 0; i < p->factor_count; i++) {
        msw_text sql = MSW_TEXT_EMPTY;
        msw_table values = {0};
        msw_text_add(&sql, "SELECT DISTINCT ");
        msw_text_add_sql_name(&sql, p->factors[i]);
        msw_text_add(&sql, " FROM (%s) WHERE ", msw_text_str(&p->rows));
        msw_text_add_sql_name(&sql, p->factors[i]);
        msw_text_add(&sql, " IS NOT NULL LIMIT 2");
        if (msw_plot_select(p, &sql, &values))
            return -1;
        p->varies[i] = values.rows > 1;
        msw_table_free(&values);
    }
    return 0;
}

int msw_plot_count(msw_plot *p)
{
    if (!p->counted && (count_rows(p) || find_varying(p)))
        return -1;
    p->counted = true;
    return 0;
}

/* Pairs, and what is measured on them. */
#include "agree.h"
#include "grouping.h"

#include "memsweep/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

static int key_order(msw_digest a, msw_digest b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

static int find_group(const cli_agree_ask *ask, cli_agree_match *m, cli_agree_pair *pair,
                      msw_text *name, msw_err *err)
{
    size_t column = CLI_AGREE_METRIC + CLI_AGREE_PER_METRIC * ask->metric_count;
    size_t count = ask->group_by ? cli_list_count(ask->group_by) : 0;
    msw_text_clear(name);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(name, i ? ", " : "");
        cli_agree_text(m->candidates, pair->candidate, column + i, name);
    }
    for (size_t g = m->group_count; g-- > 0;)
        if (strcmp(m->groups[g], msw_text_str(name)) == 0) {
            pair->group = (uint32_t)g;
            return 0;
        }
    char **groups = realloc(m->groups, (m->group_count + 1) * sizeof *groups);
    if (!groups)
        return msw_fail_memory(err);
    m->groups = groups;
    groups[m->group_count] = msw_strdup(msw_text_str(name));
    pair->group = (uint32_t)m->group_count;
    return groups[m->group_count++] ? 0 : msw_fail_memory(err);
}

/* Both lists are sorted by key: one pass over each. */
static void join(cli_agree_match *m)
{
    const cli_agree_side *a = m->candidates, *b = m->references;
    size_t i = a->first[m->candidate], j = b->first[m->reference];
    while (i < a->first[m->candidate + 1] && j < b->first[m->reference + 1]) {
        int order = key_order(a->rows[i].key, b->rows[j].key);
        if (order == 0)
            m->pairs[m->n++] = (cli_agree_pair){&a->rows[i], &b->rows[j], 0};
        i += order <= 0;
        j += order >= 0;
    }
}

/* By table and row of the candidate: the order of the plan. */
static int by_place(const void *a, const void *b)
{
    const cli_agree_row *x = ((const cli_agree_pair *)a)->candidate,
                        *y = ((const cli_agree_pair *)b)->candidate;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

int cli_agree_find(const cli_agree_ask *ask, cli_agree_match *m, msw_err *err)
{
    const size_t *first = &m->candidates->first[m->candidate];
    m->pairs = malloc((first[1] - first[0] + 1) * sizeof *m->pairs);
    if (!m->pairs)
        return msw_fail_memory(err);
    m->grouped = ask->group_by != NULL;
    join(m);
    qsort(m->pairs, m->n, sizeof *m->pairs, by_place);
    msw_text name = MSW_TEXT_EMPTY;
    int rc = 0;
    for (size_t i = 0; i < m->n && rc == 0; i++)
        rc = find_group(ask, m, &m->pairs[i], &name, err);
    msw_text_free(&name);
    return rc;
}

void cli_agree_drop(cli_agree_match *m)
{
    for (size_t g = 0; g < m->group_count; g++)
        free(m->groups[g]);
    free(m->groups);
    free(m->pairs);
}

/* ---- measures ---- */

typedef struct columns {
    double *memory;
    cli_agree_values values;
    uint32_t *bound[2];
    size_t n;
} columns;

static int columns_new(columns *c, size_t n, msw_err *err)
{
    *c = (columns){
        .memory = malloc((4 * n + 1) * sizeof(double)),
        .bound = {malloc((n + 1) * sizeof(uint32_t)), malloc((n + 1) * sizeof(uint32_t))}};
    double *m = c->memory;
    if (!m || !c->bound[0] || !c->bound[1])
        return msw_fail_memory(err);
    c->values = (cli_agree_values){m, m + n, m + 2 * n, m + 3 * n, 0};
    return 0;
}

static void columns_free(columns *c)
{
    free(c->memory);
    free(c->bound[0]);
    free(c->bound[1]);
}

static void fill(const cli_agree_match *m, uint32_t group, size_t metric, cli_agree_values *v)
{
    size_t column = CLI_AGREE_METRIC + CLI_AGREE_PER_METRIC * metric;
    v->n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const cli_agree_row *own = m->pairs[i].candidate;
        if (m->pairs[i].group != group)
            continue;
        v->candidate[v->n] = cli_agree_value(m->candidates, own, column);
        v->reference[v->n] = cli_agree_value(m->references, m->pairs[i].reference, column);
        v->half[v->n] = cli_agree_value(m->candidates, own, column + CLI_AGREE_HALF);
        v->inside[v->n++] = cli_agree_value(m->candidates, own, column + CLI_AGREE_INSIDE);
    }
}

static void start_row(const cli_agree_ask *ask, const cli_agree_match *m, uint32_t group,
                      const char *metric, cli_sheet *sheet)
{
    cli_sheet_row(sheet);
    if (m->grouped)
        cli_sheet_text(sheet, ask->group_by, m->groups[group]);
    cli_sheet_text(sheet, "candidate", msw_fidelity_name((msw_fidelity)m->candidate));
    cli_sheet_text(sheet, "reference", msw_fidelity_name((msw_fidelity)m->reference));
    cli_sheet_text(sheet, "metric", metric);
}

static void set_share(cli_sheet *sheet, const char *name, const msw_share *share)
{
    char part[32];
    if (!share->n)
        return;
    cli_sheet_number(sheet, name, share->value);
    snprintf(part, sizeof part, "%s_low", name);
    cli_sheet_number(sheet, part, share->low);
    snprintf(part, sizeof part, "%s_high", name);
    cli_sheet_number(sheet, part, share->high);
}

static int measure_metric(const cli_agree_ask *ask, const cli_agree_match *m, uint32_t group,
                          size_t metric, double confidence, cli_agree_values *v, cli_sheet *sheet)
{
    msw_agreement_result result;
    fill(m, group, metric, v);
    msw_pairs pairs = {v->n, v->candidate, v->reference,
                       m->candidate == MSW_SAMPLED ? v->half : NULL};
    const msw_agreement *stated = cli_agree_stated(ask->mech, ask->metrics[metric]);
    if (msw_agreement_measure(&pairs, confidence, &result, sheet->err))
        return -1;
    if (!result.used && !ask->filter && m->n)
        return 0;
    start_row(ask, m, group, ask->metrics[metric], sheet);
    cli_sheet_count(sheet, "used", result.used);
    cli_sheet_count(sheet, "dropped", result.dropped);
    cli_sheet_number(sheet, "bias", result.bias);
    cli_sheet_number(sheet, "median", result.median);
    cli_sheet_number(sheet, "p95", result.p95);
    cli_sheet_number(sheet, "worst", result.worst);
    cli_sheet_number(sheet, "tau", result.tau);
    if (result.zero_reference)
        cli_sheet_count(sheet, "zero_reference", result.zero_reference);
    set_share(sheet, "covered", &result.covered);
    if (stated && m->candidate == MSW_ANALYTIC && m->reference == MSW_FULL)
        cli_agree_verdict(stated, v, sheet);
    return 0;
}

/* Labels of two tables have their own numbers, so names are told apart by their digest. */
static uint32_t bound_of(const cli_agree_side *side, const cli_agree_row *row, msw_text *text)
{
    msw_text_clear(text);
    cli_agree_text(side, row, CLI_AGREE_BOUND_BY, text);
    return text->size ? (uint32_t)msw_hash_string(msw_text_str(text)).lo | 1 : 0;
}

static void measure_bottleneck(const cli_agree_ask *ask, const cli_agree_match *m, uint32_t group,
                               double confidence, columns *c, cli_sheet *sheet)
{
    msw_text text = MSW_TEXT_EMPTY;
    c->n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->pairs[i].group != group)
            continue;
        c->bound[0][c->n] = bound_of(m->candidates, m->pairs[i].candidate, &text);
        c->bound[1][c->n++] = bound_of(m->references, m->pairs[i].reference, &text);
    }
    msw_text_free(&text);
    msw_share same = msw_agreement_category(c->bound[0], c->bound[1], c->n, 0, confidence);
    if (!same.n)
        return;
    start_row(ask, m, group, "bound_by", sheet);
    cli_sheet_count(sheet, "used", same.n);
    cli_sheet_count(sheet, "dropped", c->n - same.n);
    set_share(sheet, "same", &same);
}

int cli_agree_measure(const cli_agree_ask *ask, const cli_agree_match *m, double confidence,
                      cli_sheet *sheet)
{
    columns c;
    int rc = columns_new(&c, m->n, sheet->err);
    for (uint32_t g = 0; g < m->group_count && rc == 0; g++) {
        for (size_t i = 0; i < ask->metric_count && rc == 0; i++)
            rc = measure_metric(ask, m, g, i, confidence, &c.values, sheet);
        if (rc == 0)
            measure_bottleneck(ask, m, g, confidence, &c, sheet);
    }
    columns_free(&c);
    return rc;
}

/* ---- the worst pairs ---- */

typedef struct error {
    double size;
    size_t pair;
} error;

static int by_size(const void *a, const void *b)
{
    const error *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->pair < y->pair ? -1 : 1;
}

static bool differs(const cli_agree_side *s, const cli_agree_row *x, const cli_agree_row *y,
                    size_t param)
{
    if (x->table != y->table)
        return true;
    const double *values = s->tables[x->table].columns[param].values;
    return values[x->row] != values[y->row] && !(isnan(values[x->row]) && isnan(values[y->row]));
}

/* Which parameters of the first pair's table differ among the pairs. */
static bool *find_varying(const cli_agree_match *m)
{
    const cli_agree_row *first = m->pairs[0].candidate;
    size_t count = m->candidates->param_count[first->table];
    bool *varies = calloc(count + 1, sizeof *varies);
    for (size_t i = 1; varies && i < m->n; i++)
        for (size_t c = 0; c < count; c++)
            varies[c] |= differs(m->candidates, first, m->pairs[i].candidate, c);
    return varies;
}

static void show_params(const cli_agree_match *m, const cli_agree_row *row, const bool *varies,
                        cli_sheet *sheet)
{
    const msw_table *table = &m->candidates->tables[row->table];
    for (size_t c = 0; c < m->candidates->param_count[row->table]; c++) {
        const msw_column *column = &table->columns[c];
        double value = column->values[row->row];
        if (row->table == m->pairs[0].candidate->table && !varies[c])
            continue;
        if (column->labels)
            cli_sheet_text(sheet, column->name,
                           isnan(value) ? NULL : column->labels[(size_t)value]);
        else
            cli_sheet_number(sheet, column->name, value);
    }
}

static void show_pair(const cli_agree_ask *ask, const cli_agree_match *m,
                      const cli_agree_pair *pair, const bool *varies, cli_sheet *sheet)
{
    double a = cli_agree_value(m->candidates, pair->candidate, CLI_AGREE_METRIC);
    double b = cli_agree_value(m->references, pair->reference, CLI_AGREE_METRIC);
    msw_text text = MSW_TEXT_EMPTY;
    start_row(ask, m, pair->group, ask->metrics[0], sheet);
    cli_sheet_number(sheet, "relative_error", (a - b) / fabs(b));
    cli_sheet_number(sheet, "candidate_value", a);
    cli_sheet_number(sheet, "reference_value", b);
    cli_sheet_count(sheet, "point",
                    (uint64_t)cli_agree_value(m->candidates, pair->candidate, CLI_AGREE_POINT));
    cli_agree_text(m->candidates, pair->candidate, CLI_AGREE_WORKLOAD, &text);
    cli_sheet_text(sheet, "workload", msw_text_str(&text));
    for (int side = 0; side < 2; side++) {
        msw_text_clear(&text);
        cli_agree_text(side ? m->references : m->candidates,
                       side ? pair->reference : pair->candidate, CLI_AGREE_BOUND_BY, &text);
        cli_sheet_text(sheet, side ? "reference_bound_by" : "candidate_bound_by",
                       msw_text_str(&text));
    }
    show_params(m, pair->candidate, varies, sheet);
    msw_text_free(&text);
}

int cli_agree_worst(const cli_agree_ask *ask, const cli_agree_match *m, size_t count,
                    cli_sheet *sheet)
{
    error *errors = malloc((m->n + 1) * sizeof *errors);
    size_t n = 0;
    bool *varies = find_varying(m);
    if (!errors || !varies) {
        free(errors);
        free(varies);
        return msw_fail_memory(sheet->err);
    }
    for (size_t i = 0; i < m->n; i++) {
        double a = cli_agree_value(m->candidates, m->pairs[i].candidate, CLI_AGREE_METRIC);
        double b = cli_agree_value(m->references, m->pairs[i].reference, CLI_AGREE_METRIC);
        double size = fabs(a - b) / fabs(b);
        if (isfinite(size))
            errors[n++] = (error){size, i};
    }
    qsort(errors, n, sizeof *errors, by_size);
    n = n < count ? n : count;
    for (size_t i = 0; i < n; i++)
        show_pair(ask, m, &m->pairs[errors[i].pair], varies, sheet);
    free(errors);
    free(varies);
    return 0;
}

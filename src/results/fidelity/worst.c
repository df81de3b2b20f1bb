/* SPDX-License-Identifier: MIT */
/* The pairs that differ most, with their parameters: those of the pairs that are shown are read in
 * a pass of its own, in which it also shows which parameters differ among all pairs. */
#include "memsweep/base/math.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"
#include "memsweep/results/fidelity.h"
#include "results/fidelity/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Rows of one sweep, rising, and what was read of them. */
typedef struct detail_pass {
    const uint32_t *wanted, *paired;
    size_t wanted_count, paired_count, at_wanted, at_paired;
    size_t row, params;
    double *first; /* of the first pair of its sweep; NULL: not asked */
    bool *varies;
    msw_table_builder *kept;
} detail_pass;

static void keep_row(detail_pass *p, const msw_table *block, size_t r)
{
    msw_builder_row(p->kept);
    for (size_t c = 0; c < block->column_count; c++)
        msw_builder_cell(p->kept, &block->columns[c], r);
}

static void note_varying(detail_pass *p, const msw_table *block, size_t r)
{
    for (size_t c = 0; c < p->params; c++) {
        double value = block->columns[c].values[r];
        if (p->at_paired == 0)
            p->first[c] = value;
        p->varies[c] |= value != p->first[c] && !(isnan(value) && isnan(p->first[c]));
    }
}

static int take_details(void *context, const msw_table *block, msw_err *err)
{
    detail_pass *p = context;
    (void)err;
    for (size_t r = 0; r < block->rows; r++, p->row++) {
        if (p->at_paired < p->paired_count && p->paired[p->at_paired] == p->row) {
            note_varying(p, block, r);
            p->at_paired++;
        }
        if (p->at_wanted < p->wanted_count && p->wanted[p->at_wanted] == p->row) {
            keep_row(p, block, r);
            p->at_wanted++;
        }
    }
    return p->kept->failed ? -1 : 0;
}

/* What is shown of one side. */
typedef struct details {
    const msw_agree_options *ask;
    const msw_agree_side *side;
    size_t count;               /* of rows that are shown */
    const msw_agree_row **rows; /* in the order of `kept` */
    msw_table_builder kept;
} details;

static int by_row(const void *a, const void *b)
{
    const msw_agree_row *x = *(const msw_agree_row *const *)a,
                        *y = *(const msw_agree_row *const *)b;
    if (x->sweep != y->sweep)
        return x->sweep < y->sweep ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static size_t kept_at(const details *d, const msw_agree_row *row)
{
    uint64_t at = 0;
    MSW_SEARCH(at, 0, d->count, by_row(&d->rows[at], &row) < 0);
    return at;
}

static int read_details(details *d, size_t sweep, uint32_t *numbers, detail_pass *pass)
{
    msw_text columns = MSW_TEXT_EMPTY;
    pass->wanted = numbers;
    for (size_t i = 0; i < d->count; i++)
        if (d->rows[i]->sweep == sweep)
            numbers[pass->wanted_count++] = d->rows[i]->row;
    if (!pass->wanted_count && !pass->paired_count)
        return 0;
    msw_text_add(&columns, "%sworkload, bound_by, point", d->side->sweeps[sweep].params);
    int rc = msw_text_check(&columns, d->kept.err);
    if (rc == 0)
        rc = msw_agree_stream(d->side, d->ask, sweep, msw_text_str(&columns), take_details, pass,
                              d->kept.err);
    msw_text_free(&columns);
    return rc;
}

/* Rows of one sweep that have a pair: pairs are in the order of sweeps and rows. */
static size_t list_paired(const msw_agree_match *m, size_t sweep, uint32_t *numbers)
{
    size_t count = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->pairs[i].candidate->sweep == sweep)
            numbers[count++] = m->pairs[i].candidate->row;
    return count;
}

/* `varies`: which parameters of the first pair's sweep differ among the pairs; NULL: not asked. */
static int read_all_details(details *d, const msw_agree_match *m, bool *varies)
{
    size_t first = m->pairs[0].candidate->sweep;
    uint32_t *numbers = malloc((d->count + 1) * sizeof *numbers);
    uint32_t *paired = malloc((m->n + 1) * sizeof *paired);
    double *values = calloc(m->candidates->sweeps[first].param_count + 1, sizeof *values);
    int rc = numbers && paired && values ? 0 : msw_fail_memory(d->kept.err);
    msw_sort(d->rows, d->count, sizeof *d->rows, by_row);
    for (size_t t = 0; t < d->side->sweep_count && rc == 0; t++) {
        detail_pass pass = {.kept = &d->kept};
        if (varies && t == first) {
            pass.paired = paired;
            pass.paired_count = list_paired(m, t, paired);
            pass.params = d->side->sweeps[t].param_count;
            pass.first = values;
            pass.varies = varies;
        }
        rc = read_details(d, t, numbers, &pass);
    }
    free(numbers);
    free(paired);
    free(values);
    return rc;
}

static const char *text_of(const details *d, const char *column, size_t row)
{
    const msw_table *t = &d->kept.table;
    int c = msw_table_find(t, column);
    return c < 0 || !t->columns[c].labels || isnan(t->columns[c].values[row])
               ? NULL
               : t->columns[c].labels[(size_t)t->columns[c].values[row]];
}

static void show_params(const details *d, const msw_agree_match *m, const msw_agree_row *row,
                        const bool *varies, msw_table_builder *builder)
{
    const char *name = d->side->sweeps[row->sweep].params;
    bool same = row->sweep == m->pairs[0].candidate->sweep;
    for (size_t i = 0; i < d->side->sweeps[row->sweep].param_count; i++) {
        char *param = msw_strfmt("%.*s", (int)strcspn(name, ","), name);
        int c = param ? msw_table_find(&d->kept.table, param) : -1;
        name += strcspn(name, ",") + 2;
        free(param);
        if (c >= 0 && !(same && !varies[i]))
            msw_builder_cell(builder, &d->kept.table.columns[c], kept_at(d, row));
    }
}

static void show_pair(const details *sides, const msw_agree_match *m, const msw_agree_pair *pair,
                      const bool *varies, msw_table_builder *builder)
{
    const msw_agree_options *ask = sides[0].ask;
    double a = msw_agree_value(m->candidates, pair->candidate, m->candidates->metric[0][0]);
    double b = msw_agree_value(m->references, pair->reference, m->references->metric[0][0]);
    size_t row = kept_at(&sides[0], pair->candidate);
    int point = msw_table_find(&sides[0].kept.table, "point");
    msw_agree_start_row(ask, m, pair->group, ask->metrics[0], builder);
    msw_builder_number(builder, "relative_error", msw_math_ratio_error(a, b));
    msw_builder_number(builder, "candidate_value", a);
    msw_builder_number(builder, "reference_value", b);
    msw_builder_count(builder, "point", (uint64_t)sides[0].kept.table.columns[point].values[row]);
    msw_builder_text(builder, "workload", text_of(&sides[0], "workload", row));
    msw_builder_text(builder, "candidate_bound_by", text_of(&sides[0], "bound_by", row));
    msw_builder_text(builder, "reference_bound_by",
                     text_of(&sides[1], "bound_by", kept_at(&sides[1], pair->reference)));
    show_params(&sides[0], m, pair->candidate, varies, builder);
}

/* Sorts pairs by their error. Returns how many have one. */
static size_t find_errors(const msw_agree_match *m, error *errors)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const msw_agree_pair *pair = &m->pairs[i];
        double a = msw_agree_value(m->candidates, pair->candidate, m->candidates->metric[0][0]);
        double b = msw_agree_value(m->references, pair->reference, m->references->metric[0][0]);
        double size = fabs(msw_math_ratio_error(a, b));
        if (!isnan(size) && b != 0)
            errors[n++] = (error){size, i};
    }
    msw_sort(errors, n, sizeof *errors, by_size);
    return n;
}

static int show_all(const msw_agree_options *ask, const msw_agree_match *m, const error *errors,
                    size_t n, msw_table_builder *builder)
{
    const msw_agree_side *of[] = {m->candidates, m->references};
    details sides[2] = {0};
    bool *varies =
        calloc(m->candidates->sweeps[m->pairs[0].candidate->sweep].param_count + 1, sizeof *varies);
    int rc = varies ? 0 : msw_fail_memory(builder->err);
    for (int s = 0; s < 2 && rc == 0; s++) {
        sides[s] = (details){.ask = ask,
                             .side = of[s],
                             .count = n,
                             .rows = malloc((n + 1) * sizeof *sides[s].rows),
                             .kept = {.err = builder->err}};
        for (size_t i = 0; sides[s].rows && i < n; i++)
            sides[s].rows[i] =
                s ? m->pairs[errors[i].pair].reference : m->pairs[errors[i].pair].candidate;
        rc = sides[s].rows ? read_all_details(&sides[s], m, s ? NULL : varies)
                           : msw_fail_memory(builder->err);
    }
    for (size_t i = 0; i < n && rc == 0; i++)
        show_pair(sides, m, &m->pairs[errors[i].pair], varies, builder);
    for (int s = 0; s < 2; s++) {
        free(sides[s].rows);
        msw_table_free(&sides[s].kept.table);
    }
    free(varies);
    return rc;
}

int msw_agree_worst(const msw_agree_options *ask, const msw_agree_match *m, size_t count,
                    msw_table_builder *builder)
{
    error *errors = malloc((m->n + 1) * sizeof *errors);
    if (!errors)
        return msw_fail_memory(builder->err);
    size_t n = find_errors(m, errors);
    int rc = show_all(ask, m, errors, n < count ? n : count, builder);
    free(errors);
    return rc;
}

/* SPDX-License-Identifier: MIT */
/* A summary as bytes: its counts, then of each list the entries that are not empty. */
#include "memsweep/store/summary.h"

#include "memsweep/base/flat.h"
#include "memsweep/base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 2 };

/* Seven bits a byte, the last one below 128. */
static void add_count(msw_text *out, uint64_t value)
{
    char bytes[10];
    size_t size = 0;
    for (; value > 127; value >>= 7)
        bytes[size++] = (char)(value | 128);
    bytes[size++] = (char)value;
    msw_text_add_bytes(out, bytes, size);
}

static uint64_t take_count(msw_flat *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (!in->left) {
            in->short_of = true;
            return 0;
        }
        unsigned char byte = *in->at++;
        in->left--;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

static void add_head(const msw_census_shape *shape, msw_text *out)
{
    add_count(out, VERSION);
    add_count(out, shape->metrics);
    add_count(out, shape->factors);
    add_count(out, shape->objectives);
    add_count(out, shape->cells);
    add_count(out, shape->pairs);
    add_count(out, shape->leaf);
    add_count(out, shape->points);
    add_count(out, shape->levelled);
    for (size_t f = 0; f < shape->factors; f++)
        add_count(out, shape->bins[f]);
}

static void add_sum(msw_text *out, const msw_sum *sum)
{
    msw_flat_add_real(out, sum->high);
    msw_flat_add_real(out, sum->low);
}

static msw_sum take_sum(msw_flat *in)
{
    double high = msw_flat_real(in);
    return (msw_sum){high, msw_flat_real(in)};
}

static bool take_head(msw_census_shape *shape, msw_flat *in)
{
    bool known = take_count(in) == VERSION;
    uint64_t cells = 1, pairs = 0;
    *shape = (msw_census_shape){.metrics = take_count(in)};
    shape->factors = take_count(in);
    shape->objectives = take_count(in);
    shape->cells = take_count(in);
    shape->pairs = take_count(in);
    shape->leaf = take_count(in);
    shape->points = take_count(in);
    shape->levelled = take_count(in);
    known = known && shape->metrics <= MSW_KEEP_COLUMNS && shape->factors <= MSW_KEEP_FACTORS &&
            shape->objectives <= MSW_KEEP_OBJECTIVES && shape->leaf;
    for (size_t f = 0; known && f < shape->factors; f++) {
        shape->bins[f] = take_count(in);
        shape->first[f] = cells;
        known = shape->bins[f] <= MSW_CENSUS_LEVELS;
        cells += shape->bins[f];
        for (size_t g = 0; known && g < f; g++)
            pairs += shape->bins[f] * shape->bins[g];
    }
    shape->leaves = known ? (shape->points + shape->leaf - 1) / shape->leaf : 0;
    return known && !in->short_of && cells == shape->cells &&
           (!shape->pairs || pairs == shape->pairs);
}

int msw_census_read_shape(const void *bytes, size_t size, msw_census_shape *shape, msw_err *err)
{
    msw_flat in = msw_flat_open(bytes, size);
    return take_head(shape, &in)
               ? 0
               : msw_fail_kind(err, MSW_ERR_IO, "a summary is damaged, or of another version");
}

static bool same_head(const msw_census_shape *shape, msw_flat *in)
{
    msw_census_shape there;
    return take_head(&there, in) && there.metrics == shape->metrics &&
           there.factors == shape->factors && there.objectives == shape->objectives &&
           there.pairs == shape->pairs && there.leaf == shape->leaf &&
           there.points == shape->points && there.levelled == shape->levelled &&
           memcmp(there.bins, shape->bins, sizeof there.bins) == 0;
}

/* In ascending order: the slots depend on how the histogram grew. */
typedef struct bin {
    int32_t code;
    uint64_t count;
} bin;

static int by_code(const void *a, const void *b)
{
    const bin *x = a, *y = b;
    return (x->code > y->code) - (x->code < y->code);
}

static int add_histogram(const msw_histogram *h, msw_text *out, msw_err *err)
{
    bin *bins = malloc((h->count + 1) * sizeof *bins);
    size_t count = 0;
    int32_t last = 0;
    if (!bins)
        return msw_fail_memory(err);
    for (size_t i = 0; i < h->count; i++)
        if (h->entries[i].value)
            bins[count++] = (bin){(int32_t)h->entries[i].key, h->entries[i].value};
    msw_sort(bins, count, sizeof *bins, by_code);
    add_count(out, count);
    for (size_t i = 0; i < count; i++) {
        add_count(out, (uint64_t)(bins[i].code - last));
        add_count(out, bins[i].count);
        last = bins[i].code;
    }
    free(bins);
    return 0;
}

static int take_histogram(msw_flat *in, msw_histogram *h, msw_err *err)
{
    uint64_t count = take_count(in), code = 0;
    for (uint64_t i = 0; i < count && !in->short_of; i++) {
        code += take_count(in);
        uint64_t times = take_count(in);
        if (times)
            MSW_TRY(msw_histogram_add(h, (int32_t)code, times, err));
    }
    return 0;
}

static int add_cells(const msw_census *s, msw_text *out, msw_err *err)
{
    size_t all = s->shape->metrics * s->shape->cells, last = 0;
    for (size_t i = 0; i < all; i++) {
        const msw_census_cell *m = &s->moments[i];
        if (!m->n)
            continue;
        add_count(out, i - last + 1);
        last = i;
        add_count(out, m->n);
        add_sum(out, &m->sum);
        add_sum(out, &m->squares);
        msw_flat_add_real(out, m->least);
        msw_flat_add_real(out, m->most);
        MSW_TRY(add_histogram(&s->histograms[i], out, err));
    }
    add_count(out, 0);
    return 0;
}

static int take_cells(msw_flat *in, msw_census *s, msw_err *err)
{
    size_t all = s->shape->metrics * s->shape->cells, at = 0;
    for (uint64_t step; (step = take_count(in)) && !in->short_of;) {
        at += step - 1;
        if (at >= all)
            return msw_fail_kind(err, MSW_ERR_IO, "a summary is damaged");
        msw_census_cell *m = &s->moments[at];
        m->n = take_count(in);
        m->sum = take_sum(in);
        m->squares = take_sum(in);
        m->least = msw_flat_real(in);
        m->most = msw_flat_real(in);
        MSW_TRY(take_histogram(in, &s->histograms[at], err));
    }
    return 0;
}

static void add_pairs(const msw_census *s, msw_text *out)
{
    size_t all = s->shape->metrics * s->shape->pairs, last = 0;
    for (size_t i = 0; i < all; i++) {
        if (!s->pairs[i].n)
            continue;
        add_count(out, i - last + 1);
        last = i;
        add_count(out, s->pairs[i].n);
        add_sum(out, &s->pairs[i].sum);
    }
    add_count(out, 0);
}

static int take_pairs(msw_flat *in, msw_census *s, msw_err *err)
{
    size_t all = s->shape->metrics * s->shape->pairs, at = 0;
    for (uint64_t step; (step = take_count(in)) && !in->short_of;) {
        at += step - 1;
        if (at >= all)
            return msw_fail_kind(err, MSW_ERR_IO, "a summary is damaged");
        s->pairs[at].n = take_count(in);
        s->pairs[at].sum = take_sum(in);
    }
    return 0;
}

int msw_census_flatten(const msw_census *s, msw_text *out, msw_err *err)
{
    const msw_census_counts *c = &s->counts;
    const uint64_t counts[] = {c->ok,     c->doubtful, c->infeasible,
                               c->failed, c->beyond,   c->excluded};
    add_head(s->shape, out);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add_count(out, counts[i]);
    MSW_TRY(add_cells(s, out, err));
    add_pairs(s, out);
    uint64_t last = 0;
    add_count(out, s->front.points.count);
    for (size_t i = 0; i < s->front.points.count; i++) {
        add_count(out, s->front.points.items[i] - last);
        last = s->front.points.items[i];
        for (size_t o = 0; o < s->shape->objectives; o++)
            msw_flat_add_real(out, s->front.values.items[i * s->shape->objectives + o]);
    }
    return msw_text_check(out, err);
}

static int take_front(msw_flat *in, msw_census *s, msw_err *err)
{
    uint64_t count = take_count(in), point = 0;
    for (uint64_t i = 0; i < count && !in->short_of; i++) {
        point += take_count(in);
        MSW_TRY(MSW_VEC_PUSH(&s->front.points, point, err));
        for (size_t o = 0; o < s->shape->objectives; o++) {
            double value = msw_flat_real(in);
            MSW_TRY(MSW_VEC_PUSH(&s->front.values, value, err));
        }
    }
    return 0;
}

int msw_census_read(const msw_census_shape *shape, const void *bytes, size_t size,
                    msw_census **summary, msw_err *err)
{
    msw_flat in = msw_flat_open(bytes, size);
    msw_census *s = msw_census_new(shape);
    if (!s)
        return msw_fail_memory(err);
    msw_census_counts *c = &s->counts;
    uint64_t *const counts[] = {&c->ok,     &c->doubtful, &c->infeasible,
                                &c->failed, &c->beyond,   &c->excluded};
    int rc = same_head(shape, &in) ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < sizeof counts / sizeof *counts; i++)
        *counts[i] = take_count(&in);
    if (rc == 0)
        rc = take_cells(&in, s, err) || take_pairs(&in, s, err) || take_front(&in, s, err) ||
             !msw_flat_done(&in);
    if (rc == 0) {
        *summary = s;
        return 0;
    }
    msw_census_free(s);
    return msw_fail_kind(err, MSW_ERR_IO, "a summary is damaged, or of another plan");
}

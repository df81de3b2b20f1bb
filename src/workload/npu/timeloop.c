/* SPDX-License-Identifier: MIT */
/* Timeloop problems (timeloop.csail.mit.edu, versions 3 and 4): a nest of loops over three tensors,
 * of which one is written. Which dimension is what follows from the tensors that have it:
 *
 *   in weights, inputs, outputs   a group
 *   in weights and outputs        a filter
 *   in weights and inputs         a channel; next to an output's dimension in a sum: of the kernel
 *   in inputs and outputs         the batch; in a sum: a row or column of the output
 *
 * A problem without tensors of its own is the convolution that Timeloop has built in. Documents of
 * a file are layers that follow each other. */
#include "workload/npu/parts.h"

#include "memsweep/base/json.h"

#include <string.h>

enum { DIMS_MAX = 16, PAIRS = 2, SIZE_MOST = MSW_NPU_DIMENSION_MAX };

typedef struct dim {
    const char *name;
    uint64_t size;
    bool weights, inputs, outputs;
    int pair;       /* of a sum in the inputs: its number, else -1 */
    const char *by; /* the coefficient of its term, or NULL */
    uint64_t times; /* that coefficient's value */
} dim;

typedef struct problem {
    const char *file;
    const msw_json *shape, *instance; /* shape: NULL where it is Timeloop's own */
    dim dims[DIMS_MAX];
    size_t dim_count;
    int pairs;
    msw_err *err;
} problem;

static int fail(const problem *p, const msw_json *at, const char *what)
{
    return msw_fail(p->err, "%s:%zu:%zu: %s", p->file, at->line, at->column, what);
}

/* Returns 1, 0 when nothing of that name is there, or -1. */
static int read_size(const problem *p, const char *name, uint64_t *size)
{
    const msw_json *found = msw_json_find(p->instance, name);
    if (!found)
        return 0;
    if (msw_json_whole(found, size) && *size >= 1 && *size <= SIZE_MOST)
        return 1;
    return msw_fail(p->err, "%s:%zu:%zu: %s: found %s, allowed: whole numbers from 1 to 2^26",
                    p->file, found->line, found->column, name, found->text ? found->text : "?");
}

static dim *find_dim(problem *p, const char *name)
{
    for (size_t i = 0; i < p->dim_count; i++)
        if (strcmp(p->dims[i].name, name) == 0)
            return &p->dims[i];
    return NULL;
}

static int add_dim(problem *p, const msw_json *at, const char *name)
{
    dim d = {.name = name, .size = 1, .pair = -1, .times = 1};
    if (p->dim_count == DIMS_MAX)
        return fail(p, at, "more than 16 dimensions");
    if (find_dim(p, name))
        return fail(p, at, "a dimension that is named twice");
    int rc = read_size(p, name, &d.size);
    if (rc < 0)
        return -1;
    if (rc == 0 && p->shape)
        return msw_fail(p->err, "%s:%zu:%zu: the instance does not say how large '%s' is", p->file,
                        p->instance->line, p->instance->column, name);
    p->dims[p->dim_count++] = d;
    return 0;
}

/* A coefficient's value: of the instance, or its default. */
static int read_coefficient(const problem *p, const msw_json *at, const char *name, uint64_t *value)
{
    const msw_json *all = msw_json_find(p->shape, "coefficients");
    int rc = read_size(p, name, value);
    if (rc)
        return rc < 0 ? -1 : 0;
    for (const msw_json *c = all ? all->first : NULL; c; c = c->next) {
        const msw_json *called = msw_json_find(c, "name"), *is = msw_json_find(c, "default");
        if (!called || !called->text || strcmp(called->text, name) != 0)
            continue;
        if (msw_json_whole(is, value) && *value >= 1 && *value <= 4096)
            return 0;
        return fail(p, c, "a coefficient whose default is no whole number from 1 to 4,096");
    }
    return fail(p, at, "a coefficient that neither the instance nor the shape gives a value");
}

/* ---- tensors ---- */

typedef enum which { WEIGHTS, INPUTS, OUTPUTS } which;

/* One term of a projection: [C] or [P, Wstride]. */
static int take_term(problem *p, const msw_json *term, which space, int pair)
{
    const msw_json *name = term->first, *by = name ? name->next : NULL;
    if (term->kind != MSW_JSON_LIST || term->count < 1 || term->count > 2 || !name->text ||
        (by && !by->text))
        return fail(p, term,
                    "a term of a projection that is not [dimension] or [dimension, "
                    "coefficient]");
    dim *d = find_dim(p, name->text);
    if (!d)
        return fail(p, name, "a projection with a dimension that the shape does not have");
    if ((space == WEIGHTS && d->weights) || (space == INPUTS && d->inputs) ||
        (space == OUTPUTS && d->outputs))
        return fail(p, name, "a dimension that a projection has twice");
    d->weights |= space == WEIGHTS;
    d->inputs |= space == INPUTS;
    d->outputs |= space == OUTPUTS;
    if (pair >= 0)
        d->pair = pair;
    d->by = by ? by->text : d->by;
    return by ? read_coefficient(p, by, by->text, &d->times) : 0;
}

/* The projection of a tensor: a list of sums of terms, or plain names of dimensions. */
static int take_projection(problem *p, const msw_json *list, which space)
{
    for (const msw_json *sum = list->first; sum; sum = sum->next) {
        const msw_json plain = {.kind = MSW_JSON_LIST, .first = sum, .count = 1};
        bool paired = sum->kind == MSW_JSON_LIST && sum->count == 2;
        if (sum->kind != MSW_JSON_LIST) {
            msw_json name = *sum, term = plain;
            name.next = NULL;
            term.first = &name;
            term.line = sum->line, term.column = sum->column;
            if (take_term(p, &term, space, -1))
                return -1;
            continue;
        }
        if (sum->count < 1 || sum->count > 2 || (paired && space != INPUTS) ||
            (paired && p->pairs == PAIRS))
            return fail(p, sum,
                        "a sum of dimensions that is no window of a convolution (in the "
                        "inputs, up to two sums of two terms)");
        for (const msw_json *term = sum->first; term; term = term->next)
            if (take_term(p, term, space, paired ? p->pairs : -1))
                return -1;
        p->pairs += paired;
    }
    return 0;
}

static bool is_written(const msw_json *space)
{
    const msw_json *old = msw_json_find(space, "read-write");
    const msw_json *now = msw_json_find(space, "read_write");
    const msw_json *says = old ? old : now;
    return says && (says->kind == MSW_JSON_TRUE || (says->text && strcmp(says->text, "True") == 0));
}

static bool is_named_weights(const msw_json *space)
{
    const msw_json *name = msw_json_find(space, "name");
    return name && name->text && strchr("WwFf", name->text[0]) && name->text[0];
}

static int take_space(problem *p, const msw_json *space, which what)
{
    const msw_json *list = msw_json_find(space, "projection");
    if (!list || list->kind != MSW_JSON_LIST)
        return fail(p, space, "a tensor without a projection");
    return take_projection(p, list, what);
}

/* Weights are called so, or are the second tensor that is read. */
static int take_spaces(problem *p)
{
    const msw_json *old = msw_json_find(p->shape, "data-spaces");
    const msw_json *now = msw_json_find(p->shape, "data_spaces");
    const msw_json *all = old ? old : now, *read[2] = {NULL, NULL}, *written = NULL;
    int count = 0;
    for (const msw_json *s = all ? all->first : NULL; s; s = s->next) {
        bool out = is_written(s);
        if (s->kind != MSW_JSON_OBJECT || (out ? written != NULL : count == 2))
            return fail(p, s, "more than two tensors that are read, or one that is written");
        if (out)
            written = s;
        else
            read[count++] = s;
    }
    if (count != 2 || !written)
        return fail(p, p->shape,
                    "a shape needs two tensors that are read and one with read-write: "
                    "true");
    int weights = is_named_weights(read[0]) && !is_named_weights(read[1]) ? 0 : 1;
    MSW_TRY(take_space(p, read[!weights], INPUTS));
    MSW_TRY(take_space(p, read[weights], WEIGHTS));
    MSW_TRY(take_space(p, written, OUTPUTS));
    return 0;
}

/* ---- Timeloop's own convolution ---- */

static int take_own(problem *p)
{
    static const struct {
        const char *name, *by;
        bool weights, inputs, outputs;
        int pair;
    } OWN[] = {
        {"R", "Wdilation", true, true, false, 0}, {"S", "Hdilation", true, true, false, 1},
        {"P", "Wstride", false, true, true, 0},   {"Q", "Hstride", false, true, true, 1},
        {"C", NULL, true, true, false, -1},       {"K", NULL, true, false, true, -1},
        {"M", NULL, true, false, true, -1},       {"N", NULL, false, true, true, -1},
        {"G", NULL, true, true, true, -1},
    };
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        if (add_dim(p, p->instance, OWN[i].name))
            return -1;
        dim *d = &p->dims[p->dim_count - 1];
        d->weights = OWN[i].weights, d->inputs = OWN[i].inputs, d->outputs = OWN[i].outputs;
        d->pair = OWN[i].pair;
        d->by = OWN[i].by;
        if (d->by && read_size(p, d->by, &d->times) < 0)
            return -1;
    }
    p->pairs = PAIRS;
    return 0;
}

static bool is_coefficient(const problem *p, const char *name)
{
    static const char *const OWN[] = {"Wstride", "Hstride", "Wdilation", "Hdilation", NULL};
    const msw_json *all = msw_json_find(p->shape, "coefficients");
    for (const msw_json *c = all ? all->first : NULL; c; c = c->next) {
        const msw_json *called = msw_json_find(c, "name");
        if (called && called->text && strcmp(called->text, name) == 0)
            return true;
    }
    for (size_t i = 0; !p->shape && OWN[i]; i++)
        if (strcmp(OWN[i], name) == 0)
            return true;
    return false;
}

static bool is_about_density(const char *name)
{
    return strcmp(name, "densities") == 0 || strcmp(name, "data_densities") == 0 ||
           strcmp(name, "commonDataDensity") == 0;
}

/* Whether all numbers of a value, at most two levels down, are 1. */
static bool is_dense(const msw_json *value)
{
    uint64_t number;
    if (value->kind == MSW_JSON_NUMBER)
        return msw_json_whole(value, &number) && number == 1;
    for (const msw_json *m = value->first; m; m = m->next)
        if (m->kind != MSW_JSON_NUMBER || !msw_json_whole(m, &number) || number != 1)
            return false;
    return value->first != NULL;
}

/* Checks what the instance says beyond sizes: nothing is ignored in silence. */
static int check_member(problem *p, const msw_json *m)
{
    static const char *const OTHERS[] = {"shape", "version", "name", "notes", NULL};
    uint64_t size;
    if (find_dim(p, m->key) || is_coefficient(p, m->key))
        return 0;
    if (is_about_density(m->key))
        return is_dense(m) ? 0 : fail(p, m, "densities that are not 1: sparsity is not modelled");
    for (size_t i = 0; OTHERS[i]; i++)
        if (strcmp(OTHERS[i], m->key) == 0)
            return 0;
    if (msw_json_whole(m, &size) && size == 1)
        return 0;
    return msw_fail(
        p->err, "%s:%zu:%zu: found '%s', allowed: the dimensions and coefficients of the shape%s",
        p->file, m->line, m->column, m->key,
        p->shape ? ""
                 : ", here R, S, P, Q, C, K or M, N, G, Wstride, Hstride, "
                   "Wdilation, Hdilation");
}

/* ---- operators ---- */

/* Product of the sizes of all dimensions of a kind that appear in no sum. */
static double plain_size(const problem *p, bool weights, bool inputs, bool outputs)
{
    double size = 1;
    for (size_t i = 0; i < p->dim_count; i++) {
        const dim *d = &p->dims[i];
        if (d->pair < 0 && d->weights == weights && d->inputs == inputs && d->outputs == outputs)
            size *= (double)d->size;
    }
    return size;
}

static const dim *find_in_sum(const problem *p, int pair, bool weights)
{
    for (size_t i = 0; i < p->dim_count; i++)
        if (p->dims[i].pair == pair && p->dims[i].weights == weights && p->dims[i].inputs &&
            p->dims[i].outputs != weights)
            return &p->dims[i];
    return NULL;
}

/* A sum whose coefficient starts with H is that of rows; without names the second one is. */
static int pair_of_rows(const problem *p)
{
    for (int pair = 0; pair < p->pairs; pair++) {
        const dim *out = find_in_sum(p, pair, false);
        if (out && out->by && out->by[0] == 'H')
            return pair;
        if (out && out->by && out->by[0] == 'W' && p->pairs == 2)
            return 1 - pair;
    }
    return p->pairs - 1;
}

typedef struct window {
    uint64_t out, kernel, stride, in;
} window;

static int read_window(const problem *p, int pair, window *w)
{
    const dim *kernel = find_in_sum(p, pair, true), *out = find_in_sum(p, pair, false);
    *w = (window){1, 1, 1, 1};
    if (pair < 0 || pair >= p->pairs)
        return 0;
    if (!kernel || !out)
        return fail(p, p->instance,
                    "a sum that is not of one dimension of the weights and one of "
                    "the outputs");
    if (kernel->times != 1 && kernel->size != 1)
        return fail(p, p->instance, "dilations, which are not modelled; allowed: 1");
    if (kernel->size > 4096 || out->times > 4096)
        return fail(p, p->instance, "a kernel or a stride above 4,096");
    *w = (window){out->size, kernel->size, out->times, (out->size - 1) * out->times + kernel->size};
    return w->in <= SIZE_MOST ? 0 : fail(p, p->instance, "an input of more than 2^26 rows");
}

static int check_kinds(problem *p)
{
    for (size_t i = 0; i < p->dim_count; i++) {
        const dim *d = &p->dims[i];
        int count = d->weights + d->inputs + d->outputs;
        if (count < 2 && d->size > 1)
            return msw_fail(p->err,
                            "%s:%zu:%zu: dimension '%s' occurs in one tensor or none, which is not "
                            "modelled",
                            p->file, p->instance->line, p->instance->column, d->name);
    }
    for (const msw_json *m = p->instance->first; m; m = m->next)
        if (check_member(p, m))
            return -1;
    return 0;
}

static int make_op(problem *p, const char *name, msw_npu_op *op)
{
    window rows, cols;
    double groups = plain_size(p, true, true, true), filters = plain_size(p, true, false, true);
    double channels = plain_size(p, true, true, false), batch = plain_size(p, false, true, true);
    int of_rows = pair_of_rows(p);
    if (check_kinds(p) || read_window(p, of_rows, &rows) ||
        read_window(p, p->pairs == 2 ? 1 - of_rows : -1, &cols))
        return -1;
    bool image = p->pairs > 0;
    if (image && batch > 1)
        return fail(p, p->instance,
                    "a batch above 1; allowed: 1, the batch is said in the "
                    "workload's name (/b4)");
    double input = (double)rows.in * (double)cols.in * groups * channels * batch;
    double output = (double)rows.out * (double)cols.out * groups * filters * batch;
    if (input > 0x1p50 || output > 0x1p50 || groups > SIZE_MOST || filters > SIZE_MOST ||
        channels > SIZE_MOST || batch > SIZE_MOST)
        return fail(p, p->instance,
                    "tensors of more than 2^50 elements, or products of dimensions "
                    "above 2^26");
    msw_npu_view view = image ? MSW_NPU_VIEW_IMAGE : MSW_NPU_VIEW_ROWS;
    uint64_t m = image ? rows.out : (uint64_t)batch, in = image ? rows.in : (uint64_t)batch;
    *op = (msw_npu_op){
        .name = name,
        .rows = m,
        .cols = cols.out,
        .groups = (uint64_t)groups,
        .filters = (uint64_t)filters,
        .channels = (uint64_t)channels,
        .kernel_rows = rows.kernel,
        .kernel_cols = cols.kernel,
        .stride_rows = rows.stride,
        .repeat = 1,
        .input = {.view = view,
                  .rows = in,
                  .cols = cols.in,
                  .channels = (uint64_t)groups * (uint64_t)channels},
        .output = {.view = view,
                   .rows = m,
                   .cols = cols.out,
                   .channels = (uint64_t)groups * (uint64_t)filters},
    };
    return 0;
}

/* ---- problems ---- */

static const char *name_of(const msw_json *found, const msw_json *shape)
{
    const msw_json *own = msw_json_find(found, "name");
    own = own && own->text ? own : msw_json_find(shape, "name");
    return own && own->text ? own->text : "layer";
}

static int read_problem(problem *p, const msw_json *document, msw_npu_op *op)
{
    const msw_json *inner = msw_json_find(document, "problem");
    const msw_json *found = inner ? inner : document, *shape = msw_json_find(found, "shape");
    p->instance = msw_json_find(found, "instance");
    if (!p->instance)
        p->instance = found; /* of the first versions: sizes are next to the shape */
    if (found->kind != MSW_JSON_OBJECT || p->instance->kind != MSW_JSON_OBJECT ||
        (!inner && !shape))
        return fail(p, document,
                    "there is no problem; allowed: a Timeloop problem with a shape and "
                    "an instance");
    p->shape = shape && shape->kind == MSW_JSON_OBJECT ? shape : NULL;
    const msw_json *dims = msw_json_find(p->shape, "dimensions");
    if (p->shape && (!dims || dims->kind != MSW_JSON_LIST))
        return fail(p, p->shape, "a shape without a list of dimensions");
    if (!p->shape) {
        MSW_TRY(take_own(p));
        MSW_TRY(make_op(p, name_of(found, NULL), op));
        return 0;
    }
    for (const msw_json *d = dims->first; d; d = d->next)
        if (!d->text ? fail(p, d, "a dimension that is no name") : add_dim(p, d, d->text))
            return -1;
    MSW_TRY(take_spaces(p));
    MSW_TRY(make_op(p, name_of(found, p->shape), op));
    return 0;
}

int msw_npu_read_timeloop(const char *file, const char *bytes, size_t size, msw_arena *arena,
                          msw_npu_network *network, msw_err *err)
{
    const msw_json *all = msw_npu_read_documents(file, bytes, size, arena, err);
    size_t count = 0;
    if (!all)
        return -1;
    if (!all->count)
        return msw_fail(err, "%s:1:1: found nothing, allowed: a Timeloop problem", file);
    msw_npu_op *ops = msw_arena_zero(arena, all->count, sizeof *ops);
    if (!ops)
        return msw_fail_memory(err);
    for (const msw_json *d = all->first; d; d = d->next) {
        problem p = {.file = file, .err = err};
        if (read_problem(&p, d, &ops[count++]))
            return -1;
    }
    return msw_npu_chain(ops, count, arena, network, err);
}

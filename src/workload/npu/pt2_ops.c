/* SPDX-License-Identifier: MIT */
/* The operators of torch.export's graphs with products, windows or a softmax become nodes as ONNX
 * has them. */
#include "workload/npu/pt2.h"

#include <string.h>

/* ---- arguments ---- */

/* An argument by its name, or NULL. */
static const msw_json *argument(const msw_pt2 *p, const char *name)
{
    const msw_json *inputs = msw_json_find(p->node, "inputs");
    for (const msw_json *i = inputs ? inputs->first : NULL; i; i = i->next) {
        const msw_json *called = msw_json_find(i, "name");
        if (called && called->kind == MSW_JSON_STRING && strcmp(called->text, name) == 0)
            return msw_json_find(i, "arg");
    }
    return NULL;
}

static msw_onnx_value *tensor(msw_pt2 *p, const char *name)
{
    return msw_pt2_tensor(p, argument(p, name));
}

static bool is_true(const msw_pt2 *p, const char *name)
{
    const msw_json *flag = msw_json_find(argument(p, name), "as_bool");
    return flag && flag->kind == MSW_JSON_TRUE;
}

/* Numbers of a list: whole ones, or {"as_int": 1} of a list that could have symbols. Returns how
 * many, 0 when there is none, or -1. */
static int numbers(const msw_pt2 *p, const char *name, double *list, int most)
{
    const msw_json *a = argument(p, name), *all = msw_json_find(a, "as_ints");
    uint64_t value;
    int count = 0;
    if (!all)
        all = msw_json_find(a, "as_sym_ints");
    if (!all && msw_json_whole(msw_json_find(a, "as_int"), &value) && most) {
        list[0] = (double)value;
        return 1;
    }
    for (const msw_json *n = all && all->kind == MSW_JSON_LIST ? all->first : NULL; n;
         n = n->next) {
        const msw_json *inner = msw_json_find(n, "as_int");
        if (count == most || !msw_json_whole(inner ? inner : n, &value))
            return -1;
        list[count++] = (double)value;
    }
    return count;
}

/* ---- nodes as ONNX has them ---- */

static msw_onnx_attribute *add_attribute(msw_pt2 *p, const char *name)
{
    msw_onnx_attribute *a = &p->m.node.attributes[p->m.node.attribute_count++];
    *a = (msw_onnx_attribute){.name = msw_pt2_part(name)};
    return a;
}

static int refuse_list(msw_pt2 *p, const char *name)
{
    return msw_onnx_refuse(&p->m,
                           "%s is no list of whole numbers, one or as many as windows have "
                           "dimensions",
                           name);
}

/* A list with one number for each dimension, or one for all. */
static int add_list(msw_pt2 *p, const char *from, const char *to, int dims)
{
    double list[3];
    int count = numbers(p, from, list, 3);
    if (count == 0)
        return 0;
    if (count != dims && count != 1)
        return refuse_list(p, from);
    msw_onnx_attribute *a = add_attribute(p, to);
    a->count = (size_t)dims;
    for (int i = 0; i < dims; i++)
        a->list[i] = list[count == 1 ? 0 : i];
    return 0;
}

/* Paddings are the same on both sides, or said by a word. */
static int add_padding(msw_pt2 *p, int dims)
{
    const msw_json *word = msw_json_find(argument(p, "padding"), "as_string");
    double list[3];
    int count = word ? 0 : numbers(p, "padding", list, 3);
    if (word) {
        add_attribute(p, "auto_pad")->text = msw_pt2_part(
            strcmp(word->text ? word->text : "", "same") == 0 ? "SAME_UPPER" : "VALID");
        return 0;
    }
    if (count == 0)
        return 0;
    if (count != dims && count != 1)
        return refuse_list(p, "padding");
    msw_onnx_attribute *a = add_attribute(p, "pads");
    a->count = 2 * (size_t)dims;
    for (int i = 0; i < 2 * dims; i++)
        a->list[i] = list[count == 1 ? 0 : i % dims];
    return 0;
}

static int use(msw_pt2 *p, msw_onnx_value *a, msw_onnx_value *b)
{
    p->m.in[0] = a;
    p->m.in[1] = b;
    p->m.node.input_count = b ? 2 : 1;
    return a ? 0 : msw_onnx_refuse(&p->m, "has no tensor that it reads");
}

int msw_pt2_conv(msw_pt2 *p)
{
    double groups = 1;
    msw_onnx_value *x = tensor(p, "input"), *weights = tensor(p, "weight");
    if (!x || !weights || x->rank < 3)
        return msw_onnx_refuse(&p->m, "has no images or no weights");
    int dims = x->rank - 2 < 3 ? x->rank - 2 : 3;
    if (use(p, x, weights) || add_list(p, "stride", "strides", dims) || add_padding(p, dims) ||
        add_list(p, "dilation", "dilations", dims) || numbers(p, "groups", &groups, 1) < 0)
        return -1;
    add_attribute(p, "group")->number = groups;
    return is_true(p, "transposed") ? msw_onnx_deconv(&p->m) : msw_onnx_conv(&p->m);
}

int msw_pt2_pool(msw_pt2 *p)
{
    msw_onnx_value *x = tensor(p, "self");
    if (!x || x->rank < 3)
        return msw_onnx_refuse(&p->m, "has no images");
    int dims = x->rank - 2 < 3 ? x->rank - 2 : 3;
    if (use(p, x, NULL) || add_list(p, "kernel_size", "kernel_shape", dims) ||
        add_list(p, "stride", "strides", dims) || add_padding(p, dims) ||
        add_list(p, "dilation", "dilations", dims))
        return -1;
    if (!msw_onnx_attribute_of(&p->m, "strides") && add_list(p, "kernel_size", "strides", dims))
        return -1;
    add_attribute(p, "ceil_mode")->number = is_true(p, "ceil_mode");
    return msw_onnx_pool(&p->m);
}

static msw_onnx_value transposed(const msw_onnx_value *v)
{
    msw_onnx_value t = *v;
    if (v->rank >= 2) {
        t.dims[v->rank - 1] = v->dims[v->rank - 2];
        t.dims[v->rank - 2] = v->dims[v->rank - 1];
    }
    return t;
}

int msw_pt2_linear(msw_pt2 *p)
{
    const msw_onnx_value *weights = tensor(p, "weight");
    if (!weights)
        return msw_onnx_refuse(&p->m, "has no weights");
    msw_onnx_value t = transposed(weights);
    return use(p, tensor(p, "input"), &t) ? -1 : msw_onnx_matmul(&p->m);
}

int msw_pt2_product(msw_pt2 *p)
{
    static const char *const NAMES[][2] = {
        {"mat1", "mat2"}, {"batch1", "batch2"}, {"self", "mat2"}, {"self", "other"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        msw_onnx_value *a = tensor(p, NAMES[i][0]), *b = tensor(p, NAMES[i][1]);
        if (a && b)
            return use(p, a, b) ? -1 : msw_onnx_matmul(&p->m);
    }
    return msw_onnx_refuse(&p->m, "has no two matrices");
}

int msw_pt2_softmax(msw_pt2 *p)
{
    return use(p, tensor(p, "self"), NULL) ? -1 : msw_onnx_softmax(&p->m);
}

/* Scores, softmax and what it weighs, as three operators: nothing is fused. */
int msw_pt2_attention(msw_pt2 *p)
{
    msw_onnx *m = &p->m;
    msw_onnx_value *q = tensor(p, "query"), *k = tensor(p, "key"), *v = tensor(p, "value");
    msw_onnx_value *out = m->out[0];
    if (!q || !k || !v)
        return msw_onnx_refuse(m, "has no queries, keys or values");
    if (is_true(p, "enable_gqa") || q->rank < 2 || k->rank != q->rank || v->rank != q->rank)
        return msw_onnx_refuse(m, "heads that share keys and values, or tensors of different "
                                  "dimensions: not modelled");
    msw_onnx_value scores = *out, keys = transposed(k);
    m->out[0] = &scores;
    int rc = use(p, q, &keys) || msw_onnx_matmul(m) || use(p, &scores, NULL) || msw_onnx_softmax(m);
    m->out[0] = out;
    MSW_TRY(rc);
    MSW_TRY(use(p, &scores, v));
    MSW_TRY(msw_onnx_matmul(m));
    return 0;
}

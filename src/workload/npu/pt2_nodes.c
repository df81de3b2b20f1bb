/* SPDX-License-Identifier: MIT */
/* The nodes of torch.export's graphs: which operators are known, what they read and make. Of those
 * without products the file says what sizes they make. */
#include "workload/npu/pt2.h"

#include <string.h>

/* "torch.ops.aten.conv2d.default" is "conv2d". */
static msw_onnx_part name_of_target(const char *target)
{
    static const char *const HEADS[] = {"torch.ops.aten.", "torch.ops.higher_order.", "_operator."};
    for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++)
        if (strncmp(target, HEADS[i], strlen(HEADS[i])) == 0) {
            target += strlen(HEADS[i]);
            break;
        }
    msw_onnx_part part = msw_pt2_part(target);
    const char *dot = strchr(target, '.');
    if (dot)
        part.end = (const uint8_t *)dot;
    return part;
}

typedef struct operation {
    const char *name;
    int (*run)(msw_pt2 *p); /* NULL: the file says what it makes */
    msw_onnx_work work;
} operation;

#define POINT(name)                                                                                \
    {                                                                                              \
        name, NULL, MSW_ONNX_POINTS                                                                \
    }
#define PASS(name)                                                                                 \
    {                                                                                              \
        name, NULL, MSW_ONNX_PASSES                                                                \
    }
#define VIEW(name)                                                                                 \
    {                                                                                              \
        name, NULL, MSW_ONNX_VIEWS                                                                 \
    }

static const operation OPERATIONS[] = {
    {"conv1d", msw_pt2_conv, MSW_ONNX_POINTS},
    {"conv2d", msw_pt2_conv, MSW_ONNX_POINTS},
    {"convolution", msw_pt2_conv, MSW_ONNX_POINTS},
    {"linear", msw_pt2_linear, MSW_ONNX_POINTS},
    {"addmm", msw_pt2_product, MSW_ONNX_POINTS},
    {"mm", msw_pt2_product, MSW_ONNX_POINTS},
    {"bmm", msw_pt2_product, MSW_ONNX_POINTS},
    {"baddbmm", msw_pt2_product, MSW_ONNX_POINTS},
    {"matmul", msw_pt2_product, MSW_ONNX_POINTS},
    {"scaled_dot_product_attention", msw_pt2_attention, MSW_ONNX_POINTS},
    {"max_pool1d", msw_pt2_pool, MSW_ONNX_POINTS},
    {"max_pool2d", msw_pt2_pool, MSW_ONNX_POINTS},
    {"avg_pool1d", msw_pt2_pool, MSW_ONNX_POINTS},
    {"avg_pool2d", msw_pt2_pool, MSW_ONNX_POINTS},
    {"max_pool2d_with_indices", msw_pt2_pool, MSW_ONNX_POINTS},
    {"softmax", msw_pt2_softmax, MSW_ONNX_PASSES},
    {"_softmax", msw_pt2_softmax, MSW_ONNX_PASSES},
    {"log_softmax", msw_pt2_softmax, MSW_ONNX_PASSES},
    {"_log_softmax", msw_pt2_softmax, MSW_ONNX_PASSES},
    {"_safe_softmax", msw_pt2_softmax, MSW_ONNX_PASSES},
    PASS("layer_norm"),
    PASS("native_layer_norm"),
    PASS("group_norm"),
    PASS("native_group_norm"),
    PASS("instance_norm"),
    PASS("rms_norm"),
    PASS("_fused_rms_norm"),
    PASS("cumsum"),
    PASS("adaptive_avg_pool1d"),
    PASS("adaptive_avg_pool2d"),
    PASS("_adaptive_avg_pool2d"),
    PASS("adaptive_max_pool2d"),
    PASS("mean"),
    PASS("sum"),
    PASS("amax"),
    PASS("amin"),
    PASS("max"),
    PASS("min"),
    PASS("var"),
    PASS("var_mean"),
    PASS("argmax"),
    PASS("argmin"),
    PASS("topk"),
    PASS("sort"),
    PASS("any"),
    PASS("all"),
    PASS("norm"),
    PASS("linalg_vector_norm"),
    PASS("upsample_nearest2d"),
    PASS("upsample_bilinear2d"),
    PASS("pad"),
    PASS("constant_pad_nd"),
    PASS("roll"),
    PASS("flip"),
    PASS("repeat"),
    PASS("stack"),
    POINT("batch_norm"),
    POINT("_native_batch_norm_legit_no_training"),
    POINT("relu"),
    POINT("relu_"),
    POINT("relu6"),
    POINT("relu6_"),
    POINT("hardtanh"),
    POINT("hardtanh_"),
    POINT("hardswish"),
    POINT("hardswish_"),
    POINT("hardsigmoid"),
    POINT("hardsigmoid_"),
    POINT("sigmoid"),
    POINT("sigmoid_"),
    POINT("silu"),
    POINT("silu_"),
    POINT("gelu"),
    POINT("mish"),
    POINT("elu"),
    POINT("leaky_relu"),
    POINT("leaky_relu_"),
    POINT("prelu"),
    POINT("tanh"),
    POINT("softplus"),
    POINT("clamp"),
    POINT("clamp_min"),
    POINT("add"),
    POINT("add_"),
    POINT("sub"),
    POINT("rsub"),
    POINT("mul"),
    POINT("mul_"),
    POINT("div"),
    POINT("div_"),
    POINT("pow"),
    POINT("sqrt"),
    POINT("rsqrt"),
    POINT("exp"),
    POINT("log"),
    POINT("neg"),
    POINT("abs"),
    POINT("sin"),
    POINT("cos"),
    POINT("erf"),
    POINT("reciprocal"),
    POINT("floor"),
    POINT("ceil"),
    POINT("round"),
    POINT("where"),
    POINT("masked_fill"),
    POINT("eq"),
    POINT("ne"),
    POINT("lt"),
    POINT("le"),
    POINT("gt"),
    POINT("ge"),
    POINT("logical_and"),
    POINT("logical_or"),
    POINT("logical_not"),
    POINT("bitwise_and"),
    POINT("bitwise_not"),
    POINT("maximum"),
    POINT("minimum"),
    POINT("tril"),
    POINT("triu"),
    POINT("remainder"),
    POINT("floor_divide"),
    POINT("scalar_tensor"),
    VIEW("cat"),
    VIEW("view"),
    VIEW("_unsafe_view"),
    VIEW("reshape"),
    VIEW("flatten"),
    VIEW("unflatten"),
    VIEW("permute"),
    VIEW("transpose"),
    VIEW("t"),
    VIEW("squeeze"),
    VIEW("unsqueeze"),
    VIEW("expand"),
    VIEW("expand_as"),
    VIEW("slice"),
    VIEW("select"),
    VIEW("split"),
    VIEW("split_with_sizes"),
    VIEW("chunk"),
    VIEW("unbind"),
    VIEW("contiguous"),
    VIEW("clone"),
    VIEW("alias"),
    VIEW("detach"),
    VIEW("detach_"),
    VIEW("to"),
    VIEW("_to_copy"),
    VIEW("type_as"),
    VIEW("dropout"),
    VIEW("dropout_"),
    VIEW("feature_dropout"),
    VIEW("embedding"),
    VIEW("gather"),
    VIEW("index"),
    VIEW("index_select"),
    VIEW("getitem"),
    VIEW("full"),
    VIEW("full_like"),
    VIEW("zeros"),
    VIEW("zeros_like"),
    VIEW("ones"),
    VIEW("ones_like"),
    VIEW("empty"),
    VIEW("arange"),
    VIEW("lift_fresh_copy"),
    VIEW("lift_fresh"),
    VIEW("pixel_shuffle"),
    VIEW("unfold"),
    VIEW("copy"),
    VIEW("new_ones"),
    VIEW("new_zeros"),
    VIEW("sym_size"),
    VIEW("_assert_tensor_metadata"),
    VIEW("_assert_async"),
    VIEW("_assert_scalar"),
    VIEW("sym_constrain_range_for_size"),
};

static const operation *find_operation(msw_onnx_part name)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++)
        if (msw_onnx_is(name, OPERATIONS[i].name))
            return &OPERATIONS[i];
    return NULL;
}

static int skip(msw_pt2 *p, const char *target, const operation **o)
{
    static const operation PASS_ON = {"", NULL, MSW_ONNX_VIEWS};
    msw_onnx *m = &p->m;
    if (!m->settings.skip_unknown)
        return msw_onnx_refuse(m,
                               "operator '%.80s' is not known; model.pt2/skip_unknown takes it to "
                               "multiply nothing",
                               target);
    if (!m->skipped++)
        m->first_skipped = msw_onnx_copy(m, msw_pt2_part(target));
    *o = &PASS_ON;
    return 0;
}

/* ---- nodes ---- */

static int add_read(msw_pt2 *p, const msw_json *at)
{
    msw_onnx *m = &p->m;
    msw_onnx_value *value = msw_pt2_tensor(p, at);
    if (!value || m->node.input_count == MSW_ONNX_NAMES)
        return 0;
    if (!value->known)
        return msw_onnx_refuse(m, "it reads '%.*s', which no earlier node makes",
                               MSW_ONNX_TEXT(value->name));
    m->in[m->node.input_count++] = value;
    return 0;
}

/* All tensors that a node reads. */
static int find_reads(msw_pt2 *p)
{
    const msw_json *inputs = msw_json_find(p->node, "inputs");
    for (const msw_json *i = inputs ? inputs->first : NULL; i; i = i->next) {
        const msw_json *a = msw_json_find(i, "arg"), *many = msw_json_find(a, "as_tensors");
        many = many ? many : msw_json_find(a, "as_optional_tensors");
        if (add_read(p, a))
            return -1;
        for (const msw_json *t = many && many->kind == MSW_JSON_LIST ? many->first : NULL; t;
             t = t->next)
            if (add_read(p, t))
                return -1;
    }
    return 0;
}

static int add_made(msw_pt2 *p, const msw_json *at)
{
    msw_onnx *m = &p->m;
    msw_onnx_value *value = msw_pt2_tensor(p, at);
    if (!value || m->node.output_count == MSW_ONNX_NAMES)
        return 0;
    if (value->known)
        return msw_onnx_refuse(m, "it makes '%.*s', which is there already",
                               MSW_ONNX_TEXT(value->name));
    m->node.outputs[m->node.output_count] = value->name;
    m->out[m->node.output_count++] = value;
    return 0;
}

static int find_made(msw_pt2 *p)
{
    const msw_json *outputs = msw_json_find(p->node, "outputs");
    for (const msw_json *o = outputs ? outputs->first : NULL; o; o = o->next) {
        const msw_json *many = msw_json_find(o, "as_tensors");
        if (add_made(p, o))
            return -1;
        for (const msw_json *t = many && many->kind == MSW_JSON_LIST ? many->first : NULL; t;
             t = t->next)
            if (add_made(p, t))
                return -1;
    }
    return 0;
}

/* Whether what an operator makes has the size that the file says. */
static int check_size(msw_pt2 *p, const msw_onnx_value *said)
{
    const msw_onnx_value *made = p->m.out[0];
    bool same = said->rank == made->rank;
    for (int i = 0; same && i < made->rank; i++)
        same = said->dims[i] == made->dims[i];
    return same ? 0
                : msw_onnx_refuse(&p->m,
                                  "makes %llu elements, or other dimensions, where the file "
                                  "says %llu",
                                  (unsigned long long)msw_onnx_elements(made),
                                  (unsigned long long)msw_onnx_elements(said));
}

static int run_known(msw_pt2 *p, const operation *o)
{
    msw_onnx *m = &p->m;
    msw_onnx_value *in[MSW_ONNX_NAMES];
    uint32_t count = m->node.input_count;
    msw_onnx_value said = *m->out[0];
    memcpy(in, m->in, sizeof in);
    if (o->run && (o->run(p) || check_size(p, &said)))
        return -1;
    memcpy(m->in, in, sizeof in); /* what an operator of several parts has changed */
    m->node.input_count = count;
    return msw_onnx_finish(m, o->work);
}

int msw_pt2_run(msw_pt2 *p, const msw_json *node)
{
    msw_onnx *m = &p->m;
    const msw_json *target = msw_json_find(node, "target");
    if (!target || target->kind != MSW_JSON_STRING)
        return msw_fail(m->err, "%s: %s:%zu:%zu: a node without a target", m->file, p->inner,
                        node->line, node->column);
    p->node = node;
    m->nodes++;
    m->node.name = m->node.domain = (msw_onnx_part){0};
    m->node.op = name_of_target(target->text);
    m->node.input_count = m->node.output_count = m->node.attribute_count = 0;
    const operation *o = find_operation(m->node.op);
    if (find_made(p) || find_reads(p) || (!o && skip(p, target->text, &o)))
        return -1;
    return m->node.output_count ? run_known(p, o) : 0;
}

/* SPDX-License-Identifier: MIT */
/* The operators that are known, and what is done with every node: shapes, values where they follow
 * from the file, and who makes the output. An operator without a row of its own works where its
 * input lies when its output is as large, and has a tensor of its own when it is not. */
#include "workload/npu/onnx.h"

typedef struct operation {
    const char *name;
    int (*shape)(msw_onnx *m);
    void (*fold)(msw_onnx *m, double *out); /* NULL: values are not followed */
    uint32_t inputs;                        /* at least */
    msw_onnx_work work;
} operation;

#define SAME(name)                                                                                 \
    {                                                                                              \
        name, msw_onnx_same_shape, NULL, 1, MSW_ONNX_POINTS                                        \
    }
#define NORM(name)                                                                                 \
    {                                                                                              \
        name, msw_onnx_same_shape, NULL, 1, MSW_ONNX_PASSES                                        \
    }
#define ONE(name)                                                                                  \
    {                                                                                              \
        name, msw_onnx_same_shape, msw_onnx_fold_one, 1, MSW_ONNX_POINTS                           \
    }
#define TWO(name)                                                                                  \
    {                                                                                              \
        name, msw_onnx_all_together, msw_onnx_fold_two, 1, MSW_ONNX_POINTS                         \
    }
#define TOGETHER(name)                                                                             \
    {                                                                                              \
        name, msw_onnx_all_together, NULL, 1, MSW_ONNX_POINTS                                      \
    }
#define REDUCE(name)                                                                               \
    {                                                                                              \
        name, msw_onnx_reduce, msw_onnx_fold_reduce, 1, MSW_ONNX_POINTS                            \
    }
#define REDUCE_ONLY(name)                                                                          \
    {                                                                                              \
        name, msw_onnx_reduce, NULL, 1, MSW_ONNX_POINTS                                            \
    }
#define POOL(name)                                                                                 \
    {                                                                                              \
        name, msw_onnx_pool, NULL, 1, MSW_ONNX_POINTS                                              \
    }

static const operation OPERATIONS[] = {
    {"Conv", msw_onnx_conv, NULL, 2, MSW_ONNX_POINTS},
    {"ConvInteger", msw_onnx_conv, NULL, 2, MSW_ONNX_POINTS},
    {"QLinearConv", msw_onnx_quantized_conv, NULL, 4, MSW_ONNX_POINTS},
    {"ConvTranspose", msw_onnx_deconv, NULL, 2, MSW_ONNX_POINTS},
    {"Gemm", msw_onnx_gemm, NULL, 2, MSW_ONNX_POINTS},
    {"MatMul", msw_onnx_matmul, NULL, 2, MSW_ONNX_POINTS},
    {"MatMulInteger", msw_onnx_matmul, NULL, 2, MSW_ONNX_POINTS},
    {"QLinearMatMul", msw_onnx_quantized_matmul, NULL, 4, MSW_ONNX_POINTS},
    {"Einsum", msw_onnx_einsum, NULL, 2, MSW_ONNX_POINTS},
    {"LSTM", msw_onnx_lstm, NULL, 3, MSW_ONNX_POINTS},
    {"GRU", msw_onnx_gru, NULL, 3, MSW_ONNX_POINTS},
    {"RNN", msw_onnx_rnn, NULL, 3, MSW_ONNX_POINTS},
    POOL("MaxPool"),
    POOL("AveragePool"),
    POOL("LpPool"),
    {"GlobalAveragePool", msw_onnx_global_pool, NULL, 1, MSW_ONNX_POINTS},
    {"GlobalMaxPool", msw_onnx_global_pool, NULL, 1, MSW_ONNX_POINTS},
    {"Softmax", msw_onnx_softmax, NULL, 1, MSW_ONNX_POINTS},
    {"LogSoftmax", msw_onnx_softmax, NULL, 1, MSW_ONNX_POINTS},
    {"Reshape", msw_onnx_reshape, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Flatten", msw_onnx_flatten, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Squeeze", msw_onnx_squeeze, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Unsqueeze", msw_onnx_unsqueeze, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Identity", msw_onnx_same_shape, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Cast", msw_onnx_same_shape, msw_onnx_fold_same, 1, MSW_ONNX_VIEWS},
    {"Transpose", msw_onnx_transpose, msw_onnx_fold_transpose, 1, MSW_ONNX_VIEWS},
    {"Expand", msw_onnx_expand, msw_onnx_fold_expand, 2, MSW_ONNX_VIEWS},
    {"Tile", msw_onnx_tile, NULL, 2, MSW_ONNX_POINTS},
    {"Concat", msw_onnx_concat, msw_onnx_fold_concat, 1, MSW_ONNX_POINTS},
    {"Gather", msw_onnx_gather, msw_onnx_fold_gather, 2, MSW_ONNX_VIEWS},
    {"GatherElements", msw_onnx_gather_elements, NULL, 2, MSW_ONNX_VIEWS},
    {"Slice", msw_onnx_slice, msw_onnx_fold_slice, 1, MSW_ONNX_VIEWS},
    {"Split", msw_onnx_split, NULL, 1, MSW_ONNX_VIEWS},
    {"Pad", msw_onnx_pad, NULL, 1, MSW_ONNX_POINTS},
    {"Resize", msw_onnx_resize, NULL, 1, MSW_ONNX_POINTS},
    {"Upsample", msw_onnx_resize, NULL, 1, MSW_ONNX_POINTS},
    {"DepthToSpace", msw_onnx_depth_to_space, NULL, 1, MSW_ONNX_POINTS},
    {"SpaceToDepth", msw_onnx_space_to_depth, NULL, 1, MSW_ONNX_POINTS},
    {"ArgMax", msw_onnx_arg, NULL, 1, MSW_ONNX_POINTS},
    {"ArgMin", msw_onnx_arg, NULL, 1, MSW_ONNX_POINTS},
    {"TopK", msw_onnx_topk, NULL, 1, MSW_ONNX_POINTS},
    {"Constant", msw_onnx_constant, NULL, 0, MSW_ONNX_VIEWS},
    {"ConstantOfShape", msw_onnx_constant_of_shape, NULL, 1, MSW_ONNX_VIEWS},
    {"Shape", msw_onnx_shape, NULL, 1, MSW_ONNX_VIEWS},
    {"Size", msw_onnx_size, NULL, 1, MSW_ONNX_VIEWS},
    {"Range", msw_onnx_range, NULL, 3, MSW_ONNX_VIEWS},
    {"Where", msw_onnx_all_together, msw_onnx_fold_where, 3, MSW_ONNX_POINTS},
    REDUCE("ReduceProd"),
    REDUCE("ReduceSum"),
    REDUCE("ReduceMax"),
    REDUCE("ReduceMin"),
    REDUCE_ONLY("ReduceMean"),
    REDUCE_ONLY("ReduceL1"),
    REDUCE_ONLY("ReduceL2"),
    REDUCE_ONLY("ReduceSumSquare"),
    REDUCE_ONLY("ReduceLogSumExp"),
    TWO("Add"),
    TWO("Sub"),
    TWO("Mul"),
    TWO("Div"),
    TWO("Mod"),
    TWO("Min"),
    TWO("Max"),
    TWO("Equal"),
    TWO("Less"),
    TWO("Greater"),
    TOGETHER("LessOrEqual"),
    TOGETHER("GreaterOrEqual"),
    TOGETHER("And"),
    TOGETHER("Or"),
    TOGETHER("Xor"),
    TOGETHER("Pow"),
    TOGETHER("Sum"),
    TOGETHER("Mean"),
    ONE("Floor"),
    ONE("Ceil"),
    ONE("Neg"),
    ONE("Abs"),
    ONE("Sqrt"),
    ONE("Not"),
    SAME("Relu"),
    SAME("LeakyRelu"),
    SAME("PRelu"),
    SAME("Elu"),
    SAME("Selu"),
    SAME("Celu"),
    SAME("ThresholdedRelu"),
    SAME("Clip"),
    SAME("Sigmoid"),
    SAME("HardSigmoid"),
    SAME("HardSwish"),
    SAME("Mish"),
    SAME("Gelu"),
    SAME("Swish"),
    SAME("Tanh"),
    SAME("Erf"),
    SAME("Exp"),
    SAME("Log"),
    SAME("Sin"),
    SAME("Cos"),
    SAME("Reciprocal"),
    SAME("Round"),
    SAME("Sign"),
    SAME("Softplus"),
    SAME("Softsign"),
    SAME("IsNaN"),
    {"Dropout", msw_onnx_same_shape, NULL, 1, MSW_ONNX_VIEWS},
    SAME("BatchNormalization"),
    NORM("InstanceNormalization"),
    NORM("LayerNormalization"),
    NORM("SimplifiedLayerNormalization"),
    NORM("RMSNormalization"),
    NORM("GroupNormalization"),
    NORM("LpNormalization"),
    NORM("MeanVarianceNormalization"),
    NORM("LRN"),
    NORM("CumSum"),
    SAME("Trilu"),
    SAME("ScatterND"),
    SAME("ScatterElements"),
    SAME("QuantizeLinear"),
    SAME("DequantizeLinear"),
};

static const operation *find_operation(msw_onnx_part name)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++)
        if (msw_onnx_is(name, OPERATIONS[i].name))
            return &OPERATIONS[i];
    return NULL;
}

/* Whether it reads tensors that lie apart. */
static bool reads_several(const msw_onnx *m)
{
    int64_t first = MSW_ONNX_NO_ROW;
    for (uint32_t i = 0; i < m->node.input_count; i++) {
        if (!m->in[i] || m->in[i]->constant)
            continue;
        if (first != MSW_ONNX_NO_ROW && m->in[i]->row != first)
            return true;
        first = m->in[i]->row;
    }
    return false;
}

enum { VECTOR_NORM = 5 }; /* operations of a vector unit for an element that is normed */

/* An operator that works where its input lies, and whose output is called as that. */
static int wire_in_place(msw_onnx *m, msw_onnx_work work, const msw_onnx_value *from,
                         msw_onnx_value *out)
{
    out->row = from->row, out->maker = from->maker;
    if (work == MSW_ONNX_VIEWS || (work == MSW_ONNX_POINTS && !reads_several(m)))
        return 0;
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_VECTOR, out);
    out->row = from->row;
    if (!row)
        return -1;
    row->vec_ops *= work == MSW_ONNX_PASSES ? VECTOR_NORM : 1;
    for (uint32_t i = 0; i < row->input_count; i++)
        if (row->inputs[i] == (uint32_t)from->row) {
            uint32_t maker = row->makers[i];
            row->inputs[i] = row->inputs[0];
            row->makers[i] = row->makers[0];
            row->inputs[0] = (uint32_t)from->row;
            row->makers[0] = maker;
        }
    return 0;
}

/* An activation that no handler gave a row: where an input of its size lies, or its own. */
static int wire_plain(msw_onnx *m, msw_onnx_work work, msw_onnx_value *out)
{
    for (uint32_t i = 0; i < m->node.input_count; i++)
        if (m->in[i] && !m->in[i]->constant &&
            msw_onnx_elements(m->in[i]) == msw_onnx_elements(out))
            return wire_in_place(m, work, m->in[i], out);
    msw_npu_row *row = msw_onnx_row(m, MSW_NPU_KIND_MAKES, out);
    if (row)
        row->view = work == MSW_ONNX_VIEWS;
    return row ? 0 : -1;
}

/* ---- nodes ---- */

static int find_inputs(msw_onnx *m)
{
    for (uint32_t i = 0; i < m->node.input_count; i++) {
        msw_onnx_part name = m->node.inputs[i];
        m->in[i] = name.at == name.end ? NULL : msw_onnx_find(m, name);
        if (name.at != name.end && (!m->in[i] || !m->in[i]->known))
            return msw_onnx_refuse(m, "it reads '%.*s', which %s", MSW_ONNX_TEXT(name),
                                   m->in[i] ? "is made by itself or a later node; nodes must be "
                                              "in an order in which they can run"
                                            : "nothing makes");
    }
    for (uint32_t i = 0; i < m->node.output_count; i++) {
        msw_onnx_part name = m->node.outputs[i];
        m->out[i] = name.at == name.end ? NULL : msw_onnx_find(m, name);
    }
    return 0;
}

static bool has_values(const msw_onnx *m)
{
    for (uint32_t i = 0; i < m->node.input_count; i++)
        if (!m->in[i] || !m->in[i]->data)
            return false;
    return m->node.input_count && msw_onnx_elements(m->out[0]) <= MSW_ONNX_VALUES;
}

static bool all_constant(const msw_onnx *m)
{
    bool constant = m->node.input_count > 0;
    for (uint32_t i = 0; i < m->node.input_count; i++)
        constant = constant && (!m->in[i] || m->in[i]->constant);
    return constant;
}

int msw_onnx_finish(msw_onnx *m, msw_onnx_work work)
{
    bool constant = all_constant(m);
    for (uint32_t i = 0; i < m->node.output_count; i++) {
        msw_onnx_value *out = m->out[i];
        if (!out)
            continue;
        out->constant = out->constant || constant;
        if (!out->constant && out->row < 0 && wire_plain(m, work, out))
            return -1;
        out->known = true;
    }
    return 0;
}

static int finish(msw_onnx *m, const operation *o)
{
    if (msw_onnx_finish(m, o->work))
        return -1;
    if (!o->fold || !has_values(m))
        return 0;
    double *data = msw_onnx_fill(m, m->out[0]);
    if (!data)
        return msw_fail_memory(m->err);
    o->fold(m, data);
    return 0;
}

/* Operators of other domains are others, whatever they are called. */
static bool is_ours(const msw_onnx_node *n)
{
    return n->domain.at == n->domain.end || msw_onnx_is(n->domain, "ai.onnx");
}

static int skip(msw_onnx *m, const operation **o)
{
    static const operation PASS = {"", msw_onnx_same_shape, NULL, 1, MSW_ONNX_VIEWS};
    const msw_onnx_node *n = &m->node;
    bool inner =
        msw_onnx_is(n->op, "If") || msw_onnx_is(n->op, "Loop") || msw_onnx_is(n->op, "Scan");
    if (!m->settings.skip_unknown)
        return msw_onnx_refuse(
            m,
            "operator '%.*s'%s%.*s %s; model.onnx/skip_unknown takes it to pass "
            "its first input on",
            MSW_ONNX_TEXT(n->op), is_ours(n) ? "" : " of ", MSW_ONNX_TEXT(n->domain),
            inner ? "runs a graph of its own, which is not modelled" : "is not known");
    if (!m->skipped++)
        m->first_skipped = msw_onnx_copy(m, n->op);
    *o = &PASS;
    return 0;
}

int msw_onnx_run(msw_onnx *m)
{
    const operation *o = is_ours(&m->node) ? find_operation(m->node.op) : NULL;
    if (find_inputs(m) || (!o && skip(m, &o)))
        return -1;
    if (!m->node.output_count || !m->out[0])
        return msw_onnx_refuse(m, "its first output has no name, so nothing is made");
    for (uint32_t i = 0; i < o->inputs; i++)
        if (i >= m->node.input_count || !m->in[i])
            return msw_onnx_refuse(m, "input %u is not there", i);
    MSW_TRY(o->shape(m));
    return finish(m, o);
}

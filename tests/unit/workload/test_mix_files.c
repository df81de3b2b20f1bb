/* SPDX-License-Identifier: MIT */
/* Is a network the same network whoever wrote its file down? Known answers: the shipped operator
 * table of the same network, the built-in decoder of the same sizes, and products by hand. */
#include "onnx_file.h"
#include "streams.h"
#include "testing.h"

#include "memsweep/workload/graph.h"

#include <stdio.h>

/* Builds a mix of one name and of one file's bytes, as its first file. */
static int open_bytes(stream *s, const char *name, const char *bytes, size_t size)
{
    char file[256];
    memset(s, 0, sizeof *s);
    s->workload.frontend = msw_workload_resolve(name, &s->config, file, sizeof file, &s->err);
    if (!s->workload.frontend)
        return -1;
    assert_ptr_equal(s->workload.frontend, &msw_frontend_mix);
    s->workload.name = msw_strdup(name);
    return msw_workload_load(&s->workload, file, bytes, size, &s->err) || stream_build(s, 1) ? -1
                                                                                             : 0;
}

static int open_model(stream *s, const char *name, const char *lines)
{
    msw_text model = MSW_TEXT_EMPTY;
    onnx_lines(lines, &model);
    int rc = open_bytes(s, name, model.data, model.size);
    msw_text_free(&model);
    return rc;
}

static const msw_graph_network *network_of(const stream *s)
{
    return ((const msw_graph_product *)s->product.data)->networks;
}

static uint64_t macs_of(const msw_graph_network *net)
{
    uint64_t macs = 0;
    for (uint32_t i = 0; i < net->op_count; i++)
        macs += net->ops[i].macs;
    return macs;
}

static int open_name(stream *s, const char *name)
{
    return stream_named(s, name) || stream_build(s, 1) ? -1 : 0;
}

static void test_alexnet_of_a_model_is_alexnet_of_the_table(void **state)
{
    (void)state;
    stream s, table;
    assert_ok(open_model(&s, "mix:my/model.onnx/b4:3",
                         "input x batch,3,224,224\nweights w1 64,3,11,11\nweights w2 192,64,5,5\n"
                         "weights w3 384,192,3,3\nweights w4 256,384,3,3\nweights w5 256,256,3,3\n"
                         "weights w6 4096,9216\nweights w7 4096,4096\nweights w8 4096,1000\n"
                         "Conv c1 x w1 strides=4,4 pads=2,2,2,2\nRelu r1 c1\n"
                         "MaxPool p1 r1 kernel_shape=3,3 strides=2,2\n"
                         "Conv c2 p1 w2 pads=2,2,2,2\nRelu r2 c2\n"
                         "MaxPool p2 r2 kernel_shape=3,3 strides=2,2\n"
                         "Conv c3 p2 w3 pads=1,1,1,1\nRelu r3 c3\nConv c4 r3 w4 pads=1,1,1,1\n"
                         "Relu r4 c4\nConv c5 r4 w5 pads=1,1,1,1\nRelu r5 c5\n"
                         "MaxPool p5 r5 kernel_shape=3,3 strides=2,2\nFlatten f p5\n"
                         "Gemm g6 f w6 transB:1\nGemm g7 g6 w7 transB:1\nGemm g8 g7 w8\n"),
              s.err);
    assert_ok(open_name(&table, "mix:alexnet/b4"), table.err);
    msw_graph_totals mine = msw_graph_total(network_of(&s)),
                     ours = msw_graph_total(network_of(&table));
    assert_int_equal(macs_of(network_of(&s)), macs_of(network_of(&table)));
    assert_int_equal(macs_of(network_of(&s)), 4 * 714188480l);
    assert_true(mine.weights == ours.weights && mine.layerwise == ours.layerwise);
    assert_true(mine.fused == ours.fused && mine.between == ours.between);
    assert_true(network_of(&s)->weight == 3 && network_of(&s)->batch == 4);
    stream_close(&s);
    stream_close(&table);
}

/* One product makes queries, keys and values: they are three, and the residual stream outlives the
 * norm that works in its place. */
static void test_attention_of_a_model(void **state)
{
    (void)state;
    stream s;
    assert_ok(open_model(&s, "mix:model.onnx/seq=16",
                         "input x batch,seq,64\nweights g 64\nweights w 64,192\nweights o 64,64\n"
                         "list heads 0,0,4,16\nlist back 0,0,64\nlist parts 64,64,64\n"
                         "LayerNormalization n x g\nMatMul t n w\nSplit q+k+v t parts axis:2\n"
                         "Reshape q4 q heads\nReshape k4 k heads\nReshape v4 v heads\n"
                         "Transpose qt q4 perm=0,2,1,3\nTranspose kt k4 perm=0,2,3,1\n"
                         "Transpose vt v4 perm=0,2,1,3\nMatMul s qt kt\nSoftmax p s axis:-1\n"
                         "MatMul a p vt\nTranspose at a perm=0,2,1,3\nReshape y at back\n"
                         "MatMul z y o\nAdd r x z\n"),
              s.err);
    const msw_graph_network *net = network_of(&s);
    static const struct {
        const char *word;
        uint64_t m, n, k, count, vector_ops;
    } OPS[] = {{"vector", 0, 0, 0, 1, 5 * 16 * 64}, {"gemm", 16, 64, 64, 1, 0},
               {"gemm", 16, 64, 64, 1, 0},          {"gemm", 16, 64, 64, 1, 0},
               {"bmm", 16, 16, 16, 4, 0},           {"softmax", 0, 0, 0, 1, 4 * 4 * 16 * 16},
               {"bmm", 16, 16, 16, 4, 0},           {"gemm", 16, 64, 64, 1, 0},
               {"vector", 0, 0, 0, 1, 16 * 64}};
    assert_int_equal(net->op_count, sizeof OPS / sizeof *OPS);
    for (uint32_t i = 0; i < net->op_count; i++) {
        const msw_graph_op *op = &net->ops[i];
        assert_string_equal(op->word, OPS[i].word);
        assert_int_equal(op->m, OPS[i].m);
        assert_int_equal(op->n, OPS[i].n);
        assert_int_equal(op->k, OPS[i].k);
        assert_int_equal(op->count, OPS[i].count);
        assert_int_equal(op->vector_ops, OPS[i].vector_ops);
    }
    const msw_graph_tensor *x = &net->tensors[net->reads[net->ops[0].first_read]];
    assert_int_equal(x->role, MSW_GRAPH_INPUT);
    assert_int_equal(x->last, 8);
    assert_int_equal(msw_graph_op_bytes(net, 4), 2 * (2 * 16 * 64 + 4 * 16 * 16));
    stream_close(&s);
}

static void test_words_are_looked_up(void **state)
{
    (void)state;
    stream s;
    assert_ok(open_model(&s, "mix:model.onnx/b2",
                         "input x batch,7\nweights e 1000,32\n"
                         "weights w 32,8\nGather h e x axis:0\n"
                         "MatMul y h w\n"),
              s.err);
    const msw_graph_op *op = network_of(&s)->ops;
    assert_int_equal(op->kind, MSW_GRAPH_GATHER);
    assert_int_equal(op->touched_bytes, 2 * 2 * 7 * 32);
    assert_int_equal(op->index_bytes, 2 * 2 * 7);
    assert_int_equal(network_of(&s)->tensors[op->weight].bytes, 2 * 1000 * 32);
    stream_close(&s);
}

static void test_layers_of_scale_sim_are_a_chain(void **state)
{
    (void)state;
    static const char GEMM[] = "Layer, M, N, K,\na, 4, 32, 16,\nb, 4, 8, 32,\n";
    static const char CONV[] =
        "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, "
        "Strides,\nc1, 10, 10, 3, 3, 4, 6, 1,\nc2DP, 10, 10, 3, 3, 6, 1, 2,\n";
    stream s;
    assert_ok(open_bytes(&s, "mix:net.csv", GEMM, sizeof GEMM - 1), s.err);
    const msw_graph_network *net = network_of(&s);
    assert_int_equal(net->op_count, 2);
    assert_int_equal(msw_graph_op_bytes(net, 0), 2 * (4 * 16 + 16 * 32 + 4 * 32));
    assert_int_equal(msw_graph_op_bytes(net, 1), 2 * (4 * 32 + 32 * 8 + 4 * 8));
    assert_int_equal(net->tensors[net->ops[0].output].role, MSW_GRAPH_INTERMEDIATE);
    stream_close(&s);
    assert_ok(open_bytes(&s, "mix:net.csv:2", CONV, sizeof CONV - 1), s.err);
    net = network_of(&s);
    assert_int_equal(net->ops[0].kind, MSW_GRAPH_MATRIX);
    assert_int_equal(net->ops[0].macs, 64 * 6 * 36);
    assert_int_equal(net->ops[0].kernel_rows, 3);
    assert_int_equal(net->ops[1].kind, MSW_GRAPH_DEPTHWISE);
    assert_int_equal(net->ops[1].macs, 25 * 9 * 6); /* ceil(8 / 2) + 1 = 5 rows */
    stream_close(&s);
}

static void test_a_decoder_of_a_file_is_the_one_in_the_program(void **state)
{
    (void)state;
    stream file, list;
    static const char LIST[] = "network,batch\nllama3_1b/decode,3\n";
    assert_ok(open_name(&file, "mix:llama3_1b/decode/b3"), file.err);
    assert_ok(open_bytes(&list, "mix:list.csv", LIST, sizeof LIST - 1), list.err);
    assert_true(msw_digest_equal(network_of(&file)->shape, network_of(&list)->shape));
    assert_true(network_of(&file)->batch == 3 && network_of(&list)->batch == 3);
    stream_close(&file);
    stream_close(&list);
}

/* Mixtral: 2 of 8 experts of 3 x 4096 x 14336 each, 32 layers. One token goes to 2, four to all. */
static void test_a_batch_reaches_more_experts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t experts;
    } CASES[] = {{"mix:mixtral_8x7b/decode", 2}, {"mix:mixtral_8x7b/decode/b4", 8}};
    const double expert = 32. * 3 * 4096 * 14336;
    double touched[2], weights[2];
    for (int i = 0; i < 2; i++) {
        stream s;
        assert_ok(open_name(&s, CASES[i].name), s.err);
        const msw_graph_network *net = network_of(&s);
        touched[i] = msw_graph_total(net).touched / 2;
        weights[i] = 0;
        uint32_t unread = 0;
        for (uint32_t t = 0; t < net->tensor_count; t++) {
            weights[i] +=
                net->tensors[t].role == MSW_GRAPH_WEIGHT ? (double)net->tensors[t].bytes / 2 : 0;
            unread += net->tensors[t].role == MSW_GRAPH_RESULT;
        }
        assert_int_equal(unread, 3 * 32 + 1); /* new keys and values, routes; and the words */
        stream_close(&s);
    }
    assert_true(touched[1] - touched[0] == 6 * expert);
    assert_true(weights[0] == weights[1] && weights[0] == touched[1]);
    assert_true(weights[0] == 46571454464.); /* less embedding and norms, docs/models/npu.md */
}

static void test_what_is_no_network_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes, *message;
    } SLIPS[] = {
        {"mix:a.json/b2", "{}",
         "'a.json/b2' does not say what a task is; allowed: a.json/decode, a "
         "token, or a.json/prefill, a prompt"},
        {"mix:a.onnx:0", "", "found ':0' after a.onnx, allowed: :<weight> above 0, to 1e6"},
        {"mix:a.onnx:2x", "", "found ':2x' after a.onnx"},
        {"mix:list.csv", "network\na.onnx/b2\n",
         "list.csv:2:1: network: a batch is said in column"},
        {"mix:list.csv", "network\na.json\n", "list.csv:2:1: network: 'a.json' does not say what"},
    };
    for (size_t i = 0; i < sizeof SLIPS / sizeof *SLIPS; i++) {
        stream s;
        assert_int_equal(open_bytes(&s, SLIPS[i].name, SLIPS[i].bytes, strlen(SLIPS[i].bytes)), -1);
        assert_non_null(strstr(s.err.text, SLIPS[i].message));
        stream_close(&s);
    }
}

/* Files are found from the folder of the first, which is one of the user's, if there is any. */
static void test_where_further_files_lie(void **state)
{
    (void)state;
    static const struct {
        const char *name, *first, *second;
    } CASES[] = {
        {"mix:resnet50+a/x.onnx", "a/x.onnx", "workloads/npu/resnet50.csv"},
        {"mix:a/x.onnx+a/y.onnx", "a/x.onnx", "y.onnx"},
        {"mix:a/b/x.onnx+a/c/y.json/decode", "a/b/x.onnx", "../c/y.json"},
        {"mix:a/x.onnx+y.csv:2", "a/x.onnx", "../y.csv"},
        {"mix:../x.onnx+y.onnx", "../x.onnx", "y.onnx"},
        {"mix:/a/x.onnx+y.onnx", "y.onnx", "/a/x.onnx"},
        {"mix:alexnet+llama3_8b/decode", "workloads/npu/alexnet.csv", "llama3_8b.json"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        stream s = {0};
        char first[256], second[256];
        const msw_workload_file file = {CASES[i].first, "", 0};
        assert_non_null(
            msw_workload_resolve(CASES[i].name, &s.config, first, sizeof first, &s.err));
        assert_string_equal(first, CASES[i].first);
        assert_int_equal(
            msw_frontend_mix.further(CASES[i].name, &file, 1, second, sizeof second, &s.err), 1);
        assert_string_equal(second, CASES[i].second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alexnet_of_a_model_is_alexnet_of_the_table),
        cmocka_unit_test(test_attention_of_a_model),
        cmocka_unit_test(test_words_are_looked_up),
        cmocka_unit_test(test_layers_of_scale_sim_are_a_chain),
        cmocka_unit_test(test_a_decoder_of_a_file_is_the_one_in_the_program),
        cmocka_unit_test(test_a_batch_reaches_more_experts),
        cmocka_unit_test(test_what_is_no_network_is_refused),
        cmocka_unit_test(test_where_further_files_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

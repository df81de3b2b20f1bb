/* SPDX-License-Identifier: MIT */
/* Do ONNX models become the networks that they are? Known answers: multiplications and weights by
 * hand, the operator table of the same network, and refusals of what is not modelled or hostile. */
#include "networks.h"
#include "onnx_file.h"
#include "testing.h"

#include <glob.h>

/* Loads a model under a name ("model.onnx/seq=8") and frees it. */
static int load(network *n, const char *name, msw_text *model)
{
    *n = (network){.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup(name)}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    int rc = msw_workload_load(&n->workload, "model.onnx", model->data, model->size, &n->err);
    msw_text_free(model);
    return rc;
}

static int load_nodes(network *n, const char *name, msw_text *graph, const char *const *nodes)
{
    msw_text model = MSW_TEXT_EMPTY;
    for (; *nodes; nodes++)
        onnx_node(graph, *nodes);
    onnx_model(graph, &model);
    return load(n, name, &model);
}

static uint64_t weight_bytes(const network *n)
{
    uint64_t sum = 0;
    for (uint64_t l = 0; l < n->p->layer_count; l++)
        sum += n->p->layers[l].tensors[MSW_NPU_WEIGHT].bytes;
    return sum;
}

static void build(network *n)
{
    assert_ok(network_build(n), n->err);
    assert_string_equal(network_fault(n->p) ? network_fault(n->p) : "", "");
}

static void alexnet_is_its_table(void **state)
{
    (void)state;
    static const char *const NODES[] = {"Conv c1 x w1 kernel_shape=11,11 strides=4,4 pads=2,2,2,2",
                                        "Relu r1 c1",
                                        "MaxPool p1 r1 kernel_shape=3,3 strides=2,2",
                                        "Conv c2 p1 w2 pads=2,2,2,2",
                                        "Relu r2 c2",
                                        "MaxPool p2 r2 kernel_shape=3,3 strides=2,2",
                                        "Conv c3 p2 w3 auto_pad@SAME_UPPER",
                                        "Relu r3 c3",
                                        "Conv c4 r3 w4 pads=1,1,1,1",
                                        "Relu r4 c4",
                                        "Conv c5 r4 w5 pads=1,1,1,1",
                                        "Relu r5 c5",
                                        "MaxPool p5 r5 kernel_shape=3,3 strides=2,2",
                                        "Flatten f p5",
                                        "Gemm g6 f w6 transB:1",
                                        "Gemm g7 g6 w7 transB:1",
                                        "Gemm g8 g7 w8",
                                        NULL};
    static const char *const WEIGHTS[][2] = {
        {"w1", "64,3,11,11"},  {"w2", "192,64,5,5"}, {"w3", "384,192,3,3"}, {"w4", "256,384,3,3"},
        {"w5", "256,256,3,3"}, {"w6", "4096,9216"},  {"w7", "4096,4096"},   {"w8", "4096,1000"}};
    msw_text graph = MSW_TEXT_EMPTY;
    network n, table;
    onnx_input(&graph, "x", "batch,3,224,224");
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++)
        onnx_weights(&graph, WEIGHTS[i][0], WEIGHTS[i][1]);
    assert_ok(load_nodes(&n, "model.onnx", &graph, NODES), n.err);
    assert_ok(network_load(&table, "alexnet/b4"), table.err);
    n.config.batch = 4;
    build(&n);
    build(&table);
    assert_int_equal(n.p->macs, 4 * 714188480l);
    assert_int_equal(n.p->macs, table.p->macs);
    assert_int_equal(weight_bytes(&n), weight_bytes(&table));
    assert_int_equal(n.p->load_bytes, table.p->load_bytes);
    assert_int_equal(n.p->store_bytes, table.p->store_bytes);
    assert_int_equal(n.p->footprint_bytes, table.p->footprint_bytes);
    network_close(&n);
    network_close(&table);
}

/* Shapes that the model computes; groups; ceil_mode. */
static void shapes_are_followed(void **state)
{
    (void)state;
    static const char *const NODES[] = {"Conv c x w group:4 pads=1,1,1,1 strides=2,2",
                                        "MaxPool p c kernel_shape=2,2 strides=2,2 ceil_mode:1",
                                        "Shape s p",
                                        "Gather b s zero",
                                        "Unsqueeze u b axes=0",
                                        "Concat to u rest axis:0",
                                        "Reshape f p to",
                                        "Gemm y f v",
                                        NULL};
    msw_text graph = MSW_TEXT_EMPTY;
    network n;
    onnx_input(&graph, "x", "N,8,17,17"); /* 9 x 9, then 5 x 5 */
    onnx_weights(&graph, "w", "16,2,3,3");
    onnx_weights(&graph, "v", "400,10");
    onnx_list(&graph, "rest", "-1");
    {
        msw_text zero = MSW_TEXT_EMPTY; /* without dimensions */
        onnx_number(&zero, 2, 7);
        onnx_bytes(&zero, 9, "\0\0\0\0\0\0\0\0", 8);
        onnx_text(&zero, 8, "zero");
        onnx_bytes(&graph, 5, zero.data, zero.size);
        msw_text_free(&zero);
    }
    assert_ok(load_nodes(&n, "model.onnx/b1", &graph, NODES), n.err);
    build(&n);
    assert_int_equal(n.p->macs, 81 * 16 * 2 * 9 + 400 * 10);
    network_close(&n);
}

/* Windows that leave out pixels multiply as often as others of their size, and reach further: a 3 x
 * 3 kernel with dilations of 2 over 17 x 17 makes 13 x 13. Transposed windows of 4 at strides of 2
 * overlap: each pixel of 8 x 8 is multiplied with all 16 weights of each pair of channels, and the
 * image has 16 x 16. */
static void windows_may_be_wide_or_overlap(void **state)
{
    (void)state;
    static const struct {
        const char *image, *weights, *node;
        uint64_t macs, stored;
    } CASES[] = {
        {"1,8,17,17", "16,8,3,3", "Conv y x w dilations=2,2", 169 * 16 * 8 * 9, 169 * 16},
        {"1,8,17,17", "16,8,3,3", "Conv y x w dilations=2,2 pads=2,2,2,2", 289 * 16 * 8 * 9,
         289 * 16},
        {"1,8,8,8", "8,12,4,4", "ConvTranspose y x w strides=2,2 pads=1,1,1,1", 64 * 8 * 12 * 16,
         256 * 12},
        {"1,8,8,8", "8,12,2,2", "ConvTranspose y x w strides=2,2", 64 * 8 * 12 * 4, 256 * 12},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *nodes[] = {CASES[i].node, NULL};
        msw_text graph = MSW_TEXT_EMPTY;
        network n;
        onnx_input(&graph, "x", CASES[i].image);
        onnx_weights(&graph, "w", CASES[i].weights);
        assert_ok(load_nodes(&n, "model.onnx", &graph, nodes), n.err);
        build(&n);
        assert_int_equal(n.p->macs, CASES[i].macs);
        assert_int_equal(n.p->store_bytes, CASES[i].stored * (uint64_t)n.config.element_bytes);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        network_close(&n);
    }
}

/* Sums by the names of their dimensions: heads beside each other; a product with weights. */
static void letters_say_what_is_summed(void **state)
{
    (void)state;
    static const struct {
        const char *node;
        uint64_t macs;
        const char *says;
    } CASES[] = {
        {"Einsum z x w equation@bshd,hde->bshe", 6 * 4 * 8 * 5, NULL},
        {"Einsum z x w equation@bshd,hde->bse", 6 * 4 * 8 * 5, NULL},
        {"Einsum z x w equation@bshd,hdd->bsh", 0, "'d' twice in a term"},
        {"Einsum z x w equation@bshd,hde->bsx", 0, "'x' is in no term"},
        {"Einsum z x w equation@bshd,hde->bsh", 0, "'e' is summed in one term alone"},
        {"Einsum z x w equation@bshd,hd->b", 0, "fewer letters than dimensions"},
        {"Einsum z x w equation@bshd,bde->bshe", 0, "'b' is 1 and 4"},
        {"Einsum z x w equation@bshd", 0, "two terms and an output"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *nodes[] = {CASES[i].node, NULL};
        msw_text graph = MSW_TEXT_EMPTY;
        network n;
        onnx_input(&graph, "x", "1,6,4,8");
        onnx_weights(&graph, "w", "4,8,5");
        int rc = load_nodes(&n, "model.onnx", &graph, nodes);
        if (CASES[i].says) {
            assert_int_equal(rc, -1);
            if (!strstr(n.err.text, CASES[i].says))
                fail_msg("\"%s\" does not say \"%s\"", n.err.text, CASES[i].says);
        } else {
            assert_ok(rc, n.err);
            build(&n);
            assert_int_equal(n.p->macs, CASES[i].macs);
            assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        }
        network_close(&n);
    }
}

/* 25 steps of 64 values, 128 of state: gates x 128 x (64 + 128) weights in each direction. */
static void recurrent_layers_step(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        uint64_t weights, outputs;
    } CASES[] = {
        {"input x 25,1,64\nweights w 2,512,64\nweights r 2,512,128\nweights v 256,10\n"
         "list to 25,256\nLSTM y+h+c x w r\nReshape f y to\nGemm z f v\n",
         2 * 512 * 192, 256},
        {"input x 25,1,64\nweights w 1,384,64\nweights r 1,384,128\nweights v 128,10\n"
         "list to 25,128\nGRU y x w r\nReshape f y to\nGemm z f v\n",
         384 * 192, 128},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_text model = MSW_TEXT_EMPTY;
        network n;
        onnx_lines(CASES[i].lines, &model);
        assert_ok(load(&n, "model.onnx", &model), n.err);
        build(&n);
        assert_int_equal(n.p->macs, 25 * (CASES[i].weights + CASES[i].outputs * 10));
        network_close(&n);
    }
    static const char *const WRONG[] = {
        "input x 25,1,64\nweights w 1,512,64\nweights r 1,384,128\nLSTM y x w r\n",
        "input x 25,1,64\nweights w 1,512,64\nweights r 1,512,128\nLSTM y x w r hidden_size:-5\n"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        msw_text model = MSW_TEXT_EMPTY;
        network n;
        onnx_lines(WRONG[i], &model);
        assert_int_equal(load(&n, "model.onnx", &model), -1);
        assert_non_null(strstr(n.err.text, "weights that do not fit each other"));
        network_close(&n);
    }
}

static const char *const ATTENTION[] = {"MatMul q x wq",
                                        "MatMul k x wk",
                                        "MatMul v x wv",
                                        "Reshape q4 q heads",
                                        "Reshape k4 k heads",
                                        "Reshape v4 v heads",
                                        "Transpose qt q4 perm=0,2,1,3",
                                        "Transpose kt k4 perm=0,2,3,1",
                                        "Transpose vt v4 perm=0,2,1,3",
                                        "MatMul s qt kt",
                                        "Softmax p s axis:-1",
                                        "MatMul o pt vt",
                                        NULL};

static void attention_graph(msw_text *graph)
{
    onnx_input(graph, "x", "batch,seq,768");
    onnx_weights(graph, "wq", "768,768");
    onnx_weights(graph, "wk", "768,768");
    onnx_weights(graph, "wv", "768,768");
    onnx_list(graph, "heads", "0,0,12,64");
}

static void attention_by_name(void **state)
{
    (void)state;
    const char *nodes[13];
    msw_text graph = MSW_TEXT_EMPTY;
    network n;
    for (size_t i = 0; i < 13; i++)
        nodes[i] = ATTENTION[i];
    nodes[11] = "MatMul o p vt";
    attention_graph(&graph);
    assert_ok(load_nodes(&n, "model.onnx/seq=128/b2", &graph, nodes), n.err);
    build(&n);
    assert_int_equal(n.p->layer_count, 5);
    assert_int_equal(n.p->macs, 3l * 128 * 768 * 768 + 2l * 12 * 128 * 128 * 64);
    assert_true(n.p->layers[4].tensors[MSW_NPU_WEIGHT].address ==
                n.p->layers[2].tensors[MSW_NPU_OUTPUT].address);
    network_close(&n);
}

static void unknown_operators_are_refused_or_counted(void **state)
{
    (void)state;
    static const char *const NODES[] = {"Strange a x", "If b a", "MatMul y b w", NULL};
    network n;
    for (int skip = 0; skip < 2; skip++) {
        msw_text graph = MSW_TEXT_EMPTY, text = MSW_TEXT_EMPTY;
        onnx_input(&graph, "x", "1,16");
        onnx_weights(&graph, "w", "16,32");
        int rc = load_nodes(&n, skip ? "model.onnx/skip_unknown" : "model.onnx", &graph, NODES);
        assert_int_equal(rc, skip - 1);
        if (!skip)
            assert_non_null(strstr(n.err.text, "node 'a' (number 0, Strange): operator 'Strange'"));
        if (skip) {
            build(&n);
            assert_int_equal(n.p->macs, 16 * 32);
            assert_ok(msw_frontend_npu.describe(n.workload.content, &n.config, &text, &n.err),
                      n.err);
            assert_non_null(strstr(msw_text_str(&text), "2 nodes passed over"));
        }
        msw_text_free(&text);
        network_close(&n);
    }
}

static void wrong_graphs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *input, *node, *says;
    } CASES[] = {
        {"model.onnx", "batch,seq,16", "MatMul y x w", "model.onnx/seq=128"},
        {"model.onnx/sqe=3", "1,16", "MatMul y x w", "no input has a dimension called 'sqe'"},
        {"model.onnx/batch=4", "batch,16", "MatMul y x w", "say /b4"},
        {"model.onnx", "1,15", "MatMul y x w", "15 and 16 columns"},
        {"model.onnx", "1,16", "MatMul y y w", "made by itself or a later node"},
        {"model.onnx", "1,16", "MatMul y z w", "nothing makes"},
        {"model.onnx", "1,16", "MatMul x x w", "'x' is made twice"},
        {"model.onnx", "1,16", "Relu y x", "none of its 1 nodes"},
        {"model.onnx", "1,99999999999,16", "MatMul y x w", "up to 2^26"},
        {"model.onnx", "-2,16", "MatMul y x w", "dimension 0 is -2, allowed"},
        {"model.onnx", "1,60000000,60000000,16", "MatMul y x w", "up to 2^50"},
        {"model.onnx", "1,16", "Reshape y x x", "do not follow from the file"},
        {"model.onnx", "1,16", "Transpose y x perm=0,0", "twice"},
        {"model.onnx", "1,16", "Conv y x w", "dimensions"},
        {"model.onnx", "4,16,8,8", "Conv y x k", "said by /b4"},
        {"model.onnx", "1,16,8,8", "ConvTranspose y x k strides=2,2 pads=1,1,1,1",
         "kernels of whole "},
        {"model.onnx", "1,16,2,2", "Conv y x k", "does not fit"},
        {"model.onnx", "1,16,8,8", "Conv y x k group:3", "groups"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        msw_text graph = MSW_TEXT_EMPTY;
        onnx_input(&graph, "x", CASES[i].input);
        onnx_weights(&graph, "w", "16,32");
        onnx_weights(&graph, "k", "8,16,3,3");
        assert_int_equal(
            load_nodes(&n, CASES[i].name, &graph, (const char *const[]){CASES[i].node, NULL}), -1);
        if (!strstr(n.err.text, CASES[i].says))
            fail_msg("\"%s\" does not say \"%s\"", n.err.text, CASES[i].says);
        network_close(&n);
    }
}

/* A model that is cut anywhere, or has one byte changed, is read or refused. */
static void hostile_bytes_are_refused(void **state)
{
    (void)state;
    msw_text graph = MSW_TEXT_EMPTY, model = MSW_TEXT_EMPTY;
    attention_graph(&graph);
    for (size_t i = 0; ATTENTION[i]; i++)
        onnx_node(&graph, ATTENTION[i]);
    onnx_model(&graph, &model);
    for (size_t i = 0; i < model.size; i++) {
        network n;
        msw_text part = MSW_TEXT_EMPTY;
        msw_text_add_bytes(&part, model.data, i);
        assert_int_equal(load(&n, "model.onnx/seq=8", &part), -1);
        network_close(&n);
        msw_text_add_bytes(&part, model.data, model.size);
        part.data[i] = (char)(part.data[i] ^ 0x85);
        if (load(&n, "model.onnx/seq=8", &part) == 0 && network_build(&n) == 0)
            assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        network_close(&n);
    }
    msw_text_free(&model);
}

/* The small models of ONNX's own tests (Debian's libonnx-testdata), where they are installed: each
 * is read, or refused with its file and a reason. */
static void models_of_onnx(void **state)
{
    glob_t found;
    (void)state;
    if (glob("/usr/share/libonnx-testdata/data/*/*/model.onnx", 0, NULL, &found))
        skip();
    for (size_t i = 0; i < found.gl_pathc; i++) {
        network n = {.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup("m.onnx")}};
        char *bytes;
        size_t size;
        assert_ok(msw_read_file(found.gl_pathv[i], &bytes, &size, &n.err), n.err);
        msw_params_defaults(msw_frontend_npu.params, &n.config);
        n.config.elementwise = MSW_NPU_STORED;
        int rc = msw_workload_load(&n.workload, "m.onnx", bytes, size, &n.err);
        if (rc)
            assert_true(strncmp(n.err.text, "m.onnx: ", 8) == 0 && n.err.text[8]);
        else if (network_build(&n) == 0)
            assert_null(network_fault(n.p));
        network_close(&n);
        free(bytes);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alexnet_is_its_table),
        cmocka_unit_test(shapes_are_followed),
        cmocka_unit_test(windows_may_be_wide_or_overlap),
        cmocka_unit_test(letters_say_what_is_summed),
        cmocka_unit_test(recurrent_layers_step),
        cmocka_unit_test(attention_by_name),
        cmocka_unit_test(unknown_operators_are_refused_or_counted),
        cmocka_unit_test(wrong_graphs_are_refused),
        cmocka_unit_test(hostile_bytes_are_refused),
        cmocka_unit_test(models_of_onnx),
    };
    return cmocka_run_group_tests_name("ONNX models", tests, NULL, NULL);
}

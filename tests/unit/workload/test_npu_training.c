/* SPDX-License-Identifier: MIT */
/* Do training steps and operators without products move what they must? Known answers: products by
 * hand, three times the forward pass, ZeRO's 16 bytes per weight; each byte of a gradient written
 * once whatever the cut. */
#include "networks.h"
#include "onnx_file.h"
#include "testing.h"

#include "memsweep/base/rng.h"

enum { NETS = 120 };

static void build(network *n)
{
    assert_ok(network_build(n), n->err);
    assert_string_equal(network_fault(n->p) ? network_fault(n->p) : "", "");
}

static const msw_npu_layer *find(const network *n, const char *name)
{
    for (uint64_t l = 0; l < n->p->layer_count; l++)
        if (strcmp(n->p->layers[l].name, name) == 0)
            return &n->p->layers[l];
    return NULL;
}

typedef struct moved {
    uint64_t loads, stores, cycles;
} moved;

static moved moved_by(const network *n, const char *name)
{
    const msw_npu_layer *l = find(n, name);
    moved m = {0, 0, 0};
    assert_non_null(l);
    for (uint32_t t = 0; t < l->tile_count; t++) {
        m.loads += n->p->tiles[l->first_tile + t].load_bytes;
        m.stores += n->p->tiles[l->first_tile + t].store_bytes;
        m.cycles += n->p->tiles[l->first_tile + t].compute_cycles;
    }
    return m;
}

static void a_step_is_three_passes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t macs; /* of a forward pass, and of what is not asked for */
        uint64_t less;
    } CASES[] = {
        {"resnet50/b2", 2 * 4089184256l, 2 * 118013952l}, /* no gradient of the images */
        {"bert_base_s128/b1", 11174215680l, 0},
        {"gpt2/prefill", 0, 0},
        {"mixtral_8x7b/prefill", 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (int stored = 0; stored < 2; stored++) {
            network n;
            assert_ok(network_load(&n, CASES[i].name), n.err);
            n.config.context = 64;
            n.config.training = MSW_NPU_STEP;
            n.config.elementwise = stored;
            build(&n);
            uint64_t forward = 0;
            for (uint64_t l = 0; l < n.p->layer_count; l++)
                if (!strchr(n.p->layers[l].name, '.'))
                    forward += n.p->layers[l].macs;
            if (CASES[i].macs)
                assert_int_equal(forward, CASES[i].macs);
            assert_int_equal(n.p->macs, 3 * forward - CASES[i].less);
            network_close(&n);
        }
}

/* 1 image, M = 64, N = 48, K = 32; the second reads what the first made. */
#define TWO_PRODUCTS "Layer, M, N, K,\na, 64, 48, 32,\nb, 64, 16, 48,\n"

static void products_by_hand(void **state)
{
    (void)state;
    network n;
    assert_ok(network_text(&n, TWO_PRODUCTS), n.err);
    n.config.training = MSW_NPU_STEP;
    n.config.batch = 3;
    build(&n);
    assert_null(find(&n, "a.dx"));
    assert_int_equal(find(&n, "b.dx")->macs, 3 * 64 * 16 * 48);
    assert_int_equal(moved_by(&n, "b.dx").loads, 2 * (3 * 64 * 16 + 16 * 48));
    assert_int_equal(moved_by(&n, "b.dx").stores, 2 * 3 * 64 * 48);
    assert_int_equal(moved_by(&n, "b.dw").loads, 2 * (3 * 64 * 48 + 3 * 64 * 16));
    assert_int_equal(moved_by(&n, "b.dw").stores, 2 * 16 * 48);
    /* K x N x M on 128 x 128 cells: 48 x 16 x 192, two folds of 128 rows */
    assert_int_equal(moved_by(&n, "b.dw").cycles, 256 + 128 + 48 - 2 + 128 - 1);
    network_close(&n);
}

static void optimizers_by_hand(void **state)
{
    (void)state;
    static const struct {
        int64_t optimizer, state_bytes;
        uint64_t reads, writes, memory; /* of a weight */
    } CASES[] = {
        {MSW_NPU_SGD, 2, 4, 2, 4},      {MSW_NPU_SGD, 4, 6, 6, 8},
        {MSW_NPU_MOMENTUM, 2, 6, 4, 6}, {MSW_NPU_MOMENTUM, 4, 10, 10, 12},
        {MSW_NPU_ADAM, 2, 8, 6, 8},     {MSW_NPU_ADAM, 4, 14, 14, 16},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        assert_ok(network_text(&n, TWO_PRODUCTS), n.err);
        n.config.training = MSW_NPU_STEP;
        n.config.optimizer = CASES[i].optimizer;
        n.config.state_bytes = CASES[i].state_bytes;
        n.config.alignment = 64;
        n.config.spm_activation = 8192; /* several tiles */
        build(&n);
        assert_int_equal(moved_by(&n, "a.update").loads, CASES[i].reads * 32 * 48);
        assert_int_equal(moved_by(&n, "a.update").stores, CASES[i].writes * 32 * 48);
        assert_int_equal(moved_by(&n, "a.update").cycles >= 32 * 48 / 1024, 1);
        /* activations of 32, 48 and 16 columns; gradients of the last two */
        assert_int_equal(n.p->footprint_bytes,
                         CASES[i].memory * (32 * 48 + 16 * 48) + 2 * 64 * (32 + 2 * 48 + 2 * 16));
        network_close(&n);
    }
}

/* Whatever the cut: gradients are written once, all that they follow from is read at least once. */
static void random_layers(void **state)
{
    msw_rng rng;
    msw_rng_init(&rng, 25, 7);
    (void)state;
    for (int i = 0; i < NETS; i++) {
        network n;
        char text[512];
        uint64_t fh = 1 + msw_rng_below(&rng, 5), fw = 1 + msw_rng_below(&rng, 5);
        uint64_t ih = fh + msw_rng_below(&rng, 20), iw = fw + msw_rng_below(&rng, 20);
        uint64_t c = 1 + msw_rng_below(&rng, 70), f = 1 + msw_rng_below(&rng, 90);
        snprintf(text, sizeof text,
                 "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, "
                 "Num Filter, Strides,\nx, 1, 1, 1, 1, 1, 1, 1,\n%s, %d, %d, %d, %d, %d, %d, %d,\n",
                 msw_rng_below(&rng, 4) ? "y" : "yDP", (int)ih, (int)iw, (int)fh, (int)fw, (int)c,
                 (int)f, (int)(1 + msw_rng_below(&rng, 3)));
        assert_ok(network_text(&n, text), n.err);
        n.config.training = MSW_NPU_STEP;
        n.config.batch = (int64_t)(1 + msw_rng_below(&rng, 4));
        n.config.rows = (int64_t)(1 + msw_rng_below(&rng, 40));
        n.config.cols = (int64_t)(1 + msw_rng_below(&rng, 40));
        n.config.spm_activation = 8192 + (int64_t)msw_rng_below(&rng, 60000);
        n.config.spm_weight = 8192 + (int64_t)msw_rng_below(&rng, 60000);
        n.config.layout = (int64_t)msw_rng_below(&rng, 2);
        n.config.weight_layout = (int64_t)msw_rng_below(&rng, 2);
        n.config.buffers = (int64_t)msw_rng_below(&rng, 2);
        build(&n);
        const char *name = find(&n, "y") ? "y" : "yDP";
        char dx[8], dw[8];
        snprintf(dx, sizeof dx, "%s.dx", name);
        snprintf(dw, sizeof dw, "%s.dw", name);
        uint64_t input = 2 * (uint64_t)n.config.batch * ih * iw * c;
        const msw_npu_layer *forward = find(&n, name), *to_weight = find(&n, dw);
        assert_int_equal(moved_by(&n, dx).stores, input);
        assert_int_equal(moved_by(&n, dw).stores, to_weight->tensors[MSW_NPU_OUTPUT].bytes);
        assert_int_equal(to_weight->tensors[MSW_NPU_OUTPUT].bytes,
                         forward->tensors[MSW_NPU_WEIGHT].bytes);
        assert_int_equal(find(&n, dx)->macs, forward->macs);
        assert_int_equal(to_weight->macs, forward->macs);
        assert_true(moved_by(&n, dx).loads >= forward->tensors[MSW_NPU_OUTPUT].bytes +
                                                  forward->tensors[MSW_NPU_WEIGHT].bytes);
        assert_true(moved_by(&n, dw).loads >= forward->tensors[MSW_NPU_OUTPUT].bytes);
        network_close(&n);
    }
}

static void additions_are_layers(void **state)
{
    (void)state;
    network n;
    assert_ok(network_load(&n, "resnet50/b1"), n.err);
    build(&n);
    uint64_t layers = n.p->layer_count, moves = n.p->load_bytes + n.p->store_bytes;
    n.config.elementwise = MSW_NPU_STORED;
    build(&n);
    assert_int_equal(n.p->layer_count, layers + 17); /* 16 additions and the last pool */
    const msw_npu_layer *first = NULL;
    for (uint64_t l = 0; l < n.p->layer_count && !first; l++)
        if (!n.p->layers[l].macs)
            first = &n.p->layers[l];
    moved m = moved_by(&n, first->name);
    assert_int_equal(m.loads, 2 * 1605632);
    assert_int_equal(m.stores, 1605632);
    assert_int_equal(m.cycles, 784);
    /* 3 x (3 x 56^2 256 + 4 x 28^2 512 + 6 x 14^2 1024 + 3 x 7^2 2048) and 7^2 2048 + 2048 */
    assert_int_equal(n.p->load_bytes + n.p->store_bytes - moves,
                     2 * (3 * (3l * 802816 + 4l * 401408 + 6l * 200704 + 3l * 100352) + 102400));
    network_close(&n);
}

static void norms_of_decoders(void **state)
{
    (void)state;
    network n;
    assert_ok(network_load(&n, "llama3_8b/prefill"), n.err);
    n.config.context = 128;
    n.config.elementwise = MSW_NPU_STORED;
    build(&n);
    assert_int_equal(moved_by(&n, "l0_norm").loads, 2 * 128 * 4096);
    assert_int_equal(moved_by(&n, "l0_softmax").loads, 2 * 32 * 128 * 128);
    assert_int_equal(moved_by(&n, "l0_softmax").stores, 2 * 32 * 128 * 128);
    assert_int_equal(moved_by(&n, "l5_add").loads, 2 * 2 * 128 * 4096);
    assert_int_equal(moved_by(&n, "l31_gated").loads, 2 * 2 * 128 * 14336);
    assert_int_equal(moved_by(&n, "l32_norm").stores, 2 * 128 * 4096);
    network_close(&n);
}

static void operators_of_models(void **state)
{
    (void)state;
    static const char *const NODES[] = {"MatMul a x w",   "Relu r a",
                                        "Add s r x",      "LayerNormalization n s g",
                                        "Reshape v n to", "Softmax p v axis:-1",
                                        "MatMul y p w",   NULL};
    msw_text graph = MSW_TEXT_EMPTY, model = MSW_TEXT_EMPTY;
    network n = {.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup("m.onnx")}};
    onnx_input(&graph, "x", "N,10,16");
    onnx_weights(&graph, "w", "16,16");
    onnx_weights(&graph, "g", "16");
    onnx_list(&graph, "to", "0,0,16");
    for (const char *const *node = NODES; *node; node++)
        onnx_node(&graph, *node);
    onnx_model(&graph, &model);
    msw_params_defaults(msw_frontend_npu.params, &n.config);
    assert_ok(msw_workload_load(&n.workload, "m.onnx", model.data, model.size, &n.err), n.err);
    n.config.elementwise = MSW_NPU_STORED;
    n.config.batch = 2;
    build(&n);
    assert_int_equal(n.p->layer_count, 5);
    assert_null(find(&n, "r"));
    assert_int_equal(moved_by(&n, "s").loads, 2 * 2 * 2 * 160);
    assert_int_equal(moved_by(&n, "n").loads, 2 * 2 * 160);
    assert_int_equal(moved_by(&n, "p").stores, 2 * 2 * 160);
    n.config.training = MSW_NPU_STEP;
    build(&n);
    assert_int_equal(n.p->macs, 2 * 160 * 16 * (3 + 2));
    assert_non_null(find(&n, "n.dx"));
    msw_text_free(&model);
    network_close(&n);
}

static void what_is_refused(void **state)
{
    (void)state;
    network n;
    assert_ok(network_load(&n, "gpt2/decode"), n.err);
    n.config.training = MSW_NPU_STEP;
    assert_int_equal(network_build(&n), -1);
    assert_non_null(strstr(n.err.text, "whole sequences"));
    network_close(&n);
    assert_ok(network_load(&n, "gpt2/prefill"), n.err);
    n.config.training = MSW_NPU_STEP;
    n.config.weight_bits = MSW_NPU_BITS_4;
    assert_int_equal(network_build(&n), -1);
    assert_non_null(strstr(n.err.text, "as wide as activations"));
    network_close(&n);
    assert_ok(network_text(&n, "layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,"
                               "overlap\na,0,activation,0x1000,1,64,,5,on\n"),
              n.err);
    n.config.elementwise = MSW_NPU_STORED;
    assert_int_equal(network_build(&n), -1);
    n.err = (msw_err){0};
    n.config.elementwise = MSW_NPU_FUSED;
    n.config.training = MSW_NPU_STEP;
    assert_int_equal(network_build(&n), -1);
    assert_non_null(strstr(n.err.text, "taken as it is"));
    network_close(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_three_passes), cmocka_unit_test(products_by_hand),
        cmocka_unit_test(optimizers_by_hand),     cmocka_unit_test(random_layers),
        cmocka_unit_test(additions_are_layers),   cmocka_unit_test(norms_of_decoders),
        cmocka_unit_test(operators_of_models),    cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("training steps", tests, NULL, NULL);
}

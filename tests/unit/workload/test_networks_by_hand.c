/* SPDX-License-Identifier: MIT */
/* Have networks that were written from their publishers' pages the counts of a sum by hand? Each
 * sum is spelled out, layer by layer. Parameters are those of the published weights, too:
 * TinyLlama 1.1B 1,100,048,384, SmolLM2 135M 134,515,008, Qwen1.5-MoE-A2.7B 14,315,784,192 (14.3
 * billion, of a token 2.7, by its card). */
#include "networks.h"
#include "onnx_file.h"
#include "testing.h"

#include "workload/npu/parts.h"

static void open_file(network *n, const char *file, const char *bytes, size_t size)
{
    *n = (network){
        .workload = {.frontend = &msw_frontend_npu,
                     .name = msw_strfmt("%s%s", file, strstr(file, ".json") ? "/decode" : "")}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    assert_ok(msw_workload_load(&n->workload, file, bytes, size, &n->err), n->err);
}

/* ---- config.json ---- */

enum { CONTEXT = 100 };

static void check_decoder(const char *json, uint64_t all, uint64_t active, uint64_t products)
{
    network n;
    open_file(&n, "config.json", json, strlen(json));
    msw_decoder_parameters p =
        msw_decoder_count(((const msw_npu_network *)n.workload.content)->decoder);
    assert_int_equal(p.all, all);
    assert_int_equal(p.active, active);
    n.config.context = CONTEXT;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(n.p->macs, products);
    network_close(&n);
}

static void tinyllama(void **state)
{
    (void)state;
    const uint64_t words = 32000, hidden = 2048, layers = 22, keys = 4 * 64, inner = 5632;
    uint64_t attention = hidden * hidden     /* queries */
                         + 2 * hidden * keys /* keys, values */
                         + hidden * hidden;  /* out */
    uint64_t forward = 3 * hidden * inner;   /* gate, up, down */
    uint64_t norms = layers * 2 * hidden + hidden;
    uint64_t all = words * hidden + layers * (attention + forward) + norms + words * hidden;
    uint64_t attended = layers * 2 * 32 * 64 * CONTEXT; /* 32 heads: scores, values */
    assert_int_equal(all, 1100048384);
    check_decoder("{\"model_type\": \"llama\", \"hidden_size\": 2048, \"intermediate_size\": 5632, "
                  "\"num_hidden_layers\": 22, \"num_attention_heads\": 32, "
                  "\"num_key_value_heads\": 4, \"vocab_size\": 32000, "
                  "\"tie_word_embeddings\": false}",
                  all, all, layers * (attention + forward) + words * hidden + attended);
}

static void smollm2(void **state)
{
    (void)state;
    const uint64_t words = 49152, hidden = 576, layers = 30, keys = 3 * 64, inner = 1536;
    uint64_t attention = 2 * hidden * hidden + 2 * hidden * keys, forward = 3 * hidden * inner;
    /* one table for the first and the last step */
    uint64_t all = words * hidden + layers * (attention + forward + 2 * hidden) + hidden;
    uint64_t attended = layers * 2 * 9 * 64 * CONTEXT;
    assert_int_equal(all, 134515008);
    check_decoder("{\"model_type\": \"llama\", \"hidden_size\": 576, \"intermediate_size\": 1536, "
                  "\"num_hidden_layers\": 30, \"num_attention_heads\": 9, "
                  "\"num_key_value_heads\": 3, \"vocab_size\": 49152, "
                  "\"tie_word_embeddings\": true}",
                  all, all, layers * (attention + forward) + words * hidden + attended);
}

static void qwen_moe(void **state)
{
    (void)state;
    const uint64_t words = 151936, hidden = 2048, layers = 24, experts = 60, active = 4;
    uint64_t attention = 4 * hidden * hidden, router = hidden * experts;
    uint64_t expert = 3 * hidden * 1408, shared = 3 * hidden * 5632;
    uint64_t others = 3 * hidden /* biases of queries, keys, values */
                      + hidden   /* the gate of what all tokens go through */
                      + 2 * hidden /* norms */;
    uint64_t layer = attention + router + shared + others;
    uint64_t rest = 2 * words * hidden + hidden;
    uint64_t all = layers * (layer + experts * expert) + rest;
    uint64_t met = layers * (layer + active * expert) + rest;
    uint64_t attended = layers * 2 * 16 * 128 * CONTEXT;
    assert_int_equal(all, 14315784192);
    assert_int_equal(met / 100000000, 26); /* 2.69 billion */
    check_decoder("{\"model_type\": \"qwen2_moe\", \"hidden_size\": 2048, "
                  "\"intermediate_size\": 5632, \"moe_intermediate_size\": 1408, "
                  "\"shared_expert_intermediate_size\": 5632, \"num_hidden_layers\": 24, "
                  "\"num_attention_heads\": 16, \"num_key_value_heads\": 16, "
                  "\"num_experts\": 60, \"num_experts_per_tok\": 4, \"decoder_sparse_step\": 1, "
                  "\"vocab_size\": 151936, \"tie_word_embeddings\": false}",
                  all, met,
                  layers * (attention + router + shared + active * expert) + words * hidden +
                      attended);
}

/* ---- ONNX ---- */

static void check_onnx(const char *lines, uint64_t products, uint64_t weights)
{
    msw_text model = MSW_TEXT_EMPTY;
    network n;
    uint64_t bytes = 0;
    onnx_lines(lines, &model);
    open_file(&n, "model.onnx", model.data, model.size);
    msw_text_free(&model);
    assert_ok(network_build(&n), n.err);
    for (uint64_t l = 0; l < n.p->layer_count; l++)
        bytes += n.p->layers[l].macs == 0 ? 0 : n.p->layers[l].tensors[MSW_NPU_WEIGHT].bytes;
    assert_int_equal(n.p->macs, products);
    if (weights)
        assert_int_equal(bytes, weights * (uint64_t)n.config.element_bytes);
    network_close(&n);
}

/* He et al., arXiv:1512.03385, table 1: the first block of conv3_x of ResNet-18, with the
 * projection that makes the shortcut as small. */
static void residual_block(void **state)
{
    (void)state;
    uint64_t pixels = 28 * 28;
    uint64_t first = 9 * 64 * 128, second = 9 * 128 * 128, shortcut = 64 * 128;
    check_onnx("input x 1,64,56,56\nweights w1 128,64,3,3\nweights w2 128,128,3,3\n"
               "weights w3 128,64,1,1\nConv a x w1 strides=2,2 pads=1,1,1,1\nRelu b a\n"
               "Conv c b w2 pads=1,1,1,1\nConv d x w3 strides=2,2\nAdd e c d\nRelu y e\n",
               pixels * (first + second + shortcut), first + second + shortcut);
}

/* Howard et al., arXiv:1704.04861, section 3.1: DK DK M DF DF + M N DF DF multiplications, with a
 * kernel of DK = 3, M = N = 512 channels and DF = 14 rows and columns (table 1, repeated 5 times).
 */
static void separable_block(void **state)
{
    (void)state;
    uint64_t pixels = 14 * 14;
    check_onnx("input x 1,512,14,14\nweights w1 512,1,3,3\nweights w2 512,512,1,1\n"
               "Conv a x w1 group:512 pads=1,1,1,1\nRelu b a\nConv c b w2\nRelu y c\n",
               3 * 3 * 512 * pixels + 512 * 512 * pixels, 3 * 3 * 512 + 512 * 512);
}

/* Vaswani et al., arXiv:1706.03762, section 3: a layer of the base encoder, d = 512, 8 heads of 64,
 * feed-forward of 2048, for 32 tokens. */
static void encoder_layer(void **state)
{
    (void)state;
    uint64_t tokens = 32, d = 512, inner = 2048;
    uint64_t projections = 4 * tokens * d * d;    /* queries, keys, values, out */
    uint64_t attention = 2 * tokens * tokens * d; /* scores; values: 8 heads of 64 each */
    uint64_t forward = 2 * tokens * d * inner;    /* up, down */
    check_onnx("input x 1,32,512\nweights wq 512,512\nweights wk 512,512\nweights wv 512,512\n"
               "weights wo 512,512\nweights w1 512,2048\nweights w2 2048,512\n"
               "list heads 0,0,8,64\nlist flat 0,0,512\n"
               "MatMul q x wq\nMatMul k x wk\nMatMul v x wv\n"
               "Reshape q4 q heads\nReshape k4 k heads\nReshape v4 v heads\n"
               "Transpose qt q4 perm=0,2,1,3\nTranspose kt k4 perm=0,2,3,1\n"
               "Transpose vt v4 perm=0,2,1,3\nMatMul s qt kt\nSoftmax p s axis:-1\n"
               "MatMul o p vt\nTranspose ot o perm=0,2,1,3\nReshape of ot flat\n"
               "MatMul a of wo\nAdd b a x\nMatMul c b w1\nRelu r c\nMatMul e r w2\nAdd y e b\n",
               projections + attention + forward, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tinyllama),       cmocka_unit_test(smollm2),
        cmocka_unit_test(qwen_moe),        cmocka_unit_test(residual_block),
        cmocka_unit_test(separable_block), cmocka_unit_test(encoder_layer),
    };
    return cmocka_run_group_tests_name("networks by hand", tests, NULL, NULL);
}

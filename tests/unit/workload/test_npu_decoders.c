/* SPDX-License-Identifier: MIT */
/* Do decoders that are read from a publisher's config.json have the sizes that are published, and
 * do experts, windows, shards and narrow weights move what they must? Known answers: the parameter
 * counts of the published weights, less embeddings that are not multiplied, norms and biases. */
#include "networks.h"
#include "testing.h"
#include "workload/npu/parts.h"

static int decoder_text(network *n, const char *text)
{
    memset(n, 0, sizeof *n);
    n->workload.frontend = &msw_frontend_npu;
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    return msw_workload_load(&n->workload, "config.json", text, strlen(text), &n->err);
}

/* Weights in memory; `whole`: of the tensors, experts without tokens among them. */
static uint64_t weights_of(const char *name)
{
    network n;
    uint64_t sum = 0;
    assert_ok(network_load(&n, name), n.err);
    assert_ok(network_build(&n), n.err);
    assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
    for (uint64_t l = 0; l < n.p->layer_count; l++)
        if (!strstr(n.p->layers[l].name, "_qk") && !strstr(n.p->layers[l].name, "_av"))
            sum += n.p->layers[l].tensors[MSW_NPU_WEIGHT].bytes / 2;
    network_close(&n);
    return sum;
}

static void published_parameters(void **state)
{
    (void)state;
    /* 8,030,261,248 less the embedding 128,256 x 4,096 and 65 norms of 4,096 */
    assert_int_equal(weights_of("llama3_8b/decode"), 8030261248 - 128256 * 4096 - 65 * 4096);
    /* 46,702,792,704 less the embedding 32,000 x 4,096 and 65 norms */
    assert_int_equal(weights_of("mixtral_8x7b/decode"), 46702792704 - 32000 * 4096 - 65 * 4096);
    /* 30,532,122,624 less the embedding, 97 norms of 2,048, and 96 of 128 over a head */
    assert_int_equal(weights_of("qwen3_30b_a3b/decode"),
                     30532122624 - 151936l * 2048 - 97 * 2048 - 96 * 128);
    /* 124,439,808 less positions 1,024 x 768, 25 norms of 2 x 768 and 12 layers' biases of 9 x 768;
     * the head is the embedding */
    assert_int_equal(weights_of("gpt2/decode"),
                     124439808 - 1024 * 768 - 25 * 2 * 768 - 12 * 9 * 768);
}

#define MOE                                                                                        \
    "{\"model_type\": \"mixtral\", \"num_hidden_layers\": 2, \"hidden_size\": 64, "                \
    "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 96, "          \
    "\"vocab_size\": 100, \"num_local_experts\": 8, \"num_experts_per_tok\": 2"

static uint64_t macs_of(const network *n, const char *part)
{
    uint64_t sum = 0;
    for (uint64_t l = 0; l < n->p->layer_count; l++)
        if (strstr(n->p->layers[l].name, part))
            sum += n->p->layers[l].macs * n->p->layers[l].repeat;
    return sum;
}

static uint64_t weight_bytes_of(const network *n, const char *part)
{
    uint64_t sum = 0;
    for (uint64_t t = 0; t < n->p->tile_count; t++) {
        const msw_npu_tile *tile = &n->p->tiles[t];
        if (!strstr(n->p->layers[tile->layer].name, part))
            continue;
        for (uint32_t s = tile->load_first; s < tile->load_first + tile->load_count; s++)
            if (n->p->segments[s].operand == MSW_NPU_WEIGHT)
                sum += n->p->segments[s].rows * n->p->segments[s].row_bytes;
    }
    return sum;
}

/* Every token goes to two experts, whatever the batch; weights are read of those that have any. */
static void tokens_go_to_experts(void **state)
{
    (void)state;
    for (int64_t batch = 1; batch <= 9; batch++) {
        network n;
        assert_ok(decoder_text(&n, MOE "}"), n.err);
        n.config.batch = batch;
        assert_ok(network_build(&n), n.err);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        uint64_t sent = 2 * (uint64_t)batch, busy = sent < 8 ? sent : 8;
        assert_int_equal(macs_of(&n, "_experts_"), 2 * 3 * sent * 64 * 96);
        assert_int_equal(weight_bytes_of(&n, "_experts_"), 2 * 3 * busy * 64 * 96 * 2);
        network_close(&n);
    }
}

static void a_window_holds_the_last_tokens(void **state)
{
    (void)state;
    network n;
    assert_ok(decoder_text(&n, MOE ", \"sliding_window\": 16, \"layer_types\": "
                                   "[\"full_attention\", \"sliding_attention\"]}"),
              n.err);
    n.config.context = 1000;
    assert_ok(network_build(&n), n.err);
    assert_int_equal(macs_of(&n, "l0_qk"), 4 * 16 * 1000);
    assert_int_equal(macs_of(&n, "l1_qk"), 4 * 16 * 16);
    network_close(&n);
}

static void shards_have_their_part(void **state)
{
    (void)state;
    network one, two;
    assert_ok(decoder_text(&one, MOE "}"), one.err);
    assert_ok(decoder_text(&two, MOE "}"), two.err);
    two.config.shards = 2;
    assert_ok(network_build(&one), one.err);
    assert_ok(network_build(&two), two.err);
    assert_int_equal(macs_of(&one, "_router"), macs_of(&two, "_router"));
    assert_int_equal(one.p->macs - macs_of(&one, "_router"),
                     2 * (two.p->macs - macs_of(&two, "_router")));
    two.config.shards = 3;
    assert_int_equal(network_build(&two), -1);
    assert_non_null(strstr(two.err.text, "npu_shards 3"));
    network_close(&one);
    network_close(&two);
    assert_ok(network_load(&one, "alexnet/b1"), one.err);
    one.config.shards = 2;
    assert_int_equal(network_build(&one), -1);
    network_close(&one);
}

static void narrow_weights_move_less(void **state)
{
    (void)state;
    static const struct {
        int64_t bits;
        uint64_t parts;
    } CASES[] = {{MSW_NPU_BITS_SAME, 4},
                 {MSW_NPU_BITS_4, 1},
                 {MSW_NPU_BITS_8, 2},
                 {MSW_NPU_BITS_16, 4},
                 {MSW_NPU_BITS_32, 8}};
    network n;
    assert_ok(decoder_text(&n, MOE "}"), n.err);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        n.config.weight_bits = CASES[i].bits;
        msw_arena_reset(&n.arena);
        assert_ok(network_build(&n), n.err);
        assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
        assert_int_equal(weight_bytes_of(&n, "_gate"), CASES[i].parts * (2 * 2 * 64 * 96 / 2));
        assert_int_equal(weight_bytes_of(&n, "_qk"), 2 * 2048 * 32 * 2);
    }
    network_close(&n);
    assert_ok(network_load(&n, "resnet50/b1"), n.err);
    n.config.weight_bits = MSW_NPU_BITS_4; /* 7 x 7 x 3 weights of a filter are an odd number */
    assert_int_equal(network_build(&n), -1);
    assert_non_null(strstr(n.err.text, "147 of a filter"));
    network_close(&n);
}

/* The sums that people are shown are the product's. */
static void description_adds_up(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "\n  fc6                           1       16    150.995     75.497",
        "\n  8 layers, 30 tiles, 2,856,753,920 multiplications: 22.1 for each byte moved",
        "\n  footprint 144.711 MB: 35,330 pages of 4 KiB, 2,209 of 64 KiB, 70 of 2 MiB",
    };
    network n;
    msw_text text = MSW_TEXT_EMPTY;
    assert_ok(network_load(&n, "alexnet/b4"), n.err);
    assert_ok(msw_npu_describe(n.workload.content, &n.config, &text, &n.err), n.err);
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        if (!strstr(msw_text_str(&text), LINES[i]))
            fail_msg("no line%s\nin %s", LINES[i], msw_text_str(&text));
    msw_text_free(&text);
    network_close(&n);
}

static void what_is_not_modelled_is_refused(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"[]", "an object, as in a config.json"},
        {"{}", "no model_type"},
        {"{\"model_type\": \"rwkv\"}", "model_type: found rwkv"},
        {"{\"model_type\": \"llama\"}", "there is no num_hidden_layers"},
        {"{\"model_type\": \"llama\", \"num_hidden_layers\": -3}", "found -3"},
        {"{\"model_type\": \"llama\", \"num_hidden_layers\": 2000}", "up to 1024"},
        {MOE ", \"head_dim\": 0}", "head_dim: found 0"},
        {MOE ", \"sliding_window\": 16, \"layer_types\": [\"full_attention\"]}", "one for each"},
        {MOE ", \"sliding_window\": 16, \"layer_types\": [\"full_attention\", \"mamba\"]}",
         "found mamba"},
        {MOE ", \"mlp_only_layers\": [2]}", "numbers of layers"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        assert_int_equal(decoder_text(&n, CASES[i][0]), -1);
        if (!strstr(n.err.text, CASES[i][1]))
            fail_msg("\"%s\" does not say \"%s\"", n.err.text, CASES[i][1]);
        network_close(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_parameters),
        cmocka_unit_test(tokens_go_to_experts),
        cmocka_unit_test(a_window_holds_the_last_tokens),
        cmocka_unit_test(shards_have_their_part),
        cmocka_unit_test(narrow_weights_move_less),
        cmocka_unit_test(description_adds_up),
        cmocka_unit_test(what_is_not_modelled_is_refused),
    };
    return cmocka_run_group_tests_name("published decoders", tests, NULL, NULL);
}

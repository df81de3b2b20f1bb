/* SPDX-License-Identifier: MIT */
/* Have published decoders the parameters that were published, to the unit? The sizes are those of
 * the config.json of each model; docs/models/npu.md, 'Counts beside others', says which totals were
 * compared with a public source, which with printed digits, which check the arithmetic alone. */
#include "decoder_models.h"
#include "networks.h"
#include "testing.h"

#include "workload/npu/parts.h"

static int load(network *n, const char *text)
{
    char json[2048];
    *n =
        (network){.workload = {.frontend = &msw_frontend_npu, .name = msw_strdup("m.json/decode")}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    snprintf(json, sizeof json, "%s", text);
    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return msw_workload_load(&n->workload, "m.json", json, strlen(json), &n->err);
}

static void parameters_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof DECODER_MODELS / sizeof *DECODER_MODELS; i++) {
        network n;
        assert_ok(load(&n, DECODER_MODELS[i].text), n.err);
        msw_decoder_parameters p =
            msw_decoder_count(((const msw_npu_network *)n.workload.content)->decoder);
        if (p.all != DECODER_MODELS[i].all || p.active != DECODER_MODELS[i].active)
            fail_msg("%s: %llu, %llu", DECODER_MODELS[i].text, (unsigned long long)p.all,
                     (unsigned long long)p.active);
        network_close(&n);
    }
}

#define LATENT                                                                                     \
    "{'model_type': 'deepseek_v3', 'num_hidden_layers': 3, 'hidden_size': 256, "                   \
    "'num_attention_heads': 8, 'num_key_value_heads': 8, 'intermediate_size': 512, "               \
    "'vocab_size': 1000, 'n_routed_experts': 8, 'num_experts_per_tok': 2, "                        \
    "'moe_intermediate_size': 128, 'n_shared_experts': 1, 'first_k_dense_replace': 1, "            \
    "'kv_lora_rank': 64, 'q_lora_rank': 96, 'qk_nope_head_dim': 32, 'qk_rope_head_dim': 16, "      \
    "'v_head_dim': 24}"
#define LATENT_ALONE                                                                               \
    "{'model_type': 'deepseek_v2', 'num_hidden_layers': 2, 'hidden_size': 256, "                   \
    "'num_attention_heads': 8, 'intermediate_size': 512, 'vocab_size': 1000, 'kv_lora_rank': 64, " \
    "'qk_nope_head_dim': 32, 'qk_rope_head_dim': 16, 'v_head_dim': 24}"
#define GPT2                                                                                       \
    "{'model_type': 'gpt2', 'n_layer': 12, 'n_embd': 768, 'n_head': 12, 'vocab_size': 50257}"
#define STATES                                                                                     \
    "{'model_type': 'qwen3_next', 'num_hidden_layers': 4, 'hidden_size': 256, "                    \
    "'num_attention_heads': 4, 'num_key_value_heads': 2, 'head_dim': 64, 'intermediate_size': "    \
    "512, 'vocab_size': 1000, 'num_experts': 8, 'num_experts_per_tok': 2, "                        \
    "'moe_intermediate_size': 128, 'shared_expert_intermediate_size': 128, "                       \
    "'linear_num_key_heads': 2, 'linear_num_value_heads': 4, 'linear_key_head_dim': 32, "          \
    "'linear_value_head_dim': 16}"
#define SPACE                                                                                      \
    "{'model_type': 'mamba2', 'num_hidden_layers': 2, 'hidden_size': 128, 'vocab_size': 1000, "    \
    "'state_size': 32, 'head_dim': 16, 'n_groups': 2, 'chunk_size': 16}"
#define SCANNED                                                                                    \
    "{'model_type': 'jamba', 'num_hidden_layers': 8, 'hidden_size': 128, 'num_attention_heads': "  \
    "4, 'num_key_value_heads': 2, 'intermediate_size': 256, 'vocab_size': 1000, 'num_experts': "   \
    "4, 'num_experts_per_tok': 2}"
#define MIXED                                                                                      \
    "{'model_type': 'mixtral', 'num_hidden_layers': 2, 'hidden_size': 256, "                       \
    "'num_attention_heads': 8, 'num_key_value_heads': 2, 'intermediate_size': 512, "               \
    "'vocab_size': 1000, 'num_local_experts': 8, 'num_experts_per_tok': 2}"

/* What is multiplied is what the operators multiply with, here with one token in the context; the
 * operators' segments lie in their tensors; a prompt of n tokens has n times a token's products,
 * but for the head, and attends n times as far. */
static void what_is_counted_is_what_is_built(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {GPT2, MIXED, LATENT, LATENT_ALONE};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        for (int64_t tokens = 1; tokens <= 32; tokens *= 32) {
            network n;
            assert_ok(load(&n, TEXTS[i]), n.err);
            n.config.context = tokens;
            n.config.phase = MSW_NPU_PREFILL;
            assert_ok(network_build(&n), n.err);
            assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
            const msw_decoder *d = ((const msw_npu_network *)n.workload.content)->decoder;
            uint64_t many = (uint64_t)tokens, each = 2 * d->head, table = d->words * d->hidden;
            if (d->latent)
                each = 2 * d->latent + d->turned;
            uint64_t products = msw_decoder_count(d).multiplied - table;
            assert_int_equal(n.p->macs,
                             many * products + table + d->layers * d->heads * each * many * many);
            network_close(&n);
        }
}

/* The same of layers with a state. n tokens multiply n G K V times with it, twice or thrice, and,
 * where pieces of c tokens are worked on together, n c times with each other (the equations of
 * src/workload/npu/decoder/state.c, summed by hand here). */
static void states_are_what_is_built(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t layers, attending, by_state, by_pair, piece;
        uint64_t attended; /* by a layer with attention, of a token and one that it attends to */
    } CASES[] = {
        {STATES, 3, 1, UINT64_C(3) * 2 * 32 * 32, 3 * 2 * 32 + 2 * 4 * 16, 64, 2 * 4 * 64},
        {SPACE, 2, 0, UINT64_C(2) * 2 * 32 * 128, 2 * 32 + 16 * 16, 16, 0},
        {SCANNED, 7, 1, UINT64_C(2) * 16 * 256, 0, 1, 2 * 4 * 32},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (int64_t tokens = 1; tokens <= 40; tokens += 39)
            for (int stored = 0; stored < 2; stored++) {
                network n;
                assert_ok(load(&n, CASES[i].text), n.err);
                n.config.context = tokens;
                n.config.phase = MSW_NPU_PREFILL;
                n.config.elementwise = stored ? MSW_NPU_STORED : MSW_NPU_FUSED;
                assert_ok(network_build(&n), n.err);
                assert_string_equal(network_fault(n.p) ? network_fault(n.p) : "", "");
                const msw_decoder *d = ((const msw_npu_network *)n.workload.content)->decoder;
                uint64_t many = (uint64_t)tokens, table = d->words * d->hidden;
                uint64_t piece = msw_min_u64(many, CASES[i].piece);
                uint64_t padded = msw_div_up(many, piece) * piece;
                uint64_t pairs = piece > 1 ? padded * piece * CASES[i].by_pair : 0;
                uint64_t products = msw_decoder_count(d).multiplied - table;
                assert_int_equal(n.p->macs,
                                 many * products + table +
                                     CASES[i].layers * (many * CASES[i].by_state + pairs) +
                                     CASES[i].attending * CASES[i].attended * many * many);
                network_close(&n);
            }
}

/* An encoder has no word to choose: bert-base multiplies 12 x 12 x 768^2 a token, and its pooled
 * token 768^2 once. */
static void encoders_have_no_head(void **state)
{
    (void)state;
    network n;
    assert_ok(load(&n, "{'model_type': 'bert', 'num_hidden_layers': 12, 'hidden_size': 768, "
                       "'num_attention_heads': 12, 'intermediate_size': 3072, 'vocab_size': 30522, "
                       "'max_position_embeddings': 512, 'type_vocab_size': 2}"),
              n.err);
    n.config.context = 64;
    assert_int_equal(network_build(&n), -1);
    assert_non_null(strstr(n.err.text, "an encoder makes no tokens one after the other; allowed: "
                                       "the workload's prefill"));
    n.config.phase = MSW_NPU_PREFILL;
    assert_ok(network_build(&n), n.err);
    uint64_t square = 768 * 768, attention = 2 * 768 * 64;
    assert_int_equal(n.p->macs, 64 * 12 * (12 * square + attention) + square);
    network_close(&n);
}

/* The weights of DeepSeek V3, GLM-4.5 and its Air (to the unit, as the totals of their published
 * files) have the layer that predicts a second token, and with it the tables of words a second
 * time; DeepSeek's say shifts of routers apart (in 32 bits, with the scales), 256 of each of 59
 * layers. */
static void layers_that_predict_ahead_are_counted(void **state)
{
    (void)state;
    static const struct {
        uint64_t all, published, words, hidden, layers, active;
    } CASES[] = {
        {671026419200, 3918786560 + 680571043840 + 59 * 256, 129280, 7168, 0, 0},
        {352797829024, 358337791296, 151552, 5120, 355234006336, 32482313536},
        {106852251264, 110468824832, 151552, 4096, 107985796864, 12481494784},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (size_t m = 0; m < sizeof DECODER_MODELS / sizeof *DECODER_MODELS; m++) {
            network n;
            char text[2048];
            if (DECODER_MODELS[m].all != CASES[i].all)
                continue;
            snprintf(text, sizeof text, "{'num_nextn_predict_layers': 1, %s",
                     DECODER_MODELS[m].text + 1);
            assert_ok(load(&n, text), n.err);
            msw_decoder_parameters p =
                msw_decoder_count(((const msw_npu_network *)n.workload.content)->decoder);
            uint64_t tables = 2 * CASES[i].words * CASES[i].hidden;
            assert_int_equal(p.all, CASES[i].all);
            assert_int_equal(p.layers + 2 * tables, CASES[i].published);
            if (CASES[i].layers) {
                assert_int_equal(p.layers, CASES[i].layers);
                assert_int_equal(p.layers_active, CASES[i].active);
            }
            network_close(&n);
        }
}

/* A token keeps 576 values a layer in DeepSeek V3, whatever the heads: 61 x 576 x 2 bytes. */
static void latents_are_what_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof DECODER_MODELS / sizeof *DECODER_MODELS; i++) {
        network n;
        if (DECODER_MODELS[i].all != 671026419200)
            continue;
        msw_text text = MSW_TEXT_EMPTY;
        assert_ok(load(&n, DECODER_MODELS[i].text), n.err);
        n.config.context = 64;
        assert_ok(msw_npu_describe(n.workload.content, &n.config, &text, &n.err), n.err);
        assert_non_null(strstr(msw_text_str(&text), "671,026,419,200 parameters, of which a token "
                                                    "meets 37,552,297,472"));
        assert_non_null(strstr(msw_text_str(&text), "keys and values: 70,272 B a token"));
        msw_text_free(&text);
        n.config.training = MSW_NPU_STEP;
        assert_int_equal(network_build(&n), -1);
        network_close(&n);
    }
}

#define SMALL                                                                                      \
    "{'model_type': 'llama', 'num_hidden_layers': 1, 'hidden_size': 64, 'num_attention_heads': "   \
    "4, 'intermediate_size': 96, 'vocab_size': 100, 'quantization_config': "

static void quantised_files_need_a_width(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {SMALL "{'quant_method': 'gptq', 'bits': 4, 'group_size': 128}}",
         "(gptq) says how wide "
         "weights are, and 'same' would have them as wide as activations; allowed: 4"},
        {SMALL "{'quant_method': 'awq', 'bits': 4}}", "(awq)"},
        {SMALL "{'quant_method': 'fp8'}}", "allowed: 8"},
        {SMALL "{'quant_method': 'mxfp4'}}", "allowed: 4"},
        {SMALL "{'quant_method': 'bitsandbytes', 'load_in_8bit': true}}", "allowed: 8"},
        {SMALL "{'quant_method': 'of_tomorrow'}}", "(of_tomorrow)"},
        {SMALL "'int4'}",
         "quantization_config: found int4, allowed: an object with a quant_method"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        network n;
        int rc = load(&n, CASES[i].text) || network_build(&n);
        assert_true(rc);
        if (!strstr(n.err.text, CASES[i].message))
            fail_msg("\"%s\" does not say \"%s\"", n.err.text, CASES[i].message);
        network_close(&n);
    }
    network n;
    assert_ok(load(&n, CASES[0].text), n.err);
    n.config.weight_bits = MSW_NPU_BITS_4;
    assert_ok(network_build(&n), n.err);
    network_close(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_the_published_ones),
        cmocka_unit_test(what_is_counted_is_what_is_built),
        cmocka_unit_test(states_are_what_is_built),
        cmocka_unit_test(encoders_have_no_head),
        cmocka_unit_test(layers_that_predict_ahead_are_counted),
        cmocka_unit_test(latents_are_what_is_kept),
        cmocka_unit_test(quantised_files_need_a_width),
    };
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}

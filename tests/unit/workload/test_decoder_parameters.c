/* SPDX-License-Identifier: MIT */
/* Have published decoders the parameters that were published, to the unit? The sizes are those of
 * the config.json of each model. Compared with public sources: Mixtral, Qwen2.5 7B, Llama 3.2 1B,
 * Llama 3 70B; the other totals are as commonly given, without a source looked up. Of a token:
 * publishers print 12.9, 1.3, 2.8 and 3.3 billion of the first, second, third and fourth with
 * experts, 21 of DeepSeek V2, 37 of V3, 32 of Kimi K2; 2.4 of V2 Lite, 3.61 and 5.13 of gpt-oss,
 * which leave out the table of words (209,715,200; 579,133,440). */
#include "networks.h"
#include "testing.h"

#include "workload/npu/parts.h"

static const struct {
    uint64_t all, active;
    const char *text; /* JSON, with ' in place of the other quote */
} MODELS[] = {
    {6738415616, 6738415616,
     "{'model_type': 'llama', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 11008, 'vocab_size': 32000, "
     "'num_key_value_heads': 32}"},
    {8030261248, 8030261248,
     "{'model_type': 'llama', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 14336, 'vocab_size': "
     "128256, 'num_key_value_heads': 8}"},
    {70553706496, 70553706496,
     "{'model_type': 'llama', 'num_hidden_layers': 80, 'hidden_size': 8192, "
     "'num_attention_heads': 64, 'intermediate_size': 28672, 'vocab_size': "
     "128256, 'num_key_value_heads': 8}"},
    {1235814400, 1235814400,
     "{'model_type': 'llama', 'num_hidden_layers': 16, 'hidden_size': 2048, "
     "'num_attention_heads': 32, 'intermediate_size': 8192, 'vocab_size': 128256, "
     "'num_key_value_heads': 8, 'head_dim': 64, 'tie_word_embeddings': true}"},
    {3212749824, 3212749824,
     "{'model_type': 'llama', 'num_hidden_layers': 28, 'hidden_size': 3072, "
     "'num_attention_heads': 24, 'intermediate_size': 8192, 'vocab_size': 128256, "
     "'num_key_value_heads': 8, 'head_dim': 128, 'tie_word_embeddings': true}"},
    {7241732096, 7241732096,
     "{'model_type': 'mistral', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 14336, 'vocab_size': 32000, "
     "'num_key_value_heads': 8}"},
    {7248023552, 7248023552,
     "{'model_type': 'mistral', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 14336, 'vocab_size': 32768, "
     "'num_key_value_heads': 8}"},
    {46702792704, 12879925248,
     "{'model_type': 'mixtral', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 14336, 'vocab_size': 32000, "
     "'num_key_value_heads': 8, 'num_local_experts': 8, 'num_experts_per_tok': 2}"},
    {494032768, 494032768,
     "{'model_type': 'qwen2', 'num_hidden_layers': 24, 'hidden_size': 896, "
     "'num_attention_heads': 14, 'intermediate_size': 4864, 'vocab_size': 151936, "
     "'num_key_value_heads': 2, 'tie_word_embeddings': true}"},
    {7615616512, 7615616512,
     "{'model_type': 'qwen2', 'num_hidden_layers': 28, 'hidden_size': 3584, "
     "'num_attention_heads': 28, 'intermediate_size': 18944, 'vocab_size': "
     "152064, 'num_key_value_heads': 4}"},
    {596049920, 596049920,
     "{'model_type': 'qwen3', 'num_hidden_layers': 28, 'hidden_size': 1024, "
     "'num_attention_heads': 16, 'intermediate_size': 3072, 'vocab_size': 151936, "
     "'num_key_value_heads': 8, 'head_dim': 128, 'tie_word_embeddings': true}"},
    {8190735360, 8190735360,
     "{'model_type': 'qwen3', 'num_hidden_layers': 36, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 12288, 'vocab_size': "
     "151936, 'num_key_value_heads': 8, 'head_dim': 128}"},
    {30532122624, 3353032704,
     "{'model_type': 'qwen3_moe', 'num_hidden_layers': 48, 'hidden_size': 2048, "
     "'num_attention_heads': 32, 'intermediate_size': 6144, 'vocab_size': 151936, "
     "'num_key_value_heads': 4, 'head_dim': 128, 'num_experts': 128, "
     "'num_experts_per_tok': 8, 'moe_intermediate_size': 768}"},
    {2506172416, 2506172416,
     "{'model_type': 'gemma', 'num_hidden_layers': 18, 'hidden_size': 2048, "
     "'num_attention_heads': 8, 'intermediate_size': 16384, 'vocab_size': 256000, "
     "'num_key_value_heads': 1, 'head_dim': 256}"},
    {8537680896, 8537680896,
     "{'model_type': 'gemma', 'num_hidden_layers': 28, 'hidden_size': 3072, "
     "'num_attention_heads': 16, 'intermediate_size': 24576, 'vocab_size': "
     "256000, 'num_key_value_heads': 16, 'head_dim': 256}"},
    {2614341888, 2614341888,
     "{'model_type': 'gemma2', 'num_hidden_layers': 26, 'hidden_size': 2304, "
     "'num_attention_heads': 8, 'intermediate_size': 9216, 'vocab_size': 256000, "
     "'num_key_value_heads': 4, 'head_dim': 256}"},
    {9241705984, 9241705984,
     "{'model_type': 'gemma2', 'num_hidden_layers': 42, 'hidden_size': 3584, "
     "'num_attention_heads': 16, 'intermediate_size': 14336, 'vocab_size': "
     "256000, 'num_key_value_heads': 8, 'head_dim': 256}"},
    {999885952, 999885952,
     "{'model_type': 'gemma3_text', 'num_hidden_layers': 26, 'hidden_size': 1152, "
     "'num_attention_heads': 4, 'intermediate_size': 6912, 'vocab_size': 262144, "
     "'num_key_value_heads': 1, 'head_dim': 256}"},
    {3880263168, 3880263168,
     "{'model_type': 'gemma3', 'text_config': {'model_type': 'gemma3_text', "
     "'num_hidden_layers': 34, 'hidden_size': 2560, 'intermediate_size': 10240, "
     "'sliding_window': 1024}}"},
    {3821079552, 3821079552,
     "{'model_type': 'phi3', 'num_hidden_layers': 32, 'hidden_size': 3072, "
     "'num_attention_heads': 32, 'intermediate_size': 8192, 'vocab_size': 32064, "
     "'num_key_value_heads': 32}"},
    {2779683840, 2779683840,
     "{'model_type': 'phi', 'num_hidden_layers': 32, 'hidden_size': 2560, "
     "'num_attention_heads': 32, 'intermediate_size': 10240, 'vocab_size': 51200, "
     "'num_key_value_heads': 32}"},
    {7298617344, 7298617344,
     "{'model_type': 'olmo2', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 11008, 'vocab_size': "
     "100352, 'num_key_value_heads': 32}"},
    {6919161856, 1282017280,
     "{'model_type': 'olmoe', 'num_hidden_layers': 16, 'hidden_size': 2048, "
     "'num_attention_heads': 16, 'intermediate_size': 1024, 'vocab_size': 50304, "
     "'num_key_value_heads': 16, 'num_experts': 64, 'num_experts_per_tok': 8}"},
    {16375728128, 2828650496,
     "{'model_type': 'deepseek', 'num_hidden_layers': 28, 'hidden_size': 2048, "
     "'num_attention_heads': 16, 'intermediate_size': 10944, 'vocab_size': "
     "102400, 'num_key_value_heads': 16, 'n_routed_experts': 64, "
     "'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, "
     "'n_shared_experts': 2, 'first_k_dense_replace': 1, 'moe_layer_freq': 1}"},
    {15706484224, 2661150208,
     "{'model_type': 'deepseek_v2', 'num_hidden_layers': 27, 'hidden_size': 2048, "
     "'num_attention_heads': 16, 'intermediate_size': 10944, 'vocab_size': "
     "102400, 'num_key_value_heads': 16, 'n_routed_experts': 64, "
     "'num_experts_per_tok': 6, 'moe_intermediate_size': 1408, "
     "'n_shared_experts': 2, 'first_k_dense_replace': 1, 'moe_layer_freq': 1, "
     "'kv_lora_rank': 512, 'q_lora_rank': null, 'qk_nope_head_dim': 128, "
     "'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {235741434880, 21375800320,
     "{'model_type': 'deepseek_v2', 'num_hidden_layers': 60, 'hidden_size': 5120, "
     "'num_attention_heads': 128, 'intermediate_size': 12288, 'vocab_size': "
     "102400, 'num_key_value_heads': 128, 'n_routed_experts': 160, "
     "'num_experts_per_tok': 6, 'moe_intermediate_size': 1536, "
     "'n_shared_experts': 2, 'first_k_dense_replace': 1, 'moe_layer_freq': 1, "
     "'kv_lora_rank': 512, 'q_lora_rank': 1536, 'qk_nope_head_dim': 128, "
     "'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {671026419200, 37552297472,
     "{'model_type': 'deepseek_v3', 'num_hidden_layers': 61, 'hidden_size': 7168, "
     "'num_attention_heads': 128, 'intermediate_size': 18432, 'vocab_size': "
     "129280, 'num_key_value_heads': 128, 'n_routed_experts': 256, "
     "'num_experts_per_tok': 8, 'moe_intermediate_size': 2048, "
     "'n_shared_experts': 1, 'first_k_dense_replace': 3, 'moe_layer_freq': 1, "
     "'kv_lora_rank': 512, 'q_lora_rank': 1536, 'qk_nope_head_dim': 128, "
     "'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {1026408232448, 32861500928,
     "{'model_type': 'kimi_k2', 'num_hidden_layers': 61, 'hidden_size': 7168, "
     "'num_attention_heads': 64, 'intermediate_size': 18432, 'vocab_size': "
     "163840, 'num_key_value_heads': 64, 'n_routed_experts': 384, "
     "'num_experts_per_tok': 8, 'moe_intermediate_size': 2048, "
     "'n_shared_experts': 1, 'first_k_dense_replace': 1, 'moe_layer_freq': 1, "
     "'kv_lora_rank': 512, 'q_lora_rank': 1536, 'qk_nope_head_dim': 128, "
     "'qk_rope_head_dim': 64, 'v_head_dim': 128}"},
    {20914757184, 4187440704,
     "{'model_type': 'gpt_oss', 'num_hidden_layers': 24, 'hidden_size': 2880, "
     "'num_attention_heads': 64, 'intermediate_size': 2880, 'vocab_size': 201088, "
     "'num_key_value_heads': 8, 'head_dim': 64, 'num_local_experts': 32, "
     "'num_experts_per_tok': 4}"},
    {116829156672, 5711982912,
     "{'model_type': 'gpt_oss', 'num_hidden_layers': 36, 'hidden_size': 2880, "
     "'num_attention_heads': 64, 'intermediate_size': 2880, 'vocab_size': 201088, "
     "'num_key_value_heads': 8, 'head_dim': 64, 'num_local_experts': 128, "
     "'num_experts_per_tok': 4}"},
    {124439808, 124439808,
     "{'model_type': 'gpt2', 'n_layer': 12, 'n_embd': 768, 'n_head': 12, "
     "'vocab_size': 50257, 'n_positions': 1024}"},
    {70426624, 70426624,
     "{'model_type': 'gpt_neox', 'num_hidden_layers': 6, 'hidden_size': 512, "
     "'num_attention_heads': 8, 'intermediate_size': 2048, 'vocab_size': 50304}"},
    {162322944, 162322944,
     "{'model_type': 'gpt_neox', 'num_hidden_layers': 12, 'hidden_size': 768, "
     "'num_attention_heads': 12, 'intermediate_size': 3072, 'vocab_size': 50304}"},
    {1011781632, 1011781632,
     "{'model_type': 'gpt_neox', 'num_hidden_layers': 16, 'hidden_size': 2048, "
     "'num_attention_heads': 8, 'intermediate_size': 8192, 'vocab_size': 50304}"},
    {6857302016, 6857302016,
     "{'model_type': 'gpt_neox', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 16384, 'vocab_size': 50432}"},
    {11846072320, 11846072320,
     "{'model_type': 'gpt_neox', 'num_hidden_layers': 36, 'hidden_size': 5120, "
     "'num_attention_heads': 40, 'intermediate_size': 20480, 'vocab_size': 50688}"},
    {125239296, 125239296,
     "{'model_type': 'opt', 'num_hidden_layers': 12, 'hidden_size': 768, "
     "'num_attention_heads': 12, 'ffn_dim': 3072, 'vocab_size': 50272, "
     "'max_position_embeddings': 2048}"},
    {559214592, 559214592,
     "{'model_type': 'bloom', 'n_layer': 24, 'hidden_size': 1024, 'n_head': 16, "
     "'vocab_size': 250880}"},
    {6921720704, 6921720704,
     "{'model_type': 'falcon', 'num_hidden_layers': 32, 'hidden_size': 4544, "
     "'num_attention_heads': 71, 'vocab_size': 65024, 'multi_query': true, "
     "'bias': false, 'parallel_attn': true, 'new_decoder_architecture': false}"},
    {3030371328, 3030371328,
     "{'model_type': 'starcoder2', 'num_hidden_layers': 30, 'hidden_size': 3072, "
     "'num_attention_heads': 24, 'intermediate_size': 12288, 'vocab_size': 49152, "
     "'num_key_value_heads': 2, 'use_bias': true}"},
    {3075098624, 3075098624,
     "{'model_type': 'smollm3', 'num_hidden_layers': 36, 'hidden_size': 2048, "
     "'num_attention_heads': 16, 'intermediate_size': 11008, 'vocab_size': "
     "128256, 'num_key_value_heads': 4}"},
    {9400279040, 9400279040,
     "{'model_type': 'glm4', 'num_hidden_layers': 40, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'intermediate_size': 13696, 'vocab_size': "
     "151552, 'num_key_value_heads': 2, 'head_dim': 128, 'attention_bias': true}"},
    {6050882784, 6050882784,
     "{'model_type': 'gptj', 'n_layer': 28, 'n_embd': 4096, 'n_head': 16, "
     "'vocab_size': 50400}"},
};

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
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        network n;
        assert_ok(load(&n, MODELS[i].text), n.err);
        msw_decoder_parameters p =
            msw_decoder_count(((const msw_npu_network *)n.workload.content)->decoder);
        if (p.all != MODELS[i].all || p.active != MODELS[i].active)
            fail_msg("%s: %llu, %llu", MODELS[i].text, (unsigned long long)p.all,
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

/* A token keeps 576 values a layer in DeepSeek V3, whatever the heads: 61 x 576 x 2 bytes. */
static void latents_are_what_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        network n;
        if (MODELS[i].all != 671026419200)
            continue;
        msw_text text = MSW_TEXT_EMPTY;
        assert_ok(load(&n, MODELS[i].text), n.err);
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
        cmocka_unit_test(latents_are_what_is_kept),
        cmocka_unit_test(quantised_files_need_a_width),
    };
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}

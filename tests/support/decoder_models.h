/* SPDX-License-Identifier: MIT */
/* Published models by the sizes of their config.json, with their parameters, all and those that a
 * token meets. docs/models/npu.md, 'Counts beside others', says where each count was found. */
#ifndef MSW_TESTS_DECODER_MODELS_H
#define MSW_TESTS_DECODER_MODELS_H

#include <stdint.h>

static const struct decoder_model {
    uint64_t all, active;
    const char *text; /* JSON, with ' in place of the other quote */
} DECODER_MODELS[] = {
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
    {107769861120, 17172894720,
     "{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text', "
     "'num_hidden_layers': 48, 'hidden_size': 5120, 'num_attention_heads': 40, "
     "'num_key_value_heads': 8, 'head_dim': 128, 'intermediate_size': 8192, "
     "'intermediate_size_mlp': 16384, 'vocab_size': 202048, 'num_local_experts': 16,"
     " 'num_experts_per_tok': 1, 'interleave_moe_layer_step': 1, "
     "'attention_chunk_size': 8192, 'use_qk_norm': true, 'tie_word_embeddings': "
     "false, 'attention_bias': false, 'no_rope_layers': []}}"},
    {400711848960, 17184691200,
     "{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text', "
     "'num_hidden_layers': 48, 'hidden_size': 5120, 'num_attention_heads': 40, "
     "'num_key_value_heads': 8, 'head_dim': 128, 'intermediate_size': 8192, "
     "'intermediate_size_mlp': 16384, 'vocab_size': 202048, 'num_local_experts': "
     "128, 'num_experts_per_tok': 1, 'interleave_moe_layer_step': 2, "
     "'attention_chunk_size': 8192, 'use_qk_norm': false, 'tie_word_embeddings': "
     "false, 'attention_bias': false}}"},
    {79674391296, 3874929408,
     "{'model_type': 'qwen3_next', 'num_hidden_layers': 48, 'hidden_size': 2048, "
     "'num_attention_heads': 16, 'num_key_value_heads': 2, 'head_dim': 256, "
     "'intermediate_size': 5120, 'moe_intermediate_size': 512, "
     "'shared_expert_intermediate_size': 512, 'num_experts': 512, "
     "'num_experts_per_tok': 10, 'decoder_sparse_step': 1, 'mlp_only_layers': [], "
     "'vocab_size': 151936, 'full_attention_interval': 4, 'linear_num_key_heads': "
     "16, 'linear_num_value_heads': 32, 'linear_key_head_dim': 128, "
     "'linear_value_head_dim': 128, 'linear_conv_kernel_dim': 4, "
     "'tie_word_embeddings': false, 'attention_bias': false}"},
    {4190509056, 4190509056,
     "{'model_type': 'nemotron', 'num_hidden_layers': 32, 'hidden_size': 3072, "
     "'num_attention_heads': 24, 'num_key_value_heads': 8, 'head_dim': 128, "
     "'intermediate_size': 9216, 'vocab_size': 256000, 'tie_word_embeddings': false,"
     " 'attention_bias': false, 'mlp_bias': false}"},
    {51570323328, 12110311296,
     "{'model_type': 'jamba', 'num_hidden_layers': 32, 'hidden_size': 4096, "
     "'num_attention_heads': 32, 'num_key_value_heads': 8, 'intermediate_size': "
     "14336, 'vocab_size': 65536, 'num_experts': 16, 'num_experts_per_tok': 2, "
     "'expert_layer_period': 2, 'expert_layer_offset': 1, 'attn_layer_period': 8, "
     "'attn_layer_offset': 4, 'mamba_d_state': 16, 'mamba_d_conv': 4, "
     "'mamba_expand': 2, 'mamba_dt_rank': 256, 'mamba_conv_bias': true, "
     "'mamba_proj_bias': false, 'tie_word_embeddings': false, 'sliding_window': "
     "null}"},
    {129135360, 129135360,
     "{'model_type': 'mamba', 'num_hidden_layers': 24, 'hidden_size': 768, "
     "'vocab_size': 50280, 'state_size': 16, 'intermediate_size': 1536, "
     "'time_step_rank': 48, 'conv_kernel': 4, 'use_bias': false, 'use_conv_bias': "
     "true, 'expand': 2}"},
    {2768345600, 2768345600,
     "{'d_model': 2560, 'n_layer': 64, 'vocab_size': 50277, 'ssm_cfg': {}, "
     "'pad_vocab_size_multiple': 8}"},
    {128989632, 128989632,
     "{'d_model': 768, 'd_intermediate': 0, 'n_layer': 24, 'vocab_size': 50277, "
     "'ssm_cfg': {'layer': 'Mamba2'}, 'attn_layer_idx': [], 'attn_cfg': {}, "
     "'rms_norm': true, 'pad_vocab_size_multiple': 16, 'tie_embeddings': true}"},
    {7285403648, 7285403648,
     "{'model_type': 'mamba2', 'num_hidden_layers': 64, 'hidden_size': 4096, "
     "'vocab_size': 32768, 'state_size': 128, 'head_dim': 64, 'num_heads': 128, "
     "'n_groups': 8, 'expand': 2, 'conv_kernel': 4, 'chunk_size': 256, 'use_bias': "
     "false, 'use_conv_bias': true, 'tie_word_embeddings': false}"},
    {106852251264, 13424129664,
     "{'model_type': 'glm4_moe', 'num_hidden_layers': 46, 'hidden_size': 4096, "
     "'num_attention_heads': 96, 'num_key_value_heads': 8, 'head_dim': 128, "
     "'intermediate_size': 10944, 'vocab_size': 151552, 'n_routed_experts': 128, "
     "'n_shared_experts': 1, 'num_experts_per_tok': 8, 'moe_intermediate_size': "
     "1408, 'first_k_dense_replace': 1, 'use_qk_norm': false, 'attention_bias': "
     "true, 'tie_word_embeddings': false}"},
    {352797829024, 33632266144,
     "{'model_type': 'glm4_moe', 'num_hidden_layers': 92, 'hidden_size': 5120, "
     "'num_attention_heads': 96, 'num_key_value_heads': 8, 'head_dim': 128, "
     "'intermediate_size': 12288, 'vocab_size': 151552, 'n_routed_experts': 160, "
     "'n_shared_experts': 1, 'num_experts_per_tok': 8, 'moe_intermediate_size': "
     "1536, 'first_k_dense_replace': 3, 'use_qk_norm': true, 'attention_bias': true,"
     " 'tie_word_embeddings': false}"},
    {109482240, 109482240,
     "{'model_type': 'bert', 'num_hidden_layers': 12, 'hidden_size': 768, "
     "'num_attention_heads': 12, 'intermediate_size': 3072, 'vocab_size': 30522, "
     "'max_position_embeddings': 512, 'type_vocab_size': 2}"},
    {335141888, 335141888,
     "{'model_type': 'bert', 'num_hidden_layers': 24, 'hidden_size': 1024, "
     "'num_attention_heads': 16, 'intermediate_size': 4096, 'vocab_size': 30522, "
     "'max_position_embeddings': 512, 'type_vocab_size': 2}"},
    {124645632, 124645632,
     "{'model_type': 'roberta', 'num_hidden_layers': 12, 'hidden_size': 768, "
     "'num_attention_heads': 12, 'intermediate_size': 3072, 'vocab_size': 50265, "
     "'max_position_embeddings': 514, 'type_vocab_size': 1}"},
    {35330816, 35330816,
     "{'model_type': 't5', 'num_layers': 6, 'd_model': 512, 'num_heads': 8, 'd_kv': "
     "64, 'd_ff': 2048, 'vocab_size': 32128, 'is_encoder_decoder': true, "
     "'relative_attention_num_buckets': 32}"},
    {109628544, 109628544,
     "{'model_type': 't5', 'num_layers': 12, 'd_model': 768, 'num_heads': 12, "
     "'d_kv': 64, 'd_ff': 3072, 'vocab_size': 32128, 'is_encoder_decoder': true, "
     "'relative_attention_num_buckets': 32}"},
    {334939648, 334939648,
     "{'model_type': 't5', 'num_layers': 24, 'd_model': 1024, 'num_heads': 16, "
     "'d_kv': 64, 'd_ff': 4096, 'vocab_size': 32128, 'is_encoder_decoder': true, "
     "'relative_attention_num_buckets': 32}"},
};

#endif

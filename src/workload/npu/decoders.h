/* SPDX-License-Identifier: MIT */
/* Decoders whose configuration lies in workloads/npu: name and one line. */
DECODER("gpt2", "GPT-2, 124 million parameters")
DECODER("llama3_1b", "Llama 3.2 1B")
DECODER("llama3_8b", "Llama 3 8B")
DECODER("mixtral_8x7b", "Mixtral 8x7B, 2 of 8 experts")
DECODER("qwen3_30b_a3b", "Qwen3 30B-A3B, 8 of 128 experts")

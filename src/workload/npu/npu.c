/* SPDX-License-Identifier: MIT */
#include "workload/npu/parts.h"

const char *msw_npu_operand_name(msw_npu_operand operand)
{
    static const char *const NAMES[] = {"activation", "weight", "output"};
    return NAMES[operand];
}

const char *msw_npu_class_name(msw_npu_class tile_class)
{
    static const char *const NAMES[] = {"first", "interior", "edge"};
    return NAMES[tile_class];
}

static const char *const OWN[] = {
    "workloads: [mine.csv, mine.csv/b8]: the path of a .csv, next to the sweep file or from here,",
    "with a batch or without. Its header says what it is (other columns are passed over):",
    "  Layer, M, N, K                    SCALE-Sim's matrix products; layers follow one another",
    "  Layer name, IFMAP Height, ...     SCALE-Sim's convolutions",
    "  idx, name, op, in, macs, ...      operators and which rows they read (workloads/README.md)",
    "  tile, operand, base, rows, ...    tiles as another program made them, taken as they are",
    "workloads: [my/config.json/decode, my/config.json/prefill/b8]: a decoder by the config.json",
    "that its publisher ships; npu_context, npu_shards and npu_weight_bits say the rest.",
    "workloads: [my/model.onnx, my/model.onnx/seq=128/b8]: an ONNX model; symbolic sizes but the",
    "batch are given in the name, skip_unknown among them passes over unknown operators.",
    "workloads: [my/model.pt2]: an archive of torch.export, of one image or sequence.",
    "workloads: [my/layer.yaml, my/layer.yaml/b8]: a Timeloop problem, of version 3 or 4.",
    "More: docs/models/npu.md, 'Files'.",
    NULL,
};

const msw_frontend msw_frontend_npu = {
    .name = "npu",
    .title = "Networks on a scratchpad accelerator, cut into tiles and linear segments",
    .version = 1,
    .params = msw_npu_params,
    .config_size = sizeof(msw_npu_config),
    .product = MSW_PRODUCT_TILES,
    .random = false,
    .names = msw_npu_names,
    .docs = msw_npu_docs,
    .own = OWN,
    .resolve = msw_npu_resolve,
    .parse = msw_npu_parse,
    .assemble = msw_npu_assemble,
    .describe = msw_npu_describe,
    .check = msw_npu_check,
    .build = msw_npu_build,
};

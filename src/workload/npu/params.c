#include "workload/npu/parts.h"

static const msw_choice PHASES[] = {
    {"prefill", "all tokens of the context at once, the last one's logits"},
    {"decode", "one more token, its keys and values appended to the cache"},
    {0},
};
static const msw_choice ARRAYS[] = {
    {"systolic", "operands move from cell to cell (TPU)"},
    {"spatial", "a grid of vector units that each make whole dot products (DaDianNao, Eyeriss)"},
    {0},
};
static const msw_choice DATAFLOWS[] = {
    {"weight", "weights stay in the cells"},
    {"output", "outputs stay in the cells"},
    {"input", "activations stay in the cells"},
    {0},
};
static const msw_choice PRELOADS[] = {
    {"hidden", "the next fold's operand enters while this one streams"},
    {"serial", "the next fold's operand enters when this one has drained"},
    {0},
};
static const msw_choice BUFFERS[] = {
    {"double", "a tile fills half of each scratchpad, the next one the other half"},
    {"single", "a tile fills each scratchpad; loading and computing alternate"},
    {0},
};
static const msw_choice LAYOUTS[] = {
    {"channels_last", "image, row, column, channel"},
    {"channels_first", "image, channel, row, column"},
    {0},
};
static const msw_choice WEIGHT_LAYOUTS[] = {
    {"output_major", "all weights of a filter side by side"},
    {"input_major", "the weights of all filters for one input side by side"},
    {0},
};

#define FIELD(name)  offsetof(msw_npu_config, name)
#define MIB(n)       ((n)*1048576.0)
#define PAPER_TEXT   "arXiv:1911.06859, section II"
#define TABLE_UNREAD "arXiv:1911.06859, table I; the number is remembered, not read"

const msw_param msw_npu_params[] = {
    {"npu_batch", MSW_INTEGER, "", 1, 65536, 1, NAN, MSW_POW2, NULL, NULL,
     "samples processed at once", MSW_PAPER, "arXiv:1911.06859, section II-C: 1, 4, 8", 0, 0,
     FIELD(batch)},
    {"npu_context", MSW_INTEGER, "tokens", 1, 131072, 2048, NAN, MSW_POW2, NULL, NULL,
     "tokens a decoder attends to, the new ones included", MSW_PUBLIC,
     "arXiv:2302.13971 (training length)", 0, 0, FIELD(context)},
    {"npu_phase", MSW_CHOICE, "", 0, 0, MSW_NPU_DECODE, NAN, MSW_LINEAR, PHASES, NULL,
     "what a decoder does; the workload's name decides", MSW_INFERRED, "definition", 0, 0,
     FIELD(phase)},
    {"npu_array", MSW_CHOICE, "", 0, 0, MSW_NPU_SYSTOLIC, NAN, MSW_LINEAR, ARRAYS, NULL,
     "kind of array that computes", MSW_PAPER, PAPER_TEXT, 0, 0, FIELD(array)},
    {"npu_rows", MSW_INTEGER, "cells", 1, 4096, 128, NAN, MSW_POW2, NULL, NULL, "rows of the array",
     MSW_INFERRED, TABLE_UNREAD, 64, 256, FIELD(rows)},
    {"npu_cols", MSW_INTEGER, "cells", 1, 4096, 128, NAN, MSW_POW2, NULL, NULL,
     "columns of the array", MSW_INFERRED, TABLE_UNREAD, 64, 256, FIELD(cols)},
    {"npu_dataflow", MSW_CHOICE, "", 0, 0, MSW_NPU_WEIGHT_STATIONARY, NAN, MSW_LINEAR, DATAFLOWS,
     NULL, "operand that stays in a systolic array", MSW_PAPER, PAPER_TEXT, 0, 0, FIELD(dataflow)},
    {"npu_preload", MSW_CHOICE, "", 0, 0, MSW_NPU_PRELOAD_HIDDEN, NAN, MSW_LINEAR, PRELOADS, NULL,
     "when the operand that stays is loaded into a systolic array", MSW_PUBLIC,
     "arXiv:1704.04760 (weights are shifted in behind the matrix product)", 0, 0, FIELD(preload)},
    {"npu_lanes", MSW_INTEGER, "", 1, 1024, 16, NAN, MSW_POW2, NULL, NULL,
     "products per cycle of one vector unit of a spatial array", MSW_UNKNOWN,
     "16 as in a DaDianNao unit (MICRO 2014)", 1, 64, FIELD(lanes)},
    {"npu_spm_activation", MSW_SIZE, "B", 4096, MIB(1024), MIB(15), NAN, MSW_POW2, NULL, NULL,
     "scratchpad for activations", MSW_UNKNOWN, TABLE_UNREAD, MIB(5), MIB(24),
     FIELD(spm_activation)},
    {"npu_spm_weight", MSW_SIZE, "B", 4096, MIB(1024), MIB(10), NAN, MSW_POW2, NULL, NULL,
     "scratchpad for weights", MSW_UNKNOWN, TABLE_UNREAD, MIB(5), MIB(24), FIELD(spm_weight)},
    {"npu_buffers", MSW_CHOICE, "", 0, 0, MSW_NPU_BUFFERS_DOUBLE, NAN, MSW_LINEAR, BUFFERS, NULL,
     "share of the scratchpads that one tile fills", MSW_PAPER, PAPER_TEXT, 0, 0, FIELD(buffers)},
    {"npu_overlap", MSW_FLAG, "", 0, 1, 1, NAN, MSW_LINEAR, NULL, NULL,
     "the next tile is loaded while this one is computed (double buffers only)", MSW_PAPER,
     PAPER_TEXT, 0, 0, FIELD(overlap)},
    {"npu_prefetch", MSW_FLAG, "", 0, 1, 0, NAN, MSW_LINEAR, NULL, NULL,
     "the next layer's first weights are loaded while this layer's last tile is computed",
     MSW_UNKNOWN, "the paper does not say; its worst case is off", 0, 1, FIELD(prefetch)},
    {"npu_element_bytes", MSW_INTEGER, "B", 1, 8, 2, NAN, MSW_POW2, NULL, NULL,
     "bytes of an activation, a weight, an output", MSW_UNKNOWN, "bfloat16, as in a cloud TPU", 1,
     4, FIELD(element_bytes)},
    {"npu_layout", MSW_CHOICE, "", 0, 0, MSW_NPU_CHANNELS_LAST, NAN, MSW_LINEAR, LAYOUTS, NULL,
     "order of an image tensor in memory, outermost dimension first", MSW_UNKNOWN,
     "the TPU compilers' usual order", 0, 0, FIELD(layout)},
    {"npu_weight_layout", MSW_CHOICE, "", 0, 0, MSW_NPU_OUTPUT_MAJOR, NAN, MSW_LINEAR,
     WEIGHT_LAYOUTS, NULL, "order of a weight tensor in memory", MSW_UNKNOWN,
     "the order in which a tile is fewest linear runs, which the paper asks for", 0, 0,
     FIELD(weight_layout)},
    {"npu_alignment", MSW_SIZE, "B", 64, MIB(1024), MIB(2), NAN, MSW_POW2, NULL, NULL,
     "every tensor starts at a multiple of this address", MSW_UNKNOWN,
     "granule of a device allocator", 512, MIB(2), FIELD(alignment)},
    {0},
};

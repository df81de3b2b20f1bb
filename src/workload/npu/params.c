/* SPDX-License-Identifier: MIT */
#include "workload/npu/parts.h"

static const msw_choice PHASES[] = {
    [MSW_NPU_PREFILL] = {.name = "prefill",
                         .doc = "all tokens of the context at once, the last one's logits"},
    [MSW_NPU_DECODE] = {.name = "decode",
                        .doc = "one more token, its keys and values appended to the cache"},
    {0},
};
static const msw_choice ARRAYS[] = {
    [MSW_NPU_SYSTOLIC] = {.name = "systolic", .doc = "operands move from cell to cell (TPU)"},
    [MSW_NPU_SPATIAL] =
        {.name = "spatial",
         .doc = "a grid of vector units that each make whole dot products (DaDianNao, Eyeriss)"},
    {0},
};
const msw_choice msw_npu_dataflows[MSW_NPU_DATAFLOWS + 1] = {
    [MSW_NPU_WEIGHT_STATIONARY] = {.name = "weight", .doc = "weights stay in the cells"},
    [MSW_NPU_OUTPUT_STATIONARY] = {.name = "output", .doc = "outputs stay in the cells"},
    [MSW_NPU_INPUT_STATIONARY] = {.name = "input", .doc = "activations stay in the cells"},
    {0},
};
static const msw_choice PRELOADS[] = {
    [MSW_NPU_PRELOAD_HIDDEN] = {.name = "hidden",
                                .doc = "the next fold's operand enters while this one streams"},
    [MSW_NPU_PRELOAD_SERIAL] = {.name = "serial",
                                .doc = "the next fold's operand enters when this one has drained"},
    {0},
};
static const msw_choice BUFFERS[] = {
    [MSW_NPU_BUFFERS_DOUBLE] =
        {.name = "double",
         .doc = "a tile fills half of each scratchpad, the next one the other half"},
    [MSW_NPU_BUFFERS_SINGLE] =
        {.name = "single", .doc = "a tile fills each scratchpad; loading and computing alternate"},
    {0},
};
static const msw_choice LAYOUTS[] = {
    [MSW_NPU_CHANNELS_LAST] = {.name = "channels_last", .doc = "image, row, column, channel"},
    [MSW_NPU_CHANNELS_FIRST] = {.name = "channels_first", .doc = "image, channel, row, column"},
    {0},
};
static const msw_choice WEIGHT_LAYOUTS[] = {
    [MSW_NPU_OUTPUT_MAJOR] = {.name = "output_major",
                              .doc = "all weights of a filter side by side"},
    [MSW_NPU_INPUT_MAJOR] = {.name = "input_major",
                             .doc = "the weights of all filters for one input side by side"},
    {0},
};

static const msw_choice WEIGHT_BITS[] = {
    [MSW_NPU_BITS_SAME] = {.name = "same", .doc = "as wide as activations"},
    [MSW_NPU_BITS_4] = {.name = "4", .doc = "two weights in a byte"},
    [MSW_NPU_BITS_8] = {.name = "8", .doc = "one byte"},
    [MSW_NPU_BITS_16] = {.name = "16", .doc = "two bytes"},
    [MSW_NPU_BITS_32] = {.name = "32", .doc = "four bytes"},
    {0},
};

static const msw_choice ELEMENTWISE[] = {
    [MSW_NPU_FUSED] = {.name = "fused", .doc = "they run while their producer stores"},
    [MSW_NPU_STORED] = {.name = "stored", .doc = "each reads its inputs and writes its output"},
    {0},
};
static const msw_choice TRAININGS[] = {
    [MSW_NPU_INFERENCE] = {.name = "none", .doc = "inference"},
    [MSW_NPU_STEP] = {.name = "step", .doc = "forward, backward and the weights' new values"},
    {0},
};
static const msw_choice OPTIMIZERS[] = {
    [MSW_NPU_SGD] = {.name = "sgd", .doc = "no state"},
    [MSW_NPU_MOMENTUM] = {.name = "momentum", .doc = "one state per weight"},
    [MSW_NPU_ADAM] = {.name = "adam", .doc = "two states per weight"},
    {0},
};

#define FIELD(name)  offsetof(msw_npu_config, name)
#define MIB(n)       ((n)*1048576.0)
#define PAPER_TEXT   "arXiv:1911.06859, section II"
#define TABLE_UNREAD "arXiv:1911.06859, table I; the number is remembered, not read"

const msw_param msw_npu_params[] = {
    MSW_ROW(.name = "npu_batch", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 65536, .def = 1,
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "samples processed at once",
            .source = MSW_PAPER, .reference = "arXiv:1911.06859, section II-C: 1, 4, 8",
            .offset = FIELD(batch)),
    MSW_ROW(.name = "npu_context", .kind = MSW_INTEGER, .unit = "tokens", .min = 1, .max = 131072,
            .def = 2048, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "tokens a decoder attends to, the new ones included", .source = MSW_PUBLIC,
            .reference = "arXiv:2302.13971 (training length)", .offset = FIELD(context)),
    MSW_ROW(.name = "npu_phase", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_DECODE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PHASES),
            .doc = "what a decoder does; the workload's name decides", .source = MSW_PUBLIC,
            .reference = "definition", .offset = FIELD(phase)),
    MSW_ROW(.name = "npu_steps", .kind = MSW_INTEGER, .unit = "steps", .min = 0, .max = 1048576,
            .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,
            .doc =
                "serial steps that recurrent layers run; 1: the kernel of one step; 0: as many as "
                "the network has",
            .source = MSW_PUBLIC,
            .reference = "baidu-research/DeepBench publishes kernels of one step",
            .offset = FIELD(steps)),
    MSW_ROW(.name = "npu_array", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_SYSTOLIC,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(ARRAYS), .doc = "kind of array that computes",
            .source = MSW_PAPER, .reference = PAPER_TEXT, .offset = FIELD(array)),
    MSW_ROW(.name = "npu_rows", .kind = MSW_INTEGER, .unit = "cells", .min = 1, .max = 4096,
            .def = 128, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "rows of the array",
            .source = MSW_INFERRED, .reference = TABLE_UNREAD, .plausible_min = 64,
            .plausible_max = 256, .offset = FIELD(rows)),
    MSW_ROW(.name = "npu_cols", .kind = MSW_INTEGER, .unit = "cells", .min = 1, .max = 4096,
            .def = 128, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2, .doc = "columns of the array",
            .source = MSW_INFERRED, .reference = TABLE_UNREAD, .plausible_min = 64,
            .plausible_max = 256, .offset = FIELD(cols)),
    MSW_ROW(.name = "npu_dataflow", .kind = MSW_CHOICE, .unit = "",
            .def = MSW_NPU_WEIGHT_STATIONARY, .neutral = MSW_NO_NEUTRAL,
            MSW_CHOICES(msw_npu_dataflows), .doc = "operand that stays in a systolic array",
            .source = MSW_PAPER, .reference = PAPER_TEXT, .offset = FIELD(dataflow),
            .acts = "npu_array = 'systolic'"),
    MSW_ROW(.name = "npu_preload", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_PRELOAD_HIDDEN,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PRELOADS),
            .doc = "when the operand that stays is loaded into a systolic array",
            .source = MSW_PUBLIC,
            .reference = "arXiv:1704.04760 (weights are shifted in behind the matrix product)",
            .offset = FIELD(preload),
            .acts = "npu_array = 'systolic' AND npu_dataflow <> 'output'"),
    MSW_ROW(.name = "npu_lanes", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 1024, .def = 16,
            .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "products per cycle of one vector unit of a spatial array",
            .source = MSW_UNKNOWN, .reference = "16 as in a DaDianNao unit (MICRO 2014)",
            .plausible_min = 1, .plausible_max = 64, .offset = FIELD(lanes),
            .acts = "npu_array = 'spatial'"),
    MSW_ROW(.name = "npu_spm_activation", .kind = MSW_SIZE, .unit = "B", .min = 4096,
            .max = MIB(1024), .def = MIB(15), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "scratchpad for activations", .source = MSW_UNKNOWN, .reference = TABLE_UNREAD,
            .plausible_min = MIB(5), .plausible_max = MIB(24), .offset = FIELD(spm_activation)),
    MSW_ROW(.name = "npu_spm_weight", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = MIB(1024),
            .def = MIB(10), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "scratchpad for weights", .source = MSW_UNKNOWN, .reference = TABLE_UNREAD,
            .plausible_min = MIB(5), .plausible_max = MIB(24), .offset = FIELD(spm_weight)),
    MSW_ROW(.name = "npu_buffers", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_BUFFERS_DOUBLE,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(BUFFERS),
            .doc = "share of the scratchpads that one tile fills", .source = MSW_PAPER,
            .reference = PAPER_TEXT, .offset = FIELD(buffers)),
    MSW_ROW(.name = "npu_overlap", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 1,
            .neutral = MSW_NO_NEUTRAL,
            .doc = "the next tile is loaded while this one is computed (double buffers only)",
            .source = MSW_PAPER, .reference = PAPER_TEXT, .offset = FIELD(overlap),
            .acts = "npu_buffers = 'double'"),
    MSW_ROW(.name = "npu_prefetch", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,
            .neutral = MSW_NO_NEUTRAL,
            .doc = "the next layer's first weights are loaded while this layer's last tile is "
                   "computed",
            .source = MSW_UNKNOWN, .reference = "the paper does not say; its worst case is off",
            .plausible_min = 0, .plausible_max = 1, .offset = FIELD(prefetch),
            .acts = "npu_buffers = 'double' AND npu_overlap"),
    MSW_ROW(.name = "npu_element_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 8,
            .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "bytes of an activation, a weight, an output", .source = MSW_UNKNOWN,
            .reference = "bfloat16, as in a cloud TPU", .plausible_min = 1, .plausible_max = 4,
            .offset = FIELD(element_bytes)),
    MSW_ROW(.name = "npu_layout", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_CHANNELS_LAST,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(LAYOUTS),
            .doc = "order of an image tensor in memory, outermost dimension first",
            .source = MSW_UNKNOWN, .reference = "the TPU compilers' usual order",
            .offset = FIELD(layout)),
    MSW_ROW(.name = "npu_weight_layout", .kind = MSW_CHOICE, .unit = "",
            .def = MSW_NPU_OUTPUT_MAJOR, .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(WEIGHT_LAYOUTS),
            .doc = "order of a weight tensor in memory", .source = MSW_UNKNOWN,
            .reference =
                "the order in which a tile is fewest linear runs, which the paper asks for",
            .offset = FIELD(weight_layout)),
    MSW_ROW(.name = "npu_alignment", .kind = MSW_SIZE, .unit = "B", .min = 64, .max = MIB(1024),
            .def = MIB(2), .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "every tensor starts at a multiple of this address", .source = MSW_UNKNOWN,
            .reference = "granule of a device allocator", .plausible_min = 512,
            .plausible_max = MIB(2), .offset = FIELD(alignment)),
    MSW_ROW(.name = "npu_weight_bits", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_BITS_SAME,
            .neutral = MSW_NEUTRAL(MSW_NPU_BITS_SAME), MSW_CHOICES(WEIGHT_BITS),
            .doc = "bits of a weight in memory and scratchpad; scales are left out",
            .source = MSW_PUBLIC, .reference = "arXiv:2210.17323 (4 bits for weights alone)",
            .offset = FIELD(weight_bits)),
    MSW_ROW(.name = "npu_shards", .kind = MSW_INTEGER, .unit = "devices", .min = 1, .max = 1024,
            .def = 1, .neutral = MSW_NEUTRAL(1), .scale = MSW_POW2,
            .doc = "devices that share each layer of a decoder; the product is the part of one",
            .source = MSW_PUBLIC, .reference = "arXiv:1909.08053 (tensor parallelism)",
            .offset = FIELD(shards)),
    MSW_ROW(.name = "npu_elementwise", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_FUSED,
            .neutral = MSW_NEUTRAL(MSW_NPU_FUSED), MSW_CHOICES(ELEMENTWISE),
            .doc = "norms, softmax, pools, additions and other operators without products",
            .source = MSW_PUBLIC,
            .reference = "arXiv:2007.00072 (operators of a transformer by class)",
            .offset = FIELD(elementwise)),
    MSW_ROW(.name = "npu_vector_lanes", .kind = MSW_INTEGER, .unit = "", .min = 1, .max = 65536,
            .def = 1024, .neutral = MSW_NEUTRAL(1024), .scale = MSW_POW2,
            .doc = "elements per cycle of the vector unit, for operators without products and "
                   "updates of weights",
            .source = MSW_PUBLIC,
            .reference =
                "8 sublanes of 128 lanes, as in a TPU (jax-ml.github.io/scaling-book/tpus)",
            .plausible_min = 128, .plausible_max = 4096, .offset = FIELD(vector_lanes),
            .acts = "npu_elementwise = 'stored' OR npu_training = 'step'"),
    MSW_ROW(.name = "npu_training", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_INFERENCE,
            .neutral = MSW_NEUTRAL(MSW_NPU_INFERENCE), MSW_CHOICES(TRAININGS),
            .doc = "whether gradients and new weights are computed too", .source = MSW_PUBLIC,
            .reference = "arXiv:2001.08361 (a step is three times its forward pass)",
            .offset = FIELD(training)),
    MSW_ROW(.name = "npu_optimizer", .kind = MSW_CHOICE, .unit = "", .def = MSW_NPU_ADAM,
            .neutral = MSW_NEUTRAL(MSW_NPU_ADAM), MSW_CHOICES(OPTIMIZERS),
            .doc = "how a training step makes new weights", .source = MSW_PUBLIC,
            .reference = "arXiv:1412.6980", .offset = FIELD(optimizer),
            .acts = "npu_training = 'step'"),
    MSW_ROW(.name = "npu_state_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 8,
            .def = 4, .neutral = MSW_NEUTRAL(4), .scale = MSW_POW2,
            .doc =
                "bytes of an optimizer's state; where weights have others they are kept in these "
                "too",
            .source = MSW_PUBLIC, .reference = "arXiv:1910.02054, section 3.1", .plausible_min = 1,
            .plausible_max = 4, .offset = FIELD(state_bytes), .acts = "npu_training = 'step'"),
    {0},
};

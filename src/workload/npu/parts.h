/* SPDX-License-Identifier: MIT */
/* Declares what the files of the NPU front end share: operators, tensors and cuts. A file becomes
 * content (a network of operators, or an explicit list of tiles); content and config become a
 * product. */
#ifndef MSW_WORKLOAD_NPU_PARTS_H
#define MSW_WORKLOAD_NPU_PARTS_H

#include "workload/npu/csv.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/decoder.h"
#include "memsweep/workload/npu.h"

/* How an activation lies in memory, outermost dimension first. */
typedef enum msw_npu_view {
    MSW_NPU_VIEW_IMAGE,  /* as the layout parameter says */
    MSW_NPU_VIEW_ROWS,   /* image, row, column, channel */
    MSW_NPU_VIEW_GROUPED /* image, group, row, channel of the group */
} msw_npu_view;

/* What an operator multiplies its activations with. */
typedef enum msw_npu_second {
    MSW_NPU_STATIC, /* weights of its own, as the weight layout parameter says */
    MSW_NPU_KEYS,   /* an activation: image, filter, group, channel */
    MSW_NPU_VALUES  /* an activation: image, channel, group, filter */
} msw_npu_second;

enum { MSW_NPU_NO_TENSOR = UINT32_MAX };

/* An activation as one operator sees it: a window of rows and channels of a tensor. */
typedef struct msw_npu_side {
    uint32_t tensor;
    msw_npu_view view;
    uint64_t rows, first_row; /* of the tensor, per image; where the window starts */
    uint64_t cols;
    uint64_t channels, first_channel; /* of a pixel; where the window starts */
} msw_npu_side;

/* One operator with multiplications, per image of the batch: `groups` products of
 * (rows x cols) x filters x (channels x kernel_rows x kernel_cols), `repeat` times in series. */
typedef struct msw_npu_op {
    const char *name;
    uint64_t rows, cols;
    uint64_t groups, filters, channels;
    uint64_t kernel_rows, kernel_cols;
    uint64_t stride_rows, pad_rows; /* pad_rows: missing above the first row */
    uint64_t reach; /* rows of input that a row of output reads; 0: as many as the kernel has */
    uint64_t repeat;
    msw_npu_second second;
    uint32_t second_tensor;
    msw_npu_side input, output;
    bool vector;             /* no product: reads input, and `other` if it has one, writes output */
    uint32_t other;          /* of a vector operator: a second tensor it reads, or NO_TENSOR */
    uint64_t other_elements; /* of it, per image */
    bool whole_batch;        /* rows are those of all images together */
    uint64_t more_groups;    /* whose weights lie in memory, but nothing needs them */
} msw_npu_op;

static inline uint64_t msw_npu_reach(const msw_npu_op *op)
{
    return op->reach ? op->reach : op->kernel_rows;
}

/* Content: operators and the elements per image of the tensors between them; or, where `listed` is
 * set, tiles as they are; or a decoder's shape. */
typedef struct msw_npu_network {
    const struct msw_npu_row *rows; /* of a table or model; NULL: it has layers only */
    size_t row_count;
    const msw_npu_op *ops;
    const uint64_t *tensors;
    const bool *given; /* tensors that nothing makes: inputs of the network; NULL: none */
    size_t op_count, tensor_count;
    const msw_npu_product *listed;
    const msw_decoder *decoder; /* the operators are made when the settings are known */
    uint64_t skipped;           /* nodes of a model whose operator is not known */
    const char *first_skipped;  /* the operator of the first of them */
} msw_npu_network;

/* A product under construction: counted in a first pass, filled in a second. */
typedef struct msw_npu_sink {
    msw_npu_layer *layers; /* NULL while counting */
    msw_npu_tile *tiles;
    msw_npu_segment *segments;
    uint64_t layer_count, tile_count, segment_count;
} msw_npu_sink;

/* Where the first tensor of a network lies: page 0 stays empty, as in any process. */
#define MSW_NPU_BASE_ADDRESS (UINT64_C(1) << 32)

enum { MSW_NPU_TILES_MAX = 1 << 21, MSW_NPU_SEGMENTS_MAX = 1 << 24 };

/* A range of one dimension. */
typedef struct msw_npu_span {
    uint64_t first, count;
} msw_npu_span;

/* A box of a tensor, outermost dimension first. */
enum { MSW_NPU_DIMS = 4 };
typedef struct msw_npu_dim {
    uint64_t size;
    msw_npu_span span;
} msw_npu_dim;
typedef struct msw_npu_box {
    uint64_t address, element_bits;
    msw_npu_operand operand;
    int dims;
    msw_npu_dim dim[MSW_NPU_DIMS];
} msw_npu_box;

/* One tile as ranges of its operator's dimensions. */
typedef struct msw_npu_piece {
    msw_npu_span images, rows, groups, filters, channels;
} msw_npu_piece;

/* How an operator is cut: full-sized ranges, how many of each, and which operand stays longest. */
typedef struct msw_npu_cut {
    uint64_t images, rows, groups, filters, channels;
    uint64_t blocks, moves, sets, depths; /* pieces: groups; rows; filters; channels */
    bool weights_outer;
} msw_npu_cut;

/* What is done with an operator: docs/models/npu.md, 'Training steps'. */
typedef enum msw_npu_pass {
    MSW_NPU_FORWARD,   /* output = input x weights */
    MSW_NPU_TO_INPUT,  /* the input's gradient = the output's gradient x weights */
    MSW_NPU_TO_WEIGHT, /* the weights' gradient = input x the output's gradient */
    MSW_NPU_UPDATE     /* weights and states by the weights' gradient */
} msw_npu_pass;

/* A pass of an operator with its place in memory, for one config. `tensors` by the operand that
 * they are in this pass. */
typedef struct msw_npu_addresses {
    const msw_npu_op *op;
    const char *name;
    msw_npu_pass pass;
    const msw_npu_config *config;
    uint64_t images;
    msw_npu_tensor tensors[3];
    uint64_t state_address; /* of an update: where its states lie, one after the other */
    msw_npu_cut cut;
} msw_npu_addresses;

/* All passes of a network, in the order in which they run. */
typedef struct msw_npu_run {
    msw_npu_addresses *passes;
    size_t count;
    uint64_t end; /* of memory */
} msw_npu_run;

extern const msw_param msw_npu_params[];

/* What a decoder does: of each of `batch` sequences it takes so many new tokens, which then attend
 * to `context` tokens, themselves included. */
typedef struct msw_npu_decoding {
    uint64_t tokens, context, batch;
    bool vectors;  /* with the operators that have no products */
    bool training; /* layers do not share activations */
} msw_npu_decoding;

/* See msw_frontend.describe, .check and .build. */
int msw_npu_describe(const void *content, const void *config, msw_text *out, msw_err *err);
int msw_npu_check(const void *content, const void *settings, msw_err *err);
int msw_npu_build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                  msw_product *product, msw_err *err);

/* Makes the operators of a decoder. Layer l writes and reads tensors MSW_NPU_DECODER_CACHES + 2 l
 * (keys) and + 1 (values). Returns 0, or -1. */
int msw_npu_decoder(const msw_decoder *shape, const msw_npu_decoding *decoding, msw_arena *arena,
                    msw_npu_network *network, msw_err *err);
enum { MSW_NPU_DECODER_CACHES = 10 };

/* The part of a decoder that one of `shards` devices has: its heads, its part of each feed-forward
 * and expert, its words. Returns 0, or -1. */
int msw_npu_share(const msw_decoder *whole, uint64_t shards, msw_decoder *part, msw_err *err);

/* Reads the configuration that comes with a published decoder. Returns its shape, or NULL. */
const msw_decoder *msw_npu_read_decoder(const char *file, const char *bytes, size_t size,
                                        msw_arena *arena, msw_err *err);

/* Parameters that nothing is multiplied with in a product. */
enum {
    TIED = 1,          /* the head is the table of words */
    NORM_BIAS = 2,     /* norms have a second parameter for each value */
    QKV_BIAS = 4,      /* biases of queries, keys and values */
    O_BIAS = 8,        /* of attention's output */
    FORWARD_BIAS = 16, /* of the feed-forward */
    HEAD_NORMS = 32,   /* norms of the values of one query and one key */
    WIDE_NORMS = 64,   /* of all queries and keys */
    POSITIONS = 128,   /* a table of positions */
    HEAD_BIAS = 256,
    FIRST_NORM = 512,   /* of the words looked up */
    SINKS = 1024,       /* a score for each head */
    EXPERT_BIAS = 2048, /* of experts and router */
    NO_LAST_NORM = 4096,
    ROUTER_SHIFT = 8192, /* a shift of each expert's score */
    SHARED_GATE = 16384, /* one output that scales what all tokens go through */
    ENCODER = 32768,     /* no head; where there is a table of positions, one of kinds of tokens */
    POOLED = 65536,      /* a product of the first token, with a bias */
    ALL_BIASES = QKV_BIAS | O_BIAS | FORWARD_BIAS
};

/* Adds the parameters that are no weights of a product, of `norms` norms a layer. */
void msw_decoder_add_others(msw_decoder *d, unsigned has, unsigned norms);

/* Bits of a weight. */
uint64_t msw_npu_weight_bits(const msw_npu_config *config);

/* Lists the passes of a network, gives every operand an address and checks all sizes. Returns 0, or
 * -1. */
int msw_npu_address(const msw_npu_network *network, const msw_npu_config *config, msw_arena *arena,
                    msw_npu_run *run, msw_err *err);

/* How many states an optimizer keeps for a weight, a wider copy of it among them. */
uint64_t msw_npu_states(const msw_npu_config *config);

/* Whether weights are kept a second time, in the states' bytes. */
bool msw_npu_has_copy(const msw_npu_config *config);

/* What one tile may fill. */
typedef struct msw_npu_room {
    uint64_t activation, weight;
} msw_npu_room;
msw_npu_room msw_npu_room_of(const msw_npu_config *config);

/* Chooses how a pass of an operator with a product is cut. Returns 0, or -1 when a scratchpad is
 * too small. */
int msw_npu_cut_op(msw_npu_addresses *placed, msw_err *err);
int msw_npu_cut_back(msw_npu_addresses *placed, msw_err *err);

/* Says that a tile's first or second operand does not fit in the smallest piece. Returns -1. */
int msw_npu_fail_small(const msw_npu_addresses *p, uint64_t first, uint64_t second, msw_err *err);

/* Appends a pass's layers, tiles and segments. Returns 0, or -1. */
int msw_npu_walk(const msw_npu_addresses *placed, msw_npu_sink *sink, msw_err *err);

/* The same for what has no products: vector operators and updates. */
int msw_npu_walk_stream(const msw_npu_addresses *placed, msw_npu_sink *sink, msw_err *err);

/* Whether so many more tiles are allowed; how many segments there are. Returns 0, or -1. */
int msw_npu_check_room(const msw_npu_addresses *p, const msw_npu_sink *sink, double tiles,
                       msw_err *err);
int msw_npu_check_segments(const msw_npu_addresses *p, const msw_npu_sink *sink, msw_err *err);

/* The boxes of a piece: of input, weights and output, as the operand that they are in this pass. */
msw_npu_box msw_npu_activation_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                                   msw_npu_operand as);
msw_npu_box msw_npu_weight_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                               msw_npu_operand as);
msw_npu_box msw_npu_output_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                               msw_npu_operand as);

/* Rows of input that a piece finishes, or a vector operator's piece reads. */
msw_npu_box msw_npu_rows_box(const msw_npu_addresses *p, const msw_npu_piece *piece,
                             msw_npu_span rows, msw_npu_operand as);

/* Appends a box as the fewest strided segments. Returns its bytes. */
uint64_t msw_npu_box_emit(const msw_npu_box *box, msw_npu_sink *sink);

/* Adds up a product whose arrays are complete. */
void msw_npu_totals(msw_npu_product *product);

/* Largest size of one dimension in a table. */
enum { MSW_NPU_DIMENSION_MAX = 1 << 26 };

/* Each reads all rows of its format into `network`, inside `arena`. Returns 0, or -1. */
int msw_npu_read_conv(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_gemm(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_operators(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
int msw_npu_read_tiles(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);

/* Reads all documents of a YAML text. Returns their list, or NULL with `err`. */
const struct msw_json *msw_npu_read_documents(const char *file, const char *bytes, size_t size,
                                              msw_arena *arena, msw_err *err);

/* Reads a Timeloop problem, whose layers are the documents of the file. Returns 0, or -1. */
int msw_npu_read_timeloop(const char *file, const char *bytes, size_t size, msw_arena *arena,
                          msw_npu_network *network, msw_err *err);

/* Upper bound of the rows still to come. */
size_t msw_npu_csv_rows(const msw_npu_csv *csv);

/* Wires a chain: the output of each operator is the next one's input. Returns 0, or -1. */
int msw_npu_chain(msw_npu_op *ops, size_t count, msw_arena *arena, msw_npu_network *network,
                  msw_err *err);

typedef enum msw_npu_kind {
    MSW_NPU_KIND_MAKES,   /* its output is a tensor of its own; no multiplications */
    MSW_NPU_KIND_INPLACE, /* works on its first input where it lies */
    MSW_NPU_KIND_SOFTMAX, /* the same; what comes after it is the second attention product */
    MSW_NPU_KIND_POOL,    /* in place when fused */
    MSW_NPU_KIND_CONCAT,  /* its producers write into it */
    MSW_NPU_KIND_VECTOR,  /* works where its first input lies; nobody names it */
    MSW_NPU_KIND_CONV,
    MSW_NPU_KIND_DECONV,
    MSW_NPU_KIND_GEMM,
    MSW_NPU_KIND_BMM
} msw_npu_kind;

enum { MSW_NPU_INPUTS = 64 };

typedef struct msw_npu_row {
    const char *name, *op, *block; /* block: "" where the table has no such column */
    msw_npu_kind kind;
    uint64_t w_elems, vec_ops, sw; /* 0 where the table has no such column */
    uint64_t out_elems, m, n, k, count, seq, macs;
    uint64_t ih, iw, ic, oh, ow, oc, kh, kw, sh, groups, fuse;
    bool view;   /* moves no data, whatever it makes */
    bool padded; /* pad_rows is known; else the same above and below */
    uint64_t pad_rows;
    uint64_t reach_rows, reach_cols; /* of a window that leaves out pixels; 0: of its kernel */
    uint32_t inputs[MSW_NPU_INPUTS]; /* rows where it finds them */
    uint32_t makers[MSW_NPU_INPUTS]; /* and that made them: others where one works in place */
    uint32_t input_count;
    /* Where its output lies: the row that owns the tensor, and for owners the tensor with the
     * channels it has of each pixel. */
    uint32_t owner, tensor;
    bool placed; /* in the channels of a concatenation */
    uint64_t first_channel, channels;
} msw_npu_row;

/* Reads all rows of an operator table. Returns 0, or -1. */
int msw_npu_read_rows(msw_npu_csv *csv, msw_arena *arena, msw_npu_row **rows, size_t *count);

/* Turns rows into operators and tensors. Returns 0, or -1. */
int msw_npu_wire(msw_npu_row *rows, size_t count, msw_arena *arena, msw_npu_network *network,
                 msw_err *err);

#endif

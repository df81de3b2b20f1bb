/* SPDX-License-Identifier: MIT */
/* onnx: what the files that read ONNX models share. The wire format is protobuf's; the numbers of
 * fields are those of onnx/onnx.proto3 of github.com/onnx/onnx (IR versions 3 to 10), the operators
 * those of its docs/Operators.md. Tensors are known by their shapes; only those of few elements
 * have values here, from which shapes follow. All this lives while a file is read. */
#ifndef MSW_WORKLOAD_NPU_ONNX_H
#define MSW_WORKLOAD_NPU_ONNX_H

#include "workload/npu/parts.h"

#include "memsweep/base/map.h"

enum {
    MSW_ONNX_RANK = 8,    /* most dimensions of a tensor */
    MSW_ONNX_VALUES = 64, /* most elements of a tensor whose values count */
    MSW_ONNX_NAMES = 64,  /* most inputs or outputs of a node */
    MSW_ONNX_ATTRIBUTES = 32,
    MSW_ONNX_SYMBOLS = 16, /* most sizes that a workload's name gives */
    MSW_ONNX_NO_ROW = -1
};

/* Bytes of the file. */
typedef struct msw_onnx_part {
    const uint8_t *at, *end;
} msw_onnx_part;

/* One field of a message: a number, or bytes. */
typedef struct msw_onnx_field {
    uint32_t number;
    bool is_bytes;
    uint64_t value;
    msw_onnx_part bytes;
} msw_onnx_field;

typedef struct msw_onnx_value {
    msw_onnx_part name;
    bool known;    /* its maker has been read */
    bool constant; /* follows from the file alone: no activation */
    bool whole;    /* of integers */
    int rank;
    uint64_t dims[MSW_ONNX_RANK];
    const double *data; /* its values, or NULL */
    int64_t row;        /* where it lies */
    int64_t maker;      /* the row that makes it: another where that works in place */
    uint32_t readers;
} msw_onnx_value;

typedef struct msw_onnx_attribute {
    msw_onnx_part name, text, tensor;
    double number, list[MSW_ONNX_VALUES];
    size_t count;
} msw_onnx_attribute;

typedef struct msw_onnx_node {
    msw_onnx_part name, op, domain;
    msw_onnx_part inputs[MSW_ONNX_NAMES], outputs[MSW_ONNX_NAMES];
    uint32_t input_count, output_count;
    msw_onnx_attribute attributes[MSW_ONNX_ATTRIBUTES];
    uint32_t attribute_count;
} msw_onnx_node;

/* What a workload's name says about a model. */
typedef struct msw_onnx_settings {
    struct {
        msw_onnx_part name;
        uint64_t size;
        bool used;
    } symbols[MSW_ONNX_SYMBOLS];
    size_t symbol_count;
    bool skip_unknown;
} msw_onnx_settings;

typedef struct msw_onnx {
    const char *file;
    const uint8_t *start;
    msw_arena *arena, scratch; /* of the content; while reading */
    msw_err *err;
    msw_onnx_settings settings;
    msw_onnx_part batch; /* the symbol that is the batch */
    msw_onnx_value *values;
    size_t value_count, value_room;
    msw_strings names; /* of the values, in their order */
    msw_npu_row *rows;
    size_t row_count, row_room;
    /* the node that is being read */
    msw_onnx_node node;
    msw_onnx_value *in[MSW_ONNX_NAMES], *out[MSW_ONNX_NAMES]; /* NULL: not there */
    uint64_t nodes, skipped;
    const char *first_skipped;
} msw_onnx;

/* ---- the wire format ---- */

/* Takes the next field of a message. Returns 1, 0 at the end, -1 when the bytes are no message. */
int msw_onnx_next(msw_onnx_part *rest, msw_onnx_field *field);

/* Appends the numbers of a repeated field, packed or one by one; beyond `most` they are only
 * counted. Returns 0, or -1. */
int msw_onnx_numbers(const msw_onnx_field *field, double *list, size_t most, size_t *count);

/* The same for numbers of `bytes` (4, 8) bytes, floating point. */
int msw_onnx_reals(const msw_onnx_field *field, unsigned bytes, double *list, size_t most,
                   size_t *count);

/* Little-endian numbers. `bytes`: 1, 2, 4, 8. */
uint64_t msw_onnx_little(const uint8_t *at, unsigned bytes);
double msw_onnx_real(const uint8_t *at, unsigned bytes);

bool msw_onnx_is(msw_onnx_part part, const char *word);
bool msw_onnx_same(msw_onnx_part a, msw_onnx_part b);

/* For "%.*s". */
int msw_onnx_width(msw_onnx_part part);
#define MSW_ONNX_TEXT(part) msw_onnx_width(part), (const char *)(part).at

/* ---- messages of a model ---- */

/* Says that the bytes from `at` on are not what they must be. Returns -1. */
int msw_onnx_broken(msw_onnx *m, const uint8_t *at, const char *what);

/* Reads a tensor: name, shape, and values where they are few. Returns 0, or -1. */
int msw_onnx_read_tensor(msw_onnx *m, msw_onnx_part message, msw_onnx_value *value);

/* Reads a node into m->node. Returns 0, or -1. */
int msw_onnx_read_node(msw_onnx *m, msw_onnx_part message);

/* Reads an input of the graph: name and shape. Returns 0, or -1. */
int msw_onnx_read_input(msw_onnx *m, msw_onnx_part message, bool first, msw_onnx_value *value);

/* ---- values ---- */

/* Makes room for this many values. Returns 0, or -1. */
int msw_onnx_room(msw_onnx *m, size_t count);

msw_onnx_value *msw_onnx_find(const msw_onnx *m, msw_onnx_part name);

/* Adds a value that is not known yet. Returns it, or NULL when the name is taken. */
msw_onnx_value *msw_onnx_add(msw_onnx *m, msw_onnx_part name);

/* Gives a value a shape, which is checked. Returns 0, or -1. */
int msw_onnx_set(msw_onnx *m, msw_onnx_value *value, const uint64_t *dims, int rank);

/* Gives a value its values. Returns room for them, or NULL when they are too many. */
double *msw_onnx_fill(msw_onnx *m, msw_onnx_value *value);

uint64_t msw_onnx_elements(const msw_onnx_value *value);

/* Product of the dimensions from `first` to before `end`. */
uint64_t msw_onnx_product(const msw_onnx_value *value, int first, int end);

/* ---- for operators ---- */

/* Says what is wrong with the node at hand. Returns -1. */
int msw_onnx_refuse(msw_onnx *m, const char *fmt, ...) MSW_PRINTF(2, 3);

/* An attribute by name, or NULL. */
const msw_onnx_attribute *msw_onnx_attribute_of(const msw_onnx *m, const char *name);
int64_t msw_onnx_int(const msw_onnx *m, const char *name, int64_t otherwise);

/* count products of M x K by K x N. */
typedef struct msw_onnx_product_size {
    uint64_t m, n, k, count;
} msw_onnx_product_size;

/* Adds the row of a product whose output has its shape. Weights that stand left are those of the
 * transposed product. Returns 0, or -1. */
int msw_onnx_add_product(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b,
                         msw_onnx_product_size p);

/* An axis, counted from the end when negative. Returns 0, or -1. */
int msw_onnx_axis(msw_onnx *m, double number, int rank, int *axis);

/* A list that is an attribute in old versions and an input in new ones. Returns 1 with list and
 * count, 0 when there is none, -1 when its values are not known. */
int msw_onnx_list(msw_onnx *m, const char *name, uint32_t input, const double **list,
                  size_t *count);

/* The shape that two inputs have together. Returns 0, or -1. */
int msw_onnx_broadcast(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b,
                       msw_onnx_value *out);

/* A name that outlives the file. Returns it, or NULL. */
const char *msw_onnx_copy(msw_onnx *m, msw_onnx_part name);

/* A new row that makes `out`, called as the node or else as its output. Returns it, or NULL. */
msw_npu_row *msw_onnx_row(msw_onnx *m, msw_npu_kind kind, msw_onnx_value *out);

/* Operators by what they do: each gives the outputs of the node shapes, and rows where others than
 * those that all have. Return 0, or -1. */
int msw_onnx_same_shape(msw_onnx *m);
int msw_onnx_softmax(msw_onnx *m);
int msw_onnx_all_together(msw_onnx *m);
int msw_onnx_conv(msw_onnx *m);
int msw_onnx_quantized_conv(msw_onnx *m);
int msw_onnx_deconv(msw_onnx *m);
int msw_onnx_pool(msw_onnx *m);
int msw_onnx_global_pool(msw_onnx *m);
int msw_onnx_gemm(msw_onnx *m);
int msw_onnx_matmul(msw_onnx *m);
int msw_onnx_quantized_matmul(msw_onnx *m);
int msw_onnx_lstm(msw_onnx *m);
int msw_onnx_einsum(msw_onnx *m);
int msw_onnx_gru(msw_onnx *m);
int msw_onnx_rnn(msw_onnx *m);
int msw_onnx_reshape(msw_onnx *m);
int msw_onnx_flatten(msw_onnx *m);
int msw_onnx_squeeze(msw_onnx *m);
int msw_onnx_unsqueeze(msw_onnx *m);
int msw_onnx_transpose(msw_onnx *m);
int msw_onnx_expand(msw_onnx *m);
int msw_onnx_tile(msw_onnx *m);
int msw_onnx_concat(msw_onnx *m);
int msw_onnx_gather(msw_onnx *m);
int msw_onnx_gather_elements(msw_onnx *m);
int msw_onnx_slice(msw_onnx *m);
int msw_onnx_split(msw_onnx *m);
int msw_onnx_pad(msw_onnx *m);
int msw_onnx_reduce(msw_onnx *m);
int msw_onnx_arg(msw_onnx *m);
int msw_onnx_topk(msw_onnx *m);
int msw_onnx_resize(msw_onnx *m);
int msw_onnx_depth_to_space(msw_onnx *m);
int msw_onnx_space_to_depth(msw_onnx *m);
int msw_onnx_constant(msw_onnx *m);
int msw_onnx_constant_of_shape(msw_onnx *m);
int msw_onnx_shape(msw_onnx *m);
int msw_onnx_size(msw_onnx *m);
int msw_onnx_range(msw_onnx *m);

/* Values of the first output from those of all inputs. */
void msw_onnx_fold_same(msw_onnx *m, double *out);
void msw_onnx_fold_one(msw_onnx *m, double *out);
void msw_onnx_fold_two(msw_onnx *m, double *out);
void msw_onnx_fold_where(msw_onnx *m, double *out);
void msw_onnx_fold_concat(msw_onnx *m, double *out);
void msw_onnx_fold_gather(msw_onnx *m, double *out);
void msw_onnx_fold_slice(msw_onnx *m, double *out);
void msw_onnx_fold_transpose(msw_onnx *m, double *out);
void msw_onnx_fold_expand(msw_onnx *m, double *out);
void msw_onnx_fold_reduce(msw_onnx *m, double *out);

/* What an operator without a row of its own does with data. */
typedef enum msw_onnx_work {
    MSW_ONNX_POINTS, /* element by element: in its producer's place when it reads one tensor */
    MSW_ONNX_PASSES, /* reads all it needs before it writes: never in its producer's place */
    MSW_ONNX_VIEWS   /* nothing: others find the data where it is */
} msw_onnx_work;

/* Says who makes the outputs of the node at hand, whose sizes are known. Returns 0, or -1. */
int msw_onnx_finish(msw_onnx *m, msw_onnx_work work);

/* Does what the node in m->node says. Returns 0, or -1. */
int msw_onnx_run(msw_onnx *m);

/* Reads the settings of a workload's name, as "seq=128/skip_unknown". Returns 0, or -1. */
int msw_onnx_read_settings(const char *name, msw_onnx_settings *settings, msw_err *err);

/* How long the file is in "a/model.onnx/seq=128", or 0 where none is. */
size_t msw_onnx_file_size(const char *name);

/* Reads a model. Returns 0, or -1. */
int msw_onnx_read(const char *name, const msw_workload_file *file, msw_arena *arena,
                  msw_npu_network *network, msw_err *err);

#endif

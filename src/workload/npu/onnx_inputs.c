/* SPDX-License-Identifier: MIT */
/* Reads messages of an ONNX model (tensors, nodes with attributes, inputs) and the shapes of its
 * inputs, in which sizes may be symbols. The first dimension of the first input is the batch when
 * it is a symbol or not said at all: it is 1 here and multiplied later. */
#include "workload/npu/onnx.h"

#include <stdio.h>
#include <string.h>

/* TensorProto.data_type */
enum { FLOAT = 1, FLOAT16 = 10, DOUBLE = 11, TYPES = 17 };
/* Bytes of an element in raw_data; 0: not looked at. */
static const uint8_t TYPE_BYTES[TYPES] = {
    [1] = 4, [2] = 1,  [3] = 1,  [4] = 2,  [5] = 2,  [6] = 4, [7] = 8,
    [9] = 1, [10] = 2, [11] = 8, [12] = 4, [13] = 8, [16] = 2};

int msw_onnx_broken(msw_onnx *m, const uint8_t *at, const char *what)
{
    return msw_fail(m->err, "%s: byte %zu: %s", m->file, at ? (size_t)(at - m->start) : 0, what);
}

/* ---- tensors ---- */

typedef struct onnx_tensor {
    double dims[MSW_ONNX_RANK], list[MSW_ONNX_VALUES];
    size_t rank, count;
    uint64_t type;
    bool external;
    msw_onnx_part name, raw;
} onnx_tensor;

static int take_tensor_field(const msw_onnx_field *f, onnx_tensor *t)
{
    switch (f->number) {
    case 1:
        return msw_onnx_numbers(f, t->dims, MSW_ONNX_RANK, &t->rank);
    case 2:
        t->type = f->value;
        return 0;
    case 4:
        return msw_onnx_reals(f, 4, t->list, MSW_ONNX_VALUES, &t->count);
    case 5:
    case 7:
    case 11:
        return msw_onnx_numbers(f, t->list, MSW_ONNX_VALUES, &t->count);
    case 8:
        t->name = f->bytes;
        return 0;
    case 9:
        t->raw = f->bytes;
        return 0;
    case 10:
        return msw_onnx_reals(f, 8, t->list, MSW_ONNX_VALUES, &t->count);
    case 14:
        t->external = f->value == 1;
        return 0;
    default:
        return 0;
    }
}

static bool is_whole(uint64_t type)
{
    return type != FLOAT && type != FLOAT16 && type != DOUBLE && type != 16;
}

static double element(const onnx_tensor *t, size_t i, unsigned bytes)
{
    const uint8_t *at = t->raw.at + i * bytes;
    if (t->type == FLOAT || t->type == DOUBLE)
        return msw_onnx_real(at, bytes);
    uint64_t bits = msw_onnx_little(at, bytes);
    bool is_signed = t->type == 3 || t->type == 5 || t->type == 6 || t->type == 7;
    unsigned up = 64 - 8 * bytes;
    return is_signed ? (double)((int64_t)(bits << up) / ((int64_t)1 << up)) : (double)bits;
}

/* The few values of a shape or of axes; many are passed over. */
static int take_values(msw_onnx *m, const onnx_tensor *t, msw_onnx_value *value)
{
    uint64_t count = msw_onnx_elements(value);
    unsigned bytes = t->type < TYPES ? TYPE_BYTES[t->type] : 0;
    uint64_t raw = (uint64_t)(t->raw.end - t->raw.at);
    if (t->external)
        return 0;
    if (raw && bytes && raw != count * bytes)
        return msw_onnx_broken(m, t->raw.at, "a tensor's data has not the size of its shape");
    if (count > MSW_ONNX_VALUES || (raw && !bytes) || t->type == FLOAT16 || t->type == 16 ||
        (!raw && t->count != count))
        return 0;
    double *data = msw_onnx_fill(m, value);
    if (!data)
        return msw_fail_memory(m->err);
    for (size_t i = 0; i < count; i++)
        data[i] = raw ? element(t, i, bytes) : t->list[i];
    return 0;
}

int msw_onnx_read_tensor(msw_onnx *m, msw_onnx_part message, msw_onnx_value *value)
{
    onnx_tensor t = {0};
    msw_onnx_field field;
    msw_onnx_part rest = message;
    uint64_t dims[MSW_ONNX_RANK];
    int rc;
    while ((rc = msw_onnx_next(&rest, &field)) > 0)
        if (take_tensor_field(&field, &t))
            return msw_onnx_broken(m, field.bytes.at, "a tensor's values are cut off");
    if (rc < 0)
        return msw_onnx_broken(m, rest.at, "a tensor is cut off or no tensor");
    if (t.rank > MSW_ONNX_RANK)
        return msw_onnx_broken(m, message.at, "a tensor has more than 8 dimensions");
    for (size_t i = 0; i < t.rank; i++) {
        if (!(t.dims[i] >= 0 && t.dims[i] <= MSW_NPU_DIMENSION_MAX))
            return msw_onnx_broken(m, message.at, "a tensor has a dimension below 0 or above 2^26");
        dims[i] = (uint64_t)t.dims[i];
    }
    value->name = t.name;
    value->whole = is_whole(t.type);
    value->constant = true;
    MSW_TRY(msw_onnx_set(m, value, dims, (int)t.rank));
    MSW_TRY(take_values(m, &t, value));
    return 0;
}

/* ---- nodes ---- */

static int take_attribute_field(const msw_onnx_field *f, msw_onnx_attribute *a)
{
    switch (f->number) {
    case 1:
        a->name = f->bytes;
        return 0;
    case 2:
        a->number = f->bytes.at && !f->is_bytes ? msw_onnx_real(f->bytes.at, 4) : 0;
        return 0;
    case 3:
        a->number = (double)(int64_t)f->value;
        return 0;
    case 4:
        a->text = f->bytes;
        return 0;
    case 5:
        a->tensor = f->bytes;
        return 0;
    case 7:
        return msw_onnx_reals(f, 4, a->list, MSW_ONNX_VALUES, &a->count);
    case 8:
        return msw_onnx_numbers(f, a->list, MSW_ONNX_VALUES, &a->count);
    default:
        return 0;
    }
}

static int read_attribute(msw_onnx *m, msw_onnx_part message)
{
    msw_onnx_field field;
    int rc;
    if (m->node.attribute_count == MSW_ONNX_ATTRIBUTES)
        return msw_onnx_broken(m, message.at, "a node has more than 32 attributes");
    msw_onnx_attribute *a = &m->node.attributes[m->node.attribute_count++];
    *a = (msw_onnx_attribute){0};
    while ((rc = msw_onnx_next(&message, &field)) > 0)
        if (take_attribute_field(&field, a))
            return msw_onnx_broken(m, field.bytes.at, "an attribute's list is cut off");
    return rc ? msw_onnx_broken(m, message.at, "an attribute is cut off") : 0;
}

static int append_name(msw_onnx *m, msw_onnx_part name, msw_onnx_part *names, uint32_t *count)
{
    if (*count == MSW_ONNX_NAMES)
        return msw_onnx_broken(m, name.at, "a node has more than 64 inputs or outputs");
    names[(*count)++] = name;
    return 0;
}

static int take_node_field(msw_onnx *m, const msw_onnx_field *f)
{
    msw_onnx_node *n = &m->node;
    if (f->number == 1)
        return append_name(m, f->bytes, n->inputs, &n->input_count);
    if (f->number == 2)
        return append_name(m, f->bytes, n->outputs, &n->output_count);
    if (f->number == 3)
        n->name = f->bytes;
    if (f->number == 4)
        n->op = f->bytes;
    if (f->number == 5)
        return read_attribute(m, f->bytes);
    if (f->number == 7)
        n->domain = f->bytes;
    return 0;
}

int msw_onnx_read_node(msw_onnx *m, msw_onnx_part message)
{
    msw_onnx_field field;
    int rc;
    m->node.name = m->node.op = m->node.domain = (msw_onnx_part){0};
    m->node.input_count = m->node.output_count = m->node.attribute_count = 0;
    while ((rc = msw_onnx_next(&message, &field)) > 0)
        if (take_node_field(m, &field))
            return -1;
    return rc ? msw_onnx_broken(m, message.at, "a node is cut off or no node") : 0;
}

/* A size of a shape: a number, a symbol, or nothing. */
typedef struct size_of {
    uint64_t value;
    msw_onnx_part symbol;
} size_of;

/* Enters the one field of a message that counts. Returns 1, 0 when it is not there, or -1. */
static int enter(msw_onnx_part message, uint32_t number, msw_onnx_part *inside)
{
    msw_onnx_field field;
    int rc, found = 0;
    while ((rc = msw_onnx_next(&message, &field)) > 0)
        if (field.number == number && field.is_bytes) {
            *inside = field.bytes;
            found = 1;
        }
    return rc < 0 ? -1 : found;
}

static int read_size(msw_onnx_part message, size_of *size)
{
    msw_onnx_field field;
    int rc;
    *size = (size_of){0};
    while ((rc = msw_onnx_next(&message, &field)) > 0) {
        if (field.number == 1 && !field.is_bytes)
            size->value = field.value;
        if (field.number == 2 && field.is_bytes)
            size->symbol = field.bytes;
    }
    return rc;
}

static bool given(msw_onnx *m, msw_onnx_part symbol, uint64_t *size)
{
    for (size_t i = 0; i < m->settings.symbol_count; i++)
        if (msw_onnx_same(m->settings.symbols[i].name, symbol)) {
            m->settings.symbols[i].used = true;
            *size = m->settings.symbols[i].size;
            return true;
        }
    return false;
}

static bool is_empty(msw_onnx_part part)
{
    return part.at == part.end;
}

/* The size of dimension `axis`; `first`: of the first input of the model. */
static int choose(msw_onnx *m, const msw_onnx_value *v, int axis, bool first, size_of *size)
{
    bool open = size->value == 0 || size->value > MSW_NPU_DIMENSION_MAX;
    if (is_empty(size->symbol) && !open)
        return 0;
    if (is_empty(size->symbol) && size->value != 0 && (int64_t)size->value != -1)
        return msw_fail(m->err, "%s: input '%.*s': dimension %d is %lld, allowed: up to 2^26",
                        m->file, MSW_ONNX_TEXT(v->name), axis, (long long)size->value);
    if (axis == 0 && first)
        m->batch = size->symbol;
    bool batch = axis == 0 && (first || is_empty(size->symbol));
    batch = batch || (!is_empty(m->batch) && msw_onnx_same(m->batch, size->symbol));
    bool said = !is_empty(size->symbol) && given(m, size->symbol, &size->value);
    if (batch && said && size->value != 1)
        return msw_fail(m->err,
                        "%s: '%.*s' is the batch, of which the model is read for 1; say /b%llu "
                        "in place of it",
                        m->file, MSW_ONNX_TEXT(size->symbol), (unsigned long long)size->value);
    if (batch)
        size->value = 1;
    if (batch || said)
        return 0;
    if (is_empty(size->symbol))
        return msw_fail(m->err,
                        "%s: input '%.*s': dimension %d has neither a size nor a name; export the "
                        "model with one",
                        m->file, MSW_ONNX_TEXT(v->name), axis);
    return msw_fail(m->err,
                    "%s: input '%.*s': dimension %d is '%.*s', which has no size; say "
                    "model.onnx/%.*s=128",
                    m->file, MSW_ONNX_TEXT(v->name), axis, MSW_ONNX_TEXT(size->symbol),
                    MSW_ONNX_TEXT(size->symbol));
}

static int read_shape(msw_onnx *m, msw_onnx_part shape, bool first, msw_onnx_value *value)
{
    msw_onnx_field field;
    uint64_t dims[MSW_ONNX_RANK];
    int rc, rank = 0;
    while ((rc = msw_onnx_next(&shape, &field)) > 0) {
        size_of size;
        if (field.number != 1 || !field.is_bytes)
            continue;
        if (rank == MSW_ONNX_RANK)
            return msw_onnx_broken(m, field.bytes.at, "an input has more than 8 dimensions");
        if (read_size(field.bytes, &size) < 0)
            return msw_onnx_broken(m, field.bytes.at, "a shape is cut off");
        if (choose(m, value, rank, first, &size))
            return -1;
        dims[rank++] = size.value;
    }
    return rc < 0 ? msw_onnx_broken(m, shape.at, "a shape is cut off")
                  : msw_onnx_set(m, value, dims, rank);
}

int msw_onnx_read_input(msw_onnx *m, msw_onnx_part message, bool first, msw_onnx_value *value)
{
    msw_onnx_part type, tensor, shape;
    int has_type = enter(message, 2, &type);
    int has_tensor = has_type > 0 ? enter(type, 1, &tensor) : has_type;
    int has_shape = has_tensor > 0 ? enter(tensor, 2, &shape) : has_tensor;
    if (has_shape < 0)
        return msw_onnx_broken(m, message.at, "an input is cut off");
    if (!has_shape)
        return msw_fail(m->err, "%s: input '%.*s' has no shape; allowed: tensors with a shape",
                        m->file, MSW_ONNX_TEXT(value->name));
    return read_shape(m, shape, first, value);
}

/* ---- what a workload's name says ---- */

size_t msw_onnx_file_size(const char *name)
{
    size_t size = strlen(".onnx");
    for (const char *c = strstr(name, ".onnx"); c; c = strstr(c + 1, ".onnx"))
        if (c > name && (c[size] == '\0' || c[size] == '/'))
            return (size_t)(c - name) + size;
    return 0;
}

static int read_setting(const char *name, const char *from, size_t size, msw_onnx_settings *s,
                        msw_err *err)
{
    const char *equals = memchr(from, '=', size);
    uint64_t number = 0;
    const char *c = equals ? equals + 1 : from + size;
    if (size == strlen("skip_unknown") && memcmp(from, "skip_unknown", size) == 0) {
        s->skip_unknown = true;
        return 0;
    }
    while (c < from + size && *c >= '0' && *c <= '9' && number <= MSW_NPU_DIMENSION_MAX)
        number = number * 10 + (uint64_t)(*c++ - '0');
    if (!equals || equals == from || equals + 1 == from + size || c < from + size || !number ||
        number > MSW_NPU_DIMENSION_MAX || s->symbol_count == MSW_ONNX_SYMBOLS)
        return msw_fail(err,
                        "workload '%s': found '%.*s' after the model, allowed: a symbol's size as "
                        "seq=128 (up to 2^26, up to 16 of them), skip_unknown, and at the end "
                        "/b<batch>",
                        name, (int)(size < 80 ? size : 80), from);
    s->symbols[s->symbol_count].name =
        (msw_onnx_part){(const uint8_t *)from, (const uint8_t *)equals};
    s->symbols[s->symbol_count++].size = number;
    return 0;
}

int msw_onnx_read_settings(const char *name, msw_onnx_settings *settings, msw_err *err)
{
    const char *rest = name + msw_onnx_file_size(name);
    *settings = (msw_onnx_settings){0};
    while (*rest) {
        size_t size = strcspn(++rest, "/");
        if (read_setting(name, rest, size, settings, err))
            return -1;
        rest += size;
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Messages of an ONNX model: tensors, nodes with attributes, inputs with their shapes. */
#include "workload/npu/onnx.h"

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

typedef struct tensor {
    double dims[MSW_ONNX_RANK], list[MSW_ONNX_VALUES];
    size_t rank, count;
    uint64_t type;
    bool external;
    msw_onnx_part name, raw;
} tensor;

static int take_tensor_field(const msw_onnx_field *f, tensor *t)
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

static double element(const tensor *t, size_t i, unsigned bytes)
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
static int take_values(msw_onnx *m, const tensor *t, msw_onnx_value *value)
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
    tensor t = {0};
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

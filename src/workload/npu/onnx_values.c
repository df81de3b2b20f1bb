/* SPDX-License-Identifier: MIT */
/* The values of an ONNX graph by their names, what operators ask of their node, the rows of an
 * operator table that a model becomes, and the wire format below them.
 *
 * Protobuf's wire format (protobuf.dev/programming-guides/encoding): a message is a row of
 * fields, each with a number, a kind and a number or bytes of a length. What is nested is entered
 * by the readers of each message, never by itself, so that no file can nest deeper than they do;
 * fields that nobody asks for are passed over by their length. */
#include "workload/npu/onnx.h"

#include "memsweep/base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VARINT = 0, EIGHT = 1, BYTES = 2, FOUR = 5, SHOWN = 80 };

static bool read_varint(msw_onnx_part *rest, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && rest->at < rest->end; shift += 7) {
        uint8_t byte = *rest->at++;
        if (shift == 63 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

uint64_t msw_onnx_little(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

double msw_onnx_real(const uint8_t *at, unsigned bytes)
{
    uint64_t wide = msw_onnx_little(at, bytes);
    uint32_t narrow = (uint32_t)wide;
    double real;
    float single;
    memcpy(&real, &wide, sizeof real);
    memcpy(&single, &narrow, sizeof single);
    return bytes == 4 ? (double)single : real;
}

static bool take(msw_onnx_part *rest, uint64_t size, msw_onnx_part *bytes)
{
    if (size > (uint64_t)(rest->end - rest->at))
        return false;
    *bytes = (msw_onnx_part){rest->at, rest->at + size};
    rest->at += size;
    return true;
}

static bool read_value(msw_onnx_part *rest, unsigned kind, msw_onnx_field *field)
{
    uint64_t size;
    field->is_bytes = kind == BYTES;
    switch (kind) {
    case VARINT:
        return read_varint(rest, &field->value);
    case BYTES:
        return read_varint(rest, &size) && take(rest, size, &field->bytes);
    case EIGHT:
    case FOUR:
        size = kind == EIGHT ? 8 : 4;
        if (!take(rest, size, &field->bytes))
            return false;
        field->value = msw_onnx_little(field->bytes.at, (unsigned)size);
        return true;
    default: /* groups, which no version of the format has */
        return false;
    }
}

int msw_onnx_next(msw_onnx_part *rest, msw_onnx_field *field)
{
    uint64_t tag;
    *field = (msw_onnx_field){0};
    if (rest->at == rest->end)
        return 0;
    if (!read_varint(rest, &tag) || tag < 8 || tag > UINT32_MAX)
        return -1;
    field->number = (uint32_t)(tag >> 3);
    return read_value(rest, tag & 7, field) ? 1 : -1;
}

static void append(double number, double *list, size_t most, size_t *count)
{
    if (*count < most)
        list[*count] = number;
    ++*count;
}

int msw_onnx_numbers(const msw_onnx_field *field, double *list, size_t most, size_t *count)
{
    msw_onnx_part rest = field->bytes;
    uint64_t value;
    if (!field->is_bytes)
        append((double)(int64_t)field->value, list, most, count);
    while (field->is_bytes && rest.at < rest.end) {
        if (!read_varint(&rest, &value))
            return -1;
        append((double)(int64_t)value, list, most, count);
    }
    return 0;
}

int msw_onnx_reals(const msw_onnx_field *field, unsigned bytes, double *list, size_t most,
                   size_t *count)
{
    msw_onnx_part rest = field->bytes, one;
    if (!rest.at)
        return -1;
    while (rest.at < rest.end) {
        if (!take(&rest, bytes, &one))
            return -1;
        append(msw_onnx_real(one.at, bytes), list, most, count);
    }
    return 0;
}

bool msw_onnx_is(msw_onnx_part part, const char *word)
{
    size_t size = (size_t)(part.end - part.at);
    return strlen(word) == size && (size == 0 || memcmp(part.at, word, size) == 0);
}

bool msw_onnx_same(msw_onnx_part a, msw_onnx_part b)
{
    size_t size = (size_t)(a.end - a.at);
    return size == (size_t)(b.end - b.at) && (size == 0 || memcmp(a.at, b.at, size) == 0);
}

int msw_onnx_width(msw_onnx_part part)
{
    size_t size = (size_t)(part.end - part.at);
    return (int)(size < SHOWN ? size : SHOWN);
}

#define ELEMENTS_MAX (UINT64_C(1) << 50)

int msw_onnx_room(msw_onnx *m, size_t count)
{
    m->value_room = count;
    m->values = msw_arena_zero(&m->scratch, count + 1, sizeof *m->values);
    m->names = (msw_strings){.index.arena = &m->scratch};
    if (!m->values)
        return msw_fail_memory(m->err);
    MSW_TRY(msw_vec_reserve_in(&m->scratch, &m->names.entries, &m->names.room, count,
                               sizeof *m->names.entries, m->err));
    return msw_index_reserve(&m->names.index, count, m->err);
}

msw_onnx_value *msw_onnx_find(const msw_onnx *m, msw_onnx_part name)
{
    uint32_t number =
        msw_strings_find(&m->names, (const char *)name.at, (size_t)(name.end - name.at));
    return number == MSW_NOWHERE ? NULL : &m->values[number];
}

msw_onnx_value *msw_onnx_add(msw_onnx *m, msw_onnx_part name)
{
    uint32_t number;
    if (m->value_count == m->value_room || msw_onnx_find(m, name) ||
        msw_strings_add(&m->names, (const char *)name.at, (size_t)(name.end - name.at), &number,
                        NULL))
        return NULL;
    msw_onnx_value *value = &m->values[m->value_count++];
    *value = (msw_onnx_value){.name = name, .row = MSW_ONNX_NO_ROW};
    return value;
}

uint64_t msw_onnx_product(const msw_onnx_value *value, int first, int end)
{
    uint64_t product = 1;
    for (int i = first; i < end; i++)
        product *= value->dims[i];
    return product;
}

uint64_t msw_onnx_elements(const msw_onnx_value *value)
{
    return msw_onnx_product(value, 0, value->rank);
}

int msw_onnx_set(msw_onnx *m, msw_onnx_value *value, const uint64_t *dims, int rank)
{
    double elements = 1;
    if (rank > MSW_ONNX_RANK)
        return msw_onnx_refuse(m, "a tensor of %d dimensions, allowed: up to 8", rank);
    value->rank = rank;
    for (int i = 0; i < rank; i++) {
        value->dims[i] = dims[i];
        elements *= (double)msw_max_u64(dims[i], 1);
        if (dims[i] > MSW_NPU_DIMENSION_MAX || elements > (double)ELEMENTS_MAX)
            return msw_onnx_refuse(m,
                                   "a tensor of %.3g elements with a dimension of %llu, allowed: "
                                   "up to 2^50 and 2^26",
                                   elements, (unsigned long long)dims[i]);
    }
    return 0;
}

double *msw_onnx_fill(msw_onnx *m, msw_onnx_value *value)
{
    double *data = msw_arena_zero(&m->scratch, MSW_ONNX_VALUES, sizeof *data);
    value->data = data;
    return data;
}

/* ---- the node at hand ---- */

int msw_onnx_refuse(msw_onnx *m, const char *fmt, ...)
{
    char message[320];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    const msw_onnx_node *n = &m->node;
    bool named = n->name.at != n->name.end;
    if (!m->nodes)
        return msw_fail(m->err, "%s: %s", m->file, message);
    if (named || !n->output_count)
        return msw_fail(m->err, "%s: node '%.*s' (number %llu, %.*s): %s", m->file,
                        MSW_ONNX_TEXT(n->name), (unsigned long long)m->nodes - 1,
                        MSW_ONNX_TEXT(n->op), message);
    return msw_fail(m->err, "%s: the node that makes '%.*s' (number %llu, %.*s): %s", m->file,
                    MSW_ONNX_TEXT(n->outputs[0]), (unsigned long long)m->nodes - 1,
                    MSW_ONNX_TEXT(n->op), message);
}

const msw_onnx_attribute *msw_onnx_attribute_of(const msw_onnx *m, const char *name)
{
    for (uint32_t i = 0; i < m->node.attribute_count; i++)
        if (msw_onnx_is(m->node.attributes[i].name, name))
            return &m->node.attributes[i];
    return NULL;
}

int64_t msw_onnx_int(const msw_onnx *m, const char *name, int64_t otherwise)
{
    const msw_onnx_attribute *a = msw_onnx_attribute_of(m, name);
    if (!a)
        return otherwise;
    return a->number >= -0x1p31 && a->number <= 0x1p31 ? (int64_t)a->number : INT32_MAX;
}

int msw_onnx_axis(msw_onnx *m, double number, int rank, int *axis)
{
    if (!(number >= -rank && number < rank))
        return msw_onnx_refuse(m, "axis %.0f of a tensor with %d dimensions", number, rank);
    *axis = (int)number + (number < 0 ? rank : 0);
    return 0;
}

int msw_onnx_list(msw_onnx *m, const char *name, uint32_t input, const double **list, size_t *count)
{
    const msw_onnx_attribute *a = msw_onnx_attribute_of(m, name);
    const msw_onnx_value *v = input < m->node.input_count ? m->in[input] : NULL;
    if (a) {
        *list = a->list;
        *count = a->count;
        return a->count <= MSW_ONNX_VALUES
                   ? 1
                   : msw_onnx_refuse(m, "%s has more than %d numbers", name, MSW_ONNX_VALUES);
    }
    if (!v)
        return 0;
    if (!v->data)
        return msw_onnx_refuse(m, "%s is '%.*s', whose values do not follow from the file alone",
                               name, MSW_ONNX_TEXT(v->name));
    *list = v->data;
    *count = (size_t)msw_onnx_elements(v);
    return 1;
}

int msw_onnx_broadcast(msw_onnx *m, const msw_onnx_value *a, const msw_onnx_value *b,
                       msw_onnx_value *out)
{
    int rank = a->rank > b->rank ? a->rank : b->rank;
    uint64_t dims[MSW_ONNX_RANK];
    for (int i = 1; i <= rank; i++) {
        uint64_t x = i <= a->rank ? a->dims[a->rank - i] : 1;
        uint64_t y = i <= b->rank ? b->dims[b->rank - i] : 1;
        if (x != y && x != 1 && y != 1)
            return msw_onnx_refuse(m, "dimensions of %llu and %llu do not go together",
                                   (unsigned long long)x, (unsigned long long)y);
        dims[rank - i] = x == 1 ? y : x;
    }
    return msw_onnx_set(m, out, dims, rank);
}

const char *msw_onnx_copy(msw_onnx *m, msw_onnx_part name)
{
    size_t size = (size_t)(name.end - name.at);
    char *copy = msw_arena_take(m->arena, size + 1);
    if (copy && size)
        memcpy(copy, name.at, size);
    if (copy)
        copy[size] = '\0';
    for (char *c = copy; c && *c; c++)
        *c = *c < ' ' ? '_' : *c;
    return copy;
}

msw_npu_row *msw_onnx_row(msw_onnx *m, msw_npu_kind kind, msw_onnx_value *out)
{
    bool named = m->node.name.at != m->node.name.end;
    const char *name = msw_onnx_copy(m, named ? m->node.name : out->name);
    int rank = out->rank;
    if (!name || msw_vec_reserve_in(&m->scratch, &m->rows, &m->row_room, m->row_count + 1,
                                    sizeof *m->rows, NULL)) {
        msw_fail_memory(m->err);
        return NULL;
    }
    msw_npu_row *row = &m->rows[m->row_count];
    *row = (msw_npu_row){.name = name, .op = "", .block = "", .kind = kind, .count = 1, .seq = 1};
    row->kh = row->kw = row->sh = row->groups = 1;
    row->out_elems = msw_onnx_elements(out);
    row->oc = rank > 3 ? out->dims[1] : rank ? out->dims[rank - 1] : 1;
    row->oc = msw_max_u64(row->oc, 1);
    row->oh = msw_max_u64(row->out_elems / row->oc, 1);
    row->ow = 1;
    for (uint32_t i = 0; i < m->node.input_count; i++)
        if (m->in[i] && !m->in[i]->constant) {
            row->makers[row->input_count] = (uint32_t)m->in[i]->maker;
            row->inputs[row->input_count++] = (uint32_t)m->in[i]->row;
            row->vec_ops = msw_max_u64(row->vec_ops, msw_onnx_elements(m->in[i]));
        }
    row->vec_ops = kind >= MSW_NPU_KIND_CONV ? 0 : msw_max_u64(row->vec_ops, row->out_elems);
    out->row = out->maker = (int64_t)m->row_count++;
    return row;
}

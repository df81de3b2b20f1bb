/* SPDX-License-Identifier: MIT */
/* Protobuf's wire format (protobuf.dev/programming-guides/encoding): a message is a row of fields,
 * each with a number, a kind and a number or bytes of a length. What is nested is entered by the
 * readers of each message, never by itself, so that no file can nest deeper than they do; fields
 * that nobody asks for are passed over by their length. */
#include "workload/npu/onnx.h"

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

/* SPDX-License-Identifier: MIT */
/* Inputs of a model: their shapes, in which sizes may be symbols. The first dimension of the first
 * input is the batch when it is a symbol or not said at all: it is 1 here and multiplied later. */
#include "workload/npu/onnx.h"

#include <stdio.h>
#include <string.h>

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
    if (is_empty(size->symbol) && size->value != 0 && (int64_t)size->value > 0)
        return msw_fail(m->err, "%s: input '%.*s': dimension %d is %llu, allowed: up to 2^26",
                        m->file, MSW_ONNX_TEXT(v->name), axis, (unsigned long long)size->value);
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
    static const char *const ENDS[] = {".onnx", ".pt2"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        size_t size = strlen(ENDS[i]);
        for (const char *c = strstr(name, ENDS[i]); c; c = strstr(c + 1, ENDS[i]))
            if (c > name && (c[size] == '\0' || c[size] == '/'))
                return (size_t)(c - name) + size;
    }
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

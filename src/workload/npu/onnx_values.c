/* SPDX-License-Identifier: MIT */
/* The values of a graph by their names, and what operators ask of their node. */
#include "workload/npu/onnx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ELEMENTS_MAX (UINT64_C(1) << 50)

int msw_onnx_room(msw_onnx *m, size_t count)
{
    m->slot_count = msw_bits_power(2 * count + 2);
    m->value_room = count;
    m->values = msw_arena_zero(&m->scratch, count + 1, sizeof *m->values);
    m->slots = msw_arena_zero(&m->scratch, m->slot_count, sizeof *m->slots);
    return m->values && m->slots ? 0 : msw_fail_memory(m->err);
}

/* The slot of a name, or the free one where it would be. */
static uint32_t *slot_of(const msw_onnx *m, msw_onnx_part name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const uint8_t *c = name.at; c < name.end; c++)
        hash = (hash ^ *c) * UINT64_C(0x100000001b3);
    size_t at = hash & (m->slot_count - 1);
    while (m->slots[at] && !msw_onnx_same(m->values[m->slots[at] - 1].name, name))
        at = (at + 1) & (m->slot_count - 1);
    return &m->slots[at];
}

msw_onnx_value *msw_onnx_find(const msw_onnx *m, msw_onnx_part name)
{
    uint32_t number = *slot_of(m, name);
    return number ? &m->values[number - 1] : NULL;
}

msw_onnx_value *msw_onnx_add(msw_onnx *m, msw_onnx_part name)
{
    uint32_t *slot = slot_of(m, name);
    if (*slot || m->value_count == m->value_room)
        return NULL;
    msw_onnx_value *value = &m->values[m->value_count++];
    *slot = (uint32_t)m->value_count;
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

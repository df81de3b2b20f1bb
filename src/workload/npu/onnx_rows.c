/* SPDX-License-Identifier: MIT */
/* The rows of an operator table that a model becomes. */
#include "workload/npu/onnx.h"

#include <string.h>

static int grow_rows(msw_onnx *m)
{
    size_t room = m->row_room ? 2 * m->row_room : 64;
    msw_npu_row *rows = msw_arena_take(&m->scratch, room * sizeof *rows);
    if (!rows)
        return msw_fail_memory(m->err);
    if (m->row_count)
        memcpy(rows, m->rows, m->row_count * sizeof *rows);
    m->rows = rows;
    m->row_room = room;
    return 0;
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
    if (!name || (m->row_count == m->row_room && grow_rows(m))) {
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
        if (m->in[i] && !m->in[i]->constant)
            row->inputs[row->input_count++] = (uint32_t)m->in[i]->row;
    out->row = (int64_t)m->row_count++;
    return row;
}

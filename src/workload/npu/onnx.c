/* SPDX-License-Identifier: MIT */
/* ONNX models: the graph of a file becomes rows of an operator table, and these a network. Three
 * passes: names of all values, then inputs and constants, then nodes in the order they appear in.
 */
#include "workload/npu/onnx.h"

#include <string.h>

/* Fields of ModelProto and GraphProto. */
enum { MODEL_GRAPH = 7, NODE = 1, INITIALIZER = 5, INPUT = 11, SPARSE = 15 };
/* Of NodeProto, TensorProto and ValueInfoProto. */
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, TENSOR_NAME = 8, INFO_NAME = 1 };

typedef int (*visit)(msw_onnx *m, msw_onnx_part message);

/* Visits the fields of a message with a number. */
static int visit_all(msw_onnx *m, msw_onnx_part message, uint32_t number, visit each)
{
    msw_onnx_field field;
    int rc;
    while ((rc = msw_onnx_next(&message, &field)) > 0) {
        if (field.number != number)
            continue;
        if (!field.is_bytes)
            return msw_onnx_broken(m, message.at, "a number where a message must be");
        if (each(m, field.bytes))
            return -1;
    }
    return rc ? msw_onnx_broken(m, message.at, "cut off, or no ONNX model") : 0;
}

static int count_value(msw_onnx *m, msw_onnx_part message)
{
    (void)message;
    m->value_room++;
    return 0;
}

static int count_outputs(msw_onnx *m, msw_onnx_part node)
{
    return visit_all(m, node, NODE_OUTPUT, count_value);
}

static int count_values(msw_onnx *m, msw_onnx_part graph)
{
    if (visit_all(m, graph, NODE, count_outputs) || visit_all(m, graph, INITIALIZER, count_value) ||
        visit_all(m, graph, INPUT, count_value))
        return -1;
    return msw_onnx_room(m, m->value_room);
}

/* ---- constants and inputs ---- */

static int add_constant(msw_onnx *m, msw_onnx_part message)
{
    msw_onnx_value read = {.row = MSW_ONNX_NO_ROW};
    if (msw_onnx_read_tensor(m, message, &read))
        return -1;
    msw_onnx_value *value = msw_onnx_add(m, read.name);
    if (!value)
        return msw_onnx_broken(m, message.at, "two constants have the same name");
    *value = read;
    value->known = true;
    return 0;
}

static int take_name(msw_onnx *m, msw_onnx_part name)
{
    m->node.name = name;
    return 0;
}

/* Old models name their constants among the inputs. */
static int add_input(msw_onnx *m, msw_onnx_part message)
{
    m->node = (msw_onnx_node){0};
    if (visit_all(m, message, INFO_NAME, take_name))
        return -1;
    msw_onnx_value *value = msw_onnx_find(m, m->node.name);
    if (value)
        return value->constant ? 0 : msw_onnx_broken(m, message.at, "two inputs of one name");
    value = msw_onnx_add(m, m->node.name);
    if (!value)
        return msw_fail_memory(m->err);
    if (msw_onnx_read_input(m, message, m->row_count == 0, value))
        return -1;
    value->known = true;
    return msw_onnx_row(m, MSW_NPU_KIND_MAKES, value) ? 0 : -1;
}

static int refuse_sparse(msw_onnx *m, msw_onnx_part message)
{
    return msw_onnx_broken(m, message.at, "a sparse constant, which is not modelled");
}

/* ---- nodes ---- */

static int add_output(msw_onnx *m, msw_onnx_part name)
{
    if (name.at == name.end || msw_onnx_add(m, name))
        return 0;
    return msw_fail(m->err, "%s: '%.*s' is made twice", m->file, MSW_ONNX_TEXT(name));
}

static int add_outputs(msw_onnx *m, msw_onnx_part node)
{
    return visit_all(m, node, NODE_OUTPUT, add_output);
}

static int count_reader(msw_onnx *m, msw_onnx_part name)
{
    msw_onnx_value *value = msw_onnx_find(m, name);
    if (value)
        value->readers++;
    return 0;
}

static int count_readers(msw_onnx *m, msw_onnx_part node)
{
    return visit_all(m, node, NODE_INPUT, count_reader);
}

static int run_node(msw_onnx *m, msw_onnx_part message)
{
    m->nodes++;
    MSW_TRY(msw_onnx_read_node(m, message));
    MSW_TRY(msw_onnx_run(m));
    return 0;
}

static int read_graph(msw_onnx *m, msw_onnx_part graph)
{
    if (count_values(m, graph) || visit_all(m, graph, SPARSE, refuse_sparse) ||
        visit_all(m, graph, INITIALIZER, add_constant) || visit_all(m, graph, INPUT, add_input) ||
        visit_all(m, graph, NODE, add_outputs) || visit_all(m, graph, NODE, count_readers))
        return -1;
    return visit_all(m, graph, NODE, run_node);
}

static int take_graph(msw_onnx *m, msw_onnx_part graph)
{
    if (m->values)
        return msw_onnx_broken(m, graph.at, "a second graph");
    return read_graph(m, graph);
}

/* ---- the whole ---- */

/* A size that no input has is a mistake in the name. */
static int check_used(msw_onnx *m)
{
    for (size_t i = 0; i < m->settings.symbol_count; i++)
        if (!m->settings.symbols[i].used)
            return msw_fail(m->err, "%s: no input has a dimension called '%.*s'", m->file,
                            MSW_ONNX_TEXT(m->settings.symbols[i].name));
    return 0;
}

static int read_all(msw_onnx *m, msw_onnx_part all, msw_npu_network *network)
{
    if (visit_all(m, all, MODEL_GRAPH, take_graph))
        return -1;
    if (!m->values)
        return msw_fail(m->err, "%s: there is no graph in it; allowed: an ONNX model", m->file);
    msw_npu_row *rows = msw_arena_take(m->arena, (m->row_count + 1) * sizeof *rows);
    if (!rows)
        return msw_fail_memory(m->err);
    if (m->row_count)
        memcpy(rows, m->rows, m->row_count * sizeof *rows);
    if (check_used(m) || msw_npu_wire(rows, m->row_count, m->arena, network, m->err))
        return -1;
    if (network->op_count == 0)
        return msw_fail(m->err, "%s: none of its %llu nodes multiplies matrices or images", m->file,
                        (unsigned long long)m->nodes);
    network->skipped = m->skipped;
    network->first_skipped = m->first_skipped;
    return 0;
}

int msw_onnx_read(const char *name, const msw_workload_file *file, msw_arena *arena,
                  msw_npu_network *network, msw_err *err)
{
    msw_onnx *m = msw_arena_zero(arena, 1, sizeof *m);
    if (!m)
        return msw_fail_memory(err);
    *m = (msw_onnx){.file = file->path, .arena = arena, .err = err};
    m->start = (const uint8_t *)file->bytes;
    msw_onnx_part all = {m->start, m->start + file->size};
    int rc = msw_onnx_read_settings(name, &m->settings, err) || read_all(m, all, network);
    msw_arena_free(&m->scratch);
    return rc ? -1 : 0;
}

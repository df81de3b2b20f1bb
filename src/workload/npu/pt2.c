/* SPDX-License-Identifier: MIT */
/* Archives of torch.export (.pt2): a zip file with the graph as JSON, in which every tensor has its
 * sizes (torch/_export/serde/schema.py of github.com/pytorch/pytorch, versions 5 to 8). The graph
 * becomes the same rows as an ONNX model; what its operators are is in pt2_nodes.c. */
#include "workload/npu/pt2.h"

#include "memsweep/base/zip.h"

#include <string.h>

enum { TEXT_MAX = 1 << 28 };

static int fail_at(const msw_pt2 *p, const msw_json *at, const char *what)
{
    return msw_fail(p->m.err, "%s: %s:%zu:%zu: %s", p->m.file, p->inner, at ? at->line : 1,
                    at ? at->column : 1, what);
}

/* ---- sizes ---- */

static bool is_given(msw_onnx *m, const char *symbol, uint64_t *size)
{
    for (size_t i = 0; i < m->settings.symbol_count; i++)
        if (msw_onnx_is(m->settings.symbols[i].name, symbol)) {
            m->settings.symbols[i].used = true;
            *size = m->settings.symbols[i].size;
            return true;
        }
    return false;
}

/* {"as_int": 3}, or {"as_expr": {"expr_str": "s0", ...}}. */
static int read_size(msw_pt2 *p, const char *tensor, const msw_json *size, uint64_t *value)
{
    const msw_json *number = msw_json_find(size, "as_int");
    const msw_json *text = msw_json_find(msw_json_find(size, "as_expr"), "expr_str");
    if (msw_json_whole(number, value) && *value <= MSW_NPU_DIMENSION_MAX)
        return 0;
    if (number || !text || text->kind != MSW_JSON_STRING)
        return msw_fail(p->m.err,
                        "%s: %s:%zu:%zu: a size of '%s' that is no whole number up to 2^26",
                        p->m.file, p->inner, size->line, size->column, tensor);
    if (is_given(&p->m, text->text, value))
        return 0;
    return msw_fail(
        p->m.err,
        "%s: %s:%zu:%zu: '%s' has a size of '%.40s'; say model.pt2/%.40s=128 when it is "
        "one symbol, else export the model with fixed sizes",
        p->m.file, p->inner, size->line, size->column, tensor, text->text, text->text);
}

static int read_tensor(msw_pt2 *p, const msw_json *meta)
{
    const msw_json *sizes = msw_json_find(meta, "sizes");
    uint64_t dims[MSW_ONNX_RANK];
    int rank = 0;
    msw_onnx_value *value = msw_onnx_add(&p->m, msw_pt2_part(meta->key));
    if (!value)
        return fail_at(p, meta, "two tensors of one name");
    if (!sizes || sizes->kind != MSW_JSON_LIST || sizes->count > MSW_ONNX_RANK)
        return fail_at(p, meta, "a tensor without a list of at most 8 sizes");
    for (const msw_json *s = sizes->first; s; s = s->next)
        if (read_size(p, meta->key, s, &dims[rank++]))
            return -1;
    return msw_onnx_set(&p->m, value, dims, rank);
}

/* ---- inputs ---- */

/* {"user_input": {"arg": ...}}, {"parameter": {"arg": ...}}, ... */
static int read_input(msw_pt2 *p, const msw_json *spec)
{
    const msw_json *kind = spec->kind == MSW_JSON_OBJECT ? spec->first : NULL;
    const msw_json *argument = msw_json_find(kind, "arg");
    msw_onnx_value *value = argument ? msw_pt2_tensor(p, argument) : NULL;
    if (!value)
        return 0; /* a number, or an object of which no tensor is made here */
    if (value->known)
        return fail_at(p, spec, "an input that is there twice");
    value->known = true;
    value->constant = strcmp(kind->key, "user_input") != 0;
    p->m.node = (msw_onnx_node){0};
    return value->constant || msw_onnx_row(&p->m, MSW_NPU_KIND_MAKES, value) ? 0 : -1;
}

/* ---- graph ---- */

static void count_readers(msw_pt2 *p, const msw_json *node)
{
    const msw_json *inputs = msw_json_find(node, "inputs");
    for (const msw_json *i = inputs ? inputs->first : NULL; i; i = i->next) {
        msw_onnx_value *value = msw_pt2_tensor(p, msw_json_find(i, "arg"));
        if (value)
            value->readers++;
    }
}

static const msw_json *list_of(const msw_json *object, const char *name)
{
    const msw_json *found = msw_json_find(object, name);
    return found && found->kind == MSW_JSON_LIST ? found->first : NULL;
}

static int read_graph(msw_pt2 *p, const msw_json *top)
{
    const msw_json *module = msw_json_find(top, "graph_module");
    const msw_json *graph = msw_json_find(module, "graph");
    const msw_json *values = msw_json_find(graph, "tensor_values");
    const msw_json *signature = msw_json_find(module, "signature");
    if (!values || values->kind != MSW_JSON_OBJECT || !signature)
        return fail_at(p, top,
                       "there is no graph_module with tensor_values and a signature; "
                       "allowed: what torch.export.save writes");
    if (msw_onnx_room(&p->m, values->count))
        return -1;
    for (const msw_json *v = values->first; v; v = v->next)
        if (read_tensor(p, v))
            return -1;
    for (const msw_json *n = list_of(graph, "nodes"); n; n = n->next)
        count_readers(p, n);
    for (const msw_json *s = list_of(signature, "input_specs"); s; s = s->next)
        if (read_input(p, s))
            return -1;
    for (const msw_json *n = list_of(graph, "nodes"); n; n = n->next)
        if (msw_pt2_run(p, n))
            return -1;
    return 0;
}

/* ---- archive ---- */

static bool ends_with(const msw_zip_entry *e, const char *end)
{
    size_t size = strlen(end);
    return e->name_size >= size && memcmp(e->name + e->name_size - size, end, size) == 0;
}

/* "models/model.json" in some folder; before torch 2.8 "serialized_exported_program.json". */
static bool is_graph(const msw_zip_entry *e)
{
    if (ends_with(e, "serialized_exported_program.json"))
        return true;
    size_t slash = e->name_size;
    while (slash && e->name[slash - 1] != '/')
        slash--;
    bool folder = slash >= 7 && memcmp(e->name + slash - 7, "models/", 7) == 0 &&
                  (slash == 7 || e->name[slash - 8] == '/');
    return folder && ends_with(e, ".json");
}

static int find_graph(msw_pt2 *p, msw_zip *zip, msw_zip_entry *found)
{
    msw_zip_entry entry;
    int rc, count = 0;
    while ((rc = msw_zip_next(zip, &entry, p->m.err)) > 0)
        if (is_graph(&entry)) {
            *found = entry;
            count++;
        }
    if (rc < 0)
        return -1;
    return count == 1 ? 0
                      : msw_fail(p->m.err,
                                 "%s: found %d graphs in it (models/NAME.json or "
                                 "serialized_exported_program.json), allowed: one",
                                 p->m.file, count);
}

static int read_archive(msw_pt2 *p, const msw_workload_file *file)
{
    msw_zip zip;
    msw_zip_entry entry;
    if (msw_zip_open(&zip, file->path, file->bytes, file->size, p->m.err) ||
        find_graph(p, &zip, &entry))
        return -1;
    const char *text = msw_zip_unpack(&zip, &entry, TEXT_MAX, &p->m.scratch, p->m.err);
    p->inner = msw_onnx_copy(&p->m, (msw_onnx_part){(const uint8_t *)entry.name,
                                                    (const uint8_t *)entry.name + entry.name_size});
    if (!text || !p->inner)
        return text ? msw_fail_memory(p->m.err) : -1;
    const msw_json *top = msw_json_read(p->m.file, text, entry.unpacked, &p->m.scratch, p->m.err);
    return top ? read_graph(p, top) : -1;
}

static int check_used(const msw_onnx *m)
{
    for (size_t i = 0; i < m->settings.symbol_count; i++)
        if (!m->settings.symbols[i].used)
            return msw_fail(m->err, "%s: no tensor has a size called '%.*s'", m->file,
                            MSW_ONNX_TEXT(m->settings.symbols[i].name));
    return 0;
}

int msw_pt2_read(const char *name, const msw_workload_file *file, msw_arena *arena,
                 msw_npu_network *network, msw_err *err)
{
    msw_pt2 *p = msw_arena_zero(arena, 1, sizeof *p);
    if (!p)
        return msw_fail_memory(err);
    p->m.file = file->path;
    p->m.arena = arena;
    p->m.err = err;
    int rc = msw_onnx_read_settings(name, &p->m.settings, err) || read_archive(p, file) ||
             check_used(&p->m) || msw_npu_wire(p->m.rows, p->m.row_count, arena, network, err);
    if (!rc && network->op_count == 0)
        rc = msw_fail(err, "%s: none of its %llu nodes does anything", p->m.file,
                      (unsigned long long)p->m.nodes);
    network->skipped = p->m.skipped;
    network->first_skipped = p->m.first_skipped;
    msw_arena_free(&p->m.scratch);
    return rc ? -1 : 0;
}

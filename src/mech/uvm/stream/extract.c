/* SPDX-License-Identifier: MIT */
/* The stream of a program: its stages in order, launches extracted one after the other. */
#include "mech/uvm/stream/writer.h"

#include "memsweep/base/bits.h"

enum { MEMORY_MOST = 1 << 30 }; /* of device memory, for kernels whose addresses are data */

static int keep_shapes(uvm_stream *stream, const uvm_shapes *s, msw_arena *arena)
{
    stream->shape_count = (uint32_t)s->shape_count;
    stream->piece_count = (uint32_t)s->piece_count;
    stream->shapes = uvm_keep(s->shapes, s->shape_count * sizeof *s->shapes, arena);
    stream->pieces = uvm_keep(s->pieces, s->piece_count * sizeof *s->pieces, arena);
    stream->bytes += s->shape_count * sizeof *s->shapes + s->piece_count * sizeof *s->pieces;
    return stream->shapes && stream->pieces ? 0 : -1;
}

static uvm_tables *find_tables(uvm_tables **list, const msw_simt_kernel *kernel,
                               const uvm_extraction *x)
{
    for (uvm_tables *t = *list; t; t = t->next)
        if (t->kernel == kernel)
            return t;
    uvm_tables *made = uvm_tables_of(kernel, x->work, x->arena, x->err);
    if (made) {
        made->next = *list;
        *list = made;
    }
    return made;
}

static int take_launch(uvm_extraction *x, const msw_simt_product *p, const msw_simt_stage *stage,
                       const msw_simt_memory *memory, uvm_stage *out)
{
    msw_arena scratch = {0};
    msw_simt_launch launch = msw_simt_stage_launch(p, stage, memory, MSW_SIMT_SLICE);
    const msw_simt_code *code = msw_simt_decode(&launch, &scratch, x->err);
    int rc = code ? 0 : -1;
    x->scratch = &scratch;
    x->launch = msw_arena_zero(x->arena, 1, sizeof *x->launch);
    if (rc == 0 && !x->launch)
        rc = msw_fail_memory(x->err);
    x->heads.count = 0;
    if (rc == 0)
        rc = uvm_extract_launch(x, code);
    if (rc == 0) {
        *x->launch = (uvm_launch){.kernel = x->tables->made,
                                  .ctas = msw_simt_cta_count(code),
                                  .warps = msw_simt_cta_warps(code),
                                  .threads = stage->block[0] * stage->block[1] * stage->block[2],
                                  .shared = msw_simt_cta_shared(code),
                                  .heads = uvm_keep(x->heads.data, x->heads.count, x->arena),
                                  .head_bytes = x->heads.count};
        x->stream->bytes += x->heads.count + sizeof *x->launch;
        x->stream->warps_most = msw_max_u32(x->stream->warps_most, x->launch->warps);
        x->stream->slots_most = msw_max_u32(x->stream->slots_most, x->launch->kernel->slots);
        out->launch = x->launch;
        rc = x->launch->heads ? 0 : msw_fail_memory(x->err);
    }
    msw_arena_free(&scratch);
    return rc;
}

static void take_host(const msw_simt_stage *stage, uvm_stage *out)
{
    if (stage->array) {
        out->address = stage->array->address + stage->first * stage->array->element_bytes;
        out->bytes = stage->count * stage->array->element_bytes;
    }
}

static int take_stages(uvm_extraction *x, const msw_simt_product *p, msw_simt_device *device,
                       uvm_stage *stages)
{
    uvm_tables *list = NULL;
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &p->stages[s];
        stages[s].kind = stage->kind;
        take_host(stage, &stages[s]);
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        x->tables = find_tables(&list, stage->kernel, x);
        if (!x->tables || take_launch(x, p, stage, msw_simt_device_memory(device), &stages[s]))
            return -1;
    }
    for (; list; list = list->next)
        if (uvm_keep_tables(list, &x->stream->bytes, x->arena))
            return msw_fail_memory(x->err);
    return 0;
}

const uvm_stream *uvm_extract(const msw_simt_product *p, msw_arena *arena, msw_err *err)
{
    msw_arena work = {0};
    uvm_shapes shapes = {.shape_count = 0};
    uvm_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    uvm_stage *stages = msw_arena_zero(arena, p->stage_count + 1, sizeof *stages);
    uvm_extraction x = {
        .work = &work, .arena = arena, .err = err, .shapes = &shapes, .stream = stream};
    msw_simt_device *device = msw_simt_device_new(p->arrays, p->array_count, MEMORY_MOST, err);
    int rc = device ? 0 : -1;
    if (rc == 0 && (!stream || !stages))
        rc = msw_fail_memory(err);
    if (rc == 0)
        rc = take_stages(&x, p, device, stages);
    if (rc == 0 && keep_shapes(stream, &shapes, arena))
        rc = msw_fail_memory(err);
    msw_simt_device_free(device);
    msw_arena_free(&work);
    if (rc)
        return NULL;
    stream->stages = stages;
    stream->stage_count = p->stage_count;
    return stream;
}

int uvm_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    (void)extra;
    *root = task->product->kind == MSW_PRODUCT_PAGES
                ? uvm_stream_of_pages(task->product->data, arena, err)
                : uvm_extract(task->product->data, arena, err);
    return *root ? 0 : -1;
}

/* SPDX-License-Identifier: MIT */
/* Loops of the host whose number of turns depends on results: when a plan is made the program is
 * run in values, once, and what each 'until' found is kept. */
#include "workload/simt/front/parts.h"

#include <string.h>

#define WRITTEN_MAX (UINT64_C(1) << 32)

typedef struct turns {
    msw_simt_device *device; /* NULL: nothing has been run */
    msw_simt_product product;
    size_t done; /* stages */
} turns;

/* Arrays are all there now: the module's variables follow them. */
static int start(turns *t, msw_simt_reader *r)
{
    uint64_t *addresses = msw_simt_add_variables(r, r->c.err);
    if (!addresses)
        return -1;
    r->closed = true;
    t->product = (msw_simt_product){.program = r->program, .variable_addresses = addresses};
    t->device =
        msw_simt_device_in(r->c.arena, r->arrays.items, r->arrays.count, WRITTEN_MAX, r->c.err);
    return t->device ? 0 : -1;
}

int msw_simt_run_values(const msw_simt_product *product, const msw_simt_stage *stage,
                        const msw_simt_memory *memory, msw_err *err)
{
    static const msw_simt_sms SMS = {.sms = 1, .ctas = 16};
    msw_arena scratch = {0};
    uint64_t issued;
    if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
        return msw_simt_stage_write(stage, memory, err);
    msw_simt_launch launch = msw_simt_stage_launch(product, stage, memory, MSW_SIMT_VALUES);
    const msw_simt_code *code = msw_simt_decode(&launch, &scratch, err);
    int rc = code ? msw_simt_execute(code, &SMS, 0, 0, NULL, &scratch, &issued, err) : -1;
    msw_arena_free(&scratch);
    return rc;
}

int msw_simt_find_element(void **self, msw_simt_reader *r, const msw_simt_array *array,
                          uint64_t element, msw_simt_number *out)
{
    turns *t = *self = *self ? *self : msw_arena_zero(r->c.arena, 1, sizeof *t);
    unsigned char bytes[8];
    if (!t)
        return msw_fail_memory(r->c.err);
    if (!t->device && start(t, r))
        return -1;
    const msw_simt_stage *stages = r->stages.items;
    for (; t->done < r->stages.count; t->done++)
        if (msw_simt_run_values(&t->product, &stages[t->done], msw_simt_device_memory(t->device),
                                r->c.err))
            return -1;
    const msw_simt_memory *memory = msw_simt_device_memory(t->device);
    if (memory->read(memory->self, array->address + element * array->element_bytes,
                     array->element_bytes, bytes, r->c.err))
        return -1;
    *out = msw_simt_number_get(array->type, bytes);
    return 0;
}

int msw_simt_stage_write(const msw_simt_stage *stage, const msw_simt_memory *memory, msw_err *err)
{
    unsigned char values[MSW_SIMT_COMPUTED_BYTES];
    if (stage->kind != MSW_SIMT_STAGE_HOST_WRITE || !stage->values)
        return 0;
    uint64_t size = stage->array->element_bytes, room = sizeof values / size;
    for (uint64_t done = 0, part; done < stage->count; done += part) {
        part = stage->count - done < room ? stage->count - done : room;
        stage->values(stage->context, stage->first + done, part, values);
        uint64_t at = stage->array->address + (stage->first + done) * size;
        if (memory->write(memory->self, at, part * size, values, err))
            return -1;
    }
    return 0;
}

int msw_simt_host_before(const msw_simt_product *product, const msw_simt_stage *stage,
                         const msw_simt_memory *memory, msw_err *err)
{
    const msw_simt_stage *from = stage;
    while (from > product->stages && from[-1].kind != MSW_SIMT_STAGE_LAUNCH)
        from--;
    for (; from < stage; from++)
        if (msw_simt_stage_write(from, memory, err))
            return -1;
    return 0;
}

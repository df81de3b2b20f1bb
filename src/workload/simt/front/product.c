/* SPDX-License-Identifier: MIT */
/* Content of a workload becomes arrays, launches and what else the host does; loops whose turns
 * depend on results are run in values once. */
#include "workload/simt/front/parts.h"

#include <string.h>

/* Loops of the host whose number of turns depends on results: when a plan is made the program is
 * run in values, once, and what each 'until' found is kept. */

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

msw_simt_reader *msw_simt_content_run(const msw_simt_content *c, uint64_t alignment,
                                      msw_simt_finder *finder, msw_arena *arena, msw_err *err)
{
    msw_simt_reader *r = msw_arena_zero(arena, 1, sizeof *r);
    if (!r) {
        msw_fail_memory(err);
        return NULL;
    }
    r->c = (msw_simt_cursor){.tokens = &c->tokens,
                             .next = c->tokens.list,
                             .names = &r->names,
                             .arena = arena,
                             .err = err};
    r->settings = &c->settings;
    r->program = c->program;
    r->alignment = alignment;
    r->files = c->files;
    r->file_count = c->file_count;
    r->finder = finder;
    r->ends = finder ? (msw_simt_list){0} : c->ends;
    r->next_address = MSW_SIMT_BASE_ADDRESS;
    return msw_simt_reader_run(r) ? NULL : r;
}

/* A variable of the module: its initial bytes, with the addresses that they refer to. */
typedef struct variable_bytes {
    const unsigned char *bytes;
} variable_bytes;

static void variable_values(const void *context, uint64_t first, uint64_t count, void *out)
{
    const variable_bytes *v = context;
    memcpy(out, v->bytes + first, count);
}

static int add_variables(msw_simt_reader *r, uint64_t *addresses, msw_err *err)
{
    for (uint32_t v = 0; v < r->program->variable_count; v++) {
        const msw_simt_variable *variable = &r->program->variables[v];
        if (variable->space != MSW_SIMT_GLOBAL || variable->bytes == 0)
            continue;
        variable_bytes *bytes = msw_arena_zero(r->c.arena, 1, sizeof *bytes);
        if (!bytes)
            return msw_fail_memory(err);
        msw_simt_array array = {.name = variable->name,
                                .type = MSW_SIMT_U8,
                                .element_bytes = 1,
                                .count = variable->bytes,
                                .bytes = variable->bytes,
                                .initial = variable->initial ? variable_values : NULL,
                                .context = bytes};
        if (msw_simt_add_array(r, r->c.next, array))
            return -1;
        addresses[v] = r->next_address - variable->bytes;
    }
    return 0;
}

static uint64_t referred(const msw_simt_program *program, const uint64_t *addresses,
                         const msw_simt_reference *reference)
{
    const msw_simt_variable *to = &program->variables[reference->variable];
    uint64_t address = addresses[reference->variable];
    if (to->space == MSW_SIMT_CONST)
        address = to->offset + (reference->generic ? MSW_SIMT_WINDOW_CONST : 0);
    return address + reference->addend;
}

/* Initial bytes become those of the file with addresses in their places. */
static int fill_variables(msw_simt_reader *r, const uint64_t *addresses, size_t first, msw_err *err)
{
    const msw_simt_array *arrays = r->arrays.items;
    for (uint32_t v = 0; v < r->program->variable_count; v++) {
        const msw_simt_variable *variable = &r->program->variables[v];
        if (variable->space != MSW_SIMT_GLOBAL || variable->bytes == 0)
            continue;
        const msw_simt_array *array = &arrays[first++];
        if (!variable->initial)
            continue;
        unsigned char *bytes = msw_arena_take(r->c.arena, variable->bytes);
        variable_bytes *context = (variable_bytes *)(uintptr_t)array->context;
        if (!bytes)
            return msw_fail_memory(err);
        memcpy(bytes, variable->initial, variable->bytes);
        for (uint32_t i = 0; i < variable->reference_count; i++) {
            uint64_t address = referred(r->program, addresses, &variable->references[i]);
            memcpy(bytes + variable->references[i].offset, &address, sizeof address);
        }
        context->bytes = bytes;
    }
    return 0;
}

uint64_t *msw_simt_add_variables(msw_simt_reader *r, msw_err *err)
{
    size_t own = r->arrays.count;
    uint64_t *addresses =
        msw_arena_zero(r->c.arena, r->program->variable_count + 1, sizeof *addresses);
    if (!addresses)
        msw_fail_memory(err);
    else if (add_variables(r, addresses, err) || fill_variables(r, addresses, own, err))
        return NULL;
    return addresses;
}

/* While the list of arrays grew, stages pointed to where an array was. */
static void settle(msw_simt_reader *r, msw_simt_product *p)
{
    msw_simt_stage *stages = r->stages.items;
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &stages[s];
        for (size_t a = 0; stage->array && a < p->array_count; a++)
            if (p->arrays[a].address == stage->array->address) {
                stages[s].array = &p->arrays[a];
                break;
            }
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        p->launch_count++;
        p->cta_count += (uint64_t)stage->grid[0] * stage->grid[1] * stage->grid[2];
    }
    for (size_t a = 0; a < p->array_count; a++)
        p->footprint_bytes += p->arrays[a].bytes;
}

int msw_simt_product_make(const msw_simt_content *content, const msw_simt_config *config,
                          msw_arena *arena, msw_simt_product *product, msw_err *err)
{
    msw_simt_reader *r =
        msw_simt_content_run(content, (uint64_t)config->alignment, NULL, arena, err);
    uint64_t *addresses = r ? msw_simt_add_variables(r, err) : NULL;
    if (!addresses)
        return -1;
    *product = (msw_simt_product){.title = r->title ? r->title : "",
                                  .program = content->program,
                                  .arrays = r->arrays.items,
                                  .array_count = r->arrays.count,
                                  .variable_addresses = addresses,
                                  .stages = r->stages.items,
                                  .stage_count = r->stages.count};
    settle(r, product);
    return msw_simt_slice_program(product, r->arrays.items, r->stages.items, arena, err);
}

msw_simt_launch msw_simt_stage_launch(const msw_simt_product *product, const msw_simt_stage *stage,
                                      const msw_simt_memory *memory, msw_simt_mode mode)
{
    msw_simt_launch launch = {.kernel = stage->kernel,
                              .dynamic_shared_bytes = stage->dynamic_shared_bytes,
                              .params = stage->params,
                              .memory = memory,
                              .variable_addresses = product->variable_addresses,
                              .mode = mode,
                              .needed = stage->needed};
    memcpy(launch.grid, stage->grid, sizeof launch.grid);
    memcpy(launch.block, stage->block, sizeof launch.block);
    return launch;
}

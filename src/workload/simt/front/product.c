/* SPDX-License-Identifier: MIT */
/* Content of a workload becomes arrays, launches and what else the host does. */
#include "workload/simt/front/parts.h"

#include <string.h>

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

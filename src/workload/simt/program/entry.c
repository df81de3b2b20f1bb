/* SPDX-License-Identifier: MIT */
/* An entry: its parameters, directives and body; and the program of all entries. */
#include "workload/simt/program/parts.h"

#include <string.h>

static int read_param(simt_parser *p, uint64_t *used)
{
    simt_declared d;
    uint64_t offset;
    if (!simt_accept_word(p, ".param"))
        return simt_fail(p, "a kernel takes parameters of space .param");
    if (simt_declaration(p, &d) || simt_allot(p, used, d.bytes, d.align ? d.align : 1,
                                              SIMT_MOST_PARAMS, "parameters", &offset))
        return -1;
    msw_simt_param param = {.name = simt_copy(p, d.name),
                            .type = d.type,
                            .offset = (uint32_t)offset,
                            .bytes = (uint32_t)d.bytes,
                            .align = (uint32_t)d.align,
                            .is_pointer = d.is_pointer};
    if (!param.name || !simt_declare(p, d.name, NAME_PARAM, p->build->params.count))
        return -1;
    msw_simt_param *added = simt_push(p, &p->build->params, sizeof *added);
    if (!added)
        return -1;
    *added = param;
    return 0;
}

static int read_params(simt_parser *p, uint32_t start)
{
    uint64_t used = 0;
    if (!start)
        return 0;
    p->at = start + 1;
    while (!simt_accept(p, ')')) {
        if (read_param(p, &used))
            return -1;
        if (!simt_accept(p, ',') && simt_peek(p)->mark != ')')
            return simt_expect(p, ')');
    }
    p->build->kernel.param_bytes = (uint32_t)used;
    return 0;
}

static int read_sizes(simt_parser *p, uint32_t sizes[3])
{
    uint32_t count = 0;
    sizes[0] = sizes[1] = sizes[2] = 1;
    do {
        uint64_t value;
        if (count == 3 || simt_constant(p, &value) || value > 65535)
            return simt_fail(p, "up to three sizes of a CTA are wanted");
        sizes[count++] = (uint32_t)value;
    } while (simt_accept(p, ','));
    return 0;
}

static int read_head(simt_parser *p, const simt_function *f)
{
    msw_simt_kernel *kernel = &p->build->kernel;
    uint64_t value;
    for (p->at = f->head; p->at < f->body;) {
        int status = 0;
        if (simt_accept_word(p, ".maxntid")) {
            status = read_sizes(p, kernel->max_threads);
        } else if (simt_accept_word(p, ".reqntid")) {
            status = read_sizes(p, kernel->required_threads);
        } else if (simt_accept_word(p, ".minnctapersm")) {
            status = simt_constant(p, &value);
            kernel->min_ctas = (uint32_t)value;
        } else if (simt_accept_word(p, ".reqnctapercluster") ||
                   simt_accept_word(p, ".explicitcluster")) {
            status = simt_fail(p, "clusters of CTAs are not run");
        } else {
            simt_take(p);
        }
        if (status)
            return -1;
    }
    return 0;
}

static int start_build(simt_parser *p, simt_build *build, const simt_function *f)
{
    size_t count = p->variables.count;
    *build = (simt_build){.carry = MSW_SIMT_NONE, .return_label = MSW_SIMT_NONE};
    build->kernel = (msw_simt_kernel){.name = f->name, .file = p->lex.file, .line = f->line};
    build->shared_offsets = msw_arena_take(p->arena, (count + 1) * sizeof *build->shared_offsets);
    if (!build->shared_offsets)
        return msw_fail_memory(p->err);
    memset(build->shared_offsets, 0xff, count * sizeof *build->shared_offsets);
    const msw_simt_reg *of_module = p->module.regs.data;
    for (uint32_t r = 0; r < p->module.regs.count; r++) {
        msw_simt_reg *reg = simt_push(p, &build->regs, sizeof *reg);
        if (!reg)
            return -1;
        *reg = of_module[r];
    }
    return 0;
}

int simt_entry(simt_parser *p, simt_function *function, msw_simt_kernel *kernel)
{
    simt_build build;
    if (start_build(p, &build, function))
        return -1;
    p->build = &build;
    p->read_body = simt_body;
    p->base = p->depth = 1;
    function->is_active = true;
    int status = read_params(p, function->params) || read_head(p, function);
    p->at = function->body;
    if (!status)
        status = simt_body(p) || simt_finish(p, kernel);
    function->is_active = false;
    simt_leave(p, 0);
    p->base = 0;
    p->build = NULL;
    return status ? -1 : 0;
}

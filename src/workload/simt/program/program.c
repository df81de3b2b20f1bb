/* SPDX-License-Identifier: MIT */
/* Parsing a file, and finding its entries. */
#include "memsweep/base/text.h"
#include "workload/simt/program/parts.h"

#include <string.h>

static int start_parser(simt_parser *p)
{
    p->bucket_count = 1024;
    while (p->bucket_count < p->lex.count / 8 && p->bucket_count < 1 << 20)
        p->bucket_count *= 2;
    p->buckets = msw_arena_zero(p->arena, p->bucket_count, sizeof *p->buckets);
    return p->buckets ? 0 : msw_fail_memory(p->err);
}

static unsigned char *const_image(simt_parser *p)
{
    unsigned char *image = msw_arena_zero(p->arena, p->const_bytes + 8, 1);
    const msw_simt_variable *variables = p->variables.data;
    for (uint32_t i = 0; image && i < p->variables.count; i++)
        if (variables[i].space == MSW_SIMT_CONST && variables[i].initial)
            memcpy(image + variables[i].offset, variables[i].initial, variables[i].bytes);
    return image;
}

/* An entry that cannot be run keeps its message and says it when it is asked for. */
static int read_entry(simt_parser *p, simt_function *f, msw_simt_kernel *kernel)
{
    msw_err err = {0}, *outer = p->err;
    p->err = &err;
    int status = f->body ? simt_entry(p, f, kernel)
                         : (p->at = f->head, simt_fail(p, "kernel %s has no body", f->name));
    p->err = outer;
    if (!status)
        return 0;
    if (err.kind != MSW_ERR_USAGE) {
        *outer = err;
        return -1;
    }
    char *fault = msw_arena_take(p->arena, strlen(err.text) + 1);
    if (!fault)
        return msw_fail_memory(p->err);
    strcpy(fault, err.text);
    *kernel =
        (msw_simt_kernel){.name = f->name, .file = p->lex.file, .line = f->line, .fault = fault};
    return 0;
}

static int read_entries(simt_parser *p, msw_simt_program *program)
{
    simt_function *functions = p->functions.data;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->functions.count; i++)
        count += functions[i].is_entry;
    if (!count)
        return msw_fail(p->err, "%s: no .entry: nothing that can be launched", p->lex.file);
    msw_simt_kernel *kernels = msw_arena_zero(p->arena, count, sizeof *kernels);
    if (!kernels)
        return msw_fail_memory(p->err);
    for (uint32_t i = 0; i < p->functions.count; i++) {
        if (!functions[i].is_entry)
            continue;
        if (read_entry(p, &functions[i], &kernels[program->kernel_count]))
            return -1;
        kernels[program->kernel_count++].program = program;
        functions = p->functions.data;
    }
    program->kernels = kernels;
    return 0;
}

static int parse_into(simt_parser *p, msw_simt_program *program)
{
    if (start_parser(p) || simt_module(p) || read_entries(p, program))
        return -1;
    program->file = p->lex.file;
    program->version = p->version;
    program->target = p->target ? p->target : "";
    program->variables = p->variables.data;
    program->variable_count = p->variables.count;
    program->const_bytes = p->const_bytes;
    program->const_initial = const_image(p);
    for (uint32_t k = 0; k < program->kernel_count; k++)
        ((msw_simt_kernel *)program->kernels)[k].const_bytes = p->const_bytes;
    return program->const_initial ? 0 : msw_fail_memory(p->err);
}

static bool all_faulty(const msw_simt_program *program)
{
    for (uint32_t k = 0; k < program->kernel_count; k++)
        if (!program->kernels[k].fault)
            return false;
    return true;
}

const msw_simt_program *msw_simt_parse(const char *file, const char *text, size_t size,
                                       msw_arena *arena, msw_err *err)
{
    simt_parser p = {.arena = arena, .err = err};
    char *name = msw_arena_take(arena, strlen(file) + 1);
    msw_simt_program *program = msw_arena_zero(arena, 1, sizeof *program);
    if (!name || !program) {
        msw_fail_memory(err);
        return NULL;
    }
    strcpy(name, file);
    if (lex_file(name, text, size, arena, &p.lex, err) || parse_into(&p, program))
        return NULL;
    if (all_faulty(program)) {
        msw_fail(err, "%s", program->kernels[0].fault);
        return NULL;
    }
    return program;
}

/* "axpy" of "_Z4axpyPKfPff": the first name in a decorated one. */
static bool plain_name(const char *decorated, const char *name)
{
    if (strncmp(decorated, "_Z", 2) != 0)
        return false;
    const char *at = decorated + 2 + (decorated[2] == 'N');
    size_t length = 0, wanted = strlen(name);
    while (*at >= '0' && *at <= '9') {
        for (length = 0; *at >= '0' && *at <= '9' && length < 10000; at++)
            length = 10 * length + (size_t)(*at - '0');
        if (length > strlen(at))
            return false;
        if (length == wanted && memcmp(at, name, length) == 0)
            return true;
        at += length;
    }
    return false;
}

static const msw_simt_kernel *search(const msw_simt_program *program, const char *name,
                                     uint32_t *matches)
{
    const msw_simt_kernel *found = NULL;
    *matches = 0;
    for (uint32_t k = 0; k < program->kernel_count; k++) {
        const msw_simt_kernel *kernel = &program->kernels[k];
        if (name && strcmp(kernel->name, name) == 0) {
            *matches = 1;
            return kernel;
        }
        if (!name || plain_name(kernel->name, name)) {
            found = kernel;
            ++*matches;
        }
    }
    return found;
}

const msw_simt_kernel *msw_simt_find_kernel(const msw_simt_program *program, const char *name,
                                            msw_err *err)
{
    uint32_t matches;
    const msw_simt_kernel *found = search(program, name, &matches);
    if (matches == 1 && !found->fault)
        return found;
    if (matches == 1) {
        msw_fail(err, "%s", found->fault);
        return NULL;
    }
    char names[320] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < program->kernel_count; k++) {
        size_t length = strlen(program->kernels[k].name);
        if (used + length + 8 > sizeof names) {
            strcpy(names + used, ", ...");
            break;
        }
        used += (size_t)(stpcpy(stpcpy(names + used, k ? ", " : ""), program->kernels[k].name) -
                         (names + used));
    }
    if (!name)
        msw_fail(err, "%s: which entry? There are %s", program->file, names);
    else
        msw_fail(err, "%s: %s; there are %s", program->file,
                 matches ? "several entries have that name: give it in full" : "no such entry",
                 names);
    return NULL;
}

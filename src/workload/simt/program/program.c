/* SPDX-License-Identifier: MIT */
/* A program from a PTX file: variables, functions and entries of the module, found by name. */
#include "memsweep/base/text.h"

#include "workload/simt/program/parts.h"

#include <string.h>

static void skip_line(simt_parser *p)
{
    uint32_t line = simt_peek(p)->line;
    while (simt_peek(p)->kind != LEX_END && simt_peek(p)->line == line)
        simt_take(p);
}

/* Skips a bracket and says where it began; 0 when there is none. */
static int note_bracket(simt_parser *p, uint32_t *start)
{
    *start = 0;
    if (simt_peek(p)->kind != LEX_MARK || simt_peek(p)->mark != '(')
        return 0;
    *start = p->at;
    return simt_skip_bracket(p);
}

static simt_function *find_function(simt_parser *p, const lex_token *token)
{
    uint32_t value;
    const simt_name *name = simt_lookup(p, token, &value);
    return name && name->kind == NAME_FUNCTION ? (simt_function *)p->functions.data + value : NULL;
}

/* Moves over performance directives to the body or the ';'. */
static int skip_directives(simt_parser *p)
{
    while (simt_peek(p)->kind != LEX_END) {
        const lex_token *token = simt_peek(p);
        if (token->kind == LEX_MARK && (token->mark == '{' || token->mark == ';')) {
            /* `.pragma "nounroll";` between head and body has a ';' of its own. */
            if (token->mark == '{' || p->lex.tokens[p->at - 1].kind != LEX_STRING)
                return 0;
        }
        simt_take(p);
    }
    return simt_fail(p, "a function without a body");
}

/* Only the places of head and body are noted. Bodies are read later, when all names of the module
 * are known, and again at each call. */
static int read_function(simt_parser *p, bool is_entry)
{
    char buffer[48];
    simt_function f = {.is_entry = is_entry};
    if (!is_entry && note_bracket(p, &f.returns))
        return -1;
    const lex_token *token = simt_take(p);
    if (token->kind != LEX_NAME)
        return simt_fail(p, "expected the name of a function, found %s",
                         simt_show(p, token, buffer));
    f.line = token->line;
    f.name = simt_copy(p, token);
    if (!f.name || note_bracket(p, &f.params))
        return -1;
    f.head = p->at;
    if (skip_directives(p))
        return -1;
    if (!simt_accept(p, ';')) {
        f.body = p->at;
        if (simt_skip_bracket(p))
            return -1;
    }
    simt_function *old = find_function(p, token);
    if (old && old->body && f.body)
        return simt_fail(p, "function %s has two bodies", f.name);
    if (old) {
        *old = f.body ? f : *old;
        return 0;
    }
    simt_function *added = NULL;
    if (simt_declare(p, token, NAME_FUNCTION, p->functions.count))
        added = simt_push(p, &p->functions, sizeof *added);
    if (added)
        *added = f;
    return added ? 0 : -1;
}

static int read_text(simt_parser *p, const char **text)
{
    const lex_token *token = simt_take(p);
    if (!*text)
        *text = simt_copy(p, token);
    return *text ? 0 : -1;
}

static int skip_section(simt_parser *p)
{
    while (simt_peek(p)->kind != LEX_END && simt_peek(p)->mark != '{')
        simt_take(p);
    return simt_skip_bracket(p);
}

static bool is_linkage(const simt_parser *p, const lex_token *token)
{
    return lex_is(&p->lex, token, ".visible") || lex_is(&p->lex, token, ".weak") ||
           lex_is(&p->lex, token, ".common");
}

/* Registers outside of functions, as compilers up to PTX 1.4 declare them for calls. */
static int read_registers(simt_parser *p)
{
    p->build = &p->module;
    int status = simt_registers(p);
    p->build = NULL;
    return status;
}

/* One directive behind its linkage. Returns 0, or -1. */
static int read_item(simt_parser *p, bool is_extern)
{
    char buffer[48];
    const lex_token *token = simt_take(p);
    msw_simt_space space = simt_space_of(p, token);
    if (space && space != MSW_SIMT_PARAM)
        return simt_variable(p, space, is_extern);
    if (lex_is(&p->lex, token, ".entry") || lex_is(&p->lex, token, ".func"))
        return read_function(p, lex_is(&p->lex, token, ".entry"));
    if (lex_is(&p->lex, token, ".reg"))
        return read_registers(p);
    if (lex_is(&p->lex, token, ".pragma"))
        return simt_take(p)->kind == LEX_STRING ? simt_expect(p, ';') : simt_expect(p, '"');
    if (lex_is(&p->lex, token, ".section"))
        return skip_section(p);
    if (lex_is(&p->lex, token, ".tex") || lex_is(&p->lex, token, ".texref"))
        return simt_fail(p, "%s: textures are not run", simt_show(p, token, buffer));
    if (lex_is(&p->lex, token, ".alias"))
        return simt_fail(p, ".alias: second names of functions are not read");
    return simt_fail(p, "expected a directive of a module (.global, .entry, .func, ...), found %s",
                     simt_show(p, token, buffer));
}

static int read_directive(simt_parser *p)
{
    bool is_extern = false;
    const lex_token *token = simt_peek(p);
    if (lex_is(&p->lex, token, ".version")) {
        simt_take(p);
        return read_text(p, &p->version);
    }
    if (lex_is(&p->lex, token, ".target")) {
        simt_take(p);
        int status = read_text(p, &p->target);
        while (!status && simt_accept(p, ','))
            simt_take(p);
        return status;
    }
    if (lex_is(&p->lex, token, ".address_size")) {
        simt_take(p);
        return lex_is(&p->lex, simt_peek(p), "64") ? (simt_take(p), 0)
                                                   : simt_fail(p, "addresses of 64 bits are read");
    }
    if (lex_is(&p->lex, token, ".file") || lex_is(&p->lex, token, ".loc")) {
        skip_line(p);
        return 0;
    }
    while (is_linkage(p, simt_peek(p)) || lex_is(&p->lex, simt_peek(p), ".extern"))
        is_extern |= lex_is(&p->lex, simt_take(p), ".extern");
    return read_item(p, is_extern);
}

/* Reads all of the module outside of bodies. */
static int simt_module(simt_parser *p)
{
    while (simt_peek(p)->kind != LEX_END) {
        if (simt_accept(p, ';'))
            continue;
        if (read_directive(p))
            return -1;
    }
    return p->version ? 0 : simt_fail(p, "no .version: this is no PTX");
}

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

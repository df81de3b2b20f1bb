/* SPDX-License-Identifier: MIT */
/* An entry: its parameters, directives and body with declarations, labels, scopes and instructions;
 * the program of all entries. */
#include "workload/simt/program/parts.h"

#include <string.h>

static int read_statement(simt_parser *p);

static bool is_mark(const lex_token *token, char mark)
{
    return token->kind == LEX_MARK && token->mark == mark;
}

/* Labels are seen in all of their scope: declares those of the scope that begins here. */
static int declare_labels(simt_parser *p)
{
    uint32_t inner = 0, back = p->at;
    for (uint32_t at = back; at + 1 < p->lex.count; at++) {
        const lex_token *token = &p->lex.tokens[at];
        p->work++;
        if (is_mark(token, '{'))
            inner++;
        if (is_mark(token, '}') && inner-- == 0)
            return 0;
        if (inner || token->kind != LEX_NAME || !is_mark(token + 1, ':'))
            continue;
        p->at = at;
        uint32_t label = simt_new_label(p);
        if (label == MSW_SIMT_NONE || !simt_declare(p, token, NAME_LABEL, label))
            return -1;
        p->at = back;
    }
    return 0;
}

static int read_object(simt_parser *p)
{
    do {
        simt_declared declared;
        if (simt_declaration(p, &declared))
            return -1;
        uint32_t object = simt_new_object(p, &declared);
        if (object == MSW_SIMT_NONE || !simt_declare(p, declared.name, NAME_OBJECT, object))
            return -1;
    } while (simt_accept(p, ','));
    return simt_expect(p, ';');
}

static void skip_line(simt_parser *p)
{
    uint32_t line = simt_peek(p)->line;
    while (simt_peek(p)->kind != LEX_END && simt_peek(p)->line == line &&
           !is_mark(simt_peek(p), '}'))
        simt_take(p);
}

static int read_directive(simt_parser *p)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    if (lex_is(&p->lex, token, ".loc") || lex_is(&p->lex, token, ".file")) {
        skip_line(p);
        return 0;
    }
    simt_take(p);
    msw_simt_space space = simt_space_of(p, token);
    if (lex_is(&p->lex, token, ".reg"))
        return simt_registers(p);
    if (lex_is(&p->lex, token, ".pragma"))
        return simt_take(p)->kind == LEX_STRING ? simt_expect(p, ';') : simt_expect(p, '"');
    if (space == MSW_SIMT_PARAM)
        return read_object(p);
    if (space)
        return simt_variable(p, space, false);
    if (lex_is(&p->lex, token, ".extern") && simt_accept_word(p, ".shared"))
        return simt_variable(p, MSW_SIMT_SHARED, true);
    if (lex_is(&p->lex, token, ".callprototype") || lex_is(&p->lex, token, ".calltargets"))
        return simt_fail(p, "%s: indirect calls are not run", simt_show(p, token, buffer));
    if (lex_is(&p->lex, token, ".branchtargets"))
        return simt_fail(p, "%s: indirect branches are not run", simt_show(p, token, buffer));
    return simt_fail(p, "expected a directive of a body (.reg, .shared, .local, ...), found %s",
                     simt_show(p, token, buffer));
}

static int read_label(simt_parser *p)
{
    uint32_t label;
    const simt_name *name = simt_lookup(p, simt_take(p), &label);
    if (name && name->kind == NAME_LABEL)
        simt_label_here(p, label);
    return simt_expect(p, ':');
}

/* Statements of a body up to its '}'. The present token is its '{'. */
static int simt_body(simt_parser *p)
{
    uint32_t depth = p->depth;
    if (simt_expect(p, '{'))
        return -1;
    if (depth >= SIMT_MOST_DEPTH)
        return simt_fail(p, "more than %d scopes in each other", SIMT_MOST_DEPTH);
    p->depth = depth + 1;
    if (declare_labels(p))
        return -1;
    while (!simt_accept(p, '}')) {
        if (simt_peek(p)->kind == LEX_END)
            return simt_expect(p, '}');
        if (read_statement(p))
            return -1;
    }
    simt_leave(p, depth);
    return 0;
}

static int read_statement(simt_parser *p)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    if (p->work > SIMT_MOST_WORK)
        return simt_fail(p, "the module with its calls is too large to be read");
    if (is_mark(token, '{'))
        return simt_body(p);
    if (simt_accept(p, ';'))
        return 0;
    if (token->kind == LEX_DOT)
        return read_directive(p);
    if (token->kind == LEX_NAME && is_mark(token + 1, ':'))
        return read_label(p);
    if (token->kind == LEX_NAME || is_mark(token, '@'))
        return simt_instruction(p);
    return simt_fail(p, "expected a statement, found %s", simt_show(p, token, buffer));
}

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

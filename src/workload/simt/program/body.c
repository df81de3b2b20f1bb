/* SPDX-License-Identifier: MIT */
/* Statements of a body: declarations, labels, scopes, instructions. */
#include "workload/simt/program/parts.h"

#include <string.h>

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

int simt_body(simt_parser *p)
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

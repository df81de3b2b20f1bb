/* SPDX-License-Identifier: MIT */
/* The module outside of bodies: variables, functions, entries. */
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

int simt_module(simt_parser *p)
{
    while (simt_peek(p)->kind != LEX_END) {
        if (simt_accept(p, ';'))
            continue;
        if (read_directive(p))
            return -1;
    }
    return p->version ? 0 : simt_fail(p, "no .version: this is no PTX");
}

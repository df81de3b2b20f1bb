/* SPDX-License-Identifier: MIT */
/* Variables of the module and of bodies with their initial values, registers, parameters of calls.
 */
#include "memsweep/base/bits.h"

#include "workload/simt/program/parts.h"

#include <string.h>

uint32_t simt_new_reg(simt_parser *p, const char *name, msw_simt_type type)
{
    simt_list *regs = &p->build->regs;
    if (regs->count >= SIMT_MOST_REGS) {
        simt_fail(p, "more than %d registers", SIMT_MOST_REGS);
        return MSW_SIMT_NONE;
    }
    msw_simt_reg *reg = simt_push(p, regs, sizeof *reg);
    if (!reg)
        return MSW_SIMT_NONE;
    uint32_t bytes = msw_simt_type_bytes(type);
    *reg = (msw_simt_reg){name, type, (uint8_t)(bytes == 1 ? 2 : bytes)};
    return regs->count - 1;
}

static int add_range(simt_parser *p, const lex_token *token, msw_simt_type type)
{
    uint64_t count;
    if (simt_constant(p, &count) || simt_expect(p, '>'))
        return -1;
    if (count > SIMT_MOST_REGS)
        return simt_fail(p, "more than %d registers", SIMT_MOST_REGS);
    simt_name *name = simt_declare(p, token, NAME_REGS, p->build->regs.count);
    const char *text = name ? simt_copy(p, token) : NULL;
    if (!text)
        return -1;
    name->count = (uint32_t)count;
    p->work += count;
    for (uint64_t i = 0; i < count; i++)
        if (simt_new_reg(p, text, type) == MSW_SIMT_NONE)
            return -1;
    return 0;
}

static int add_one(simt_parser *p, const lex_token *token, msw_simt_type type)
{
    const char *text = simt_copy(p, token);
    uint32_t reg = text ? simt_new_reg(p, text, type) : MSW_SIMT_NONE;
    return reg != MSW_SIMT_NONE && simt_declare(p, token, NAME_REG, reg) ? 0 : -1;
}

int simt_registers(simt_parser *p)
{
    char buffer[48];
    const lex_token *token = simt_take(p);
    if (lex_is(&p->lex, token, ".v2") || lex_is(&p->lex, token, ".v4"))
        return simt_fail(p, "vectors of registers are not read; registers of one element are");
    msw_simt_type type = MSW_SIMT_NO_TYPE;
    if (token->kind == LEX_DOT)
        type = simt_type_find(p->lex.text + token->start + 1, token->length - 1);
    if (!type)
        return simt_fail(p, "registers of type %s are not read", simt_show(p, token, buffer));
    do {
        token = simt_take(p);
        if (token->kind != LEX_NAME)
            return simt_fail(p, "expected the name of a register, found %s",
                             simt_show(p, token, buffer));
        if (simt_accept(p, '<') ? add_range(p, token, type) : add_one(p, token, type))
            return -1;
    } while (simt_accept(p, ','));
    return simt_expect(p, ';');
}

uint32_t simt_new_object(simt_parser *p, const simt_declared *declared)
{
    if (declared->bytes > SIMT_MOST_OBJECT) {
        simt_fail(p, "a parameter of %llu bytes; at most %d are read",
                  (unsigned long long)declared->bytes, SIMT_MOST_OBJECT);
        return MSW_SIMT_NONE;
    }
    uint32_t bytes = (uint32_t)declared->bytes;
    simt_object object = {.bytes = bytes, .cell = bytes <= 4 ? 4 : 8};
    object.cells = (bytes + object.cell - 1) / object.cell;
    object.first = p->build->regs.count;
    const char *name = simt_copy(p, declared->name);
    for (uint32_t i = 0; name && i < object.cells; i++)
        if (simt_new_reg(p, name, object.cell == 4 ? MSW_SIMT_B32 : MSW_SIMT_B64) == MSW_SIMT_NONE)
            return MSW_SIMT_NONE;
    simt_object *added = name ? simt_push(p, &p->build->objects, sizeof *added) : NULL;
    if (!added)
        return MSW_SIMT_NONE;
    *added = object;
    return p->build->objects.count - 1;
}

msw_simt_space simt_space_of(const simt_parser *p, const lex_token *token)
{
    static const struct {
        const char *name;
        msw_simt_space space;
    } SPACES[] = {{".global", MSW_SIMT_GLOBAL},
                  {".shared", MSW_SIMT_SHARED},
                  {".local", MSW_SIMT_LOCAL},
                  {".const", MSW_SIMT_CONST},
                  {".param", MSW_SIMT_PARAM}};
    for (size_t i = 0; i < sizeof SPACES / sizeof *SPACES; i++)
        if (lex_is(&p->lex, token, SPACES[i].name))
            return SPACES[i].space;
    return MSW_SIMT_NO_SPACE;
}

/* Everything between the word that opens a declaration and its name, in any order but with the type
 * last. */
static int read_type(simt_parser *p, simt_declared *out)
{
    char buffer[48];
    for (;;) {
        const lex_token *token = simt_take(p);
        if (token->kind != LEX_DOT)
            return simt_fail(p, "expected a type, found %s", simt_show(p, token, buffer));
        if (lex_is(&p->lex, token, ".align")) {
            if (simt_constant(p, &out->align))
                return -1;
            if (!out->align || out->align > 4096 || (out->align & (out->align - 1)))
                return simt_fail(p, "an alignment of %llu; a power of two up to 4096 is allowed",
                                 (unsigned long long)out->align);
        } else if (lex_is(&p->lex, token, ".v2") || lex_is(&p->lex, token, ".v4")) {
            out->count = p->lex.text[token->start + 2] == '2' ? 2 : 4;
        } else if (lex_is(&p->lex, token, ".ptr")) {
            out->is_pointer = true;
        } else if (lex_is(&p->lex, token, ".texref") || lex_is(&p->lex, token, ".surfref") ||
                   lex_is(&p->lex, token, ".samplerref")) {
            return simt_fail(p, "%s: textures and surfaces are not run",
                             simt_show(p, token, buffer));
        } else if (!simt_space_of(p, token) && !lex_is(&p->lex, token, ".attribute")) {
            out->type = simt_type_find(p->lex.text + token->start + 1, token->length - 1);
            if (!out->type || out->type == MSW_SIMT_PRED)
                return simt_fail(p, "a variable of type %s is not read",
                                 simt_show(p, token, buffer));
            return 0;
        } else if (lex_is(&p->lex, token, ".attribute") && simt_skip_bracket(p)) {
            return -1;
        }
    }
}

static int read_dims(simt_parser *p, simt_declared *out)
{
    while (simt_accept(p, '[')) {
        uint64_t count = 0;
        if (out->dim_count == 8)
            return simt_fail(p, "more than 8 dimensions");
        if (simt_accept(p, ']')) {
            out->is_unsized = true;
        } else if (simt_constant(p, &count) || simt_expect(p, ']')) {
            return -1;
        }
        if (count > UINT32_MAX || (count && out->count > ((uint64_t)1 << 40) / count))
            return simt_fail(p, "an array of more than 2^40 elements");
        out->count *= count;
        out->dims[out->dim_count++] = (uint32_t)count;
    }
    return 0;
}

int simt_declaration(simt_parser *p, simt_declared *out)
{
    char buffer[48];
    *out = (simt_declared){.count = 1};
    if (read_type(p, out))
        return -1;
    /* `.param .u64 .ptr .global .align 8 name`: the pointer's words come after the type. */
    while (simt_peek(p)->kind == LEX_DOT) {
        const lex_token *token = simt_take(p);
        uint64_t align;
        out->is_pointer |= lex_is(&p->lex, token, ".ptr");
        if (lex_is(&p->lex, token, ".align") && simt_constant(p, &align))
            return -1;
    }
    out->name = simt_take(p);
    if (out->name->kind != LEX_NAME)
        return simt_fail(p, "expected a name, found %s", simt_show(p, out->name, buffer));
    uint64_t natural = msw_simt_type_bytes(out->type) * out->count;
    if (!out->align)
        out->align = natural;
    if (read_dims(p, out))
        return -1;
    out->bytes = out->count * msw_simt_type_bytes(out->type);
    return 0;
}

int simt_allot(simt_parser *p, uint64_t *used, uint64_t bytes, uint64_t align, uint64_t most,
               const char *what, uint64_t *offset)
{
    *offset = (align ? msw_div_up(*used, align) * align : *used);
    if (bytes > most || *offset > most - bytes)
        return simt_fail(p, "more than %llu bytes of %s", (unsigned long long)most, what);
    *used = *offset + bytes;
    return 0;
}

typedef struct initial {
    simt_declared declared;
    unsigned char *bytes;
    simt_list references;
} initial;

/* name, name + 4, generic(name) + 4: an address. */
static int read_reference(simt_parser *p, initial *in, uint64_t offset)
{
    char buffer[48];
    uint32_t value;
    bool generic = simt_accept_word(p, "generic");
    if (generic && simt_expect(p, '('))
        return -1;
    const lex_token *token = simt_take(p);
    const simt_name *name = token->kind == LEX_NAME ? simt_lookup(p, token, &value) : NULL;
    if (name && name->kind == NAME_FUNCTION && !generic)
        return 0; /* calls through it are refused where they are */
    if (!name || name->kind != NAME_VARIABLE)
        return simt_fail(p, "an initial value is a number or the name of a variable above, not %s",
                         simt_show(p, token, buffer));
    msw_simt_reference reference = {.offset = offset, .variable = value, .generic = generic};
    if (generic && simt_expect(p, ')'))
        return -1;
    if (simt_accept(p, '+') && simt_constant(p, &reference.addend))
        return -1;
    if (msw_simt_type_bytes(in->declared.type) != 8)
        return simt_fail(p, "an address in a variable of type %s; 64 bits hold one",
                         msw_simt_type_name(in->declared.type));
    msw_simt_reference *added = simt_push(p, &in->references, sizeof *added);
    if (!added)
        return -1;
    *added = reference;
    return 0;
}

static int read_element(simt_parser *p, initial *in, uint64_t at)
{
    uint32_t size = msw_simt_type_bytes(in->declared.type);
    uint64_t bits = 0;
    if (at >= in->declared.count)
        return simt_fail(p, "more initial values than the %llu elements",
                         (unsigned long long)in->declared.count);
    if (simt_peek(p)->kind == LEX_NAME)
        return read_reference(p, in, at * size);
    if (simt_literal(p, in->declared.type, &bits))
        return -1;
    memcpy(in->bytes + at * size, &bits, size);
    return 0;
}

/* One brace of an initial value: elements, or braces of the next dimension. */
static int read_braces(simt_parser *p, initial *in, uint32_t dim, uint64_t at)
{
    uint64_t stride = 1;
    if (dim > 8)
        return simt_fail(p, "more braces than dimensions");
    for (uint32_t d = dim + 1; d < in->declared.dim_count; d++)
        stride *= in->declared.dims[d];
    if (simt_accept(p, '}'))
        return 0;
    do {
        if (simt_accept(p, '{')) {
            if (read_braces(p, in, dim + 1, at))
                return -1;
            at += stride;
        } else if (read_element(p, in, at++)) {
            return -1;
        }
    } while (simt_accept(p, ','));
    return simt_expect(p, '}');
}

static int read_initial(simt_parser *p, initial *in)
{
    simt_declared *d = &in->declared;
    /* The first dimension may be left to the initial value: count its elements. */
    if (d->is_unsized)
        return simt_fail(p, "an array with an initial value must give its size");
    if (d->bytes > SIMT_MOST_INITIAL)
        return simt_fail(p, "an initial value of more than %d bytes", SIMT_MOST_INITIAL);
    in->bytes = msw_arena_zero(p->arena, d->bytes + 8, 1);
    if (!in->bytes)
        return msw_fail_memory(p->err);
    return simt_accept(p, '{') ? read_braces(p, in, 0, 0) : read_element(p, in, 0);
}

static int place_own(simt_parser *p, const initial *in, msw_simt_space space, uint64_t *offset)
{
    msw_simt_kernel *kernel = &p->build->kernel;
    uint64_t *used = space == MSW_SIMT_SHARED ? &kernel->shared_bytes : &kernel->local_bytes;
    uint64_t most = space == MSW_SIMT_SHARED ? SIMT_MOST_SHARED : SIMT_MOST_LOCAL;
    return simt_allot(p, used, in->declared.bytes, in->declared.align, most,
                      msw_simt_space_name(space), offset);
}

static int add_variable(simt_parser *p, const initial *in, msw_simt_space space, bool is_extern)
{
    const simt_declared *d = &in->declared;
    bool own = p->build && (space == MSW_SIMT_SHARED || space == MSW_SIMT_LOCAL) && !is_extern;
    msw_simt_variable v = {.name = simt_copy(p, d->name),
                           .space = space,
                           .type = d->type,
                           .bytes = d->bytes,
                           .align = d->align,
                           .initial = in->bytes,
                           .line = d->name->line,
                           .is_extern = is_extern,
                           .references = in->references.data,
                           .reference_count = in->references.count};
    if (!v.name || (own && place_own(p, in, space, &v.offset)))
        return -1;
    if (space == MSW_SIMT_CONST &&
        simt_allot(p, &p->const_bytes, v.bytes, v.align, SIMT_MOST_CONST, "const", &v.offset))
        return -1;
    simt_list *list = own ? &p->build->variables : &p->variables;
    if (!simt_declare(p, d->name, own ? NAME_OWN : NAME_VARIABLE, list->count))
        return -1;
    msw_simt_variable *added = simt_push(p, list, sizeof *added);
    if (!added)
        return -1;
    *added = v;
    return 0;
}

static bool declared_before(const simt_parser *p, const initial *in)
{
    uint32_t value;
    const simt_name *name = p->build ? NULL : simt_lookup(p, in->declared.name, &value);
    if (!name || name->kind != NAME_VARIABLE)
        return false;
    msw_simt_variable *old = (msw_simt_variable *)p->variables.data + value;
    bool again = old->is_extern;
    if (again && !in->declared.is_unsized && in->bytes) {
        old->initial = in->bytes;
        old->bytes = in->declared.bytes;
        old->is_extern = false;
    }
    return again;
}

int simt_variable(simt_parser *p, msw_simt_space space, bool is_extern)
{
    do {
        initial in = {0};
        if (simt_declaration(p, &in.declared))
            return -1;
        if (simt_accept(p, '=') && read_initial(p, &in))
            return -1;
        if (space == MSW_SIMT_LOCAL && !p->build)
            return simt_fail(p, "a local variable outside of a function");
        if (in.declared.is_unsized && space != MSW_SIMT_SHARED && !is_extern)
            return simt_fail(p, "%s: an array without a size", msw_simt_space_name(space));
        if (!declared_before(p, &in) &&
            add_variable(p, &in, space,
                         is_extern || (in.declared.is_unsized && space == MSW_SIMT_SHARED)))
            return -1;
    } while (simt_accept(p, ','));
    return simt_expect(p, ';');
}

int simt_shared_offset(simt_parser *p, uint32_t variable, uint64_t *offset)
{
    uint64_t *known = &p->build->shared_offsets[variable];
    const msw_simt_variable *v = (msw_simt_variable *)p->variables.data + variable;
    if (*known == UINT64_MAX) {
        if (simt_allot(p, &p->build->kernel.shared_bytes, v->bytes, v->align, SIMT_MOST_SHARED,
                       "shared", known))
            return -1;
        msw_simt_variable *added = simt_push(p, &p->build->variables, sizeof *added);
        if (!added)
            return -1;
        *added = *v;
        added->offset = *known;
    }
    *offset = *known;
    return 0;
}

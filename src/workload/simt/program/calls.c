/* SPDX-License-Identifier: MIT */
/* Calls: the body of a function is read again where it is called, in a scope of its own. */
#include "workload/simt/program/parts.h"

#include <string.h>

enum { MOST_ARGUMENTS = 256, MOST_CALLS = 1 << 16 };

/* Tokens of one list of arguments. */
typedef struct arguments {
    uint32_t at[MOST_ARGUMENTS], count;
} arguments;

static int read_arguments(simt_parser *p, arguments *out)
{
    out->count = 0;
    if (!simt_accept(p, '('))
        return simt_expect(p, '(');
    while (!simt_accept(p, ')')) {
        if (out->count == MOST_ARGUMENTS)
            return simt_fail(p, "more than %d arguments", MOST_ARGUMENTS);
        out->at[out->count++] = p->at;
        simt_accept(p, '-');
        if (simt_take(p)->kind == LEX_END)
            return simt_expect(p, ')');
        if (!simt_accept(p, ',') && simt_peek(p)->mark != ')')
            return simt_expect(p, ')');
    }
    return 0;
}

typedef struct call {
    arguments results, values;
    uint32_t function;
} call;

/* Notes a call that may be left out. Returns whether it is one. */
static bool leave_out(simt_parser *p, const simt_function *f)
{
    msw_simt_kernel *kernel = &p->build->kernel;
    unsigned bit = strcmp(f->name, "vprintf") == 0        ? MSW_SIMT_PRINTF
                   : strcmp(f->name, "__assertfail") == 0 ? MSW_SIMT_ASSERT
                                                          : 0;
    if (bit && !kernel->left_out)
        kernel->left_out_line = simt_peek(p)->line;
    kernel->left_out |= bit;
    return bit;
}

static int find_callee(simt_parser *p, uint32_t *function)
{
    char buffer[48];
    const lex_token *token = simt_peek(p);
    const simt_name *name = token->kind == LEX_NAME ? simt_lookup(p, token, function) : NULL;
    if (name && (name->kind == NAME_REG || name->kind == NAME_REGS))
        return simt_fail(p, "call of %s: indirect calls are not run", simt_show(p, token, buffer));
    if (!name || name->kind != NAME_FUNCTION)
        return simt_fail(p, "call of %s, which is no function here", simt_show(p, token, buffer));
    const simt_function *f = (simt_function *)p->functions.data + *function;
    if (!f->body && !leave_out(p, f))
        return simt_fail(p, "call of %s, which has no body here: external calls are not run",
                         f->name);
    if (f->is_active)
        return simt_fail(p, "call of %s from itself: recursion is not run", f->name);
    if (f->is_entry)
        return simt_fail(p, "call of the kernel %s: launches from kernels are not run", f->name);
    if (++p->build->calls > MOST_CALLS)
        return simt_fail(p, "more than %d calls", MOST_CALLS);
    simt_take(p);
    return 0;
}

static int read_call(simt_parser *p, call *out)
{
    out->results.count = out->values.count = 0;
    if (simt_peek(p)->mark == '(' && (read_arguments(p, &out->results) || simt_expect(p, ',')))
        return -1;
    if (find_callee(p, &out->function))
        return -1;
    if (simt_accept(p, ',') && read_arguments(p, &out->values))
        return -1;
    return simt_expect(p, ';');
}

/* What a caller's argument is, read in the caller's scope. */
typedef struct actual {
    simt_operand operand;
    uint32_t object; /* or MSW_SIMT_NONE */
} actual;

static int read_actual(simt_parser *p, uint32_t at, msw_simt_type type, actual *out)
{
    uint32_t value, back = p->at;
    p->at = at;
    out->object = MSW_SIMT_NONE;
    const lex_token *token = simt_peek(p);
    const simt_name *name = token->kind == LEX_NAME ? simt_lookup(p, token, &value) : NULL;
    int status = 0;
    if (name && name->kind == NAME_OBJECT)
        out->object = value;
    else
        status = simt_operand_read(p, type, false, &out->operand);
    p->at = back;
    return status;
}

/* A formal parameter takes its argument: objects are the caller's own, registers are copied in. */
static int bind(simt_parser *p, const simt_declared *formal, bool is_reg, bool is_result,
                const actual *given)
{
    if (!is_reg) {
        uint32_t object = given->object;
        if (object == MSW_SIMT_NONE && given->operand.kind == O_SINK)
            object = simt_new_object(p, formal);
        if (object == MSW_SIMT_NONE)
            return simt_fail(p, "a parameter of space .param takes an argument of that space");
        if (((simt_object *)p->build->objects.data + object)->bytes != formal->bytes)
            return simt_fail(p, "an argument of %u bytes for a parameter of %llu",
                             ((simt_object *)p->build->objects.data + object)->bytes,
                             (unsigned long long)formal->bytes);
        return simt_declare(p, formal->name, NAME_OBJECT, object) ? 0 : -1;
    }
    if (given->object != MSW_SIMT_NONE)
        return simt_fail(p, "a parameter of space .reg takes a register");
    if (is_result && given->operand.kind == O_REG)
        return simt_declare(p, formal->name, NAME_REG, given->operand.reg) ? 0 : -1;
    const char *name = simt_copy(p, formal->name);
    uint32_t reg = name ? simt_new_reg(p, name, formal->type) : MSW_SIMT_NONE;
    if (reg == MSW_SIMT_NONE || !simt_declare(p, formal->name, NAME_REG, reg))
        return -1;
    if (is_result)
        return 0;
    simt_operand to = simt_reg_operand(reg, formal->type);
    simt_draft *move = simt_emit(p, OP_MOV, formal->type, "mov");
    return move ? simt_set_operands(p, move, &to, 1, &given->operand, 1) : -1;
}

/* Reads one formal of `.param .b32 name` or `.reg .b32 name`. */
static int read_formal(simt_parser *p, simt_declared *out, bool *is_reg)
{
    *is_reg = simt_accept_word(p, ".reg");
    if (!*is_reg && !simt_accept_word(p, ".param"))
        return simt_fail(p, "expected a parameter of space .param or .reg");
    return simt_declaration(p, out);
}

/* Formals are read in the callee's scope and arguments in the caller's: p->base, where names are
 * looked up, changes for each argument and back. */
static int bind_list(simt_parser *p, uint32_t start, bool is_result, const arguments *given,
                     uint32_t caller_base)
{
    uint32_t count = 0, back = p->at;
    if (!start)
        return given->count ? simt_fail(p, "arguments for a function without parameters") : 0;
    p->at = start + 1;
    while (!simt_accept(p, ')')) {
        simt_declared formal;
        bool is_reg;
        actual argument = {0};
        uint32_t base = p->base;
        if (read_formal(p, &formal, &is_reg))
            return -1;
        if (count == given->count)
            return simt_fail(p, "more parameters than the %u arguments", count);
        p->base = caller_base;
        int status = read_actual(p, given->at[count++], formal.type, &argument);
        p->base = base;
        if (status || bind(p, &formal, is_reg, is_result, &argument))
            return -1;
        if (!simt_accept(p, ',') && simt_peek(p)->mark != ')')
            return simt_expect(p, ')');
    }
    if (count != given->count)
        return simt_fail(p, "%u arguments for %u parameters", given->count, count);
    p->at = back;
    return 0;
}

static int inline_body(simt_parser *p, const call *c)
{
    simt_function *f = (simt_function *)p->functions.data + c->function;
    uint32_t at = p->at, base = p->base, depth = p->depth, outer = p->build->return_label;
    uint32_t end = simt_new_label(p);
    if (end == MSW_SIMT_NONE)
        return -1;
    if (depth + 1 >= SIMT_MOST_DEPTH)
        return simt_fail(p, "more than %d scopes and calls in each other", SIMT_MOST_DEPTH);
    p->base = p->depth = depth + 1;
    f->is_active = true;
    int status = bind_list(p, f->returns, true, &c->results, base) ||
                 bind_list(p, f->params, false, &c->values, base);
    p->build->return_label = end;
    p->at = f->body;
    status = status || p->read_body(p);
    simt_label_here(p, end);
    ((simt_function *)p->functions.data + c->function)->is_active = false;
    p->build->return_label = outer;
    if (status)
        return -1;
    simt_leave(p, depth);
    p->base = base;
    p->at = at;
    return 0;
}

int simt_call(simt_parser *p, uint32_t guard, bool negated)
{
    call c;
    uint32_t skip = simt_new_label(p);
    if (skip == MSW_SIMT_NONE || read_call(p, &c))
        return -1;
    if (!((simt_function *)p->functions.data + c.function)->body) { /* left out */
        simt_label_here(p, skip);
        return 0;
    }
    if (guard != MSW_SIMT_NONE && simt_jump(p, skip, guard, !negated))
        return -1;
    if (inline_body(p, &c))
        return -1;
    simt_label_here(p, skip);
    return 0;
}

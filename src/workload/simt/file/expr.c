/* SPDX-License-Identifier: MIT */
/* Reads expressions by precedence and writes their operations in the order of a stack. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 64, OPS_MAX = 512 };

typedef struct compiler {
    msw_simt_cursor *c;
    bool may_index, indexed;
    int nesting, height, most;
    uint32_t count;
    msw_simt_op ops[OPS_MAX];
} compiler;

/* An operator of two operands. */
typedef struct operator
{
    const char *symbol;
    int level;
    msw_simt_opcode code;
    bool whole; /* operands must be whole */
    bool swap;  /* a > b is b < a */
    bool truth; /* gives 0 or 1 */
}
operator;

/* From the weakest. */
static const operator OPERATORS[] = {
    {"||", 1, MSW_SIMT_OP_OR, true, false, true},
    {"&&", 2, MSW_SIMT_OP_AND, true, false, true},
    {"|", 3, MSW_SIMT_OP_OR, true, false, false},
    {"^", 4, MSW_SIMT_OP_XOR, true, false, false},
    {"&", 5, MSW_SIMT_OP_AND, true, false, false},
    {"==", 6, MSW_SIMT_OP_EQUAL, false, false, true},
    {"!=", 6, MSW_SIMT_OP_UNEQUAL, false, false, true},
    {"<", 7, MSW_SIMT_OP_LESS, false, false, true},
    {"<=", 7, MSW_SIMT_OP_LESS_EQUAL, false, false, true},
    {">", 7, MSW_SIMT_OP_LESS, false, true, true},
    {">=", 7, MSW_SIMT_OP_LESS_EQUAL, false, true, true},
    {"<<", 8, MSW_SIMT_OP_LEFT, true, false, false},
    {">>", 8, MSW_SIMT_OP_RIGHT, true, false, false},
    {"+", 9, MSW_SIMT_OP_ADD, false, false, false},
    {"-", 9, MSW_SIMT_OP_SUBTRACT, false, false, false},
    {"*", 10, MSW_SIMT_OP_MULTIPLY, false, false, false},
    {"/", 10, MSW_SIMT_OP_DIVIDE, false, false, false},
    {"%", 10, MSW_SIMT_OP_REMAINDER, true, false, false},
};

typedef struct function {
    const char *name;
    int arguments;
    msw_simt_opcode code;
    bool whole;                   /* arguments must be whole */
    bool gives_whole, gives_real; /* else what its arguments are */
} function;

static const function FUNCTIONS[] = {
    {"min", 2, MSW_SIMT_OP_MIN, false, false, false},
    {"max", 2, MSW_SIMT_OP_MAX, false, false, false},
    {"abs", 1, MSW_SIMT_OP_ABS, false, false, false},
    {"up", 2, MSW_SIMT_OP_UP, true, true, false},
    {"int", 1, MSW_SIMT_OP_TRUNCATE, false, true, false},
    {"floor", 1, MSW_SIMT_OP_FLOOR, false, true, false},
    {"float", 1, MSW_SIMT_OP_REAL, false, false, true},
    {"uniform", 2, MSW_SIMT_OP_UNIFORM, true, false, true},
    {"random", 3, MSW_SIMT_OP_RANDOM, true, true, false},
    {"permute", 3, MSW_SIMT_OP_PERMUTE, true, true, false},
};

static int fail_at(compiler *p, const msw_simt_token *at, const char *allowed)
{
    return msw_simt_token_fail(p->c->tokens, at, p->c->err, "%s", allowed);
}

/* `grows`: by how much the stack is higher afterwards. */
static int emit(compiler *p, msw_simt_op op, int grows)
{
    p->height += grows;
    p->most = p->height > p->most ? p->height : p->most;
    if (p->count == OPS_MAX || p->most > MSW_SIMT_EXPR_STACK)
        return fail_at(p, p->c->next, "shorter expressions");
    p->ops[p->count++] = op;
    return 0;
}

static int emit_code(compiler *p, msw_simt_opcode code, bool real, int grows)
{
    return emit(p, (msw_simt_op){.code = code, .real = real}, grows);
}

/* Makes the two upper operands of one kind. */
static int unify(compiler *p, bool left, bool right)
{
    if (left == right)
        return 0;
    return emit_code(p, left ? MSW_SIMT_OP_REAL : MSW_SIMT_OP_REAL_LEFT, false, 0);
}

static bool take(compiler *p, const char *symbol)
{
    if (!msw_simt_token_is(p->c->next, symbol))
        return false;
    p->c->next++;
    return true;
}

static int expect(compiler *p, const char *symbol)
{
    return take(p, symbol) ? 0 : fail_at(p, p->c->next, symbol);
}

static int read_choice(compiler *p, bool *real);

static int read_constant(compiler *p, msw_simt_number n, bool *real)
{
    *real = n.real;
    return emit(p,
                (msw_simt_op){.code = n.real ? MSW_SIMT_OP_VALUE : MSW_SIMT_OP_WHOLE,
                              .real = n.real,
                              .whole = n.whole,
                              .value = n.value},
                1);
}

msw_simt_variable_name *msw_simt_names_find(msw_simt_names *names, const msw_simt_token *word)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].size == word->size &&
            memcmp(names->list[i].name, word->text, word->size) == 0)
            return &names->list[i];
    return NULL;
}

static const function *find_function(const msw_simt_token *word)
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++)
        if (msw_simt_token_is(word, FUNCTIONS[i].name))
            return &FUNCTIONS[i];
    return NULL;
}

/* Says which names there are, the nearest one first. */
static int fail_unknown(compiler *p, const msw_simt_token *word)
{
    char text[MSW_SIMT_NAMES_MAX][24], wrong[24];
    const char *known[MSW_SIMT_NAMES_MAX + 16];
    size_t count = 0, functions = sizeof FUNCTIONS / sizeof *FUNCTIONS;
    const msw_simt_names *names = p->c->names;
    for (size_t i = 0; i < names->count; i++) {
        snprintf(text[i], sizeof text[i], "%.*s", (int)names->list[i].size, names->list[i].name);
        known[count++] = text[i];
    }
    for (size_t f = 0; f < functions; f++)
        known[count++] = FUNCTIONS[f].name;
    known[count] = NULL;
    snprintf(wrong, sizeof wrong, "%.*s", (int)word->size, word->text);
    const char *best = msw_nearest(wrong, known, sizeof *known);
    return msw_simt_token_fail(p->c->tokens, word, p->c->err,
                               "sizes, arrays and other names given above%s%s%s%s",
                               p->may_index ? ", i" : "", best ? "; did you mean '" : "",
                               best ? best : "", best ? "'?" : "");
}

static int read_call(compiler *p, const function *f, bool *real)
{
    bool kinds[3] = {false, false, false};
    if (expect(p, "("))
        return -1;
    for (int a = 0; a < f->arguments; a++) {
        const msw_simt_token *at = p->c->next;
        if ((a && expect(p, ",")) || read_choice(p, &kinds[a]))
            return -1;
        if (f->whole && kinds[a])
            return fail_at(p, at, "a whole number: int(...) or floor(...)");
    }
    if (expect(p, ")") || (f->arguments == 2 && unify(p, kinds[0], kinds[1])))
        return -1;
    bool given = kinds[0] || kinds[1];
    *real = f->gives_real || (given && !f->gives_whole);
    if (!given && (f->code == MSW_SIMT_OP_TRUNCATE || f->code == MSW_SIMT_OP_FLOOR))
        return 0;
    if (given && f->code == MSW_SIMT_OP_REAL)
        return 0;
    return emit_code(p, f->code, given, 1 - f->arguments);
}

static int read_word(compiler *p, bool *real)
{
    const msw_simt_token *word = p->c->next++;
    const function *f = find_function(word);
    const msw_simt_variable_name *v = msw_simt_names_find(p->c->names, word);
    if (f && msw_simt_token_is(p->c->next, "("))
        return read_call(p, f, real);
    if (v)
        return read_constant(p, v->number, real);
    *real = false;
    if (!msw_simt_token_is(word, "i"))
        return fail_unknown(p, word);
    if (!p->may_index)
        return fail_at(p, word, "i in initial values of arrays only");
    p->indexed = true;
    return emit_code(p, MSW_SIMT_OP_INDEX, false, 1);
}

static int read_primary(compiler *p, bool *real)
{
    const msw_simt_token *t = p->c->next;
    if (t->kind == MSW_SIMT_TOKEN_INTEGER || t->kind == MSW_SIMT_TOKEN_REAL) {
        p->c->next++;
        return read_constant(p,
                             (msw_simt_number){.real = t->kind == MSW_SIMT_TOKEN_REAL,
                                               .whole = t->integer,
                                               .value = t->real},
                             real);
    }
    if (t->kind == MSW_SIMT_TOKEN_WORD)
        return read_word(p, real);
    if (take(p, "(")) {
        MSW_TRY(read_choice(p, real));
        MSW_TRY(expect(p, ")"));
        return 0;
    }
    return fail_at(p, t, "a number, a name or (");
}

static int read_unary(compiler *p, bool *real)
{
    static const struct {
        const char *symbol;
        msw_simt_opcode code;
        bool whole;
    } SIGNS[] = {{"-", MSW_SIMT_OP_NEGATE, false},
                 {"!", MSW_SIMT_OP_NOT, true},
                 {"~", MSW_SIMT_OP_INVERT, true}};
    const msw_simt_token *at = p->c->next;
    for (size_t s = 0; s < sizeof SIGNS / sizeof *SIGNS; s++) {
        if (!take(p, SIGNS[s].symbol))
            continue;
        if (++p->nesting > DEPTH_MAX)
            return fail_at(p, at, "less nesting");
        if (read_unary(p, real))
            return -1;
        p->nesting--;
        if (SIGNS[s].whole && *real)
            return fail_at(p, at + 1, "a whole number: int(...) or floor(...)");
        return emit_code(p, SIGNS[s].code, *real, 0);
    }
    return read_primary(p, real);
}

static const operator* find_operator(const msw_simt_token *t)
{
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++)
        if (msw_simt_token_is(t, OPERATORS[i].symbol))
            return &OPERATORS[i];
    return NULL;
}

/* && and || are those of bits on 0 and 1. */
static int emit_truth(compiler *p, const operator* o)
{
    msw_simt_op zero = {.code = MSW_SIMT_OP_WHOLE};
    if (o->level > 2)
        return 0;
    MSW_TRY(emit(p, zero, 1));
    MSW_TRY(emit_code(p, MSW_SIMT_OP_UNEQUAL, false, -1));
    return 0;
}

static int emit_operator(compiler *p, const operator* o, bool real)
{
    if (o->swap) { /* a > b is !(a <= b), but for no number, which is nowhere in a file */
        bool equal = o->code == MSW_SIMT_OP_LESS_EQUAL;
        if (emit_code(p, equal ? MSW_SIMT_OP_LESS : MSW_SIMT_OP_LESS_EQUAL, real, -1))
            return -1;
        return emit_code(p, MSW_SIMT_OP_NOT, false, 0);
    }
    return emit_code(p, o->code, real, -1);
}

static int read_level(compiler *p, int level, bool *real)
{
    if (read_unary(p, real))
        return -1;
    for (const operator* o; (o = find_operator(p->c->next)) && o->level >= level;) {
        const msw_simt_token *at = p->c->next++;
        bool right = false;
        if (emit_truth(p, o) || read_level(p, o->level + 1, &right) || emit_truth(p, o))
            return -1;
        if (o->whole && (*real || right))
            return fail_at(p, at, "whole numbers on both sides: int(...) or floor(...)");
        if (unify(p, *real, right) || emit_operator(p, o, *real || right))
            return -1;
        *real = (*real || right) && !o->truth;
    }
    return 0;
}

/* condition ? then : else; both are computed. */
static int read_choice(compiler *p, bool *real)
{
    bool other = false;
    const msw_simt_token *at = p->c->next;
    if (++p->nesting > DEPTH_MAX)
        return fail_at(p, at, "less nesting");
    if (read_level(p, 1, real))
        return -1;
    if (take(p, "?")) {
        if (*real)
            return fail_at(p, at, "a comparison or a whole number before ?");
        if (read_choice(p, real) || expect(p, ":") || read_choice(p, &other) ||
            unify(p, *real, other) || emit_code(p, MSW_SIMT_OP_SELECT, *real || other, -2))
            return -1;
        *real = *real || other;
    }
    p->nesting--;
    return 0;
}

int msw_simt_expr_read(msw_simt_cursor *c, bool indexed, msw_simt_expr *expr)
{
    compiler p;
    p.c = c;
    p.may_index = indexed;
    p.indexed = false;
    p.nesting = p.height = p.most = 0;
    p.count = 0;
    if (read_choice(&p, &expr->real))
        return -1;
    msw_simt_op *ops = msw_arena_take(c->arena, p.count * sizeof *ops);
    if (!ops)
        return msw_fail_memory(c->err);
    memcpy(ops, p.ops, p.count * sizeof *ops);
    expr->ops = ops;
    expr->count = p.count;
    expr->indexed = p.indexed;
    return 0;
}

int msw_simt_number_read(msw_simt_cursor *c, msw_simt_number *number)
{
    msw_simt_expr expr;
    const msw_simt_token *at = c->next;
    if (msw_simt_expr_read(c, false, &expr))
        return -1;
    if (msw_simt_expr_number(&expr, number))
        return 0;
    return msw_fail(c->err, "%s:%u:%u: found a division by zero", c->tokens->file, at->line,
                    at->column);
}

int msw_simt_whole_read(msw_simt_cursor *c, const char *what, int64_t least, int64_t most,
                        int64_t *value)
{
    const msw_simt_token *at = c->next;
    msw_simt_number n;
    if (msw_simt_number_read(c, &n))
        return -1;
    *value = n.whole;
    if (!n.real && n.whole >= least && n.whole <= most)
        return 0;
    char found[32];
    if (n.real)
        msw_double_text(n.value, found);
    else
        snprintf(found, sizeof found, "%lld", (long long)n.whole);
    return msw_fail(c->err, "%s:%u:%u: %s: found %s, allowed: whole numbers from %lld to %lld",
                    c->tokens->file, at->line, at->column, what, found, (long long)least,
                    (long long)most);
}

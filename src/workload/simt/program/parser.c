/* SPDX-License-Identifier: MIT */
/* The parser's tools: lists, names and tokens; constants (integers with operators, literals of a
 * type); instructions that are added to the kernel being read. */
#include "workload/simt/program/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *simt_push(simt_parser *p, simt_list *list, size_t size)
{
    if (list->count == list->room) {
        uint32_t room = list->room ? 2 * list->room : 16;
        char *data = msw_arena_take(p->arena, room * size);
        if (!data) {
            msw_fail_memory(p->err);
            return NULL;
        }
        if (list->count)
            memcpy(data, list->data, list->count * size);
        list->data = data;
        list->room = room;
    }
    void *out = (char *)list->data + list->count++ * size;
    memset(out, 0, size);
    return out;
}

const char *simt_copy(simt_parser *p, const lex_token *token)
{
    char *text = msw_arena_take(p->arena, token->length + 1);
    if (!text) {
        msw_fail_memory(p->err);
        return NULL;
    }
    memcpy(text, p->lex.text + token->start, token->length);
    text[token->length] = '\0';
    return text;
}

/* FNV-1a, with its upper half folded into the bits that select the bucket. */
static uint32_t hash_name(const char *text, uint32_t length)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static simt_name *name_at(const simt_parser *p, uint32_t index)
{
    return (simt_name *)p->names.data + index;
}

/* Newest first, so inner names hide outer ones. Names of callers (depth below p->base) are not
 * visible in a called function, names of the module (depth 0) are. */
static const simt_name *find_name(const simt_parser *p, const char *text, uint32_t length)
{
    uint32_t at = p->buckets[hash_name(text, length) & (p->bucket_count - 1)];
    for (; at; at = name_at(p, at - 1)->next) {
        const simt_name *name = name_at(p, at - 1);
        if (name->length == length && (name->depth == 0 || name->depth >= p->base) &&
            memcmp(name->text, text, length) == 0)
            return name;
    }
    return NULL;
}

simt_name *simt_declare(simt_parser *p, const lex_token *token, simt_name_kind kind, uint32_t value)
{
    const char *text = p->lex.text + token->start;
    const simt_name *old = find_name(p, text, token->length);
    if (old && old->depth == p->depth) {
        simt_fail(p, "%.*s is declared twice", (int)token->length, text);
        return NULL;
    }
    simt_name *name = simt_push(p, &p->names, sizeof *name);
    if (!name)
        return NULL;
    uint32_t bucket = hash_name(text, token->length) & (p->bucket_count - 1);
    *name = (simt_name){text, token->length, p->depth, bucket, p->buckets[bucket], kind, value, 0};
    p->buckets[bucket] = p->names.count;
    return name;
}

const simt_name *simt_lookup(const simt_parser *p, const lex_token *token, uint32_t *value)
{
    const char *text = p->lex.text + token->start;
    const simt_name *name = find_name(p, text, token->length);
    if (name && name->kind != NAME_REGS) {
        *value = name->value;
        return name;
    }
    /* Not declared by itself: it may be one of a set, %r7 of `%r<20>`. Digits are split off the end
     * one by one, as the set's own name may end in digits. */
    uint32_t number = 0, scale = 1, length = token->length;
    while (length > 1 && text[length - 1] >= '0' && text[length - 1] <= '9' && scale < 100000000) {
        length--;
        number += (uint32_t)(text[length] - '0') * scale;
        scale *= 10;
        /* %r07 is no part of %r<20>. */
        if (text[length] == '0' && scale > 10 && length + 1 < token->length)
            continue;
        name = find_name(p, text, length);
        if (name && name->kind == NAME_REGS && number < name->count) {
            *value = name->value + number;
            return name;
        }
    }
    return NULL;
}

/* Names are a stack: the newest of a bucket is its head, so taking them off in order restores every
 * bucket. */
void simt_leave(simt_parser *p, uint32_t depth)
{
    while (p->names.count && name_at(p, p->names.count - 1)->depth > depth) {
        const simt_name *name = name_at(p, p->names.count - 1);
        p->buckets[name->bucket] = name->next;
        p->names.count--;
    }
    p->depth = depth;
}

int simt_fail(simt_parser *p, const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return msw_fail(p->err, "%s:%u: %s", p->lex.file, simt_peek(p)->line, text);
}

const lex_token *simt_peek(const simt_parser *p)
{
    return &p->lex.tokens[p->at < p->lex.count ? p->at : p->lex.count - 1];
}

const lex_token *simt_take(simt_parser *p)
{
    const lex_token *token = simt_peek(p);
    p->at += token->kind != LEX_END;
    p->work++;
    return token;
}

bool simt_accept(simt_parser *p, char mark)
{
    const lex_token *token = simt_peek(p);
    if (token->kind != LEX_MARK || token->mark != mark)
        return false;
    simt_take(p);
    return true;
}

bool simt_accept_word(simt_parser *p, const char *word)
{
    if (!lex_is(&p->lex, simt_peek(p), word))
        return false;
    simt_take(p);
    return true;
}

const char *simt_show(const simt_parser *p, const lex_token *token, char buffer[48])
{
    if (token->kind == LEX_END)
        snprintf(buffer, 48, "the end of the file");
    else
        snprintf(buffer, 48, "'%.*s'", token->length > 40 ? 40 : (int)token->length,
                 p->lex.text + token->start);
    return buffer;
}

int simt_expect(simt_parser *p, char mark)
{
    char buffer[48];
    if (simt_accept(p, mark))
        return 0;
    return simt_fail(p, "expected '%c' before %s", mark, simt_show(p, simt_peek(p), buffer));
}

int simt_skip_bracket(simt_parser *p)
{
    uint32_t depth = 0;
    do {
        const lex_token *token = simt_peek(p);
        if (token->kind == LEX_END)
            return simt_fail(p, "a bracket that does not end");
        if (token->kind == LEX_MARK && strchr("{([", token->mark))
            depth++;
        if (token->kind == LEX_MARK && strchr("})]", token->mark))
            depth--;
        simt_take(p);
    } while (depth);
    return 0;
}

static int sum(simt_parser *p, uint64_t *value, uint32_t depth);

/* Recursive descent over 64-bit integers. The depth is limited: a file of a million brackets must
 * not overflow the stack. */
static int factor(simt_parser *p, uint64_t *value, uint32_t depth)
{
    char buffer[48];
    lex_value number;
    if (depth > SIMT_MOST_DEPTH)
        return simt_fail(p, "a constant with more than %d brackets and signs", SIMT_MOST_DEPTH);
    if (simt_accept(p, '-')) {
        int status = factor(p, value, depth + 1);
        *value = 0 - *value;
        return status;
    }
    if (simt_accept(p, '+'))
        return factor(p, value, depth + 1);
    if (simt_accept(p, '~')) {
        int status = factor(p, value, depth + 1);
        *value = ~*value;
        return status;
    }
    if (simt_accept(p, '(')) {
        MSW_TRY(sum(p, value, depth + 1));
        MSW_TRY(simt_expect(p, ')'));
        return 0;
    }
    const lex_token *token = simt_peek(p);
    if (token->kind != LEX_NUMBER || lex_number(&p->lex, token, &number) || number.is_float ||
        number.is_single)
        return simt_fail(p, "expected an integer before %s", simt_show(p, token, buffer));
    simt_take(p);
    *value = number.bits;
    return 0;
}

static int product(simt_parser *p, uint64_t *value, uint32_t depth)
{
    uint64_t right;
    if (factor(p, value, depth))
        return -1;
    while (simt_accept(p, '*')) {
        if (factor(p, &right, depth))
            return -1;
        *value *= right;
    }
    return 0;
}

static int sum(simt_parser *p, uint64_t *value, uint32_t depth)
{
    uint64_t right;
    if (product(p, value, depth))
        return -1;
    for (;;) {
        bool minus = simt_peek(p)->kind == LEX_MARK && simt_peek(p)->mark == '-';
        if (!minus && !(simt_peek(p)->kind == LEX_MARK && simt_peek(p)->mark == '+'))
            return 0;
        simt_take(p);
        if (product(p, &right, depth))
            return -1;
        *value += minus ? 0 - right : right;
    }
}

int simt_constant(simt_parser *p, uint64_t *value)
{
    return sum(p, value, 0);
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int float_bits(const lex_value *number, bool minus, msw_simt_type type, uint64_t *bits)
{
    float single = 0;
    double value = 0;
    uint32_t half = (uint32_t)number->bits;
    if (number->is_single && type == MSW_SIMT_F32) {
        *bits = number->bits ^ (minus ? 0x80000000u : 0);
        return 0;
    }
    if (number->is_single) {
        memcpy(&single, &half, sizeof single);
        value = (double)single;
    } else if (number->is_float) {
        memcpy(&value, &number->bits, sizeof value);
    } else {
        value = (double)number->bits;
    }
    *bits = double_bits(minus ? -value : value);
    if (type == MSW_SIMT_F32) {
        single = (float)(minus ? -value : value);
        memcpy(&half, &single, sizeof half);
        *bits = half;
    }
    return 0;
}

int simt_literal(simt_parser *p, msw_simt_type type, uint64_t *bits)
{
    lex_value number;
    uint32_t back = p->at;
    bool minus = simt_accept(p, '-');
    const lex_token *token = simt_peek(p);
    if (token->kind == LEX_NUMBER && lex_number(&p->lex, token, &number) == 0) {
        bool wants_float = type == MSW_SIMT_F32 || type == MSW_SIMT_F64;
        if (wants_float) {
            simt_take(p);
            return float_bits(&number, minus, type, bits);
        }
        if (number.is_single || number.is_float) {
            uint32_t wanted = number.is_single ? 4 : 8;
            if (msw_simt_type_bytes(type) != wanted || minus)
                return simt_fail(p, "a floating-point number for an operand of type %s",
                                 msw_simt_type_name(type));
            simt_take(p);
            *bits = number.bits;
            return 0;
        }
    }
    p->at = back;
    return simt_constant(p, bits);
}

simt_operand simt_reg_operand(uint32_t reg, msw_simt_type type)
{
    return (simt_operand){.kind = O_REG, .type = type, .reg = reg};
}

simt_draft *simt_new_draft(simt_parser *p)
{
    if (p->build->insns.count >= SIMT_MOST_INSNS) {
        simt_fail(p, "more than %d instructions, calls inlined", SIMT_MOST_INSNS);
        return NULL;
    }
    simt_draft *draft = simt_push(p, &p->build->insns, sizeof *draft);
    if (draft) {
        draft->guard = draft->label = MSW_SIMT_NONE;
        draft->line = simt_peek(p)->line;
        draft->detail.target = MSW_SIMT_NONE;
    }
    return draft;
}

simt_draft *simt_emit(simt_parser *p, simt_op op, msw_simt_type type, const char *text)
{
    simt_draft *draft = simt_new_draft(p);
    if (draft) {
        draft->text = text;
        draft->detail.op = op;
        draft->detail.type = type;
        draft->detail.type2 = type;
    }
    return draft;
}

int simt_set_operands(simt_parser *p, simt_draft *draft, const simt_operand *dst, uint32_t dsts,
                      const simt_operand *src, uint32_t srcs)
{
    simt_operand *all = msw_arena_take(p->arena, (dsts + srcs + 1) * sizeof *all);
    if (!all)
        return msw_fail_memory(p->err);
    if (dsts)
        memcpy(all, dst, dsts * sizeof *all);
    if (srcs)
        memcpy(all + dsts, src, srcs * sizeof *all);
    draft->detail.dst = all;
    draft->detail.src = all + dsts;
    draft->detail.dst_count = (uint8_t)dsts;
    draft->detail.src_count = (uint8_t)srcs;
    return 0;
}

int simt_jump(simt_parser *p, uint32_t label, uint32_t guard, bool negated)
{
    simt_draft *draft = simt_emit(p, OP_BRA, MSW_SIMT_NO_TYPE, "bra");
    if (!draft)
        return -1;
    draft->guard = guard;
    draft->guard_negated = negated;
    draft->label = label;
    return simt_set_operands(p, draft, NULL, 0, NULL, 0);
}

uint32_t simt_new_label(simt_parser *p)
{
    uint32_t *label = simt_push(p, &p->build->labels, sizeof *label);
    if (!label)
        return MSW_SIMT_NONE;
    *label = MSW_SIMT_NONE;
    return p->build->labels.count - 1;
}

void simt_label_here(simt_parser *p, uint32_t label)
{
    ((uint32_t *)p->build->labels.data)[label] = p->build->insns.count;
}

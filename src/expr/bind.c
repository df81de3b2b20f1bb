/* SPDX-License-Identifier: MIT */
/* Binding converts a value as a column of its type would on being stored. */
#include "expr/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static msw_expr_slot *slot_of(msw_expr *expr, size_t k)
{
    return &expr->slots[expr->used[k]];
}

static msw_expr_type type_of(const msw_expr *expr, size_t k)
{
    return expr->host->names[expr->used[k]].type;
}

static void set_integer(msw_expr_slot *slot, int64_t value)
{
    slot->type = MSW_EXPR_INTEGER;
    slot->integer = value;
}

static void set_real(msw_expr_slot *slot, double value)
{
    slot->type = MSW_EXPR_REAL;
    slot->real = value;
}

static void set_buffer(msw_expr_slot *slot)
{
    slot->type = MSW_EXPR_TEXT;
    slot->text = slot->buffer;
}

void msw_expr_bind_null(msw_expr *expr, size_t k)
{
    slot_of(expr, k)->type = MSW_EXPR_NULL;
}

void msw_expr_bind_integer(msw_expr *expr, size_t k, int64_t value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    switch (type_of(expr, k)) {
    case MSW_EXPR_REAL:
        set_real(slot, (double)value);
        break;
    case MSW_EXPR_TEXT:
        sqlite3_snprintf(sizeof slot->buffer, slot->buffer, "%lld", (long long)value);
        set_buffer(slot);
        break;
    default:
        set_integer(slot, value);
    }
}

static bool is_integer(double value)
{
    return value == floor(value) && fabs(value) < 9223372036854775808.0;
}

void msw_expr_bind_real(msw_expr *expr, size_t k, double value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    msw_expr_type type = type_of(expr, k);
    if (isnan(value)) {
        slot->type = MSW_EXPR_NULL;
    } else if (type == MSW_EXPR_INTEGER && is_integer(value)) {
        set_integer(slot, (int64_t)value);
    } else if (type == MSW_EXPR_TEXT) {
        sqlite3_snprintf(sizeof slot->buffer, slot->buffer, "%!.15g", value);
        set_buffer(slot);
    } else {
        set_real(slot, value);
    }
}

/* A text that is a number in all its length becomes one in a numeric column. */
static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || strpbrk(text, "xXnN")) /* strtod also reads 0x10, inf and nan */
        return false;
    return end[strspn(end, " \t\n\r\f\v")] == '\0';
}

void msw_expr_bind_text(msw_expr *expr, size_t k, const char *value)
{
    msw_expr_slot *slot = slot_of(expr, k);
    msw_expr_type type = type_of(expr, k);
    double number;
    if ((type == MSW_EXPR_INTEGER || type == MSW_EXPR_REAL) && read_number(value, &number)) {
        msw_expr_bind_real(expr, k, number);
    } else {
        slot->type = MSW_EXPR_TEXT;
        slot->text = value;
    }
}

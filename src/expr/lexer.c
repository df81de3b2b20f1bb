/* SPDX-License-Identifier: MIT */
/* Cuts an expression into tokens and knows the words of the language. Every character that SQL
 * could use to leave the expression is refused. */
#include "expr/language.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* ---- keywords and constants ---- */

static const msw_keyword KEYWORDS[] = {
    {.name = "AND"},
    {.name = "AS"},
    {.name = "BETWEEN"},
    {.name = "CASE"},
    {.name = "CAST"},
    {.name = "ELSE"},
    {.name = "END", .ends = true},
    {.name = "ESCAPE"},
    {.name = "FALSE", .ends = true},
    {.name = "GLOB", .list = true},
    {.name = "IN", .list = true},
    {.name = "IS"},
    {.name = "ISNULL", .ends = true},
    {.name = "LIKE", .list = true},
    {.name = "NOT"},
    {.name = "NOTNULL", .ends = true},
    {.name = "NULL", .ends = true},
    {.name = "OR"},
    {.name = "THEN"},
    {.name = "TRUE", .ends = true},
    {.name = "WHEN"},
    {.name = NULL},
};

static const struct {
    const char *name, *number;
} CONSTANTS[] = {{"KiB", "1024"}, {"MiB", "1048576"}, {"GiB", "1073741824"}, {NULL, NULL}};

const msw_keyword *msw_keyword_find(const char *word)
{
    for (const msw_keyword *k = KEYWORDS; k->name; k++)
        if (strcasecmp(k->name, word) == 0)
            return k;
    return NULL;
}

bool msw_cast_type_is(const char *word)
{
    static const char *const TYPES[] = {"INTEGER", "REAL", "TEXT", "NUMERIC"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcasecmp(TYPES[i], word) == 0)
            return true;
    return false;
}

const char *msw_constant_find(const char *word)
{
    for (size_t i = 0; CONSTANTS[i].name; i++)
        if (strcmp(CONSTANTS[i].name, word) == 0)
            return CONSTANTS[i].number;
    return NULL;
}

const char *msw_constant_nearest(const char *wrong)
{
    for (size_t i = 0; CONSTANTS[i].name; i++)
        if (strcasecmp(CONSTANTS[i].name, wrong) == 0)
            return CONSTANTS[i].name;
    return NULL;
}

bool msw_expr_is_keyword(const char *name)
{
    return sqlite3_keyword_check(name, (int)strlen(name)) != 0;
}

/* ---- functions ---- */

enum { MANY = 64 };

/* min and max take two arguments at least: with one they would be aggregates over rows. */
static const msw_function FUNCTIONS[] = {
    {"abs", 1, 1},    {"ceil", 1, 1},    {"ceiling", 1, 1}, {"coalesce", 2, MANY},
    {"cos", 1, 1},    {"degrees", 1, 1}, {"exp", 1, 1},     {"floor", 1, 1},
    {"glob", 2, 2},   {"ifnull", 2, 2},  {"iif", 3, 3},     {"instr", 2, 2},
    {"length", 1, 1}, {"like", 2, 3},    {"ln", 1, 1},      {"log", 1, 2},
    {"log10", 1, 1},  {"log2", 1, 1},    {"lower", 1, 1},   {"max", 2, MANY},
    {"min", 2, MANY}, {"mod", 2, 2},     {"nullif", 2, 2},  {"pi", 0, 0},
    {"pow", 2, 2},    {"power", 2, 2},   {"radians", 1, 1}, {"round", 1, 2},
    {"sign", 1, 1},   {"sin", 1, 1},     {"sqrt", 1, 1},    {"substr", 2, 3},
    {"tanh", 1, 1},   {"trunc", 1, 1},   {"typeof", 1, 1},  {"upper", 1, 1},
    {NULL, 0, 0},
};

const msw_function *msw_function_find(const char *name, size_t size)
{
    for (const msw_function *f = FUNCTIONS; f->name; f++)
        if (strlen(f->name) == size && strncasecmp(f->name, name, size) == 0)
            return f;
    return NULL;
}

int msw_function_refuse(const char *word, msw_err *err)
{
    msw_text allowed = MSW_TEXT_EMPTY;
    const char *nearest = msw_nearest(word, &FUNCTIONS->name, sizeof *FUNCTIONS);
    if (nearest)
        msw_text_add(&allowed, ", did you mean '%s'? allowed:", nearest);
    else
        msw_text_add(&allowed, ", allowed:");
    for (const msw_function *f = FUNCTIONS; f->name; f++)
        msw_text_add(&allowed, "%s %s", f == FUNCTIONS ? "" : ",", f->name);
    msw_fail(err, "the function '%s' is not allowed%s", word, msw_text_str(&allowed));
    msw_text_free(&allowed);
    return -1;
}

/* ---- tokens ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS  "0123456789"

static bool is_letter(char c)
{
    return c && strchr(LETTERS, c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t word_size(const char *text)
{
    size_t size = strspn(text, LETTERS DIGITS);
    while (text[size] == '.' && is_letter(text[size + 1]))
        size += 1 + strspn(text + size + 1, LETTERS DIGITS);
    return size;
}

static size_t exponent_size(const char *text)
{
    if (*text != 'e' && *text != 'E')
        return 0;
    size_t sign = text[1] == '+' || text[1] == '-';
    size_t digits = strspn(text + 1 + sign, DIGITS);
    return digits ? 1 + sign + digits : 0;
}

static size_t number_size(const char *text)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return 2 + strspn(text + 2, DIGITS "abcdefABCDEF");
    size_t size = strspn(text, DIGITS);
    if (text[size] == '.')
        size += 1 + strspn(text + size + 1, DIGITS);
    return size + exponent_size(text + size);
}

static int read_number(const char *text, msw_token *token, msw_err *err)
{
    size_t size = number_size(text), rest = strspn(text + size, LETTERS DIGITS ".");
    if (rest > 0)
        return msw_fail(err,
                        "'%.*s' is neither a number nor a name; a product is written with *: "
                        "%.*s*%.*s",
                        (int)(size + rest), text, (int)size, text, (int)rest, text + size);
    *token = (msw_token){MSW_TOKEN_NUMBER, text, size};
    return 0;
}

/* A quote is written twice to appear inside the text. */
static int read_quoted(const char *text, msw_token *token, msw_err *err)
{
    char quote = *text;
    size_t size = 1;
    while (text[size] && (text[size] != quote || text[size + 1] == quote))
        size += text[size] == quote ? 2 : 1;
    if (!text[size])
        return msw_fail(err, "%.40s has no closing %c", text, quote);
    *token = (msw_token){quote == '"' ? MSW_TOKEN_QUOTED : MSW_TOKEN_STRING, text, size + 1};
    return 0;
}

/* A whole UTF-8 character, so that messages stay readable. */
static size_t character_size(const char *text)
{
    size_t size = 1;
    while (size < 4 && ((unsigned char)text[size] & 0xc0) == 0x80)
        size++;
    return size;
}

/* Why a character is not allowed here, for those that SQL, C or Python would allow. */
static const struct {
    const char *found, *hint;
} REFUSED[] = {
    {"--", "comments have no place here, and a minus before a minus needs a space"},
    {"/*", "comments have no place here"},
    {";", "write one expression"},
    {"?", "write a name or a number, values cannot be bound"},
    {":", "write a name or a number, values cannot be bound"},
    {"@", "write a name or a number, values cannot be bound"},
    {"$", "write a name or a number, values cannot be bound"},
    {"#", "write a name or a number, values cannot be bound"},
    {"[", "write names as they are, or in double quotes"},
    {"`", "write names as they are, or in double quotes"},
    {"||", "write OR (in SQL '||' would join two texts)"},
    {"&&", "write AND"},
    {"!", "write NOT"},
    {"^", "write pow(a, b)"},
    {"**", "write pow(a, b)"},
    {"->", "only arithmetic, comparisons and functions are"},
};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static size_t operator_size(const char *text)
{
    static const char *const TWO[] = {"<=", ">=", "<>", "!=", "==", "<<", ">>"};
    for (size_t i = 0; i < sizeof TWO / sizeof *TWO; i++)
        if (starts_with(text, TWO[i]))
            return 2;
    return strchr("+-*/%<>=&|~", *text) ? 1 : 0;
}

static int read_operator(const char *text, msw_token *token, msw_err *err)
{
    size_t size = operator_size(text);
    /* "!" is refused, but not as the beginning of "!="; "--" is, though "-" is fine. */
    for (size_t i = 0; size < 2 && i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (starts_with(text, REFUSED[i].found))
            return msw_fail(err, "'%s' is not allowed: %s", REFUSED[i].found, REFUSED[i].hint);
    if (size == 0)
        return msw_fail(err, "'%.*s' is not part of the language", (int)character_size(text), text);
    *token = (msw_token){MSW_TOKEN_OPERATOR, text, size};
    return 0;
}

int msw_token_read(const char *text, msw_token *token, msw_err *err)
{
    text += strspn(text, " \t\n\r\f");
    *token = (msw_token){MSW_TOKEN_END, text, 0};
    if (*text == '\0')
        return 0;
    if (is_digit(*text) || (*text == '.' && is_digit(text[1])))
        return read_number(text, token, err);
    if (*text == '\'' || *text == '"')
        return read_quoted(text, token, err);
    if (is_letter(*text))
        *token = (msw_token){MSW_TOKEN_WORD, text, word_size(text)};
    else if (*text == '(')
        *token = (msw_token){MSW_TOKEN_OPEN, text, 1};
    else if (*text == ')')
        *token = (msw_token){MSW_TOKEN_CLOSE, text, 1};
    else if (*text == ',')
        *token = (msw_token){MSW_TOKEN_COMMA, text, 1};
    else
        return read_operator(text, token, err);
    return 0;
}

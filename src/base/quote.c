/* SPDX-License-Identifier: MIT */
#include "memsweep/base/quote.h"

#include "memsweep/base/hash.h"

#include <stdlib.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static const char REPLACEMENT[] = "\xef\xbf\xbd"; /* U+FFFD */

/* ---- characters ---- */

/* Well-formed sequences: Unicode 15, table 3-7. */
size_t msw_utf8_length(const char *bytes, size_t left)
{
    const unsigned char *s = (const unsigned char *)bytes;
    if (left == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    size_t size = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : size;
}

/* The next character of a string; `size` 1 and `code` U+FFFD where there is none. */
typedef struct character {
    unsigned code;
    size_t size;
    bool valid;
} character;

static character next(const char *at)
{
    const unsigned char *s = (const unsigned char *)at;
    size_t size = msw_utf8_length(at, strnlen(at, 4));
    if (size < 2)
        return (character){size ? s[0] : 0xfffd, 1, size == 1};
    unsigned code = s[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (s[i] & 0x3fu);
    return (character){code, size, true};
}

static void add_character(msw_text *text, const char *at, character c)
{
    if (c.valid)
        msw_text_add_bytes(text, at, c.size);
    else
        msw_text_add_bytes(text, REPLACEMENT, sizeof REPLACEMENT - 1);
}

static bool is_control(unsigned code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Characters that YAML and terminals take for a line end or a mark besides the control characters:
 * line and paragraph separator, byte order mark, non-characters, and marks that turn text around.
 */
static bool is_odd(unsigned code)
{
    return is_control(code) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

static void add_between(msw_text *text, const char *string, char quote)
{
    msw_text_add_bytes(text, &quote, 1);
    for (const char *s = string; *s; s++) {
        if (*s == quote)
            msw_text_add_bytes(text, &quote, 1);
        msw_text_add_bytes(text, s, 1);
    }
    msw_text_add_bytes(text, &quote, 1);
}

/* ---- JSON, YAML ---- */

/* Returns whether the character had to be written in another way. */
static bool add_escape(msw_text *text, unsigned code)
{
    if (code == '"' || code == '\\')
        msw_text_add(text, "\\%c", (int)code);
    else if (code == '\n' || code == '\t')
        msw_text_add(text, code == '\n' ? "\\n" : "\\t");
    else if (is_odd(code))
        msw_text_add(text, "\\u%04x", code);
    else
        return false;
    return true;
}

void msw_text_add_json(msw_text *text, const char *string)
{
    msw_text_add_bytes(text, "\"", 1);
    for (const char *s = string; *s;) {
        character c = next(s);
        if (!add_escape(text, c.code))
            add_character(text, s, c);
        s += c.size;
    }
    msw_text_add_bytes(text, "\"", 1);
}

/* Words that YAML readers of this or that age take for something else. */
static bool is_reserved(const char *word)
{
    static const char *const WORDS[] = {"null", "true", "false", "yes", "no", "on",
                                        "off",  "y",    "n",     "inf", "nan"};
    char lower[8] = "";
    for (size_t i = 0; i + 1 < sizeof lower && word[i]; i++)
        lower[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 'a' - 'A' : word[i]);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(lower, WORDS[i]) == 0)
            return true;
    return false;
}

static bool is_plain_yaml(const char *string)
{
    return *string && strchr(LETTERS "_", *string) &&
           string[strspn(string, LETTERS DIGITS "_./@+-")] == '\0' && !is_reserved(string);
}

void msw_text_add_yaml(msw_text *text, const char *string)
{
    if (is_plain_yaml(string)) {
        msw_text_add_bytes(text, string, strlen(string));
        return;
    }
    msw_text_add_json(text, string);
}

/* ---- SQL ---- */

void msw_text_add_sql_name(msw_text *text, const char *name)
{
    add_between(text, name, '"');
}

void msw_text_add_sql_string(msw_text *text, const char *string)
{
    add_between(text, string, '\'');
}

/* ---- the shell ---- */

static void add_shell(msw_text *text, const char *word, size_t size)
{
    msw_text_add_bytes(text, "'", 1);
    for (size_t i = 0; i < size; i++)
        if (word[i] == '\'')
            msw_text_add_bytes(text, "'\\''", 4);
        else
            msw_text_add_bytes(text, word + i, 1);
    msw_text_add_bytes(text, "'", 1);
}

static bool is_plain_shell(const char *word, size_t size)
{
    return size && strspn(word, LETTERS DIGITS "_./-+:,=@%") >= size;
}

void msw_text_add_shell(msw_text *text, const char *word)
{
    if (is_plain_shell(word, strlen(word)))
        msw_text_add_bytes(text, word, strlen(word));
    else
        add_shell(text, word, strlen(word));
}

/* Finds the name in $NAME or ${NAME}. Returns the length of it all, 0 when there is none. */
static size_t find_variable(const char *at, const char **name, size_t *size)
{
    bool braced = at[0] == '$' && at[1] == '{';
    *name = at + 1 + braced;
    *size = strspn(*name, LETTERS DIGITS "_");
    if (at[0] != '$' || !*size || strchr(DIGITS, **name) || (braced && (*name)[*size] != '}'))
        return 0;
    return *size + 1 + 2 * (size_t)braced;
}

void msw_text_add_shell_vars(msw_text *text, const char *word)
{
    const char *name;
    size_t size;
    for (const char *at = word; *at;) {
        size_t used = find_variable(at, &name, &size);
        if (used) {
            msw_text_add(text, "\"${%.*s}\"", (int)size, name);
            at += used;
            continue;
        }
        size = 1 + strcspn(at + 1, "$");
        if (is_plain_shell(at, size))
            msw_text_add_bytes(text, at, size);
        else
            add_shell(text, at, size);
        at += size;
    }
    if (!*word)
        msw_text_add_bytes(text, "''", 2);
}

/* ---- HTML, Markdown ---- */

static const char *html_entity(unsigned code)
{
    switch (code) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default: /* XML has no place for control characters */
        return is_control(code) && code != '\n' && code != '\t' ? REPLACEMENT : NULL;
    }
}

void msw_text_add_html(msw_text *text, const char *string)
{
    for (const char *s = string; *s;) {
        character c = next(s);
        const char *entity = html_entity(c.code);
        if (entity)
            msw_text_add_bytes(text, entity, strlen(entity));
        else
            add_character(text, s, c);
        s += c.size;
    }
}

/* A '<' before a letter, '/', '!' or '?' would start a tag; alone it stays what it is. */
void msw_text_add_markdown(msw_text *text, const char *string)
{
    for (const char *s = string; *s;) {
        character c = next(s);
        if (is_control(c.code))
            msw_text_add_bytes(text, " ", 1);
        else if (c.code == '|')
            msw_text_add_bytes(text, "\\|", 2);
        else if (c.code == '<' && s[1] && strchr(LETTERS "/!?", s[1]))
            msw_text_add_bytes(text, "&lt;", 4);
        else
            add_character(text, s, c);
        s += c.size;
    }
}

/* ---- gnuplot ---- */

/* In double quotes everything but letters, digits and a few marks is written in octal. Versions of
 * gnuplot read three or four octal digits, so none may follow as it is. */
void msw_text_add_gnuplot(msw_text *text, const char *string)
{
    bool escaped = false;
    msw_text_add_bytes(text, "\"", 1);
    for (const char *s = string; *s; s++) {
        bool digit = *s >= '0' && *s <= '7';
        escaped = !strchr(LETTERS DIGITS " _.,:/()+-*=", *s) || (escaped && digit);
        if (escaped)
            msw_text_add(text, "\\%03o", (unsigned char)*s);
        else
            msw_text_add_bytes(text, s, 1);
    }
    msw_text_add_bytes(text, "\"", 1);
}

static const char *like_character(const char *at, unsigned code)
{
    if (is_odd(code))
        return " ";
    if (code == '"')
        return "\xe2\x80\x9d"; /* right double quotation mark */
    if (code == '\\')
        return "\xe2\x88\x96"; /* set minus */
    return code == '&' && at[1] == '#' ? "\xef\xbc\x86" /* fullwidth ampersand */ : NULL;
}

/* Blanks at the ends would be lost in a table. */
void msw_text_add_label(msw_text *text, const char *string)
{
    size_t start = text->size;
    for (const char *s = string; *s;) {
        character c = next(s);
        const char *like = like_character(s, c.code);
        s += c.size;
        if (like && *like == ' ')
            c = (character){' ', 1, true};
        if (c.code == ' ' && text->size == start)
            continue;
        if (like)
            msw_text_add_bytes(text, like, strlen(like));
        else
            add_character(text, s - c.size, c);
    }
    while (text->size > start && text->data[text->size - 1] == ' ')
        text->data[--text->size] = '\0';
}

/* ---- tables ---- */

void msw_text_add_tsv(msw_text *text, const char *string)
{
    static const char MARKS[] = "\t\n\r\\", LETTER[] = "tnr\\";
    for (const char *s = string; *s;) {
        size_t size = strcspn(s, MARKS);
        msw_text_add_bytes(text, s, size);
        s += size;
        if (*s)
            msw_text_add(text, "\\%c", LETTER[strchr(MARKS, *s) - MARKS]), s++;
    }
}

void msw_text_add_csv(msw_text *text, const char *string)
{
    size_t size = strlen(string);
    bool blank = size && (strchr(" \t#", *string) || strchr(" \t", string[size - 1]));
    if (blank || strpbrk(string, ",\"\r\n"))
        add_between(text, string, '"');
    else
        msw_text_add_bytes(text, string, size);
}

/* ---- terminals ---- */

void msw_text_add_visible(msw_text *text, const char *string)
{
    for (const char *s = string; *s;) {
        character c = next(s);
        if (c.code == '\n' || c.code == '\t')
            msw_text_add(text, c.code == '\n' ? "\\n" : "\\t");
        else if (c.code != 0xfffd && is_odd(c.code))
            msw_text_add(text, c.code < 0x100 ? "\\x%02x" : "\\u%04x", c.code);
        else
            add_character(text, s, c);
        s += c.size;
    }
}

void msw_text_add_visible_lines(msw_text *text, const char *string)
{
    for (const char *s = string; *s;) {
        size_t size = strcspn(s, "\n");
        char *line = msw_strfmt("%.*s", (int)size, s);
        msw_text_add_visible(text, line ? line : "");
        text->failed = text->failed || !line;
        free(line);
        s += size;
        if (*s)
            msw_text_add_bytes(text, s++, 1);
    }
}

/* ---- file names ---- */

enum { FILE_NAME_KEPT = 80 };

/* A long one keeps its start and gets a digest of all of it. */
void msw_text_add_file_name(msw_text *text, const char *string)
{
    size_t start = text->size;
    for (const char *s = string; *s && text->size - start < FILE_NAME_KEPT; s++)
        if (strchr(LETTERS DIGITS "_@", *s) || (s > string && strchr("-.", *s)))
            msw_text_add_bytes(text, s, 1);
        else
            msw_text_add(text, "%%%02X", (unsigned char)*s);
    if (!*string)
        msw_text_add_bytes(text, "%", 1);
    if (text->size - start >= FILE_NAME_KEPT) {
        char digest[MSW_DIGEST_TEXT];
        msw_text_add(text, "%%%s", msw_digest_text(msw_hash_bytes(string, strlen(string)), digest));
    }
}

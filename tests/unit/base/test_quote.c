/* SPDX-License-Identifier: MIT */
/* Does any text stay one text in every language we write? Random bytes (controls, quotes, bad
 * UTF-8, very long) go there and back through a reader of that language: gnuplot, the shell and our
 * YAML and CSV readers where they are, a few lines here for the rest. */
#include "memsweep/base/csv.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/rng.h"
#include "sweep/loader.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXTS = 400, LONG = 40000 };

typedef void (*quote_fn)(msw_text *text, const char *string);

/* What has broken something somewhere. */
static const char *const HARD[] = {
    "",
    "a",
    "'",
    "\"",
    "\\",
    "\n",
    "it's\n\"system(\"touch X\")\"",
    "`touch X`",
    "$(touch X)",
    "@a @b",
    "\0012\0013",
    "\00129",
    "a\\",
    "</script><!--",
    "&amp;&#x3c;",
    "null",
    "~",
    "1e3",
    "- a",
    "a: b",
    "#x",
    " a ",
    "../../x",
    ".",
    "..",
    "-rf",
    "%s%n",
    "\xff\xfe",
    "\xc3",
    "\xed\xa0\x80",
    "\xe2\x80\xa8x\xc2\x85",
    "\xef\xbb\xbfx",
    "\x7f\x1b[31m",
    "a\tb",
    "a,b",
    "\r\n",
    "''",
    "\"\"",
    "{a}_b^c",
    "$HOME",
    "${x",
    "NaN",
};
enum { HARD_COUNT = sizeof HARD / sizeof *HARD };

/* Text number i: the hard ones first; then from few letters, from all bytes, of them a long one. */
static char *make(size_t i)
{
    static const char LETTERS[] = "'\"\\`$@{}<>&;#%|\n\r\t ,:-.017ax\x01\x1b\xc3\xa9";
    if (i < HARD_COUNT)
        return msw_strdup(HARD[i]);
    msw_rng rng;
    msw_rng_init(&rng, 7, i);
    size_t size = i == HARD_COUNT ? LONG : msw_rng_below(&rng, 60);
    char *text = malloc(size + 1);
    for (size_t k = 0; k < size; k++)
        text[k] = i % 2 ? LETTERS[msw_rng_below(&rng, sizeof LETTERS - 1)]
                        : (char)(1 + msw_rng_below(&rng, 255));
    text[size] = '\0';
    return text;
}

/* As Unicode languages hold it. */
static char *valid(const char *string)
{
    msw_text out = MSW_TEXT_EMPTY;
    for (const char *s = string; *s;) {
        size_t size = msw_utf8_length(s, strlen(s));
        msw_text_add_bytes(&out, size ? s : "\xef\xbf\xbd", size ? size : 3);
        s += size ? size : 1;
    }
    char *copy = msw_strdup(msw_text_str(&out));
    msw_text_free(&out);
    return copy;
}

static char *quoted(quote_fn quote, const char *string)
{
    msw_text out = MSW_TEXT_EMPTY;
    quote(&out, string);
    assert_false(out.failed);
    char *copy = msw_strdup(msw_text_str(&out));
    msw_text_free(&out);
    return copy;
}

/* ---- readers ---- */

static void add_code(msw_text *out, unsigned code)
{
    char bytes[4];
    size_t size = 0;
    if (code < 0x80)
        bytes[size++] = (char)code;
    else if (code < 0x800)
        bytes[size++] = (char)(0xc0 | code >> 6);
    else
        bytes[size++] = (char)(0xe0 | code >> 12), bytes[size++] = (char)(0x80 | (code >> 6 & 63));
    if (code >= 0x80)
        bytes[size++] = (char)(0x80 | (code & 63));
    msw_text_add_bytes(out, bytes, size);
}

/* A string of JSON (RFC 8259); fails where a byte may not stand. */
static void read_json(const char *json, msw_text *out)
{
    size_t size = strlen(json);
    assert_true(size >= 2 && json[0] == '"' && json[size - 1] == '"');
    for (const char *s = json + 1; s < json + size - 1;) {
        size_t step = msw_utf8_length(s, strlen(s));
        assert_true(step && (unsigned char)*s >= 0x20 && *s != '"');
        if (*s != '\\') {
            msw_text_add_bytes(out, s, step);
            s += step;
        } else if (s[1] == 'u') {
            add_code(out, (unsigned)strtoul((char[]){s[2], s[3], s[4], s[5], 0}, NULL, 16));
            s += 6;
        } else {
            assert_non_null(strchr("nt\"\\", s[1]));
            add_code(out, s[1] == 'n' ? '\n' : s[1] == 't' ? '\t' : (unsigned)s[1]);
            s += 2;
        }
    }
}

static void read_doubled(const char *text, char quote, msw_text *out)
{
    size_t size = strlen(text);
    assert_true(size >= 2 && text[0] == quote && text[size - 1] == quote);
    for (const char *s = text + 1; s < text + size - 1; s++) {
        if (*s == quote)
            assert_int_equal(*++s, quote);
        assert_true(s < text + size - 1);
        msw_text_add_bytes(out, s, 1);
    }
}

static void read_name(const char *text, msw_text *out)
{
    read_doubled(text, '"', out);
}

static void read_string(const char *text, msw_text *out)
{
    read_doubled(text, '\'', out);
}

static void read_html(const char *html, msw_text *out)
{
    static const char *const ENTITIES[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
    assert_null(strpbrk(html, "<>\"'"));
    for (const char *s = html; *s;) {
        size_t i = 5, size = 1;
        if (*s == '&')
            for (i = 0; i < 5 && strncmp(s, ENTITIES[i][0], strlen(ENTITIES[i][0])) != 0;)
                i++;
        assert_true(*s != '&' || i < 5);
        if (i < 5)
            size = strlen(ENTITIES[i][0]);
        msw_text_add_bytes(out, i < 5 ? ENTITIES[i][1] : s, 1);
        s += size;
    }
}

static void read_tsv(const char *text, msw_text *out)
{
    assert_null(strpbrk(text, "\t\n\r"));
    for (const char *s = text; *s; s++) {
        const char *escaped = *s == '\\' ? strchr("t\tn\nr\r\\\\", *++s) : NULL;
        msw_text_add_bytes(out, escaped ? escaped + 1 : s, 1);
    }
}

static void read_csv(const char *text, msw_text *out)
{
    char *line = msw_strfmt("a,%s,b\n", text);
    msw_csv csv;
    msw_err err = {0};
    msw_csv_start(&csv, "test", line);
    assert_int_equal(msw_csv_next(&csv, &err), 1);
    assert_int_equal(csv.count, 3);
    assert_string_equal(csv.fields[2], "b");
    msw_text_add(out, "%s", csv.fields[1]);
    free(line);
}

static void read_yaml(const char *text, msw_text *out)
{
    char *line = msw_strfmt("a: [%s, x]\nb: %s\n", text, text);
    msw_arena arena = {0};
    msw_diagnostics notes = {0};
    msw_node *root = NULL;
    assert_null(strchr(text, '\n'));
    assert_int_equal(msw_sweep_parse("test", line, strlen(line), &arena, &notes, &root), 0);
    const msw_node *list = msw_node_get(root, "a"), *value = msw_node_get(root, "b");
    assert_int_equal(root->count, 2);
    assert_int_equal(list->count, 2);
    assert_int_equal(value->kind, MSW_NODE_SCALAR);
    assert_string_equal(list->items[0]->text, value->text);
    msw_text_add(out, "%s", value->text);
    msw_arena_free(&arena);
    free(line);
}

/* ---- there and back ---- */

static void check(quote_fn quote, void (*read)(const char *, msw_text *), bool unicode)
{
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *wanted = unicode ? valid(text) : msw_strdup(text);
        char *written = quoted(quote, text);
        msw_text back = MSW_TEXT_EMPTY;
        read(written, &back);
        assert_string_equal(msw_text_str(&back), wanted);
        msw_text_free(&back);
        free(text);
        free(wanted);
        free(written);
    }
}

static void json_is_read_back(void **state)
{
    (void)state;
    check(msw_text_add_json, read_json, true);
}

static void yaml_is_read_back(void **state)
{
    (void)state;
    check(msw_text_add_yaml, read_yaml, true);
}

static void sql_is_read_back(void **state)
{
    (void)state;
    check(msw_text_add_sql_name, read_name, false);
    check(msw_text_add_sql_string, read_string, false);
}

static void tables_are_read_back(void **state)
{
    (void)state;
    check(msw_text_add_tsv, read_tsv, false);
    check(msw_text_add_csv, read_csv, false);
}

static bool has_control(const char *text)
{
    for (const char *s = text; *s; s++)
        if (((unsigned char)*s < 0x20 && *s != '\n' && *s != '\t') || *s == 0x7f ||
            (*s == '\xc2' && (unsigned char)s[1] < 0xa0))
            return true;
    return false;
}

/* Control characters are replaced: texts without them come back. */
static void html_is_read_back(void **state)
{
    (void)state;
    size_t compared = 0;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *wanted = valid(text), *written = quoted(msw_text_add_html, text);
        msw_text back = MSW_TEXT_EMPTY;
        read_html(written, &back);
        assert_false(has_control(written));
        if (!has_control(wanted)) {
            assert_string_equal(msw_text_str(&back), wanted);
            compared++;
        }
        msw_text_free(&back);
        free(text);
        free(wanted);
        free(written);
    }
    assert_true(compared > 20);
}

/* ---- through other programs ---- */

static const char MARK[] = "\002end of a text\002";

/* Runs `command` on a script and compares what it prints with all the texts, each followed by MARK.
 */
static void compare(const char *command, const msw_text *script, const msw_text *wanted)
{
    char path[] = "/tmp/memsweep-quote-XXXXXX", *line;
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, script->data, script->size) == (ssize_t)script->size);
    close(fd);
    line = msw_strfmt("%s %s 2>&1", command, path);
    FILE *pipe = popen(line, "r");
    char *got = malloc(wanted->size + 2);
    size_t size = fread(got, 1, wanted->size + 1, pipe);
    pclose(pipe);
    unlink(path);
    got[size] = '\0';
    assert_int_equal(size, wanted->size);
    assert_memory_equal(got, wanted->data, size);
    free(got);
    free(line);
}

static bool is_there(const char *program)
{
    char *line = msw_strfmt("command -v %s >/dev/null 2>&1", program);
    bool there = system(line) == 0;
    free(line);
    return there;
}

static void shell_reads_it_back(void **state)
{
    (void)state;
    msw_text script = MSW_TEXT_EMPTY, wanted = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i);
        msw_text_add(&script, "printf %%s ");
        msw_text_add_shell(&script, text);
        msw_text_add_shell(&script, MARK);
        msw_text_add(&script, "\n");
        msw_text_add(&wanted, "%s%s", text, MARK);
        free(text);
    }
    compare("sh", &script, &wanted);
    if (is_there("bash"))
        compare("bash", &script, &wanted);
    msw_text_free(&script);
    msw_text_free(&wanted);
}

static void shell_fills_in_names_only(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"/local/$USER_X/${JOB}x", "/local/ann b/7*x"},
        {"$USER_X;touch X", "ann b;touch X"},
        {"$(touch X)`touch X`", "$(touch X)`touch X`"},
        {"${JOB:-$(touch X)}", "${JOB:-$(touch X)}"},
        {"$1$", "$1$"},
        {"a\n'\"$JOB\"", "a\n'\"7*\""},
        {"", ""},
    };
    msw_text script = MSW_TEXT_EMPTY, wanted = MSW_TEXT_EMPTY;
    msw_text_add(&script, "USER_X='ann b'\nJOB='7*'\n");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_text_add(&script, "printf '%%s|' ");
        msw_text_add_shell_vars(&script, CASES[i][0]);
        msw_text_add(&script, "\n");
        msw_text_add(&wanted, "%s|", CASES[i][1]);
    }
    compare("sh", &script, &wanted);
    msw_text_free(&script);
    msw_text_free(&wanted);
}

static void shell_words_stay_readable(void **state)
{
    (void)state;
    static const char *const WORDS[][2] = {
        {"a/b-c.yaml", "a/b-c.yaml"}, {"", "''"},     {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},       {"$x", "'$x'"},
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        char *out = quoted(msw_text_add_shell, WORDS[i][0]);
        assert_string_equal(out, WORDS[i][1]);
        free(out);
    }
}

/* As a constant, and as a constant inside the text of an `eval`. */
static void gnuplot_reads_it_back(void **state)
{
    (void)state;
    if (!is_there("gnuplot"))
        skip();
    msw_text script = MSW_TEXT_EMPTY, wanted = MSW_TEXT_EMPTY, inner = MSW_TEXT_EMPTY;
    msw_text_add(&script, "a = 'macro'\nb = 'macro'\nset macros\nset print '-'\n");
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i);
        msw_text_clear(&inner);
        msw_text_add(&inner, "print ");
        msw_text_add_gnuplot(&inner, text);
        msw_text_add(&inner, ".");
        msw_text_add_gnuplot(&inner, MARK);
        msw_text_add(&script, "%s\neval ", msw_text_str(&inner));
        msw_text_add_gnuplot(&script, msw_text_str(&inner));
        msw_text_add(&script, "\n");
        msw_text_add(&wanted, "%s%s\n%s%s\n", text, MARK, text, MARK);
        free(text);
    }
    compare("gnuplot -d", &script, &wanted);
    msw_text_free(&script);
    msw_text_free(&wanted);
    msw_text_free(&inner);
}

/* A label in a table is the same text as the label in a script. */
static void gnuplot_reads_labels_in_tables(void **state)
{
    (void)state;
    if (!is_there("gnuplot"))
        skip();
    msw_text script = MSW_TEXT_EMPTY, wanted = MSW_TEXT_EMPTY, names = MSW_TEXT_EMPTY;
    msw_text_add(&script, "set encoding utf8\nset datafile separator tab columnheaders\n"
                          "set datafile commentschars ''\nset datafile missing NaN\nset print '-'\n"
                          "$t << END_OF_TABLE\nx\tlabel\ty\n");
    size_t count = 0;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *label = quoted(msw_text_add_label, text);
        if (*label && strlen(label) < 1000 && strcmp(label, "NaN") != 0) {
            msw_text_add(&script, "1\t%s\t2\n", label);
            msw_text_add(&names, "name[%zu] = ", ++count);
            msw_text_add_gnuplot(&names, label);
            msw_text_add(&names, "\n");
        }
        free(text);
        free(label);
    }
    msw_text_add(&script, "END_OF_TABLE\narray name[%zu]\n%s", count, msw_text_str(&names));
    msw_text_add(&script,
                 "n = 0\nsame = 0\nstats $t using (n = n + 1, same = same + (strcol('label')"
                 " eq name[n]), column('y')) nooutput\nprint n, same\n");
    msw_text_add(&wanted, "%zu %zu\n", count, count);
    compare("gnuplot -d", &script, &wanted);
    msw_text_free(&script);
    msw_text_free(&wanted);
    msw_text_free(&names);
}

/* ---- languages that are not read back ---- */

static void labels_are_one_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *label = quoted(msw_text_add_label, text), *again = valid(label);
        assert_string_equal(label, again);
        assert_null(strpbrk(label, "\n\t\r\"\\\x01\x1b"));
        assert_null(strstr(label, "&#"));
        free(text);
        free(label);
        free(again);
    }
    char *label = quoted(msw_text_add_label, " size (KiB)\n");
    assert_string_equal(label, "size (KiB)");
    free(label);
}

static void terminals_obey_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *shown = quoted(msw_text_add_visible, text), *again = valid(shown);
        assert_string_equal(shown, again);
        for (const char *s = shown; *s; s++)
            assert_true((unsigned char)*s >= 0x20 && *s != 0x7f &&
                        !(*s == '\xc2' && (unsigned char)s[1] < 0xa0));
        free(text);
        free(shown);
        free(again);
    }
    char *shown = quoted(msw_text_add_visible, "\x1b]0;x\a caf\xc3\xa9\n");
    assert_string_equal(shown, "\\x1b]0;x\\x07 caf\xc3\xa9\\n");
    free(shown);
    shown = quoted(msw_text_add_visible_lines, "a\x1b[1m\n\nb\r\n");
    assert_string_equal(shown, "a\\x1b[1m\n\nb\\x0d\n");
    free(shown);
}

static void markdown_has_no_tags(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = make(i), *shown = quoted(msw_text_add_markdown, text);
        assert_null(strpbrk(shown, "\n\r"));
        assert_null(strstr(shown, "<!--"));
        assert_null(strstr(shown, "</"));
        free(text);
        free(shown);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void file_names_are_one_name(void **state)
{
    (void)state;
    char *names[TEXTS], *texts[TEXTS];
    for (size_t i = 0; i < TEXTS; i++) {
        texts[i] = make(i);
        names[i] = quoted(msw_text_add_file_name, texts[i]);
        assert_true(*names[i] && strlen(names[i]) < 200);
        assert_null(strpbrk(names[i], "/\\\n\t'\"` *?$"));
        assert_true(names[i][0] != '.' && names[i][0] != '-');
    }
    qsort(names, TEXTS, sizeof *names, by_text);
    qsort(texts, TEXTS, sizeof *texts, by_text);
    size_t same_names = 0, same_texts = 0;
    for (size_t i = 0; i + 1 < TEXTS; i++) {
        same_names += strcmp(names[i], names[i + 1]) == 0;
        same_texts += strcmp(texts[i], texts[i + 1]) == 0;
    }
    assert_int_equal(same_names, same_texts);
    for (size_t i = 0; i < TEXTS; i++) {
        free(names[i]);
        free(texts[i]);
    }
    char *name = quoted(msw_text_add_file_name, "quick-start_2.b@full");
    assert_string_equal(name, "quick-start_2.b@full");
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_read_back),
        cmocka_unit_test(yaml_is_read_back),
        cmocka_unit_test(sql_is_read_back),
        cmocka_unit_test(tables_are_read_back),
        cmocka_unit_test(html_is_read_back),
        cmocka_unit_test(shell_reads_it_back),
        cmocka_unit_test(shell_fills_in_names_only),
        cmocka_unit_test(shell_words_stay_readable),
        cmocka_unit_test(gnuplot_reads_it_back),
        cmocka_unit_test(gnuplot_reads_labels_in_tables),
        cmocka_unit_test(labels_are_one_line),
        cmocka_unit_test(terminals_obey_nothing),
        cmocka_unit_test(markdown_has_no_tags),
        cmocka_unit_test(file_names_are_one_name),
    };
    return cmocka_run_group_tests_name("quote", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Do expressions compute what SQL computes over typed columns, and is everything else refused with
 * a message that names the culprit? */
#include "expr/language.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static const msw_expr_name NAMES[] = {
    {"ptw_count", MSW_EXPR_INTEGER}, {"size", MSW_EXPR_INTEGER},      {"cycles", MSW_EXPR_REAL},
    {"policy", MSW_EXPR_TEXT},       {"npu.batch", MSW_EXPR_INTEGER}, {"key", MSW_EXPR_TEXT},
    {"missing", MSW_EXPR_REAL},      {"round", MSW_EXPR_INTEGER},     {"version", MSW_EXPR_TEXT},
};

enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

static msw_expr_host *open_host(void)
{
    msw_err err;
    msw_expr_host *host;
    assert_ok(msw_expr_host_new(NAMES, NAME_COUNT, &host, &err), err);
    return host;
}

/* ptw_count 8, size 4096, cycles 2.5, policy 'lru', npu.batch 4, key 'k', missing NULL, round 3,
 * version 5 (bound as a number, kept as text) */
static void bind_usual(msw_expr *expr)
{
    const int *used;
    size_t count = msw_expr_used(expr, &used);
    for (size_t k = 0; k < count; k++)
        switch (used[k]) {
        case 0:
            msw_expr_bind_integer(expr, k, 8);
            break;
        case 1:
            msw_expr_bind_real(expr, k, 4096);
            break;
        case 2:
            msw_expr_bind_real(expr, k, 2.5);
            break;
        case 3:
            msw_expr_bind_text(expr, k, "lru");
            break;
        case 4:
            msw_expr_bind_integer(expr, k, 4);
            break;
        case 5:
            msw_expr_bind_text(expr, k, "k");
            break;
        case 6:
            msw_expr_bind_null(expr, k);
            break;
        case 7:
            msw_expr_bind_integer(expr, k, 3);
            break;
        default:
            msw_expr_bind_integer(expr, k, 5);
        }
}

static void show(const msw_expr_value *value, char text[64])
{
    if (value->type == MSW_EXPR_INTEGER)
        snprintf(text, 64, "%lld", (long long)value->integer);
    else if (value->type == MSW_EXPR_REAL)
        snprintf(text, 64, "%.15g real", value->real);
    else
        snprintf(text, 64, "%s", value->type == MSW_EXPR_TEXT ? value->text : "null");
}

static void evaluate(msw_expr_host *host, const char *text, char shown[64])
{
    msw_err err;
    msw_expr *expr;
    msw_expr_value value;
    if (msw_expr_new(host, text, &expr, &err) != 0)
        fail_msg("%s: %s", text, err.text);
    bind_usual(expr);
    assert_ok(msw_expr_eval(expr, &value, &err), err);
    show(&value, shown);
    msw_expr_free(expr);
}

/* Values: the rules of SQL as SQLite documents them; logarithms and roots of exact powers. */
static const struct {
    const char *text, *value;
} ACCEPTED[] = {
    {"ptw_count * 2", "16"},
    {"\"ptw_count\" + 1", "9"},
    {"5 / 2", "2"},
    {"5 / 2.0", "2.5 real"},
    {"5 % 3", "2"},
    {"-7 / 2", "-3"},
    {"ptw_count / 3", "2"},
    {"1 - -1", "2"},
    {"1 / 0", "null"},
    {"cycles / 0", "null"},
    {"missing + 1", "null"},
    {"missing IS NULL", "1"},
    {"missing ISNULL OR 0", "1"},
    {"ptw_count NOTNULL", "1"},
    {"coalesce(missing, 7)", "7"},
    {"ifnull(missing, 1)", "1"},
    {"nullif(size, 4096)", "null"},
    {"iif(ptw_count > 4, 'many', 'few')", "many"},
    {"size = '4096'", "1"},
    {"policy = 'lru'", "1"},
    {"policy = 'LRU'", "0"},
    {"policy LIKE 'L%'", "1"},
    {"policy GLOB 'l*'", "1"},
    {"policy IN ('lru', 'fifo')", "1"},
    {"policy NOT IN ('lru', 'fifo')", "0"},
    {"ptw_count in (1, 2, ptw_count)", "1"},
    {"version = '5'", "1"},
    {"version = 5", "1"},
    {"typeof(version)", "text"},
    {"typeof(size)", "integer"},
    {"cycles BETWEEN 2 AND 3", "1"},
    {"size == 4 * KiB", "1"},
    {"MiB + GiB", "1074790400"},
    {"'KiB is ' = 'KiB is '", "1"},
    {"CASE WHEN ptw_count > 8 THEN 'a' ELSE 'b' END", "b"},
    {"CASE policy WHEN 'lru' THEN 1 END", "1"},
    {"CAST(cycles AS INTEGER)", "2"},
    {"cast(ptw_count as real) / 3", "2.66666666666667 real"},
    {"npu.batch * 2", "8"},
    {"\"npu.batch\" * 2", "8"},
    {"key = 'k'", "1"},
    {"round + 1", "4"},
    {"round(cycles + 0.01)", "3 real"},
    {"round(2.345, 2) < 3", "1"},
    {"abs(-3)", "3"},
    {"min(ptw_count, 3, 5)", "3"},
    {"max(1, cycles)", "2.5 real"},
    {"MAX(1, 2)", "2"},
    {"length(policy)", "3"},
    {"upper(substr(policy, 1, 1))", "L"},
    {"instr(policy, 'r')", "2"},
    {"sign(-cycles)", "-1"},
    {"sqrt(16)", "4 real"},
    {"sqrt(-1)", "null"},
    {"log2(ptw_count)", "3 real"},
    {"log10(1000)", "3 real"},
    {"log(1000)", "3 real"},
    {"log(2, 8)", "3 real"},
    {"ln(0)", "null"},
    {"exp(0)", "1 real"},
    {"pow(2, 10)", "1024 real"},
    {"power(4, 0.5)", "2 real"},
    {"ceil(2.1)", "3 real"},
    {"ceil(2)", "2"},
    {"ceiling(-2.1)", "-2 real"},
    {"floor(-2.1)", "-3 real"},
    {"trunc(-2.9)", "-2 real"},
    {"mod(7.5, 2)", "1.5 real"},
    {"degrees(pi())", "180 real"},
    {"cos(0) + sin(0) + tanh(0)", "1 real"},
    {"sqrt('x')", "null"},
    {"9223372036854775807 + 1", "9.22337203685478e+18 real"},
    {"0x10", "16"},
    {"1e3 + .5", "1000.5 real"},
    {"TRUE AND NOT FALSE", "1"},
    {"ptw_count > 4 AND (policy = 'lru' OR cycles < 1)", "1"},
    {"ptw_count & 12 | 1", "9"},
    {"1 << 4 >> 1", "8"},
    {"~0", "-1"},
    {"'it''s'", "it's"},
    {"'SELECT ; -- ('", "SELECT ; -- ("},
    {" \n\t( ptw_count )\n", "8"},
};

static void accepted_expressions_have_their_values(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    for (size_t i = 0; i < sizeof ACCEPTED / sizeof *ACCEPTED; i++) {
        char shown[64];
        evaluate(host, ACCEPTED[i].text, shown);
        if (strcmp(shown, ACCEPTED[i].value) != 0)
            fail_msg("%s = %s, wanted %s", ACCEPTED[i].text, shown, ACCEPTED[i].value);
    }
    msw_expr_host_free(host);
}

static const struct {
    const char *text, *culprit;
} REFUSED[] = {
    {"ptw_cuont > 5", "no parameter or metric 'ptw_cuont', did you mean 'ptw_count'?"},
    {"\"ptw_cuont\" > 5", "no parameter or metric 'ptw_cuont', did you mean 'ptw_count'?"},
    {"PTW_COUNT > 5", "'PTW_COUNT', did you mean 'ptw_count'?"},
    {"zebra", "'zebra'; known: ptw_count, size, cycles"},
    {"4 * kib", "did you mean 'KiB'?"},
    {"names.ptw_count", "'names.ptw_count'"},
    {"rowid", "'rowid'"},
    {"[ptw_count]", "'['"},
    {"`ptw_count`", "'`'"},
    {"4KiB", "'4KiB' is neither a number nor a name; a product is written with *: 4*KiB"},
    {"zebra = 1", "text goes in quotes"},
    {"1e", "'1e'"},
    {"1_000", "'1_000'"},
    {"1.2.3", "'1.2.3'"},
    {"0x", "0x"},
    {"random()", "the function 'random' is not allowed"},
    {"sqr(4)", "'sqr' is not allowed, did you mean 'sqrt'?"},
    {"load_extension('x')", "'load_extension'"},
    {"date('now')", "'date'"},
    {"strftime('%s', 'now')", "'strftime'"},
    {"CURRENT_TIMESTAMP", "'CURRENT_TIMESTAMP'"},
    {"count(*)", "'count'"},
    {"sum(ptw_count)", "'sum'"},
    {"group_concat(policy)", "'group_concat'"},
    {"max(ptw_count)", "max() needs 2 arguments or more"},
    {"min(ptw_count)", "min() needs 2 arguments or more"},
    {"pow(2)", "pow() takes 2 arguments, not 1"},
    {"round()", "round() takes 1 to 2 arguments, not 0"},
    {"pi(1)", "pi() takes 0 arguments, not 1"},
    {"max(*)", "max() needs 2 arguments or more"},
    {"row_number() OVER ()", "'row_number'"},
    {"max(1, 2) OVER ()", "'OVER'"},
    {"max(DISTINCT 1, 2)", "'DISTINCT'"},
    {"max(1, 2) FILTER (WHERE 1)", "'FILTER'"},
    {"(SELECT 1)", "'SELECT'"},
    {"EXISTS (SELECT 1)", "'EXISTS'"},
    {"ptw_count IN (SELECT 1)", "'SELECT'"},
    {"ptw_count IN policy", "IN needs a list in parentheses, not 'policy'"},
    {"ptw_count IN \"msw names\"", "IN needs a list"},
    {"(WITH t AS (VALUES (1)) SELECT 1)", "'WITH'"},
    {"(VALUES (1))", "'VALUES'"},
    {"policy COLLATE NOCASE = 'LRU'", "'COLLATE'"},
    {"policy REGEXP 'l'", "'REGEXP'"},
    {"policy MATCH 'l'", "'MATCH'"},
    {"RAISE(IGNORE)", "'RAISE'"},
    {"ATTACH 'x' AS y", "'ATTACH'"},
    {"PRAGMA user_version", "'PRAGMA'"},
    {"pragma_table_info('x')", "'pragma_table_info'"},
    {"ptw_count; DROP TABLE x", "';'"},
    {"ptw_count;", "';'"},
    {"1 -- comment", "'--'"},
    {"1--1", "'--'"},
    {"1 /* comment */", "'/*'"},
    {"1) FROM t WHERE (1", "')' has no '('"},
    {"1)", "')' has no '('"},
    {"(1", "1 '(' without ')'"},
    {"((1)", "1 '(' without ')'"},
    {"'open", "'open has no closing '"},
    {"\"open", "\"open has no closing \""},
    {"?", "'?'"},
    {"?1 + 1", "'?'"},
    {":x", "':'"},
    {"@x", "'@'"},
    {"$x", "'$'"},
    {"#x", "'#'"},
    {"1, 2", "','"},
    {"(1, 2) = (1, 2)", "','"},
    {"ptw_count > 1 || cycles > 1", "'||' is not allowed: write OR"},
    {"ptw_count > 1 && cycles > 1", "'&&' is not allowed: write AND"},
    {"!ptw_count", "'!' is not allowed: write NOT"},
    {"2 ^ 3", "'^' is not allowed: write pow(a, b)"},
    {"2 ** 3", "'**' is not allowed: write pow(a, b)"},
    {"policy -> 'x'", "'->'"},
    {"x'00'", "'x'"},
    {"key'00'", "syntax error"},
    {"CAST('1' AS BLOB)", "'BLOB' is no type"},
    {"ptw_count AS y", "'y' is no type"},
    {"ptw_count \\ 2", "'\\' is not part"},
    {"ptw_count \xc2\xb7 2", "'\xc2\xb7' is not part"},
    {"{1}", "'{' is not part"},
    {"", "the expression is empty"},
    {"  ", "the expression is empty"},
    {"ptw_count *", "stops after '*'"},
    {"ptw_count AND", "stops after 'AND'"},
    {"NOT", "stops after 'NOT'"},
    {"ptw_count cycles", "near \"cycles\""},
    {"* 2", "near \"*\""},
    {"CASE WHEN 1 THEN 2", "syntax error"},
    {"ptw_count(1)", "the function 'ptw_count'"},
};

static void other_text_is_refused_by_name(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        msw_err err = {0};
        msw_expr *expr = NULL;
        if (msw_expr_new(host, REFUSED[i].text, &expr, &err) == 0)
            fail_msg("'%s' was accepted", REFUSED[i].text);
        if (!strstr(err.text, REFUSED[i].culprit))
            fail_msg("'%s': '%s' does not name %s", REFUSED[i].text, err.text, REFUSED[i].culprit);
        assert_int_equal(err.kind, MSW_ERR_USAGE);
        assert_null(expr);
    }
    msw_expr_host_free(host);
}

/* Behind the token lists stands SQLite's authorizer: given raw SQL, the connection does no more. */
static void the_connection_refuses_raw_sql(void **state)
{
    (void)state;
    static const char *const SQL[] = {
        "SELECT random()",
        "SELECT load_extension('x')",
        "SELECT count(*) FROM \"msw names\"",
        "SELECT (SELECT 1)",
        "SELECT 1 UNION SELECT 2",
        "WITH t AS (SELECT 1) SELECT * FROM t",
        "SELECT name FROM sqlite_master",
        "SELECT ?1",
        "PRAGMA user_version",
        "ATTACH ':memory:' AS x",
        "CREATE TABLE t(a)",
        "CREATE VIRTUAL TABLE t USING \"msw names\"",
        "DELETE FROM \"msw names\"",
        "BEGIN",
        "SELECT \"ptw_cuont\" FROM \"msw names\"", /* a text before 3.29 */
    };
    msw_expr_host *host = open_host();
    size_t count = sizeof SQL / sizeof *SQL - (sqlite3_libversion_number() < 3029000);
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *stmt = NULL;
        host->selects = 0;
        if (sqlite3_prepare_v2(host->db, SQL[i], -1, &stmt, NULL) == SQLITE_OK)
            fail_msg("'%s' was prepared", SQL[i]);
    }
    msw_expr_host_free(host);
}

static void depth_and_length_are_bounded(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    msw_expr *expr;
    msw_err err;
    char text[9000];
    memset(text, '(', 100);
    strcpy(text + 100, "1");
    assert_int_equal(msw_expr_new(host, text, &expr, &err), -1);
    assert_non_null(strstr(err.text, "nested deeper than 64"));
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(msw_expr_new(host, text, &expr, &err), -1);
    assert_non_null(strstr(err.text, "longer than 8192"));
    for (size_t i = 0; i < 8000; i++)
        text[i] = i % 2 ? '-' : ' ';
    strcpy(text + 8000, "1");
    assert_int_equal(msw_expr_new(host, text, &expr, &err), -1);
    /* "too large (maximum depth 200)" or, where the parser gives up first, "parser stack overflow"
     */
    assert_non_null(strstr(err.text, "this is no expression: "));
    msw_expr_host_free(host);
}

static void used_names_are_listed(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    msw_expr *expr;
    msw_err err;
    const int *used;
    assert_ok(msw_expr_new(host, "policy = 'size' OR cycles * size > cycles", &expr, &err), err);
    assert_int_equal(msw_expr_used(expr, &used), 3);
    assert_int_equal(used[0], 1);
    assert_int_equal(used[1], 2);
    assert_int_equal(used[2], 3);
    msw_expr_free(expr);
    assert_ok(msw_expr_new(host, "KiB", &expr, &err), err);
    assert_int_equal(msw_expr_used(expr, &used), 0);
    msw_expr_free(expr);
    msw_expr_host_free(host);
}

/* typeof and value of one bound value, seen through a name of each type. */
static void check_bound(const char *name, void (*bind)(msw_expr *), const char *wanted)
{
    msw_expr_host *host = open_host();
    msw_err err;
    msw_expr *expr;
    msw_expr_value value;
    char shown[64];
    assert_ok(msw_expr_new(host, name, &expr, &err), err);
    bind(expr);
    assert_ok(msw_expr_eval(expr, &value, &err), err);
    show(&value, shown);
    assert_string_equal(shown, wanted);
    msw_expr_free(expr);
    msw_expr_host_free(host);
}

static void bind_four(msw_expr *expr)
{
    msw_expr_bind_integer(expr, 0, 4);
}

static void bind_four_real(msw_expr *expr)
{
    msw_expr_bind_real(expr, 0, 4.0);
}

static void bind_half(msw_expr *expr)
{
    msw_expr_bind_real(expr, 0, 4.5);
}

static void bind_digits(msw_expr *expr)
{
    msw_expr_bind_text(expr, 0, " 4 ");
}

static void bind_hex(msw_expr *expr)
{
    msw_expr_bind_text(expr, 0, "0x4");
}

static void bind_nan(msw_expr *expr)
{
    msw_expr_bind_real(expr, 0, NAN);
}

static void values_are_converted_like_columns(void **state)
{
    (void)state;
    check_bound("size", bind_four, "4");
    check_bound("size", bind_four_real, "4");
    check_bound("size", bind_half, "4.5 real");
    check_bound("size", bind_digits, "4");
    check_bound("size", bind_hex, "0x4");
    check_bound("size", bind_nan, "null");
    check_bound("cycles", bind_four, "4 real");
    check_bound("cycles", bind_four_real, "4 real");
    check_bound("cycles", bind_digits, "4 real");
    check_bound("cycles", bind_nan, "null");
    check_bound("policy", bind_four, "4");
    check_bound("policy", bind_four_real, "4.0");
    check_bound("policy", bind_half, "4.5");
    check_bound("policy", bind_digits, " 4 ");
    check_bound("policy", bind_nan, "null");
}

static void conditions_are_three_valued(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int truth;
    } CASES[] = {{"1", 1},   {"0", 0},   {"NULL", 0},         {"0.5", 1},
                 {"'a'", 0}, {"'1'", 1}, {"missing", 0},      {"NOT missing", 0},
                 {"1/0", 0}, {"-1", 1},  {"missing OR 1", 1}, {"missing AND 0", 0}};
    msw_expr_host *host = open_host();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err;
        msw_expr *expr;
        assert_ok(msw_expr_new(host, CASES[i].text, &expr, &err), err);
        bind_usual(expr);
        assert_int_equal(msw_expr_true(expr, &err), CASES[i].truth);
        msw_expr_free(expr);
    }
    msw_expr_host_free(host);
}

/* The statement stays open between evaluations: new values must be seen, also in lists, in
 * constant parts, after an error, and with two expressions of one host taking turns. */
static void every_evaluation_sees_new_values(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    msw_err err;
    msw_expr *in_list, *twice;
    assert_ok(msw_expr_new(host, "5 IN (1, 2, ptw_count, 7, 8)", &in_list, &err), err);
    assert_ok(msw_expr_new(host, "ptw_count + ptw_count * (2 - 1)", &twice, &err), err);
    for (int i = 0; i < 1000; i++) {
        msw_expr_value value;
        msw_expr_bind_integer(in_list, 0, i);
        msw_expr_bind_integer(twice, 0, i);
        assert_int_equal(msw_expr_true(in_list, &err), i == 5);
        assert_ok(msw_expr_eval(twice, &value, &err), err);
        assert_int_equal(value.integer, 2 * i);
        assert_true(value.real == 2.0 * i);
    }
    msw_expr_free(in_list);
    msw_expr_free(twice);
    msw_expr_host_free(host);
}

/* As sums and products do, which SQLite makes REAL where they leave the integers. */
static void the_least_integer_has_a_magnitude(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    msw_err err = {0};
    msw_expr *expr;
    msw_expr_value value;
    assert_ok(msw_expr_new(host, "abs(ptw_count)", &expr, &err), err);
    msw_expr_bind_integer(expr, 0, INT64_MIN);
    assert_ok(msw_expr_eval(expr, &value, &err), err);
    assert_int_equal(value.type, MSW_EXPR_REAL);
    assert_true(value.real == 0x1p63);
    msw_expr_bind_integer(expr, 0, -3);
    assert_ok(msw_expr_eval(expr, &value, &err), err);
    assert_int_equal(value.type, MSW_EXPR_INTEGER);
    assert_int_equal(value.integer, 3);
    msw_expr_free(expr);
    msw_expr_host_free(host);
}

static void a_failed_evaluation_is_an_error(void **state)
{
    (void)state;
    msw_expr_host *host = open_host();
    msw_err err = {0};
    msw_expr *expr;
    msw_expr_value value;
    assert_ok(msw_expr_new(host, "'3' LIKE '4' ESCAPE ptw_count", &expr, &err), err);
    msw_expr_bind_integer(expr, 0, 12);
    assert_int_equal(msw_expr_eval(expr, &value, &err), -1);
    assert_non_null(strstr(err.text, "single character"));
    assert_int_equal(msw_expr_true(expr, &err), -1);
    msw_expr_bind_integer(expr, 0, 3);
    assert_ok(msw_expr_eval(expr, &value, &err), err);
    assert_int_equal(value.integer, 0);
    msw_expr_free(expr);
    msw_expr_host_free(host);
}

static void bad_hosts_are_refused(void **state)
{
    (void)state;
    static const msw_expr_name WORD[] = {{"case", MSW_EXPR_REAL}};
    static const msw_expr_name UNIT[] = {{"mib", MSW_EXPR_REAL}};
    static const msw_expr_name TWICE[] = {{"a", MSW_EXPR_REAL}, {"a", MSW_EXPR_REAL}};
    msw_expr_host *host = NULL;
    msw_err err = {0};
    assert_int_equal(msw_expr_host_new(WORD, 1, &host, &err), -1);
    assert_non_null(strstr(err.text, "'case'"));
    assert_int_equal(msw_expr_host_new(UNIT, 1, &host, &err), -1);
    assert_non_null(strstr(err.text, "'mib'"));
    assert_int_equal(msw_expr_host_new(TWICE, 2, &host, &err), -1);
    assert_true(err.text[0]); /* the words are SQLite's, and not those of every version */
    assert_null(host);
    assert_ok(msw_expr_host_new(NULL, 0, &host, &err), err);
    msw_expr_host_free(host);
    msw_expr_host_free(NULL);
    msw_expr_free(NULL);
}

static void spliced_text_is_plain_sql(void **state)
{
    (void)state;
    static const struct {
        const char *text, *spliced;
    } CASES[] = {
        {"size >= 4*KiB AND policy = 'KiB'", "size >= 4*1024 AND policy = 'KiB'"},
        {"\"size\" + npu.batch", "size + \"npu.batch\""},
        {"key = 'x' -\n 1", "\"key\" = 'x' - 1"},
        {"ptw_count>2", "ptw_count>2"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_text out = MSW_TEXT_EMPTY;
        msw_err err;
        assert_ok(msw_expr_splice(NAMES, NAME_COUNT, CASES[i].text, &out, &err), err);
        assert_string_equal(msw_text_str(&out), CASES[i].spliced);
        msw_text_free(&out);
    }
    msw_text out = MSW_TEXT_EMPTY;
    msw_err err;
    assert_int_equal(msw_expr_splice(NAMES, NAME_COUNT, "size, 1", &out, &err), -1);
    assert_int_equal(msw_expr_splice(NAMES, NAME_COUNT, "size size", &out, &err), -1);
    assert_string_equal(msw_text_str(&out), "");
    msw_text_free(&out);
}

/* The value an accepted expression has when spliced into a query over a table of these columns. */
static void evaluate_spliced(sqlite3 *db, const char *text, char shown[64])
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_err err;
    sqlite3_stmt *stmt;
    msw_text_add(&sql, "SELECT (");
    assert_ok(msw_expr_splice(NAMES, NAME_COUNT, text, &sql, &err), err);
    msw_text_add(&sql, ") FROM t");
    if (sqlite3_prepare_v2(db, msw_text_str(&sql), -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", msw_text_str(&sql), sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    const char *value = (const char *)sqlite3_column_text(stmt, 0);
    if (sqlite3_column_type(stmt, 0) == SQLITE_FLOAT)
        snprintf(shown, 64, "%.15g real", sqlite3_column_double(stmt, 0));
    else
        snprintf(shown, 64, "%s", value ? value : "null");
    sqlite3_finalize(stmt);
    msw_text_free(&sql);
}

static void spliced_text_means_the_same_over_a_table(void **state)
{
    (void)state;
    sqlite3 *db;
    msw_err err;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_ok(msw_expr_register(db, &err), err);
    assert_int_equal(
        sqlite3_exec(db,
                     "CREATE TABLE t(ptw_count INTEGER, size INTEGER, cycles REAL, policy TEXT,"
                     "\"npu.batch\" INTEGER, \"key\" TEXT, missing REAL, round INTEGER,"
                     "version TEXT);"
                     "INSERT INTO t VALUES (8, 4096, 2.5, 'lru', 4, 'k', NULL, 3, 5)",
                     NULL, NULL, NULL),
        SQLITE_OK);
    for (size_t i = 0; i < sizeof ACCEPTED / sizeof *ACCEPTED; i++) {
        char shown[64];
        evaluate_spliced(db, ACCEPTED[i].text, shown);
        if (strcmp(shown, ACCEPTED[i].value) != 0)
            fail_msg("%s = %s, wanted %s", ACCEPTED[i].text, shown, ACCEPTED[i].value);
    }
    sqlite3_close(db);
}

static void keywords_are_known(void **state)
{
    (void)state;
    assert_true(msw_expr_is_keyword("select"));
    assert_true(msw_expr_is_keyword("Key"));
    assert_false(msw_expr_is_keyword("ptw_count"));
    assert_false(msw_expr_is_keyword(""));
}

/* Are names words, also in double quotes and of any case, and neither parts of words, nor numbers,
 * nor what stands in a string? */
static void names_are_found_in_texts(void **state)
{
    (void)state;
    assert_true(msw_expr_mentions("2 * cycles + 1", "cycles"));
    assert_true(msw_expr_mentions("CYCLES", "cycles"));
    assert_true(msw_expr_mentions("(\"cycles\"/2)", "cycles"));
    assert_false(msw_expr_mentions("cycles_hw + my_cycles + cycles2", "cycles"));
    assert_false(msw_expr_mentions("workload = 'cycles'", "cycles"));
    assert_false(msw_expr_mentions("workload = 'cycles", "cycles"));
    assert_false(msw_expr_mentions("", "cycles"));
    assert_int_equal(msw_expr_next("12ab+1").size, 4);
    assert_int_equal(msw_expr_next("12ab+1").name_size, 0);
    assert_int_equal(msw_expr_next("+1").size, 1);
    assert_int_equal(msw_expr_next("\"ab\" ").name_size, 2);
    assert_int_equal(msw_expr_next("").size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_expressions_have_their_values),
        cmocka_unit_test(other_text_is_refused_by_name),
        cmocka_unit_test(the_connection_refuses_raw_sql),
        cmocka_unit_test(depth_and_length_are_bounded),
        cmocka_unit_test(used_names_are_listed),
        cmocka_unit_test(values_are_converted_like_columns),
        cmocka_unit_test(conditions_are_three_valued),
        cmocka_unit_test(every_evaluation_sees_new_values),
        cmocka_unit_test(the_least_integer_has_a_magnitude),
        cmocka_unit_test(a_failed_evaluation_is_an_error),
        cmocka_unit_test(bad_hosts_are_refused),
        cmocka_unit_test(spliced_text_is_plain_sql),
        cmocka_unit_test(spliced_text_means_the_same_over_a_table),
        cmocka_unit_test(keywords_are_known),
        cmocka_unit_test(names_are_found_in_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The mathematical functions of SQLite 3.35 and later, registered for every library: older ones
 * have none, and builds differ. As there: an argument that is no number gives NULL, and so does a
 * result that is not defined. */
#include "memsweep/expr/expr.h"

#include "expr/language.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <sqlite3.h>

int msw_expr_fail(sqlite3 *db, const char *what, msw_err *err)
{
    return sqlite3_errcode(db) == SQLITE_NOMEM
               ? msw_fail_memory(err)
               : msw_fail_kind(err, MSW_ERR_INTERNAL, "%s: %s", what, sqlite3_errmsg(db));
}

static const double PI = 3.14159265358979323846;

typedef struct unary {
    const char *name;
    double (*function)(double);
    bool keeps_integers; /* an integer is its own result */
} unary;

typedef struct binary {
    const char *name;
    double (*function)(double, double);
} binary;

static bool is_number(sqlite3_value *value)
{
    int type = sqlite3_value_numeric_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void call_unary(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    const unary *f = sqlite3_user_data(context);
    if (!is_number(argv[0]))
        return;
    if (f->keeps_integers && sqlite3_value_numeric_type(argv[0]) == SQLITE_INTEGER)
        sqlite3_result_int64(context, sqlite3_value_int64(argv[0]));
    else
        sqlite3_result_double(context, f->function(sqlite3_value_double(argv[0])));
}

static void call_binary(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    const binary *f = sqlite3_user_data(context);
    if (is_number(argv[0]) && is_number(argv[1]))
        sqlite3_result_double(
            context, f->function(sqlite3_value_double(argv[0]), sqlite3_value_double(argv[1])));
}

static void call_pi(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc, (void)argv;
    sqlite3_result_double(context, PI);
}

static void call_sign(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (!is_number(argv[0]))
        return;
    double x = sqlite3_value_double(argv[0]);
    sqlite3_result_int(context, (x > 0) - (x < 0));
}

/* SQLite's own ends the whole statement at the least integer, which has no counterpart; sums and
 * products that large become REAL there, too. */
static void call_abs(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    int type = sqlite3_value_type(argv[0]);
    sqlite3_int64 whole = sqlite3_value_int64(argv[0]);
    if (type == SQLITE_NULL)
        return;
    if (type == SQLITE_INTEGER && whole > INT64_MIN)
        sqlite3_result_int64(context, whole < 0 ? -whole : whole);
    else
        sqlite3_result_double(context, fabs(sqlite3_value_double(argv[0])));
}

static void call_iif(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    bool yes = sqlite3_value_double(argv[0]) != 0;
    sqlite3_result_value(context, argv[yes ? 1 : 2]);
}

static double degrees(double x)
{
    return x * (180 / PI);
}

static double radians(double x)
{
    return x * (PI / 180);
}

/* Logarithms of zero and below are not defined (libm would say -inf for zero). */
static double ln(double x)
{
    return x > 0 ? msw_math_log(x) : NAN;
}

static double log_2(double x)
{
    return x > 0 ? msw_math_log2(x) : NAN;
}

static double log_10(double x)
{
    return x > 0 ? msw_math_log10(x) : NAN;
}

static double log_to_base(double base, double x)
{
    return base > 1 ? ln(x) / msw_math_log(base) : NAN;
}

static const unary UNARY[] = {
    {"ceil", ceil, true},        {"ceiling", ceil, true},        {"cos", msw_math_cos, false},
    {"degrees", degrees, false}, {"exp", msw_math_exp, false},   {"floor", floor, true},
    {"ln", ln, false},           {"log", log_10, false},         {"log10", log_10, false},
    {"log2", log_2, false},      {"radians", radians, false},    {"sin", msw_math_sin, false},
    {"sqrt", sqrt, false},       {"tanh", msw_math_tanh, false}, {"trunc", trunc, true},
};

static const binary BINARY[] = {
    {"log", log_to_base},
    {"mod", fmod},
    {"pow", msw_math_pow},
    {"power", msw_math_pow},
};

typedef void call(sqlite3_context *context, int argc, sqlite3_value **argv);

static int add(sqlite3 *db, const char *name, int argc, const void *data, call *function)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
#ifdef SQLITE_INNOCUOUS
    flags |= SQLITE_INNOCUOUS; /* a view may use it even where the schema is not trusted */
#endif
    return sqlite3_create_function_v2(db, name, argc, flags, (void *)data, function, NULL, NULL,
                                      NULL);
}

int msw_expr_register(struct sqlite3 *db, msw_err *err)
{
    int rc = add(db, "pi", 0, NULL, call_pi);
    if (rc == SQLITE_OK)
        rc = add(db, "abs", 1, NULL, call_abs);
    if (rc == SQLITE_OK)
        rc = add(db, "sign", 1, NULL, call_sign);
    if (rc == SQLITE_OK && sqlite3_libversion_number() < 3032000)
        rc = add(db, "iif", 3, NULL, call_iif);
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof UNARY / sizeof *UNARY; i++)
        rc = add(db, UNARY[i].name, 1, &UNARY[i], call_unary);
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof BINARY / sizeof *BINARY; i++)
        rc = add(db, BINARY[i].name, 2, &BINARY[i], call_binary);
    if (rc != SQLITE_OK)
        return msw_expr_fail(db, "cannot register functions", err);
    return 0;
}

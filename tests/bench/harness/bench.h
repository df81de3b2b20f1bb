/* SPDX-License-Identifier: MIT */
/* bench: what a section of memsweep-bench needs. A section is one function that measures something
 * and gives rows. The harness (harness.h) calls it in a process of its own, in an empty folder, as
 * often as repetitions are asked for. A section does its work once for each call; what is short is
 * repeated until it has taken bench_least() seconds. All times are processor time. */
#ifndef MEMSWEEP_TESTS_BENCH_H
#define MEMSWEEP_TESTS_BENCH_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum bench_better { BENCH_HIGHER, BENCH_LOWER, BENCH_NEITHER } bench_better;

typedef struct bench bench; /* a section at work */

/* A number that --set changes. */
typedef struct bench_setting {
    const char *name;
    double usual, quick;
    const char *about;
} bench_setting;

enum { BENCH_SETTINGS = 4 };

typedef struct bench_section {
    const char *name;
    const char *asks; /* the question it answers */
    void (*run)(bench *b);
    bench_setting settings[BENCH_SETTINGS]; /* ended by a name of NULL */
    const void *context;
} bench_section;

/* Seconds of processor time of this process. Returns them. */
double bench_seconds(void);

/* Value of a setting of the section. Returns it. */
double bench_set(const bench *b, const char *name);

/* Whether sizes should be small. Returns the verdict. */
bool bench_quick(const bench *b);

/* Seconds that a measurement should take at least. Returns them. */
double bench_least(const bench *b);

/* The section's own data. Returns what stands in its record. */
const void *bench_context(const bench *b);

/* Gives a row. Names are stable: no measured number stands in them. A value in seconds or per
 * second is also stored as a ratio to the calibration loop, which runs before and after. */
void bench_row(bench *b, const char *unit, bench_better better, double value, const char *format,
               ...) MSW_PRINTF(5, 6);

/* Rows of `count` things a second, and of seconds. */
void bench_rate(bench *b, double count, double seconds, const char *format, ...) MSW_PRINTF(4, 5);
void bench_time(bench *b, double seconds, const char *format, ...) MSW_PRINTF(3, 4);

/* A number that says what was measured, or how exact an answer is: neither high nor low is good. */
void bench_fact(bench *b, const char *unit, double value, const char *format, ...) MSW_PRINTF(4, 5);

/* Does something with n things. Returns the seconds that took. */
typedef double bench_work(bench *b, void *context, size_t n);

/* Work with n things and with ten times as many: a row of the rate at ten times n, and a row
 * "growth NAME" of how many times as long that took (10: in proportion; 100: with the square). */
void bench_growth(bench *b, size_t n, bench_work *work, void *context, const char *format, ...)
    MSW_PRINTF(5, 6);

/* Mean seconds of work with n things, again and again for bench_least() seconds. Returns them. */
double bench_mean(bench *b, bench_work *work, void *context, size_t n);

/* Ends the section as failed, with a message. */
_Noreturn void bench_fail(bench *b, const char *format, ...) MSW_PRINTF(2, 3);

/* Ends the section as failed when a call gave something else than 0. */
void bench_check(bench *b, int result, const msw_err *err);

/* Memory that is there, or the section has failed. Returns it, aligned to 64 bytes. */
void *bench_memory(bench *b, size_t bytes);

#endif

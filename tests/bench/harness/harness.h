/* SPDX-License-Identifier: MIT */
/* harness: what runs sections and tells what they gave. One repetition of every section, then the
 * next: what else the machine does meanwhile falls on all of them alike. */
#ifndef MEMSWEEP_TESTS_BENCH_HARNESS_H
#define MEMSWEEP_TESTS_BENCH_HARNESS_H

#include "bench.h"

#include "memsweep/base/text.h"

#include <stdio.h>

enum { BENCH_SETS = 32, BENCH_NAME = 160, BENCH_MESSAGE = 400 };

typedef struct bench_list {
    const bench_section *sections;
    size_t count;
} bench_list;

typedef struct bench_options {
    bool help, list, quick;
    bool json;             /* asked for, */
    const char *json_file; /* into a file; NULL: to standard output, in place of the table */
    const char *only[BENCH_SETS];
    const char *sets[BENCH_SETS]; /* NAME=VALUE */
    size_t only_count, set_count;
    int repeat;
    double timeout; /* processor seconds of one section */
    const char *source;
} bench_options;

typedef struct bench_values {
    char name[BENCH_NAME]; /* SECTION/ROW */
    char unit[16];
    bench_better better;
    size_t section, count;
    double *values, *ratios; /* ratios: NaN where there is none */
} bench_values;

/* What became of one section. */
typedef struct bench_outcome {
    bool chosen, failed;
    char message[BENCH_MESSAGE];
    double seconds; /* processor time, all repetitions together */
} bench_outcome;

typedef struct bench_results {
    const bench_list *list;
    const bench_options *options;
    bench_outcome *outcomes;
    bench_values *rows;
    size_t count, capacity;
    int rounds; /* repetitions that were begun */
    char load_before[64];
} bench_results;

/* Median, quartiles (between neighbours in proportion), least and most. */
typedef struct bench_spread {
    double median, low, high, min, max;
} bench_spread;

/* options.c: reads the words of the command line. Returns 0, or -1 after a message. */
int bench_parse(bench_options *options, const bench_list *list, int argc, char **argv);
void bench_help(FILE *out);
void bench_show_list(const bench_list *list, FILE *out);

/* The value that --set gives a setting, or its own. Returns it. */
double bench_setting_value(const bench_options *options, const bench_setting *setting);

/* results.c */
bench_values *bench_find(bench_results *results, const char *name);
/* Adds a value to a row. Returns 0, or -1 when memory runs out. */
int bench_add(bench_results *results, const bench_values *row, double value, double ratio);
bench_spread bench_spread_of(const double *values, size_t count);
void bench_results_free(bench_results *results);

/* child.c: one repetition of a section in a process of its own. */
void bench_run_section(bench_results *results, size_t section, const char *folder);

/* calibrate.c: millions of rounds of the calibration loop a second. Returns them. */
double bench_calibrate(void);

/* machine.c: what it ran on and what was built, name by name. */
typedef void bench_machine_fn(void *context, const char *name, const char *value);
void bench_machine(const bench_results *results, bench_machine_fn *tell, void *context);

/* table.c, json.c */
void bench_print_table(const bench_results *results, FILE *out);
void bench_print_json(const bench_results *results, FILE *out);

/* run.c: everything. Returns the exit code. */
int bench_main(const bench_list *list, int argc, char **argv);

#endif

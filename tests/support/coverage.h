/* SPDX-License-Identifier: MIT */
/* Coverage of intervals, over pairs of (config, seed) that did not measure every unit. */
#ifndef MEMSWEEP_TESTS_COVERAGE_H
#define MEMSWEEP_TESTS_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { COVERAGE_CONFIGS = 400, COVERAGE_WORKLOADS = 32 };

/* One config, or all of a workload. */
typedef struct coverage {
    char name[64];
    int seeds, pairs, covered; /* pairs: seeds that left units out */
    double events;             /* over those of full, summed over seeds */
    double least;              /* events over full that the rules demand at least */
    double *errors, *widths;   /* of pairs, relative */
} coverage;

/* One way of sampling. */
typedef struct coverage_table {
    coverage configs[COVERAGE_CONFIGS];
    char causes[COVERAGE_CONFIGS][160]; /* what is known of a config */
    int config_count;
    double shares[COVERAGE_WORKLOADS]; /* covered share of each workload */
    double costs[COVERAGE_WORKLOADS];  /* mean events over full */
    double errors[COVERAGE_WORKLOADS], widths[COVERAGE_WORKLOADS]; /* medians */
    int workload_count;
} coverage_table;

/* A config with room for so many seeds. */
coverage *coverage_new(coverage_table *table, const char *name, int seeds);

/* Counts a sample. */
void coverage_add(coverage *c, double events, bool whole, double metric, double half_width,
                  double exact);

/* The configs from number `first` on are those of a workload: prints its row. */
void coverage_row(coverage_table *table, int first, const char *workload, uint64_t units,
                  const char *way);

/* Prints what is asked of all: coverage with equal weight per workload, configs below 85 % (by a
 * one-sided binomial test at 1 %) and below 75 %, and the worst `worst` with their cause. Returns
 * whether all of it holds. */
bool coverage_verdict(const coverage_table *table, const char *way, int worst);

void coverage_close(coverage_table *table);

#endif

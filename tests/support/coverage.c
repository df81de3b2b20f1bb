/* SPDX-License-Identifier: MIT */
#include "coverage.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

coverage *coverage_new(coverage_table *table, const char *name, int seeds)
{
    assert(table->config_count < COVERAGE_CONFIGS);
    coverage *c = &table->configs[table->config_count++];
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->errors = calloc((size_t)seeds + 1, sizeof *c->errors);
    c->widths = calloc((size_t)seeds + 1, sizeof *c->widths);
    assert(c->errors && c->widths);
    return c;
}

void coverage_add(coverage *c, double events, bool whole, double metric, double half_width,
                  double exact)
{
    double miss = fabs(metric - exact);
    c->seeds++;
    c->events += events;
    if (whole)
        return;
    c->covered += miss <= half_width + 1e-9 * fabs(exact);
    c->errors[c->pairs] = miss / fabs(exact);
    c->widths[c->pairs++] = half_width / fabs(exact);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count ? values[count / 2] : 0;
}

static double share(const coverage *c)
{
    return c->pairs ? (double)c->covered / c->pairs : 1;
}

void coverage_row(coverage_table *table, int first, const char *workload, uint64_t units,
                  const char *way)
{
    int pairs = 0, covered = 0, at = 0, w = table->workload_count++;
    double events = 0, needed = 0, least = 1, most = 0;
    assert(w < COVERAGE_WORKLOADS);
    for (int i = first; i < table->config_count; i++)
        pairs += table->configs[i].pairs;
    double *errors = calloc((size_t)pairs + 1, sizeof *errors);
    double *widths = calloc((size_t)pairs + 1, sizeof *widths);
    assert(errors && widths);
    for (int i = first; i < table->config_count; i++) {
        coverage *c = &table->configs[i];
        double cost = c->events / c->seeds;
        memcpy(errors + at, c->errors, (size_t)c->pairs * sizeof *errors);
        memcpy(widths + at, c->widths, (size_t)c->pairs * sizeof *widths);
        at += c->pairs;
        covered += c->covered;
        events += cost;
        needed += c->least;
        most = fmax(most, cost);
        least = fmin(least, share(c));
    }
    int configs = table->config_count - first;
    table->costs[w] = configs ? events / configs : 0;
    table->shares[w] = pairs ? (double)covered / pairs : 1;
    table->errors[w] = median(errors, pairs);
    table->widths[w] = median(widths, pairs);
    printf(
        "| %s | %llu | %s | %d | %.3f | %.3f | %.3f | %.1f %% of %d | %.0f %% | %.4f %% | %.3f %% "
        "|\n",
        workload, (unsigned long long)units, way, configs, table->costs[w], most,
        configs ? needed / configs : 0, 100 * table->shares[w], pairs, 100 * least,
        100 * table->errors[w], 100 * table->widths[w]);
    fflush(stdout);
    free(errors);
    free(widths);
}

/* Chance of at most k of n at p. */
static double binomial_below(int k, int n, double p)
{
    double term = n * log(1 - p), sum = 0;
    for (int i = 0; i <= k; i++) {
        sum += exp(term);
        term += log((double)(n - i) / (i + 1)) + log(p / (1 - p));
    }
    return sum;
}

static int compare_shares(const void *a, const void *b)
{
    const coverage *const *x = a, *const *y = b;
    return (share(*x) > share(*y)) - (share(*x) < share(*y));
}

static void print_worst(const coverage_table *table, int worst)
{
    const coverage *order[COVERAGE_CONFIGS];
    for (int i = 0; i < table->config_count; i++)
        order[i] = &table->configs[i];
    qsort(order, (size_t)table->config_count, sizeof *order, compare_shares);
    for (int i = 0; i < worst && i < table->config_count; i++)
        printf("  %5.1f %% of %4d, events %.3f, needed %.3f: %s: %s\n", 100 * share(order[i]),
               order[i]->pairs, order[i]->events / order[i]->seeds, order[i]->least, order[i]->name,
               table->causes[order[i] - table->configs]);
}

bool coverage_verdict(const coverage_table *table, const char *way, int worst)
{
    double mean = 0;
    int configs = 0, low = 0, very = 0;
    for (int w = 0; w < table->workload_count; w++)
        mean += table->shares[w] / table->workload_count;
    for (int i = 0; i < table->config_count; i++) {
        const coverage *c = &table->configs[i];
        configs += c->pairs > 0;
        low += c->pairs && binomial_below(c->covered, c->pairs, 0.85) < 0.01;
        very += c->pairs && share(c) < 0.75;
    }
    printf("%s: coverage %.1f %% with equal weight per workload; of %d configs %d are below 85 %%, "
           "%d below 75 %%\n",
           way, 100 * mean, configs, low, very);
    print_worst(table, worst);
    fflush(stdout);
    return mean >= 0.93 && low * 100 <= configs && very == 0;
}

void coverage_close(coverage_table *table)
{
    for (int i = 0; i < table->config_count; i++) {
        free(table->configs[i].errors);
        free(table->configs[i].widths);
    }
    memset(table, 0, sizeof *table);
}

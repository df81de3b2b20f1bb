/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <math.h>
#include <string.h>

enum { MUCH_GROWTH = 30 }; /* of the time with ten times the work: more than its power of 1.5 */

static void machine_line(void *context, const char *name, const char *value)
{
    fprintf(context, "%-22s %s\n", name, value);
}

/* Three digits and the unit with its prefix: "12.3 M/s", "4.56 ms", "78.9 MiB". */
static void show(char *out, size_t size, double value, const char *unit)
{
    static const char *const UP[] = {"", "k", "M", "G", "T"}, *const DOWN[] = {"", "m", "u", "n"};
    static const char *const BINARY[] = {"B", "KiB", "MiB", "GiB"};
    int power = 0;
    if (strcmp(unit, "B") == 0) {
        for (; fabs(value) >= 1024 && power < 3; power++)
            value /= 1024;
        snprintf(out, size, "%.4g %s", value, BINARY[power]);
    } else if (strcmp(unit, "/s") == 0) {
        for (; fabs(value) >= 1000 && power < 4; power++)
            value /= 1000;
        snprintf(out, size, "%.4g %s/s", value, UP[power]);
    } else if (strcmp(unit, "s") == 0) {
        for (; value > 0 && value < 1 && power < 3; power++)
            value *= 1000;
        snprintf(out, size, "%.4g %ss", value, DOWN[power]);
    } else {
        snprintf(out, size, "%.4g %s", value, unit);
    }
}

static void print_row(const bench_values *v, FILE *out)
{
    static const char *const BETTER[] = {"higher", "lower", ""};
    char median[40], min[40], max[40], ratio[40] = "";
    bench_spread spread = bench_spread_of(v->values, v->count);
    double middle = bench_spread_of(v->ratios, v->count).median;
    show(median, sizeof median, spread.median, v->unit);
    show(min, sizeof min, spread.min, v->unit);
    show(max, sizeof max, spread.max, v->unit);
    if (v->count && !isnan(v->ratios[0]))
        snprintf(ratio, sizeof ratio, "%.4g", middle);
    double quartiles = spread.median != 0 ? 50 * (spread.high - spread.low) / spread.median : 0;
    fprintf(out, "%-58s %13s %5.1f %% %13s %13s %10s  %-6s %zu%s\n", v->name, median,
            fabs(quartiles), min, max, ratio, BETTER[v->better], v->count,
            strstr(v->name, "/growth ") && spread.median >= MUCH_GROWTH ? "  MUCH" : "");
}

static void print_failed(const bench_results *results, FILE *out)
{
    for (size_t s = 0; s < results->list->count; s++)
        if (results->outcomes[s].failed)
            fprintf(out, "%-58s FAILED: %s\n", results->list->sections[s].name,
                    results->outcomes[s].message);
}

void bench_print_table(const bench_results *results, FILE *out)
{
    double seconds = 0;
    bench_machine(results, machine_line, out);
    fprintf(out, "%-22s %d of every section%s\n\n", "repetitions", results->options->repeat,
            results->options->quick ? ", small sizes" : "");
    fprintf(out, "%-58s %13s %7s %13s %13s %10s  %-6s %s\n", "row", "median", "+-", "least", "most",
            "ratio", "better", "n");
    for (size_t s = 0; s < results->list->count; s++) {
        seconds += results->outcomes[s].seconds;
        for (size_t i = 0; i < results->count; i++)
            if (results->rows[i].section == s)
                print_row(&results->rows[i], out);
    }
    print_failed(results, out);
    fprintf(out,
            "\n+-: half the distance of the quartiles over the median. ratio: to the calibration "
            "loop, %s.\ngrowth: how many times the time for ten times the work; MUCH: %d or more."
            "\n%.1f s of processor time.\n",
            "for other machines and moments", MUCH_GROWTH, seconds);
}

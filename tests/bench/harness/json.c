/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <math.h>

typedef struct writer {
    FILE *out;
    const char *before; /* what separates it from the member before */
} writer;

static void string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void number(FILE *out, double value)
{
    char text[32];
    fputs(isfinite(value) ? msw_double_text(value, text) : "null", out);
}

static void list(FILE *out, const char *name, const double *values, size_t count)
{
    fprintf(out, ", \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        number(out, values[i]);
    }
    fputc(']', out);
}

static void machine_member(void *context, const char *name, const char *value)
{
    writer *w = context;
    fputs(w->before, w->out);
    string(w->out, name);
    fputs(": ", w->out);
    string(w->out, value);
    w->before = ",\n    ";
}

static void settings(const bench_results *results, FILE *out)
{
    const bench_options *o = results->options;
    fprintf(out, "  \"settings\": {\"quick\": %s, \"repeat\": %d, \"set\": [",
            o->quick ? "true" : "false", o->repeat);
    for (size_t i = 0; i < o->set_count; i++) {
        fputs(i ? ", " : "", out);
        string(out, o->sets[i]);
    }
    fprintf(out, "]},\n");
}

static void sections(const bench_results *results, FILE *out)
{
    const char *before = "\n    ";
    fprintf(out, "  \"sections\": [");
    for (size_t s = 0; s < results->list->count; s++) {
        const bench_outcome *outcome = &results->outcomes[s];
        if (!outcome->chosen)
            continue;
        fprintf(out, "%s{\"name\": ", before);
        string(out, results->list->sections[s].name);
        fprintf(out, ", \"status\": \"%s\", \"message\": ", outcome->failed ? "failed" : "ok");
        string(out, outcome->message);
        fprintf(out, ", \"processor_seconds\": ");
        number(out, outcome->seconds);
        fputc('}', out);
        before = ",\n    ";
    }
    fprintf(out, "\n  ],\n");
}

static void row(const bench_values *v, FILE *out)
{
    static const char *const BETTER[] = {"higher", "lower", "neither"};
    bench_spread spread = bench_spread_of(v->values, v->count);
    const double numbers[] = {spread.median, spread.low, spread.high, spread.min, spread.max};
    static const char *const NAMES[] = {"median", "low", "high", "min", "max"};
    fprintf(out, "{\"name\": ");
    string(out, v->name);
    fprintf(out, ", \"unit\": ");
    string(out, v->unit);
    fprintf(out, ", \"better\": \"%s\"", BETTER[v->better]);
    for (int i = 0; i < 5; i++) {
        fprintf(out, ", \"%s\": ", NAMES[i]);
        number(out, numbers[i]);
    }
    list(out, "values", v->values, v->count);
    list(out, "ratios", v->ratios, v->count);
    fputc('}', out);
}

void bench_print_json(const bench_results *results, FILE *out)
{
    writer w = {out, "\n    "};
    fprintf(out, "{\n  \"memsweep_bench\": 1,\n  \"machine\": {");
    bench_machine(results, machine_member, &w);
    fprintf(out, "\n  },\n");
    settings(results, out);
    sections(results, out);
    fprintf(out, "  \"rows\": [");
    for (size_t i = 0; i < results->count; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        row(&results->rows[i], out);
    }
    fprintf(out, "\n  ]\n}\n");
}

/* SPDX-License-Identifier: MIT */
/* A section in a process of its own: what it gives comes through a pipe, a line for each row, so
 * that what it gave before a crash is not lost. */
#include "harness.h"

#include <math.h>
#include <omp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct bench {
    const bench_section *section;
    const bench_options *options;
    FILE *out;
    double calibration; /* of the moment before */
    double within;      /* sum of those during the last bench_mean(), */
    int within_count;   /* and how many they are */
};

enum { PATIENCE = 30 }; /* wall time over processor time, before a section counts as hung */

#define PAUSE 0.01 /* processor seconds between two looks at how fast the machine is */

/* ---- in the child ---- */

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_set(const bench *b, const char *name)
{
    const bench_setting *s = b->section->settings;
    for (int i = 0; i < BENCH_SETTINGS && s[i].name; i++)
        if (strcmp(s[i].name, name) == 0)
            return bench_setting_value(b->options, &s[i]);
    abort();
}

bool bench_quick(const bench *b)
{
    return b->options->quick;
}

double bench_least(const bench *b)
{
    return b->options->quick ? 0.02 : 0.2;
}

const void *bench_context(const bench *b)
{
    return b->section->context;
}

/* Where seconds are in the unit, the row is also given as a ratio to the calibration loop. */
static void give(bench *b, const char *unit, bench_better better, double value, const char *name)
{
    double before = b->calibration, rate = NAN;
    if (name[strcspn(name, "\n\t")])
        bench_fail(b, "the name of a row has several lines or columns");
    b->calibration = bench_calibrate();
    if (strcmp(unit, "s") == 0 || strcmp(unit, "/s") == 0)
        rate = (before + b->within + b->calibration) / (2 + b->within_count);
    b->within = b->within_count = 0;
    fprintf(b->out, "row\t%s\t%d\t%.17g\t%.17g\t%s\n", unit, (int)better, value, rate, name);
    fflush(b->out);
}

#define NAME_FROM(format)                                                                          \
    char name[BENCH_NAME];                                                                         \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    vsnprintf(name, sizeof name, format, list);                                                    \
    va_end(list)

void bench_row(bench *b, const char *unit, bench_better better, double value, const char *format,
               ...)
{
    NAME_FROM(format);
    give(b, unit, better, value, name);
}

void bench_rate(bench *b, double count, double seconds, const char *format, ...)
{
    NAME_FROM(format);
    give(b, "/s", BENCH_HIGHER, count / seconds, name);
}

void bench_time(bench *b, double seconds, const char *format, ...)
{
    NAME_FROM(format);
    give(b, "s", BENCH_LOWER, seconds, name);
}

void bench_fact(bench *b, const char *unit, double value, const char *format, ...)
{
    NAME_FROM(format);
    give(b, unit, BENCH_NEITHER, value, name);
}

void bench_growth(bench *b, size_t n, bench_work *work, void *context, const char *format, ...)
{
    NAME_FROM(format);
    double small = bench_mean(b, work, context, n), large = bench_mean(b, work, context, 10 * n);
    give(b, "/s", BENCH_HIGHER, 10 * (double)n / large, name);
    char growth[BENCH_NAME + 8];
    snprintf(growth, sizeof growth, "growth %s", name);
    give(b, "x", BENCH_LOWER, large / small, growth);
}

double bench_mean(bench *b, bench_work *work, void *context, size_t n)
{
    double seconds = 0, start = bench_seconds(), calibrated = start;
    int runs = 0;
    b->within = b->within_count = 0;
    do {
        seconds += work(b, context, n);
        runs++;
        if (bench_seconds() - calibrated > PAUSE) {
            b->within += bench_calibrate();
            b->within_count++;
            calibrated = bench_seconds();
        }
    } while (bench_seconds() - start < bench_least(b));
    return seconds / runs;
}

_Noreturn void bench_fail(bench *b, const char *format, ...)
{
    char text[BENCH_MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (char *c = text; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    fprintf(b->out, "fail\t%s\n", text);
    fflush(b->out);
    _exit(1);
}

void bench_check(bench *b, int result, const msw_err *err)
{
    if (result)
        bench_fail(b, "%s", err->text);
}

void *bench_memory(bench *b, size_t bytes)
{
    void *memory = aligned_alloc(64, bytes / 64 * 64 + 64);
    if (!memory)
        bench_fail(b, "no memory of %zu bytes", bytes);
    return memory;
}

/* Without a limit of the system on processor time: where one is set, Linux lets the clock of a
 * process go on only at ticks, 4 ms apart. The parent looks at the clock instead. */
static _Noreturn void be_child(const bench_section *section, const bench_options *options, int fd,
                               const char *folder)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct rlimit none = {0, 0};
    bench b = {.section = section, .options = options, .out = fdopen(fd, "w")};
    for (size_t s = 0; s < sizeof SIGNALS / sizeof *SIGNALS; s++)
        signal(SIGNALS[s], SIG_DFL);
    if (!b.out || chdir(folder) || dup2(2, 1) < 0 || setrlimit(RLIMIT_CORE, &none))
        _exit(1);
    omp_set_num_threads(1); /* threads that wait for work would count as work */
    b.calibration = bench_calibrate();
    section->run(&b);
    fprintf(b.out, "done\n");
    fflush(b.out);
    _exit(0);
}

/* ---- in the parent ---- */

typedef struct watch {
    bench_results *results;
    size_t section;
    int fd;
    pid_t pid;
    bool done, late, hung;
    char message[BENCH_MESSAGE];
    msw_text text; /* that has not yet ended with a newline */
} watch;

/* The next field of a line, which a tab ends. Returns it, or NULL. */
static char *field(char **line)
{
    char *start = *line, *end = start ? strchr(start, '\t') : NULL;
    *line = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return start;
}

/* A row and its name. Returns false when the line is none. */
static bool read_row(const watch *w, char *line, bench_values *row, double *value, double *rate)
{
    char *rest = line, *fields[4];
    for (int f = 0; f < 4; f++)
        fields[f] = field(&rest);
    if (!rest || !*rest)
        return false;
    msw_text_fit(row->unit, sizeof row->unit, fields[0]);
    row->better = (bench_better)(fields[1][0] - '0');
    *value = strtod(fields[2], NULL);
    *rate = strtod(fields[3], NULL);
    const char *section = w->results->list->sections[w->section].name;
    snprintf(row->name, sizeof row->name, "%.60s/%s", section, rest);
    return row->better <= BENCH_NEITHER;
}

static void take_row(watch *w, char *line)
{
    bench_values row = {.section = w->section};
    double value, ratio = NAN, rate;
    if (!read_row(w, line, &row, &value, &rate)) {
        snprintf(w->message, sizeof w->message, "a row has no name");
        return;
    }
    if (!isfinite(value)) {
        snprintf(w->message, sizeof w->message, "%s is not a finite number", row.name);
        return;
    }
    const bench_values *known = bench_find(w->results, row.name);
    if (known && known->count >= (size_t)w->results->rounds) {
        snprintf(w->message, sizeof w->message, "two rows have the name %s", row.name);
        return;
    }
    if (isfinite(rate))
        ratio = strcmp(row.unit, "s") ? value / rate : value * rate;
    if (bench_add(w->results, &row, value, ratio))
        snprintf(w->message, sizeof w->message, "no memory for its rows");
}

static void take_line(watch *w, char *line)
{
    if (strncmp(line, "row\t", 4) == 0)
        take_row(w, line + 4);
    else if (strncmp(line, "fail\t", 5) == 0)
        msw_text_fit(w->message, sizeof w->message, line + 5);
    else if (strcmp(line, "done") == 0)
        w->done = true;
}

static void take_lines(watch *w)
{
    char *line = w->text.data, *end;
    while (line && (end = strchr(line, '\n'))) {
        *end = 0;
        take_line(w, line);
        line = end + 1;
    }
    msw_text rest = MSW_TEXT_EMPTY;
    msw_text_add(&rest, "%s", line ? line : "");
    msw_text_free(&w->text);
    w->text = rest;
}

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether a child has had its time; one that sleeps for ever has hung. Ends it then. */
static void look_at_clocks(watch *w, double end)
{
    clockid_t clock;
    struct timespec used;
    if (w->late || w->hung)
        return;
    w->hung = wall() > end;
    if (clock_getcpuclockid(w->pid, &clock) == 0 && clock_gettime(clock, &used) == 0)
        w->late = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec > w->results->options->timeout;
    if (w->late || w->hung)
        kill(w->pid, SIGKILL);
}

/* Reads until the child closes the pipe. */
static void follow(watch *w)
{
    char bytes[4096];
    double end = wall() + PATIENCE * w->results->options->timeout;
    for (;;) {
        struct pollfd ready = {.fd = w->fd, .events = POLLIN};
        int count = poll(&ready, 1, 100);
        look_at_clocks(w, end);
        if (count <= 0)
            continue;
        ssize_t size = read(w->fd, bytes, sizeof bytes);
        if (size <= 0)
            return;
        msw_text_add_bytes(&w->text, bytes, (size_t)size);
        take_lines(w);
    }
}

static void judge(watch *w, int status)
{
    double timeout = w->results->options->timeout;
    if (w->message[0])
        return;
    if (w->hung)
        snprintf(w->message, sizeof w->message, "did not end within %g s", PATIENCE * timeout);
    else if (w->late)
        snprintf(w->message, sizeof w->message,
                 "took more than %g s of processor time (--timeout allows more)", timeout);
    else if (WIFSIGNALED(status))
        snprintf(w->message, sizeof w->message, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (!w->done)
        snprintf(w->message, sizeof w->message, "ended with exit code %d", WEXITSTATUS(status));
}

/* What the system knows of the child. */
static void take_usage(watch *w, const struct rusage *used)
{
    bench_values row = {.unit = "B", .better = BENCH_LOWER, .section = w->section};
    bench_outcome *outcome = &w->results->outcomes[w->section];
    snprintf(row.name, sizeof row.name, "%s/memory high water",
             w->results->list->sections[w->section].name);
    if (!w->message[0] && bench_add(w->results, &row, 1024.0 * (double)used->ru_maxrss, NAN))
        snprintf(w->message, sizeof w->message, "no memory for its rows");
    outcome->seconds += (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                        1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
    if (w->message[0] && !outcome->failed) {
        outcome->failed = true;
        msw_text_fit(outcome->message, sizeof outcome->message, w->message);
    }
}

void bench_run_section(bench_results *results, size_t section, const char *folder)
{
    watch w = {.results = results, .section = section};
    struct rusage used = {0};
    int ends[2], status = 0;
    fflush(NULL);
    if (pipe(ends) || (w.pid = fork()) < 0) {
        snprintf(w.message, sizeof w.message, "no process for it");
        take_usage(&w, &used);
        return;
    }
    if (w.pid == 0) {
        close(ends[0]);
        be_child(&results->list->sections[section], results->options, ends[1], folder);
    }
    close(ends[1]);
    w.fd = ends[0];
    follow(&w);
    close(ends[0]);
    while (wait4(w.pid, &status, 0, &used) < 0)
        continue;
    judge(&w, status);
    take_usage(&w, &used);
    msw_text_free(&w.text);
}

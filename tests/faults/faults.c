/* SPDX-License-Identifier: MIT */
/* Does every call that may fail leave a sound file, one clear message and the right exit code, and
 * does the next run make everything good? Every command of scenarios.c is tried with the k-th call
 * of each kind failing, once and from then on, for every k until a run passes without a fault.
 * docs/internals/decisions/injected-faults.md says how; `faults --help` what can be asked for. */
#include "judge.h"
#include "power_trials.h"
#include "program.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SPREAD = 400 };

typedef struct kind_of_call {
    fault_call call;
    fault_kind kind;
} kind_of_call;

static const kind_of_call KINDS[] = {
    {FAULT_WRITE, FAULT_FULL}, {FAULT_WRITE, FAULT_IO}, {FAULT_WRITE, FAULT_SHORT},
    {FAULT_SYNC, FAULT_IO},    {FAULT_OPEN, FAULT_IO},  {FAULT_READ, FAULT_IO},
    {FAULT_LOCK, FAULT_IO},    {FAULT_NAME, FAULT_IO},  {FAULT_NAME, FAULT_FULL},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

typedef struct asked {
    const char *only, *calls, *tsv;
    bool full, power, memory, files;
    uint64_t k, trace, every, seeds;
    uint64_t first, last; /* only so many calls at the beginning, at the end */
    bool sticky;
    const char *folder;
} asked;

static bool wanted(const asked *a, fault_call call)
{
    if (a->calls)
        return strcmp(a->calls, fault_call_names[call]) == 0;
    return call == FAULT_MEMORY ? a->memory : call == FAULT_CALLS ? a->power : a->files;
}

/* ---- one trial ---- */

static outcome try_one(expected *e, const trial_options *o, tally *t)
{
    static trial_result r;
    char detail[1000];
    folder_write(&e->template, e->path);
    trial_run(&e->s->command, o, &r);
    outcome found = judge(e, &r, detail, sizeof detail);
    /* Where no name can be taken away any more, the one of a part that was begun stays. */
    if (found == OUT_LEFT && r.code && o->plan.call == FAULT_NAME && o->plan.sticky)
        found = OUT_TOLD;
    tally_add(t, e->s->name, &o->plan, found, detail);
    if (o->trace)
        printf("%s\nexit code %d, signal %d; %s %s\n", r.err, r.code, r.signal,
               outcome_names[found], detail);
    return found;
}

static void try_every_k(expected *e, const kind_of_call *kind, bool sticky, uint64_t step, tally *t)
{
    trial_options o = {.plan = {kind->call, kind->kind, 1, sticky, 0, 0}};
    while (try_one(e, &o, t) != OUT_NONE)
        o.plan.k += step;
}

/* Reading is what a command does most, and most of its reads are alike; so are its locks. */
static uint64_t step_of(fault_call call)
{
    return call == FAULT_READ ? 10 : call == FAULT_LOCK ? 4 : 1;
}

/* One trial for each k but for what is alike: kinds, and once and sticky, take turns. */
static void try_in_turn(expected *e, fault_call call, tally *t)
{
    size_t kinds = 0, first = 0;
    for (size_t i = KIND_COUNT; i-- > 0;)
        if (KINDS[i].call == call) {
            kinds++;
            first = i;
        }
    trial_options o = {.plan = {.call = call}};
    outcome found = OUT_TOLD;
    for (uint64_t turn = 0; found != OUT_NONE; turn++) {
        o.plan.k = turn * step_of(call) + 1;
        o.plan.kind = KINDS[first + turn % kinds].kind;
        o.plan.sticky = turn / kinds % 2;
        found = try_one(e, &o, t);
    }
}

static void try_files(expected *e, const asked *a, tally *t)
{
    for (fault_call call = 0; call < FAULT_MEMORY && !a->full; call++)
        if (wanted(a, call))
            try_in_turn(e, call, t);
    for (size_t i = 0; i < KIND_COUNT && a->full; i++)
        for (int sticky = 0; sticky < 2 && wanted(a, KINDS[i].call); sticky++)
            try_every_k(e, &KINDS[i], sticky, 1, t);
}

/* ---- allocations spread by call stack ---- */

typedef struct stack {
    uint64_t digest, number, rank; /* how many of the same come before */
    bool writes;                   /* in the writer of rows */
} stack;

static int by_digest(const void *a, const void *b)
{
    const stack *x = a, *y = b;
    return x->digest != y->digest ? (x->digest < y->digest ? -1 : 1)
                                  : (x->number < y->number ? -1 : x->number > y->number);
}

static int by_rank(const void *a, const void *b)
{
    const stack *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->writes != y->writes)
        return x->writes ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The first allocation of every stack comes first, then the second, and so on; of the first ones
 * those of the writer, which loses rows. */
static stack *rank_stacks(uint64_t count)
{
    stack *all = calloc(count + 1, sizeof *all);
    if (!all)
        abort();
    for (uint64_t i = 0; i < count; i++)
        all[i] = (stack){trial_record()->stacks[i + 1], i + 1, 0, false};
    qsort(all, count, sizeof *all, by_digest);
    for (uint64_t i = 0; i < count; i++)
        all[i].writes = all[i].digest & 1;
    for (uint64_t i = 1; i < count; i++)
        if (all[i].digest == all[i - 1].digest)
            all[i].rank = all[i - 1].rank + 1;
    qsort(all, count, sizeof *all, by_rank);
    return all;
}

static uint64_t distinct_stacks(const stack *all, uint64_t count)
{
    uint64_t n = 0;
    while (n < count && all[n].rank == 0)
        n++;
    return n;
}

static uint64_t writers_stacks(const stack *all, uint64_t stacks)
{
    uint64_t n = 0;
    while (n < stacks && all[n].writes)
        n++;
    return n;
}

/* Where there are more stacks than trials, each of the writer has one, and the others are spread
 * over what is left evenly. */
static void try_spread(expected *e, const stack *all, uint64_t trials, tally *t)
{
    uint64_t count = e->calls[FAULT_MEMORY], stacks = distinct_stacks(all, count);
    uint64_t first = stacks > trials ? writers_stacks(all, stacks) : 0;
    if (trials > count)
        trials = count;
    first = first < trials ? first : trials;
    for (uint64_t i = 0; i < trials; i++) {
        bool spread = stacks > trials && i >= first;
        uint64_t at = spread ? first + (i - first) * (stacks - first) / (trials - first) : i;
        trial_options o = {
            .plan = {FAULT_MEMORY, FAULT_NO_MEMORY, all[at].number, i % 2 == 1, 0, 0}};
        try_one(e, &o, t);
    }
}

static void try_memory(expected *e, const asked *a, const stack *all, uint64_t trials, tally *t)
{
    static const kind_of_call MEMORY = {FAULT_MEMORY, FAULT_NO_MEMORY};
    if (!a->full) {
        try_spread(e, all, trials, t);
        return;
    }
    try_every_k(e, &MEMORY, false, a->every, t);
    try_every_k(e, &MEMORY, true, a->every * 3, t);
}

/* Some calls of one kind: the first, or the last of them. */
static void try_range(expected *e, const asked *a, tally *t)
{
    for (size_t i = 0; i <= KIND_COUNT; i++) {
        kind_of_call kind =
            i < KIND_COUNT ? KINDS[i] : (kind_of_call){FAULT_MEMORY, FAULT_NO_MEMORY};
        uint64_t count = e->calls[kind.call];
        uint64_t from = a->last && count > a->last ? count - a->last + 1 : 1;
        uint64_t to = a->first && a->first < count ? a->first : count;
        for (uint64_t k = from; k <= to && wanted(a, kind.call); k++)
            for (int sticky = a->sticky; sticky < 2; sticky++) {
                trial_options o = {.plan = {kind.call, kind.kind, k, sticky, 0, 0}};
                try_one(e, &o, t);
            }
    }
}

/* ---- at random ---- */

/* With two threads no k means the same call twice: each call fails with a small probability. */
static void try_random(expected *e, const asked *a, tally *t)
{
    for (uint64_t seed = 1; seed <= a->seeds; seed++)
        for (size_t i = 0; i <= KIND_COUNT; i++) {
            kind_of_call kind =
                i < KIND_COUNT ? KINDS[i] : (kind_of_call){FAULT_MEMORY, FAULT_NO_MEMORY};
            double calls = (double)e->calls[kind.call] + 1;
            trial_options o = {.plan = {.call = kind.call,
                                        .kind = kind.kind,
                                        .k = seed,
                                        .rate = 1.5 / calls,
                                        .seed = seed * 16 + i},
                               .threads = true};
            try_one(e, &o, t);
        }
}

/* The same scenario with two threads. */
static scenario with_threads(const scenario *s)
{
    scenario two = *s;
    for (int i = 0; i + 1 < TRIAL_WORDS && two.command.words[i]; i++)
        if (strcmp(two.command.words[i], "--threads") == 0)
            two.command.words[i + 1] = "2";
    return two;
}

/* ---- all of a scenario ---- */

static void try_scenario(const scenario *given, const asked *a, uint64_t trials, tally *t)
{
    static expected e;
    static scenario threaded;
    threaded = with_threads(given);
    const scenario *s = a->seeds ? &threaded : given;
    if (expected_make(&e, s, a->folder)) {
        tally_add(t, s->name, &(fault_plan){.call = FAULT_CALLS}, OUT_CODE,
                  "fails without a fault");
        return;
    }
    stack *all = rank_stacks(e.calls[FAULT_MEMORY]);
    if (a->seeds) {
        try_random(&e, a, t);
    } else if (a->first || a->last) {
        try_range(&e, a, t);
    } else if (a->k) {
        for (size_t i = 0; i < KIND_COUNT; i++)
            if (wanted(a, KINDS[i].call)) {
                trial_options o = {.plan = {KINDS[i].call, KINDS[i].kind, a->k, a->sticky, 0, 0},
                                   .trace = a->trace};
                try_one(&e, &o, t);
            }
        trial_options o = {.plan = {FAULT_MEMORY, FAULT_NO_MEMORY, a->k, a->sticky, 0, 0},
                           .trace = a->trace};
        if (wanted(a, FAULT_MEMORY))
            try_one(&e, &o, t);
    } else {
        try_files(&e, a, t);
        if (wanted(a, FAULT_MEMORY))
            try_memory(&e, a, all, trials, t);
        if (wanted(a, FAULT_CALLS))
            try_power(&e, a->full ? 20 : 1, t);
    }
    free(all);
    expected_free(&e);
}

static bool in_list(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += size)
        if ((at == list || at[-1] == ',') && (at[size] == ',' || !at[size]))
            return true;
    return false;
}

static bool is_asked(const asked *a, const scenario *s)
{
    return a->only ? in_list(a->only, s->name) : a->full || !s->only_full;
}

static size_t count_scenarios(const asked *a)
{
    size_t count = 0;
    for (const scenario *s = scenarios; s->name; s++)
        count += is_asked(a, s);
    return count;
}

static void usage(void)
{
    puts("faults [--only SCENARIO,...] [--calls write|sync|open|read|lock|name|memory|power]\n"
         "       [--files] [--memory] [--power] [--full] [--tsv FILE]\n"
         "       [--every N] [--first N] [--last N] [--seeds N] [--k K [--sticky] [--trace "
         "ALLOCATION]]\n"
         "--full tries every call with every fault, and every N-th allocation (every third of "
         "those\n"
         "with none after it); else each call (of reads every tenth, of locks every fourth) with\n"
         "one of them, and 400 allocations spread over the call stacks. --k tries one call alone\n"
         "and, with --trace, says where it is made.\n"
         "faults --program CALL RATE SEED RANK WORD...: memsweep with the words, as one rank");
}

static int parse(asked *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(word, "--full") == 0)
            a->full = true;
        else if (strcmp(word, "--files") == 0)
            a->files = true;
        else if (strcmp(word, "--memory") == 0)
            a->memory = true;
        else if (strcmp(word, "--power") == 0)
            a->power = true;
        else if (strcmp(word, "--sticky") == 0)
            a->sticky = true;
        else if (value && strcmp(word, "--only") == 0)
            a->only = argv[++i];
        else if (value && strcmp(word, "--calls") == 0)
            a->calls = argv[++i];
        else if (value && strcmp(word, "--tsv") == 0)
            a->tsv = argv[++i];
        else if (value && strcmp(word, "--k") == 0)
            a->k = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(word, "--seeds") == 0)
            a->seeds = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(word, "--first") == 0)
            a->first = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(word, "--last") == 0)
            a->last = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(word, "--every") == 0)
            a->every = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(word, "--trace") == 0)
            a->trace = strtoull(argv[++i], NULL, 10);
        else
            return -1;
    }
    if (!a->files && !a->memory && !a->power)
        a->files = a->memory = a->power = true;
    return 0;
}

int main(int argc, char **argv)
{
    asked a = {.every = 1};
    char pattern[4096];
    const char *tmp = getenv("TMPDIR");
    if (argc > 1 && strcmp(argv[1], "--program") == 0)
        return program_run(argc - 2, argv + 2);
    if (parse(&a, argc, argv)) {
        usage();
        return 2;
    }
    snprintf(pattern, sizeof pattern, "%s/memsweep-faults-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    a.folder = mkdtemp(pattern);
    if (!a.folder || !setenv("MEMSWEEP_DATA", MEMSWEEP_SOURCE, 1) == 0)
        return 1;
    trial_open(a.folder);
    tally *t = tally_new();
    size_t count = count_scenarios(&a), trials = (SPREAD + count - 1) / (count ? count : 1);
    for (const scenario *s = scenarios; s->name; s++)
        if (is_asked(&a, s))
            try_scenario(s, &a, trials, t);
    tally_print(t);
    int bad = tally_defects(t) ? 1 : 0;
    if (a.tsv && tally_save(t, a.tsv))
        bad = 1;
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    printf("processor seconds: %.1f\n",
           (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
                    children.ru_stime.tv_sec) +
               1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec +
                               children.ru_utime.tv_usec + children.ru_stime.tv_usec));
    tally_free(t);
    folder_clear(a.folder);
    rmdir(a.folder);
    return bad;
}

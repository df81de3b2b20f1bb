/* SPDX-License-Identifier: MIT */
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, SEEN = 512, SHOWN = 2 };

const char *const fault_call_names[FAULT_CALLS + 1] = {"write", "sync", "open",   "read",
                                                       "lock",  "name", "memory", "power"};
const char *const fault_kind_names[FAULT_KINDS] = {"disk full", "I/O error", "short", "no memory"};

const char *const fault_way_names[3] = {"dropped", "kept", "torn"};

static const char *kind_name(fault_call call, fault_kind kind)
{
    return call == FAULT_CALLS ? fault_way_names[kind] : fault_kind_names[kind];
}

typedef struct row {
    const char *scenario;
    fault_call call;
    fault_kind kind;
    bool sticky;
    uint64_t outcomes[OUT_COUNT];
} row;

/* A defect that was told. */
typedef struct seen {
    char text[200];
    int times;
} seen;

struct tally {
    row rows[ROWS];
    size_t count;
    seen seen[SEEN];
    size_t seen_count;
};

tally *tally_new(void)
{
    tally *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    return t;
}

void tally_free(tally *t)
{
    free(t);
}

static row *find_row(tally *t, const char *where, const fault_plan *plan)
{
    for (size_t i = 0; i < t->count; i++) {
        row *r = &t->rows[i];
        if (strcmp(r->scenario, where) == 0 && r->call == plan->call && r->kind == plan->kind &&
            r->sticky == plan->sticky)
            return r;
    }
    if (t->count == ROWS)
        abort();
    t->rows[t->count] =
        (row){.scenario = where, .call = plan->call, .kind = plan->kind, .sticky = plan->sticky};
    return &t->rows[t->count++];
}

/* Numbers differ from one to the next; the words are what is alike. */
static bool is_news(tally *t, const char *where, outcome found, const char *detail)
{
    char text[200];
    size_t size = 0;
    snprintf(text, sizeof text, "%s %s ", where, outcome_names[found]);
    size = strlen(text);
    for (const char *at = detail; *at && size + 1 < sizeof text; at++)
        if (*at < '0' || *at > '9')
            text[size++] = *at;
    text[size] = '\0';
    for (size_t i = 0; i < t->seen_count; i++)
        if (strcmp(t->seen[i].text, text) == 0)
            return t->seen[i].times++ < SHOWN;
    if (t->seen_count < SEEN) {
        memcpy(t->seen[t->seen_count].text, text, size + 1);
        t->seen[t->seen_count++].times = 1;
    }
    return true;
}

void tally_add(tally *t, const char *where, const fault_plan *plan, outcome found,
               const char *detail)
{
    if (found == OUT_NONE)
        return;
    find_row(t, where, plan)->outcomes[found]++;
    if (found > OUT_TOLD && is_news(t, where, found, detail)) {
        printf("%s: %s %lu%s, %s: %s: %s\n", where, fault_call_names[plan->call],
               (unsigned long)plan->k, plan->sticky ? " and after" : "",
               kind_name(plan->call, plan->kind), outcome_names[found], detail);
        fflush(stdout);
    }
}

static uint64_t tried(const row *r)
{
    uint64_t sum = 0;
    for (int i = 0; i < OUT_COUNT; i++)
        sum += r->outcomes[i];
    return sum;
}

static void print_row(const row *r)
{
    printf("%-7s %-10s %-6s %7lu", fault_call_names[r->call], kind_name(r->call, r->kind),
           r->sticky ? "sticky" : "once", (unsigned long)tried(r));
    for (int i = OUT_ABSORBED; i < OUT_COUNT; i++)
        printf(" %8lu", (unsigned long)r->outcomes[i]);
    printf("\n");
}

static void add_up(row *to, const row *r)
{
    for (int i = 0; i < OUT_COUNT; i++)
        to->outcomes[i] += r->outcomes[i];
}

void tally_print(const tally *t)
{
    static row sums[FAULT_CALLS + 1][FAULT_KINDS][2];
    row all = {.call = FAULT_CALLS};
    for (size_t i = 0; i < t->count; i++) {
        const row *r = &t->rows[i];
        row *sum = &sums[r->call][r->kind][r->sticky];
        sum->call = r->call;
        sum->kind = r->kind;
        sum->sticky = r->sticky;
        add_up(sum, r);
        add_up(&all, r);
    }
    printf("call    fault      how      tried");
    for (int i = OUT_ABSORBED; i < OUT_COUNT; i++)
        printf(" %8s", outcome_names[i]);
    printf("\n");
    for (int c = 0; c <= FAULT_CALLS; c++)
        for (int k = 0; k < FAULT_KINDS; k++)
            for (int s = 0; s < 2; s++)
                if (tried(&sums[c][k][s]))
                    print_row(&sums[c][k][s]);
    printf("all %30lu", (unsigned long)tried(&all));
    for (int i = OUT_ABSORBED; i < OUT_COUNT; i++)
        printf(" %8lu", (unsigned long)all.outcomes[i]);
    printf("\n");
}

int tally_save(const tally *t, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    fprintf(out, "scenario\tcall\tfault\thow\ttried");
    for (int i = OUT_ABSORBED; i < OUT_COUNT; i++)
        fprintf(out, "\t%s", outcome_names[i]);
    for (size_t n = 0; n < t->count; n++) {
        const row *r = &t->rows[n];
        fprintf(out, "\n%s\t%s\t%s\t%s\t%lu", r->scenario, fault_call_names[r->call],
                kind_name(r->call, r->kind), r->sticky ? "sticky" : "once",
                (unsigned long)tried(r));
        for (int i = OUT_ABSORBED; i < OUT_COUNT; i++)
            fprintf(out, "\t%lu", (unsigned long)r->outcomes[i]);
    }
    fprintf(out, "\n");
    return fclose(out);
}

uint64_t tally_defects(const tally *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->count; i++)
        for (int o = OUT_TOLD + 1; o < OUT_COUNT; o++)
            sum += t->rows[i].outcomes[o];
    return sum;
}

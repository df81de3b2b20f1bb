/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */
#include "harness.h"

#include "source.h"

#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRONG_WORDS = 2, FILE_TROUBLE = 3, FOLDER = 600 };

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
    stopped = signal_number;
}

static void choose(bench_results *results)
{
    const bench_options *o = results->options;
    for (size_t s = 0; s < results->list->count; s++) {
        results->outcomes[s].chosen = !o->only_count;
        for (size_t i = 0; i < o->only_count; i++)
            if (fnmatch(o->only[i], results->list->sections[s].name, 0) == 0)
                results->outcomes[s].chosen = true;
    }
}

/* Of two sections with one name, rows could not be told apart. */
static int check_names(const bench_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->sections[i].name, list->sections[k].name) == 0) {
                fprintf(stderr, "memsweep-bench: two sections have the name %s\n",
                        list->sections[i].name);
                return -1;
            }
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static void remove_folder(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int make_folder(char folder[FOLDER])
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, FOLDER, "%.500s/memsweep-bench.XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder))
        return 0;
    fprintf(stderr, "memsweep-bench: %s: %s; TMPDIR names another folder\n", folder,
            strerror(errno));
    return -1;
}

/* Each section in a folder that nothing is in yet. */
static void run_one(bench_results *results, size_t section, const char *folder)
{
    char own[FOLDER + 8];
    bench_outcome *outcome = &results->outcomes[section];
    snprintf(own, sizeof own, "%s/now", folder);
    if (mkdir(own, 0700)) {
        outcome->failed = true;
        snprintf(outcome->message, sizeof outcome->message, "%.300s: %s", own, strerror(errno));
        return;
    }
    if (isatty(2))
        fprintf(stderr, "\r%d of %d: %s\033[K", results->rounds, results->options->repeat,
                results->list->sections[section].name);
    bench_run_section(results, section, own);
    remove_folder(own);
}

static void run_all(bench_results *results, const char *folder)
{
    struct sigaction action = {.sa_handler = stop}, before[2];
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    while (results->rounds < results->options->repeat && !stopped) {
        results->rounds++;
        for (size_t s = 0; s < results->list->count && !stopped; s++)
            if (results->outcomes[s].chosen)
                run_one(results, s, folder);
    }
    if (isatty(2))
        fprintf(stderr, "\r\033[K");
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
}

static int write_file(const bench_results *results, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out)
        bench_print_json(results, out);
    if (out && !ferror(out) && fclose(out) == 0)
        return 0;
    fprintf(stderr, "memsweep-bench: %s: %s\n", path, strerror(errno));
    return -1;
}

static int tell(const bench_results *results)
{
    const bench_options *o = results->options;
    if (o->json && !o->json_file)
        bench_print_json(results, stdout);
    else
        bench_print_table(results, stdout);
    if (o->json_file && write_file(results, o->json_file))
        return FILE_TROUBLE;
    for (size_t s = 0; s < results->list->count; s++)
        if (results->outcomes[s].failed)
            return 1;
    return ferror(stdout) ? FILE_TROUBLE : 0;
}

/* A file that cannot be written is found before the work is done. */
static int check_file(const char *path)
{
    FILE *out = path ? fopen(path, "a") : NULL;
    if (path && !out) {
        fprintf(stderr, "memsweep-bench: %s: %s\n", path, strerror(errno));
        return -1;
    }
    if (out)
        fclose(out);
    return 0;
}

static void note_load(char load[64])
{
    double one[3];
    if (getloadavg(one, 3) == 3)
        snprintf(load, 64, "%.2f %.2f %.2f", one[0], one[1], one[2]);
}

static int measure(const bench_list *list, const bench_options *options)
{
    char folder[FOLDER];
    bench_results results = {.list = list, .options = options};
    results.outcomes = calloc(list->count + 1, sizeof *results.outcomes);
    if (!results.outcomes || check_file(options->json_file) || make_folder(folder))
        return FILE_TROUBLE;
    note_load(results.load_before);
    choose(&results);
    run_all(&results, folder);
    remove_folder(folder);
    int code = tell(&results);
    if (stopped) {
        fprintf(stderr, "memsweep-bench: stopped: not all repetitions are in what was told\n");
        code = 128 + stopped;
    }
    bench_results_free(&results);
    return code;
}

/* Sections work in other folders than this one. Returns 0, or -1 after a message. */
static int use_source(const char *folder)
{
    char path[PATH_MAX + 16], whole[PATH_MAX];
    snprintf(path, sizeof path, "%s/workloads", folder);
    if (access(path, X_OK) || !realpath(folder, whole)) {
        fprintf(stderr,
                "memsweep-bench: %s: there are no workloads; --source names the folder of the "
                "source\n",
                path);
        return -1;
    }
    return setenv("MEMSWEEP_SOURCE", whole, 1);
}

int bench_main(const bench_list *list, int argc, char **argv)
{
    bench_options options;
    if (check_names(list) || bench_parse(&options, list, argc, argv))
        return WRONG_WORDS;
    if (!options.help && !options.list &&
        use_source(options.source ? options.source : source_folder()))
        return FILE_TROUBLE;
    if (options.help)
        bench_help(stdout);
    else if (options.list)
        bench_show_list(list, stdout);
    else
        return measure(list, &options);
    return 0;
}

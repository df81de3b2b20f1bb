/* SPDX-License-Identifier: MIT */
/* The machine and the build: what has to be alike for two numbers to be compared as they are. */
#include "harness.h"

#include "source.h"

#include "memsweep/base/hash.h"
#include "memsweep/base/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* What stands behind the colon in the first line of a file that begins with a word. */
static void line_of(const char *path, const char *word, char *out, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");
    msw_text_fit(out, size, "unknown");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0 && strchr(line, ':')) {
            const char *value = strchr(line, ':') + 1;
            value += strspn(value, " \t");
            line[strcspn(line, "\n")] = 0;
            msw_text_fit(out, size, value);
            break;
        }
    if (file)
        fclose(file);
}

/* One line of a small file. Returns whether there is one. */
static bool first_line(const char *path, char *out, size_t size)
{
    FILE *file = fopen(path, "r");
    bool got = file && fgets(out, (int)size, file);
    if (file)
        fclose(file);
    if (got)
        out[strcspn(out, "\n")] = 0;
    return got;
}

static void tell_caches(bench_machine_fn *tell, void *context)
{
    static const char BASE[] = "/sys/devices/system/cpu/cpu0/cache/index";
    msw_text text = MSW_TEXT_EMPTY;
    for (int i = 0; i < 8; i++) {
        char path[120], level[16], kind[32], size[32];
        snprintf(path, sizeof path, "%s%d/level", BASE, i);
        if (!first_line(path, level, sizeof level))
            break;
        snprintf(path, sizeof path, "%s%d/type", BASE, i);
        if (!first_line(path, kind, sizeof kind))
            break;
        snprintf(path, sizeof path, "%s%d/size", BASE, i);
        if (first_line(path, size, sizeof size))
            msw_text_add(&text, "%sL%s %s %s", text.size ? ", " : "", level, kind, size);
    }
    tell(context, "caches", text.size ? msw_text_str(&text) : "unknown");
    msw_text_free(&text);
}

static void tell_system(bench_machine_fn *tell, void *context)
{
    char text[300], value[128];
    struct utsname name;
    line_of("/proc/cpuinfo", "model name", text, sizeof text);
    tell(context, "processor", text);
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    tell(context, "cores", text);
    tell_caches(tell, context);
    line_of("/proc/meminfo", "MemTotal", value, sizeof value);
    tell(context, "memory", value);
    uname(&name);
    snprintf(text, sizeof text, "%.80s %.80s %.40s", name.sysname, name.release, name.machine);
    tell(context, "kernel", text);
}

/* The commit of the source folder, with "-dirty" where files are changed; the program itself is
 * named by its digest, since it may have been built from another state. */
static void tell_build(bench_machine_fn *tell, void *context)
{
    const char *const argv[] = {"git",      "-C",      source_folder(), "describe",
                                "--always", "--dirty", "--abbrev=12",   NULL};
    msw_text commit = MSW_TEXT_EMPTY;
    char *bytes = NULL, digest[40] = "unknown";
    size_t size;
    msw_err err;
    if (msw_program_read(argv, true, &commit) == 0 && commit.size)
        commit.data[strcspn(commit.data, "\n")] = 0;
    tell(context, "version", MEMSWEEP_VERSION);
    tell(context, "commit of the source", commit.size ? commit.data : "unknown");
    if (msw_read_file("/proc/self/exe", &bytes, &size, &err) == 0)
        snprintf(digest, sizeof digest, "%016llx",
                 (unsigned long long)msw_hash_bytes(bytes, size).lo);
    tell(context, "program", digest);
#ifdef __clang__
    tell(context, "compiler", "clang " __clang_version__);
#else
    tell(context, "compiler", "gcc " __VERSION__);
#endif
    tell(context, "flags", BENCH_FLAGS);
    free(bytes);
    msw_text_free(&commit);
}

void bench_machine(const bench_results *results, bench_machine_fn *tell, void *context)
{
    double load[3] = {0};
    char text[120];
    tell_system(tell, context);
    tell_build(tell, context);
    tell(context, "load before", results->load_before);
    if (getloadavg(load, 3) == 3)
        snprintf(text, sizeof text, "%.2f %.2f %.2f", load[0], load[1], load[2]);
    tell(context, "load after", text);
}

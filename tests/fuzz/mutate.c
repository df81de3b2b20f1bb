/* SPDX-License-Identifier: MIT */
/* mutate: the main program of a fuzzer that is built without libFuzzer. Gives the target every file
 * of the folders named, then mutations of them, the same ones each time:
 *
 *   fuzz_x [-rounds=N] [-seconds=N] FOLDER...
 *
 * It ends after N of them, or so many seconds of processor time (CPU_SECONDS).
 * It does not see which code an input reaches, so it finds less than libFuzzer in as many rounds;
 * the sanitizer build has it for nothing. An input that crashes or takes half a minute is written
 * to <program>.input. */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void));

enum {
    INPUT_BYTES = 1 << 16, /* more of a file is not read, and no mutation is longer */
    INPUTS = 4096,
    MUTATIONS = 6, /* of an input, at most */
    CPU_SECONDS = 2,
    HANG_SECONDS = 30
};

typedef struct input {
    uint8_t *bytes;
    size_t size;
} input;

static input inputs[INPUTS];
static size_t input_count;
static uint8_t now[INPUT_BYTES];
static size_t now_size;
static char kept_path[4096];

/* ---- what is kept of an input that crashes ---- */

static void keep(void)
{
    FILE *file = fopen(kept_path, "wb");
    if (file) {
        fwrite(now, 1, now_size, file);
        fclose(file);
        fprintf(stderr, "the input is in %s\n", kept_path);
    }
}

static void keep_and_die(int sig)
{
    keep();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void watch(const char *program)
{
    snprintf(kept_path, sizeof kept_path, "%s.input", program);
    __sanitizer_set_death_callback(keep);
    signal(SIGABRT, keep_and_die);
    signal(SIGALRM, keep_and_die);
}

/* ---- inputs ---- */

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(INPUT_BYTES);
    if (!file || !bytes || input_count == INPUTS) {
        fprintf(stderr, "%s: cannot be read, or too many files\n", path);
        exit(2);
    }
    inputs[input_count++] = (input){bytes, fread(bytes, 1, INPUT_BYTES, file)};
    fclose(file);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && entry->d_type != DT_DIR;
}

/* In the order of names: the same rounds on every file system. */
static void add_folder(const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_file, alphasort);
    if (n < 0) {
        perror(path);
        exit(2);
    }
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        add_file(name);
        free(entries[i]);
    }
    free(entries);
}

/* ---- mutations ---- */

static uint64_t state = 0x9E3779B97F4A7C15u;

static size_t below(size_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return n ? (size_t)(state * 0x2545F4914F6CDD1Du >> 33) % n : 0;
}

/* Makes room for n bytes at `at`. Returns how many there is room for. */
static size_t open_gap(size_t at, size_t n)
{
    if (n > INPUT_BYTES - now_size)
        n = INPUT_BYTES - now_size;
    memmove(now + at + n, now + at, now_size - at);
    now_size += n;
    return n;
}

static void cut(void)
{
    size_t at = below(now_size), n = below(below(2) ? 8 : now_size - at) + 1;
    if (n > now_size - at)
        n = now_size - at;
    memmove(now + at, now + at + n, now_size - at - n);
    now_size -= n;
}

/* A piece of any input, this one included, at any place. */
static void splice(void)
{
    const input *from = &inputs[below(input_count)];
    if (from->size == 0)
        return;
    size_t start = below(from->size), n = below(from->size - start) + 1;
    size_t at = below(now_size + 1);
    n = open_gap(at, n < 256 ? n : 256);
    memcpy(now + at, from->bytes + start, n);
}

static void insert_text(void)
{
    static const char *const TEXTS[] = {"0",
                                        "-1",
                                        "4294967296",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "1e308",
                                        "nan",
                                        "inf",
                                        "\n",
                                        "\t",
                                        "\"",
                                        "'",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ":",
                                        "(((",
                                        "\xff",
                                        "\xc3",
                                        ",",
                                        "..",
                                        "0x",
                                        "%s"};
    const char *text = TEXTS[below(sizeof TEXTS / sizeof *TEXTS)];
    size_t at = below(now_size + 1), n = open_gap(at, strlen(text));
    memcpy(now + at, text, n);
}

static void mutate(void)
{
    switch (now_size ? below(6) : 5) {
    case 0:
        now[below(now_size)] ^= (uint8_t)(1u << below(8));
        return;
    case 1:
        now[below(now_size)] = (uint8_t)below(256);
        return;
    case 2:
        cut();
        return;
    case 3: {
        uint8_t byte = now[below(now_size)];
        now[below(now_size)] = byte;
        return;
    }
    case 4:
        splice();
        return;
    default:
        insert_text();
    }
}

static void give(void)
{
    alarm(HANG_SECONDS);
    /* In memory of its own size, so that a read behind its end is seen. */
    uint8_t *copy = malloc(now_size ? now_size : 1);
    if (!copy)
        exit(2);
    memcpy(copy, now, now_size);
    (void)LLVMFuzzerTestOneInput(copy, now_size);
    free(copy);
}

static void take(const input *from)
{
    memcpy(now, from->bytes, from->size);
    now_size = from->size;
}

int main(int argc, char **argv)
{
    static uint8_t nothing[1];
    unsigned long rounds = 5000, seconds = CPU_SECONDS;
    inputs[input_count++] = (input){nothing, 0};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-rounds=", 8) == 0)
            rounds = strtoul(argv[i] + 8, NULL, 10);
        else if (strncmp(argv[i], "-seconds=", 9) == 0)
            seconds = strtoul(argv[i] + 9, NULL, 10);
        else
            add_folder(argv[i]);
    }
    watch(argv[0]);
    for (size_t i = 0; i < input_count; i++) {
        take(&inputs[i]);
        give();
    }
    unsigned long round = 0;
    for (; round < rounds && clock() < (clock_t)seconds * CLOCKS_PER_SEC; round++) {
        take(&inputs[below(input_count)]);
        for (size_t n = below(MUTATIONS) + 1; n > 0; n--)
            mutate();
        give();
    }
    printf("%zu inputs and %lu mutations of them\n", input_count, round);
    for (size_t i = 1; i < input_count; i++)
        free(inputs[i].bytes);
    return 0;
}

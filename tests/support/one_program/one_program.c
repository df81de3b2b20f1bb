/* SPDX-License-Identifier: MIT */
/* All test programs of a suite in one file: links name it, and the name it is called by says which
 * of them is meant. programs.inc has a line PROGRAM(name) for each; the build writes it. */
#include <stdio.h>
#include <string.h>

#define PROGRAM(name) int name##_main(void);
#include "programs.inc"
#undef PROGRAM

static const struct program {
    const char *name;
    int (*run)(void);
} programs[] = {
#define PROGRAM(name) {#name, name##_main},
#include "programs.inc"
#undef PROGRAM
};

int main(int argc, char **argv)
{
    const char *name = argc ? argv[0] : "";
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, name) == 0)
            return programs[i].run();
    fprintf(stderr, "%s is none of these tests; call the program by the name of one:\n", name);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        fprintf(stderr, "  %s\n", programs[i].name);
    return 2;
}

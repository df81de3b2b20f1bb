/* SPDX-License-Identifier: MIT */
#include "section.h"

#include "../harness/harness.h"

#include "memsweep/mech/engine.h"

#include <stdlib.h>

static const bench_section FIXED[] = {
#define SECTION(function, title, question, ...)                                                    \
    {.name = title, .asks = question, .run = section_##function, .settings = {__VA_ARGS__}},
#include "list.h"
#undef SECTION
};
enum { FIXED_COUNT = sizeof FIXED / sizeof *FIXED, MECHANISMS = 256, NAME = 80 };

/* A new mechanism gets its rows without a line here. */
int main(int argc, char **argv)
{
    static bench_section sections[FIXED_COUNT + MECHANISMS];
    static char names[MECHANISMS][NAME];
    bench_list list = {sections, FIXED_COUNT};
    for (size_t s = 0; s < FIXED_COUNT; s++)
        sections[s] = FIXED[s];
    for (size_t m = 0; msw_mechs[m] && m < MECHANISMS; m++) {
        snprintf(names[m], NAME, "mech/%s", msw_mechs[m]->name);
        sections[list.count++] =
            (bench_section){.name = names[m],
                            .asks = "How fast is a point of it at each fidelity, at defaults?",
                            .run = section_mechanism,
                            .context = msw_mechs[m]};
    }
    return bench_main(&list, argc, argv);
}

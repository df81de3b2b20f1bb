/* SPDX-License-Identifier: MIT */
#include "scenarios.h"

const char *const scenario_sweep = "sweep: small\n"
                                   "mechanism: null\n"
                                   "workloads: [synth/small]\n"
                                   "fidelity: sampled\n"
                                   "sampling: {pilot: 20, target: 20%}\n"
                                   "fix: {function: zdt2}\n"
                                   "vary: {x1: {from: 0, to: 1, step: 0.5}, x2: [0, 1]}\n"
                                   "derive: {distance: \"f1 + f2\"}\n"
                                   "objectives: {minimize: [f1, f2]}\n"
                                   "seed: 3\n";

const char *const scenario_learned = "sweep: learned\n"
                                     "mechanism: null\n"
                                     "workloads: [synth/small]\n"
                                     "fidelity: analytic\n"
                                     "vary: {train_batches: [0, 8], x1: [0, 1]}\n";

#define RUN "run", "small.yaml", "--threads", "1", "-o"
#define DIGEST                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "digest", "x.db"                                                                       \
        }                                                                                          \
    }
#define HALF                                                                                       \
    {                                                                                              \
        {                                                                                          \
            RUN, "x.db", "--shard", "0/2"                                                          \
        }                                                                                          \
    }
#define WHOLE                                                                                      \
    {                                                                                              \
        {                                                                                          \
            RUN, "x.db"                                                                            \
        }                                                                                          \
    }

const scenario scenarios[] = {
    {.name = "run",
     .command = {{RUN, "out/x.db"}},
     .digest = {{"digest", "out/x.db"}},
     .database = "out/x.db"},
    {.name = "resume", .before = {HALF}, .command = WHOLE, .digest = DIGEST, .database = "x.db"},
    {.name = "shard",
     .command = {{RUN, "x.db", "--shard", "1/2"}},
     .digest = DIGEST,
     .database = "x.db"},
    {.name = "scratch",
     .before = {HALF},
     .command = {{RUN, "x.db", "--scratch", "scratch"}},
     .digest = DIGEST,
     .database = "x.db"},
    {.name = "kept",
     .command = {{"run", "learned.yaml", "--threads", "1", "-o", "x.db"}},
     .digest = DIGEST,
     .database = "x.db"},
    {.name = "merge",
     .before = {{{RUN, "a.db", "--shard", "0/2"}}, {{RUN, "b.db", "--shard", "1/2"}}},
     .command = {{"merge", "x.db", "a.db", "b.db"}},
     .digest = DIGEST,
     .database = "x.db"},
    {.name = "verify",
     .before = {WHOLE},
     .command = {{"verify", "x.db"}},
     .database = "x.db",
     .prints = true},
    {.name = "report",
     .before = {WHOLE},
     .command = {{"report", "x.db", "--no-figures", "-o", "page.html"}},
     .database = "x.db",
     .output = "page.html"},
    {.name = "pareto",
     .before = {WHOLE},
     .command = {{"pareto", "x.db"}},
     .database = "x.db",
     .prints = true,
     .only_full = true},
    {.name = "save",
     .before = {WHOLE},
     .command = {{"pareto", "x.db", "--save"}},
     .database = "x.db",
     .prints = true},
    {.name = "query",
     .before = {WHOLE},
     .command = {{"query", "x.db", "-c", "x1, x2, f1, f2, distance", "-w", "f1 >= 0"}},
     .database = "x.db",
     .prints = true},
    {.name = "status",
     .before = {WHOLE},
     .command = {{"status", "x.db"}},
     .database = "x.db",
     .prints = true,
     .only_full = true},
    {.name = "export",
     .before = {WHOLE},
     .command = {{"export", "x.db", "--all", "-o", "rows.tsv"}},
     .database = "x.db",
     .output = "rows.tsv"},
    {.name = "replay",
     .before = {WHOLE},
     .command = {{"replay", "x.db", "--threads", "1", "-o", "y.db"}},
     .digest = {{"digest", "y.db"}},
     .database = "y.db",
     .only_full = true},
    {.name = NULL},
};

/* SPDX-License-Identifier: MIT */
/* Private to camdn: parameters of translation in front of the cache, rows of the table in params.c.
 * All of them are neutral at their defaults: with translation none nothing acts. */
#ifndef MSW_MECH_CAMDN_TRANSLATION_ROWS_H
#define MSW_MECH_CAMDN_TRANSLATION_ROWS_H

#include "mech/neummu/mmu_rows.h"

#define TRANSLATED "translation NOT IN ('none', 'ideal')"
#define POOLED     "translation IN ('shared_walkers', 'shared')"
#define NEUMMU     "arXiv:1911.06859, "
#define MNPUSIM    "casys-kaist/mNPUsim"

static const msw_choice KINDS[] = {
    [CAMDN_TRANSLATE_NONE] = {.name = "none", .doc = "addresses are physical"},
    [CAMDN_TRANSLATE_IDEAL] = {.name = "ideal", .doc = "every translation is known at once"},
    [CAMDN_TRANSLATE_PRIVATE] = {.name = "private",
                                 .doc = "each NPU has TLBs and walkers of its own"},
    [CAMDN_TRANSLATE_WALKERS] = {.name = "shared_walkers",
                                 .doc =
                                     "NPUs have a TLB each and share walkers, and the second TLB"},
    [CAMDN_TRANSLATE_SHARED] = {.name = "shared", .doc = "NPUs share a TLB and walkers"},
    {0},
};
static const msw_choice LINES[] = {
    [CAMDN_BEFORE_CACHE] = {.name = "before_cache", .doc = "every line before it is asked for"},
    [CAMDN_AT_MISS] =
        {.name = "at_miss",
         .doc = "with pages, what comes from memory or goes there: hits need no translation"},
    {0},
};
static const msw_choice FILLS[] = {
    [CAMDN_FILL_ARRIVES] = {.name = "arrives", .doc = "an entry is taken when the walk ends"},
    [CAMDN_FILL_CLAIMS] =
        {.name = "claims",
         .doc =
             "at the miss: hits wait for it, and a walk begins when the entry it takes has come"},
    {0},
};
static const msw_choice WALK_MEMORIES[] = {
    [CAMDN_WALKS_FIXED] = {.name = "fixed", .doc = "walk_level_cycles an access"},
    [CAMDN_WALKS_MEMORY] = {.name = "memory", .doc = "an access is a read of the memory"},
    [CAMDN_WALKS_CACHE] =
        {.name = "cache",
         .doc = "an access goes to its slice of the cache, and to the memory where it misses"},
    {0},
};
static const msw_choice WALKER_SHARES[] = {
    [CAMDN_WALKERS_POOL] = {.name = "pool", .doc = "who comes first"},
    [CAMDN_WALKERS_PARTS] = {.name = "parts", .doc = "each NPU has its part"},
    [CAMDN_WALKERS_STEALING] =
        {.name = "stealing",
         .doc = "it takes from who has more than walker_least, up to walker_most"},
    {0},
};
static const msw_choice FRAMES[] = {
    [CAMDN_FRAMES_LINEAR] = {.name = "linear", .doc = "in the order of addresses"},
    [CAMDN_FRAMES_SCATTERED] = {.name = "scattered", .doc = "anywhere"},
    [CAMDN_FRAMES_TOUCHED] = {.name = "first_touch",
                              .doc = "in the order in which they are first asked for, of all"},
    {0},
};
static const msw_choice STORES[] = {
    [CAMDN_STORES_POSTED] = {.name = "posted", .doc = "at a slice"},
    [CAMDN_STORES_WAITED] = {.name = "waited",
                             .doc = "in memory, where they go there; with banks, in its queue"},
    {0},
};
static const msw_choice CHANNEL_SHARES[] = {
    [CAMDN_CHANNELS_ALL] = {.name = "all", .doc = "all tenants use all of them"},
    [CAMDN_CHANNELS_PARTS] = {.name = "parts",
                              .doc = "each tenant has an equal part of the channels and of the "
                                     "slices, with what lies in them"},
    {0},
};

#define CAMDN_TRANSLATION_ROWS                                                                     \
    MSW_ROW(.name = "translation", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_TRANSLATE_NONE,    \
            .neutral = MSW_NEUTRAL(CAMDN_TRANSLATE_NONE), MSW_CHOICES(KINDS),                      \
            .doc = "who translates the addresses of NPUs", .source = MSW_PUBLIC,                   \
            .reference = MNPUSIM ": private, shared walkers, shared TLB",                          \
            .offset = FIELD(translation.kind)),                                                    \
        MSW_ROW(.name = "translate", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_BEFORE_CACHE,    \
                .neutral = MSW_NEUTRAL(CAMDN_BEFORE_CACHE), MSW_CHOICES(LINES),                    \
                .doc = "which lines are translated", .source = MSW_UNKNOWN,                        \
                .reference = "a choice: no published study",                                       \
                .acts = TRANSLATED " AND cache_control = 'pages'",                                 \
                .offset = FIELD(translation.lines)),                                               \
        MSW_ROW(.name = "translate_ahead", .kind = MSW_INTEGER, .unit = "requests", .min = 1,      \
                .max = 65536, .def = 1024, .neutral = MSW_NEUTRAL(1024), .scale = MSW_POW2,        \
                .doc = "translations of runs of lines on one page, at most, that an NPU has "      \
                       "under way or ready before it asks for the lines",                          \
                .source = MSW_UNKNOWN, .reference = "a choice; NeuMMU has no limit",               \
                .plausible_min = 64, .plausible_max = 65536, .acts = "translation <> 'none'",      \
                .offset = FIELD(translation.ahead)),                                               \
        MSW_ROW(.name = "translate_width", .kind = MSW_INTEGER, .unit = "requests/cycle",          \
                .min = 1, .max = 4096, .def = 1, .neutral = MSW_NEUTRAL(1), .scale = MSW_POW2,     \
                .doc = "lines whose translation an NPU asks for in a cycle", .source = MSW_PAPER,  \
                .reference = NEUMMU "section III-B: one", .acts = TRANSLATED,                      \
                .offset = FIELD(translation.width)),                                               \
        MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096,                   \
                .max = 1073741824, .def = 4096, .neutral = MSW_NEUTRAL(4096), .scale = MSW_POW2,   \
                .doc = "page of the address space", .source = MSW_PAPER,                           \
                .reference = NEUMMU "section III-B: 4 KiB", .acts = TRANSLATED,                    \
                .offset = FIELD(translation.page)),                                                \
        MSW_ROW(.name = "tlb_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1,           \
                .max = 65536, .def = 2048, .neutral = MSW_NEUTRAL(2048), .scale = MSW_POW2,        \
                .doc = "translations a TLB holds: of an NPU, or of all that share it",             \
                .source = MSW_PAPER, .reference = NEUMMU "fig. 8", .acts = TRANSLATED,             \
                .offset = FIELD(translation.tlb_entries)),                                         \
        MSW_ROW(.name = "tlb_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024,    \
                .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,                            \
                .doc = "ways of it; 0: fully associative", .source = MSW_UNKNOWN,                  \
                .reference = MNPUSIM " has 8", .plausible_min = 0, .plausible_max = 16,            \
                .acts = TRANSLATED, .offset = FIELD(translation.tlb_ways)),                        \
        MSW_ROW(.name = "tlb_policy", .kind = MSW_CHOICE, .unit = "", .def = MSW_POLICY_LRU,       \
                .neutral = MSW_NEUTRAL(MSW_POLICY_LRU), MSW_CHOICES(msw_tlb_policies),             \
                .doc = "which translation goes", .source = MSW_UNKNOWN,                            \
                .reference = MNPUSIM " has bit", .acts = TRANSLATED,                               \
                .offset = FIELD(translation.tlb_policy)),                                          \
        MSW_ROW(.name = "tlb_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,             \
                .max = 1000, .def = 5, .neutral = MSW_NEUTRAL(5), .doc = "latency of a hit",       \
                .source = MSW_INFERRED, .reference = MNPUSIM ", single.cfg", .plausible_min = 1,   \
                .plausible_max = 10, .acts = TRANSLATED, .offset = FIELD(translation.tlb_cycles)), \
        MSW_ROW(.name = "tlb_fill", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_FILL_ARRIVES,     \
                .neutral = MSW_NEUTRAL(CAMDN_FILL_ARRIVES), MSW_CHOICES(FILLS),                    \
                .doc = "when a miss takes its entry of the first TLB", .source = MSW_PUBLIC,       \
                .reference = "claims: " MNPUSIM, .acts = TRANSLATED,                               \
                .offset = FIELD(translation.fill)),                                                \
        MSW_ROW(.name = "tlb2_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 0,          \
                .max = 65536, .def = 0, .neutral = MSW_NEUTRAL(0), .scale = MSW_POW2,              \
                .doc = "translations a second TLB holds, behind all first ones that share "        \
                       "walkers; 0: there is none",                                                \
                .source = MSW_UNKNOWN, .reference = "not published for NPUs", .plausible_min = 0,  \
                .plausible_max = 16384, .acts = TRANSLATED,                                        \
                .offset = FIELD(translation.tlb2_entries)),                                        \
        MSW_ROW(.name = "tlb2_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 1024,   \
                .def = 16, .neutral = MSW_NEUTRAL(16), .scale = MSW_POW2,                          \
                .doc = "ways of it; 0: fully associative", .source = MSW_UNKNOWN,                  \
                .reference = "a choice", .plausible_min = 8, .plausible_max = 16,                  \
                .acts = TRANSLATED " AND tlb2_entries > 0",                                        \
                .offset = FIELD(translation.tlb2_ways)),                                           \
        MSW_ROW(.name = "tlb2_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,            \
                .max = 1000, .def = 20, .neutral = MSW_NEUTRAL(20),                                \
                .doc = "further latency of a hit there", .source = MSW_UNKNOWN,                    \
                .reference = "a choice", .plausible_min = 8, .plausible_max = 40,                  \
                .acts = TRANSLATED " AND tlb2_entries > 0",                                        \
                .offset = FIELD(translation.tlb2_cycles)),                                         \
        MSW_ROW(.name = "ptw_count", .kind = MSW_INTEGER, .unit = "walkers", .min = 1,             \
                .max = 1024, .def = 16, .neutral = MSW_NEUTRAL(16), .scale = MSW_POW2,             \
                .doc = "page-table walkers: of an NPU, or of all that share them",                 \
                .source = MSW_UNKNOWN,                                                             \
                .reference = "8 and 128 in " NEUMMU "section IV; 16 a choice between",             \
                .plausible_min = 8, .plausible_max = 128, .acts = TRANSLATED,                      \
                .offset = FIELD(translation.walkers)),                                             \
        MSW_ROW(.name = "walk_level_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 1,      \
                .max = 10000, .def = 100, .neutral = MSW_NEUTRAL(100),                             \
                .doc = "one page-table access", .source = MSW_INFERRED,                            \
                .reference = MNPUSIM ", single.cfg", .plausible_min = 50, .plausible_max = 200,    \
                .acts = TRANSLATED " AND walk_memory = 'fixed' AND walk_cycles = 0",               \
                .offset = FIELD(translation.level_cycles)),                                        \
        MSW_ROW(.name = "walk_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,            \
                .max = 1000000, .def = 0, .neutral = MSW_NEUTRAL(0),                               \
                .doc = "all accesses of a walk, however many; 0: walk_level_cycles each",          \
                .source = MSW_PUBLIC, .reference = MNPUSIM ": 400",                                \
                .acts = TRANSLATED " AND walk_memory = 'fixed'",                                   \
                .offset = FIELD(translation.walk_cycles)),                                         \
        MSW_ROW(.name = "walk_queue", .kind = MSW_INTEGER, .unit = "walks", .min = 0,              \
                .max = 16384, .def = 1024, .neutral = MSW_NEUTRAL(1024), .scale = MSW_POW2,        \
                .doc = "misses that wait for a walker, in the order in which they came",           \
                .source = MSW_PUBLIC, .reference = MNPUSIM " has no limit", .acts = TRANSLATED,    \
                .offset = FIELD(translation.queue)),                                               \
        MSW_ROW(.name = "scoreboard", .kind = MSW_FLAG, .unit = "", .min = 0, .max = 1, .def = 1,  \
                .neutral = MSW_NEUTRAL(1),                                                         \
                .doc = "misses look for a walk of their page; off: every miss walks",              \
                .source = MSW_PAPER, .reference = NEUMMU "section IV-A", .acts = TRANSLATED,       \
                .offset = FIELD(translation.scoreboard)),                                          \
        MSW_ROW(.name = "prmb_slots", .kind = MSW_INTEGER, .unit = "requests", .min = 0,           \
                .max = 4294967295, .def = 32, .neutral = MSW_NEUTRAL(32), .scale = MSW_POW2,       \
                .max_word = "unlimited", .doc = "requests that can be merged into a walk",         \
                .source = MSW_INFERRED, .reference = NEUMMU "section IV-A; remembered, not read",  \
                .plausible_min = 8, .plausible_max = 64, .acts = TRANSLATED,                       \
                .offset = FIELD(translation.slots)),                                               \
        MSW_ROW(.name = "slots_full", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_SLOTS_WALK,    \
                .neutral = MSW_NEUTRAL(NEUMMU_SLOTS_WALK), MSW_CHOICES(neummu_slots_full),         \
                .doc = "what happens to a miss whose walk has no slot left",                       \
                .source = MSW_INFERRED, .reference = NEUMMU "section IV-A",                        \
                .acts = TRANSLATED " AND scoreboard", .offset = FIELD(translation.slots_full)),    \
        MSW_ROW(.name = "return_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0,          \
                .max = 16, .def = 1, .neutral = MSW_NEUTRAL(1),                                    \
                .doc = "cycles between the answers to merged requests", .source = MSW_PAPER,       \
                .reference = NEUMMU "section IV-A", .acts = TRANSLATED,                            \
                .offset = FIELD(translation.return_cycles)),                                       \
        MSW_ROW(.name = "path_cache", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_PATH_REGISTER, \
                .neutral = MSW_NEUTRAL(NEUMMU_PATH_REGISTER), MSW_CHOICES(neummu_path_caches),     \
                .doc = "structure that lets a walk skip upper levels", .source = MSW_PAPER,        \
                .reference = NEUMMU "section IV-C", .acts = TRANSLATED,                            \
                .offset = FIELD(translation.path_cache)),                                          \
        MSW_ROW(.name = "path_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1,          \
                .max = 65536, .def = 64, .neutral = MSW_NEUTRAL(64), .scale = MSW_POW2,            \
                .doc = "entries of a path cache that walkers share", .source = MSW_UNKNOWN,        \
                .reference = "a choice", .plausible_min = 16, .plausible_max = 1024,               \
                .acts = TRANSLATED " AND path_cache IN ('shared', 'unified')",                     \
                .offset = FIELD(translation.path_entries)),                                        \
        MSW_ROW(.name = "walk_memory", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_WALKS_FIXED,   \
                .neutral = MSW_NEUTRAL(CAMDN_WALKS_FIXED), MSW_CHOICES(WALK_MEMORIES),             \
                .doc = "what a page-table access reads", .source = MSW_UNKNOWN,                    \
                .reference = "arXiv:2502.17398: a last-level cache takes most of a walk",          \
                .acts = TRANSLATED, .offset = FIELD(translation.memory)),                          \
        MSW_ROW(.name = "walk_ways", .kind = MSW_INTEGER, .unit = "ways", .min = 0, .max = 64,     \
                .def = 0, .neutral = MSW_NEUTRAL(0),                                               \
                .doc = "ways that walks fill; 0: all that nobody keeps pages in",                  \
                .source = MSW_UNKNOWN, .reference = "a choice", .plausible_min = 0,                \
                .plausible_max = 4, .acts = TRANSLATED " AND walk_memory = 'cache'",               \
                .offset = FIELD(translation.walk_ways)),                                           \
        MSW_ROW(.name = "walker_share", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_WALKERS_POOL, \
                .neutral = MSW_NEUTRAL(CAMDN_WALKERS_POOL), MSW_CHOICES(WALKER_SHARES),            \
                .doc = "how NPUs share walkers", .source = MSW_PUBLIC,                             \
                .reference = MNPUSIM ": initial, upper and lower numbers", .acts = POOLED,         \
                .offset = FIELD(translation.share)),                                               \
        MSW_ROW(.name = "walker_first", .kind = MSW_INTEGER, .unit = "walkers", .min = 0,          \
                .max = 4096, .def = 0, .neutral = MSW_NEUTRAL(0),                                  \
                .doc = "walkers of the first NPU, the others have the rest; 0: all have as many",  \
                .source = MSW_INFERRED, .reference = "definition", .plausible_min = 0,             \
                .plausible_max = 0, .acts = POOLED " AND walker_share <> 'pool'",                  \
                .offset = FIELD(translation.first)),                                               \
        MSW_ROW(.name = "walker_least", .kind = MSW_INTEGER, .unit = "walkers", .min = 1,          \
                .max = 4096, .def = 1, .neutral = MSW_NEUTRAL(1),                                  \
                .doc = "walkers that nobody can take from an NPU", .source = MSW_UNKNOWN,          \
                .reference = "a choice", .plausible_min = 1, .plausible_max = 8,                   \
                .acts = POOLED " AND walker_share = 'stealing'",                                   \
                .offset = FIELD(translation.least)),                                               \
        MSW_ROW(.name = "walker_most", .kind = MSW_INTEGER, .unit = "walkers", .min = 1,           \
                .max = 4096, .def = 4096, .neutral = MSW_NEUTRAL(4096),                            \
                .doc = "walkers that an NPU holds at most", .source = MSW_UNKNOWN,                 \
                .reference = "a choice", .plausible_min = 16, .plausible_max = 4096,               \
                .acts = POOLED " AND walker_share = 'stealing'",                                   \
                .offset = FIELD(translation.most)),                                                \
        MSW_ROW(.name = "frames", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_FRAMES_LINEAR,      \
                .neutral = MSW_NEUTRAL(CAMDN_FRAMES_LINEAR), MSW_CHOICES(FRAMES),                  \
                .doc = "where pages lie in memory", .source = MSW_UNKNOWN,                         \
                .reference = "first touch: " MNPUSIM, .acts = "translation <> 'none'",             \
                .offset = FIELD(translation.frames)),                                              \
        MSW_ROW(.name = "stores", .kind = MSW_CHOICE, .unit = "", .def = CAMDN_STORES_POSTED,      \
                .neutral = MSW_NEUTRAL(CAMDN_STORES_POSTED), MSW_CHOICES(STORES),                  \
                .doc = "when a store is over", .source = MSW_UNKNOWN,                              \
                .reference = "posted: a choice; waited: " MNPUSIM, .offset = FIELD(stores)),       \
        MSW_ROW(.name = "channels_share", .kind = MSW_CHOICE, .unit = "",                          \
                .def = CAMDN_CHANNELS_ALL, .neutral = MSW_NEUTRAL(CAMDN_CHANNELS_ALL),             \
                MSW_CHOICES(CHANNEL_SHARES), .doc = "who uses channels and slices",                \
                .source = MSW_PUBLIC, .reference = MNPUSIM ": a memory for each",                  \
                .offset = FIELD(channels_share))

#endif

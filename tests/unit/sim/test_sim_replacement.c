/* SPDX-License-Identifier: MIT */
/* Does every replacement policy decide as its rules read, access by access, on all kinds of
 * streams: with hints, masks and removals, in caches of all shapes? */
#include "cache_streams.h"
#include "plain_cache.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { ACCESSES = 1200, MASKS = 3 };

static const uint32_t SHAPES[][2] = {{1, 1},   {1, 2},  {4, 4},  {7, 4},  {16, 16}, {5, 3},
                                     {3, 12},  {32, 8}, {12, 6}, {3, 17}, {2, 64},  {4, 96},
                                     {1, 256}, {64, 2}, {6, 7},  {2, 130}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

/* What is done to a pair of caches on the way. */
typedef struct trial {
    bool hints, masks, removals;
} trial;

typedef struct masks {
    bool allowed[MASKS][PLAIN_WAYS];
    uint64_t words[MASKS][PLAIN_WAYS / 64];
} masks;

static masks draw_masks(uint32_t ways, msw_rng *rng)
{
    masks m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < MASKS; i++) {
        uint32_t sure = (uint32_t)msw_rng_below(rng, ways);
        for (uint32_t way = 0; way < ways; way++) {
            m.allowed[i][way] = way == sure || msw_rng_below(rng, 3) == 0;
            m.words[i][way / 64] |= (uint64_t)m.allowed[i][way] << way % 64;
        }
    }
    return m;
}

static const bool *all_ways(void)
{
    static const bool ALL[PLAIN_WAYS] = {
#define FOUR    true, true, true, true
#define SIXTEEN FOUR, FOUR, FOUR, FOUR
        SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN,
        SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN};
    return ALL;
}

static plain_answer access_assoc(msw_assoc *assoc, const msw_assoc_entry *entry)
{
    uint32_t set = msw_assoc_set(assoc, entry->key);
    uint32_t line = msw_assoc_find(assoc, set, entry->key);
    plain_answer answer = {.hit = line != MSW_ASSOC_NONE};
    if (answer.hit) {
        msw_assoc_touch(assoc, set, line);
        return answer;
    }
    msw_assoc_enter(assoc, set, entry, &answer.victim);
    answer.evicted = answer.victim != MSW_ASSOC_EMPTY;
    return answer;
}

static void drop(msw_assoc *assoc, uint64_t key)
{
    uint32_t set = msw_assoc_set(assoc, key), line = msw_assoc_find(assoc, set, key);
    if (line != MSW_ASSOC_NONE)
        msw_assoc_remove(assoc, set, line);
}

static void same(plain_answer a, plain_answer b, const msw_assoc_config *c, const char *name, int i)
{
    if (a.hit != b.hit || a.evicted != b.evicted || (a.evicted && a.victim != b.victim))
        fail_msg("%s, %u x %u, policy %d, access %d: hit %d victim %llu, by the rules %d %llu",
                 name, c->sets, c->ways, c->policy, i, a.hit, (unsigned long long)a.victim, b.hit,
                 (unsigned long long)b.victim);
}

/* A stream, and what is random on its way. */
typedef struct course {
    const char *name;
    const uint64_t *keys;
    trial trial;
    msw_rng rng;
} course;

static void compare(course *c, const msw_assoc_config *config)
{
    msw_err err;
    msw_assoc assoc;
    plain_cache plain;
    void *memory = malloc(msw_assoc_bytes(config));
    assert_ok(msw_assoc_init(&assoc, config, memory, &err), err);
    plain_init(&plain, config);
    masks m = draw_masks(config->ways, &c->rng);
    for (int i = 0; i < ACCESSES; i++) {
        uint64_t who = msw_rng_below(&c->rng, MASKS);
        msw_insert hint = c->trial.hints ? msw_rng_below(&c->rng, 4) : MSW_INSERT_POLICY;
        plain_request plainly = {c->keys[i], hint, c->trial.masks ? m.allowed[who] : all_ways()};
        msw_assoc_entry entry = {c->keys[i], c->trial.masks ? m.words[who] : MSW_WAYS_ALL, hint};
        same(access_assoc(&assoc, &entry), plain_access(&plain, &plainly), config, c->name, i);
        if (c->trial.removals && msw_rng_below(&c->rng, 10) == 0) {
            uint64_t key = c->keys[msw_rng_below(&c->rng, (uint64_t)i + 1)];
            drop(&assoc, key);
            plain_drop(&plain, key);
        }
    }
    plain_free(&plain);
    free(memory);
}

static bool fits(const msw_assoc_config *c)
{
    if (c->policy == MSW_POLICY_TREE && c->ways & (c->ways - 1))
        return false;
    return c->policy != MSW_POLICY_DRRIP || (c->sets >= 2 && c->rrip.leaders <= c->sets / 2);
}

/* Settings of the RRIP policies, in turn. */
static msw_rrip settings(int turn)
{
    static const msw_rrip ALL[] = {{0},
                                   {.bits = 3},
                                   {.bits = 1, .psel_bits = 2},
                                   {.count_hits = true, .psel_bits = 3},
                                   {.long_every = 4, .psel_bits = 1},
                                   {.long_random = true, .long_every = 3, .psel_bits = 4},
                                   {.leaders = 2, .psel_bits = 5},
                                   {.bits = 7, .count_hits = true}};
    return ALL[turn % 8];
}

/* Every other shape for a stream, the others for the next one. */
static void all_policies(trial how, int first_stream, int step)
{
    uint64_t keys[ACCESSES];
    for (int s = first_stream; s < CACHE_STREAMS; s += step)
        for (int shape = s % 2; shape < SHAPE_COUNT; shape += 2) {
            msw_assoc_config config = {.sets = SHAPES[shape][0],
                                       .ways = SHAPES[shape][1],
                                       .seed = (uint64_t)s,
                                       .rrip = settings((s + shape) / 2)};
            course c = {.keys = keys, .trial = how};
            c.name = cache_stream(s, (uint64_t)config.sets * config.ways, keys, ACCESSES);
            msw_rng_init(&c.rng, 5, (uint64_t)(s * SHAPE_COUNT + shape));
            for (config.policy = 0; config.policy <= MSW_POLICY_DRRIP; config.policy++)
                if (fits(&config))
                    compare(&c, &config);
        }
}

static void policies_decide_as_they_read(void **state)
{
    (void)state;
    all_policies((trial){false, false, false}, 0, 1);
}

static void hints_are_followed(void **state)
{
    (void)state;
    all_policies((trial){.hints = true}, 0, 3);
}

static void masks_are_kept(void **state)
{
    (void)state;
    all_policies((trial){.masks = true}, 1, 3);
}

static void all_at_once(void **state)
{
    (void)state;
    all_policies((trial){true, true, true}, 2, 3);
}

static uint64_t misses_of(const msw_assoc_config *config, const uint64_t *keys)
{
    msw_err err;
    msw_assoc assoc;
    void *memory = malloc(msw_assoc_bytes(config));
    uint64_t misses = 0;
    assert_ok(msw_assoc_init(&assoc, config, memory, &err), err);
    for (int i = 0; i < ACCESSES; i++)
        misses += !access_assoc(&assoc, &(msw_assoc_entry){.key = keys[i]}).hit;
    free(memory);
    return misses;
}

/* A cycle of twice the lines: LRU and SRRIP never hit, BRRIP keeps a part, DRRIP finds out. */
static void bimodal_insertion_resists_thrashing(void **state)
{
    (void)state;
    uint64_t keys[ACCESSES], hits[MSW_POLICY_DRRIP + 1];
    for (int i = 0; i < ACCESSES; i++)
        keys[i] = (uint64_t)i % 128;
    for (msw_policy policy = 0; policy <= MSW_POLICY_DRRIP; policy++) {
        msw_assoc_config config = {.sets = 8, .ways = 8, .policy = policy, .rrip.psel_bits = 4};
        hits[policy] = ACCESSES - misses_of(&config, keys);
    }
    assert_int_equal(hits[MSW_POLICY_LRU], 0);
    assert_int_equal(hits[MSW_POLICY_SRRIP], 0);
    assert_true(hits[MSW_POLICY_BRRIP] > ACCESSES / 4);
    assert_true(hits[MSW_POLICY_DRRIP] > ACCESSES / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_decide_as_they_read),
        cmocka_unit_test(hints_are_followed),
        cmocka_unit_test(masks_are_kept),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(bimodal_insertion_resists_thrashing),
    };
    return cmocka_run_group_tests_name("sim replacement", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Do the replacement policies decide as their textbook definitions do, in both forms? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/assoc.h"
#include "testing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The definitions, written for clarity: one set at a time, everything searched. */
typedef struct reference {
    uint32_t sets, ways;
    msw_policy policy;
    uint64_t *keys, *used, *filled;
    bool *bits;
    uint64_t clock;
} reference;

static reference reference_new(const msw_assoc_config *config)
{
    size_t lines = (size_t)config->sets * config->ways;
    reference ref = {config->sets, config->ways, config->policy, NULL, NULL, NULL, NULL, 0};
    ref.keys = malloc(lines * sizeof *ref.keys);
    memset(ref.keys, 0xff, lines * sizeof *ref.keys);
    ref.used = calloc(lines, sizeof *ref.used);
    ref.filled = calloc(lines, sizeof *ref.filled);
    ref.bits = calloc(lines, sizeof *ref.bits);
    return ref;
}

static void reference_free(reference *ref)
{
    free(ref->keys);
    free(ref->used);
    free(ref->filled);
    free(ref->bits);
}

/* The tree over ways [first, first + span) has its root bit at bits[first + span / 2]. */
static void tree_point_away(bool *bits, uint32_t first, uint32_t span, uint32_t way)
{
    if (span == 1)
        return;
    bool lower = way < first + span / 2;
    bits[first + span / 2] = lower;
    tree_point_away(bits, lower ? first : first + span / 2, span / 2, way);
}

static uint32_t tree_follow(const bool *bits, uint32_t first, uint32_t span)
{
    if (span == 1)
        return first;
    return tree_follow(bits, bits[first + span / 2] ? first + span / 2 : first, span / 2);
}

static void reference_use(reference *ref, uint32_t set, uint32_t way)
{
    bool *bits = ref->bits + (size_t)set * ref->ways;
    ref->used[(size_t)set * ref->ways + way] = ++ref->clock;
    if (ref->policy == MSW_POLICY_TREE)
        tree_point_away(bits, 0, ref->ways, way);
    if (ref->policy != MSW_POLICY_BIT)
        return;
    bits[way] = true;
    for (uint32_t w = 0; w < ref->ways; w++)
        if (!bits[w])
            return;
    memset(bits, 0, ref->ways);
    bits[way] = true;
}

static uint32_t reference_victim(const reference *ref, uint32_t set)
{
    size_t base = (size_t)set * ref->ways;
    const uint64_t *age = ref->policy == MSW_POLICY_FIFO ? ref->filled : ref->used;
    uint32_t best = 0;
    for (uint32_t w = 0; w < ref->ways; w++)
        if (ref->keys[base + w] == MSW_ASSOC_EMPTY)
            return w;
    if (ref->policy == MSW_POLICY_TREE)
        return tree_follow(ref->bits + base, 0, ref->ways);
    for (uint32_t w = 0; w < ref->ways; w++)
        if (ref->policy == MSW_POLICY_BIT ? !ref->bits[base + w]
                                          : age[base + w] < age[base + best]) {
            best = w;
            if (ref->policy == MSW_POLICY_BIT)
                break;
        }
    return best;
}

/* Returns whether the key was there. */
static bool reference_access(reference *ref, uint64_t key)
{
    uint32_t set = (uint32_t)(key % ref->sets);
    size_t base = (size_t)set * ref->ways;
    for (uint32_t w = 0; w < ref->ways; w++)
        if (ref->keys[base + w] == key) {
            reference_use(ref, set, w);
            return true;
        }
    uint32_t way = reference_victim(ref, set);
    ref->keys[base + way] = key;
    ref->filled[base + way] = ref->clock + 1;
    reference_use(ref, set, way);
    return false;
}

static void reference_drop(reference *ref, uint64_t key)
{
    size_t base = key % ref->sets * ref->ways;
    for (uint32_t w = 0; w < ref->ways; w++)
        if (ref->keys[base + w] == key)
            ref->keys[base + w] = MSW_ASSOC_EMPTY;
}

static bool access_key(msw_assoc *assoc, uint64_t key)
{
    uint32_t set = msw_assoc_set(assoc, key), line = msw_assoc_find(assoc, set, key);
    uint64_t evicted;
    if (line != MSW_ASSOC_NONE)
        msw_assoc_touch(assoc, set, line);
    else
        msw_assoc_insert(assoc, set, key, MSW_WAYS_ALL, &evicted);
    return line != MSW_ASSOC_NONE;
}

static void drop_key(msw_assoc *assoc, uint64_t key)
{
    uint32_t set = msw_assoc_set(assoc, key), line = msw_assoc_find(assoc, set, key);
    if (line != MSW_ASSOC_NONE)
        msw_assoc_remove(assoc, set, line);
}

static void compare(const msw_assoc_config *config, uint64_t keys)
{
    msw_err err;
    msw_assoc assoc;
    void *memory = malloc(msw_assoc_bytes(config));
    assert_ok(msw_assoc_init(&assoc, config, memory, &err), err);
    reference ref = reference_new(config);
    msw_rng rng;
    msw_rng_init(&rng, config->sets, config->ways);
    for (int i = 0; i < 20000; i++) {
        uint64_t key = msw_rng_below(&rng, keys);
        if (msw_rng_below(&rng, 50) == 0) {
            drop_key(&assoc, key);
            reference_drop(&ref, key);
        } else if (access_key(&assoc, key) != reference_access(&ref, key)) {
            fail_msg("%u x %u, policy %d: access %d differs", config->sets, config->ways,
                     config->policy, i);
        }
    }
    reference_free(&ref);
    free(memory);
}

static void agree_with_definitions(void **state)
{
    (void)state;
    static const uint32_t SHAPES[][2] = {{1, 1},  {1, 2},  {4, 4},   {7, 4}, {16, 16},
                                         {3, 32}, {1, 64}, {2, 128}, {5, 3}, {3, 17},
                                         {1, 13}, {4, 96}, {1, 256}};
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++)
        for (msw_policy policy = MSW_POLICY_LRU; policy <= MSW_POLICY_BIT; policy++) {
            msw_assoc_config config = {
                .sets = SHAPES[s][0], .ways = SHAPES[s][1], .policy = policy};
            if (policy == MSW_POLICY_TREE && (config.ways & (config.ways - 1)))
                continue;
            /* Twice as many keys as lines, drawn uniformly: about half the accesses miss. */
            compare(&config, 2 * (uint64_t)config.sets * config.ways);
        }
}

/* With tree_fills (gem5's TreePLRU) four cold misses take ways 0, 2, 1, 3. */
static void tree_chooses_among_empty_ways(void **state)
{
    (void)state;
    msw_err err;
    msw_assoc assoc;
    msw_assoc_config config = {.sets = 1, .ways = 4, .policy = MSW_POLICY_TREE, .tree_fills = true};
    void *memory = malloc(msw_assoc_bytes(&config));
    assert_ok(msw_assoc_init(&assoc, &config, memory, &err), err);
    static const uint32_t WAYS[] = {0, 2, 1, 3, 0, 2};
    for (uint64_t key = 0; key < 6; key++) {
        uint64_t evicted;
        assert_int_equal(msw_assoc_insert(&assoc, 0, key, MSW_WAYS_ALL, &evicted), WAYS[key]);
    }
    free(memory);
}

/* Hand-worked: after fills a b c d (ways 0-3) and a hit on a, the tree points to c's half and there
 * to c; the bits are a and d (d's fill cleared the others), so the lowest clear way is b. */
static void known_pseudo_lru_victims(void **state)
{
    (void)state;
    static const struct {
        msw_policy policy;
        uint64_t victim;
    } CASES[] = {
        {MSW_POLICY_TREE, 2}, {MSW_POLICY_BIT, 1}, {MSW_POLICY_LRU, 1}, {MSW_POLICY_FIFO, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err;
        msw_assoc assoc;
        msw_assoc_config config = {.sets = 1, .ways = 4, .policy = CASES[i].policy};
        void *memory = malloc(msw_assoc_bytes(&config));
        assert_ok(msw_assoc_init(&assoc, &config, memory, &err), err);
        uint64_t evicted;
        for (uint64_t key = 0; key < 4; key++)
            access_key(&assoc, key);
        access_key(&assoc, 0);
        msw_assoc_insert(&assoc, 0, 9, MSW_WAYS_ALL, &evicted);
        assert_int_equal(evicted, CASES[i].victim);
        free(memory);
    }
}

static void masks_limit_fills(void **state)
{
    (void)state;
    for (msw_policy policy = MSW_POLICY_LRU; policy <= MSW_POLICY_RANDOM; policy++)
        for (uint32_t ways = 4; ways <= 64; ways *= 4) {
            msw_err err;
            msw_assoc assoc;
            msw_assoc_config config = {.sets = 1, .ways = ways, .policy = policy, .seed = 3};
            void *memory = malloc(msw_assoc_bytes(&config));
            assert_ok(msw_assoc_init(&assoc, &config, memory, &err), err);
            uint64_t evicted, mask = (uint64_t)0xc << (ways - 4), seen = 0;
            for (uint64_t key = 0; key < 200; key++) {
                uint32_t line = msw_assoc_insert(&assoc, 0, key, &mask, &evicted);
                assert_true(mask >> line & 1);
                seen |= (uint64_t)1 << line;
                access_key(&assoc, key);
            }
            assert_true(seen == mask);
            free(memory);
        }
}

static void random_is_uniform(void **state)
{
    (void)state;
    msw_err err;
    msw_assoc assoc;
    msw_assoc_config config = {.sets = 1, .ways = 8, .policy = MSW_POLICY_RANDOM, .seed = 11};
    void *memory = malloc(msw_assoc_bytes(&config));
    assert_ok(msw_assoc_init(&assoc, &config, memory, &err), err);
    enum { N = 80000 };
    double counts[8] = {0}, chi = 0;
    uint64_t evicted;
    for (uint64_t key = 0; key < N; key++)
        counts[msw_assoc_insert(&assoc, 0, key, MSW_WAYS_ALL, &evicted)]++;
    for (int way = 0; way < 8; way++)
        chi += (counts[way] - N / 8) * (counts[way] - N / 8) / (N / 8);
    assert_true(chi < 24.3); /* chi-square, 7 degrees of freedom, p = 0.001 */
    free(memory);
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    static const msw_assoc_config BAD[] = {
        {.sets = 0, .ways = 4},
        {.sets = 4, .ways = 0},
        {.sets = 1u << 20, .ways = 1u << 20},
        {.sets = 4, .ways = 6, .policy = MSW_POLICY_TREE},
        {.sets = 4, .ways = 4, .policy = MSW_POLICY_SRRIP, .rrip.bits = 8},
        {.sets = 1, .ways = 4, .policy = MSW_POLICY_DRRIP},
        {.sets = 8, .ways = 4, .policy = MSW_POLICY_DRRIP, .rrip.leaders = 5},
        {.sets = 8, .ways = 4, .policy = MSW_POLICY_DRRIP, .rrip.psel_bits = 31},
        {.sets = 8, .ways = 4, .policy = (msw_policy)99},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_assoc assoc;
        msw_err err = {0};
        assert_int_equal(msw_assoc_init(&assoc, &BAD[i], NULL, &err), -1);
        assert_true(err.text[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agree_with_definitions),   cmocka_unit_test(tree_chooses_among_empty_ways),
        cmocka_unit_test(known_pseudo_lru_victims), cmocka_unit_test(masks_limit_fills),
        cmocka_unit_test(random_is_uniform),        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests_name("sim assoc", tests, NULL, NULL);
}

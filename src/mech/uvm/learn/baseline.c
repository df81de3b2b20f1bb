/* SPDX-License-Identifier: MIT */
/* Tables of differences: what an index was followed by, with two bits of confidence.
 *
 * An entry takes 8 bytes: a tag of 24 bits, the answer as a difference of 32 bits, confidence. It
 * is found by a hash of the index; another index takes it when its confidence is used up. */
#include "mech/uvm/learn/score.h"

#include "memsweep/base/hash.h"

enum { ENTRY_BYTES = 8, MOST_CONFIDENCE = 3 };

typedef struct entry {
    uint32_t tag; /* + 1; 0: free */
    int32_t answer;
    uint32_t confidence;
} entry;

static uint64_t index_of(const uvm_samples *s, size_t sample, bool pairs)
{
    uint32_t row = s->rows[sample], before = s->before[row];
    int64_t key[2] = {uvm_feature(s, row, UVM_F_DELTA), INT64_MIN};
    if (!pairs)
        key[1] = uvm_feature(s, row, UVM_F_PC);
    else if (before && s->before[before - 1])
        key[1] = uvm_feature(s, before - 1, UVM_F_DELTA);
    return msw_hash_bytes(key, sizeof key).lo;
}

static entry *find(entry *table, size_t entries, uint64_t index, uint32_t *tag)
{
    *tag = (uint32_t)(index >> 40) + 1;
    return &table[index % entries];
}

static void teach(entry *e, uint32_t tag, int32_t answer)
{
    if (e->tag == tag && e->answer == answer) {
        e->confidence += e->confidence < MOST_CONFIDENCE;
    } else if (e->tag && e->confidence) {
        e->confidence--;
    } else {
        *e = (entry){tag, answer, 1};
    }
}

double uvm_baseline(const uvm_samples *s, uint64_t bytes, bool pairs, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    size_t entries = (size_t)msw_max_u64(bytes / ENTRY_BYTES, 1);
    entry *table = msw_arena_zero(arena, entries, sizeof *table);
    double right = 0;
    uint32_t tag;
    if (!table)
        return -1;
    for (size_t i = 0; i < s->learned_count; i++) {
        entry *e = find(table, entries, index_of(s, s->learned[i], pairs), &tag);
        teach(e, tag, (int32_t)uvm_sample_delta(s, s->learned[i]));
    }
    for (size_t i = 0; i < s->asked_count; i++) {
        const entry *e = find(table, entries, index_of(s, s->asked[i], pairs), &tag);
        right += e->tag == tag && e->answer == (int32_t)uvm_sample_delta(s, s->asked[i]);
    }
    msw_arena_release(arena, mark);
    return right;
}

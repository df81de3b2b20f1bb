/* SPDX-License-Identifier: MIT */
/* The flow of values between the registers of a kernel: liveness, dependences, the slice of
 * accesses.
 *
 * Liveness, backwards to the fixed point:
 *   live_out(b) = union of live_in of b's successors
 *   live_in(b)  = reads(b) + (live_out(b) - writes(b)),
 * reads(b): registers read before they are surely written; writes(b): surely written. A guarded
 * instruction does not surely write.
 *
 * The dependence graph has for each use the instructions whose value may arrive there: from the use
 * backwards through its block and the blocks before it, until an unguarded instruction has surely
 * written the register.
 *
 * The slice must run so that every access has its address and every branch its predicate. A
 * register is wanted when an address, a guard of an access, branch, exit or barrier, or an operand
 * of a barrier reads it, or a wanted instruction does. An instruction is wanted when it writes a
 * wanted register. A wanted load wants the stores and atomics that may write what it reads: those
 * of its space, and generic ones; a generic load wants all. Whoever knows the whole program says
 * instead which stores to global memory anybody wants: other kernels read them, too. */
#include "memsweep/workload/simt/flow.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Words of all sets of one kernel: 512 MiB. */
#define MOST_WORDS ((uint64_t)1 << 26)

typedef struct live_state {
    const msw_simt_kernel *kernel;
    uint32_t words;
    uint64_t *in, *out, *reads, *writes;
} live_state;

static void put(uint64_t *set, uint32_t reg)
{
    set[reg / 64] |= (uint64_t)1 << reg % 64;
}

static void drop(uint64_t *set, uint32_t reg)
{
    set[reg / 64] &= ~((uint64_t)1 << reg % 64);
}

static bool has(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static bool writes(const msw_simt_insn *insn, uint32_t reg)
{
    for (uint32_t d = 0; d < insn->def_count; d++)
        if (insn->defs[d] == reg)
            return true;
    return false;
}

static void scan_block(const live_state *s, uint32_t b)
{
    const msw_simt_block *block = &s->kernel->blocks[b];
    uint64_t *reads = s->reads + (size_t)b * s->words, *writes = s->writes + (size_t)b * s->words;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const msw_simt_insn *insn = &s->kernel->insns[i];
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (!has(writes, insn->uses[u]))
                put(reads, insn->uses[u]);
        for (uint32_t d = 0; d < insn->def_count && insn->guard == MSW_SIMT_NONE; d++)
            put(writes, insn->defs[d]);
    }
}

static bool update(const live_state *s, uint32_t b)
{
    const msw_simt_block *block = &s->kernel->blocks[b];
    size_t row = (size_t)b * s->words;
    bool changed = false;
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t out = 0;
        for (uint32_t n = 0; n < block->next_count; n++)
            out |= s->in[(size_t)block->next[n] * s->words + w];
        uint64_t in = s->reads[row + w] | (out & ~s->writes[row + w]);
        changed |= in != s->in[row + w];
        s->out[row + w] = out;
        s->in[row + w] = in;
    }
    return changed;
}

/* Moves a set from behind an instruction to before it. */
static void step_back(const msw_simt_insn *insn, uint64_t *set)
{
    for (uint32_t d = 0; d < insn->def_count && insn->guard == MSW_SIMT_NONE; d++)
        drop(set, insn->defs[d]);
    for (uint32_t u = 0; u < insn->use_count; u++)
        put(set, insn->uses[u]);
}

static uint32_t weigh(const msw_simt_kernel *kernel, const uint64_t *set, uint32_t words,
                      uint32_t *predicates)
{
    uint32_t bytes = 0;
    *predicates = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
            const msw_simt_reg *reg = &kernel->regs[64 * w + msw_bits_lowest(rest)];
            bytes += reg->bytes == 2 ? 4 : reg->bytes;
            *predicates += reg->bytes == 0;
        }
    return bytes;
}

static void find_most(const live_state *s, msw_simt_liveness *out, uint64_t *set)
{
    for (uint32_t b = 0; b < s->kernel->block_count; b++) {
        const msw_simt_block *block = &s->kernel->blocks[b];
        memcpy(set, s->out + (size_t)b * s->words, s->words * sizeof *set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            uint32_t predicates, bytes = weigh(s->kernel, set, s->words, &predicates);
            if (predicates > out->most_predicates)
                out->most_predicates = predicates;
            if (bytes > out->most_bytes) {
                out->most_bytes = bytes;
                out->most_at = i;
            }
            step_back(&s->kernel->insns[i], set);
        }
    }
}

static int take_sets(live_state *s, msw_arena *arena)
{
    size_t count = (size_t)s->kernel->block_count;
    if (count * s->words * 4 > MOST_WORDS)
        return -1;
    s->in = msw_arena_zero(arena, count, s->words * sizeof *s->in);
    s->out = msw_arena_zero(arena, count, s->words * sizeof *s->out);
    s->reads = msw_arena_zero(arena, count, s->words * sizeof *s->reads);
    s->writes = msw_arena_zero(arena, count, s->words * sizeof *s->writes);
    return s->in && s->out && s->reads && s->writes ? 0 : -1;
}

const msw_simt_liveness *msw_simt_liveness_of(const msw_simt_kernel *kernel, msw_arena *arena)
{
    live_state s = {.kernel = kernel, .words = kernel->reg_count / 64 + 1};
    msw_simt_liveness *out = msw_arena_zero(arena, 1, sizeof *out);
    uint64_t *set = msw_arena_take(arena, s.words * sizeof *set);
    if (!out || !set || take_sets(&s, arena))
        return NULL;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        scan_block(&s, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = kernel->block_count; b-- > 0;)
            changed |= update(&s, b);
    }
    out->words = s.words;
    out->live_in = s.in;
    out->live_out = s.out;
    find_most(&s, out, set);
    return out;
}

/* Instructions and blocks looked at, against kernels made to take hours. */
#define MOST_STEPS ((uint64_t)1 << 30)

typedef struct finder {
    const msw_simt_kernel *kernel;
    msw_arena *arena;
    uint32_t *before_first, *before; /* [block]: the blocks before it */
    uint32_t *seen, round, *stack;
    uint32_t *found, found_count, found_room;
    uint32_t found_first; /* of the present use */
    uint64_t steps;
} finder;

static int index_blocks(finder *f)
{
    const msw_simt_kernel *kernel = f->kernel;
    uint32_t count = kernel->block_count;
    f->before_first = msw_arena_zero(f->arena, count + 2u, sizeof(uint32_t));
    f->before = msw_arena_zero(f->arena, 2u * count + 1, sizeof(uint32_t));
    f->seen = msw_arena_zero(f->arena, count, sizeof(uint32_t));
    f->stack = msw_arena_zero(f->arena, count + 1u, sizeof(uint32_t));
    if (!f->before_first || !f->before || !f->seen || !f->stack)
        return -1;
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t n = 0; n < kernel->blocks[b].next_count; n++)
            f->before_first[kernel->blocks[b].next[n] + 2]++;
    for (uint32_t b = 2; b < count + 2; b++)
        f->before_first[b] += f->before_first[b - 1];
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t n = 0; n < kernel->blocks[b].next_count; n++)
            f->before[f->before_first[kernel->blocks[b].next[n] + 1]++] = b;
    return 0;
}

static int add_found(finder *f, uint32_t insn)
{
    for (uint32_t i = f->found_first; i < f->found_count; i++)
        if (f->found[i] == insn)
            return 0;
    if (f->found_count == f->found_room) {
        uint32_t room = f->found_room ? 2 * f->found_room : 1024;
        uint32_t *found = msw_arena_take(f->arena, room * sizeof *found);
        if (!found)
            return -1;
        if (f->found_count)
            memcpy(found, f->found, f->found_count * sizeof *found);
        f->found = found;
        f->found_room = room;
    }
    f->found[f->found_count++] = insn;
    return 0;
}

/* Looks for writes of a register in a block before instruction `end`. Returns 1 when one is sure,
 * 0 when the search goes on before the block, -1 without memory. */
static int search_block(finder *f, uint32_t b, uint32_t end, uint32_t reg)
{
    for (uint32_t i = end; i-- > f->kernel->blocks[b].first;) {
        f->steps++;
        if (!writes(&f->kernel->insns[i], reg))
            continue;
        if (add_found(f, i))
            return -1;
        if (f->kernel->insns[i].guard == MSW_SIMT_NONE)
            return 1;
    }
    return 0;
}

static void push_before(finder *f, uint32_t b, uint32_t *depth)
{
    for (uint32_t e = f->before_first[b]; e < f->before_first[b + 1]; e++) {
        uint32_t block = f->before[e];
        if (f->seen[block] == f->round)
            continue;
        f->seen[block] = f->round;
        f->stack[(*depth)++] = block;
    }
}

static int search(finder *f, uint32_t insn, uint32_t reg)
{
    uint32_t b = f->kernel->insns[insn].block, depth = 0;
    f->round++;
    int status = search_block(f, b, insn, reg);
    if (status)
        return status < 0 ? -1 : 0;
    push_before(f, b, &depth);
    while (depth) {
        b = f->stack[--depth];
        const msw_simt_block *block = &f->kernel->blocks[b];
        status = search_block(f, b, block->first + block->count, reg);
        if (status < 0)
            return -1;
        if (!status)
            push_before(f, b, &depth);
    }
    return 0;
}

/* A register written once, unguarded, has one producer: no search. */
static int count_writes(const finder *f, uint32_t *only)
{
    memset(only, 0xff, (f->kernel->reg_count + 1u) * sizeof *only);
    for (uint32_t i = 0; i < f->kernel->insn_count; i++)
        for (uint32_t d = 0; d < f->kernel->insns[i].def_count; d++) {
            uint32_t *known = &only[f->kernel->insns[i].defs[d]];
            *known = *known == MSW_SIMT_NONE ? i : MSW_SIMT_NONE - 1;
        }
    return 0;
}

static int fill(finder *f, msw_simt_dependences *out, uint32_t *use_base, uint32_t *first,
                const uint32_t *only, msw_err *err)
{
    uint32_t use = 0;
    for (uint32_t i = 0; i < f->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &f->kernel->insns[i];
        use_base[i] = use;
        for (uint32_t u = 0; u < insn->use_count; u++, use++) {
            uint32_t reg = insn->uses[u];
            first[use] = f->found_first = f->found_count;
            bool single = only[reg] < MSW_SIMT_NONE - 1;
            if (single ? add_found(f, only[reg]) : only[reg] != MSW_SIMT_NONE && search(f, i, reg))
                return msw_fail_memory(err);
            if (f->steps > MOST_STEPS)
                return msw_fail(err,
                                "%s:%u: kernel %s: its dependences are too many to be followed",
                                f->kernel->file, f->kernel->line, f->kernel->name);
        }
    }
    first[use] = f->found_count;
    *out = (msw_simt_dependences){use_base, first, f->found, use};
    return 0;
}

const msw_simt_dependences *msw_simt_dependences_of(const msw_simt_kernel *kernel, msw_arena *arena,
                                                    msw_err *err)
{
    finder f = {.kernel = kernel, .arena = arena};
    uint32_t uses = 0;
    for (uint32_t i = 0; i < kernel->insn_count; i++)
        uses += kernel->insns[i].use_count;
    msw_simt_dependences *out = msw_arena_zero(arena, 1, sizeof *out);
    uint32_t *use_base = msw_arena_take(arena, (kernel->insn_count + 1u) * sizeof *use_base);
    uint32_t *first = msw_arena_take(arena, (uses + 1u) * sizeof *first);
    uint32_t *only = msw_arena_take(arena, (kernel->reg_count + 1u) * sizeof *only);
    if (!out || !use_base || !first || !only || index_blocks(&f)) {
        msw_fail_memory(err);
        return NULL;
    }
    count_writes(&f, only);
    return fill(&f, out, use_base, first, only, err) ? NULL : out;
}

typedef struct slicer {
    const msw_simt_kernel *kernel;
    uint8_t *needed, *wanted; /* [instruction], [register] */
    uint32_t *queue, queued;
    uint32_t *first, *writers; /* [register + 1]: instructions that write it */
    const uint8_t *stores;     /* [instruction], of global memory; NULL: go by the space */
    bool spaces[MSW_SIMT_GENERIC + 1];
} slicer;

static void want(slicer *s, uint32_t reg)
{
    if (s->wanted[reg])
        return;
    s->wanted[reg] = 1;
    s->queue[s->queued++] = reg;
}

static bool is_access(const msw_simt_insn *insn)
{
    return insn->space != MSW_SIMT_NO_SPACE;
}

static bool may_meet(msw_simt_space a, msw_simt_space b)
{
    return a == b || a == MSW_SIMT_GENERIC || b == MSW_SIMT_GENERIC;
}

static void need(slicer *s, uint32_t i);

/* Is it said whether this store is wanted? */
static bool is_decided(const slicer *s, msw_simt_space store, msw_simt_space load)
{
    return s->stores && (store == MSW_SIMT_GLOBAL || load == MSW_SIMT_GLOBAL);
}

/* Loads of a space are wanted: so are all that write there. */
static void need_writers(slicer *s, msw_simt_space space)
{
    if (s->spaces[space])
        return;
    s->spaces[space] = true;
    for (uint32_t i = 0; i < s->kernel->insn_count; i++)
        if (s->kernel->insns[i].is_store && may_meet(s->kernel->insns[i].space, space) &&
            !is_decided(s, s->kernel->insns[i].space, space))
            need(s, i);
}

static void need(slicer *s, uint32_t i)
{
    const msw_simt_insn *insn = &s->kernel->insns[i];
    if (s->needed[i])
        return;
    s->needed[i] = 1;
    for (uint32_t u = 0; u < insn->use_count; u++)
        want(s, insn->uses[u]);
    bool reads = is_access(insn) && (!insn->is_store || insn->is_atomic);
    if (reads && insn->space != MSW_SIMT_PARAM && insn->space != MSW_SIMT_CONST)
        need_writers(s, insn->space);
}

static void start(slicer *s)
{
    for (uint32_t i = 0; i < s->kernel->insn_count; i++) {
        const msw_simt_insn *insn = &s->kernel->insns[i];
        if (insn->kind == MSW_SIMT_CLASS_BRANCH || insn->kind == MSW_SIMT_CLASS_EXIT ||
            insn->kind == MSW_SIMT_CLASS_BARRIER || (s->stores && s->stores[i]))
            need(s, i);
        if (!is_access(insn))
            continue;
        if (insn->guard != MSW_SIMT_NONE)
            want(s, insn->guard);
        for (uint32_t u = 0; u < insn->address_count; u++)
            want(s, insn->address_uses[u]);
    }
}

static int index_writers(slicer *s, msw_arena *arena)
{
    uint32_t total = 0;
    s->first = msw_arena_zero(arena, s->kernel->reg_count + 2u, sizeof *s->first);
    for (uint32_t i = 0; s->first && i < s->kernel->insn_count; i++) {
        total += s->kernel->insns[i].def_count;
        for (uint32_t d = 0; d < s->kernel->insns[i].def_count; d++)
            s->first[s->kernel->insns[i].defs[d] + 2]++;
    }
    s->writers = msw_arena_take(arena, (total + 1u) * sizeof *s->writers);
    if (!s->first || !s->writers)
        return -1;
    for (uint32_t r = 2; r < s->kernel->reg_count + 2; r++)
        s->first[r] += s->first[r - 1];
    for (uint32_t i = 0; i < s->kernel->insn_count; i++)
        for (uint32_t d = 0; d < s->kernel->insns[i].def_count; d++)
            s->writers[s->first[s->kernel->insns[i].defs[d] + 1]++] = i;
    return 0;
}

const uint8_t *msw_simt_slice_of(const msw_simt_kernel *kernel, const uint8_t *stores,
                                 msw_arena *arena, msw_err *err)
{
    slicer s = {.kernel = kernel, .stores = stores};
    s.needed = msw_arena_zero(arena, kernel->insn_count + 1u, 1);
    s.wanted = msw_arena_zero(arena, kernel->reg_count + 1u, 1);
    s.queue = msw_arena_take(arena, (kernel->reg_count + 1u) * sizeof *s.queue);
    if (!s.needed || !s.wanted || !s.queue || index_writers(&s, arena)) {
        msw_fail_memory(err);
        return NULL;
    }
    start(&s);
    while (s.queued) {
        uint32_t reg = s.queue[--s.queued];
        for (uint32_t w = s.first[reg]; w < s.first[reg + 1]; w++)
            need(&s, s.writers[w]);
    }
    return s.needed;
}

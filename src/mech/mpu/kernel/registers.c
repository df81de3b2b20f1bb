/* SPDX-License-Identifier: MIT */
/* Allocates and tracks the registers of a warp.
 *
 * Allocation: greedy colouring of the interference graph. A register interferes with all that live
 * behind an instruction that writes it. Registers are coloured in the order of their first write; a
 * 64-bit one takes an even colour and the next. Those on one side, on the other and on both never
 * share a colour, so the three are coloured apart.
 *
 * Tracking: the register track table (section IV-B1: three steps). */
#include "mech/mpu/kernel/kernel.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/flow.h"

#include <string.h>

/* ---- allocation ---- */

enum { REGS_MAX = 16384, COLOURS_MAX = 4096 };

typedef struct colourer {
    const msw_simt_kernel *kernel;
    uint32_t words;  /* of one row */
    uint64_t *edges; /* [register * words] */
    uint32_t *order; /* registers by first write */
    uint32_t ordered;
    uint32_t *colours; /* + 1; 0: none yet */
} colourer;

static void join_regs(colourer *c, uint32_t a, uint32_t b)
{
    c->edges[(size_t)a * c->words + b / 64] |= (uint64_t)1 << b % 64;
    c->edges[(size_t)b * c->words + a / 64] |= (uint64_t)1 << a % 64;
}

static void join_live(colourer *c, const msw_simt_insn *insn, const uint64_t *live)
{
    for (uint32_t d = 0; d < insn->def_count; d++) {
        for (uint32_t w = 0; w < c->words; w++)
            for (uint64_t rest = live[w]; rest; rest &= rest - 1) {
                uint32_t other = 64 * w + msw_bits_lowest(rest);
                if (other != insn->defs[d])
                    join_regs(c, insn->defs[d], other);
            }
        for (uint32_t e = 0; e < d; e++)
            join_regs(c, insn->defs[d], insn->defs[e]);
    }
}

static void step_back(const msw_simt_insn *insn, uint64_t *set)
{
    for (uint32_t d = 0; d < insn->def_count && insn->guard == MSW_SIMT_NONE; d++)
        set[insn->defs[d] / 64] &= ~((uint64_t)1 << insn->defs[d] % 64);
    for (uint32_t u = 0; u < insn->use_count; u++)
        set[insn->uses[u] / 64] |= (uint64_t)1 << insn->uses[u] % 64;
}

static void find_edges(colourer *c, const msw_simt_liveness *liveness, uint64_t *live)
{
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        const msw_simt_block *block = &c->kernel->blocks[b];
        memcpy(live, liveness->live_out + (size_t)b * c->words, c->words * sizeof *live);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            join_live(c, &c->kernel->insns[i], live);
            step_back(&c->kernel->insns[i], live);
        }
    }
}

static void find_order(colourer *c)
{
    for (uint32_t i = 0; i < c->kernel->insn_count; i++)
        for (uint32_t d = 0; d < c->kernel->insns[i].def_count; d++) {
            uint32_t reg = c->kernel->insns[i].defs[d];
            if (c->colours[reg])
                continue;
            c->colours[reg] = 1;
            c->order[c->ordered++] = reg;
        }
}

static void mark_taken(const colourer *c, uint32_t reg, uint64_t *taken)
{
    const uint64_t *row = c->edges + (size_t)reg * c->words;
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t rest = row[w]; rest; rest &= rest - 1) {
            uint32_t other = 64 * w + msw_bits_lowest(rest), at = c->colours[other];
            for (uint32_t k = 0; at && k < c->kernel->regs[other].bytes; k += 4, at++)
                taken[(at - 1) / 64] |= (uint64_t)1 << (at - 1) % 64;
        }
}

static uint32_t find_free(const uint64_t *taken, uint32_t width)
{
    for (uint32_t at = 0; at + width <= COLOURS_MAX; at += width) {
        uint64_t mask = width == 2 ? 3 : 1;
        if (!(taken[at / 64] >> at % 64 & mask))
            return at;
    }
    return COLOURS_MAX;
}

/* Colours the registers on one side (or, with MPU_SIDES, all). Returns how many it takes. */
static uint32_t colour_side(colourer *c, const uint8_t *sides, mpu_side side)
{
    uint32_t most = 0;
    memset(c->colours, 0, c->kernel->reg_count * sizeof *c->colours);
    for (uint32_t o = 0; o < c->ordered; o++) {
        uint64_t taken[COLOURS_MAX / 64] = {0};
        uint32_t reg = c->order[o], width = c->kernel->regs[reg].bytes == 8 ? 2 : 1;
        if (!c->kernel->regs[reg].bytes || (side != MPU_SIDES && sides[reg] != side))
            continue;
        mark_taken(c, reg, taken);
        uint32_t at = find_free(taken, width);
        c->colours[reg] = at + 1;
        most = at + width > most ? at + width : most;
    }
    return most;
}

/* ---- registers by kind ---- */

/* Names of one kind differ in their number alone: %f1, %f2. */
static bool is_same_kind(const char *a, const char *b)
{
    size_t length = strcspn(a, "0123456789");
    return length == strcspn(b, "0123456789") && memcmp(a, b, length) == 0;
}

static bool is_free(const colourer *c, uint32_t reg, uint32_t colour)
{
    const uint64_t *row = c->edges + (size_t)reg * c->words;
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t rest = row[w]; rest; rest &= rest - 1)
            if (c->colours[64 * w + msw_bits_lowest(rest)] == colour)
                return false;
    return true;
}

/* How many registers of the kind of `first` one side takes, whatever their width. */
static uint32_t colour_kind(colourer *c, const uint8_t *sides, uint32_t first)
{
    uint32_t most = 0;
    memset(c->colours, 0, c->kernel->reg_count * sizeof *c->colours);
    for (uint32_t o = 0; o < c->ordered; o++) {
        uint32_t reg = c->order[o], colour = 1;
        if (sides[reg] != sides[first] ||
            !is_same_kind(c->kernel->regs[reg].name, c->kernel->regs[first].name))
            continue;
        while (!is_free(c, reg, colour))
            colour++;
        c->colours[reg] = colour;
        most = colour > most ? colour : most;
    }
    return most;
}

static bool is_first_of_kind(const colourer *c, const uint8_t *sides, uint32_t o)
{
    uint32_t reg = c->order[o];
    for (uint32_t before = 0; before < o; before++)
        if (sides[c->order[before]] == sides[reg] &&
            is_same_kind(c->kernel->regs[c->order[before]].name, c->kernel->regs[reg].name))
            return false;
    return true;
}

static void count_kinds(colourer *c, const uint8_t *sides, uint32_t *named)
{
    for (uint32_t o = 0; o < c->ordered; o++)
        if (is_first_of_kind(c, sides, o))
            named[sides[c->order[o]]] += colour_kind(c, sides, c->order[o]);
}

/* ---- the whole ---- */

static int allocate_colourer(colourer *c, msw_arena *arena, msw_err *err)
{
    uint32_t count = c->kernel->reg_count;
    if (count > REGS_MAX)
        return msw_fail(err, "kernel %s has %u registers, at most %d can be allocated",
                        c->kernel->name, count, (int)REGS_MAX);
    c->edges = msw_arena_zero(arena, (size_t)(count + 1) * c->words, sizeof *c->edges);
    c->order = msw_arena_take(arena, (count + 1) * sizeof *c->order);
    c->colours = msw_arena_zero(arena, count + 1, sizeof *c->colours);
    return c->edges && c->order && c->colours ? 0 : msw_fail_memory(err);
}

static void colour_all(colourer *c, const uint8_t *sides, uint32_t *colours, mpu_demand *demand)
{
    uint32_t used[MPU_SIDES];
    find_order(c);
    for (int side = 0; side < MPU_SIDES; side++) {
        used[side] = colour_side(c, sides, (mpu_side)side);
        for (uint32_t r = 0; r < c->kernel->reg_count; r++)
            if (sides[r] == side)
                colours[r] = c->colours[r] ? c->colours[r] - 1 : 0;
    }
    demand->near_regs = used[MPU_NEAR] + used[MPU_BOTH];
    demand->far_regs = used[MPU_FAR] + used[MPU_BOTH] + used[MPU_UNKNOWN];
    demand->all_regs = colour_side(c, sides, MPU_SIDES);
}

int mpu_colour(const msw_simt_kernel *kernel, const uint8_t *sides, const uint8_t *annotated,
               msw_arena *arena, mpu_colouring *out, msw_err *err)
{
    colourer c = {.kernel = kernel};
    const msw_simt_liveness *liveness = msw_simt_liveness_of(kernel, arena);
    if (!liveness)
        return msw_fail(err, "kernel %s is too large to find what lives where", kernel->name);
    c.words = liveness->words;
    uint64_t *live = msw_arena_take(arena, c.words * sizeof *live);
    if (allocate_colourer(&c, arena, err))
        return -1;
    if (!live)
        return msw_fail_memory(err);
    find_edges(&c, liveness, live);
    colour_all(&c, sides, out->colours, &out->demand);
    count_kinds(&c, annotated, out->named);
    return 0;
}

/* ---- the track table ---- */

uint32_t mpu_track_words(const msw_simt_kernel *kernel)
{
    return kernel->reg_count / 64 + 1;
}

void mpu_track_start(const msw_simt_kernel *kernel, mpu_track *track)
{
    size_t bytes = mpu_track_words(kernel) * sizeof *track->near_valid;
    memset(track->near_valid, 0xff, bytes);
    memset(track->far_valid, 0xff, bytes);
}

uint32_t mpu_move_bytes(const mpu_config *c, const msw_simt_reg *reg)
{
    if (!reg->bytes)
        return (uint32_t)c->predicate_bytes;
    return reg->bytes == 8 ? 2 * MPU_REG_BYTES : MPU_REG_BYTES;
}

static bool has_copy(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static void set_copy(uint64_t *set, uint32_t reg, bool valid)
{
    uint64_t bit = (uint64_t)1 << reg % 64;
    set[reg / 64] = valid ? set[reg / 64] | bit : set[reg / 64] & ~bit;
}

/* Step 1: near when every source has a near copy. */
static mpu_side side_by_table(const mpu_config *config, const msw_simt_insn *insn,
                              const mpu_track *track)
{
    if (config->immediates_far && (insn->has_immediate || insn->reads_special))
        return MPU_FAR;
    for (uint32_t u = 0; u < insn->use_count; u++)
        if (!has_copy(track->near_valid, insn->uses[u]))
            return MPU_FAR;
    return MPU_NEAR;
}

/* Steps 2 and 3 for one source. */
static void bring_source(mpu_track *track, uint32_t reg, mpu_side side, mpu_issue *out)
{
    bool near = side == MPU_NEAR;
    uint64_t *set = near ? track->near_valid : track->far_valid;
    if (has_copy(set, reg))
        return;
    set_copy(set, reg, true);
    if (out->move_count < MPU_MOVES) {
        out->moves[out->move_count].reg = reg;
        out->moves[out->move_count++].to_near = near;
    }
}

static void write_to(mpu_track *track, uint32_t reg, mpu_side side)
{
    set_copy(track->near_valid, reg, side != MPU_FAR);
    set_copy(track->far_valid, reg, side != MPU_NEAR);
}

/* An instruction that is executed on each side reads and writes there: a register that only such
 * instructions write never moves. */
static void bring_twice(const msw_simt_insn *insn, mpu_track *track, mpu_issue *out)
{
    for (uint32_t u = 0; u < insn->use_count; u++) {
        bring_source(track, insn->uses[u], MPU_NEAR, out);
        bring_source(track, insn->uses[u], MPU_FAR, out);
    }
    for (uint32_t d = 0; d < insn->def_count; d++)
        write_to(track, insn->defs[d], MPU_BOTH);
}

static void bring_sources(const msw_simt_insn *insn, const mpu_insn *own, mpu_track *track,
                          mpu_issue *out)
{
    bool apart = own->address_side != MPU_UNKNOWN;
    mpu_side values = apart ? (mpu_side)own->value_side : out->side;
    if (insn->guard != MSW_SIMT_NONE)
        bring_source(track, insn->guard, own->guard_side ? (mpu_side)own->guard_side : out->side,
                     out);
    if (apart) {
        for (uint32_t u = 0; u < insn->address_count; u++)
            bring_source(track, insn->address_uses[u], (mpu_side)own->address_side, out);
        for (uint32_t u = 0; u < insn->value_count; u++)
            bring_source(track, insn->value_uses[u], values, out);
    } else {
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (insn->uses[u] != insn->guard)
                bring_source(track, insn->uses[u], values, out);
    }
    for (uint32_t d = 0; d < insn->def_count; d++)
        write_to(track, insn->defs[d], values);
}

void mpu_track_issue(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                     mpu_track *track, mpu_issue *out)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    const mpu_insn *own = &kernel->insns[insn];
    out->move_count = 0;
    out->side =
        own->decision == MPU_BY_TABLE ? side_by_table(config, now, track) : (mpu_side)own->side;
    if (mpu_runs_twice(own))
        out->side = MPU_NEAR;
    out->offloaded = config->pipeline == MPU_PIPELINE_HYBRID && out->side == MPU_NEAR;
    if (mpu_runs_twice(own))
        bring_twice(now, track, out);
    else
        bring_sources(now, own, track, out);
}

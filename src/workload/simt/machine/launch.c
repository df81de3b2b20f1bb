/* SPDX-License-Identifier: MIT */
/* Launches are checked and decoded; CTAs get their state at the start. */
#include "memsweep/base/bits.h"

#include "workload/simt/machine/code.h"

#include "memsweep/workload/simt/flow.h"

#include <string.h>

/* The special registers of three dimensions come first in the enum, each as x, y, z. */
static uint32_t special_value(const msw_simt_cta *cta, uint32_t warp, uint32_t lane,
                              simt_special special)
{
    const msw_simt_launch *launch = &cta->code->launch;
    if (special <= S_NTID_Z)
        return launch->block[special - S_NTID_X];
    if (special <= S_CTAID_Z)
        return cta->id[special - S_CTAID_X];
    if (special <= S_NCTAID_Z)
        return launch->grid[special - S_NCTAID_X];
    switch (special) {
    case S_LANEID:
        return lane;
    case S_WARPID:
        return warp;
    case S_NWARPID:
        return cta->code->warps;
    case S_LANEMASK_EQ:
        return 1u << lane;
    case S_LANEMASK_LT:
        return (1u << lane) - 1;
    case S_LANEMASK_LE:
        return ((1u << lane) - 1) | 1u << lane;
    case S_LANEMASK_GT:
        return ~(((1u << lane) - 1) | 1u << lane);
    case S_LANEMASK_GE:
        return ~((1u << lane) - 1);
    case S_DYNAMIC_SMEM:
        return launch->dynamic_shared_bytes;
    case S_TOTAL_SMEM:
        return (uint32_t)cta->code->shared_bytes;
    case S_NSMID:
    case S_ONE:
        return 1;
    default:
        return 0;
    }
}

/* Threads of a warp follow each other, x fastest. */
static void start_threads(const msw_simt_cta *cta, uint32_t warp, const simt_special_slot *slot)
{
    const uint32_t *block = cta->code->launch.block;
    unsigned char *at = cta->warps[warp].regs + slot->offset;
    uint32_t thread = warp * MSW_SIMT_LANES;
    uint32_t tid[3] = {thread % block[0], thread / block[0] % block[1],
                       thread / block[0] / block[1]};
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
        uint64_t value = tid[slot->special - S_TID_X];
        memcpy(at + lane * slot->bytes, &value, slot->bytes);
        if (++tid[0] < block[0])
            continue;
        tid[0] = 0;
        if (++tid[1] < block[1])
            continue;
        tid[1] = 0;
        tid[2]++;
    }
}

static void start_specials(const msw_simt_cta *cta, uint32_t warp)
{
    for (uint32_t i = 0; i < cta->code->special_count; i++) {
        const simt_special_slot *slot = &cta->code->specials[i];
        unsigned char *at = cta->warps[warp].regs + slot->offset;
        bool differs = slot->special == S_LANEID ||
                       (slot->special >= S_LANEMASK_EQ && slot->special <= S_LANEMASK_GT);
        if (slot->special <= S_TID_Z) {
            start_threads(cta, warp, slot);
            continue;
        }
        uint64_t value = special_value(cta, warp, 0, slot->special);
        for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
            if (differs)
                value = special_value(cta, warp, lane, slot->special);
            memcpy(at + lane * slot->bytes, &value, slot->bytes);
        }
    }
}

static void start_warp(msw_simt_cta *cta, uint32_t w)
{
    const msw_simt_code *code = cta->code;
    simt_warp *warp = &cta->warps[w];
    uint32_t first = w * MSW_SIMT_LANES, ones = UINT32_MAX;
    uint32_t lanes =
        code->threads - first < MSW_SIMT_LANES ? code->threads - first : MSW_SIMT_LANES;
    uint32_t live = lanes == MSW_SIMT_LANES ? UINT32_MAX : (1u << lanes) - 1;
    warp->regs =
        (unsigned char *)cta + code->reg_offset + (size_t)w * ((code->reg_bytes + 63) / 64 * 64);
    memset(warp->regs, 0, code->reg_bytes);
    memcpy(warp->regs + SIMT_ONES, &ones, sizeof ones);
    warp->depth = 1;
    warp->live = live;
    warp->state = MSW_SIMT_READY;
    warp->issued = warp->seen_changes = warp->idle_changes = 0;
    warp->looks = 0;
    warp->next_look = SIMT_FIRST_LOOK;
    warp->reduction = NULL;
    warp->frames[0] = (simt_frame){0, MSW_SIMT_NONE, live};
    start_specials(cta, w);
}

msw_simt_cta *msw_simt_cta_start(const msw_simt_code *code, uint64_t number, void *block)
{
    msw_simt_cta *cta = block;
    const uint32_t *grid = code->launch.grid;
    memset(cta, 0, sizeof *cta);
    cta->code = code;
    cta->number = number;
    cta->id[0] = (uint32_t)(number % grid[0]);
    cta->id[1] = (uint32_t)(number / grid[0] % grid[1]);
    cta->id[2] = (uint32_t)(number / grid[0] / grid[1]);
    cta->live_warps = code->warps;
    cta->warps = (simt_warp *)((unsigned char *)block + code->warp_offset);
    cta->shared = (unsigned char *)block + code->shared_offset;
    cta->local = (unsigned char *)block + code->local_offset;
    memset(cta->shared, 0, code->shared_bytes);
    memset(cta->local, 0, code->local_bytes * code->warps * MSW_SIMT_LANES);
    for (uint32_t w = 0; w < code->warps; w++)
        start_warp(cta, w);
    return cta;
}

void msw_simt_cta_count_into(msw_simt_cta *cta, msw_simt_counts *counts)
{
    cta->counts = counts;
}

void msw_simt_counts_finish(const msw_simt_kernel *kernel, msw_simt_counts *counts)
{
    for (uint32_t i = 1; i < kernel->insn_count; i++)
        counts->warps[i] += counts->warps[i - 1];
}

msw_simt_warp_state msw_simt_warp_now(const msw_simt_cta *cta, uint32_t warp)
{
    return (msw_simt_warp_state)cta->warps[warp].state;
}

bool msw_simt_cta_done(const msw_simt_cta *cta)
{
    return cta->live_warps == 0;
}

static int check_grid(const msw_simt_launch *launch, msw_err *err)
{
    const msw_simt_kernel *kernel = launch->kernel;
    uint64_t threads = 1, ctas = 1, most = 1;
    for (int a = 0; a < 3; a++) {
        if (!launch->grid[a] || !launch->block[a])
            return msw_fail(err, "kernel %s: a grid or CTA of 0", kernel->name);
        if (launch->block[a] > 1024 || launch->grid[a] > INT32_MAX ||
            (a && launch->grid[a] > 65535))
            return msw_fail(err,
                            "kernel %s: a grid of %u x %u x %u, CTAs of %u x %u x %u; at most "
                            "2147483647 x 65535 x 65535 and 1024 threads are allowed",
                            kernel->name, launch->grid[0], launch->grid[1], launch->grid[2],
                            launch->block[0], launch->block[1], launch->block[2]);
        threads *= launch->block[a];
        ctas *= launch->grid[a];
        most *= kernel->max_threads[a] ? kernel->max_threads[a] : 1;
    }
    if (threads > 1024)
        return msw_fail(err, "kernel %s: %llu threads in a CTA; at most 1024 are allowed",
                        kernel->name, (unsigned long long)threads);
    if (kernel->max_threads[0] && threads > most)
        return msw_fail(err, "kernel %s: %llu threads in a CTA; its .maxntid allows %llu",
                        kernel->name, (unsigned long long)threads, (unsigned long long)most);
    return ctas >> 48 ? msw_fail(err, "kernel %s: more than 2^48 CTAs", kernel->name) : 0;
}

static int check_required(const msw_simt_launch *launch, msw_err *err)
{
    const uint32_t *wanted = launch->kernel->required_threads;
    for (int a = 0; a < 3 && wanted[0]; a++)
        if (launch->block[a] != wanted[a])
            return msw_fail(err, "kernel %s: CTAs of %u x %u x %u; its .reqntid wants %u x %u x %u",
                            launch->kernel->name, launch->block[0], launch->block[1],
                            launch->block[2], wanted[0], wanted[1], wanted[2]);
    return 0;
}

static int check_launch(const msw_simt_launch *launch, msw_err *err)
{
    const msw_simt_kernel *kernel = launch->kernel;
    if (kernel->fault)
        return msw_fail(err, "%s", kernel->fault);
    if (kernel->param_bytes && !launch->params)
        return msw_fail(err, "kernel %s: %u bytes of parameters are missing", kernel->name,
                        kernel->param_bytes);
    if (launch->dynamic_shared_bytes > 1u << 20)
        return msw_fail(err, "kernel %s: more than 1 MiB of dynamic shared memory", kernel->name);
    MSW_TRY(check_grid(launch, err));
    return check_required(launch, err);
}

static size_t round_64(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* One block of memory for each CTA, its parts on multiples of 64 bytes. Shared and local memory
 * have 16 bytes to spare at their end. */
static void place_cta(msw_simt_code *code)
{
    code->warp_offset = round_64(sizeof(msw_simt_cta));
    code->reg_offset = code->warp_offset + round_64(code->warps * sizeof(simt_warp));
    code->shared_offset = code->reg_offset + (size_t)code->warps * round_64(code->reg_bytes);
    code->local_offset = code->shared_offset + round_64(code->shared_bytes + 16);
    code->cta_bytes = code->local_offset +
                      round_64((size_t)code->local_bytes * code->warps * MSW_SIMT_LANES + 16);
}

/* Computes what an initial value's address is, given where the module's global variables lie.
 * Returns 0, or -1 with `err`. */
static int msw_simt_reference_value(const msw_simt_program *program,
                                    const msw_simt_reference *reference, const uint64_t *addresses,
                                    uint64_t *value, msw_err *err)
{
    const msw_simt_variable *target = &program->variables[reference->variable];
    *value = reference->addend;
    if (target->space == MSW_SIMT_GLOBAL) {
        if (!addresses)
            return msw_fail(err, "%s:%u: the address of %s is not known", program->file,
                            target->line, target->name);
        *value += addresses[reference->variable];
    } else {
        *value += target->offset;
        if (reference->generic && target->space == MSW_SIMT_CONST)
            *value += MSW_SIMT_WINDOW_CONST;
    }
    return 0;
}

/* Constants that are addresses of variables get them now. */
static int link_constants(msw_simt_code *code, msw_arena *arena, msw_err *err)
{
    const msw_simt_program *program = code->kernel->program;
    unsigned char *image = msw_arena_zero(arena, program->const_bytes + 16, 1);
    if (!image)
        return msw_fail_memory(err);
    memcpy(image, program->const_initial, program->const_bytes);
    for (uint32_t v = 0; v < program->variable_count; v++) {
        const msw_simt_variable *variable = &program->variables[v];
        for (uint32_t i = 0; variable->space == MSW_SIMT_CONST && i < variable->reference_count;
             i++) {
            const msw_simt_reference *reference = &variable->references[i];
            uint64_t value = 0;
            if (msw_simt_reference_value(program, reference, code->launch.variable_addresses,
                                         &value, err))
                return -1;
            memcpy(image + variable->offset + reference->offset, &value, sizeof value);
        }
    }
    code->constants = image;
    return 0;
}

/* Marks instructions that nobody needs: a row of them is skipped in one step. */
static int mark_slice(msw_simt_code *code, msw_arena *arena, msw_err *err)
{
    if (code->launch.mode != MSW_SIMT_SLICE)
        return 0;
    const uint8_t *needed = code->launch.needed;
    if (!needed)
        needed = msw_simt_slice_of(code->kernel, NULL, arena, err);
    if (!needed)
        return -1;
    /* Backwards, so that a row of instructions that are not needed is joined into one step as it is
     * found. */
    for (uint32_t i = code->kernel->insn_count; i-- > 0;) {
        simt_insn *insn = &code->insns[i];
        if (needed[i])
            continue;
        if (insn->unit == UNIT_LANES || insn->unit == UNIT_CLOCK) {
            bool more = !insn->ends && insn[1].unit == UNIT_SKIP;
            insn->unit = UNIT_SKIP;
            insn->skip = 1 + (more ? insn[1].skip : 0);
            insn->ends = more ? insn[1].ends : insn->ends;
        } else if (insn->unit <= UNIT_ATOMIC) {
            insn->dry = true;
        }
    }
    return 0;
}

static const simt_loops *choose_loops(msw_simt_loops wanted, msw_err *err)
{
    const simt_loops *fast = simt_loops_avx2();
    if (wanted == MSW_SIMT_LOOPS_AVX2 && !fast)
        msw_fail(err, "this CPU has no AVX2 with FMA");
    if (wanted == MSW_SIMT_LOOPS_BASE || (wanted == MSW_SIMT_LOOPS_BEST && !fast))
        return simt_loops_base();
    return fast;
}

static int known_functions(simt_decoder *d)
{
    static const msw_simt_type TYPES[] = {MSW_SIMT_B16, MSW_SIMT_B32, MSW_SIMT_B64};
    msw_simt_detail detail = {.op = OP_MOV};
    for (int i = 0; i < 3; i++) {
        detail.type = detail.type2 = TYPES[i];
        d->moves[i] = simt_lanes_find(&detail);
    }
    detail.op = OP_CNOT; /* has no loop of its own */
    d->scalar = simt_lanes_find(&detail);
    return 0;
}

static int fill_code(msw_simt_code *code, const msw_simt_launch *launch, msw_arena *arena,
                     msw_err *err)
{
    const msw_simt_kernel *kernel = launch->kernel;
    *code = (msw_simt_code){.launch = *launch, .kernel = kernel, .threads = 1, .ctas = 1};
    for (int a = 0; a < 3; a++) {
        code->threads *= launch->block[a];
        code->ctas *= launch->grid[a];
    }
    code->warps = (uint32_t)msw_div_up(code->threads, MSW_SIMT_LANES);
    code->most_instructions =
        launch->most_instructions ? launch->most_instructions : (uint64_t)1 << 32;
    code->shared_bytes = kernel->shared_bytes;
    if (kernel->uses_dynamic_shared || launch->dynamic_shared_bytes)
        code->shared_bytes = kernel->dynamic_offset + launch->dynamic_shared_bytes;
    code->local_bytes = (kernel->local_bytes + 15) / 16 * 16;
    unsigned char *params = msw_arena_zero(arena, kernel->param_bytes + 16u, 1);
    code->insns = msw_arena_take(arena, (kernel->insn_count + 1u) * sizeof *code->insns);
    code->common = msw_arena_zero(arena, 1, sizeof *code->common);
    if (!params || !code->insns || !code->common)
        return msw_fail_memory(err);
    if (kernel->param_bytes)
        memcpy(params, launch->params, kernel->param_bytes);
    code->params = params;
    return link_constants(code, arena, err);
}

const msw_simt_code *msw_simt_decode(const msw_simt_launch *launch, msw_arena *arena, msw_err *err)
{
    if (check_launch(launch, err))
        return NULL;
    msw_simt_code *code = msw_arena_take(arena, sizeof *code);
    if (!code) {
        msw_fail_memory(err);
        return NULL;
    }
    simt_decoder d = {.code = code, .arena = arena, .err = err};
    d.loops = choose_loops(launch->loops, err);
    if (!d.loops || fill_code(code, launch, arena, err) || known_functions(&d) ||
        simt_place_registers(&d) || simt_decode_insns(&d) || simt_fill_pool(&d) ||
        mark_slice(code, arena, err))
        return NULL;
    code->loops = d.loops;
    place_cta(code);
    return code;
}

size_t msw_simt_cta_bytes(const msw_simt_code *code)
{
    return code->cta_bytes;
}

uint32_t msw_simt_cta_warps(const msw_simt_code *code)
{
    return code->warps;
}

uint64_t msw_simt_cta_count(const msw_simt_code *code)
{
    return code->ctas;
}

bool msw_simt_waits(const msw_simt_code *code)
{
    return code->common->waits;
}

uint64_t msw_simt_cta_shared(const msw_simt_code *code)
{
    return code->shared_bytes;
}

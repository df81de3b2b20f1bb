/* SPDX-License-Identifier: MIT */
#include "mpu_referee.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_REG = -1, MOST_REGS = 4096, MOST_WARPS = 32, MOST_OPERANDS = 6, LINE_BYTES = 256 };

/* Places as letters: N near, F far, B both, U unknown; 0: no hint. */
typedef struct operand {
    int reg; /* NO_REG: a number, a special register or a parameter */
} operand;

typedef struct insn {
    char op[48];
    int guard;
    int dst; /* NO_REG: none */
    int source_count;
    operand sources[MOST_OPERANDS];
    bool seeded;
    char hint;
} insn;

typedef struct kernel {
    const msw_simt_kernel *kernel;
    insn *insns;
    int reg_count;
    char names[MOST_REGS][24];
    char place[MOST_REGS];
} kernel;

typedef struct referee {
    const referee_rules *rules;
    referee_counts *counts;
    const kernel *kernel;
    uint32_t warps; /* of a CTA */
    bool near_valid[MOST_WARPS][MOST_REGS], far_valid[MOST_WARPS][MOST_REGS];
} referee;

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- the text ---- */

/* A register has a number at its end: %tid.x is none. */
static int reg_of(kernel *k, const char *name)
{
    size_t length = strlen(name);
    if (name[0] != '%' || strchr(name, '.') || !isdigit((unsigned char)name[length - 1]))
        return NO_REG;
    for (int i = 0; i < k->reg_count; i++)
        if (strcmp(k->names[i], name) == 0)
            return i;
    if (k->reg_count == MOST_REGS || length >= sizeof k->names[0])
        abort();
    strcpy(k->names[k->reg_count], name);
    return k->reg_count++;
}

static void read_operands(kernel *k, insn *in, char *text)
{
    char *save = NULL;
    bool first = true;
    bool has_dst = !starts(in->op, "st.") && !starts(in->op, "bra") && !starts(in->op, "bar") &&
                   !starts(in->op, "ret") && !starts(in->op, "red");
    for (char *t = strtok_r(text, " \t,;[]{}", &save); t; t = strtok_r(NULL, " \t,;[]{}", &save)) {
        char *plus = strchr(t, '+');
        if (plus)
            *plus = '\0';
        if (first && has_dst)
            in->dst = reg_of(k, t);
        else if (!starts(in->op, "bra") && !starts(in->op, "bar"))
            in->sources[in->source_count++] = (operand){reg_of(k, t)};
        first = false;
    }
    /* what an atomic operation returns is dropped */
    if (starts(in->op, "atom.shared"))
        in->dst = NO_REG;
}

static void read_insn(kernel *k, insn *in, const char *line)
{
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "%s", line);
    char *at = text + strspn(text, " \t");
    *in = (insn){.guard = NO_REG, .dst = NO_REG};
    if (*at == '@') {
        char *name = at + 1 + (at[1] == '!');
        at = name + strcspn(name, " \t");
        *at++ = '\0';
        in->guard = reg_of(k, name);
        at += strspn(at, " \t");
    }
    if (*at == '}') /* the end of a kernel returns */
        strcpy(at, "ret");
    size_t length = strcspn(at, " \t;");
    snprintf(in->op, sizeof in->op, "%.*s", (int)length, at);
    read_operands(k, in, at + length);
}

static const char *line_of(const char *text, uint32_t line, char *out)
{
    for (uint32_t i = 1; i < line; i++)
        text = strchr(text, '\n') + 1;
    snprintf(out, LINE_BYTES, "%.*s", (int)strcspn(text, "\n"), text);
    return out;
}

/* ---- places ---- */

static void seed(kernel *k, insn *in, char shared)
{
    char *place = k->place;
    if (starts(in->op, "bra")) {
        in->seeded = in->guard != NO_REG;
        if (in->seeded)
            place[in->guard] = 'F';
    } else if (starts(in->op, "ld.global")) {
        in->seeded = true;
        place[in->sources[0].reg] = 'F';
        place[in->dst] = 'N';
    } else if (starts(in->op, "st.global")) {
        in->seeded = true;
        place[in->sources[0].reg] = 'F';
        place[in->sources[1].reg] = 'N';
    } else if (starts(in->op, "ld.shared") || starts(in->op, "st.shared") ||
               starts(in->op, "atom.shared")) {
        in->seeded = true;
        for (int i = 0; i < in->source_count; i++)
            if (in->sources[i].reg != NO_REG)
                place[in->sources[i].reg] = shared;
        if (in->dst != NO_REG)
            place[in->dst] = shared;
    }
    in->hint = in->seeded ? 'F' : 0;
}

static char inferred(char dst, char old)
{
    return dst == 'U' ? old : old == 'U' || old == dst ? dst : 'B';
}

static bool pass(kernel *k)
{
    bool changed = false;
    for (uint32_t i = k->kernel->insn_count; i-- > 0;) {
        const insn *in = &k->insns[i];
        if (in->seeded || in->dst == NO_REG)
            continue;
        for (int s = -1; s < in->source_count; s++) {
            int reg = s < 0 ? in->guard : in->sources[s].reg;
            if (reg == NO_REG)
                continue;
            char now = inferred(k->place[in->dst], k->place[reg]);
            changed |= now != k->place[reg];
            k->place[reg] = now;
        }
    }
    return changed;
}

static kernel *read_kernel(const msw_simt_kernel *from, const char *ptx, bool near_shared)
{
    char line[LINE_BYTES];
    kernel *k = calloc(1, sizeof *k);
    k->kernel = from;
    k->insns = calloc(from->insn_count, sizeof *k->insns);
    for (uint32_t i = 0; i < from->insn_count; i++)
        read_insn(k, &k->insns[i], line_of(ptx, from->insns[i].line, line));
    memset(k->place, 'U', sizeof k->place);
    for (uint32_t i = 0; i < from->insn_count; i++)
        seed(k, &k->insns[i], near_shared ? 'N' : 'F');
    while (pass(k))
        ;
    for (uint32_t i = 0; i < from->insn_count; i++) {
        insn *in = &k->insns[i];
        if (!in->seeded && in->dst != NO_REG && strchr("NF", k->place[in->dst]))
            in->hint = k->place[in->dst];
    }
    return k;
}

static void free_kernel(kernel *k)
{
    free(k->insns);
    free(k);
}

/* ---- counting ---- */

static const char *const always_far[] = {"rcp",     "sqrt", "rsqrt", "cos",  "sin",
                                         "lg2",     "ex2",  "bra",   "ret",  "bar",
                                         "barrier", "ld",   "st",    "cvta", "atom"};

static bool is_always_far(const insn *in)
{
    size_t length = strcspn(in->op, ".");
    for (size_t i = 0; i < sizeof always_far / sizeof *always_far; i++)
        if (strlen(always_far[i]) == length && starts(in->op, always_far[i]))
            return true;
    return false;
}

static bool all_near(const referee *r, uint32_t warp, const insn *in)
{
    if (in->guard != NO_REG && !r->near_valid[warp][in->guard])
        return false;
    for (int i = 0; i < in->source_count; i++)
        if (in->sources[i].reg == NO_REG || !r->near_valid[warp][in->sources[i].reg])
            return false;
    return true;
}

/* Whether an instruction of the ALU runs near. */
static bool runs_near(const referee *r, uint32_t warp, const insn *in)
{
    if (is_always_far(in))
        return false;
    if (r->rules->hints && in->hint)
        return in->hint == 'N';
    return all_near(r, warp, in);
}

/* Beats of 8 bytes that a register of all lanes takes. */
static uint64_t reg_beats(const kernel *k, int reg)
{
    const char *name = k->names[reg];
    for (uint32_t i = 0; i < k->kernel->reg_count; i++)
        if (strcmp(k->kernel->regs[i].name, name) == 0)
            return k->kernel->regs[i].bytes == 8 ? 32 : k->kernel->regs[i].bytes ? 16 : 4;
    return starts(name, "%rd") || starts(name, "%fd") ? 32 : starts(name, "%p") ? 4 : 16;
}

static void want(referee *r, uint32_t warp, int reg, bool near)
{
    bool *valid = near ? r->near_valid[warp] : r->far_valid[warp];
    if (reg == NO_REG || valid[reg])
        return;
    valid[reg] = true;
    r->counts->beats_move += reg_beats(r->kernel, reg);
    if (near)
        r->counts->moves_near++;
    else
        r->counts->moves_far++;
}

static void written(referee *r, uint32_t warp, int reg, bool near)
{
    if (reg == NO_REG)
        return;
    r->near_valid[warp][reg] = near;
    r->far_valid[warp][reg] = !near;
}

static void plain(referee *r, uint32_t warp, const insn *in)
{
    bool near = runs_near(r, warp, in);
    want(r, warp, in->guard, near);
    for (int i = 0; i < in->source_count; i++)
        want(r, warp, in->sources[i].reg, near);
    written(r, warp, in->dst, near);
    if (near) {
        r->counts->near_insns++;
        r->counts->beats_offload++;
        r->counts->beats_commit++;
    }
}

static void shared_access(referee *r, uint32_t warp, const insn *in)
{
    bool near = r->rules->near_shared;
    r->counts->shared++;
    for (int i = 0; i < in->source_count; i++)
        want(r, warp, in->sources[i].reg, near);
    written(r, warp, in->dst, near);
    if (near) {
        r->counts->near_insns++;
        r->counts->beats_offload++;
        r->counts->beats_commit++;
    }
}

/* ---- global memory ---- */

typedef struct where {
    uint32_t core, nbu; /* of the warp */
} where;

static uint64_t offset_of(uint64_t address)
{
    return address - MSW_SIMT_BASE_ADDRESS;
}

static uint32_t owner(const referee *r, uint64_t address)
{
    return (uint32_t)(offset_of(address) / ((uint64_t)r->rules->nbu_bytes * r->rules->nbus) %
                      r->rules->cores);
}

static uint32_t nbu_of(const referee *r, uint64_t address)
{
    return (uint32_t)(offset_of(address) / r->rules->nbu_bytes % r->rules->nbus);
}

static bool is_whole(const referee *r, const msw_simt_step *step, where at)
{
    bool whole = step->lanes == UINT32_MAX && step->bytes == 4;
    for (int i = 0; whole && i < MSW_SIMT_LANES; i++)
        whole = step->addresses[i] == step->addresses[0] + 4 * (uint64_t)i &&
                owner(r, step->addresses[i]) == at.core && nbu_of(r, step->addresses[i]) == at.nbu;
    return whole;
}

/* Transactions of the active lanes, own and of other cores. */
static void transactions(const referee *r, const msw_simt_step *step, where at, uint64_t count[2])
{
    uint64_t seen[MSW_SIMT_LANES];
    int n = 0;
    for (int i = 0; i < MSW_SIMT_LANES; i++) {
        uint64_t block = step->addresses[i] / r->rules->bank_io;
        bool is_new = step->lanes >> i & 1;
        for (int j = 0; is_new && j < n; j++)
            is_new = seen[j] != block;
        if (!is_new)
            continue;
        seen[n++] = block;
        count[owner(r, step->addresses[i]) != at.core]++;
    }
}

static void load(referee *r, const msw_simt_step *step, where at)
{
    uint64_t count[2] = {0};
    referee_counts *c = r->counts;
    transactions(r, step, at, count);
    c->loads++;
    c->reads += count[0] + count[1];
    c->remote_reads += count[1];
    c->beats_commit++;
    if (is_whole(r, step, at)) {
        c->whole_loads++;
        c->beats_access++;
    } else {
        c->beats_data += (count[0] + count[1]) * r->rules->bank_io / 8;
        c->beats_result++;
    }
}

static void store(referee *r, const msw_simt_step *step, where at)
{
    uint64_t count[2] = {0};
    referee_counts *c = r->counts;
    transactions(r, step, at, count);
    c->stores++;
    c->writes += count[0] + count[1];
    c->remote_writes += count[1];
    if (is_whole(r, step, at)) {
        c->whole_stores++;
        c->beats_access++;
        c->beats_commit++;
    } else {
        c->store_values++;
        c->beats_store_value += 16;
        c->beats_data += (count[0] + count[1]) * r->rules->bank_io / 8;
    }
}

static void global_access(referee *r, uint32_t warp, const insn *in, const msw_simt_step *step,
                          where at)
{
    want(r, warp, in->sources[0].reg, false);
    if (starts(in->op, "st.")) {
        want(r, warp, in->sources[1].reg, true);
        store(r, step, at);
    } else {
        written(r, warp, in->dst, true);
        load(r, step, at);
    }
}

/* A core numbers the warps of the CTAs that it holds at once. */
static where place_of(const referee *r, const msw_simt_origin *origin)
{
    uint64_t slot = origin->cta / r->rules->cores % r->rules->resident;
    return (where){(uint32_t)(origin->cta % r->rules->cores),
                   (uint32_t)((slot * r->warps + origin->warp) % r->rules->nbus)};
}

static int on_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                   msw_err *err)
{
    referee *r = self;
    (void)err;
    for (uint32_t i = step->first; i < step->first + step->count; i++) {
        const insn *in = &r->kernel->insns[i];
        bool last = i + 1 == step->first + step->count;
        r->counts->insns++;
        if (starts(in->op, "ld.global") || starts(in->op, "st.global")) {
            if (last)
                global_access(r, origin->warp, in, step, place_of(r, origin));
        } else if (starts(in->op, "ld.shared") || starts(in->op, "st.shared") ||
                   starts(in->op, "atom.shared")) {
            shared_access(r, origin->warp, in);
        } else {
            plain(r, origin->warp, in);
        }
    }
    return 0;
}

static int on_cta(void *self, const msw_simt_origin *origin, bool begins, msw_err *err)
{
    referee *r = self;
    (void)origin;
    (void)err;
    if (begins) {
        memset(r->near_valid, 0, sizeof r->near_valid);
        memset(r->far_valid, 0, sizeof r->far_valid);
    }
    return 0;
}

static int run_launch(referee *r, const msw_simt_product *product, const msw_simt_stage *stage,
                      const msw_simt_memory *memory, msw_err *err)
{
    msw_arena arena = {0};
    msw_simt_sms one = {.sms = 1, .ctas = 1};
    msw_simt_listener listener = {.self = r, .step = on_step, .cta = on_cta};
    uint64_t issued;
    msw_simt_launch launch = msw_simt_stage_launch(product, stage, memory, MSW_SIMT_VALUES);
    const msw_simt_code *code = msw_simt_decode(&launch, &arena, err);
    r->warps = code ? msw_simt_cta_warps(code) : 0;
    int rc = code ? msw_simt_execute(code, &one, 0, 0, &listener, &arena, &issued, err) : -1;
    msw_arena_free(&arena);
    return rc;
}

int mpu_referee(program *p, const char *ptx, const referee_rules *rules, referee_counts *counts)
{
    const msw_simt_product *product = p->p;
    *counts = (referee_counts){0};
    msw_simt_device *device =
        msw_simt_device_new(product->arrays, product->array_count, UINT64_C(1) << 32, &p->err);
    int rc = device ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < product->stage_count; i++) {
        const msw_simt_stage *stage = &product->stages[i];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        referee *r = calloc(1, sizeof *r);
        kernel *k = read_kernel(stage->kernel, ptx, rules->near_shared);
        r->rules = rules;
        r->counts = counts;
        r->kernel = k;
        rc = run_launch(r, product, stage, msw_simt_device_memory(device), &p->err);
        free_kernel(k);
        free(r);
    }
    msw_simt_device_free(device);
    return rc;
}

void mpu_referee_registers(const program *p, const char *ptx, bool near_shared, uint64_t places[4])
{
    static const char letters[] = "NFBU";
    for (uint32_t i = 0; i < p->p->program->kernel_count; i++) {
        kernel *k = read_kernel(&p->p->program->kernels[i], ptx, near_shared);
        for (int reg = 0; reg < k->reg_count; reg++)
            places[strchr(letters, k->place[reg]) - letters]++;
        free_kernel(k);
    }
}

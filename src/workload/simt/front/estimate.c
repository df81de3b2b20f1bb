/* SPDX-License-Identifier: MIT */
/* Estimates of a program from some of its CTAs, and the summary that analytic models read. */
#include "memsweep/workload/simt/estimate.h"

#include "workload/simt/front/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/past.h"

#include <math.h>
#include <string.h>

enum { LAUNCHES_SAMPLED = 64, WARPS_MAX = 32, TOGETHER_MAX = 256 };

/* Against kernels that do not end: instructions of one warp. */
#define INSTRUCTIONS_MAX (UINT64_C(1) << 26)
#define WRITTEN_MAX      (UINT64_C(1) << 30)
/* Instructions of launches that are run whole: then the rest is looked at as if it came here. */
#define PAST_MAX (UINT64_C(1) << 24)

/* What one instruction did in the CTAs that were run. */
typedef struct seen_insn {
    uint64_t lanes, lines, sectors, bytes;
    int64_t runs;
    uint64_t last[WARPS_MAX];     /* address of each warp's last access; 0: none in this CTA */
    uint64_t lines_at[WARPS_MAX]; /* its last line */
    int64_t stride;               /* majority vote */
    uint64_t votes, strides, stride_hits;
    const msw_simt_array *array;
} seen_insn;

typedef struct sampler {
    const msw_simt_product *product;
    msw_simt_past *past;
    size_t reached;   /* the stage up to which launches have been run whole */
    msw_arena *arena; /* of the caller */
    msw_simt_kernel_use *uses;
    seen_insn **seen; /* [kernel] */
    msw_simt_counts *counts;
    size_t kernels;
    size_t now; /* the kernel that runs */
} sampler;

/* ---- listening ---- */

static void see_stride(seen_insn *s, uint32_t warp, uint64_t address)
{
    uint64_t *last = &s->last[warp % WARPS_MAX];
    int64_t stride = (int64_t)(address - *last);
    if (*last) {
        s->strides++;
        s->stride = s->votes == 0 ? stride : s->stride;
        s->votes += s->stride == stride ? 1 : UINT64_MAX;
        s->stride_hits += s->stride == stride;
    }
    *last = address;
}

/* A line begins a run, or goes on with one, or joins two: warps do not take turns in their order.
 */
static void see_line(seen_insn *s, uint32_t warp, uint64_t line)
{
    bool known = false, below = false, above = false;
    for (uint32_t w = 0; w < WARPS_MAX; w++) {
        known = known || s->lines_at[w] == line;
        below = below || s->lines_at[w] + 128 == line;
        above = above || s->lines_at[w] == line + 128;
    }
    if (!known)
        s->runs += 1 - below - above;
    s->lines_at[warp % WARPS_MAX] = line;
}

static void see_lines(seen_insn *s, uint32_t warp, const msw_simt_step *step)
{
    for (uint32_t i = 0; i < step->line_count; i++) {
        see_line(s, warp, step->lines[i].address);
        s->sectors += msw_bits_count(step->lines[i].sectors);
    }
    s->lines += step->line_count;
}

static int see_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                    msw_err *err)
{
    sampler *m = self;
    if (step->event != MSW_SIMT_EVENT_ACCESS || step->space != MSW_SIMT_GLOBAL || !step->lanes)
        return 0;
    (void)err;
    seen_insn *s = &m->seen[m->now][step->first + step->count - 1];
    uint64_t address = step->addresses[msw_bits_lowest(step->lanes)];
    if (!s->array)
        s->array = msw_simt_device_find(msw_simt_past_device(m->past), address);
    s->lanes += msw_bits_count(step->lanes);
    s->bytes += (uint64_t)msw_bits_count(step->lanes) * step->bytes;
    see_stride(s, origin->warp, address);
    see_lines(s, origin->warp, step);
    return 0;
}

static void forget_cta(seen_insn *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        memset(s[i].last, 0, sizeof s[i].last);
        memset(s[i].lines_at, 0, sizeof s[i].lines_at);
    }
}

/* ---- running ---- */

static int run_ctas(sampler *m, const msw_simt_code *code, uint64_t first, uint64_t count,
                    msw_arena *scratch, msw_err *err)
{
    msw_simt_sms one = {.sms = 1, .ctas = (uint32_t)count};
    msw_simt_listener listener = {.self = m, .step = see_step, .counts = &m->counts[m->now]};
    uint64_t issued;
    forget_cta(m->seen[m->now], m->uses[m->now].kernel->insn_count);
    if (msw_simt_execute(code, &one, first, count, &listener, scratch, &issued, err))
        return -1;
    m->uses[m->now].sampled_ctas += count;
    return 0;
}

/* CTAs that wait for others: the first ones of the launch, in turns. */
static int run_together(sampler *m, const msw_simt_code *code, size_t number, msw_arena *scratch,
                        msw_err *err)
{
    uint64_t count = msw_simt_cta_count(code);
    uint32_t insns = m->uses[m->now].kernel->insn_count;
    if (!msw_simt_past_at(m->past, m->reached < number ? m->reached : number, err))
        return -1;
    /* What the CTAs did that waited in vain does not count. */
    memset(m->seen[m->now], 0, insns * sizeof **m->seen);
    memset(m->counts[m->now].warps, 0, (insns + 1) * sizeof *m->counts->warps);
    m->uses[m->now].sampled_ctas = 0;
    return run_ctas(m, code, 0, count < TOGETHER_MAX ? count : TOGETHER_MAX, scratch, err);
}

static int run_some(sampler *m, size_t number, msw_arena *scratch, msw_err *err)
{
    const msw_simt_stage *stage = &m->product->stages[number];
    if (msw_simt_past_issued(m->past) < PAST_MAX)
        m->reached = number;
    const msw_simt_memory *memory = msw_simt_past_at(m->past, m->reached, err);
    if (!memory)
        return -1;
    msw_simt_launch launch = msw_simt_stage_launch(m->product, stage, memory, MSW_SIMT_SLICE);
    launch.most_instructions = INSTRUCTIONS_MAX;
    const msw_simt_code *code = msw_simt_decode(&launch, scratch, err);
    if (!code)
        return -1;
    uint64_t count = msw_simt_cta_count(code), ctas[] = {0, count / 2, count - 1};
    for (int i = 0; i < 3; i++)
        if ((i == 0 || ctas[i] != ctas[i - 1]) && run_ctas(m, code, ctas[i], 1, scratch, err))
            return msw_simt_waits(code) ? run_together(m, code, number, scratch, err) : -1;
    return 0;
}

static size_t find_kernel(const sampler *m, const msw_simt_kernel *kernel)
{
    size_t k = 0;
    while (k < m->kernels && m->uses[k].kernel != kernel)
        k++;
    return k;
}

static int add_kernel(sampler *m, const msw_simt_stage *stage, msw_arena *scratch, msw_err *err)
{
    uint32_t count = stage->kernel->insn_count;
    msw_simt_kernel_use *use = &m->uses[m->kernels];
    *use = (msw_simt_kernel_use){.kernel = stage->kernel,
                                 .threads = stage->block[0] * stage->block[1] * stage->block[2],
                                 .dynamic_shared_bytes = stage->dynamic_shared_bytes};
    m->seen[m->kernels] = msw_arena_zero(scratch, count + 1, sizeof **m->seen);
    m->counts[m->kernels].warps = msw_arena_zero(scratch, count + 1, sizeof(uint64_t));
    if (!m->seen[m->kernels] || !m->counts[m->kernels].warps)
        return msw_fail_memory(err);
    m->kernels++;
    return 0;
}

/* Launches of a kernel, and how many of them are run: all, or some at equal distances. */
static int run_launches(sampler *m, msw_arena *scratch, msw_err *err)
{
    const msw_simt_product *p = m->product;
    uint64_t number = 0, every = msw_div_up(p->launch_count, LAUNCHES_SAMPLED);
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &p->stages[s];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        m->now = find_kernel(m, stage->kernel);
        bool fresh = m->now == m->kernels;
        if (fresh && add_kernel(m, stage, scratch, err))
            return -1;
        m->uses[m->now].launches++;
        m->uses[m->now].ctas += (uint64_t)stage->grid[0] * stage->grid[1] * stage->grid[2];
        if ((number++ % every == 0 || fresh) && run_some(m, s, scratch, err))
            return -1;
    }
    return 0;
}

/* ---- scaling ---- */

static int scale(sampler *m, size_t k, msw_err *err)
{
    msw_simt_kernel_use *use = &m->uses[k];
    uint32_t count = use->kernel->insn_count;
    double factor = (double)use->ctas / (double)use->sampled_ctas;
    msw_simt_insn_use *insns = msw_arena_zero(m->arena, count + 1, sizeof *insns);
    if (!insns)
        return msw_fail_memory(err);
    msw_simt_counts_finish(use->kernel, &m->counts[k]);
    for (uint32_t i = 0; i < count; i++) {
        const seen_insn *s = &m->seen[k][i];
        insns[i] = (msw_simt_insn_use){.warps = (double)m->counts[k].warps[i] * factor,
                                       .lanes = (double)s->lanes * factor,
                                       .lines = (double)s->lines * factor,
                                       .sectors = (double)s->sectors * factor,
                                       .bytes = (double)s->bytes * factor,
                                       .runs = (double)s->runs * factor,
                                       .stride = s->stride,
                                       .array = s->array};
        if (s->strides)
            insns[i].stride_share = (double)s->stride_hits / (double)s->strides;
        use->instructions += insns[i].warps;
    }
    use->insns = insns;
    return 0;
}

static int sample(sampler *m, msw_arena *scratch, msw_err *err)
{
    const msw_simt_product *p = m->product;
    uint32_t most = p->program->kernel_count;
    m->uses = msw_arena_zero(m->arena, most, sizeof *m->uses);
    m->seen = msw_arena_zero(scratch, most, sizeof *m->seen);
    m->counts = msw_arena_zero(scratch, most, sizeof *m->counts);
    if (!m->uses || !m->seen || !m->counts)
        return msw_fail_memory(err);
    msw_arena memory = {0};
    m->past = msw_simt_past_in(&memory, p, WRITTEN_MAX, err);
    int rc = m->past ? run_launches(m, scratch, err) : -1;
    msw_arena_free(&memory);
    if (rc)
        return -1;
    for (size_t k = 0; k < m->kernels; k++)
        if (scale(m, k, err))
            return -1;
    return 0;
}

int msw_simt_estimate_of(const msw_simt_product *product, msw_arena *arena,
                         msw_simt_estimate *estimate, msw_err *err)
{
    msw_arena scratch = {0};
    sampler m = {.product = product, .arena = arena};
    int rc = sample(&m, &scratch, err);
    msw_arena_free(&scratch);
    *estimate = (msw_simt_estimate){.kernels = m.uses, .kernel_count = rc ? 0 : m.kernels};
    return rc;
}

/* Accesses are 128-byte lines of global memory, bytes those of the 32-byte sectors in them. */
int msw_simt_summarise(const msw_simt_product *product, msw_arena *arena, msw_summary *summary,
                       msw_err *err)
{
    msw_simt_estimate estimate;
    double lines = 0, sectors = 0, written = 0;
    if (msw_simt_estimate_of(product, arena, &estimate, err))
        return -1;
    for (size_t k = 0; k < estimate.kernel_count; k++) {
        const msw_simt_kernel_use *use = &estimate.kernels[k];
        for (uint32_t i = 0; i < use->kernel->insn_count; i++) {
            lines += use->insns[i].lines;
            sectors += use->insns[i].sectors;
            written += use->kernel->insns[i].is_store ? use->insns[i].sectors : 0;
        }
    }
    summary->units = product->cta_count;
    summary->accesses = (uint64_t)llrint(lines);
    summary->bytes = 32 * (uint64_t)llrint(sectors);
    summary->footprint_bytes = product->footprint_bytes;
    summary->write_share = sectors > 0 ? written / sectors : 0;
    return 0;
}

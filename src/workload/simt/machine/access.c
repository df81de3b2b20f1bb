/* SPDX-License-Identifier: MIT */
/* Loads, stores and atomics: addresses, spaces, bounds, and the lines of 128 bytes and sectors of
 * 32 that an access touches. */
#include "memsweep/base/bits.h"

#include "workload/simt/machine/code.h"

#include <string.h>

static uint32_t bits_from(uint32_t first, uint32_t count)
{
    return count >= 32 ? UINT32_MAX : ((1u << count) - 1) << first;
}

/* The sectors that active lanes touch, when lane `lane` begins at `offset` of the line. */
static uint32_t row_sectors(uint32_t lanes, uint32_t lane, uint32_t offset, uint32_t bytes)
{
    uint32_t sectors = 0;
    for (lanes >>= lane; lanes; lanes >>= 1, offset += bytes)
        if (lanes & 1)
            sectors |= 1u << offset / 32;
    return sectors;
}

/* Lanes that follow each other in memory: cut into lines directly, and sectors are only looked at
 * by lane where some of a line's lanes are off. */
static void row_lines(msw_simt_step *step, uint32_t mask)
{
    uint32_t bytes = step->bytes, first = msw_bits_lowest(mask);
    uint32_t last = msw_bits_highest(mask);
    uint64_t at = step->addresses[first], end = at + (uint64_t)(last - first + 1) * bytes;
    while (at < end) {
        uint64_t line = at & ~(uint64_t)127, stop = line + 128 < end ? line + 128 : end;
        uint32_t count = (uint32_t)(stop - at) / bytes, offset = (uint32_t)(at - line);
        uint32_t span = bits_from(first, count), lanes = mask & span;
        uint32_t low = offset / 32, high = (uint32_t)(stop - 1 - line) / 32;
        uint32_t sectors = lanes == span ? bits_from(low, high - low + 1)
                                         : row_sectors(lanes, first, offset, bytes);
        if (lanes)
            step->lines[step->line_count++] = (msw_simt_line){line, lanes, sectors};
        first += count;
        at = stop;
    }
}

static uint32_t sectors_of(uint64_t address, uint32_t bytes)
{
    uint32_t first = (uint32_t)(address & 127) / 32;
    uint32_t last = (uint32_t)((address & 127) + bytes - 1) / 32;
    return bits_from(first, last - first + 1);
}

/* Any addresses: the newest lines first, as neighbours in number are mostly neighbours in memory.
 * */
static void add_lane(msw_simt_step *step, uint32_t lane)
{
    uint64_t address = step->addresses[lane], line = address & ~(uint64_t)127;
    uint32_t i = step->line_count;
    while (i > 0 && step->lines[i - 1].address != line)
        i--;
    if (i == 0) {
        step->lines[step->line_count++] =
            (msw_simt_line){line, 1u << lane, sectors_of(address, step->bytes)};
        return;
    }
    step->lines[i - 1].lanes |= 1u << lane;
    step->lines[i - 1].sectors |= sectors_of(address, step->bytes);
}

/* Gathers the lines that the lanes of a mask touch. */
static void simt_lines(msw_simt_step *step, uint32_t mask, const simt_survey *survey)
{
    step->line_count = 0;
    if (survey->same) {
        step->lines[step->line_count++] = (msw_simt_line){survey->low & ~(uint64_t)127, mask,
                                                          sectors_of(survey->low, step->bytes)};
        return;
    }
    if (survey->row) {
        row_lines(step, mask);
        return;
    }
    for (; mask; mask &= mask - 1)
        add_lane(step, msw_bits_lowest(mask));
}

typedef struct access {
    msw_simt_cta *cta;
    simt_warp *warp;
    uint32_t number;
    const simt_insn *insn;
    msw_simt_step *step;
    msw_err *err;
} access;

static void find_addresses(const access *a)
{
    const simt_insn *insn = a->insn;
    const unsigned char *at = (insn->where[0] ? a->cta->code->pool : a->warp->regs) + insn->src[0];
    a->cta->code->loops->add(at, insn->src_bytes[0], insn->addend, a->step->addresses);
}

static const char *verb(const simt_insn *insn)
{
    return insn->unit == UNIT_LOAD ? "reads" : insn->unit == UNIT_STORE ? "writes" : "changes";
}

static int misaligned(const access *a, uint32_t mask)
{
    uint32_t bytes = a->step->bytes, i = msw_bits_lowest(mask);
    while (!(mask >> i & 1 && a->step->addresses[i] & (bytes - 1)))
        i++;
    return msw_fail(a->err, "lane %u %s %u bytes at %s address 0x%llx, which is no multiple of %u",
                    i, verb(a->insn), bytes, msw_simt_space_name(a->step->space),
                    (unsigned long long)a->step->addresses[i], bytes);
}

static int out_of_bounds(const access *a, uint32_t mask, uint64_t size)
{
    for (uint32_t i = 0; i < MSW_SIMT_LANES; i++)
        if (mask >> i & 1 &&
            (size < a->step->bytes || a->step->addresses[i] > size - a->step->bytes))
            return msw_fail(a->err,
                            "lane %u %s %u bytes at %s address 0x%llx; %llu bytes are there", i,
                            verb(a->insn), a->step->bytes, msw_simt_space_name(a->step->space),
                            (unsigned long long)a->step->addresses[i], (unsigned long long)size);
    return 0;
}

/* Registers as wide as the elements, one element a lane: whole loops move them. */
static bool is_plain(const simt_insn *insn)
{
    unsigned wide = insn->unit == UNIT_LOAD ? insn->dst_bytes : insn->src_bytes[1];
    return insn->unit != UNIT_ATOMIC && insn->vector == 1 && wide == insn->element && wide >= 4;
}

/* Moves values between registers and `data`, which begins at address 0. */
static bool move(const access *a, uint32_t mask, const simt_survey *survey, uintptr_t data)
{
    const simt_insn *insn = a->insn;
    const simt_loops *loops = a->cta->code->loops;
    unsigned char *const base[2] = {a->warp->regs, a->cta->code->pool};
    const uint64_t *addresses = a->step->addresses;
    if (!is_plain(insn)) {
        return simt_transfer(insn, base, mask, addresses, survey->low,
                             (unsigned char *)(data + survey->low), 0);
    } else if (insn->unit == UNIT_STORE) {
        const unsigned char *from = base[insn->where[1]] + insn->src[1];
        if (survey->row && mask == UINT32_MAX)
            memcpy((void *)(data + addresses[0]), from, (size_t)insn->element * MSW_SIMT_LANES);
        else
            loops->scatter(from, data, addresses, mask, insn->element);
    } else if (survey->same) {
        loops->spread(base[0] + insn->dst[0], (void *)(data + survey->low), true, mask,
                      insn->element);
    } else if (survey->row && mask == UINT32_MAX) {
        loops->spread(base[0] + insn->dst[0], (void *)(data + addresses[0]), false, mask,
                      insn->element);
    } else {
        loops->gather(base[0] + insn->dst[0], data, addresses, mask, insn->element);
    }
    return insn->unit == UNIT_STORE;
}

/* A space of the machine itself: `size` bytes at `data`. */
static int own_space(const access *a, uint32_t mask, const simt_survey *survey, unsigned char *data,
                     uint64_t size)
{
    if (size < a->step->bytes || survey->high > size - a->step->bytes || survey->low > survey->high)
        return out_of_bounds(a, mask, size);
    if (!a->insn->dry)
        a->cta->code->common->changes += move(a, mask, survey, (uintptr_t)data);
    return 0;
}

/* The same, lane l's own bytes `stride` x l further. */
static int local_space(const access *a, uint32_t mask, const simt_survey *survey,
                       unsigned char *data, uint64_t size)
{
    unsigned char *const base[2] = {a->warp->regs, a->cta->code->pool};
    if (size < a->step->bytes || survey->high > size - a->step->bytes || survey->low > survey->high)
        return out_of_bounds(a, mask, size);
    if (!a->insn->dry)
        simt_transfer(a->insn, base, mask, a->step->addresses, 0, data, size);
    return 0;
}

static int read_only(const access *a)
{
    return msw_fail(a->err, "%s space %s, which is read only", verb(a->insn),
                    msw_simt_space_name(a->step->space));
}

/* The span around an address, from the last one found for this instruction. */
static const msw_simt_span *find_span(const access *a, uint64_t address, bool writes)
{
    msw_simt_span *span = &a->cta->spans[writes][a->insn->index % SIMT_SPANS];
    const msw_simt_memory *memory = a->cta->code->launch.memory;
    if (address - span->address < span->bytes)
        return span;
    if (!memory->span || !memory->span(memory->self, address, writes, span)) {
        span->bytes = 0;
        return NULL;
    }
    return span;
}

static bool covers(const msw_simt_span *span, uint64_t low, uint64_t high, uint32_t bytes)
{
    return span && low >= span->address && high - span->address <= span->bytes &&
           span->bytes - (high - span->address) >= bytes;
}

/* 32 lanes in a row, through the memory's own functions. */
static int copy_row(const access *a)
{
    const msw_simt_memory *memory = a->cta->code->launch.memory;
    uint64_t first = a->step->addresses[0];
    size_t bytes = (size_t)a->step->bytes * MSW_SIMT_LANES;
    unsigned char *regs = a->warp->regs;
    if (a->insn->unit == UNIT_LOAD)
        return memory->read(memory->self, first, bytes, regs + a->insn->dst[0], a->err);
    const unsigned char *from = (a->insn->where[1] ? a->cta->code->pool : regs) + a->insn->src[1];
    a->cta->code->common->changes++;
    return memory->write(memory->self, first, bytes, from, a->err);
}

/* Lane by lane through the memory's own functions. */
static int copy_lanes(const access *a, uint32_t mask)
{
    const msw_simt_memory *memory = a->cta->code->launch.memory;
    unsigned char *const base[2] = {a->warp->regs, a->cta->code->pool};
    uint32_t bytes = a->step->bytes;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = msw_bits_lowest(mask);
        uint64_t address = a->step->addresses[lane];
        unsigned char values[16] = {0};
        if (a->insn->unit != UNIT_STORE &&
            memory->read(memory->self, address, bytes, values, a->err))
            return -1;
        a->cta->code->common->changes +=
            simt_transfer(a->insn, base, 1u << lane, a->step->addresses, address, values, 0);
        if (a->insn->unit != UNIT_LOAD &&
            memory->write(memory->self, address, bytes, values, a->err))
            return -1;
    }
    return 0;
}

static int global_values(const access *a, uint32_t mask, const simt_survey *survey)
{
    const msw_simt_span *span = find_span(a, survey->low, a->insn->unit != UNIT_LOAD);
    if (covers(span, survey->low, survey->high, a->step->bytes)) {
        a->cta->code->common->changes +=
            move(a, mask, survey, (uintptr_t)span->data - span->address);
        return 0;
    }
    if (!span && survey->row && mask == UINT32_MAX && is_plain(a->insn))
        return copy_row(a);
    return copy_lanes(a, mask);
}

/* An access that is not made is where there is something all the same: two ends in one array, or
 * each lane for itself. */
static int check_only(const access *a, uint32_t mask, const simt_survey *survey)
{
    const msw_simt_memory *memory = a->cta->code->launch.memory;
    msw_err ignored;
    uint64_t all = survey->high - survey->low + a->step->bytes;
    if (!memory->check || memory->check(memory->self, survey->low, all, &ignored) == 0)
        return 0;
    for (; mask; mask &= mask - 1)
        if (memory->check(memory->self, a->step->addresses[msw_bits_lowest(mask)], a->step->bytes,
                          a->err))
            return -1;
    return 0;
}

static int global_space(const access *a, uint32_t mask, const simt_survey *survey)
{
    if (!a->cta->code->launch.memory)
        return msw_fail(a->err, "the launch has no global memory");
    simt_lines(a->step, mask, survey);
    return a->insn->dry ? check_only(a, mask, survey) : global_values(a, mask, survey);
}

/* Local memory is interleaved: the words of the 32 lanes are next to each other: its lines follow
 * from that. */
static void local_lines(msw_simt_step *step, uint32_t mask)
{
    uint64_t own[MSW_SIMT_LANES];
    uint32_t bytes = step->bytes;
    memcpy(own, step->addresses, sizeof own);
    step->line_count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = msw_bits_lowest(rest);
        for (uint32_t word = 0; word < (bytes + 3) / 4; word++) {
            uint64_t line = (own[lane] / 4 + word) * 128;
            uint32_t i = 0;
            while (i < step->line_count && step->lines[i].address != line)
                i++;
            if (i == 2 * MSW_SIMT_LANES)
                continue;
            if (i == step->line_count)
                step->lines[step->line_count++] = (msw_simt_line){line, 0, 0};
            step->lines[i].lanes |= 1u << lane;
            step->lines[i].sectors |= 1u << lane / 8;
        }
    }
}

/* One survey of the 32 addresses finds the lowest, the highest and any misaligned one, so that a
 * space can check the range once instead of each lane. */
static int one_space(const access *a, uint32_t mask)
{
    const msw_simt_code *code = a->cta->code;
    uint64_t thread = (uint64_t)a->number * MSW_SIMT_LANES;
    simt_survey survey;
    code->loops->survey(a->step->addresses, mask, a->step->bytes, &survey);
    if (survey.odd)
        return misaligned(a, mask);
    switch (a->step->space) {
    case MSW_SIMT_SHARED:
        return own_space(a, mask, &survey, a->cta->shared, code->shared_bytes);
    case MSW_SIMT_LOCAL:
        local_lines(a->step, mask);
        return local_space(a, mask, &survey, a->cta->local + thread * code->local_bytes,
                           code->local_bytes);
    case MSW_SIMT_CONST:
        return a->insn->unit != UNIT_LOAD
                   ? read_only(a)
                   : own_space(a, mask, &survey, (unsigned char *)code->constants,
                               code->kernel->program->const_bytes);
    case MSW_SIMT_PARAM:
        return a->insn->unit != UNIT_LOAD
                   ? read_only(a)
                   : own_space(a, mask, &survey, (unsigned char *)code->params,
                               code->kernel->param_bytes);
    default:
        return global_space(a, mask, &survey);
    }
}

/* Each space other than global has a window of 4 GiB above MSW_SIMT_WINDOW_BASE. The upper half of
 * a generic address names the space, the lower half is the address in it. */
static msw_simt_space window_space(uint64_t address)
{
    if (address < MSW_SIMT_WINDOW_BASE)
        return MSW_SIMT_GLOBAL;
    switch ((address - MSW_SIMT_WINDOW_BASE) >> 32) {
    case 1:
        return MSW_SIMT_SHARED;
    case 2:
        return MSW_SIMT_LOCAL;
    case 3:
        return MSW_SIMT_CONST;
    case 4:
        return MSW_SIMT_PARAM;
    default:
        return MSW_SIMT_GLOBAL;
    }
}

/* Lanes of one space after the other; the step is reported as global if any lane is. */
static int generic_space(const access *a, uint32_t mask)
{
    msw_simt_space told = MSW_SIMT_NO_SPACE;
    uint32_t told_lanes = 0;
    uint64_t high = 0;
    for (uint32_t i = 0; i < MSW_SIMT_LANES; i++)
        high |= a->step->addresses[i];
    /* The usual case, without a look at each lane: an OR below the base has all addresses below it.
     * */
    if (high < MSW_SIMT_WINDOW_BASE) {
        a->step->space = MSW_SIMT_GLOBAL;
        return one_space(a, mask);
    }
    for (int s = MSW_SIMT_PARAM; s >= MSW_SIMT_GLOBAL; s--) {
        uint32_t lanes = 0;
        for (uint32_t i = 0; i < MSW_SIMT_LANES; i++)
            if (mask >> i & 1 && (int)window_space(a->step->addresses[i]) == s)
                lanes |= 1u << i;
        if (!lanes)
            continue;
        uint64_t kept[MSW_SIMT_LANES];
        memcpy(kept, a->step->addresses, sizeof kept);
        for (uint32_t i = 0; i < MSW_SIMT_LANES; i++)
            a->step->addresses[i] = s == MSW_SIMT_GLOBAL ? kept[i] : kept[i] & UINT32_MAX;
        a->step->space = (msw_simt_space)s;
        a->step->line_count = 0;
        if (one_space(a, lanes))
            return -1;
        told = (msw_simt_space)s;
        told_lanes |= lanes;
        if (told_lanes == mask && lanes == mask)
            break;
        memcpy(a->step->addresses, kept, sizeof kept);
    }
    a->step->space = told;
    return 0;
}

int simt_access(msw_simt_cta *cta, uint32_t warp, const simt_insn *insn, uint32_t mask,
                msw_simt_step *step, msw_err *err)
{
    access a = {cta, &cta->warps[warp], warp, insn, step, err};
    find_addresses(&a);
    step->bytes = (uint8_t)(insn->element * insn->vector);
    step->space = (msw_simt_space)insn->space;
    bool tells = step->space != MSW_SIMT_PARAM && step->space != MSW_SIMT_CONST;
    step->event = tells ? MSW_SIMT_EVENT_ACCESS : MSW_SIMT_EVENT_NONE;
    return step->space == MSW_SIMT_GENERIC ? generic_space(&a, mask) : one_space(&a, mask);
}

/* SPDX-License-Identifier: MIT */
/* Counts what an instruction does, whatever time it takes (README.md, "Counts"), and where:
 * addresses lie in fields of bits, from the lowest (README.md, "Places"); a global access may be
 * offloaded whole or not (section IV-B2). */
#include "mech/mpu/count/count.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"

/* ---- places ---- */

static mpu_field next_field(uint32_t *shift, int64_t count)
{
    uint32_t bits = count > 1 ? msw_bits_highest((uint64_t)count) : 0;
    mpu_field field = {*shift, (uint32_t)count - 1};
    *shift += bits;
    return field;
}

void mpu_map_init(mpu_map *map, const mpu_config *c, const msw_simt_product *product)
{
    int64_t columns = c->row_bytes / c->bank_io_bytes, rows = c->bank_bytes / c->row_bytes;
    uint32_t at = 0;
    *map = (mpu_map){.config = c,
                     .arrays = product->arrays,
                     .array_count = product->array_count,
                     .gap = (uint64_t)c->array_gap,
                     .row_bits = msw_bits_highest((uint64_t)rows)};
    next_field(&at, c->bank_io_bytes);
    map->bank = next_field(&at, c->banks);
    if (c->placement != MPU_PLACEMENT_LINE)
        map->column = next_field(&at, columns);
    if (c->placement == MPU_PLACEMENT_BANK)
        map->row = next_field(&at, rows);
    map->unit = next_field(&at, c->subcores);
    map->core = next_field(&at, mpu_core_count(c));
    if (c->placement == MPU_PLACEMENT_LINE)
        map->column = next_field(&at, columns);
    if (c->placement != MPU_PLACEMENT_BANK)
        map->row = next_field(&at, rows);
}

/* Bytes of the gaps before the array that an address is in. */
static uint64_t gaps_before(const mpu_map *map, uint64_t address)
{
    size_t count;
    MSW_SEARCH(count, 0, map->array_count, map->arrays[count].address <= address);
    return count ? (count - 1) * map->gap : 0;
}

static uint32_t field_of(mpu_field field, uint64_t address)
{
    return (uint32_t)(address >> field.shift) & field.mask;
}

mpu_location mpu_locate(const mpu_map *map, uint64_t address)
{
    if (map->gap)
        address += gaps_before(map, address);
    return (mpu_location){.core = field_of(map->core, address),
                          .unit = field_of(map->unit, address),
                          .bank = field_of(map->bank, address),
                          .row = field_of(map->row, address),
                          .column = field_of(map->column, address)};
}

/* ---- counts ---- */

static uint32_t width(const mpu_kernel *kernel, uint32_t reg)
{
    uint32_t bytes = kernel->kernel->regs[reg].bytes;
    return bytes == 8 ? 2 : bytes ? 1 : 0;
}

uint32_t mpu_row_buffer(const mpu_config *c, uint32_t row, uint32_t row_bits)
{
    uint32_t buffers = (uint32_t)c->row_buffers, folded = row;
    uint32_t width = buffers > 1 ? msw_bits_highest(buffers - 1) + 1 : 0;
    if (c->row_hash == MPU_HASH_XOR && width)
        for (uint32_t shift = width; shift < row_bits; shift += width)
            folded ^= row >> shift;
    if (c->row_hash == MPU_HASH_XOR && width)
        folded &= (1U << width) - 1;
    return folded % buffers;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

mpu_hops mpu_hops_of(const mpu_config *c, uint32_t from, uint32_t to)
{
    uint32_t cores = (uint32_t)c->cores, columns = (uint32_t)c->core_columns;
    uint32_t rows = cores / columns, across = (uint32_t)c->processor_columns;
    uint32_t cube[2] = {from / cores, to / cores}, core[2] = {from % cores, to % cores};
    uint32_t x[2], y[2];
    for (int i = 0; i < 2; i++) {
        x[i] = cube[i] % across * columns + core[i] % columns;
        y[i] = cube[i] / across * rows + core[i] / columns;
    }
    uint32_t off =
        apart(cube[0] % across, cube[1] % across) + apart(cube[0] / across, cube[1] / across);
    uint32_t all = apart(x[0], x[1]) + apart(y[0], y[1]);
    return (mpu_hops){.on_chip = all - off, .off_chip = off};
}

/* ---- accesses ---- */

/* All lanes active, each behind the one before. */
static bool is_consecutive(const msw_simt_step *step)
{
    if (step->lanes != UINT32_MAX)
        return false;
    for (uint32_t lane = 1; lane < MSW_SIMT_LANES; lane++)
        if (step->addresses[lane] != step->addresses[0] + lane * step->bytes)
            return false;
    return true;
}

/* Blocks of a line that its lanes touch, bit 0 the lowest. */
static uint32_t blocks_of(const msw_simt_step *step, const msw_simt_line *line, uint32_t io)
{
    uint32_t blocks = 0;
    if (io == 32)
        return line->sectors;
    for (uint32_t rest = line->lanes; rest; rest &= rest - 1) {
        uint32_t from = (uint32_t)(step->addresses[msw_bits_lowest(rest)] & 127);
        for (uint32_t at = from; at < from + step->bytes && at < 128; at += io - at % io)
            blocks |= 1U << at / io;
    }
    return blocks;
}

static void add_line(const mpu_map *map, const msw_simt_step *step, const msw_simt_line *line,
                     uint32_t core, uint32_t unit, mpu_access *out)
{
    uint32_t io = (uint32_t)map->config->bank_io_bytes;
    bool local = true;
    for (uint32_t rest = blocks_of(step, line, io); rest; rest &= rest - 1) {
        uint64_t address = line->address + (uint64_t)msw_bits_lowest(rest) * io;
        mpu_location at = mpu_locate(map, address);
        if (step->space == MSW_SIMT_LOCAL) { /* a warp's own: in its own unit */
            at.core = core;
            at.unit = unit;
        }
        local = local && at.core == core;
        out->whole = out->whole && at.core == core && at.unit == unit;
        *(at.core == core ? &out->local_blocks : &out->remote_blocks) += 1;
        if (out->count == sizeof out->blocks / sizeof *out->blocks)
            continue;
        out->blocks[out->count].address = address;
        out->blocks[out->count++].at = at;
    }
    *(local ? &out->local_lines : &out->remote_lines) += 1;
}

void mpu_access_of(const mpu_map *map, const msw_simt_step *step, uint32_t core, uint32_t unit,
                   mpu_access *out)
{
    out->local_blocks = out->remote_blocks = out->local_lines = out->remote_lines = out->count = 0;
    out->whole = is_consecutive(step);
    for (uint32_t i = 0; i < step->line_count; i++)
        add_line(map, step, &step->lines[i], core, unit, out);
}

static uint32_t widths(const mpu_kernel *kernel, const uint32_t *regs, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += width(kernel, regs[i]);
    return sum;
}

static void count_moves(const mpu_config *c, const mpu_kernel *kernel, const mpu_issue *issue,
                        double *totals)
{
    for (uint32_t m = 0; m < issue->move_count; m++) {
        uint32_t reg = issue->moves[m].reg;
        totals[issue->moves[m].to_near ? MPU_MOVES_NEAR : MPU_MOVES_FAR]++;
        totals[MPU_TSV_MOVE] += mpu_move_bytes(c, &kernel->kernel->regs[reg]);
        totals[MPU_RF_ACCESSES] += 2 * width(kernel, reg);
    }
}

static void count_offload(const mpu_config *c, const mpu_insn *own, double *totals)
{
    totals[MPU_INSNS_OFFLOADED]++;
    totals[MPU_TSV_OFFLOAD] += (double)c->offload_bytes;
    totals[MPU_TSV_OFFLOAD] += own->has_immediate ? (double)c->immediate_bytes : 0;
    totals[MPU_TSV_COMMIT] += (double)c->commit_bytes;
}

/* Near shared memory whose units are on several dies: three of four words cross the TSVs. */
static void count_shared(const mpu_config *c, const mpu_insn *own, double *totals)
{
    bool crosses = c->layout == MPU_LAYOUT_VERTICAL && own->value_side == MPU_NEAR &&
                   c->pipeline == MPU_PIPELINE_HYBRID;
    double share = 1 - 1 / (double)c->subcores;
    totals[MPU_SHARED_ACCESSES]++;
    if (own->value_side == MPU_NEAR)
        totals[MPU_LSU_ACCESSES]++;
    if (crosses)
        totals[MPU_TSV_SHARED] += share * MPU_LANES * (4.0 + own->moved_bytes);
}

void mpu_count_insn(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                    const mpu_issue *issue, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    const mpu_insn *own = &kernel->insns[insn];
    uint32_t sources = widths(kernel, now->uses, now->use_count),
             times = mpu_runs_twice(own) ? 2 : 1;
    totals[MPU_INSNS]++;
    totals[issue->side == MPU_NEAR ? MPU_INSNS_NEAR : MPU_INSNS_FAR]++;
    totals[MPU_RF_ACCESSES] += times * (sources + widths(kernel, now->defs, now->def_count));
    totals[MPU_COLLECTOR_ACCESSES] += times * sources;
    totals[MPU_ENERGY_ALU] += times * mpu_alu_energy(c, own->energy);
    if (own->unit == MPU_UNIT_SHARED)
        count_shared(c, own, totals);
    if (issue->move_count)
        count_moves(c, kernel, issue, totals);
    if (issue->offloaded)
        count_offload(c, own, totals);
}

void mpu_count_links(const mpu_config *c, uint32_t from, uint32_t to, double blocks, double *totals)
{
    mpu_hops hops = mpu_hops_of(c, from, to);
    double data = (double)c->bank_io_bytes;
    double bytes = data + (double)c->header_bytes * (1 + data / (double)c->packet_bytes);
    totals[MPU_ON_CHIP_BYTES] += blocks * bytes * hops.on_chip;
    totals[MPU_OFF_CHIP_BYTES] += blocks * bytes * hops.off_chip;
}

static void count_network(const mpu_config *c, const mpu_access *access, uint32_t core,
                          double *totals)
{
    for (uint32_t b = 0; b < access->count; b++)
        if (access->blocks[b].at.core != core)
            mpu_count_links(c, core, access->blocks[b].at.core, 1, totals);
}

bool mpu_writes_back(const mpu_kernel *kernel, uint32_t insn)
{
    return kernel->insns[insn].value_side == MPU_NEAR && kernel->kernel->insns[insn].def_count;
}

uint64_t mpu_writeback_bytes(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    if (!mpu_writes_back(kernel, insn))
        return 0;
    if (c->gathered_bytes)
        return (uint64_t)c->gathered_bytes;
    return (uint64_t)widths(kernel, now->defs, now->def_count) * MPU_REG_BYTES;
}

uint64_t mpu_value_bytes(const mpu_kernel *kernel, uint32_t insn)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    bool near = kernel->insns[insn].value_side == MPU_NEAR;
    return near ? (uint64_t)widths(kernel, now->value_uses, now->value_count) * MPU_REG_BYTES : 0;
}

/* Transactions of an access that is not offloaded whole: their data, and the register's value
 * between the sides. With all logic on the logic die the register is there. */
static void count_split(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                        const mpu_access *access, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    double ways = now->is_atomic && now->def_count ? 2 : 1;
    double blocks = ways * (access->local_blocks + access->remote_blocks);
    totals[MPU_TSV_DATA] += blocks * (double)c->bank_io_bytes;
    totals[MPU_TSV_REQUEST] += blocks * (double)c->request_bytes;
    totals[MPU_TSV_WRITEBACK] += (double)mpu_writeback_bytes(c, kernel, insn);
    totals[MPU_TSV_VALUE] += (double)mpu_value_bytes(kernel, insn);
    totals[MPU_TSV_COMMIT] += mpu_writes_back(kernel, insn) ? (double)c->commit_bytes : 0;
}

static void count_kind(const msw_simt_insn *now, const mpu_access *access, bool whole,
                       double *totals)
{
    double blocks = access->local_blocks + access->remote_blocks;
    if (now->is_atomic)
        totals[MPU_ATOMICS]++;
    else
        totals[now->is_store ? MPU_STORES : MPU_LOADS]++;
    if (whole)
        totals[now->is_store ? MPU_WHOLE_STORES : MPU_WHOLE_LOADS]++;
    totals[MPU_READS] += !now->is_store || now->is_atomic ? blocks : 0;
    totals[MPU_WRITES] += now->is_store ? blocks : 0;
}

void mpu_count_access(const mpu_config *c, const mpu_kernel *kernel, uint32_t insn,
                      const mpu_access *access, uint32_t core, double *totals)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    double blocks = access->local_blocks + access->remote_blocks;
    bool hybrid = c->pipeline == MPU_PIPELINE_HYBRID;
    bool whole = hybrid && access->whole && kernel->insns[insn].is_load_whole;
    count_kind(now, access, whole, totals);
    totals[MPU_LOCAL_LINES] += access->local_lines;
    totals[MPU_REMOTE_LINES] += access->remote_lines;
    totals[MPU_LSU_ACCESSES] += access->local_lines + access->remote_lines;
    totals[MPU_DRAM_BYTES] += blocks * (double)c->bank_io_bytes * (now->is_atomic ? 2 : 1);
    if (access->remote_blocks)
        count_network(c, access, core, totals);
    if (whole) {
        totals[MPU_INSNS_OFFLOADED]++;
        totals[MPU_TSV_ACCESS] += (double)c->access_bytes;
        totals[MPU_TSV_COMMIT] += (double)c->commit_bytes;
    } else if (c->pipeline != MPU_PIPELINE_DRAM) {
        count_split(c, kernel, insn, access, totals);
    }
}

void mpu_count_sums(double *totals)
{
    totals[MPU_TSV_BYTES] = 0;
    for (int cause = MPU_TSV_OFFLOAD; cause <= MPU_TSV_COMMIT; cause++)
        totals[MPU_TSV_BYTES] += totals[cause];
}

/* ---- shared memory ---- */

enum { WORD = 4, SHARED_BANKS = 32 };

static uint32_t banks_of(const msw_simt_step *step)
{
    uint32_t banks = 0;
    for (uint32_t left = step->lanes; left; left &= left - 1)
        banks |= 1U << step->addresses[msw_bits_lowest(left)] / WORD % SHARED_BANKS;
    return banks;
}

/* Lanes that want different words of a bank wait for each other; with atomics those that want the
 * same word, too. */
static uint32_t fullest_bank(const msw_simt_step *step, bool atomic)
{
    uint8_t count[SHARED_BANKS] = {0};
    uint64_t words[SHARED_BANKS];
    uint32_t most = 1;
    for (uint32_t left = step->lanes; left; left &= left - 1) {
        uint64_t word = step->addresses[msw_bits_lowest(left)] / WORD;
        uint32_t bank = word % SHARED_BANKS;
        if (count[bank] && words[bank] == word && !atomic)
            continue;
        words[bank] = word;
        count[bank]++;
        most = msw_max_u32(most, count[bank]);
    }
    return most;
}

uint32_t mpu_shared_cycles(const msw_simt_step *step, bool atomic)
{
    uint32_t words_each = step->bytes > WORD ? step->bytes / WORD : 1, most = 1;
    if (msw_bits_count(banks_of(step)) < msw_bits_count(step->lanes))
        most = fullest_bank(step, atomic);
    return msw_min_u64(most * words_each, UINT8_MAX) & UINT8_MAX;
}

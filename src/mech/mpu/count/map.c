/* SPDX-License-Identifier: MIT */
/* Locates addresses, as fields of bits from the lowest (README.md, "Places"), and lists what a
 * global access of a warp touches and whether it may be offloaded whole (section IV-B2). */
#include "mech/mpu/count/count.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"

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

/* SPDX-License-Identifier: MIT */
/* dram_config: the check of a configuration, its times in cycles of another clock, and its map of
 * address bits to channel, bank, row and column. */
#include "sim/dram/state.h"

#include "memsweep/base/bits.h"

#include <ctype.h>
#include <string.h>

#define DRAM_MAX_DEPTH 4096u

typedef struct range {
    const char *name;
    uint32_t value, min, max;
} range;

static int check_ranges(const range *ranges, size_t count, msw_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
            return msw_fail(err, "memory: %s is %u, allowed are %u to %u", ranges[i].name,
                            ranges[i].value, ranges[i].min, ranges[i].max);
    return 0;
}

static int check_powers(const range *ranges, size_t count, msw_err *err)
{
    if (check_ranges(ranges, count, err))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (ranges[i].value & (ranges[i].value - 1))
            return msw_fail(err, "memory: %s is %u, must be a power of two", ranges[i].name,
                            ranges[i].value);
    return 0;
}

static int check_organisation(const msw_dram_config *c, msw_err *err)
{
    const range powers[] = {
        {"burst_bytes", c->burst_bytes, 1, 4096},
        {"channels", c->channels, 1, 1024},
        {"ranks", c->ranks, 1, 16},
        {"groups", c->groups, 1, 16},
        {"banks", c->banks, 1, 64},
        {"rows", c->rows, 1, 1u << 30},
        {"columns", c->columns, 1, 1u << 16},
        {"buffers", c->buffers, 1, 64},
    };
    if (check_powers(powers, sizeof powers / sizeof *powers, err))
        return -1;
    if (c->ranks * c->groups > 32)
        return msw_fail(err, "memory: ranks * groups is %u, at most 32", c->ranks * c->groups);
    if (c->buffers > c->rows)
        return msw_fail(err, "memory: %u row buffers for %u rows", c->buffers, c->rows);
    if ((uint64_t)c->ranks * c->groups * c->banks * c->buffers > 16384)
        return msw_fail(err, "memory: more than 16384 row buffers in a channel");
    msw_dram_map map;
    return msw_dram_map_init(&map, c, err);
}

static int check_controller(const msw_dram_config *c, msw_err *err)
{
    const range ranges[] = {
        {"clock_ps", c->clock_ps, 1, 1000000},
        {"read_depth", c->read_depth, 1, DRAM_MAX_DEPTH},
        {"write_depth", c->write_depth, 1, DRAM_MAX_DEPTH},
        {"write_high", c->write_high, 1, c->write_depth},
        {"write_low", c->write_low, 0, c->write_high - 1},
        {"controller", c->controller, 1, 1000},
        {"command_buses", c->command_buses, 1, 2},
    };
    return check_ranges(ranges, sizeof ranges / sizeof *ranges, err);
}

static int check_timing(const msw_dram_timing *t, msw_err *err)
{
    enum { MOST = 100000 };
    const range ranges[] = {
        {"bl", t->bl, 1, MOST},
        {"cl", t->cl, 1, MOST},
        {"cwl", t->cwl, 1, MOST},
        {"rcd", t->rcd, 1, MOST},
        {"rp", t->rp, 1, MOST},
        {"ras", t->ras, 1, MOST},
        {"rc", t->rc, 1, MOST},
        {"ccd_s", t->ccd_s, 1, MOST},
        {"ccd_l", t->ccd_l, t->ccd_s, MOST},
        {"rtp", t->rtp, 1, MOST},
        {"rrd_s", t->rrd_s, 1, MOST},
        {"rrd_l", t->rrd_l, t->rrd_s, MOST},
        {"faw", t->faw, 1, MOST},
        {"wr", t->wr, 0, MOST},
        {"wtr_s", t->wtr_s, 0, MOST},
        {"wtr_l", t->wtr_l, t->wtr_s, MOST},
        {"rtw", t->rtw, 0, MOST},
        {"rtrs", t->rtrs, 0, MOST},
        {"swap", t->swap, 0, MOST},
        {"sel", t->sel, 0, MOST},
        {"ra", t->ra, 0, t->rp},
        {"wa", t->wa, 0, t->cwl + t->bl + t->wr},
    };
    if (check_ranges(ranges, sizeof ranges / sizeof *ranges, err))
        return -1;
    if (t->ras < t->rcd)
        return msw_fail(err, "memory: ras %u is less than rcd %u", t->ras, t->rcd);
    if (t->rc < t->ras)
        return msw_fail(err, "memory: rc %u is less than ras %u", t->rc, t->ras);
    return 0;
}

/* Rules of a rank are forgotten while it refreshes: rfc must outlast them all. */
static int check_refresh(const msw_dram_timing *t, msw_err *err)
{
    uint32_t longest =
        t->cl + t->cwl + t->bl + t->rtw + t->rtrs + t->wtr_l + t->faw + t->swap + t->sel;
    if (!t->refi)
        return 0;
    if (t->rfc >= DRAM_BLOCKED / 2)
        return msw_fail(err, "memory: rfc is %u, allowed are up to %u", t->rfc,
                        (unsigned)DRAM_BLOCKED / 2 - 1);
    if (t->rfc < longest)
        return msw_fail(err, "memory: rfc is %u, at least %u (the longest rule) is needed", t->rfc,
                        longest);
    if (t->refi < 2 * t->rfc)
        return msw_fail(err, "memory: refi is %u, less than twice rfc %u; 0 switches refresh off",
                        t->refi, t->rfc);
    if (t->refi <= (uint64_t)t->rfc + t->rp + t->ras + t->rcd)
        return msw_fail(err,
                        "memory: refi is %u: refreshes leave no time to open a row (rfc %u + rp %u "
                        "+ ras %u + rcd %u); 0 switches refresh off",
                        t->refi, t->rfc, t->rp, t->ras, t->rcd);
    return 0;
}

int msw_dram_check(const msw_dram_config *c, msw_err *err)
{
    if (check_organisation(c, err) || check_controller(c, err))
        return -1;
    if (c->kind == MSW_DRAM_BANKS) {
        MSW_TRY(check_timing(&c->t, err));
        return check_refresh(&c->t, err);
    }
    if (!(c->fixed_bytes_per_cycle > 1e-3 && c->fixed_bytes_per_cycle < 1e5))
        return msw_fail(err, "memory: fixed_bytes_per_cycle is %g, allowed are 0.001 to 100000",
                        c->fixed_bytes_per_cycle);
    return 0;
}

static uint32_t scaled(uint32_t cycles, uint32_t from_ps, uint32_t to_ps)
{
    return (uint32_t)msw_div_up((uint64_t)cycles * from_ps, to_ps);
}

msw_dram_config msw_dram_at_clock(const msw_dram_config *config, uint32_t clock_ps)
{
    msw_dram_config c = *config;
    msw_dram_timing *t = &c.t;
    uint32_t *const times[] = {&t->bl,    &t->cl,    &t->cwl,   &t->rcd,   &t->rp,  &t->ras,
                               &t->rc,    &t->ccd_s, &t->ccd_l, &t->rtp,   &t->faw, &t->rrd_s,
                               &t->rrd_l, &t->wr,    &t->wtr_s, &t->wtr_l, &t->rtw, &t->rtrs,
                               &t->rfc,   &t->swap,  &t->sel,   &t->ra,    &t->wa,  &c.controller};
    if (clock_ps == c.clock_ps)
        return c;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] = scaled(*times[i], config->clock_ps, clock_ps);
    /* Refresh may not become rarer. */
    t->refi = (uint32_t)((uint64_t)t->refi * config->clock_ps / clock_ps);
    if (config->t.rc >= config->t.ras + config->t.rp)
        t->rc = msw_max_u32(t->rc, t->ras + t->rp);
    if (config->t.faw >= 4 * config->t.rrd_s)
        t->faw = msw_max_u32(t->faw, 4 * t->rrd_s);
    c.fixed_latency = scaled(config->fixed_latency, config->clock_ps, clock_ps);
    c.fixed_bytes_per_cycle = config->fixed_bytes_per_cycle * clock_ps / config->clock_ps;
    c.clock_ps = clock_ps;
    return c;
}

enum { ROW, RANK, GROUP, BANK, COLUMN, CHANNEL, OFFSET, FIELDS };

static const char *const FIELD_NAMES[FIELDS] = {"row", "rank", "bg", "bank", "col", "ch", "off"};

typedef struct token {
    unsigned field, bits; /* bits: as written, 0 when not */
} token;

static void field_bits(const msw_dram_config *c, unsigned bits[FIELDS])
{
    bits[ROW] = msw_bits_log2_up(c->rows);
    bits[RANK] = msw_bits_log2_up(c->ranks);
    bits[GROUP] = msw_bits_log2_up(c->groups);
    bits[BANK] = msw_bits_log2_up(c->banks);
    bits[COLUMN] = msw_bits_log2_up(c->columns);
    bits[CHANNEL] = msw_bits_log2_up(c->channels);
    bits[OFFSET] = msw_bits_log2_up(c->burst_bytes);
}

static int parse_token(const char **text, token *out, const char *map, msw_err *err)
{
    size_t length = strcspn(*text, ": \t");
    for (out->field = 0; out->field < FIELDS; out->field++)
        if (strlen(FIELD_NAMES[out->field]) == length &&
            !strncmp(*text, FIELD_NAMES[out->field], length))
            break;
    if (out->field == FIELDS)
        return msw_fail(err,
                        "map \"%s\": unknown field \"%.*s\"; allowed: row rank bg bank col ch off",
                        map, (int)length, *text);
    *text += length;
    out->bits = 0;
    if (**text != ':')
        return 0;
    for ((*text)++; isdigit((unsigned char)**text) && out->bits < 64; (*text)++)
        out->bits = out->bits * 10 + (unsigned)(**text - '0');
    if (out->bits == 0 || out->bits > 31 || (**text && **text != ' ' && **text != '\t'))
        return msw_fail(err, "map \"%s\": field \"%s\" needs 1 to 31 bits after the colon", map,
                        FIELD_NAMES[out->field]);
    return 0;
}

static int parse_tokens(const char *map, token *tokens, unsigned *count, msw_err *err)
{
    *count = 0;
    for (const char *text = map + strspn(map, " \t"); *text; text += strspn(text, " \t")) {
        if (*count == MSW_DRAM_MAP_PIECES)
            return msw_fail(err, "map \"%s\": more than %d fields", map, MSW_DRAM_MAP_PIECES);
        if (parse_token(&text, &tokens[*count], map, err))
            return -1;
        (*count)++;
    }
    return *count ? 0 : msw_fail(err, "map is empty; for example: \"row rank bank bg col ch\"");
}

/* Fields without bits take what the others of their name have left. */
static int fill_bits(const char *map, token *tokens, unsigned count, const unsigned wanted[FIELDS],
                     msw_err *err)
{
    for (unsigned field = 0; field < FIELDS; field++) {
        unsigned sum = 0, seen = 0;
        token *open = NULL;
        for (unsigned i = 0; i < count; i++) {
            if (tokens[i].field != field)
                continue;
            if (!tokens[i].bits && open)
                return msw_fail(err, "map \"%s\": only one \"%s\" may be without bits", map,
                                FIELD_NAMES[field]);
            if (!tokens[i].bits)
                open = &tokens[i];
            sum += tokens[i].bits;
            seen++;
        }
        if (open && sum <= wanted[field])
            open->bits = wanted[field] - sum;
        else if (sum != wanted[field] && (seen || field != OFFSET))
            return msw_fail(err, "map \"%s\": field \"%s\" has %u bits, the organisation needs %u",
                            map, FIELD_NAMES[field], sum, wanted[field]);
    }
    return 0;
}

static int check_offset(const char *map, const token *tokens, unsigned count, msw_err *err)
{
    for (unsigned i = 0; i + 1 < count; i++)
        if (tokens[i].field == OFFSET)
            return msw_fail(err, "map \"%s\": \"off\" must come last (or be left out)", map);
    return 0;
}

static const uint8_t TARGET[FIELDS] = {
    DRAM_TO_ROW, DRAM_TO_BANK, DRAM_TO_BANK, DRAM_TO_BANK, DRAM_TO_COLUMN, DRAM_TO_CHANNEL, 0};

/* Two neighbours in the address that are neighbours in the field become one piece. */
static bool extend(msw_dram_piece *piece, const msw_dram_piece *next)
{
    unsigned bits = 0;
    while (piece->mask >> bits)
        bits++;
    if (!piece->mask || piece->shift + bits != next->shift || piece->to + bits != next->to)
        return false;
    piece->mask |= next->mask << bits;
    return true;
}

static void add_piece(msw_dram_map *map, msw_dram_piece piece)
{
    msw_dram_piece *first = &map->first[piece.field];
    if (!first->mask)
        *first = piece;
    else if (!extend(first, &piece))
        map->more[map->more_count++] = piece;
}

static void emit_token(msw_dram_map *map, const token *t, unsigned shift, unsigned done[FIELDS],
                       const unsigned bits[FIELDS])
{
    unsigned base = t->field == RANK    ? bits[GROUP] + bits[BANK]
                    : t->field == GROUP ? bits[BANK]
                                        : 0;
    add_piece(map, (msw_dram_piece){.shift = (uint8_t)shift,
                                    .to = (uint8_t)(base + done[t->field]),
                                    .field = TARGET[t->field],
                                    .mask = (uint32_t)(((uint64_t)1 << t->bits) - 1)});
    done[t->field] += t->bits;
}

int msw_dram_map_init(msw_dram_map *map, const msw_dram_config *config, msw_err *err)
{
    token tokens[MSW_DRAM_MAP_PIECES];
    unsigned count, bits[FIELDS], done[FIELDS] = {0};
    if (!config->map)
        return msw_fail(err, "the address map is missing");
    field_bits(config, bits);
    if (parse_tokens(config->map, tokens, &count, err) ||
        fill_bits(config->map, tokens, count, bits, err) ||
        check_offset(config->map, tokens, count, err))
        return -1;
    memset(map, 0, sizeof *map);
    unsigned shift = bits[OFFSET];
    for (unsigned i = count; i-- > 0;) {
        if (tokens[i].field == OFFSET || !tokens[i].bits)
            continue;
        if (shift + tokens[i].bits > 63)
            return msw_fail(err, "map \"%s\": more than 63 bits", config->map);
        emit_token(map, &tokens[i], shift, done, bits);
        shift += tokens[i].bits;
    }
    if (config->hash == MSW_DRAM_HASH_BANK)
        map->hash_mask = (1u << (bits[GROUP] + bits[BANK])) - 1;
    return 0;
}

msw_dram_location msw_dram_locate(const msw_dram_map *map, uint64_t address)
{
    return dram_locate(map, address);
}

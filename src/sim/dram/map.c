/* SPDX-License-Identifier: MIT */
/* dram_map: address bits to channel, bank, row and column. */
#include "sim/dram/state.h"

#include <ctype.h>
#include <string.h>

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

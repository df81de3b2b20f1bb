/* SPDX-License-Identifier: MIT */
/* Where the line that a tile waits for comes from. A tile's operands come one behind the other:
 * weights, sums that come back, activations; of those that are loaded the last one decides. Lines
 * from the cache overtake those from memory that were asked for before them, but no more than
 *
 *   limit = min(requests under way, the time that memory takes longer x bytes per cycle)
 *
 * README.md, "Closed form". */
#include "mech/camdn/closed/traffic.h"

enum { M, N, K };

double camdn_step_turns(const camdn_product *p, const camdn_step *step, int loop)
{
    const uint64_t tile[3] = {step->m, step->n, step->k};
    return (double)msw_div_up(p->size[loop], tile[loop]);
}

double camdn_far_cycles(const camdn_config *c)
{
    return camdn_memory_cycles(c) + (double)(c->line * c->channels) / camdn_memory_rate(c);
}

/* Bytes from the cache, asked for behind a line from memory, that are there before it. */
static double limit_of(const camdn_config *c)
{
    double near = (double)(c->slices * c->slice_bytes) / (double)camdn_running(c);
    double pace = msw_min_f64(near, (double)c->port_bytes);
    return msw_min_f64(camdn_far_cycles(c) * pace, (double)(c->requests * c->line));
}

/* What a tile loads of one operand. */
typedef struct camdn_part {
    double bytes;
    double loaded; /* share of the tiles that load it */
    double far;    /* share of these to which its last line comes from memory */
} camdn_part;

/* Share of the tiles that wait for memory, where so many parts are left, and `behind` bytes from
 * the cache come behind them. */
static double share_of(const camdn_part *parts, uint32_t count, double behind, double limit)
{
    if (count == 0 || behind >= limit)
        return 0;
    const camdn_part *last = &parts[count - 1];
    double share = last->loaded * last->far;
    if (last->loaded * (1 - last->far) > 0)
        share += last->loaded * (1 - last->far) *
                 share_of(parts, count - 1, behind + last->bytes, limit);
    if (last->loaded < 1)
        share += (1 - last->loaded) * share_of(parts, count - 1, behind, limit);
    return share;
}

double camdn_stream_tiles(const camdn_config *c, const camdn_step *step)
{
    uint64_t room = (uint64_t)c->scratchpad / (c->single ? 1 : 2);
    return msw_max_f64((double)msw_div_up(step->npu_bytes, room), 1);
}

/* What it reads, then weights. Of many reads the last ones are looked at. */
double camdn_last_of_stream(const camdn_closed *c, uint32_t number, const camdn_step *step,
                            camdn_near_fn near, double weights)
{
    enum { LOOKED_AT = 7 };
    const msw_graph_op *op = &c->net->ops[number];
    double tiles = camdn_stream_tiles(c->config, step);
    camdn_part parts[LOOKED_AT + 1];
    uint32_t count = 0;
    for (uint32_t i = op->read_count > LOOKED_AT ? op->read_count - LOOKED_AT : 0;
         i < op->read_count; i++) {
        uint32_t read = op->first_read + i, tensor = c->net->reads[read];
        parts[count++] = (camdn_part){.bytes = (double)c->net->tensors[tensor].bytes / tiles,
                                      .loaded = 1,
                                      .far = !near(c, number, read)};
    }
    if (op->weight != MSW_GRAPH_NONE)
        parts[count++] =
            (camdn_part){.bytes = (double)op->touched_bytes / tiles, .loaded = 1, .far = weights};
    return share_of(parts, count, 0, limit_of(c->config));
}

bool camdn_is_again(const camdn_product *p, const camdn_step *step, int loop)
{
    bool inside = false;
    for (int i = 2; i >= 0 && camdn_orders[step->order][i] != loop; i--)
        inside |= camdn_step_turns(p, step, camdn_orders[step->order][i]) > 1;
    return inside && camdn_step_turns(p, step, loop) > 1;
}

double camdn_last_of_product(const camdn_config *config, const camdn_product *p,
                             const camdn_step *step, const double far[CAMDN_OPERANDS])
{
    const uint8_t *order = camdn_orders[step->order];
    double turns[3], share = p->sums_share;
    for (int i = 0; i < 3; i++)
        turns[i] = camdn_step_turns(p, step, i);
    int inner = 2;
    while (inner > 0 && turns[order[inner]] == 1)
        inner--;
    inner = order[inner];
    const camdn_part parts[] = {
        {.bytes = p->bytes[CAMDN_W] / (turns[N] * turns[K]),
         .loaded = inner == M ? 1 / turns[M] : 1,
         .far = far[CAMDN_W]},
        {.bytes = p->bytes[CAMDN_C] * share / (turns[M] * turns[N]),
         .loaded = inner == K ? 0 : 1 - 1 / turns[K],
         .far = far[CAMDN_C]},
        {.bytes = p->bytes[CAMDN_A] / (turns[M] * turns[K]),
         .loaded = inner == N ? 1 / turns[N] : 1,
         .far = far[CAMDN_A]},
    };
    return share_of(parts, 3, 0, limit_of(config));
}

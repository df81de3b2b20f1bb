/* SPDX-License-Identifier: MIT */
/* Turns operators into products, and computes what one way of running a product moves and holds.
 * Loops run over tiles: T_M x T_N x T_K of them, T_X = ceil(X / tile).
 *
 * The activations have no loop over N, the weights none over M, the output none over K: their free
 * loop. An operand is read anew in every turn of its free loop if loops of its own with more than
 * one turn lie inside; else it stays in its buffer meanwhile.
 *
 *   activations   npu = pass(T_M) x turns of N            turns: T, or 1 where nothing lies inside
 *   weights       npu = w x turns of M
 *   output        npu = c + 2 (turns of K - 1) c s        s: bytes of a sum over those of an
 * operand
 *
 * A pass over the activations of a convolution reads rows twice where tiles meet:
 *
 *   pass(T) = a (R + (T - 1) max(KH - SH, 0)) / R                            T <= output rows O
 *   pass(T) = pass(O) (1 + (T / O - 1) max(KW - SW, 0) / columns)            else
 *
 * What stays in the cache: a part is what the loops inside the free one span,
 *
 *   cache = bytes / turns of the operand's loops outside,   dram = bytes (pass, where M is outside)
 *
 * and where nothing turns, of activations the KH rows at a time that tiles share: dram = a. The
 * whole operand: dram = bytes, for weights once for all serial steps. */
#include "mech/camdn/mapper/mapper.h"

const uint8_t camdn_orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

bool camdn_has_tiles(const msw_graph_op *op)
{
    return op->kind == MSW_GRAPH_MATRIX || op->kind == MSW_GRAPH_PAIR;
}

/* Operand by operand, bytes of all instances. A pair's second read is what it multiplies with. */
static void fill_bytes(const msw_graph_network *net, const msw_graph_op *op, double *bytes)
{
    const uint32_t *reads = net->reads + op->first_read;
    bool pair = op->kind == MSW_GRAPH_PAIR;
    bytes[CAMDN_C] = (double)net->tensors[op->output].bytes;
    bytes[CAMDN_W] = pair ? (double)net->tensors[reads[1]].bytes : (double)op->touched_bytes;
    for (uint32_t i = 0; i < op->read_count && (!pair || i == 0); i++)
        bytes[CAMDN_A] += (double)net->tensors[reads[i]].bytes;
}

camdn_product camdn_product_of(const msw_graph_network *net, uint32_t number,
                               const camdn_array *array)
{
    const msw_graph_op *op = &net->ops[number];
    uint64_t instances = op->count * op->seq;
    uint64_t rows = (uint64_t)array->rows, cols = (uint64_t)array->cols;
    camdn_product p = {
        .size = {op->m, op->n, op->k},
        .block = {msw_min_u64(rows, op->m), msw_min_u64(cols, op->n), msw_min_u64(rows, op->k)},
        .sums_share = (double)array->sum_bytes / (double)array->element_bytes,
        .instances = instances,
        .steps = op->kind == MSW_GRAPH_MATRIX ? op->seq : 1};
    fill_bytes(net, op, p.bytes);
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        p.bytes[i] /= (double)instances;
    if (op->out_cols && op->m > 0) {
        uint64_t images = op->m / (op->out_rows * op->out_cols);
        p.in_rows = op->in_rows * images, p.in_cols = op->in_cols;
        p.out_rows = op->out_rows * images, p.out_cols = op->out_cols;
        p.kernel_rows = op->kernel_rows, p.kernel_cols = op->kernel_cols;
        p.stride_rows = op->stride_rows, p.stride_cols = op->stride_cols;
    }
    return p;
}

static uint64_t depthwise_cycles(const msw_graph_op *op, const camdn_array *array)
{
    uint64_t rows = (uint64_t)array->rows, cols = (uint64_t)array->cols;
    uint64_t arrays = (uint64_t)array->arrays;
    uint64_t packed = msw_max_u64(1, msw_min_u64(rows / op->k, cols));
    if (array->depthwise == CAMDN_DEPTHWISE_VECTOR)
        return msw_div_up(op->count, cols * arrays) * op->m * op->k * op->seq;
    if (array->depthwise == CAMDN_DEPTHWISE_ONE)
        packed = 1;
    uint64_t folds = msw_div_up(op->count, packed) * msw_div_up(op->k, rows);
    return msw_div_up(folds, arrays) * msw_max_u64(op->m, rows) * op->seq;
}

uint64_t camdn_cycles_of(const msw_graph_op *op, const camdn_array *array)
{
    if (op->kind == MSW_GRAPH_DEPTHWISE)
        return depthwise_cycles(op, array);
    if (op->cycles)
        return op->cycles;
    if (!camdn_has_tiles(op))
        return msw_div_up(op->vector_ops, (uint64_t)array->lanes);
    msw_npu_config config = {.array = MSW_NPU_SYSTOLIC,
                             .rows = array->rows,
                             .cols = array->cols,
                             .dataflow = array->dataflow,
                             .preload = MSW_NPU_PRELOAD_HIDDEN,
                             .lanes = 1};
    msw_npu_gemm gemm = {op->count * op->seq, op->m, op->n, op->k, true};
    msw_npu_folds folds = msw_npu_folds_of(&config, &gemm);
    /* an array has every so many-th fold: the others take over the rest */
    return msw_npu_compute_cycles(&config, &gemm) -
           (folds.count - msw_div_up(folds.count, (uint64_t)array->arrays)) * folds.each;
}

enum { M, N, K };

/* The loop that an operand does not have. */
static const int FREE[CAMDN_OPERANDS] = {[CAMDN_A] = N, [CAMDN_W] = M, [CAMDN_C] = K};

typedef struct loops {
    uint64_t turns[3];
    int position[3]; /* of M, N, K in the order */
} loops;

static loops loops_of(const camdn_product *p, const camdn_way *way)
{
    loops l;
    for (int i = 0; i < 3; i++) {
        l.turns[i] = msw_div_up(p->size[i], way->tile[i]);
        l.position[camdn_orders[way->order][i]] = i;
    }
    return l;
}

/* Turns of an operand's own loops inside and outside of its free one. */
static double own_turns(const loops *l, int operand, bool inside)
{
    double turns = 1;
    int free_loop = FREE[operand];
    for (int i = 0; i < 3; i++)
        if (i != free_loop && (l->position[i] > l->position[free_loop]) == inside)
            turns *= (double)l->turns[i];
    return turns;
}

static double excess(uint64_t kernel, uint64_t stride)
{
    return kernel > stride ? (double)(kernel - stride) : 0;
}

/* Bytes of activations in one pass over all tiles. */
static double pass_bytes(const camdn_product *p, double tiles)
{
    double a = p->bytes[CAMDN_A];
    if (!p->out_cols)
        return a;
    double rows = (double)p->in_rows, out = (double)p->out_rows;
    double cuts = tiles < out ? tiles : out;
    double bytes = a * (rows + (cuts - 1) * excess(p->kernel_rows, p->stride_rows)) / rows;
    if (tiles > out)
        bytes *=
            1 + (tiles / out - 1) * excess(p->kernel_cols, p->stride_cols) / (double)p->in_cols;
    return bytes;
}

/* Elements of a pixel row, or all of one row's K, that a tile's activations take. */
static double activation_tile(const camdn_product *p, const uint64_t *tile)
{
    double share = (double)tile[K] / (double)p->size[K];
    double all = p->bytes[CAMDN_A], m = (double)tile[M];
    if (!p->out_cols)
        return all * share * m / (double)p->size[M];
    double out_cols = (double)p->out_cols, rows = (double)p->kernel_rows;
    double cols = (double)p->in_cols;
    if (m < out_cols)
        cols = (m - 1) * (double)p->stride_cols + (double)p->kernel_cols;
    else
        rows += ((double)msw_div_up(tile[M], p->out_cols) - 1) * (double)p->stride_rows;
    cols = cols < (double)p->in_cols ? cols : (double)p->in_cols;
    rows = rows < (double)p->in_rows ? rows : (double)p->in_rows;
    return all * share * rows * cols / ((double)p->in_rows * (double)p->in_cols);
}

bool camdn_fits(const camdn_product *p, const camdn_array *array, const uint64_t *tile)
{
    double parts = array->single ? 1 : 2, n = (double)tile[N], m = (double)tile[M];
    double weights = n * (double)tile[K] * (double)array->element_bytes;
    double sums = m * n * (double)array->sum_bytes;
    return parts * (activation_tile(p, tile) + weights) <= (double)array->scratchpad &&
           parts * sums <= (double)array->accumulator;
}

static camdn_use use_activations(const camdn_product *p, const loops *l, camdn_stay stay)
{
    double a = p->bytes[CAMDN_A], pass = pass_bytes(p, (double)l->turns[M]);
    bool again = own_turns(l, CAMDN_A, true) > 1 && l->turns[N] > 1;
    camdn_use use = {.npu = pass * (again ? (double)l->turns[N] : 1)};
    use.dram = use.npu;
    if (stay == CAMDN_STAY_WHOLE) {
        use.dram = use.cache = a;
    } else if (stay == CAMDN_STAY_PART && again) {
        use.cache = a / own_turns(l, CAMDN_A, false);
        use.dram = l->position[M] < l->position[N] ? pass : a;
    } else if (stay == CAMDN_STAY_PART && pass > a) {
        bool sliced = l->position[K] < l->position[M];
        use.cache = a * (double)p->kernel_rows / (double)p->in_rows;
        use.cache = use.cache < a ? use.cache : a;
        use.cache /= sliced ? (double)l->turns[K] : 1;
        use.dram = a;
    }
    return use;
}

static camdn_use use_weights(const camdn_product *p, const loops *l, camdn_stay stay)
{
    double w = p->bytes[CAMDN_W];
    bool again = own_turns(l, CAMDN_W, true) > 1 && l->turns[M] > 1;
    camdn_use use = {.npu = w * (again ? (double)l->turns[M] : 1)};
    use.dram = use.npu;
    if (stay == CAMDN_STAY_WHOLE) {
        /* over the serial steps the weights of all groups stay */
        double groups = p->steps > 1 ? (double)(p->instances / p->steps) : 1;
        use.cache = w * groups;
        use.dram = w / (double)p->steps;
    } else if (stay == CAMDN_STAY_PART && again) {
        use.cache = w / own_turns(l, CAMDN_W, false);
        use.dram = w;
    }
    return use;
}

static camdn_use use_output(const camdn_product *p, const loops *l, camdn_stay stay)
{
    double c = p->bytes[CAMDN_C], sums = c * p->sums_share;
    bool again = own_turns(l, CAMDN_C, true) > 1 && l->turns[K] > 1;
    camdn_use use = {.npu = c + (again ? 2 * ((double)l->turns[K] - 1) * sums : 0)};
    use.dram = use.npu;
    if (stay == CAMDN_STAY_NONE || !again)
        return use;
    use.dram = c;
    use.cache = stay == CAMDN_STAY_WHOLE ? sums : sums / own_turns(l, CAMDN_C, false);
    return use;
}

camdn_use camdn_use_of(const camdn_product *p, const camdn_way *way, int operand)
{
    loops l = loops_of(p, way);
    camdn_stay stay = (camdn_stay)way->stay[operand];
    camdn_use use = operand == CAMDN_A   ? use_activations(p, &l, stay)
                    : operand == CAMDN_W ? use_weights(p, &l, stay)
                                         : use_output(p, &l, stay);
    use.npu *= (double)p->instances;
    use.dram *= (double)p->instances;
    return use;
}

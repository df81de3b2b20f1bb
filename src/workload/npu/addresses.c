/* Where tensors live: one virtual address space from MSW_NPU_BASE_ADDRESS up, in the order weights
 * of all operators, then activations; each tensor starts at a multiple of the alignment and is
 * there once, however often it is used. */
#include "workload/npu/parts.h"

#include <math.h>

/* Far above any network, far below what would overflow. */
static const double BYTES_MAX = 0x1p50, MACS_MAX = 0x1p60;

typedef struct heap {
    uint64_t end, alignment;
    double bytes; /* the same in a type that does not wrap */
} heap;

static msw_npu_tensor take(heap *h, double elements, uint64_t bits)
{
    double bytes = ceil(elements * (double)bits / 8);
    h->bytes += bytes + (double)h->alignment;
    if (h->bytes > BYTES_MAX)
        return (msw_npu_tensor){0};
    uint64_t address = msw_div_up(h->end, h->alignment) * h->alignment;
    h->end = address + (uint64_t)bytes;
    return (msw_npu_tensor){address, (uint64_t)bytes};
}

static double product_of(const uint64_t *factors, size_t count)
{
    double product = 1;
    for (size_t i = 0; i < count; i++)
        product *= (double)factors[i];
    return product;
}

static double weight_elements(const msw_npu_op *op)
{
    return product_of(
        (uint64_t[]){op->groups, op->filters, op->channels, op->kernel_rows, op->kernel_cols}, 5);
}

static int check_macs(const msw_npu_op *op, uint64_t images, msw_err *err)
{
    double macs =
        weight_elements(op) * product_of((uint64_t[]){op->rows, op->cols, images, op->repeat}, 4);
    if (macs <= MACS_MAX)
        return 0;
    return msw_fail(err, "layer '%s': %.3g multiplications, allowed: up to %.3g", op->name, macs,
                    MACS_MAX);
}

/* A row of weights that ended within a byte would move all that follow. */
static int check_bits(const msw_npu_op *op, const msw_npu_config *config, msw_err *err)
{
    uint64_t bits = msw_npu_weight_bits(config);
    uint64_t of_filter = op->channels * op->kernel_rows * op->kernel_cols;
    if (op->second != MSW_NPU_STATIC ||
        (of_filter * bits % 8 == 0 && op->groups * op->filters * bits % 8 == 0))
        return 0;
    return msw_fail(err,
                    "layer '%s': npu_weight_bits 4 packs weights in pairs, and %llu of a filter, "
                    "%llu filters are not even numbers; allowed: 8, 16, 32 or same",
                    op->name, (unsigned long long)of_filter,
                    (unsigned long long)(op->groups * op->filters));
}

uint64_t msw_npu_weight_bits(const msw_npu_config *config)
{
    static const uint8_t BITS[] = {
        [MSW_NPU_BITS_4] = 4, [MSW_NPU_BITS_8] = 8, [MSW_NPU_BITS_16] = 16, [MSW_NPU_BITS_32] = 32};
    return config->weight_bits == MSW_NPU_BITS_SAME ? 8 * (uint64_t)config->element_bytes
                                                    : BITS[config->weight_bits];
}

/* Those of experts without tokens, too. */
static double stored_weights(const msw_npu_op *op)
{
    return weight_elements(op) / (double)op->groups * (double)(op->groups + op->more_groups);
}

static void place_weights(const msw_npu_network *network, const msw_npu_config *config, heap *h,
                          msw_npu_addresses *placed)
{
    for (size_t i = 0; i < network->op_count; i++) {
        const msw_npu_op *op = &network->ops[i];
        placed[i] = (msw_npu_addresses){
            .op = op, .config = config, .images = op->whole_batch ? 1 : (uint64_t)config->batch};
        if (op->second == MSW_NPU_STATIC)
            placed[i].tensors[MSW_NPU_WEIGHT] =
                take(h, stored_weights(op), msw_npu_weight_bits(config));
    }
}

/* Every tensor once, then every operator once: tables may have a million rows. */
static void place_tensors(const msw_npu_network *network, const msw_npu_config *config, heap *h,
                          msw_npu_tensor *where, msw_npu_addresses *placed)
{
    uint64_t bits = 8 * (uint64_t)config->element_bytes;
    for (size_t t = 0; t < network->tensor_count; t++)
        where[t] = take(h, (double)network->tensors[t] * (double)config->batch, bits);
    for (size_t i = 0; i < network->op_count; i++) {
        const msw_npu_op *op = &network->ops[i];
        placed[i].tensors[MSW_NPU_ACTIVATION] = where[op->input.tensor];
        placed[i].tensors[MSW_NPU_OUTPUT] = where[op->output.tensor];
        if (op->second != MSW_NPU_STATIC)
            placed[i].tensors[MSW_NPU_WEIGHT] = where[op->second_tensor];
    }
}

int msw_npu_address(const msw_npu_network *network, const msw_npu_config *config, msw_arena *arena,
                    msw_npu_addresses *placed, uint64_t *end, msw_err *err)
{
    msw_npu_tensor *where = msw_arena_take(arena, (network->tensor_count + 1) * sizeof *where);
    if (!where)
        return msw_fail_memory(err);
    heap h = {MSW_NPU_BASE_ADDRESS, (uint64_t)config->alignment, 0};
    place_weights(network, config, &h, placed);
    for (size_t i = 0; i < network->op_count; i++)
        if (check_macs(&network->ops[i], placed[i].images, err) ||
            check_bits(&network->ops[i], config, err))
            return -1;
    place_tensors(network, config, &h, where, placed);
    if (h.bytes > BYTES_MAX)
        return msw_fail(err, "the network's tensors take %.3g bytes, allowed: up to %.3g", h.bytes,
                        BYTES_MAX);
    *end = h.end;
    return 0;
}

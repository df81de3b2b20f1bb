/* SPDX-License-Identifier: MIT */
#include "sim/cache/slice_hash.h"

enum { PARITY_BITS = 3, PARITY_LINE = 64 };

/* Maurice et al., Reverse engineering Intel last-level cache complex addressing using performance
 * counters, RAID 2015, table 3: bits of the address that make bits 0, 1 and 2 of the slice. */
static const uint64_t PARITY_MASKS[PARITY_BITS] = {0x1b5f575440, 0x2eb5faa880, 0x3cccc93100};

int msw_slice_hash_check(const msw_cache_config *config, msw_err *err)
{
    if (config->slices == 0)
        return msw_fail(err, "a cache of 0 slices: must be at least 1");
    if (config->hash == MSW_SLICE_MODULO)
        return 0;
    if (config->slices & (config->slices - 1) || config->slices > 1u << MSW_CACHE_SLICE_BITS)
        return msw_fail(err, "%u hashed slices: must be a power of two up to %u, or modulo",
                        config->slices, 1u << MSW_CACHE_SLICE_BITS);
    if (config->hash == MSW_SLICE_PARITY &&
        (config->slices > 1u << PARITY_BITS || config->line_bytes != PARITY_LINE))
        return msw_fail(err,
                        "%u slices of lines of %u bytes: the parity hash is known for up to %u "
                        "slices of lines of %d bytes, fold for any power of two",
                        config->slices, config->line_bytes, 1u << PARITY_BITS, PARITY_LINE);
    return 0;
}

void msw_slice_hash_init(msw_cache *cache, const msw_cache_config *config)
{
    cache->slice_bits = config->hash == MSW_SLICE_MODULO ? 0 : msw_bits_log2(config->slices);
    for (unsigned bit = 0; bit < cache->slice_bits; bit++) {
        if (config->hash == MSW_SLICE_PARITY)
            cache->slice_masks[bit] = PARITY_MASKS[bit] >> cache->line_shift;
        else
            for (unsigned from = bit; from < 64; from += cache->slice_bits)
                cache->slice_masks[bit] |= (uint64_t)1 << from;
    }
}

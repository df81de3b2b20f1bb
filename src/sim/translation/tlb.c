/* SPDX-License-Identifier: MIT */
/* A TLB of several page sizes, banks and pages per entry, on one array of keys. */
#include "memsweep/sim/tlb.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"

/* Banks are more sets of one structure: bank b has the sets from b * sets on. */
static msw_assoc_config entries_config(const msw_tlb_config *config)
{
    uint64_t sets = (uint64_t)config->banks * config->sets;
    return (msw_assoc_config){.sets = sets < UINT32_MAX ? (uint32_t)sets : UINT32_MAX,
                              .ways = config->ways,
                              .policy = config->policy,
                              .tree_fills = config->tree_fills,
                              .seed = config->seed};
}

static size_t layout(msw_tlb *tlb, const msw_tlb_config *config, void *memory, void **entries)
{
    msw_assoc_config assoc = entries_config(config);
    size_t lines = (size_t)assoc.sets * assoc.ways;
    msw_memory_block block = {memory, 0};
    *tlb = (msw_tlb){.banks = config->banks,
                     .sets_per_bank = config->sets,
                     .sizes = config->sizes,
                     .coalesce = config->coalesce};
    *entries = msw_memory_block_take(&block, msw_assoc_bytes(&assoc));
    tlb->ready = msw_memory_block_zero(&block, lines * sizeof *tlb->ready);
    if (config->coalesce > 1)
        tlb->valid = msw_memory_block_zero(&block, lines * sizeof *tlb->valid);
    tlb->stats = msw_memory_block_zero(&block, config->banks * sizeof *tlb->stats);
    return block.used;
}

size_t msw_tlb_bytes(const msw_tlb_config *config)
{
    msw_tlb tlb;
    void *entries;
    return layout(&tlb, config, NULL, &entries);
}

static int check_sizes(const msw_tlb_config *config, msw_err *err)
{
    if (config->sizes == 0 || config->sizes > MSW_TLB_SIZES)
        return msw_fail(err, "%u page sizes in a TLB: must be from 1 to %d", config->sizes,
                        MSW_TLB_SIZES);
    for (uint32_t i = 0; i < config->sizes; i++) {
        if (config->page_shift[i] < 10 || config->page_shift[i] > 40)
            return msw_fail(err, "page shift %u in a TLB: must be from 10 to 40",
                            config->page_shift[i]);
        for (uint32_t j = 0; j < i; j++)
            if (config->page_shift[i] == config->page_shift[j])
                return msw_fail(err, "page shift %u given twice", config->page_shift[i]);
    }
    return 0;
}

static int check(const msw_tlb_config *config, msw_err *err)
{
    if (config->banks == 0 || config->banks > MSW_TLB_BANKS)
        return msw_fail(err, "%u TLB banks: must be from 1 to %d", config->banks, MSW_TLB_BANKS);
    if (config->coalesce == 0 || config->coalesce > MSW_TLB_COALESCE ||
        (config->coalesce & (config->coalesce - 1)))
        return msw_fail(err, "%u pages per TLB entry: must be a power of two up to %d",
                        config->coalesce, MSW_TLB_COALESCE);
    return check_sizes(config, err);
}

int msw_tlb_init(msw_tlb *tlb, const msw_tlb_config *config, void *memory, msw_err *err)
{
    void *entries;
    msw_assoc_config assoc = entries_config(config);
    unsigned block = 0;
    if (check(config, err))
        return -1;
    layout(tlb, config, memory, &entries);
    while (config->coalesce >> block > 1)
        block++;
    for (uint32_t i = 0; i < config->sizes; i++) {
        tlb->page_shift[i] = config->page_shift[i];
        tlb->block_shift[i] = config->page_shift[i] + block;
    }
    if (config->sets && (config->sets & (config->sets - 1)) == 0)
        tlb->set_mask = config->sets - 1;
    tlb->plain = tlb->sizes == 1 && !tlb->valid;
    return msw_assoc_init(&tlb->entries, &assoc, entries, err);
}

static uint64_t page_bit(const msw_tlb *tlb, uint64_t address, uint32_t size)
{
    return (uint64_t)1 << ((address >> tlb->page_shift[size]) & (tlb->coalesce - 1));
}

/* A coalesced entry has one tag for a block of pages and a bit for each page that it holds. */
static uint32_t find(const msw_tlb *tlb, msw_tlb_location at, uint64_t address, uint32_t size)
{
    uint32_t entry = msw_assoc_find(&tlb->entries, at.set, at.key);
    if (entry != MSW_ASSOC_NONE && tlb->valid &&
        !(tlb->valid[entry] & page_bit(tlb, address, size)))
        return MSW_ASSOC_NONE;
    return entry;
}

/* A page's size is not known before the look-up, so all enabled sizes are tried, each with its own
 * set and tag. */
uint64_t msw_tlb_probe_sizes(msw_tlb *tlb, uint32_t bank, uint64_t address)
{
    for (uint32_t size = 0; size < tlb->sizes; size++) {
        msw_tlb_location at = msw_tlb_locate(tlb, bank, address, size);
        uint32_t entry = find(tlb, at, address, size);
        if (entry != MSW_ASSOC_NONE) {
            msw_assoc_touch(&tlb->entries, at.set, entry);
            return tlb->ready[entry];
        }
    }
    return UINT64_MAX;
}

bool msw_tlb_lookup(msw_tlb *tlb, uint32_t bank, uint64_t address)
{
    bool hit = msw_tlb_probe(tlb, bank, address) != UINT64_MAX;
    msw_tlb_count(tlb, bank, hit, !hit);
    return hit;
}

/* Returns the index of a page's size, or `sizes` when it is not enabled. */
static uint32_t size_index(const msw_tlb *tlb, unsigned shift)
{
    uint32_t size = 0;
    while (size < tlb->sizes && tlb->page_shift[size] != shift)
        size++;
    return size;
}

uint32_t msw_tlb_set(const msw_tlb *tlb, msw_page page)
{
    return msw_tlb_locate(tlb, 0, page.address, size_index(tlb, page.shift)).set;
}

/* Pages join an entry that is there; a page that was valid already is not delayed. */
static void refill(msw_tlb *tlb, uint32_t entry, uint64_t bits, uint64_t ready)
{
    bool had_all = !tlb->valid || (tlb->valid[entry] & bits) == bits;
    if (tlb->valid)
        tlb->valid[entry] |= bits;
    if (had_all ? ready < tlb->ready[entry] : ready > tlb->ready[entry])
        tlb->ready[entry] = ready;
}

static void fill_plain(msw_tlb *tlb, uint32_t bank, uint64_t address, uint64_t ready)
{
    msw_tlb_location at = msw_tlb_locate(tlb, bank, address, 0);
    uint32_t entry = msw_assoc_find(&tlb->entries, at.set, at.key);
    uint64_t evicted;
    tlb->stats[bank].fills++;
    if (entry != MSW_ASSOC_NONE) {
        msw_assoc_touch(&tlb->entries, at.set, entry);
        tlb->ready[entry] = ready < tlb->ready[entry] ? ready : tlb->ready[entry];
        return;
    }
    if (msw_assoc_is_quick(&tlb->entries, at.set))
        entry = msw_assoc_replace(&tlb->entries, at.set, at.key, MSW_INSERT_POLICY, &evicted);
    else
        entry = msw_assoc_insert(&tlb->entries, at.set, at.key, MSW_WAYS_ALL, &evicted);
    tlb->stats[bank].evictions += evicted != MSW_ASSOC_EMPTY;
    tlb->ready[entry] = ready;
}

uint32_t msw_tlb_claim(msw_tlb *tlb, uint32_t bank, msw_page page, uint64_t *free)
{
    msw_tlb_location at = msw_tlb_locate(tlb, bank, page.address, 0);
    uint64_t evicted;
    tlb->stats[bank].fills++;
    uint32_t entry = msw_assoc_insert(&tlb->entries, at.set, at.key, MSW_WAYS_ALL, &evicted);
    tlb->stats[bank].evictions += evicted != MSW_ASSOC_EMPTY;
    *free = evicted != MSW_ASSOC_EMPTY ? tlb->ready[entry] : 0;
    return entry;
}

void msw_tlb_fill(msw_tlb *tlb, uint32_t bank, msw_page page, uint64_t neighbours, uint64_t ready)
{
    if (tlb->plain && page.shift == tlb->page_shift[0]) {
        fill_plain(tlb, bank, page.address, ready);
        return;
    }
    uint32_t size = size_index(tlb, page.shift);
    if (size == tlb->sizes)
        return; /* this TLB does not hold pages of that size */
    msw_tlb_location at = msw_tlb_locate(tlb, bank, page.address, size);
    uint32_t entry = msw_assoc_find(&tlb->entries, at.set, at.key);
    uint64_t bits = 0, evicted;
    if (tlb->valid)
        bits = neighbours | page_bit(tlb, page.address, size);
    tlb->stats[bank].fills++;
    if (entry != MSW_ASSOC_NONE) {
        msw_assoc_touch(&tlb->entries, at.set, entry);
        refill(tlb, entry, bits, ready);
        return;
    }
    entry = msw_assoc_insert(&tlb->entries, at.set, at.key, MSW_WAYS_ALL, &evicted);
    tlb->stats[bank].evictions += evicted != MSW_ASSOC_EMPTY;
    tlb->ready[entry] = ready;
    if (tlb->valid)
        tlb->valid[entry] = bits;
}

bool msw_tlb_invalidate(msw_tlb *tlb, uint32_t bank, msw_page page)
{
    uint32_t size = size_index(tlb, page.shift);
    if (size == tlb->sizes)
        return false;
    msw_tlb_location at = msw_tlb_locate(tlb, bank, page.address, size);
    uint32_t entry = find(tlb, at, page.address, size);
    if (entry == MSW_ASSOC_NONE)
        return false;
    tlb->stats[bank].invalidations++;
    if (tlb->valid && (tlb->valid[entry] &= ~page_bit(tlb, page.address, size)))
        return true;
    msw_assoc_remove(&tlb->entries, at.set, entry);
    return true;
}

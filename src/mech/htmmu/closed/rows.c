/* One pass over the page runs: rows and channels of page-table accesses, for the closed form. */
#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"

enum { PAGES = 512, ENTRIES = 32, CHANNELS = 64, BANKS = 16 };

typedef struct reader {
    msw_pagetable table;
    msw_dram_map map;
    uint64_t pages[PAGES];                         /* + 1: what the TLBs hold, 0: nothing */
    uint64_t upper[MSW_PAGETABLE_LEVELS][ENTRIES]; /* entries above the leaf that are known */
    uint32_t row[CHANNELS][BANKS];                 /* + 1: open, 0: none */
    double count[CHANNELS], hits;
    bool paths;
} reader;

/* Puts a key in its slot. Returns whether it was there. */
static bool holds(uint64_t *slots, uint64_t count, uint64_t key)
{
    uint64_t *slot = &slots[(key * 0x9E3779B97F4A7C15u >> 32) % count];
    bool held = *slot == key + 1;
    *slot = key + 1;
    return held;
}

static void read_entry(reader *r, uint64_t address)
{
    msw_dram_location at = msw_dram_locate(&r->map, address);
    uint32_t *row = &r->row[at.channel][at.bank];
    r->hits += *row == at.row + 1;
    r->count[at.channel]++;
    *row = at.row + 1;
}

static void walk_page(reader *r, msw_page page)
{
    unsigned leaf = msw_pagetable_leaf(&r->table, page.shift);
    for (unsigned level = r->table.levels; level >= leaf; level--) {
        uint64_t entry = msw_pagetable_entry(&r->table, page.address, level);
        if (level > leaf && r->paths && holds(r->upper[level - 1], ENTRIES, entry))
            continue;
        read_entry(r, entry);
    }
}

static void sum_up(const reader *r, htmmu_rows *rows)
{
    double sum = 0, squares = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        sum += r->count[channel];
        squares += r->count[channel] * r->count[channel];
    }
    rows->hit_rate = r->hits / sum;
    rows->channels = sum * sum / squares;
}

static int open_reader(reader *r, const htmmu_config *c, msw_err *err)
{
    msw_dram_config dram;
    msw_pagetable_config shape = msw_pagetable_x86();
    shape.address_bits = c->table_levels == 5 ? 57 : 48;
    r->paths = c->path_cache != HTMMU_PATH_NONE;
    if (htmmu_memory_config(c, &dram, err) || msw_dram_map_init(&r->map, &dram, err))
        return -1;
    return msw_pagetable_init(&r->table, &shape, err);
}

static int read_all(reader *r, const msw_task *task, htmmu_rows *rows, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    if (open_reader(r, task->config, err))
        return -1;
    for (uint64_t run = 0; run < stream->run_count; run++)
        if (!holds(r->pages, PAGES, stream->runs[run].page))
            walk_page(r, htmmu_page_of(stream->runs[run].page));
    sum_up(r, rows);
    return 0;
}

int htmmu_build_rows(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err)
{
    const htmmu_config *config = task->config;
    htmmu_rows *rows = msw_arena_zero(arena, 1, sizeof *rows);
    msw_arena scratch = {0};
    (void)extra;
    *root = rows;
    if (!rows)
        return msw_fail_memory(err);
    if (config->memory_model == HTMMU_MEMORY_FIXED)
        return 0;
    reader *r = msw_arena_zero(&scratch, 1, sizeof *r);
    int status = r ? read_all(r, task, rows, err) : msw_fail_memory(err);
    msw_arena_free(&scratch);
    return status;
}

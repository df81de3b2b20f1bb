/* Lists of a mix: network, weight, batch, qos_ms, priority; all but the first may be left out. */
#include "workload/mix/parts.h"

#include <stdlib.h>
#include <string.h>

enum { NETWORK, WEIGHT, BATCH, QOS, PRIORITY, COLUMNS_MAX };
static const msw_npu_column COLUMNS[] = {
    [NETWORK] = {"network", 0, 0, true},     [WEIGHT] = {"weight", 0, 1000000, false},
    [BATCH] = {"batch", 1, 65536, false},    [QOS] = {"qos_ms", 0, 1000000, false},
    [PRIORITY] = {"priority", 0, 11, false}, [COLUMNS_MAX] = {0},
};

/* A decimal number from 0 to the column's largest. */
static int read_real(const msw_npu_csv *csv, int index, const msw_npu_column *column, double *value)
{
    char text[32], *end = text;
    msw_npu_cell cell = msw_npu_csv_cell(csv, index);
    if (cell.size && cell.size < sizeof text) {
        memcpy(text, cell.text, cell.size);
        text[cell.size] = '\0';
        *value = strtod(text, &end);
    }
    if (end != text && !*end && *value >= 0 && *value <= (double)column->max)
        return 0;
    return msw_npu_csv_fail(csv, cell, "%s: found '%.*s', allowed: a number from 0 to %.0f",
                            column->name, (int)(cell.size < 40 ? cell.size : 40), cell.text,
                            (double)column->max);
}

static int read_network(const msw_npu_csv *csv, int index, msw_arena *arena, msw_mix_entry *entry)
{
    msw_npu_cell cell = msw_npu_csv_cell(csv, index);
    bool path = cell.size > 4 && strncmp(cell.text + cell.size - 4, ".csv", 4) == 0;
    entry->network = msw_npu_cell_copy(cell, arena);
    if (!entry->network)
        return msw_fail_memory(csv->err);
    if (path || msw_mix_is_known(entry->network))
        return 0;
    return msw_npu_csv_fail(csv, cell,
                            "network: found '%s', allowed: a network with a table "
                            "('memsweep list workloads'), or the path of a .csv beside this file",
                            entry->network);
}

static int read_entry(const msw_npu_csv *csv, const int *index, msw_arena *arena,
                      msw_mix_entry *entry)
{
    *entry = (msw_mix_entry){.weight = 1, .batch = 1};
    if (read_network(csv, index[NETWORK], arena, entry))
        return -1;
    if (index[WEIGHT] >= 0 && read_real(csv, index[WEIGHT], &COLUMNS[WEIGHT], &entry->weight))
        return -1;
    if (index[QOS] >= 0 && read_real(csv, index[QOS], &COLUMNS[QOS], &entry->target_ms))
        return -1;
    if (index[BATCH] >= 0 && msw_npu_csv_number(csv, index[BATCH], &COLUMNS[BATCH], &entry->batch))
        return -1;
    if (index[PRIORITY] >= 0 &&
        msw_npu_csv_number(csv, index[PRIORITY], &COLUMNS[PRIORITY], &entry->priority))
        return -1;
    return 0;
}

int msw_mix_read_list(const msw_workload_file *file, msw_arena *arena, msw_mix_list *list,
                      msw_err *err)
{
    msw_npu_csv csv;
    msw_mix_entry entry;
    int index[COLUMNS_MAX], rc;
    double weights = 0;
    *list = (msw_mix_list){.listed = true};
    if (msw_npu_csv_open(&csv, file->path, file->bytes, file->size, err) ||
        msw_npu_csv_columns(&csv, COLUMNS, index))
        return -1;
    while ((rc = msw_npu_csv_next(&csv)) > 0) {
        if (read_entry(&csv, index, arena, &entry) || msw_mix_add(list, &entry, file->path, err))
            return -1;
        weights += entry.weight;
    }
    if (rc == 0 && !(weights > 0))
        return msw_fail(err, "%s:%zu:1: found no network with a weight above 0 below the header",
                        file->path, csv.lines);
    return rc ? -1 : 0;
}

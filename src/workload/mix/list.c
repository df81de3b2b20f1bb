/* SPDX-License-Identifier: MIT */
/* Lists of a mix: network, weight, batch, qos_ms, priority; all but the first may be left out. With
 * a column dispatch_ms a row is a task, in the order of time: networks weigh as many as there are
 * tasks of them. */
#include "workload/mix/parts.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { NETWORK, WEIGHT, BATCH, QOS, PRIORITY, DISPATCH, COLUMNS_MAX };
enum { TASKS_MAX = 65536 };
static const msw_npu_column COLUMNS[] = {
    [NETWORK] = {"network", 0, 0, true},
    [WEIGHT] = {"weight", 0, 1000000, false},
    [BATCH] = {"batch", 1, 65536, false},
    [QOS] = {"qos_ms", 0, 1000000, false},
    [PRIORITY] = {"priority", 0, 11, false},
    [DISPATCH] = {"dispatch_ms", 0, 1000000000, false},
    [COLUMNS_MAX] = {0},
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
    entry->decoder = msw_mix_is_decoder(entry->network);
    if (path || entry->decoder || msw_mix_is_known(entry->network))
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

/* ---- lists of tasks ---- */

/* Lines of a file, of which each is a task at most. */
static size_t count_lines(const msw_workload_file *file)
{
    size_t lines = 1;
    for (size_t i = 0; i < file->size; i++)
        lines += file->bytes[i] == '\n';
    return (size_t)msw_min_u64(lines, TASKS_MAX);
}

/* The entry of a task's network, which is new or weighs one more. */
static int count_task(msw_mix_list *list, const msw_mix_entry *entry, const char *where,
                      uint32_t *number, msw_err *err)
{
    for (uint32_t i = 0; i < list->count; i++) {
        msw_mix_entry *e = &list->entries[i];
        if (strcmp(e->network, entry->network) == 0 && e->batch == entry->batch) {
            e->weight++;
            *number = i;
            return 0;
        }
    }
    *number = list->count;
    return msw_mix_add(list, entry, where, err);
}

static int read_tasks(msw_npu_csv *csv, const int *index, const char *path, msw_arena *arena,
                      msw_graph_arrival *tasks, size_t most, msw_mix_list *list)
{
    msw_mix_entry entry;
    int rc;
    if (index[WEIGHT] >= 0)
        return msw_fail(csv->err, "%s: found columns weight and dispatch_ms, allowed: one of them",
                        path);
    while ((rc = msw_npu_csv_next(csv)) > 0) {
        msw_graph_arrival *task = &tasks[list->arrival_count];
        if (list->arrival_count == most)
            return msw_fail(csv->err, "%s: found more than %d tasks", path, (int)TASKS_MAX);
        if (read_entry(csv, index, arena, &entry) ||
            read_real(csv, index[DISPATCH], &COLUMNS[DISPATCH], &task->dispatch_ms) ||
            count_task(list, &entry, path, &task->network, csv->err))
            return -1;
        if (list->arrival_count && task->dispatch_ms < task[-1].dispatch_ms)
            return msw_npu_csv_fail(csv, msw_npu_csv_cell(csv, index[DISPATCH]),
                                    "dispatch_ms: found %g after %g, allowed: the order of time",
                                    task->dispatch_ms, task[-1].dispatch_ms);
        task->target_ms = entry.target_ms;
        task->priority = (uint32_t)entry.priority;
        list->arrival_count++;
    }
    return rc;
}

static int read_arrivals(msw_npu_csv *csv, const int *index, const msw_workload_file *file,
                         msw_arena *arena, msw_mix_list *list)
{
    size_t most = count_lines(file);
    msw_graph_arrival *tasks = msw_arena_zero(arena, most, sizeof *tasks);
    if (!tasks)
        return msw_fail_memory(csv->err);
    list->arrivals = tasks;
    if (read_tasks(csv, index, file->path, arena, tasks, most, list))
        return -1;
    return list->arrival_count ? 0
                               : msw_fail(csv->err, "%s:%zu:1: found no task below the header",
                                          file->path, csv->lines);
}

/* ---- lists of networks ---- */

static int read_networks(msw_npu_csv *csv, const int *index, const char *path, msw_arena *arena,
                         msw_mix_list *list)
{
    msw_mix_entry entry;
    double weights = 0;
    int rc;
    while ((rc = msw_npu_csv_next(csv)) > 0) {
        if (read_entry(csv, index, arena, &entry) || msw_mix_add(list, &entry, path, csv->err))
            return -1;
        weights += entry.weight;
    }
    if (rc == 0 && !(weights > 0))
        return msw_fail(csv->err,
                        "%s:%zu:1: found no network with a weight above 0 below the header", path,
                        csv->lines);
    return rc ? -1 : 0;
}

int msw_mix_read_list(const msw_workload_file *file, msw_arena *arena, msw_mix_list *list,
                      msw_err *err)
{
    msw_npu_csv csv;
    int index[COLUMNS_MAX];
    *list = (msw_mix_list){.listed = true};
    if (msw_npu_csv_open(&csv, file->path, file->bytes, file->size, err) ||
        msw_npu_csv_columns(&csv, COLUMNS, index))
        return -1;
    return index[DISPATCH] >= 0 ? read_arrivals(&csv, index, file, arena, list)
                                : read_networks(&csv, index, file->path, arena, list);
}

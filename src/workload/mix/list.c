/* SPDX-License-Identifier: MIT */
/* Resolves mixes by name (mix/<list>, mix:<network>+<network>:<weight>/b<batch>, mix:<path of a
 * list>) and reads lists: network, weight, batch, qos_ms, priority; all but the first may be left
 * out. With a column dispatch_ms a row is a task, in the order of time: networks weigh as many as
 * there are tasks of them. */
#include "workload/mix/parts.h"

#include "workload/text/lines.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const msw_mix_names[] = {"mix/camdn8",
                                     "mix/camdn8_gnmt_s25",
                                     "mix/camdn_light",
                                     "mix/camdn_decoder",
                                     "mix/camdn_prefill",
                                     "mix/small",
                                     "mix/moca",
                                     "mix/moca_a_h",
                                     "mix/moca_a_m",
                                     "mix/moca_a_l",
                                     "mix/moca_b_h",
                                     "mix/moca_b_m",
                                     "mix/moca_b_l",
                                     "mix/moca_c_h",
                                     "mix/moca_c_m",
                                     "mix/moca_c_l",
                                     NULL};

const char *const msw_mix_docs[] = {
    "the eight networks of CaMDN, one translated token",
    "the eight networks of CaMDN, 25 translated tokens",
    "MobileNetV2, EfficientNet-B0, ResNet-50 and BERT base",
    "the same and tokens of Llama 3.2 1B",
    "the same and prompts of Llama 3.2 1B",
    "dense parts of two small recommendation models",
    "the seven networks of MoCA's artifact",
    "250 tasks of three small networks, targets x 0.8: MoCA's artifact",
    "the same, targets x 1",
    "the same, targets x 1.2",
    "250 tasks of four large networks, targets x 0.8: MoCA's artifact",
    "the same, targets x 1",
    "the same, targets x 1.2",
    "250 tasks of seven networks, targets x 0.8: MoCA's artifact",
    "the same, targets x 1",
    "the same, targets x 1.2",
    NULL,
};

enum { NETWORK, WEIGHT, BATCH, QOS, PRIORITY, DISPATCH, COLUMNS_MAX };

static const char *const NETWORKS[] = {
#define NETWORK(name, doc) name,
#include "workload/npu/networks.h"
#undef NETWORK
    NULL,
};

enum { NAME_BYTES = 64 };

/* Whether a network has a table of its own in workloads/npu. */
static bool is_known(const char *network)
{
    for (size_t n = 0; NETWORKS[n]; n++)
        if (strcmp(NETWORKS[n], network) == 0)
            return true;
    return false;
}

/* Numbers the file of an entry: that of an earlier one of the same network, or the next. */
static void number_file(msw_mix_list *list, msw_mix_entry *entry)
{
    entry->file = MSW_GRAPH_NONE;
    if (entry->built_in)
        return;
    entry->file = list->files;
    for (uint32_t i = 0; i < list->count; i++)
        if (&list->entries[i] != entry && strcmp(list->entries[i].network, entry->network) == 0 &&
            list->entries[i].file < list->files)
            entry->file = list->entries[i].file;
    list->files += entry->file == list->files;
}

/* Appends an entry, which may not be the 16th. Its file has no number yet. */
static int msw_mix_add(msw_mix_list *list, const msw_mix_entry *entry, const char *where,
                       msw_err *err)
{
    if (list->count == MSW_GRAPH_NETWORKS_MAX)
        return msw_fail(err, "%s: found more than %d networks in a mix", where,
                        MSW_GRAPH_NETWORKS_MAX);
    list->entries[list->count] = *entry;
    list->entries[list->count++].file = MSW_GRAPH_NONE;
    return 0;
}

/* Finds the file of a network that has no table in workloads/npu, as the front end npu does; the
 * batch that it is called with. Returns 1, 0 when it is none, or -1. */
static int find_file(const char *text, msw_arena *arena, msw_mix_entry *entry, msw_err *err)
{
    char file[MSW_NAME_MAX] = "", head[MSW_NAME_MAX];
    const msw_param *batch = msw_params_find(msw_npu_params, "npu_batch");
    msw_npu_config config;
    msw_params_defaults(msw_npu_params, &config);
    config.batch = 1, config.phase = -1;
    int rc = msw_frontend_npu.resolve(text, &config, file, sizeof file, err);
    if (rc <= 0)
        return rc;
    msw_name_split(text, batch, head);
    bool shape = !*file || msw_lines_named(file, ".json");
    if (shape && config.phase < 0)
        return msw_fail(err,
                        "'%s' does not say what a task is; allowed: %s/decode, a token, or "
                        "%s/prefill, a prompt",
                        text, head, head);
    if (!*file)
        snprintf(file, sizeof file, "workloads/npu/%.*s.json", (int)strcspn(head, "/"), head);
    size_t sizes[2] = {strlen(head) + 1, strlen(file) + 1};
    char *copies = msw_arena_take(arena, sizes[0] + sizes[1]);
    if (!copies)
        return msw_fail_memory(err);
    memcpy(copies, head, sizes[0]);
    memcpy(copies + sizes[0], file, sizes[1]);
    entry->network = copies;
    entry->path = strncmp(file, head, sizes[1] - 1) != 0 ? NULL : copies + sizes[0];
    entry->shipped = copies + sizes[0];
    entry->prompt = config.phase == MSW_NPU_PREFILL;
    entry->batch = (uint64_t)config.batch;
    return 1;
}

static int fail_unknown(const char *name, const char *network, msw_err *err)
{
    const char *best = msw_nearest(network, NETWORKS, sizeof *NETWORKS);
    return msw_fail(err,
                    "workload '%s': no network '%s'%s%s%s; allowed: mix:<network>+<network>, each "
                    "with an optional /b<batch> and :<weight>, or mix:<list>.csv; a network is one "
                    "of ours or a file (.onnx, .json/decode, .csv, .yaml)",
                    name, network, best ? ", did you mean '" : "", best ? best : "",
                    best ? "'?" : "");
}

/* "/b4:2" after a network. */
static int read_tail(const char *name, const char *tail, msw_mix_entry *entry, msw_err *err)
{
    const char *at = tail;
    char *end;
    errno = 0;
    if (strncmp(at, "/b", 2) == 0 && at[2] >= '1' && at[2] <= '9') {
        entry->batch = strtoull(at + 2, &end, 10);
        at = end;
    }
    if (*at == ':' && at[1] >= '0' && at[1] <= '9') {
        entry->weight = strtod(at + 1, &end);
        at = end;
    }
    if (*at || errno || entry->batch > 65536 || !(entry->weight > 0) || entry->weight > 1e6)
        return msw_fail(err,
                        "workload '%s': found '%s' after %s, allowed: /b<batch> to 65536, then "
                        ":<weight> above 0, to 1e6",
                        name, tail, entry->network);
    return 0;
}

/* A network that is no table of ours, with its batch and weight. */
static int read_file_part(const char *name, char *text, msw_arena *arena, msw_mix_entry *entry,
                          msw_err *err)
{
    char *colon = strrchr(text, ':');
    const char *weight = colon && !strchr(colon, '/') ? colon + 1 : NULL;
    char *end = NULL;
    if (weight)
        *colon = '\0';
    entry->weight = weight && *weight >= '0' && *weight <= '9' ? strtod(weight, &end) : !weight;
    if ((end && *end) || !(entry->weight > 0) || entry->weight > 1e6)
        return msw_fail(err,
                        "workload '%s': found ':%s' after %s, allowed: :<weight> above 0, to "
                        "1e6",
                        name, weight, text);
    int rc = find_file(text, arena, entry, err);
    if (rc < 0)
        return msw_fail_prefix(err, "workload '%s': ", name);
    return rc ? 0 : fail_unknown(name, text, err);
}

static int read_part(const char *name, const char *part, size_t size, msw_arena *arena,
                     msw_mix_list *list, msw_err *err)
{
    msw_mix_entry entry = {.weight = 1, .batch = 1};
    char *text = msw_arena_take(arena, size + 1), *network = msw_arena_take(arena, size + 1);
    if (!text || !network)
        return msw_fail_memory(err);
    memcpy(text, part, size);
    text[size] = '\0';
    size_t head = strcspn(text, "/:");
    memcpy(network, text, head);
    network[head] = '\0';
    entry.network = network;
    if (!is_known(network))
        MSW_TRY(read_file_part(name, text, arena, &entry, err));
    else
        MSW_TRY(read_tail(name, text + head, &entry, err));
    return msw_mix_add(list, &entry, name, err);
}

/* The first file is one of the user's, if there is any: the others are found from where it lies. */
static void number_files(msw_mix_list *list)
{
    for (int turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < list->count; i++) {
            const char *path = list->entries[i].path;
            if ((path ? *path == '/' : 2) == turn)
                number_file(list, &list->entries[i]);
        }
}

int msw_mix_read_name(const char *name, msw_arena *arena, msw_mix_list *list, msw_err *err)
{
    *list = (msw_mix_list){0};
    for (const char *part = name + 4;; part++) {
        size_t size = strcspn(part, "+");
        if (read_part(name, part, size, arena, list, err))
            return -1;
        part += size;
        if (!*part)
            break;
    }
    number_files(list);
    return 0;
}

bool msw_mix_names_list(const char *name)
{
    size_t size = strlen(name);
    return strncmp(name, "mix:", 4) != 0 ||
           (size > 8 && strcmp(name + size - 4, ".csv") == 0 && !strchr(name, '+'));
}

static bool is_shipped(const char *name)
{
    for (size_t n = 0; msw_mix_names[n]; n++)
        if (strcmp(msw_mix_names[n], name) == 0)
            return true;
    return false;
}

static int name_file(const char *name, const char *folder, const char *head, const char *end,
                     char *file, size_t file_size, msw_err *err)
{
    int size = snprintf(file, file_size, "%s%s%s", folder, head, end);
    return size >= 0 && (size_t)size < file_size
               ? 1
               : msw_fail(err, "workload '%s': the file name is too long", name);
}

static const msw_mix_entry *entry_of(const msw_mix_list *list, uint32_t file)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->entries[i].file == file)
            return &list->entries[i];
    return &list->entries[0];
}

/* The way from the folder of one path to another: "../b/y" of "a/x" and "b/y". */
static int name_from(const char *first, const char *path, char *file, size_t file_size,
                     msw_err *err)
{
    char up[MSW_NAME_MAX] = "";
    size_t same = 0, size = 0;
    for (size_t i = 0; first[i] && first[i] == path[i]; i++)
        same = first[i] == '/' ? i + 1 : same;
    for (const char *c = first + same; *path != '/' && (c = strchr(c, '/')) != NULL; c++)
        if (size + 4 < sizeof up)
            size += (size_t)snprintf(up + size, 4, "../");
    bool known = *path != '/' && !strstr(first + same, "../") && !strstr(first + same, "./");
    return name_file(path, known ? up : "", known ? path + same : path, "", file, file_size, err);
}

int msw_mix_name_file(const msw_mix_list *list, uint32_t number, const char *folder, char *file,
                      size_t file_size, msw_err *err)
{
    const msw_mix_entry *e = entry_of(list, number), *first = entry_of(list, 0);
    bool beside = number > 0 && !list->listed && !first->path;
    if (e->path && (list->listed || number == 0))
        return name_file(e->network, "", e->path, "", file, file_size, err);
    if (e->path)
        return name_from(first->path, e->path, file, file_size, err);
    const char *base = e->shipped ? strrchr(e->shipped, '/') + 1 : e->network;
    const char *where = list->listed ? folder : beside ? "" : "workloads/npu/";
    return name_file(e->network, where, base, e->shipped ? "" : ".csv", file, file_size, err);
}

int msw_mix_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    msw_arena arena = {0};
    msw_mix_list list;
    (void)config;
    if (is_shipped(name))
        return name_file(name, "workloads/", name, ".csv", file, file_size, err);
    if (strncmp(name, "mix:", 4) != 0)
        return 0;
    if (msw_mix_names_list(name))
        return name_file(name, "", name + 4, "", file, file_size, err);
    int rc = msw_mix_read_name(name, &arena, &list, err);
    if (rc == 0)
        rc = msw_mix_name_file(&list, 0, "", file, file_size, err);
    msw_arena_free(&arena);
    return rc;
}

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
    msw_err why = {0};
    entry->network = msw_npu_cell_copy(cell, arena);
    if (!entry->network)
        return msw_fail_memory(csv->err);
    entry->built_in = msw_mix_is_decoder(entry->network);
    if (entry->built_in || is_known(entry->network))
        return 0;
    const char *whole = entry->network;
    int rc = find_file(whole, arena, entry, &why);
    if (rc > 0 && strcmp(whole, entry->network) == 0)
        return 0;
    if (rc)
        return msw_npu_csv_fail(csv, cell, "network: %s",
                                rc < 0 ? why.text
                                       : "a batch is said in column "
                                         "batch");
    return msw_npu_csv_fail(csv, cell,
                            "network: found '%s', allowed: a network of ours ('memsweep list "
                            "workloads'), or the path of a file beside this one (.csv, .onnx, "
                            ".yaml, .json/decode)",
                            whole);
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
        msw_npu_csv_columns(&csv, COLUMNS, index) ||
        (index[DISPATCH] >= 0 ? read_arrivals(&csv, index, file, arena, list)
                              : read_networks(&csv, index, file->path, arena, list)))
        return -1;
    for (uint32_t i = 0; i < list->count; i++)
        number_file(list, &list->entries[i]);
    return 0;
}

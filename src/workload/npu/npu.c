/* SPDX-License-Identifier: MIT */
/* The front end `npu`: its record, workloads by name, and the reading of their files. Names are
 * <network> and <decoder>/<phase>, or the path of a file (with /<phase> for a decoder's
 * configuration), each with or without /b<batch>. Decoders but llm7b lie in workloads/npu. */
#include "workload/npu/parts.h"

#include "workload/npu/onnx.h"
#include "workload/text/lines.h"

#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

extern const char *const msw_npu_names[];

extern const char *const msw_npu_docs[];

/* Networks with a table in workloads/npu. */
static const char *const NETWORKS[] = {
#define NETWORK(name, doc) name,
#include "workload/npu/networks.h"
#undef NETWORK
    NULL,
};

/* The first is in the program; the others have a configuration in workloads/npu. */
static const char *const DECODERS[] = {"llm7b",
#define DECODER(name, doc) name,
#include "workload/npu/decoders.h"
#undef DECODER
                                       NULL};

const char *const msw_npu_names[] = {
#define NETWORK(name, doc) name "/b1",
#include "workload/npu/networks.h"
#undef NETWORK
    "alexnet/b4",  "alexnet/b8", "googlenet/b4",  "googlenet/b8", "resnet50/b4",
    "resnet50/b8", "rnn1/b4",    "rnn1/b8",       "rnn2/b4",      "rnn2/b8",
    "rnn3/b4",     "rnn3/b8",    "llm7b/prefill", "llm7b/decode", "llm7b/decode/b8",
#define DECODER(name, doc) name "/prefill", name "/decode",
#include "workload/npu/decoders.h"
#undef DECODER
    NULL,
};

#define BATCHES(doc) doc ", batch 4", doc ", batch 8"

const char *const msw_npu_docs[] = {
#define NETWORK(name, doc) doc,
#include "workload/npu/networks.h"
#undef NETWORK
    BATCHES("AlexNet"),
    BATCHES("GoogLeNet"),
    BATCHES("ResNet-50"),
    BATCHES("50 steps of a vanilla recurrent layer, hidden 2560"),
    BATCHES("25 steps of an LSTM layer, hidden 1024"),
    BATCHES("25 steps of an LSTM layer, hidden 2048"),
    "7-billion-parameter decoder: the whole context at once",
    "7-billion-parameter decoder: one more token with a key-value cache",
    "7-billion-parameter decoder: one more token each for 8 sequences",
#define DECODER(name, doc) doc ": the whole context at once", doc ": one more token",
#include "workload/npu/decoders.h"
#undef DECODER
    NULL,
};

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), tail = strlen(end);
    return size > tail && strcmp(text + size - tail, end) == 0;
}

/* "alexnet" or "alexnet/...": how long is the network's name? Returns 0 when it is not one of ours.
 */
static size_t network_size(const char *head)
{
    size_t size = strcspn(head, "/");
    for (size_t n = 0; NETWORKS[n]; n++)
        if (strlen(NETWORKS[n]) == size && memcmp(NETWORKS[n], head, size) == 0)
            return size;
    return 0;
}

static int name_file(const char *head, const char *folder, const char *end, char *file,
                     size_t file_size, msw_err *err)
{
    int size = snprintf(file, file_size, "%s%s%s", folder, head, end);
    if (size >= 0 && (size_t)size < file_size)
        return 1;
    return msw_fail(err, "workload '%s': the file name is too long", head);
}

/* Takes the phase off the end of a name. Returns whether there was one. */
static bool take_phase(char *head, int64_t *phase)
{
    static const char *const PHASES[] = {
        [MSW_NPU_PREFILL] = "/prefill", [MSW_NPU_DECODE] = "/decode"};
    for (int64_t p = 0; p < 2; p++)
        if (ends_with(head, PHASES[p])) {
            head[strlen(head) - strlen(PHASES[p])] = '\0';
            *phase = p;
            return true;
        }
    return false;
}

/* A decoder of ours, without its phase. Returns its name, or NULL. */
static const char *find_decoder(const char *head)
{
    size_t size = strcspn(head, "/");
    for (size_t n = 0; DECODERS[n]; n++)
        if (strlen(DECODERS[n]) == size && memcmp(DECODERS[n], head, size) == 0)
            return DECODERS[n];
    return NULL;
}

/* Returns 1 with phase and file set, 0 for names of other things, or -1. */
static int resolve_decoder(char *head, msw_npu_config *config, char *file, size_t file_size,
                           msw_err *err)
{
    const char *ours = find_decoder(head);
    bool phase = take_phase(head, &config->phase);
    if (ends_with(head, ".json"))
        return name_file(head, "", "", file, file_size, err);
    if (!ours)
        return 0;
    if (!phase || strcmp(head, ours) != 0)
        return msw_fail(err,
                        "workload '%s': allowed: %s/prefill, %s/decode, each with an optional "
                        "/b<batch>",
                        head, ours, ours);
    if (ours == DECODERS[0])
        return 1;
    return name_file(head, "workloads/npu/", ".json", file, file_size, err);
}

/* An ONNX model, with what its name says about it. Returns as resolve_decoder does. */
static int resolve_model(const char *head, char *file, size_t file_size, msw_err *err)
{
    msw_onnx_settings settings;
    size_t size = msw_onnx_file_size(head);
    if (!size)
        return 0;
    if (size >= file_size)
        return msw_fail(err, "workload '%s': the file name is too long", head);
    memcpy(file, head, size);
    file[size] = '\0';
    return msw_onnx_read_settings(head, &settings, err) ? -1 : 1;
}

/* Returns as resolve_decoder does. */
static int resolve_network(const char *name, const char *head, char *file, size_t file_size,
                           msw_err *err)
{
    size_t size = network_size(head);
    if (ends_with(head, ".csv") || ends_with(head, ".yaml") || ends_with(head, ".yml"))
        return name_file(head, "", "", file, file_size, err);
    if (!size)
        return 0;
    if (head[size])
        return msw_fail(err, "workload '%s': found '%s' after the network, allowed: /b<batch>",
                        name, head + size);
    return name_file(head, "workloads/npu/", ".csv", file, file_size, err);
}

static int msw_npu_resolve(const char *name, void *config, char *file, size_t file_size,
                           msw_err *err)
{
    msw_npu_config *c = config;
    const msw_param *param = msw_params_find(msw_npu_params, "npu_batch");
    char head[MSW_NAME_MAX];
    int64_t batch = msw_name_split(name, param, head);
    file[0] = '\0';
    int rc = resolve_model(head, file, file_size, err);
    if (rc == 0)
        rc = resolve_decoder(head, c, file, file_size, err);
    if (rc == 0)
        rc = resolve_network(name, head, file, file_size, err);
    if (rc <= 0)
        return rc;
    if (batch < 0)
        return msw_name_fail(name, param, err);
    c->batch = batch ? batch : c->batch;
    return 1;
}

typedef struct format {
    const char *marks[3]; /* columns no other format has */
    int (*read)(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network);
} format;

static const format FORMATS[] = {
    {{"operand", "row_bytes", NULL}, msw_npu_read_tiles},
    {{"op", "macs", NULL}, msw_npu_read_operators},
    {{"IFMAP Height", NULL}, msw_npu_read_conv},
    {{"M", "K", NULL}, msw_npu_read_gemm},
};

static bool matches(const msw_npu_csv *csv, const format *f)
{
    for (size_t i = 0; f->marks[i]; i++)
        if (msw_npu_csv_find(csv, f->marks[i]) < 0)
            return false;
    return true;
}

static int read_known(msw_npu_csv *csv, msw_arena *arena, msw_npu_network *network)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (matches(csv, &FORMATS[i]))
            return FORMATS[i].read(csv, arena, network);
    return msw_npu_csv_fail(csv, csv->header[0],
                            "found a header that starts with '%.*s', allowed: SCALE-Sim layers "
                            "(Layer name, IFMAP Height, ... or Layer, M, N, K), operators (idx, "
                            "name, op, ...) or tiles (layer, tile, operand, base, rows, row_bytes, "
                            "stride, compute_cycles, overlap)",
                            (int)(csv->header[0].size < 40 ? csv->header[0].size : 40),
                            csv->header[0].text);
}

/* See msw_frontend.resolve and msw_frontend.parse. */
static int msw_npu_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                         const void **content, msw_err *err)
{
    msw_npu_csv csv;
    msw_npu_network *network = msw_arena_zero(arena, 1, sizeof *network);
    if (!network)
        return msw_fail_memory(err);
    *content = network;
    if (ends_with(file, ".yaml") || ends_with(file, ".yml"))
        return msw_npu_read_timeloop(file, bytes, size, arena, network, err);
    if (ends_with(file, ".json")) {
        network->decoder = msw_npu_read_decoder(file, bytes, size, arena, err);
        return network->decoder ? 0 : -1;
    }
    if (msw_npu_csv_open(&csv, file, bytes, size, err) || read_known(&csv, arena, network))
        return -1;
    if (network->op_count == 0 && network->row_count == 0 && !network->listed)
        return msw_fail(err, "%s:%zu:1: found no layer below the header", file, csv.lines);
    return 0;
}

/* See msw_frontend.assemble: content of a file whose name also says something about it. */
static int msw_npu_assemble(const char *name, const msw_workload_file *files, size_t count,
                            msw_arena *arena, const void **content, msw_digest *settings,
                            msw_err *err)
{
    char head[MSW_NAME_MAX];
    const char *path = files[0].path;
    (void)count;
    if (msw_onnx_file_size(path) != strlen(path))
        return msw_npu_parse(path, files[0].bytes, files[0].size, arena, content, err);
    msw_npu_network *network = msw_arena_zero(arena, 1, sizeof *network);
    if (!network)
        return msw_fail_memory(err);
    msw_name_split(name, msw_params_find(msw_npu_params, "npu_batch"), head);
    const char *said = head + msw_onnx_file_size(head);
    *settings = *said ? msw_hash_string(said) : (msw_digest){0};
    *content = network;
    return msw_onnx_read(head, &files[0], arena, network, err);
}

static const char *const OWN[] = {
    "workloads: [mine.csv, mine.csv/b8]: the path of a .csv, next to the sweep file or from here,",
    "with a batch or without. Its header says what it is (other columns are passed over):",
    "  Layer, M, N, K                    SCALE-Sim's matrix products; layers follow one another",
    "  Layer name, IFMAP Height, ...     SCALE-Sim's convolutions",
    "  idx, name, op, in, macs, ...      operators and which rows they read (workloads/README.md)",
    "  tile, operand, base, rows, ...    tiles as another program made them, taken as they are",
    "workloads: [my/config.json/decode, my/config.json/prefill/b8]: a decoder by the config.json",
    "that its publisher ships; npu_context, npu_shards and npu_weight_bits say the rest.",
    "workloads: [my/model.onnx, my/model.onnx/seq=128/b8]: an ONNX model; symbolic sizes but the",
    "batch are given in the name, skip_unknown among them passes over unknown operators.",
    "workloads: [my/layer.yaml, my/layer.yaml/b8]: a Timeloop problem, of version 3 or 4.",
    "More: docs/models/npu.md, 'Files'.",
    NULL,
};

const msw_frontend msw_frontend_npu = {
    .name = "npu",
    .title = "Networks on a scratchpad accelerator, cut into tiles and linear segments",
    .version = 1,
    .params = msw_npu_params,
    .config_size = sizeof(msw_npu_config),
    .product = MSW_PRODUCT_TILES,
    .random = false,
    .names = msw_npu_names,
    .docs = msw_npu_docs,
    .own = OWN,
    .resolve = msw_npu_resolve,
    .parse = msw_npu_parse,
    .assemble = msw_npu_assemble,
    .describe = msw_npu_describe,
    .check = msw_npu_check,
    .build = msw_npu_build,
};

/* SPDX-License-Identifier: MIT */
/* Workloads by name: <network>, <network>/b<batch>, llm7b/<phase>, llm7b/<phase>/b<batch>, or the
 * path of a user's .csv, .yaml or .json/<phase>, with or without /b<batch>. Decoders whose
 * published configuration lies in workloads/npu are called <decoder>/<phase>. */
#include "workload/npu/onnx.h"

#include "memsweep/base/text.h"
#include "workload/text/name.h"

#include <stdio.h>
#include <string.h>

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

int msw_npu_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
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

/* Workloads by name: <network>, <network>/b<batch>, llm7b/<phase>, llm7b/<phase>/b<batch>, or the
 * path of a user's .csv, with or without /b<batch>. */
#include "workload/npu/parts.h"

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

const char *const msw_npu_names[] = {
#define NETWORK(name, doc) name "/b1",
#include "workload/npu/networks.h"
#undef NETWORK
    "alexnet/b4",    "alexnet/b8",   "googlenet/b4",    "googlenet/b8",
    "resnet50/b4",   "resnet50/b8",  "rnn1/b4",         "rnn1/b8",
    "rnn2/b4",       "rnn2/b8",      "rnn3/b4",         "rnn3/b8",
    "llm7b/prefill", "llm7b/decode", "llm7b/decode/b8", NULL,
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
    NULL,
};

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), tail = strlen(end);
    return size > tail && strcmp(text + size - tail, end) == 0;
}

/* "alexnet" or "alexnet/...": how long is the network's name? Returns 0 when it is none of ours. */
static size_t network_size(const char *head)
{
    size_t size = strcspn(head, "/");
    for (size_t n = 0; NETWORKS[n]; n++)
        if (strlen(NETWORKS[n]) == size && memcmp(NETWORKS[n], head, size) == 0)
            return size;
    return 0;
}

static int name_file(const char *head, const char *folder, char *file, size_t file_size,
                     msw_err *err)
{
    int size = snprintf(file, file_size, "%s%s%s", folder, head, *folder ? ".csv" : "");
    if (size >= 0 && (size_t)size < file_size)
        return 1;
    return msw_fail(err, "workload '%s': the file name is too long", head);
}

/* Returns 1 with the phase set, 0 for other names, -1 for a phase that is none. */
static int resolve_decoder(const char *head, msw_npu_config *config, msw_err *err)
{
    if (strncmp(head, "llm7b", 5) != 0 || (head[5] && head[5] != '/'))
        return 0;
    if (strcmp(head, "llm7b/prefill") == 0)
        config->phase = MSW_NPU_PREFILL;
    else if (strcmp(head, "llm7b/decode") == 0)
        config->phase = MSW_NPU_DECODE;
    else
        return msw_fail(err,
                        "workload '%s': allowed: llm7b/prefill, llm7b/decode, each with an "
                        "optional /b<batch>",
                        head);
    return 1;
}

int msw_npu_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err)
{
    msw_npu_config *c = config;
    const msw_param *param = msw_params_find(msw_npu_params, "npu_batch");
    char head[MSW_NAME_MAX];
    int64_t batch = msw_name_split(name, param, head);
    size_t size = network_size(head);
    bool user = ends_with(head, ".csv");
    int decoder = user ? 0 : resolve_decoder(head, c, err);
    file[0] = '\0';
    if (decoder < 0 || (!user && !decoder && !size))
        return decoder;
    if (batch < 0)
        return msw_name_fail(name, param, err);
    c->batch = batch ? batch : c->batch;
    if (decoder)
        return 1;
    if (user)
        return name_file(head, "", file, file_size, err);
    if (head[size])
        return msw_fail(err, "workload '%s': found '%s' after the network, allowed: /b<batch>",
                        name, head + size);
    return name_file(head, "workloads/npu/", file, file_size, err);
}

/* SPDX-License-Identifier: MIT */
/* Workloads by name: mix/<list>, mix:<network>+<network>:<weight>/b<batch>, mix:<path of a list>.
 */
#include "workload/mix/parts.h"

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

static const char *const NETWORKS[] = {
#define NETWORK(name, doc) name,
#include "workload/npu/networks.h"
#undef NETWORK
    NULL,
};

enum { NAME_BYTES = 64 };

bool msw_mix_is_known(const char *network)
{
    for (size_t n = 0; NETWORKS[n]; n++)
        if (strcmp(NETWORKS[n], network) == 0)
            return true;
    return false;
}

int msw_mix_add(msw_mix_list *list, const msw_mix_entry *entry, const char *where, msw_err *err)
{
    if (list->count == MSW_GRAPH_NETWORKS_MAX)
        return msw_fail(err, "%s: found more than %d networks in a mix", where,
                        MSW_GRAPH_NETWORKS_MAX);
    msw_mix_entry *added = &list->entries[list->count];
    *added = *entry;
    added->file = list->files;
    if (entry->decoder) {
        added->file = MSW_GRAPH_NONE;
        list->count++;
        return 0;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->entries[i].network, entry->network) == 0)
            added->file = list->entries[i].file;
    list->files += added->file == list->files;
    list->count++;
    return 0;
}

static int fail_unknown(const char *name, const char *network, msw_err *err)
{
    const char *best = msw_nearest(network, NETWORKS, sizeof *NETWORKS);
    return msw_fail(err,
                    "workload '%s': no network '%s'%s%s%s; allowed: mix:<network>+<network>, each "
                    "with an optional /b<batch> and :<weight>, or mix:<list>.csv",
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
    if (!msw_mix_is_known(network))
        return fail_unknown(name, network, err);
    MSW_TRY(read_tail(name, text + head, &entry, err));
    return msw_mix_add(list, &entry, name, err);
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
            return 0;
    }
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
        rc = name_file(name, "workloads/npu/", list.entries[0].network, ".csv", file, file_size,
                       err);
    msw_arena_free(&arena);
    return rc;
}

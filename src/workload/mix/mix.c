/* SPDX-License-Identifier: MIT */
/* Settings, files and record of the front end `mix`. */
#include "workload/mix/parts.h"

#include <stdio.h>
#include <string.h>

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "mix_element_bytes", .kind = MSW_INTEGER, .unit = "B", .min = 1, .max = 8,
            .def = 2, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "bytes of an activation, a weight, an output", .source = MSW_UNKNOWN,
            .reference = "arXiv:2505.06625 does not say; its reuse distances (figure 3) fit 2, "
                         "not 1",
            .plausible_min = 1, .plausible_max = 2,
            .offset = offsetof(msw_mix_config, element_bytes)),
    MSW_ROW(.name = "mix_alignment", .kind = MSW_SIZE, .unit = "B", .min = 64, .max = 1 << 30,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "every tensor starts at a multiple of this address", .source = MSW_UNKNOWN,
            .reference = "a page of the operating system", .plausible_min = 64,
            .plausible_max = 65536, .offset = offsetof(msw_mix_config, alignment)),
    MSW_ROW(.name = "mix_context", .kind = MSW_INTEGER, .unit = "tokens", .min = 1, .max = 131072,
            .def = 512, .neutral = MSW_NEUTRAL(512), .scale = MSW_POW2,
            .doc = "of decoders: tokens that a token attends to, itself included; of a prompt",
            .source = MSW_INFERRED, .reference = "a choice: a short conversation",
            .plausible_min = 512, .plausible_max = 512,
            .offset = offsetof(msw_mix_config, context)),
    MSW_ROW(.name = "mix_layers", .kind = MSW_INTEGER, .unit = "layers", .min = 0, .max = 128,
            .def = 0, .neutral = MSW_NEUTRAL(0), .doc = "of decoders: layers; 0: the model's",
            .source = MSW_INFERRED, .reference = "definition: sizes between those of models",
            .plausible_min = 0, .plausible_max = 0, .offset = offsetof(msw_mix_config, layers)),
    MSW_ROW(.name = "mix_weight_bits", .kind = MSW_INTEGER, .unit = "bits", .min = 0, .max = 64,
            .def = 0, .neutral = MSW_NEUTRAL(0),
            .doc = "of decoders: bits of a weight in memory; 0: as mix_element_bytes says",
            .source = MSW_INFERRED, .reference = "definition: 4 where weights alone are quantised",
            .plausible_min = 0, .plausible_max = 0,
            .offset = offsetof(msw_mix_config, weight_bits)),
    {0},
};

/* Whether a file that may be a list by its name is one: tables of networks have other columns. */
static bool is_list(const msw_workload_file *first)
{
    static const char *const MARKS[] = {"op", "IFMAP Height", "K", "operand"};
    msw_npu_csv csv;
    msw_err ignored = {0};
    if (msw_npu_csv_open(&csv, first->path, first->bytes, first->size, &ignored))
        return true;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (msw_npu_csv_find(&csv, MARKS[i]) >= 0)
            return msw_npu_csv_find(&csv, "network") >= 0;
    return true;
}

/* The networks of a workload whose first file is there. Returns 0, or -1. */
static int read_networks(const char *name, const msw_workload_file *first, msw_arena *arena,
                         msw_mix_list *list, msw_err *err)
{
    return msw_mix_names_list(name) && is_list(first) ? msw_mix_read_list(first, arena, list, err)
                                                      : msw_mix_read_name(name, arena, list, err);
}

static int further(const char *name, const msw_workload_file *files, size_t count, char *next,
                   size_t next_size, msw_err *err)
{
    msw_arena arena = {0};
    msw_mix_list list;
    int rc = read_networks(name, &files[0], &arena, &list, err);
    uint32_t file = (uint32_t)count - (rc == 0 && list.listed);
    const char *folder = strncmp(name, "mix/", 4) == 0 ? "../npu/" : "workloads/npu/";
    if (rc == 0 && file < list.files)
        rc = msw_mix_name_file(&list, file, folder, next, next_size, err);
    msw_arena_free(&arena);
    return rc;
}

static const char *network_of(const msw_mix_list *list, uint32_t file)
{
    uint32_t i = 0;
    while (list->entries[i].file != file)
        i++;
    return list->entries[i].network;
}

static int read_sources(const msw_mix_list *list, const msw_workload_file *files, size_t count,
                        msw_arena *arena, msw_mix_source *sources, msw_err *err)
{
    if (count != list->files + list->listed)
        return msw_fail(err, "%s: its networks were not read", files[0].path);
    for (uint32_t i = 0; i < list->files; i++)
        if (msw_mix_read(network_of(list, i), &files[i + list->listed], arena, &sources[i], err))
            return -1;
    return 0;
}

static int assemble(const char *name, const msw_workload_file *files, size_t count,
                    msw_arena *arena, const void **content, msw_digest *settings, msw_err *err)
{
    msw_mix_content *c = msw_arena_zero(arena, 1, sizeof *c);
    msw_mix_list *list = msw_arena_zero(arena, 1, sizeof *list);
    msw_mix_source *sources = msw_arena_zero(arena, MSW_GRAPH_NETWORKS_MAX, sizeof *sources);
    if (!c || !list || !sources)
        return msw_fail_memory(err);
    if (read_networks(name, &files[0], arena, list, err) ||
        read_sources(list, files, count, arena, sources, err))
        return -1;
    *settings = list->listed ? (msw_digest){0} : msw_hash_string(name);
    *c = (msw_mix_content){list, sources};
    *content = c;
    return 0;
}

/* Sizes that only a batch makes too large are reported when the plan is made. */
static int check(const void *content, const void *config, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = msw_mix_build(content, config, 0, &arena, &product, err);
    msw_arena_free(&arena);
    return rc;
}

static const char *const OWN[] = {
    "workloads: [mix:resnet50+bert_base_s128:4]: networks of ours; /b2: its batch, :4: four times",
    "as often as one without. workloads: [mix:my/config.json/decode/b4:2+my/net.onnx+resnet50]: ",
    "files of networks alike, as the front end npu reads them (.onnx, config.json with /decode, a ",
    "token a task, or /prefill, a prompt, .csv of operators or of SCALE-Sim, .yaml of Timeloop).",
    "workloads: [mix:mine.csv]: the path of a list with the header",
    "  network, weight, batch, qos_ms, priority",
    "of which all but the first may be left out. A network is one of ours, a decoder",
    "(llama3_1b/decode), or the path of a file beside the list, a list of tiles among them. With a",
    "column dispatch_ms in place of weight each row is a task, in the order of time.",
    "More: docs/models/mix.md.",
    NULL,
};

const msw_frontend msw_frontend_mix = {
    .name = "mix",
    .title = "Networks that share a machine, as operators and tensors",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_mix_config),
    .product = MSW_PRODUCT_GRAPH,
    .random = false,
    .names = msw_mix_names,
    .docs = msw_mix_docs,
    .own = OWN,
    .resolve = msw_mix_resolve,
    .further = further,
    .assemble = assemble,
    .describe = msw_mix_describe,
    .check = check,
    .build = msw_mix_build,
};

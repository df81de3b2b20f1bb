/* SPDX-License-Identifier: MIT */
/* parts: what the files of the front end `mix` share. A name, or a list in a file, says which
 * networks; their files, which the front end npu reads, become graphs of one image in elements
 * (content); content and settings become a product in bytes. */
#ifndef MSW_WORKLOAD_MIX_PARTS_H
#define MSW_WORKLOAD_MIX_PARTS_H

#include "memsweep/workload/graph.h"
#include "workload/npu/parts.h"

/* A network of a mix. */
typedef struct msw_mix_entry {
    const char
        *network;     /* one of workloads/npu, a decoder, or a file as the front end npu has it */
    const char *path; /* of a user's file; NULL: ours */
    const char *shipped; /* the path, or that of ours where it is no table; NULL: a table of ours */
    double weight, target_ms;
    uint64_t batch, priority;
    uint32_t file; /* number of its file among those of the mix, or MSW_GRAPH_NONE */
    bool built_in; /* a decoder that has no file */
    bool prompt;   /* of a decoder: a prompt, not a token */
} msw_mix_entry;

typedef struct msw_mix_list {
    msw_mix_entry entries[MSW_GRAPH_NETWORKS_MAX];
    uint32_t count, files;
    const msw_graph_arrival *arrivals; /* NULL: the list is of networks, not of tasks */
    uint32_t arrival_count;
    bool listed; /* the first file is the list, tables follow; else tables alone */
} msw_mix_list;

/* What a file holds: a graph of one image in elements, without addresses; or a decoder, whose
 * graph follows when the settings are known. */
typedef struct msw_mix_source {
    msw_graph_network graph;
    const msw_decoder *decoder;
} msw_mix_source;

/* A mix that is ready to build. */
typedef struct msw_mix_content {
    const msw_mix_list *list;
    const msw_mix_source *sources; /* by file */
} msw_mix_content;

extern const char *const msw_mix_names[];
extern const char *const msw_mix_docs[];

/* Says which file a workload's name begins with, as msw_frontend.resolve. */
int msw_mix_resolve(const char *name, void *config, char *file, size_t file_size, msw_err *err);

/* Whether the first file of a workload may be a list, by its name. */
bool msw_mix_names_list(const char *name);

/* Whether a network is a decoder, of which lists alone have some: "llama3_1b/decode". */
bool msw_mix_is_decoder(const char *network);

/* Names the n-th file of a mix: from the folder of the first, or of a list, whose folder of ours is
 * `folder`. Returns 1, or -1. */
int msw_mix_name_file(const msw_mix_list *list, uint32_t number, const char *folder, char *file,
                      size_t file_size, msw_err *err);

/* Makes the graph of an entry that is a decoder, `shape` or, NULL, one that has no file: in
 * elements, for its whole batch. Returns 0, or -1. */
int msw_mix_decoder(const msw_mix_entry *entry, const msw_decoder *shape,
                    const msw_mix_config *config, msw_arena *arena, msw_graph_network *graph,
                    msw_err *err);

/* Adds a tensor that nobody reads yet to those of a graph. Returns its number. */
uint32_t msw_mix_add_tensor(msw_graph_network *graph, msw_graph_tensor *tensors, uint64_t elements,
                            msw_graph_role role, uint32_t producer);

/* Makes the graph of operators that follow each other. Returns 0, or -1. */
int msw_mix_chain(const msw_npu_network *net, msw_arena *arena, msw_graph_network *graph,
                  msw_err *err);

/* Reads a network's file. Returns 0, or -1. */
int msw_mix_read(const char *network, const msw_workload_file *file, msw_arena *arena,
                 msw_mix_source *source, msw_err *err);

/* Reads the networks of "mix:a+b". Returns 0, or -1. */
int msw_mix_read_name(const char *name, msw_arena *arena, msw_mix_list *list, msw_err *err);

/* Reads the networks of a list in a file. Returns 0, or -1. */
int msw_mix_read_list(const msw_workload_file *file, msw_arena *arena, msw_mix_list *list,
                      msw_err *err);

/* Makes the graph of a list of tiles: a layer is an operator, sizes are in bytes. Returns 0, or
 * -1. */
int msw_mix_tiles(const msw_npu_product *list, msw_arena *arena, msw_graph_network *graph,
                  msw_err *err);

/* Makes of it what an entry wants. Returns 0, or -1. */
int msw_mix_scale_tiles(const msw_mix_entry *entry, const msw_graph_network *graph,
                        const msw_mix_config *config, msw_graph_network *out, msw_err *err);

/* See msw_frontend.describe. */
int msw_mix_describe(const void *content, const void *config, msw_text *out, msw_err *err);

/* See msw_frontend.build. */
int msw_mix_build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                  msw_product *product, msw_err *err);

#endif

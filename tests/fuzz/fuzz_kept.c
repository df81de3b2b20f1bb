/* SPDX-License-Identifier: MIT */
/* Any bytes are an artifact that was kept in a database, or are refused, whichever it is asked for
 * as; what is accepted can be used. The first byte chooses. */
#include "mech/camdn/model.h"
#include "mech/uvm/learn/network.h"

#include "memsweep/mech/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uvm_learner LEARNER = {.features = UVM_F_DELTA_PC,
                                    .distance = 1,
                                    .network = MSW_NET_TRANSFORMER,
                                    .width = 4,
                                    .delta_width = 4,
                                    .layers = 1,
                                    .heads = 1,
                                    .feed = 4,
                                    .rounds = 1,
                                    .buckets = 2,
                                    .pooled = 4,
                                    .hidden = 4,
                                    .classes = 4,
                                    .batch = 8};

static void check(bool sound, const char *what)
{
    if (sound)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Weights are for a network of the vocabulary beside them. */
static void use_network(const uvm_network *n, msw_arena *arena)
{
    msw_net_shape shape = uvm_net_shape_of(&LEARNER, n);
    msw_err err = {0};
    msw_net *net = msw_net_new(&shape, 1, arena, &err);
    check(net || *err.text, "no network and no message");
    if (net && msw_net_unflatten(net, false, n->weights, n->weight_bytes, &err))
        check(*err.text, "refused without a message");
    for (uint32_t word = 0; word < 4; word++)
        uvm_vocabulary_number(&n->vocabulary.labels,
                              uvm_vocabulary_value(&n->vocabulary.labels, word));
}

static void use_table(const camdn_table *table)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < table->op_count; i++)
        for (int h = 0; h < CAMDN_STAIRS; h++)
            for (uint32_t s = 0; s < camdn_layers(table)[i].stairs[h].count; s++)
                sum += camdn_steps(table)[camdn_layers(table)[i].stairs[h].first + s].order;
    check(sum < UINT64_MAX, "steps beyond the table");
}

static void ask(unsigned kind, const char *bytes, size_t size, msw_arena *arena)
{
    static const msw_graph_network NETWORKS[] = {{.name = "net", .op_count = 2}};
    static const msw_graph_product MIX = {.networks = NETWORKS, .count = 1, .element_bytes = 1};
    static const msw_product PRODUCT = {.kind = MSW_PRODUCT_GRAPH, .data = &MIX};
    const msw_mech *null = msw_mech_find("null");
    _Alignas(uint64_t) char config[4096] = {0};
    msw_task task = {.config = config, .product = &PRODUCT, .arena = arena};
    msw_flat flat = msw_flat_open(bytes, size);
    uvm_tuned tuned = {.count = 0};
    const void *root;
    check(null->config_size <= sizeof config, "a larger config");
    msw_params_defaults(null->params, config);
    if (kind == 0 && uvm_network_unflatten(&LEARNER, bytes, size, arena, &root, NULL) == 0)
        use_network(root, arena);
    if (kind == 1 && uvm_tuned_unflatten(&LEARNER, &flat, arena, &tuned, NULL) == 0)
        for (size_t v = 0; v < tuned.count; v++)
            use_network(tuned.version[v], arena);
    if (kind == 2 && camdn_unflatten_table(&task, bytes, size, arena, &root, NULL) == 0)
        use_table(root);
    for (const msw_artifact *a = null->artifacts; kind == 3 && a && a->name; a++)
        if (a->unflatten)
            a->unflatten(&task, bytes, size, arena, &root, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    msw_arena arena = {0};
    if (size < 1)
        return 0;
    char *bytes = malloc(size);
    check(bytes, "memory ran out");
    memcpy(bytes, data + 1, size - 1);
    ask(data[0] % 4, bytes, size - 1, &arena);
    msw_arena_free(&arena);
    free(bytes);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes are a list of a mix, or the operator table of its one network, or are refused; what is
 * read becomes graphs whose sums can be taken; nothing crashes. The first byte says which. */
#include "memsweep/workload/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char LIST[] = "network,batch\nnet.csv,3\n";

static int load(msw_workload *w, const msw_workload_file *first, const msw_workload_file *second,
                msw_err *err)
{
    char next[256];
    msw_workload_file files[2] = {*first, *second};
    int more = w->frontend->further(w->name, files, 1, next, sizeof next, err);
    return more < 0 ? -1 : msw_workload_load_files(w, files, more ? 2 : 1, err);
}

static void look(const msw_graph_product *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        msw_graph_totals t = msw_graph_total(&p->networks[i]);
        if (t.layerwise < t.touched || msw_graph_beyond(&p->networks[i], 1e6) > 1) {
            fprintf(stderr, "sums that cannot be\n");
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[] = "mix:mine.csv";
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX] = {0};
    msw_err err = {0};
    msw_arena arena = {0};
    msw_product product;
    if (size < 1)
        return 0;
    char *text = malloc(size);
    msw_workload w = {.name = strdup(name), .frontend = &msw_frontend_mix};
    if (!text || !w.name)
        abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    msw_params_defaults(msw_frontend_mix.params, config);
    msw_workload_file given = {"net.csv", text, size - 1},
                      list = {"mine.csv", LIST, sizeof LIST - 1};
    int rc = data[0] & 1 ? load(&w, &given, &list, &err) : load(&w, &list, &given, &err);
    if (rc == 0 && w.content &&
        msw_frontend_mix.build(w.content, config, 0, &arena, &product, &err) == 0)
        look(product.data);
    msw_arena_free(&arena);
    msw_workload_free(&w);
    free(text);
    return 0;
}

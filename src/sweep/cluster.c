/* SPDX-License-Identifier: MIT */
/* `submit`: what jobs of this sweep want of a cluster. It changes no answer, so it is neither in
 * the canonical text nor in any key. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

static const char *const KEYS[] = {"sbatch", "prologue", NULL};

static void read_text(msw_loader *l, const msw_node *map, const char *key, char **to)
{
    const msw_node *node = msw_node_get(map, key);
    const char *word = node ? msw_loader_word(l, node, key) : NULL;
    if (word && !(*to = msw_strdup(word)))
        msw_loader_memory(l);
}

void msw_step_cluster(msw_loader *l)
{
    const msw_node *map = msw_loader_top(l, "submit");
    if (!map || !msw_loader_is(l, map, MSW_NODE_MAP, "submit"))
        return;
    msw_loader_check_keys(l, map, KEYS);
    read_text(l, map, "sbatch", &l->plan->sbatch);
    read_text(l, map, "prologue", &l->plan->prologue);
}

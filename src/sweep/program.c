/* SPDX-License-Identifier: MIT */
/* `mechanism: {program: FILE}`: a definition in the place of a mechanism, its cases in the place of
 * workloads. Reading one starts nothing. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_MOST = 16 << 20 };

static int read_file(void *context, const char *path, char **data, size_t *size, msw_err *err)
{
    return msw_loader_file(context, path, TEMPLATE_MOST, data, size, err);
}

static int identify(void *context, const char *label, const char *path,
                    char digest[MSW_DIGEST_TEXT], msw_err *err)
{
    return msw_loader_identify(context, label, path, digest, err);
}

void msw_loader_program(msw_loader *l, const msw_node *node)
{
    static const char *const KEYS[] = {"program", NULL};
    const msw_node *name = msw_node_get(node, "program");
    const char *word = name ? msw_loader_word(l, name, "program") : NULL;
    char *text = NULL;
    size_t size;
    msw_err err = {0};
    msw_loader_check_keys(l, node, KEYS);
    if (!word) {
        msw_loader_say(l, node, "mechanism: write a name, or {program: <definition>.yaml}");
        return;
    }
    const char *path = msw_loader_find(l, name, word);
    msw_program_source source = {.context = (void *)l->options,
                                 .recorded =
                                     l->options && l->options->files && l->options->files->recorded,
                                 .read = read_file,
                                 .identify = identify};
    if (!path)
        return;
    int rc = msw_loader_file(l->options, path, MSW_SWEEP_FILE_MAX, &text, &size, &err);
    if (rc == 0)
        rc = msw_program_parse(path, text, size, &source, &l->plan->program, &err);
    if (rc)
        msw_loader_fail(l, &err, name, "%s", err.text);
    else
        l->plan->mech = &l->plan->program->external->mech;
    free(text);
}

/* ---- cases ---- */

static void add_case(msw_loader *l, const msw_node *at, const msw_program_set *one)
{
    msw_plan *plan = l->plan;
    for (size_t w = 0; w < plan->workload_count; w++)
        if (strcmp(plan->workloads[w].name, one->name) == 0) {
            msw_loader_say(l, at, "workload '%s' is listed twice", one->name);
            return;
        }
    plan->workloads[plan->workload_count] = (msw_workload){.name = msw_strdup(one->name),
                                                           .frontend = &msw_frontend_case,
                                                           .config = calloc(1, 1),
                                                           .digest = msw_program_case_digest(one)};
    msw_workload *w = &plan->workloads[plan->workload_count++];
    if (!w->name || !w->config)
        msw_loader_memory(l);
}

static void add_named(msw_loader *l, const msw_node *at)
{
    const msw_program *p = l->plan->program;
    const char *name = msw_loader_word(l, at, "workload");
    const msw_program_set *one = name ? msw_program_case(p, name) : NULL;
    if (one)
        add_case(l, at, one);
    else {
        l->workloads_wrong = true;
        if (name)
            msw_loader_unknown(l, at, "case", &p->cases[0].name, sizeof *p->cases);
    }
}

void msw_loader_cases(msw_loader *l)
{
    msw_plan *plan = l->plan;
    const msw_program *p = plan->program;
    const msw_node *node = msw_loader_top(l, "workloads");
    bool list = node && node->kind == MSW_NODE_LIST;
    size_t most = (list ? node->count : 0) + p->case_count;
    plan->workloads = calloc(most + 1, sizeof *plan->workloads);
    plan->workload_frontend = calloc(most + 1, sizeof *plan->workload_frontend);
    plan->frontends = calloc(2, sizeof *plan->frontends);
    if (!plan->workloads || !plan->workload_frontend || !plan->frontends) {
        msw_loader_memory(l);
        return;
    }
    plan->frontends[plan->frontend_count++] = &msw_frontend_case;
    if (!node)
        add_case(l, l->root, &p->cases[0]);
    else if (!list)
        add_named(l, node);
    for (size_t i = 0; list && i < node->count; i++)
        add_named(l, node->items[i]);
    if (list && !node->count)
        msw_loader_say(l, node, "no workloads: the list is empty");
}

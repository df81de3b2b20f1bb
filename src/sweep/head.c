/* SPDX-License-Identifier: MIT */
/* Reads the head of a sweep: its name, mechanism, fidelity, sampling, seed and replicates; and
 * `submit`, what jobs of this sweep want of a cluster, which changes no answer, so it is neither
 * in the canonical text nor in any key. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <string.h>
#include <strings.h>

/* Settings that are no mechanism's: sampling, seed, replicates. */
typedef struct msw_settings {
    double confidence, target;
    int64_t pilot, event_budget, unit_seed, seed, replicates;
} msw_settings;

extern const msw_param msw_sampling_params[];

extern const msw_param msw_run_params[];

#define SETTING(member) offsetof(msw_settings, member)
#define COMMON          .unit = "", .neutral = MSW_NO_NEUTRAL, .source = MSW_PUBLIC

const msw_param msw_sampling_params[] = {
    {.name = "confidence",
     .kind = MSW_REAL,
     .min = 0.5,
     .max = 0.9999,
     .def = 0.95,
     .doc = "confidence of every interval",
     .reference = "customary",
     .offset = SETTING(confidence),
     COMMON},
    {.name = "target",
     .kind = MSW_REAL,
     .min = 1e-6,
     .max = 1,
     .def = 0.02,
     .doc = "wanted half-width of the primary metric, relative to its value",
     .reference = "a choice of the experiment",
     .offset = SETTING(target),
     COMMON},
    {.name = "pilot",
     .kind = MSW_INTEGER,
     .min = 2,
     .max = 1000000,
     .def = 400,
     .doc = "units measured, over all strata, before the number of the rest is chosen",
     .reference = "a choice of the experiment",
     .offset = SETTING(pilot),
     COMMON},
    {.name = "event_budget",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 1e15,
     .def = 0,
     .doc = "simulated events allowed per point; 0 is no limit",
     .reference = "a choice of the experiment",
     .offset = SETTING(event_budget),
     COMMON},
    {.name = "seed",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 9007199254740991,
     .def = 0,
     .doc = "other units for other numbers, of the same workload; 0: the sweep's seed decides",
     .reference = "a choice of the experiment",
     .offset = SETTING(unit_seed),
     COMMON},
    {0},
};

const msw_param msw_run_params[] = {
    {.name = "seed",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 9007199254740991,
     .def = 1,
     .doc = "seed of the design and of the workloads",
     .reference = "a choice of the experiment",
     .offset = SETTING(seed),
     COMMON},
    {.name = "replicates",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = 1000000,
     .def = 1,
     .doc = "times every point is repeated with another random stream",
     .reference = "a choice of the experiment",
     .offset = SETTING(replicates),
     COMMON},
    {0},
};

static const msw_choice LAUNCHERS[] = {
    [MSW_LAUNCHER_MPIRUN] = {"mpirun", "needs no support from Slurm"},
    [MSW_LAUNCHER_SRUN] = {"srun", "PMIx: Slurm and the MPI library were built for each other"}};

#define JOBS(member) offsetof(msw_plan_jobs, member)

static const msw_param SUBMIT_PARAMS[] = {
    {.name = "launcher",
     .kind = MSW_CHOICE,
     .def = MSW_LAUNCHER_MPIRUN,
     MSW_CHOICES(LAUNCHERS),
     .doc = "what starts the ranks: mpirun, or srun with PMIx",
     .reference = "a choice of the site",
     .offset = JOBS(launcher),
     COMMON},
    {.name = "lives",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = 100000,
     .def = 20,
     .doc = "how often a job may start",
     .reference = "a choice of the site",
     .offset = JOBS(lives),
     COMMON},
    {.name = "warning",
     .kind = MSW_INTEGER,
     .max = 65535,
     .def = 0,
     .doc = "seconds before the time limit at which a job finishes; 0: 120, or a quarter of the "
            "limit when that is less",
     .reference = "a choice of the site",
     .offset = JOBS(warning),
     COMMON},
    {0},
};

static const char *const SUBMIT_KEYS[] = {"sbatch", "prologue", NULL};

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
    msw_params_defaults(SUBMIT_PARAMS, &l->plan->jobs);
    if (!map || !msw_loader_is(l, map, MSW_NODE_MAP, "submit"))
        return;
    msw_loader_table(l, map, SUBMIT_PARAMS, &l->plan->jobs, "submit", SUBMIT_KEYS);
    read_text(l, map, "sbatch", &l->plan->jobs.sbatch);
    read_text(l, map, "prologue", &l->plan->jobs.prologue);
}

static const char *const KEYS[] = {
    "sweep",    "description", "extends",    "mechanism",  "preset", "workloads",
    "fidelity", "sampling",    "design",     "vary",       "split",  "fix",
    "where",    "derive",      "subject_to", "objectives", "seed",   "replicates",
    "corpus",   "submit",      "auto",       "by",         "keep",   NULL,
};

enum { NAME_MAX_SIZE = 64 };

bool msw_sweep_name_is(const char *name)
{
    static const char LETTERS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t size = strlen(name);
    return size > 0 && size <= NAME_MAX_SIZE && name[0] != '.' && name[0] != '-' &&
           strspn(name, LETTERS) == size;
}

const char *msw_sweep_name_taken(const char *name)
{
    static const char *const TAKEN[] = {"msw_", "points_", "detail_", "sqlite_", "pragma_"};
    for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
        if (strncasecmp(name, TAKEN[i], strlen(TAKEN[i])) == 0)
            return TAKEN[i];
    return NULL;
}

static void read_name(msw_loader *l)
{
    const msw_node *node = msw_loader_top(l, "sweep");
    if (!node) {
        msw_loader_say(l, l->root, "no name: a sweep starts with 'sweep: <name>'");
        return;
    }
    const char *name = msw_loader_word(l, node, "sweep");
    if (name && !msw_sweep_name_is(name))
        msw_loader_say(l, node,
                       "sweep name '%s': at most 64 letters, digits, '-', '_' and '.', not "
                       "starting with '-' or '.'",
                       name);
    else if (name && msw_sweep_name_taken(name))
        msw_loader_say(l, node,
                       "sweep name '%s': names that start with %s belong to the tables of a "
                       "database",
                       name, msw_sweep_name_taken(name));
    else if (name && !(l->plan->name = msw_strdup(name)))
        msw_loader_memory(l);
}

static void read_mechanism(msw_loader *l)
{
    size_t i = msw_node_find(l->root, "mechanism");
    const msw_node *node = i < l->root->count ? l->root->items[i] : NULL;
    /* YAML takes the name of the mechanism `null` for its own word for nothing. */
    if (node && node->kind == MSW_NODE_NULL && (l->plan->mech = msw_mech_find(node->text)))
        return;
    if (!node || node->kind == MSW_NODE_NULL) {
        msw_loader_say(l, l->root,
                       "no mechanism: write 'mechanism: <name>' ('memsweep list' "
                       "shows all)");
        return;
    }
    if (node->kind == MSW_NODE_MAP) {
        msw_loader_program(l, node);
        return;
    }
    const char *name = msw_loader_word(l, node, "mechanism");
    if (name && strncmp(name, MSW_EXTERNAL_WORD "_", sizeof MSW_EXTERNAL_WORD) == 0) {
        msw_loader_say(l, node,
                       "mechanism '%s' is an imported table: its rows are read with query, pareto, "
                       "sensitivity or report, and nothing computes more of them",
                       name);
        return;
    }
    if (!name || (l->plan->mech = msw_mech_find(name)))
        return;
    const char *names[64];
    size_t count = 0;
    for (; count < 63 && msw_mechs[count]; count++)
        names[count] = msw_mechs[count]->name;
    names[count] = NULL;
    msw_loader_unknown(l, node, "mechanism", names, sizeof *names);
}

/* A sweep at `auto` is read as one of the closed form; exploring makes two sweeps of it. */
static bool parse_fidelity(const char *word, msw_plan *plan)
{
    bool is_auto = strcmp(word, "auto") == 0;
    plan->part = is_auto ? MSW_PART_AUTO : MSW_PART_NONE;
    plan->fidelity = MSW_ANALYTIC;
    for (int f = 0; f < MSW_FIDELITY_COUNT && !is_auto; f++)
        if (strcmp(word, msw_fidelity_name((msw_fidelity)f)) == 0) {
            plan->fidelity = (msw_fidelity)f;
            return true;
        }
    return is_auto;
}

static void read_fidelity(msw_loader *l)
{
    static const char *const NAMES[] = {"analytic", "sampled", "full", "auto", NULL};
    const msw_node *node = msw_loader_top(l, "fidelity");
    const char *word = node ? msw_loader_word(l, node, "fidelity") : NULL;
    if (word && !parse_fidelity(word, l->plan))
        msw_loader_unknown(l, node, "fidelity", NAMES, sizeof *NAMES);
    const char *asked = l->options ? l->options->fidelity : NULL;
    msw_node option = {.file = l->path, .text = asked};
    if (asked && !parse_fidelity(asked, l->plan))
        msw_loader_unknown(l, &option, "fidelity", NAMES, sizeof *NAMES);
}

/* Fidelities of a program are those of its definition. */
static void check_program(msw_loader *l)
{
    const msw_program *p = l->plan->program;
    msw_fidelity other = l->plan->part == MSW_PART_AUTO ? MSW_FULL : l->plan->fidelity;
    if (!msw_loader_top(l, "fidelity") && !(l->options && l->options->fidelity) &&
        !p->fidelities[MSW_ANALYTIC].declared)
        other = l->plan->fidelity = MSW_FULL;
    if (!p->fidelities[l->plan->fidelity].declared || !p->fidelities[other].declared)
        msw_loader_say(
            l, msw_loader_key(l, "fidelity"),
            "program '%s' has no command for fidelity %s: its definition has %s%s%s",
            p->external->name, msw_plan_fidelity(l->plan),
            p->fidelities[MSW_ANALYTIC].declared ? "analytic" : "",
            p->fidelities[MSW_ANALYTIC].declared && p->fidelities[MSW_FULL].declared ? " and " : "",
            p->fidelities[MSW_FULL].declared ? "full" : "");
}

/* `by: hand`: what a mechanism of memsweep's own answers in full comes from elsewhere. */
static void read_by(msw_loader *l)
{
    const msw_node *node = msw_loader_top(l, "by");
    const char *word = node ? msw_loader_word(l, node, "by") : NULL;
    msw_plan *plan = l->plan;
    plan->by_hand = plan->program && plan->program->by_hand;
    if (!word)
        return;
    if (strcmp(word, "hand") != 0)
        msw_loader_say(l, node, "by: found '%s', allowed is hand", word);
    else if (plan->program && !plan->by_hand)
        msw_loader_say(l, node, "by: hand: the program's own definition says so, or not");
    else if (plan->part != MSW_PART_AUTO && plan->fidelity != MSW_FULL && !plan->by_hand)
        msw_loader_say(l, node, "by: hand: answers in full are told: 'fidelity: full' or auto");
    else
        plan->by_hand = true;
}

static void check_fidelity(msw_loader *l)
{
    const msw_mech *mech = l->plan->mech;
    bool cycles = l->plan->fidelity != MSW_ANALYTIC;
    if (l->plan->program) {
        check_program(l);
        return;
    }
    if (mech && l->plan->part == MSW_PART_AUTO && mech->analytic && !mech->measure)
        cycles = true;
    if (!mech || (cycles ? mech->measure != NULL : mech->analytic != NULL))
        return;
    msw_loader_say(l, msw_loader_key(l, "fidelity"), "mechanism '%s' has no %s model", mech->name,
                   cycles ? "cycle" : "analytic");
}

static void read_run_setting(msw_loader *l, const msw_param *param, msw_settings *settings)
{
    const msw_node *node = msw_loader_top(l, param->name);
    double value;
    if (node && msw_loader_value(l, param, node, &value))
        msw_param_set(param, settings, value);
}

/* Metrics other than the primary one whose intervals must meet the target. */
static void read_sampled_metric(msw_loader *l, const msw_node *node)
{
    const msw_mech *mech = l->plan->mech;
    const char *name = msw_loader_word(l, node, "sampling.metrics");
    int m = name ? msw_metrics_find(mech->metrics, name) : -1;
    if (name && m < 0)
        msw_loader_unknown(l, node, "metric", &mech->metrics[0].name, sizeof *mech->metrics);
    else if (m >= 0 && mech->metrics[m].kind == MSW_MAXIMUM)
        msw_loader_say(l, node, "sampling.metrics: '%s' is a maximum, which has no interval", name);
    else if (m >= 0)
        l->plan->sampling.metrics[m / 64] |= (uint64_t)1 << m % 64;
}

static void read_sampled_metrics(msw_loader *l, const msw_node *sampling)
{
    const msw_node *list = msw_node_get(sampling, "metrics");
    if (!list || !l->plan->mech || !msw_loader_is(l, list, MSW_NODE_LIST, "sampling.metrics"))
        return;
    for (size_t i = 0; i < list->count; i++)
        read_sampled_metric(l, list->items[i]);
}

static void read_settings(msw_loader *l)
{
    static const char *const OTHERS[] = {"metrics", NULL};
    msw_settings s;
    msw_params_defaults(msw_sampling_params, &s);
    msw_params_defaults(msw_run_params, &s);
    const msw_node *sampling = msw_loader_top(l, "sampling");
    if (sampling && msw_loader_is(l, sampling, MSW_NODE_MAP, "sampling"))
        msw_loader_table(l, sampling, msw_sampling_params, &s, "sampling", OTHERS);
    for (const msw_param *p = msw_run_params; p->name; p++)
        read_run_setting(l, p, &s);
    if (l->options && l->options->seed >= 0)
        s.seed = l->options->seed;
    l->plan->sampling = (msw_sampling){.confidence = s.confidence,
                                       .target = s.target,
                                       .pilot = s.pilot,
                                       .seed = (uint64_t)s.unit_seed};
    if (sampling && sampling->kind == MSW_NODE_MAP)
        read_sampled_metrics(l, sampling);
    msw_loader_auto(l);
    l->plan->event_budget = (uint64_t)s.event_budget;
    l->plan->seed = (uint64_t)s.seed;
    l->plan->replicates = (uint64_t)s.replicates;
}

void msw_step_head(msw_loader *l)
{
    msw_loader_check_keys(l, l->root, KEYS);
    const msw_node *description = msw_loader_top(l, "description");
    if (description)
        msw_loader_is(l, description, MSW_NODE_SCALAR, "description");
    read_name(l);
    read_mechanism(l);
    read_fidelity(l);
    check_fidelity(l);
    read_by(l);
    read_settings(l);
}

/* SPDX-License-Identifier: MIT */
/* Connects the ranks of a run, shares texts among them, and checks that all mean the same. */
#include "memsweep/run/ranks.h"

#include "run/message.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 64 };

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Set by Open MPI, by PMI launchers (MPICH, Slurm's pmi2) and by PMIx launchers (Slurm's pmix). */
static bool is_launched(void)
{
    static const char *const NAMES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK",
                                        "PMIX_RANK"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (getenv(NAMES[i]))
            return true;
    return false;
}

/* Processes the launcher says it started; only a step of srun sets the last one. */
static long copies(void)
{
    static const char *const NAMES[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    long most = 1;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (number(NAMES[i]) > most)
            most = number(NAMES[i]);
    return most;
}

static int refuse_copies(msw_err *err)
{
    if (!msw_comm_possible())
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%ld copies were started, but this memsweep was built without MPI: "
                             "start one, or build with MPI",
                             copies());
    return msw_fail(err,
                    "%ld copies were started that do not see one another: start them with "
                    "'mpirun -n %ld memsweep ...' or 'srun --mpi=pmix ...'",
                    copies(), copies());
}

int msw_ranks_open(msw_ranks *ranks, msw_err *err)
{
    *ranks = (msw_ranks){.size = 1};
    if (msw_comm_possible() && is_launched()) {
        if (msw_comm_open(&ranks->comm, err))
            return -1;
        ranks->rank = msw_comm_rank(ranks->comm);
        ranks->size = msw_comm_size(ranks->comm);
    }
    if (ranks->size > 1 || copies() == 1)
        return 0;
    msw_ranks_close(ranks);
    return refuse_copies(err);
}

void msw_ranks_close(msw_ranks *ranks)
{
    msw_comm_close(ranks->comm);
    ranks->comm = NULL;
}

bool msw_ranks_are_apart(const msw_ranks *ranks)
{
    return ranks->comm && msw_comm_is_apart(ranks->comm);
}

/* The others are in the next exchange, or will be. */
static int fail_apart(const msw_ranks *ranks, msw_err *err)
{
    msw_fail_memory(err);
    return msw_comm_part(ranks->comm);
}

void msw_ranks_abort(const msw_ranks *ranks, int code)
{
    msw_comm_abort(ranks->comm, code);
}

int msw_ranks_beside(void)
{
    long open_mpi = number("OMPI_COMM_WORLD_LOCAL_SIZE"), mpich = number("MPI_LOCALNRANKS");
    long most = open_mpi > mpich ? open_mpi : mpich;
    return most > 1 ? (int)most : 1;
}

static int share_size(const msw_ranks *ranks, int *code, uint64_t *size, msw_err *err)
{
    uint64_t head[2] = {(uint64_t)*code, *size};
    if (msw_comm_share(ranks->comm, head, sizeof head, err))
        return -1;
    *code = (int)head[0];
    *size = head[1];
    return *code ? -1 : 0;
}

int msw_ranks_share(const msw_ranks *ranks, int *code, msw_text *text, msw_err *err)
{
    uint64_t size = text->size;
    if (ranks->size == 1)
        return *code ? -1 : 0;
    if (share_size(ranks, code, &size, err))
        return -1;
    if (ranks->rank) {
        *text = (msw_text){.data = calloc(size + 1, 1), .size = size, .capacity = size + 1};
        if (!text->data)
            return fail_apart(ranks, err);
    }
    return msw_comm_share(ranks->comm, text->data, size, err);
}

int msw_ranks_share_todo(const msw_ranks *ranks, int *code, msw_todo *todo, msw_err *err)
{
    uint64_t words = todo->bitmap ? todo->points / 64 + 1 : 0;
    if (ranks->size == 1)
        return *code ? -1 : 0;
    if (share_size(ranks, code, &words, err))
        return -1;
    uint64_t *bitmap = todo->bitmap;
    if (ranks->rank && words && !(bitmap = calloc(words, sizeof *bitmap)))
        return fail_apart(ranks, err);
    int rc = msw_comm_share(ranks->comm, todo, sizeof *todo, err);
    todo->bitmap = bitmap;
    return rc ? rc : msw_comm_share(ranks->comm, bitmap, words * sizeof *bitmap, err);
}

static int compare(const char *values, int size, const char *what, msw_err *err)
{
    for (int r = 1; r < size; r++)
        if (strcmp(values, values + (size_t)r * VALUE_BYTES) != 0)
            return msw_fail_kind(err, MSW_ERR_IO,
                                 "the ranks disagree about the %s: rank 0 has %s, rank %d has %s",
                                 what, values, r, values + (size_t)r * VALUE_BYTES);
    return 0;
}

int msw_ranks_agree(const msw_ranks *ranks, const char *what, const char *value, msw_err *err)
{
    char mine[VALUE_BYTES] = "";
    if (ranks->size == 1)
        return 0;
    char *all = calloc((size_t)ranks->size, VALUE_BYTES);
    if (!all)
        return fail_apart(ranks, err);
    msw_text_fit(mine, sizeof mine, value);
    int rc = msw_comm_gather(ranks->comm, mine, all, VALUE_BYTES, err);
    if (rc == 0)
        rc = compare(all, ranks->size, what, err);
    free(all);
    return rc;
}

/* Contents are compared by themselves first: that says more than that the plans differ. */
int msw_ranks_agree_plan(const msw_ranks *ranks, const msw_plan *plan, msw_err *err)
{
    char text[MSW_DIGEST_TEXT] = "none";
    msw_digest contents = {0};
    for (size_t w = 0; plan && w < plan->workload_count; w++)
        contents = msw_hash_pair(contents, plan->workloads[w].digest);
    for (size_t w = 0; plan && w < plan->corpus.count; w++)
        contents = msw_hash_pair(contents, plan->corpus.workloads[w].digest);
    if (plan)
        msw_digest_text(contents, text);
    if (msw_ranks_agree(ranks, "contents of the workloads", text, err))
        return -1;
    return msw_ranks_agree(ranks, "plan", plan ? msw_digest_text(plan->digest, text) : "none", err);
}

/* All mechanisms and front ends, and what their answers depend on. */
static msw_digest registry_digest(void)
{
    msw_digest all = {0};
    for (size_t m = 0; msw_mechs[m]; m++) {
        for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
            all = msw_hash_pair(all, msw_mech_model(msw_mechs[m], (msw_fidelity)f));
    }
    for (size_t f = 0; msw_frontends[f]; f++) {
        int64_t version = msw_frontends[f]->version;
        all = msw_hash_pair(all, msw_hash_string(msw_frontends[f]->name));
        all = msw_hash_pair(all, msw_hash_bytes(&version, sizeof version));
    }
    return all;
}

int msw_ranks_agree_build(const msw_ranks *ranks, msw_err *err)
{
    char layout[VALUE_BYTES], registry[MSW_DIGEST_TEXT];
    msw_message_schema(layout, sizeof layout);
    msw_digest_text(registry_digest(), registry);
    MSW_TRY(msw_ranks_agree(ranks, "version of memsweep", MEMSWEEP_VERSION, err));
    MSW_TRY(msw_ranks_agree(ranks, "layout of messages", layout, err));
    return msw_ranks_agree(ranks, "mechanisms built in", registry, err);
}

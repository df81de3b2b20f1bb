/* SPDX-License-Identifier: MIT */
/* Packing, step by step. What was written is read back as a replay would read it before it gets its
 * place: an archive that does not give the same plan is never left. */
#include "memsweep/format/outfile.h"
#include "pack/parts.h"

#include <stdlib.h>
#include <string.h>

void msw_pack_made_free(msw_pack_made *made)
{
    free(made->path);
    *made = (msw_pack_made){0};
}

static int plan(msw_pack_job *job, msw_messages *messages)
{
    const msw_pack_ask *ask = job->ask;
    msw_file_source files = msw_bundle_recorder(&job->recorder);
    msw_plan_options options = {.data_dirs = ask->context->data_dirs,
                                .fidelity = ask->fidelity,
                                .seed = ask->seed,
                                .files = &files};
    return msw_plan_load(ask->sweep, &options, &job->plan, messages);
}

static int find_output(msw_pack_job *job)
{
    const msw_pack_ask *ask = job->ask;
    job->made->path = ask->output
                          ? msw_strdup(ask->output)
                          : msw_strfmt("%s/%s.zip", ask->context->results_dir, job->plan->name);
    if (!job->made->path)
        return msw_fail_memory(job->err);
    if (msw_outfile_check(job->made->path, MSW_OUTPUT_PACK, NULL, job->err))
        return -1;
    job->folder = msw_temp_folder(job->err);
    job->database = job->folder ? msw_strfmt("%s/" MSW_PACKED_DATABASE, job->folder) : NULL;
    return !job->folder ? -1 : job->database ? 0 : msw_fail_memory(job->err);
}

/* What a program says of itself is part of keys, and no archive may start it to ask. */
static int check_program(const msw_pack_job *job)
{
    const msw_program *p = job->plan->program;
    if (!p || !p->version)
        return 0;
    return msw_fail(job->err,
                    "%s has a version command, whose words no archive can check: a sweep is packed "
                    "without 'version' (the executable's digest stays in it)",
                    p->path);
}

static int gather(msw_pack_job *job)
{
    MSW_TRY(check_program(job));
    MSW_TRY(find_output(job));
    MSW_TRY(msw_pack_inputs(job));
    MSW_TRY(msw_pack_database(job));
    MSW_TRY(msw_pack_pictures(job));
    MSW_TRY(msw_pack_versions(job));
    MSW_TRY(msw_pack_readme(job));
    MSW_TRY(msw_pack_crate(job));
    return 0;
}

/* ---- the archive ---- */

enum { ABOUT = 3 }; /* the last members: versions, README, crate */

/* What says what the archive is comes first. */
static int write_members(const msw_pack_job *job, msw_zip_writer *w)
{
    for (size_t i = 0; i < job->count; i++) {
        const msw_pack_member *m = &job->members[i < ABOUT ? job->count - 1 - i : i - ABOUT];
        if (msw_zip_add(w, m->name, m->bytes, m->size, job->err))
            return -1;
    }
    return msw_zip_end(w, MSW_PACKED_MARK, job->err);
}

static int compose(const msw_pack_job *job, msw_text *bytes)
{
    msw_zip_writer w = {.out = open_memstream(&bytes->data, &bytes->size)};
    if (!w.out)
        return msw_fail_memory(job->err);
    int rc = write_members(job, &w);
    msw_zip_drop(&w);
    if (fclose(w.out) && rc == 0)
        rc = msw_fail_memory(job->err);
    return rc;
}

static int load(const msw_pack_job *job, const msw_packed *packed, msw_plan **plan)
{
    msw_plan_options options;
    msw_messages messages = {0};
    if (msw_packed_options(packed, &options, job->err))
        return -1;
    int rc = msw_plan_load(packed->sweep, &options, plan, &messages);
    if (rc)
        msw_messages_fail(&messages, job->err);
    msw_text_free(&messages.text);
    return rc;
}

/* A path that leads somewhere else there, for one, is seen here and not on another machine. */
static int read_back(const msw_pack_job *job, const msw_text *bytes)
{
    msw_packed packed;
    msw_plan *again = NULL;
    if (msw_packed_read(&packed, job->made->path, bytes->data, bytes->size, job->err))
        return -1;
    int rc = load(job, &packed, &again);
    if (rc == 0 && !msw_digest_equal(again->digest, job->plan->digest))
        rc = msw_fail(job->err, "the files in the archive make another sweep");
    msw_plan_free(again);
    msw_packed_close(&packed);
    return rc ? msw_fail_prefix(job->err, "it could not be replayed: ") : 0;
}

static int put(msw_pack_job *job)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    int rc = -1;
    if (compose(job, &bytes) || read_back(job, &bytes) ||
        msw_outfile_write(job->made->path, MSW_OUTPUT_PACK, NULL, &bytes, job->err))
        goto done;
    rc = 0;
done:
    job->made->bytes = bytes.size;
    free(bytes.data);
    return rc;
}

static void drop(msw_pack_job *job)
{
    msw_pack_free_members(job);
    msw_temp_remove(job->folder);
    free(job->database);
    free(job->called);
    msw_table_free(&job->runs);
    msw_plan_free(job->plan);
    msw_text_free(&job->recorder.bytes);
    msw_arena_free(&job->arena);
}

int msw_pack(const msw_pack_ask *ask, msw_pack_made *made, msw_messages *messages, msw_err *err)
{
    msw_pack_job job = {.ask = ask, .made = made, .err = err};
    *made = (msw_pack_made){0};
    int rc = -1;
    if (plan(&job, messages) || gather(&job) || put(&job))
        goto done;
    rc = 0;
done:
    drop(&job);
    if (rc)
        msw_pack_made_free(made);
    return rc;
}

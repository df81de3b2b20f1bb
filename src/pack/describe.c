/* SPDX-License-Identifier: MIT */
/* versions.json: what the answers depend on, what a replay has to give, and a digest of each file.
 */
#include "memsweep/base/quote.h"
#include "memsweep/sweep/versions.h"
#include "pack/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/utsname.h>

const char *msw_machine(char name[64])
{
    struct utsname system;
    msw_text_fit(name, 64, uname(&system) == 0 ? system.machine : "unknown");
    return name;
}

static void add_pair(msw_text *out, const char *before, const char *key, const char *value)
{
    msw_text_add(out, "%s", before);
    msw_text_add_json(out, key);
    msw_text_add(out, ": ");
    if (value)
        msw_text_add_json(out, value);
    else
        msw_text_add(out, "null");
}

static void add_digest(msw_text *out, const char *before, msw_digest digest)
{
    char text[MSW_DIGEST_TEXT];
    add_pair(out, before, "digest", msw_digest_text(digest, text));
}

static void add_program(const msw_pack_job *job, msw_text *out)
{
    char machine[64];
    const msw_pack_program *p = &job->ask->program;
    add_pair(out, "  \"packed_by\": {", "version", p->version);
    add_pair(out, ", ", "revision", p->revision);
    add_pair(out, ", ", "compiler", p->compiler);
    add_pair(out, ", ", "architecture", msw_machine(machine));
    msw_text_add(out, "},\n");
}

static const char *text_at(const msw_column *c, size_t row)
{
    return c->labels && c->values[row] >= 0 ? c->labels[(size_t)c->values[row]] : NULL;
}

static void add_runs(const msw_pack_job *job, msw_text *out)
{
    const msw_table *t = &job->runs;
    msw_text_add(out, "  \"computed_by\": [");
    for (size_t r = 0; r < t->rows; r++) {
        add_pair(out, r ? ",\n    {" : "\n    {", "version", text_at(&t->columns[0], r));
        add_pair(out, ", ", "compiler", text_at(&t->columns[1], r));
        add_pair(out, ", ", "revision", text_at(&t->columns[2], r));
        msw_text_add(out, ", \"runs\": %.0f}", t->columns[3].values[r]);
    }
    msw_text_add(out, "\n  ],\n");
}

static void add_sweep(const msw_pack_job *job, msw_text *out)
{
    char seed[32];
    const msw_pack_ask *ask = job->ask;
    snprintf(seed, sizeof seed, "%" PRId64, ask->seed);
    add_pair(out, "  \"sweep\": {", "name", job->plan->name);
    add_pair(out, ", ", "file", job->sweep);
    add_digest(out, ", ", job->plan->digest);
    msw_text_add(out, ", \"points\": %" PRIu64, job->plan->points);
    msw_text_add(out, ", \"folders\": [");
    for (size_t i = 0; i < job->folder_count; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_json(out, job->folders[i]);
    }
    msw_text_add(out, "]");
    add_pair(out, ", ", "fidelity", ask->fidelity);
    add_pair(out, ", ", "seed", ask->seed >= 0 ? seed : NULL);
    msw_text_add(out, "},\n  \"versions\": ");
    msw_plan_versions(job->plan, out);
    msw_text_add(out, ",\n  \"rows\": {\"count\": %" PRIu64, job->made->rows);
    add_digest(out, ", ", job->made->digest);
    msw_text_add(out, "},\n");
}

static void add_files(const msw_pack_job *job, msw_text *out)
{
    msw_text_add(out, "  \"files\": [");
    for (size_t i = 0; i < job->count; i++) {
        const msw_pack_member *m = &job->members[i];
        add_pair(out, i ? ",\n    {" : "\n    {", "name", m->name);
        msw_text_add(out, ", \"bytes\": %zu", m->size);
        add_digest(out, ", ", msw_hash_bytes(m->bytes, m->size));
        if (m->origin)
            add_pair(out, ", ", "command", m->origin);
        msw_text_add(out, "}");
    }
    msw_text_add(out, "\n  ]\n}\n");
}

int msw_pack_versions(msw_pack_job *job)
{
    msw_text out = MSW_TEXT_EMPTY;
    msw_text_add(&out, "{\n  \"memsweep_pack\": %d,\n", MSW_PACKED_FORMAT);
    add_program(job, &out);
    add_runs(job, &out);
    add_sweep(job, &out);
    add_files(job, &out);
    return msw_pack_add_text(job, MSW_PACKED_VERSIONS, "application/json", "versions", &out);
}

/* SPDX-License-Identifier: MIT */
/* ro-crate-metadata.json: RO-Crate 1.1 (https://w3id.org/ro/crate/1.1), a graph of JSON-LD in which
 * each file, the program and the act of computing are entities with words of schema.org. */
#include "memsweep/base/quote.h"
#include "pack/parts.h"

#include <string.h>

static void add_id(msw_text *out, const char *id)
{
    msw_text_add(out, "{\"@id\": ");
    msw_text_add_json(out, id);
    msw_text_add(out, "}");
}

/* Identifiers are relative URIs: what is not a plain character of one is written %XX. */
static const char *id_of(const char *name, msw_text *id)
{
    static const char PLAIN[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./@";
    msw_text_clear(id);
    for (; *name; name++)
        msw_text_add(id, strchr(PLAIN, *name) ? "%c" : "%%%02X", (unsigned char)*name);
    return msw_text_str(id);
}

static bool is_role(const msw_pack_member *m, const char *roles)
{
    return strstr(roles, m->role) != NULL;
}

/* A list of the members of some roles. */
static void add_list(const msw_pack_job *job, const char *key, const char *roles, msw_text *out)
{
    const char *before = "";
    msw_text id = MSW_TEXT_EMPTY;
    msw_text_add(out, ",\n      ");
    msw_text_add_json(out, key);
    msw_text_add(out, ": [");
    for (size_t i = 0; i < job->count; i++)
        if (is_role(&job->members[i], roles)) {
            msw_text_add(out, "%s", before);
            add_id(out, id_of(job->members[i].name, &id));
            before = ", ";
        }
    msw_text_add(out, "]");
    out->failed = out->failed || id.failed;
    msw_text_free(&id);
}

static const char *about(const msw_pack_job *job, const msw_pack_member *m)
{
    if (is_role(m, "input"))
        return m->name == job->sweep ? "the sweep file" : "a file that the sweep is read from";
    if (is_role(m, "result"))
        return "all rows of the sweep: a SQLite database that describes its own columns";
    if (is_role(m, "versions"))
        return "versions of all that the answers depend on, digest of the rows, digests of files";
    return m->origin ? m->origin : "what this archive is, for people";
}

static void add_file(const msw_pack_job *job, const msw_pack_member *m, msw_text *out)
{
    msw_text id = MSW_TEXT_EMPTY;
    msw_text_add(out, ",\n    {\"@id\": ");
    msw_text_add_json(out, id_of(m->name, &id));
    msw_text_add(out, ", \"@type\": \"File\", \"name\": ");
    msw_text_add_json(out, m->name);
    msw_text_add(out, ", \"description\": ");
    msw_text_add_json(out, about(job, m));
    msw_text_add(out, ", \"encodingFormat\": ");
    msw_text_add_json(out, m->type);
    msw_text_add(out, ", \"contentSize\": \"%zu\"}", m->size);
    out->failed = out->failed || id.failed;
    msw_text_free(&id);
}

static void add_root(const msw_pack_job *job, msw_text *out)
{
    const msw_plan *plan = job->plan;
    msw_text_add(out, "    {\n      \"@id\": \"./\",\n      \"@type\": \"Dataset\",\n"
                      "      \"name\": ");
    msw_text_add_json(out, plan->name);
    msw_text_add(out, ",\n      \"description\": ");
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text,
                 "A sweep (%s) with all that it was read from and its rows; 'memsweep "
                 "replay' computes the rows anew and compares their digest.",
                 plan->mech->title && *plan->mech->title ? plan->mech->title : plan->mech->name);
    msw_text_add_json(out, msw_text_str(&text));
    msw_text_free(&text);
    msw_text_add(out, ",\n      \"datePublished\": ");
    msw_text_add_json(out, job->date);
    add_list(job, "hasPart", "input result figure page versions about", out);
    msw_text_add(out, ",\n      \"mentions\": {\"@id\": \"#run\"}\n    }");
}

static void add_action(const msw_pack_job *job, msw_text *out)
{
    msw_text_add(out,
                 ",\n    {\n      \"@id\": \"#run\",\n      \"@type\": \"CreateAction\",\n      "
                 "\"name\": \"memsweep run\",\n      \"endTime\": ");
    msw_text_add_json(out, job->date);
    msw_text_add(out, ",\n      \"instrument\": {\"@id\": \"#memsweep\"}");
    add_list(job, "object", "input", out);
    add_list(job, "result", "result figure page", out);
    msw_text_add(out, "\n    },\n    {\"@id\": \"#memsweep\", \"@type\": \"SoftwareApplication\", "
                      "\"name\": \"memsweep\", \"softwareVersion\": ");
    msw_text_add_json(out, job->ask->program.version);
    msw_text_add(out, "}");
}

int msw_pack_crate(msw_pack_job *job)
{
    msw_text out = MSW_TEXT_EMPTY;
    msw_text_add(&out, "{\n  \"@context\": \"https://w3id.org/ro/crate/1.1/context\",\n"
                       "  \"@graph\": [\n"
                       "    {\n      \"@id\": \"" MSW_PACKED_CRATE "\",\n"
                       "      \"@type\": \"CreativeWork\",\n"
                       "      \"conformsTo\": {\"@id\": \"https://w3id.org/ro/crate/1.1\"},\n"
                       "      \"about\": {\"@id\": \"./\"}\n    },\n");
    add_root(job, &out);
    add_action(job, &out);
    for (size_t i = 0; i < job->count; i++)
        add_file(job, &job->members[i], &out);
    msw_text_add(&out, "\n  ]\n}\n");
    return msw_pack_add_text(job, MSW_PACKED_CRATE, "application/ld+json", "crate", &out);
}

/* SPDX-License-Identifier: MIT */
/* README.md: what is in the archive, for somebody who has no memsweep yet. */
#include "memsweep/base/quote.h"
#include "pack/parts.h"

#include <inttypes.h>
#include <string.h>

static void add_head(const msw_pack_job *job, msw_text *out)
{
    char rows[32], points[32], digest[MSW_DIGEST_TEXT], machine[64];
    const msw_pack_made *made = job->made;
    msw_text_add(out, "# Sweep ");
    msw_text_add_markdown(out, job->plan->name);
    msw_text_add(out,
                 "\n\n%s rows of a plan of %s points; mechanism %s, fidelity %s. Digest of the "
                 "rows: `%s`.\n\n",
                 msw_count_text(made->rows, rows), msw_count_text(made->points, points),
                 job->plan->mech->name, msw_fidelity_name(job->plan->fidelity),
                 msw_digest_text(made->digest, digest));
    msw_text_add(out,
                 "Packed by memsweep %s on %s. `memsweep replay THIS-ARCHIVE` computes all rows "
                 "anew from the files in here and compares their digest with this one; it says "
                 "first which versions of models, parts and machine are others "
                 "(`--only-check`: says no more than that). The archive need not be unpacked.\n\n",
                 job->ask->program.version, msw_machine(machine));
}

static void add_files(const msw_pack_job *job, msw_text *out)
{
    msw_text_add(out, "| file | bytes | what it is |\n|---|---|---|\n");
    for (size_t i = 0; i < job->count; i++) {
        const msw_pack_member *m = &job->members[i];
        msw_text_add(out, "| ");
        msw_text_add_markdown(out, m->name);
        msw_text_add(out, " | %zu | ", m->size);
        msw_text_add_markdown(out, m->origin                       ? m->origin
                                   : m->name == job->sweep         ? "the sweep file"
                                   : strcmp(m->role, "input") == 0 ? "read by the sweep"
                                   : strcmp(m->role, "result") == 0
                                       ? "the rows, a SQLite database: memsweep query, plot, ..."
                                       : "what the answers depend on; digests of these files");
        msw_text_add(out, " |\n");
    }
}

int msw_pack_readme(msw_pack_job *job)
{
    msw_text out = MSW_TEXT_EMPTY;
    add_head(job, &out);
    add_files(job, &out);
    msw_text_add(
        &out, "\nIn a folder that it is unpacked to, `memsweep query results.db` shows rows, and "
              "the commands in the table make page and figures anew. `" MSW_PACKED_CRATE
              "` says the same for programs (RO-Crate 1.1). This file and that one may be "
              "edited: no digest covers them.\n");
    return msw_pack_add_text(job, "README.md", "text/markdown", "about", &out);
}

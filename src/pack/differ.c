/* SPDX-License-Identifier: MIT */
/* Versions there and here, by name. */
#include "memsweep/base/json.h"
#include "memsweep/base/quote.h"
#include "memsweep/sweep/versions.h"
#include "pack/packed_parts.h"

#include <string.h>

static void add_line(msw_text *lines, const char *what, const char *there, const char *here)
{
    msw_text_add_visible(lines, what);
    msw_text_add(lines, ": packed with ");
    msw_text_add_visible(lines, there);
    msw_text_add(lines, ", here ");
    msw_text_add_visible(lines, here);
    msw_text_add(lines, "\n");
}

static const char *version_of(const msw_json *models, const char *name)
{
    const msw_json *found = msw_json_find(models, name);
    return found ? found->text : "none";
}

/* Both ways: what is new here counts, too. */
static size_t differ_models(const msw_json *there, const msw_json *here, msw_text *lines)
{
    size_t count = 0;
    for (const msw_json *m = there->first; m; m = m->next)
        if (strcmp(version_of(here, m->key), m->text) != 0) {
            add_line(lines, m->key, m->text, version_of(here, m->key));
            count++;
        }
    for (const msw_json *m = here->first; m; m = m->next)
        if (!msw_json_find(there, m->key)) {
            add_line(lines, m->key, "none", m->text);
            count++;
        }
    return count;
}

static size_t differ_plan(const msw_packed *p, const msw_plan *plan, msw_text *lines)
{
    msw_arena arena = {0};
    msw_text text = MSW_TEXT_EMPTY;
    msw_plan_versions(plan, &text);
    const msw_json *here = msw_json_read("versions", msw_text_str(&text), text.size, &arena, NULL);
    size_t count = here ? differ_models(p->facts.models, here, lines) : 0;
    msw_text_free(&text);
    msw_arena_free(&arena);
    return count;
}

/* No version is another one, and yet the sweep: something changed that has no version. */
static size_t differ_digest(const msw_packed *p, const msw_plan *plan, msw_text *lines)
{
    char there[MSW_DIGEST_TEXT], here[MSW_DIGEST_TEXT];
    if (msw_digest_equal(p->facts.plan, plan->digest))
        return 0;
    add_line(lines, "the sweep's digest", msw_digest_text(p->facts.plan, there),
             msw_digest_text(plan->digest, here));
    return 1;
}

size_t msw_packed_differ(const msw_packed *p, const msw_plan *plan, const char *machine,
                         msw_text *lines)
{
    size_t count = 0;
    if (strcmp(p->facts.machine, machine) != 0) {
        add_line(lines, "architecture", p->facts.machine, machine);
        count++;
    }
    count += differ_plan(p, plan, lines);
    return count ? count : differ_digest(p, plan, lines);
}

/* SPDX-License-Identifier: MIT */
/* Makes the rows of the table of effects, also of several factors taken as one: "translation =
 * ptw_count + prmb_slots, tlb_entries + page_size". */
#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void msw_effects_row(msw_effects *job, const msw_slice *slice, const char *name)
{
    msw_fit_row(job->cases, slice, job->builder);
    msw_builder_text(job->builder, "factor", name);
}

void msw_effects_made_row(msw_effects *job, const msw_slice *slice, const msw_text *name)
{
    msw_fit_row(job->cases, slice, job->builder);
    msw_builder_made(job->builder, "factor", name);
}

void msw_effects_used(msw_effects *job, const msw_used *used)
{
    msw_builder_count(job->builder, "used", used->used);
    msw_builder_count(job->builder, "dropped", used->dropped);
    job->last = *used;
}

void msw_effects_factor_names(const msw_slice *slice, uint32_t set, msw_text *out)
{
    const char *before = "";
    for (unsigned f = 0; f < slice->factor_count; f++)
        if (set >> f & 1) {
            msw_text_add(out, "%s%s", before, slice->factors[f]->name);
            before = " * ";
        }
}

static const char BLANK[] = " \t";

/* The text between two places without the blanks around it. */
static void trim(const char *from, const char *end, msw_text *out)
{
    from += strspn(from, BLANK);
    while (end > from && strchr(BLANK, end[-1]))
        end--;
    msw_text_clear(out);
    if (end > from)
        msw_text_add_bytes(out, from, (size_t)(end - from));
}

static int find_factor(const msw_effects *job, const msw_slice *slice, const char *name,
                       uint32_t *set)
{
    for (size_t f = 0; f < slice->factor_count; f++)
        if (strcmp(slice->factors[f]->name, name) == 0) {
            *set |= (uint32_t)1 << f;
            return 0;
        }
    return msw_fail(job->cases->err, "--groups: '%s' is no factor that varies here", name);
}

/* Reads "a + b" up to `end`. */
static int read_members(const msw_effects *job, const msw_slice *slice, const char *at,
                        const char *end, uint32_t *set)
{
    msw_text name = MSW_TEXT_EMPTY;
    int rc = 0;
    *set = 0;
    while (rc == 0 && at <= end) {
        const char *plus = memchr(at, '+', (size_t)(end - at));
        const char *stop = plus ? plus : end;
        trim(at, stop, &name);
        rc = find_factor(job, slice, msw_text_str(&name), set);
        at = stop + 1;
    }
    msw_text_free(&name);
    return rc;
}

static int show_group(msw_effects *job, const msw_slice *slice, const msw_shares *shares,
                      const char *at, const char *end)
{
    uint32_t set, all = ((uint32_t)1 << slice->factor_count) - 1;
    const char *equals = memchr(at, '=', (size_t)(end - at));
    if (read_members(job, slice, equals ? equals + 1 : at, end, &set))
        return -1;
    msw_text name = MSW_TEXT_EMPTY;
    trim(at, equals ? equals : end, &name);
    msw_effects_made_row(job, slice, &name);
    msw_builder_number(job->builder, "first", shares->closed(shares->context, set));
    msw_builder_number(job->builder, "total", 1 - shares->closed(shares->context, all & ~set));
    msw_text_free(&name);
    shares->finish(job, shares);
    return 0;
}

int msw_effects_groups(msw_effects *job, const msw_slice *slice, const msw_shares *shares)
{
    for (const char *at = job->ask.groups; at;) {
        const char *comma = strchr(at, ','), *end = comma ? comma : at + strlen(at);
        if (show_group(job, slice, shares, at, end))
            return -1;
        at = comma ? comma + 1 : NULL;
    }
    return 0;
}

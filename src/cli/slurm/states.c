/* SPDX-License-Identifier: MIT */
#include "cli/slurm/script.h"

#include "memsweep/base/program.h"
#include "memsweep/base/table.h"

#include <string.h>

/* The next line about a job: "15 PENDING Priority". Returns it, or NULL. */
static const char *find_line(const char *lines, const char *job)
{
    size_t size = strlen(job);
    lines += lines && *lines == '\n';
    for (const char *line = lines; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, job, size) == 0 && line[size] == ' ')
            return line + size + 1;
    return NULL;
}

/* States of a job's tasks in the order of squeue, each once with its number when there are several:
 * "2 RUNNING, PENDING (Priority)". A job no longer known has ended. */
static void find_state(const char *lines, const char *job, msw_text *state)
{
    char seen[8][64];
    size_t kinds = 0, counts[8] = {0};
    for (const char *at = find_line(lines, job); at; at = find_line(strchr(at, '\n'), job)) {
        char text[64];
        int word = (int)strcspn(at, " \n"), rest = (int)strcspn(at, "\n");
        bool waits = strncmp(at, "PENDING", 7) == 0 && word + 1 < rest;
        snprintf(text, sizeof text, waits ? "%.*s (%.*s)" : "%.*s", word, at, rest - word - 1,
                 at + word + 1);
        size_t k = 0;
        while (k < kinds && strcmp(seen[k], text) != 0)
            k++;
        if (k == kinds && kinds < 8)
            memcpy(seen[kinds++], text, sizeof text);
        if (k < 8)
            counts[k]++;
        if (!strchr(at, '\n'))
            break;
    }
    for (size_t k = 0; k < kinds; k++) {
        msw_text_add(state, "%s", k ? ", " : "");
        if (counts[k] > 1)
            msw_text_add(state, "%zu ", counts[k]);
        msw_text_add(state, "%s", seen[k]);
    }
    if (!kinds)
        msw_text_add(state, "ended");
}

/* A number of Slurm, with those of an array; the file may hold anything. */
static bool is_job(const char *id)
{
    return *id && strspn(id, "0123456789_+") == strlen(id);
}

/* squeue forgets a job minutes after its end; sacct, where a site has it, does not. */
bool cli_job_cancelled(const char *id)
{
    msw_text lines = MSW_TEXT_EMPTY;
    const char *const sacct[] = {"sacct", "-X", "-n", "-P", "-o", "State", "-j", id, NULL};
    if (!is_job(id))
        return false;
    if (!cli_script_states(id, &lines) || !strchr(msw_text_str(&lines), ' '))
        msw_program_read(sacct, true, &lines);
    bool cancelled = strstr(msw_text_str(&lines), "CANCELLED") != NULL;
    msw_text_free(&lines);
    return cancelled;
}

int cli_add_job_states(msw_table *jobs, msw_err *err)
{
    msw_text ids = MSW_TEXT_EMPTY, lines = MSW_TEXT_EMPTY;
    const int job = msw_table_find(jobs, "job"),
              state = msw_table_add_column(jobs, "state", "", MSW_GOAL_NONE, err);
    int rc = state < 0 ? -1 : 0;
    for (size_t r = 0; r < jobs->rows; r++) {
        const char *id = jobs->columns[job].labels[(size_t)jobs->columns[job].values[r]];
        if (is_job(id))
            msw_text_add(&ids, "%s%s", ids.size ? "," : "", id);
    }
    bool asked = ids.size && cli_script_states(msw_text_str(&ids), &lines);
    for (size_t r = 0; r < jobs->rows && rc == 0; r++) {
        msw_text text = MSW_TEXT_EMPTY;
        const char *id = jobs->columns[job].labels[(size_t)jobs->columns[job].values[r]];
        if (asked && is_job(id))
            find_state(msw_text_str(&lines), id, &text);
        else
            msw_text_add(&text, "unknown");
        int label = msw_column_label(&jobs->columns[state], msw_text_str(&text), err);
        msw_text_free(&text);
        jobs->columns[state].values[r] = label;
        rc = label < 0 ? -1 : 0;
    }
    msw_text_free(&ids);
    msw_text_free(&lines);
    return rc;
}

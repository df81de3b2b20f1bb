#include "cli/slurm/script.h"

#include "memsweep/base/table.h"

#include <string.h>

/* "15 RUNNING" per line; a job no longer known has ended. Returns its state. */
static void find_state(const char *lines, const char *job, char state[32])
{
    size_t size = strlen(job);
    snprintf(state, 32, "ended");
    for (const char *line = lines; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, job, size) == 0 && line[size] == ' ') {
            snprintf(state, 32, "%.*s", (int)strcspn(line + size + 1, "\n"), line + size + 1);
            return;
        }
}

/* A number of Slurm, with those of an array; the file may hold anything. */
static bool is_job(const char *id)
{
    return *id && strspn(id, "0123456789_+") == strlen(id);
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
        char text[32] = "unknown";
        const char *id = jobs->columns[job].labels[(size_t)jobs->columns[job].values[r]];
        if (asked && is_job(id))
            find_state(msw_text_str(&lines), id, text);
        int label = msw_column_label(&jobs->columns[state], text, err);
        jobs->columns[state].values[r] = label;
        rc = label < 0 ? -1 : 0;
    }
    msw_text_free(&ids);
    msw_text_free(&lines);
    return rc;
}

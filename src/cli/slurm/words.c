/* SPDX-License-Identifier: MIT */
/* What Slurm's commands need and understand, found out before they are asked. */
#include "cli/slurm/script.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on_path(const char *program)
{
    const char *at = getenv("PATH");
    bool found = false;
    while (at && *at && !found) {
        size_t size = strcspn(at, ":");
        char *path = msw_strfmt("%.*s/%s", size ? (int)size : 1, size ? at : ".", program);
        found = path && access(path, X_OK) == 0;
        free(path);
        at += size + (at[size] == ':');
    }
    return found;
}

int cli_script_need_slurm(const char *sweep, msw_err *err)
{
    if (is_on_path("sbatch"))
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO,
                         "sbatch was not found on PATH: Slurm is not installed here, or not for "
                         "you; --dry-run prints the job script to submit it by hand, 'memsweep run "
                         "%s' computes on this machine",
                         sweep);
}

int64_t cli_slurm_seconds(const char *time)
{
    /* By the numbers there are: with days in front they start at hours. */
    static const int64_t PLAIN[3][3] = {{60}, {60, 1}, {3600, 60, 1}},
                         BEHIND_DAYS[] = {3600, 60, 1};
    const char *dash = strchr(time, '-');
    int64_t seconds = 0, values[3] = {0};
    char *end = (char *)time;
    int count = 0;
    if (dash) {
        seconds = 86400 * strtoll(time, &end, 10);
        if (end != dash)
            return 0;
        end++;
    }
    for (;; end++) {
        char *start = end;
        if (count == 3 || *start < '0' || *start > '9')
            return 0;
        values[count++] = strtoll(start, &end, 10);
        if (*end != ':')
            break;
    }
    for (int i = 0; i < count; i++)
        seconds += values[i] % 1000000000 * (dash ? BEHIND_DAYS[i] : PLAIN[count - 1][i]);
    return *end ? 0 : seconds;
}

/* SPDX-License-Identifier: MIT */
/* Rounds of jobs, until a sweep is done. The job that follows a round (next.sh.in) calls `submit`
 * with --round, which says what was before that round; here is decided whether another follows. */
#include "cli/slurm/submit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One round may add nothing by bad luck (a node that breaks in its first minute), two in a row
 * would go on like that. */
enum { IDLE_MAX = 2 };

int cli_round_read(const char *text, cli_round *r, msw_err *err)
{
    int used = 0;
    *r = (cli_round){0};
    if (!text)
        return 0;
    if (sscanf(text, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%63[0-9],%32[0-9a-f]%n", &r->number,
               &r->rows, &r->idle, r->job, r->digest, &used) == 5 &&
        !text[used] && r->number > 0 && r->rows >= 0 && r->idle >= 0)
        return 0;
    return msw_fail(err,
                    "--round '%s': found by jobs of --until-done only: number of the round, points "
                    "before it, rounds without any, its job, digest of the sweep",
                    text);
}

static int64_t idle_after(const cli_round *ended, uint64_t rows)
{
    return ended->number && rows <= (uint64_t)ended->rows ? ended->idle + 1 : 0;
}

void cli_round_write(const cli_round *ended, uint64_t rows, const char *job, const char *digest,
                     msw_text *out)
{
    msw_text_add(out, "%" PRId64 ",%" PRIu64 ",%" PRId64 ",%s,%s", ended->number + 1, rows,
                 idle_after(ended, rows), job, digest);
}

bool cli_round_is_of(const cli_round *ended, const char *digest)
{
    if (!ended->number || strcmp(ended->digest, digest) == 0)
        return true;
    printf("the sweep is another one than in round %" PRId64 " (digest %s, then %s): no round "
           "follows; submit it again\n",
           ended->number, digest, ended->digest);
    return false;
}

cli_verdict cli_round_judge(const cli_round *ended, const cli_submit_options *ask, uint64_t points,
                            uint64_t missing)
{
    char all[32], left[32];
    msw_count_text(points, all);
    msw_count_text(missing, left);
    if (!missing) {
        printf("done: all %s points have a row%s\n", all,
               ended->number ? "" : ": there is nothing to submit");
        return CLI_DONE;
    }
    if (!ended->number)
        return CLI_GO_ON;
    printf("after round %" PRId64 " of at most %" PRId64 ": %s of %s points are left\n",
           ended->number, ask->rounds, left, all);
    if (cli_job_cancelled(ended->job))
        printf("job %s was cancelled: no round follows\n", ended->job);
    else if (idle_after(ended, points - missing) >= IDLE_MAX)
        printf("%d rounds in a row have added no point: no round follows; the logs of their jobs "
               "say why\n",
               IDLE_MAX);
    else if (ended->number >= ask->rounds)
        printf("that was the last round: --rounds allows more\n");
    else
        return CLI_GO_ON;
    return CLI_STOP;
}

/* What belongs to one round only. Returns how many words it takes. */
static int passing(const char *word)
{
    if (strcmp(word, "--round") == 0)
        return 2;
    return strncmp(word, "--round=", 8) == 0 || strcmp(word, "--retry") == 0 ||
           strcmp(word, "--dry-run") == 0 || strcmp(word, "-n") == 0;
}

void cli_round_words(const cli *c, const cli_submit_options *ask, const char *file, msw_text *out)
{
    int skip;
    for (int i = 2; i < c->argc; i += skip ? skip : 1) {
        skip = passing(c->argv[i]);
        if (skip)
            continue;
        msw_text_add(out, out->size ? " " : "");
        msw_text_add_shell(out, c->argv[i]);
    }
    if (!ask->file) { /* the folder of results may be another one there */
        msw_text_add(out, " --output ");
        msw_text_add_shell(out, file);
    }
}

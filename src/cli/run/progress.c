/* SPDX-License-Identifier: MIT */
#include "cli/run/progress.h"

#include "cli/cli.h"

#include <math.h>
#include <unistd.h>

enum { BAR = 24 };

double cli_progress_seconds(void)
{
    return isatty(STDERR_FILENO) ? 0.2 : 5;
}

/* Of the sweep, not of what was left of it. */
static double share(const msw_progress *p)
{
    uint64_t total = p->before + p->total;
    return total ? (double)(p->before + p->done) / (double)total : 1;
}

static void add_numbers(const msw_progress *p, msw_text *out)
{
    char done[32], total[32], rate[32], text[32];
    msw_text_add(out, "%s of %s points, %s/s", msw_count_text(p->before + p->done, done),
                 msw_count_text(p->before + p->total, total), msw_rate_text(p->rate, rate));
    if (!isnan(p->eta_seconds) && p->done < p->total)
        msw_text_add(out, ", %s left", msw_duration_text(p->eta_seconds, text));
    if (p->failed + p->timeout)
        msw_text_add(out, ", %s failed", msw_count_text(p->failed + p->timeout, text));
}

static void draw_bar(const msw_progress *p, msw_text *out)
{
    int full = (int)(share(p) * BAR);
    msw_text_add(out, "\r[");
    for (int i = 0; i < BAR; i++)
        msw_text_add(out, i < full ? "#" : ".");
    msw_text_add(out, "] %3d %% ", (int)(100 * share(p)));
    add_numbers(p, out);
    msw_text_add(out, "\033[K");
}

void cli_progress(void *context, const msw_progress *p)
{
    (void)context;
    msw_text line = MSW_TEXT_EMPTY;
    if (isatty(STDERR_FILENO)) {
        draw_bar(p, &line);
    } else {
        msw_text_add(&line, "%3d %% ", (int)(100 * share(p)));
        add_numbers(p, &line);
        msw_text_add(&line, ", %llu committed\n", (unsigned long long)p->committed);
    }
    fputs(msw_text_str(&line), stderr);
    fflush(stderr);
    msw_text_free(&line);
}

void cli_progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
}

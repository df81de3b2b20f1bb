/* SPDX-License-Identifier: MIT */
/* The table of errors that comes with a mechanism: errors/NAME.tsv of the data folders. */
#include "memsweep/sweep/errors.h"
#include "sweep/loader.h"

#include "memsweep/sweep/content.h"

#include <stdlib.h>

enum { TABLE_MOST = 1 << 20 };

static int load(msw_loader *l, const char *path, msw_err *err)
{
    char *text;
    size_t size;
    if (msw_loader_file(l->options, path, TABLE_MOST, &text, &size, err))
        return -1;
    int rc = msw_errors_parse(text, size, &l->plan->errors, err);
    free(text);
    return rc;
}

/* A sweep can do without: its rows then have no intervals, and say so. */
void msw_step_errors(msw_loader *l)
{
    msw_err err = {0};
    if (!l->plan->mech || l->plan->fidelity != MSW_ANALYTIC)
        return;
    char *name = msw_strfmt("errors/%s.tsv", l->plan->mech->name);
    char *path = name ? msw_content_find(l->options, name, &err) : NULL;
    free(name);
    msw_err_clear(&err);
    if (path && load(l, path, &err))
        msw_loader_warn(l, l->root, "%s: %s: answers have no intervals", path, err.text);
    if (l->plan->errors && l->plan->errors->mech != l->plan->mech) {
        msw_errors_free(l->plan->errors);
        l->plan->errors = NULL;
    }
    free(path);
}

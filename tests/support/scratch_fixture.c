/* SPDX-License-Identifier: MIT */
#include "scratch_fixture.h"

#include "testing.h"

#include <sys/stat.h>
#include <unistd.h>

int scratch_fixture_make(scratch_fixture *f)
{
    snprintf(f->folder, sizeof f->folder, "/tmp/memsweep-scratch-XXXXXX");
    if (!mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/x.db", f->folder);
    snprintf(f->scratch, sizeof f->scratch, "%s/scratch", f->folder);
    return mkdir(f->scratch, 0777);
}

void scratch_fixture_empty(const scratch_fixture *f)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s/* %s*", f->scratch, f->path);
    assert_int_equal(system(command), 0);
}

int scratch_fixture_remove(const scratch_fixture *f)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    return system(command);
}

int scratch_write_range(msw_store *store, const toy_plan *toy, int64_t sweep, int64_t run,
                        uint64_t first, uint64_t last, msw_err *err)
{
    msw_batch *batch = toy_batch(toy);
    for (uint64_t i = first; i < last; i++)
        toy_row(toy, batch, i, MSW_OK);
    int rc =
        msw_store_write(store, &toy->plan, sweep, run, batch, err) || msw_store_commit(store, err);
    msw_batch_free(batch);
    return rc;
}

/* SPDX-License-Identifier: MIT */
#include "run/ledger.h"

#include <stdlib.h>
#include <string.h>

static void entry_free(msw_ledger_entry *entry)
{
    msw_text_free(&entry->bytes);
    free(entry->waiting);
    free(entry);
}

void msw_ledger_close(msw_ledger *ledger)
{
    while (ledger->first) {
        msw_ledger_entry *next = ledger->first->next;
        entry_free(ledger->first);
        ledger->first = next;
    }
}

/* There are few kept artifacts, each expensive to build: a list that is searched from the start is
 * enough. */
msw_ledger_entry *msw_ledger_find(msw_ledger *ledger, msw_digest key)
{
    for (msw_ledger_entry *e = ledger->first; e; e = e->next)
        if (msw_digest_equal(e->key, key))
            return e;
    msw_ledger_entry *entry = calloc(1, sizeof *entry);
    int *waiting = calloc((size_t)ledger->ranks, sizeof *waiting);
    if (!entry || !waiting) {
        free(entry);
        free(waiting);
        return NULL;
    }
    *entry =
        (msw_ledger_entry){.next = ledger->first, .key = key, .builder = -1, .waiting = waiting};
    return ledger->first = entry;
}

static bool waits(const msw_ledger_entry *entry, int rank)
{
    for (size_t i = 0; i < entry->waiting_count; i++)
        if (entry->waiting[i] == rank)
            return true;
    return false;
}

/* One rank builds at a time. The first that asks builds, others wait in the order in which they
 * asked, and whoever asks after the end gets the bytes. */
msw_ledger_answer msw_ledger_ask(const msw_ledger *ledger, msw_ledger_entry *entry, int rank)
{
    if (entry->whole)
        return MSW_LEDGER_BYTES;
    if (entry->builder < 0 || entry->builder == rank) {
        entry->builder = rank;
        return MSW_LEDGER_BUILD;
    }
    if (!waits(entry, rank) && entry->waiting_count < (size_t)ledger->ranks)
        entry->waiting[entry->waiting_count++] = rank;
    return MSW_LEDGER_WAIT;
}

int msw_ledger_take(msw_ledger_entry *entry, bool whole, const char *bytes, size_t size,
                    msw_err *err)
{
    msw_text fresh = MSW_TEXT_EMPTY;
    msw_text_add_bytes(&fresh, bytes, size);
    if (fresh.failed)
        return msw_fail_memory(err);
    msw_text_free(&entry->bytes);
    entry->bytes = fresh;
    entry->whole = whole;
    if (whole)
        entry->builder = -1;
    return 0;
}

int msw_ledger_next(msw_ledger_entry *entry)
{
    if (!entry->waiting_count)
        return -1;
    int rank = entry->waiting[0];
    memmove(entry->waiting, entry->waiting + 1, --entry->waiting_count * sizeof rank);
    return rank;
}

/* The first that waits takes over the build. It begins from what the last builder saved. */
int msw_ledger_give_back(msw_ledger_entry *entry, int rank)
{
    if (entry->whole || entry->builder != rank)
        return -1;
    return entry->builder = msw_ledger_next(entry);
}

int msw_ledger_forget(msw_ledger_entry *entry, int rank)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->waiting_count; i++)
        if (entry->waiting[i] != rank)
            entry->waiting[kept++] = entry->waiting[i];
    entry->waiting_count = kept;
    return msw_ledger_give_back(entry, rank);
}

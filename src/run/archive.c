/* SPDX-License-Identifier: MIT */
/* Kept artifacts at rank 0: who builds, who waits, and what the databases hold. */
#include "run/kept.h"

#include <stdlib.h>
#include <string.h>

static void entry_free(msw_kept_owners_entry *entry)
{
    msw_text_free(&entry->bytes);
    free(entry->waiting);
    free(entry);
}

void msw_kept_owners_close(msw_kept_owners *owners)
{
    while (owners->first) {
        msw_kept_owners_entry *next = owners->first->next;
        entry_free(owners->first);
        owners->first = next;
    }
}

/* There are few kept artifacts, each expensive to build: a list that is searched from the start is
 * enough. */
msw_kept_owners_entry *msw_kept_owners_find(msw_kept_owners *owners, msw_digest key)
{
    for (msw_kept_owners_entry *e = owners->first; e; e = e->next)
        if (msw_digest_equal(e->key, key))
            return e;
    msw_kept_owners_entry *entry = calloc(1, sizeof *entry);
    int *waiting = calloc((size_t)owners->ranks, sizeof *waiting);
    if (!entry || !waiting) {
        free(entry);
        free(waiting);
        return NULL;
    }
    *entry = (msw_kept_owners_entry){
        .next = owners->first, .key = key, .builder = -1, .waiting = waiting};
    return owners->first = entry;
}

static bool waits(const msw_kept_owners_entry *entry, int rank)
{
    for (size_t i = 0; i < entry->waiting_count; i++)
        if (entry->waiting[i] == rank)
            return true;
    return false;
}

/* One rank builds at a time. The first that asks builds, others wait in the order in which they
 * asked, and whoever asks after the end gets the bytes. */
msw_kept_owners_answer msw_kept_owners_ask(const msw_kept_owners *owners,
                                           msw_kept_owners_entry *entry, int rank)
{
    if (entry->whole)
        return MSW_LEDGER_BYTES;
    if (entry->builder < 0 || entry->builder == rank) {
        entry->builder = rank;
        return MSW_LEDGER_BUILD;
    }
    if (!waits(entry, rank) && entry->waiting_count < (size_t)owners->ranks)
        entry->waiting[entry->waiting_count++] = rank;
    return MSW_LEDGER_WAIT;
}

int msw_kept_owners_take(msw_kept_owners_entry *entry, bool whole, const char *bytes, size_t size,
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

int msw_kept_owners_next(msw_kept_owners_entry *entry)
{
    if (!entry->waiting_count)
        return -1;
    int rank = entry->waiting[0];
    memmove(entry->waiting, entry->waiting + 1, --entry->waiting_count * sizeof rank);
    return rank;
}

/* The first that waits takes over the build. It begins from what the last builder saved. */
int msw_kept_owners_give_back(msw_kept_owners_entry *entry, int rank)
{
    if (entry->whole || entry->builder != rank)
        return -1;
    return entry->builder = msw_kept_owners_next(entry);
}

int msw_kept_owners_forget(msw_kept_owners_entry *entry, int rank)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->waiting_count; i++)
        if (entry->waiting[i] != rank)
            entry->waiting[kept++] = entry->waiting[i];
    entry->waiting_count = kept;
    return msw_kept_owners_give_back(entry, rank);
}

static void deliver(msw_archive *k, int rank, msw_kept_word word,
                    const msw_kept_owners_entry *entry)
{
    msw_kept_note note = {.word = word,
                          .size = entry->bytes.size,
                          .kept = {.key = entry->key, .whole = entry->whole}};
    if (rank == 0)
        msw_kept_requests_answer(k->requests, &note, msw_text_str(&entry->bytes));
    else if (rank > 0)
        k->send(k->context, rank, &note, msw_text_str(&entry->bytes));
}

static void warn(const msw_archive *k, const msw_kept *kept, const char *what, const msw_err *err)
{
    msw_log_line(k->log, MSW_LOG_WARN, "artifact %s of %s is not %s: %s", kept->name,
                 kept->mechanism, what, err->text);
}

/* Without a place to keep it the run goes on: it has the bytes. */
static void store(msw_archive *k, const msw_kept *kept, const msw_kept_owners_entry *entry)
{
    msw_err err = {0};
    if (k->store &&
        msw_store_keep(k->store, kept, msw_text_str(&entry->bytes), entry->bytes.size, &err))
        warn(k, kept, "kept", &err);
}

/* An artifact that is not whole is a state to continue from, unless the other database has all of
 * it. */
static void look_in(msw_archive *k, msw_store *from, const msw_kept *kept,
                    msw_kept_owners_entry *entry)
{
    msw_err err = {0};
    msw_text bytes = MSW_TEXT_EMPTY;
    bool whole = false;
    int got = from && !entry->whole ? msw_store_kept(from, kept->key, &whole, &bytes, &err) : 0;
    if (got > 0 && (whole || !entry->bytes.size))
        got = msw_kept_owners_take(entry, whole, msw_text_str(&bytes), bytes.size, &err);
    if (got < 0)
        warn(k, kept, "read", &err);
    msw_text_free(&bytes);
}

static void look(msw_archive *k, const msw_kept *kept, msw_kept_owners_entry *entry)
{
    if (entry->looked)
        return;
    entry->looked = true;
    look_in(k, k->store, kept, entry);
    bool here = entry->whole;
    look_in(k, k->other, kept, entry);
    msw_kept own = *kept;
    own.whole = true;
    if (entry->whole && !here)
        store(k, &own, entry);
    k->result->found += entry->whole;
}

/* A rank that has to wait gets no answer now; keep or give_back sends it later. */
static void want(msw_archive *k, int rank, const msw_kept *kept, msw_kept_owners_entry *entry)
{
    look(k, kept, entry);
    msw_kept_owners_answer answer = msw_kept_owners_ask(&k->owners, entry, rank);
    if (answer != MSW_LEDGER_WAIT)
        deliver(k, rank, answer == MSW_LEDGER_BYTES ? MSW_KEPT_HAVE : MSW_KEPT_BUILD, entry);
}

static void keep(msw_archive *k, const msw_kept_note *note, const char *bytes,
                 msw_kept_owners_entry *entry)
{
    msw_err err = {0};
    if (entry->whole)
        return;
    if (msw_kept_owners_take(entry, note->kept.whole, bytes, note->size, &err)) {
        warn(k, &note->kept, "kept", &err);
        return;
    }
    store(k, &note->kept, entry);
    if (!entry->whole)
        return;
    k->result->built++;
    k->result->build_seconds += note->seconds;
    for (int rank; (rank = msw_kept_owners_next(entry)) >= 0;)
        deliver(k, rank, MSW_KEPT_HAVE, entry);
}

void msw_archive_hear(msw_archive *k, int rank, const msw_kept_note *note, const char *bytes)
{
    msw_kept_owners_entry *entry = msw_kept_owners_find(&k->owners, note->kept.key);
    const msw_kept_owners_entry none = {.key = note->kept.key};
    if (!entry && note->word == MSW_KEPT_WANT) /* whoever asks may not wait for want of memory */
        deliver(k, rank, MSW_KEPT_BUILD, &none);
    if (!entry)
        return;
    if (note->word == MSW_KEPT_WANT) {
        want(k, rank, &note->kept, entry);
    } else if (note->word == MSW_KEPT_KEEP) {
        keep(k, note, bytes, entry);
    } else {
        if (note->word == MSW_KEPT_BAD) {
            entry->whole = false;
            msw_text_clear(&entry->bytes);
        }
        deliver(k, msw_kept_owners_give_back(entry, rank), MSW_KEPT_BUILD, entry);
    }
}

bool msw_archive_serve(msw_archive *k)
{
    msw_kept_note note;
    char *bytes;
    bool any = false;
    while (msw_kept_requests_take(k->requests, &note, &bytes)) {
        msw_archive_hear(k, 0, &note, bytes);
        free(bytes);
        any = true;
    }
    return any;
}

void msw_archive_forget(msw_archive *k, int rank)
{
    for (msw_kept_owners_entry *e = k->owners.first; e; e = e->next)
        deliver(k, msw_kept_owners_forget(e, rank), MSW_KEPT_BUILD, e);
}

void msw_archive_close(msw_archive *archive)
{
    msw_kept_owners_close(&archive->owners);
}

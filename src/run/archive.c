/* SPDX-License-Identifier: MIT */
#include "run/archive.h"

#include <stdlib.h>

static void deliver(msw_archive *k, int rank, msw_kept_word word, const msw_ledger_entry *entry)
{
    msw_kept_note note = {.word = word,
                          .size = entry->bytes.size,
                          .kept = {.key = entry->key, .whole = entry->whole}};
    if (rank == 0)
        msw_desk_answer(k->desk, &note, msw_text_str(&entry->bytes));
    else if (rank > 0)
        k->send(k->context, rank, &note, msw_text_str(&entry->bytes));
}

static void warn(const msw_archive *k, const msw_kept *kept, const char *what, const msw_err *err)
{
    msw_log_line(k->log, MSW_LOG_WARN, "artifact %s of %s is not %s: %s", kept->name,
                 kept->mechanism, what, err->text);
}

/* Without a place to keep it the run goes on: it has the bytes. */
static void store(msw_archive *k, const msw_kept *kept, const msw_ledger_entry *entry)
{
    msw_err err = {0};
    if (k->store &&
        msw_store_keep(k->store, kept, msw_text_str(&entry->bytes), entry->bytes.size, &err))
        warn(k, kept, "kept", &err);
}

/* An artifact that is not whole is a state to continue from, unless the other database has all of
 * it. */
static void look_in(msw_archive *k, msw_store *from, const msw_kept *kept, msw_ledger_entry *entry)
{
    msw_err err = {0};
    msw_text bytes = MSW_TEXT_EMPTY;
    bool whole = false;
    int got = from && !entry->whole ? msw_store_kept(from, kept->key, &whole, &bytes, &err) : 0;
    if (got > 0 && (whole || !entry->bytes.size))
        got = msw_ledger_take(entry, whole, msw_text_str(&bytes), bytes.size, &err);
    if (got < 0)
        warn(k, kept, "read", &err);
    msw_text_free(&bytes);
}

static void look(msw_archive *k, const msw_kept *kept, msw_ledger_entry *entry)
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
static void want(msw_archive *k, int rank, const msw_kept *kept, msw_ledger_entry *entry)
{
    look(k, kept, entry);
    msw_ledger_answer answer = msw_ledger_ask(&k->ledger, entry, rank);
    if (answer != MSW_LEDGER_WAIT)
        deliver(k, rank, answer == MSW_LEDGER_BYTES ? MSW_KEPT_HAVE : MSW_KEPT_BUILD, entry);
}

static void keep(msw_archive *k, const msw_kept_note *note, const char *bytes,
                 msw_ledger_entry *entry)
{
    msw_err err = {0};
    if (entry->whole)
        return;
    if (msw_ledger_take(entry, note->kept.whole, bytes, note->size, &err)) {
        warn(k, &note->kept, "kept", &err);
        return;
    }
    store(k, &note->kept, entry);
    if (!entry->whole)
        return;
    k->result->built++;
    k->result->build_seconds += note->seconds;
    for (int rank; (rank = msw_ledger_next(entry)) >= 0;)
        deliver(k, rank, MSW_KEPT_HAVE, entry);
}

void msw_archive_hear(msw_archive *k, int rank, const msw_kept_note *note, const char *bytes)
{
    msw_ledger_entry *entry = msw_ledger_find(&k->ledger, note->kept.key);
    const msw_ledger_entry none = {.key = note->kept.key};
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
        deliver(k, msw_ledger_give_back(entry, rank), MSW_KEPT_BUILD, entry);
    }
}

bool msw_archive_serve(msw_archive *k)
{
    msw_kept_note note;
    char *bytes;
    bool any = false;
    while (msw_desk_take(k->desk, &note, &bytes)) {
        msw_archive_hear(k, 0, &note, bytes);
        free(bytes);
        any = true;
    }
    return any;
}

void msw_archive_forget(msw_archive *k, int rank)
{
    for (msw_ledger_entry *e = k->ledger.first; e; e = e->next)
        deliver(k, msw_ledger_forget(e, rank), MSW_KEPT_BUILD, e);
}

void msw_archive_close(msw_archive *archive)
{
    msw_ledger_close(&archive->ledger);
}

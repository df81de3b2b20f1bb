/* SPDX-License-Identifier: MIT */
/* Any bytes are a message between ranks, or are refused: of any kind, rows among them, and files
 * that were sent along. What is accepted can be read. The first byte chooses. */
#include "run/message.h"

#include "memsweep/store/batch.h"
#include "memsweep/sweep/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool sound, const char *what)
{
    if (sound)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* As rank 0 takes them: joined to others, and read. */
static void rows(const void *data, size_t size)
{
    msw_err err = {0};
    msw_batch *batch = NULL, *all = NULL;
    if (msw_batch_unpack(data, size, &batch, &err)) {
        check(*err.text, "refused without a message");
        return;
    }
    check(msw_batch_packed_size(batch) == size, "a batch of another size");
    if (batch->params < 64 && batch->metrics < 64) {
        all = msw_batch_new(1, batch->params, batch->metrics);
        check(all && !msw_batch_append(all, batch, &err) && !msw_batch_append(all, batch, &err),
              "memory ran out");
        for (size_t i = 0; i < all->count; i++)
            check(strlen(msw_batch_reason_text(all, i)) < all->text_size + 1, "a reason outside");
    }
    msw_batch_free(all);
    msw_batch_free(batch);
}

static void other(uint8_t kind, void *data, size_t size)
{
    msw_mail mail = {1, kind % (MSW_SAY_KEPT + 2), data, size};
    msw_kept_note note;
    if (mail.kind == MSW_SAY_ROWS || msw_message_check(&mail, NULL) || mail.kind != MSW_SAY_KEPT)
        return;
    const char *bytes = msw_message_kept(&mail, &note);
    check(msw_hash_bytes(bytes, note.size).hi + 1 && strlen(note.kept.name) < MSW_KEPT_NAME,
          "a note that is none");
}

static void files(const char *data, size_t size)
{
    msw_text bytes = MSW_TEXT_EMPTY;
    char *found = NULL;
    size_t found_size;
    msw_text_add_bytes(&bytes, data, size);
    msw_file_source source = msw_bundle_player(&bytes);
    if (source.read(source.context, "a.yaml", SIZE_MAX, &found, &found_size, NULL) == 0)
        check(found_size < size && found[found_size] == '\0', "more than was sent");
    free(found);
    msw_text_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    void *message = malloc(size);
    check(message, "memory ran out");
    memcpy(message, data + 1, size - 1);
    if (data[0] % 4 < 2)
        rows(message, size - 1);
    else if (data[0] % 4 == 2)
        other(data[0] / 4, message, size - 1);
    else
        files(message, size - 1);
    free(message);
    return 0;
}

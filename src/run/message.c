/* SPDX-License-Identifier: MIT */
#include "run/message.h"

#include "memsweep/store/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* To be raised with every change of meaning; changes of size and byte order show by themselves. */
enum { LAYOUT_VERSION = 4 };

static const size_t SIZES[] = {
    [MSW_SAY_REQUEST] = sizeof(msw_request),
    [MSW_SAY_GRANT] = sizeof(msw_range),
    [MSW_SAY_RETURN] = sizeof(msw_range),
    [MSW_SAY_ACK] = sizeof(msw_ack),
    [MSW_SAY_BYE] = sizeof(msw_bye),
    [MSW_SAY_DONE] = 0,
    [MSW_SAY_STOP] = 0,
    [MSW_SAY_BEAT] = 0,
};

static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? "little" : "big";
}

void msw_message_schema(char *text, size_t size)
{
    snprintf(text, size, "%d/%zu.%zu.%zu.%zu.%zu.%zu/%s", LAYOUT_VERSION, sizeof(msw_request),
             sizeof(msw_range), sizeof(msw_bye), sizeof(msw_row), sizeof(msw_kept_note),
             sizeof(size_t), byte_order());
}

/* Names end within their fields, and the bytes are as many as the note says. */
static bool is_kept(const msw_mail *mail)
{
    msw_kept_note note;
    if (mail->kind != MSW_SAY_KEPT || mail->size < sizeof note)
        return false;
    memcpy(&note, mail->data, sizeof note);
    return mail->size - sizeof note == note.size && note.word <= MSW_KEPT_BUILD &&
           memchr(note.kept.mechanism, 0, sizeof note.kept.mechanism) &&
           memchr(note.kept.name, 0, sizeof note.kept.name);
}

int msw_message_check(const msw_mail *mail, msw_err *err)
{
    if (mail->kind == MSW_SAY_ROWS)
        return 0; /* unpacking checks it */
    if (mail->kind >= MSW_SAY_REQUEST && mail->kind <= MSW_SAY_BEAT &&
        mail->size == SIZES[mail->kind])
        return 0;
    if (is_kept(mail))
        return 0;
    return msw_fail_kind(err, MSW_ERR_INTERNAL, "rank %d sent a message of kind %d, %zu bytes",
                         mail->rank, mail->kind, mail->size);
}

int msw_message_send_kept(msw_comm *comm, int rank, const msw_kept_note *note, const char *bytes,
                          msw_err *err)
{
    char *data = malloc(sizeof *note + note->size);
    if (!data)
        return msw_fail_memory(err);
    memcpy(data, note, sizeof *note);
    if (note->size)
        memcpy(data + sizeof *note, bytes, note->size);
    msw_mail mail = {rank, MSW_SAY_KEPT, data, sizeof *note + note->size};
    int rc = msw_comm_send(comm, &mail, err);
    free(data);
    return rc;
}

const char *msw_message_kept(const msw_mail *mail, msw_kept_note *note)
{
    memcpy(note, mail->data, sizeof *note);
    return (const char *)mail->data + sizeof *note;
}

msw_hello msw_hello_make(int workers)
{
    msw_hello hello = {.pid = getpid(), .workers = workers};
    gethostname(hello.host, sizeof hello.host - 1);
    return hello;
}

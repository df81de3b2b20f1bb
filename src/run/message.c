#include "run/message.h"

#include "memsweep/store/batch.h"

#include <stdio.h>
#include <unistd.h>

/* To be raised with every change of meaning; changes of size and byte order show by themselves. */
enum { LAYOUT_VERSION = 1 };

static const size_t SIZES[] = {
    [MSW_SAY_REQUEST] = sizeof(msw_request),
    [MSW_SAY_GRANT] = sizeof(msw_range),
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
    snprintf(text, size, "%d/%zu.%zu.%zu.%zu.%zu/%s", LAYOUT_VERSION, sizeof(msw_request),
             sizeof(msw_range), sizeof(msw_bye), sizeof(msw_row), sizeof(size_t), byte_order());
}

int msw_message_check(const msw_mail *mail, msw_err *err)
{
    if (mail->kind == MSW_SAY_ROWS)
        return 0; /* unpacking checks it */
    if (mail->kind >= MSW_SAY_REQUEST && mail->kind <= MSW_SAY_BEAT &&
        mail->size == SIZES[mail->kind])
        return 0;
    return msw_fail_kind(err, MSW_ERR_INTERNAL, "rank %d sent a message of kind %d, %zu bytes",
                         mail->rank, mail->kind, mail->size);
}

msw_hello msw_hello_make(int workers)
{
    msw_hello hello = {.pid = getpid(), .workers = workers};
    gethostname(hello.host, sizeof hello.host - 1);
    return hello;
}

/* notes: what is wrong with a sweep file, collected while it is read and told in file order. */
#ifndef MSW_SWEEP_DIAGNOSTICS_H
#define MSW_SWEEP_DIAGNOSTICS_H

#include "memsweep/base/err.h"
#include "memsweep/sweep/sweep.h"

#include <stddef.h>

enum { MSW_NOTES_MAX = 50 };

typedef struct msw_note {
    const char *file;
    int line, column; /* from 1; line 0: the file as a whole */
    char *text;
} msw_note;

/* Start from a zeroed struct. */
typedef struct msw_notes {
    size_t count, dropped;
    msw_note list[MSW_NOTES_MAX];
} msw_notes;

/* Adds a message; `file` must outlive the notes. Messages over the limit are only counted. */
void msw_notes_add(msw_notes *notes, const char *file, int line, int column, const char *fmt, ...)
    MSW_PRINTF(5, 6);

/* Prints all messages, sorted by position, one line each. */
void msw_notes_print(msw_notes *notes, msw_messages *out);

/* Frees the messages. */
void msw_notes_free(msw_notes *notes);

#endif

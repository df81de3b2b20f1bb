/* SPDX-License-Identifier: MIT */
#include "sweep/diagnostics.h"

#include "memsweep/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages quote the user's text; whatever it holds, a message stays one line. */
static void flatten(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

static bool known(const msw_diagnostics *diagnostics, const msw_diagnostic *note)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const msw_diagnostic *other = &diagnostics->list[i];
        if (other->line == note->line && other->column == note->column &&
            strcmp(other->file, note->file) == 0 && strcmp(other->text, note->text) == 0)
            return true;
    }
    return false;
}

void msw_diagnostics_add(msw_diagnostics *diagnostics, const char *file, int line, int column,
                         const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    flatten(text);
    msw_diagnostic note = {file, line, column, text};
    if (known(diagnostics, &note))
        return;
    bool room = diagnostics->count < MSW_DIAGNOSTICS_MAX;
    note.text = room ? msw_strdup(text) : NULL;
    diagnostics->trouble |= room && !note.text;
    if (note.text)
        diagnostics->list[diagnostics->count++] = note;
    else
        diagnostics->dropped++;
}

void msw_diagnostics_memory(msw_diagnostics *diagnostics, const char *file, int line, int column)
{
    msw_diagnostics_add(diagnostics, file, line, column, "out of memory");
    diagnostics->trouble = true;
}

static bool before(const msw_diagnostic *a, const msw_diagnostic *b)
{
    int order = strcmp(a->file, b->file);
    if (order != 0)
        return order < 0;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion sort: few messages, and those at one place stay in the order found. */
static void sort(msw_diagnostics *diagnostics)
{
    for (size_t i = 1; i < diagnostics->count; i++) {
        msw_diagnostic note = diagnostics->list[i];
        size_t j = i;
        for (; j > 0 && before(&note, &diagnostics->list[j - 1]); j--)
            diagnostics->list[j] = diagnostics->list[j - 1];
        diagnostics->list[j] = note;
    }
}

void msw_diagnostics_print(msw_diagnostics *diagnostics, msw_messages *out)
{
    sort(diagnostics);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const msw_diagnostic *note = &diagnostics->list[i];
        if (note->line > 0)
            msw_text_add(&out->text, "%s:%d:%d: %s\n", note->file, note->line, note->column,
                         note->text);
        else
            msw_text_add(&out->text, "%s: %s\n", note->file, note->text);
    }
    if (diagnostics->dropped && diagnostics->count)
        msw_text_add(&out->text, "and %zu more\n", diagnostics->dropped);
    out->count += diagnostics->count + diagnostics->dropped;
    out->trouble |= diagnostics->trouble;
}

void msw_diagnostics_free(msw_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        free(diagnostics->list[i].text);
    memset(diagnostics, 0, sizeof *diagnostics);
}

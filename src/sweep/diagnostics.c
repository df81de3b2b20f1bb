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

static bool known(const msw_notes *notes, const msw_note *note)
{
    for (size_t i = 0; i < notes->count; i++) {
        const msw_note *other = &notes->list[i];
        if (other->line == note->line && other->column == note->column &&
            strcmp(other->file, note->file) == 0 && strcmp(other->text, note->text) == 0)
            return true;
    }
    return false;
}

void msw_notes_add(msw_notes *notes, const char *file, int line, int column, const char *fmt, ...)
{
    char text[MSW_ERR_TEXT_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    flatten(text);
    msw_note note = {file, line, column, text};
    if (known(notes, &note))
        return;
    note.text = notes->count < MSW_NOTES_MAX ? msw_strdup(text) : NULL;
    if (note.text)
        notes->list[notes->count++] = note;
    else
        notes->dropped++;
}

static bool before(const msw_note *a, const msw_note *b)
{
    int order = strcmp(a->file, b->file);
    if (order != 0)
        return order < 0;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion sort: few messages, and those at one place stay in the order found. */
static void sort(msw_notes *notes)
{
    for (size_t i = 1; i < notes->count; i++) {
        msw_note note = notes->list[i];
        size_t j = i;
        for (; j > 0 && before(&note, &notes->list[j - 1]); j--)
            notes->list[j] = notes->list[j - 1];
        notes->list[j] = note;
    }
}

void msw_notes_print(msw_notes *notes, msw_messages *out)
{
    sort(notes);
    for (size_t i = 0; i < notes->count; i++) {
        const msw_note *note = &notes->list[i];
        if (note->line > 0)
            msw_text_add(&out->text, "%s:%d:%d: %s\n", note->file, note->line, note->column,
                         note->text);
        else
            msw_text_add(&out->text, "%s: %s\n", note->file, note->text);
    }
    if (notes->dropped)
        msw_text_add(&out->text, "and %zu more\n", notes->dropped);
    out->count += notes->count + notes->dropped;
}

void msw_notes_free(msw_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->list[i].text);
    memset(notes, 0, sizeof *notes);
}

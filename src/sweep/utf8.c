/* SPDX-License-Identifier: MIT */
#include "sweep/node.h"

#include "memsweep/base/quote.h"

#include <string.h>

static bool control(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

/* Line ends that YAML 1.2 has no longer: a carriage return alone, U+0085, U+2028, U+2029. */
static bool odd_line_end(const unsigned char *s, size_t left)
{
    static const char *const ODD[] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    if (s[0] == '\r')
        return left < 2 || s[1] != '\n';
    for (size_t i = 0; i < sizeof ODD / sizeof *ODD; i++)
        if (left >= strlen(ODD[i]) && memcmp(s, ODD[i], strlen(ODD[i])) == 0)
            return true;
    return false;
}

static const char *trouble(const unsigned char *s, size_t left, size_t step)
{
    if (step == 0)
        return "is not UTF-8 text";
    if (control(*s))
        return "is a control character";
    return odd_line_end(s, left) ? "starts a line end that is neither LF nor CR LF" : NULL;
}

int msw_utf8_check(const char *file, const char *text, size_t size, msw_diagnostics *diagnostics)
{
    const unsigned char *s = (const unsigned char *)text;
    int line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        size_t step = msw_utf8_length(text + i, size - i);
        const char *wrong = trouble(s + i, size - i, step);
        if (wrong) {
            msw_diagnostics_add(diagnostics, file, line, column, "byte 0x%02x %s", s[i], wrong);
            return -1;
        }
        column = s[i] == '\n' ? 1 : column + 1;
        line += s[i] == '\n';
        i += step;
    }
    return 0;
}

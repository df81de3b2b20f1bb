/* SPDX-License-Identifier: MIT */
/* quote: text of others inside the languages that memsweep writes. One function per language, and
 * nothing else builds such text: whatever a name, a unit or a path holds, it stays one text there
 * and never becomes a command, a tag or a key.
 *
 * Every function takes any zero-terminated bytes. Where a language is Unicode (JSON, YAML, HTML,
 * figures, terminals) bytes that are not UTF-8 become U+FFFD. */
#ifndef MEMSWEEP_BASE_QUOTE_H
#define MEMSWEEP_BASE_QUOTE_H

#include "memsweep/base/text.h"

/* Appends a JSON string, quotes included. */
void msw_text_add_json(msw_text *text, const char *string);

/* Appends a YAML scalar that reads as this string: a plain word where it can be one, else in double
 * quotes on one line. */
void msw_text_add_yaml(msw_text *text, const char *string);

/* Appends an SQL identifier in double quotes, inner quotes doubled. */
void msw_text_add_sql_name(msw_text *text, const char *name);

/* Appends an SQL string literal in single quotes, inner quotes doubled. */
void msw_text_add_sql_string(msw_text *text, const char *string);

/* Appends a word of a shell, in quotes only where it needs them. Words may be joined. */
void msw_text_add_shell(msw_text *text, const char *word);

/* The same, but $NAME and ${NAME} are left for the shell to fill in; what they hold stays one word.
 */
void msw_text_add_shell_vars(msw_text *text, const char *word);

/* Appends text of HTML, between tags or inside a quoted attribute. */
void msw_text_add_html(msw_text *text, const char *string);

/* Appends one line of Markdown text, in a table or a list. */
void msw_text_add_markdown(msw_text *text, const char *string);

/* Appends a string constant of gnuplot, quotes included. It survives being put into another one for
 * `eval`; nothing in it is replaced (`command`, @macro). */
void msw_text_add_gnuplot(msw_text *text, const char *string);

/* Appends one line that a figure can show, and that gnuplot reads from a table separated by tabs as
 * it is there: control characters become blanks, what gnuplot's tables or its SVG have a
 * meaning for ("  \  &#x) becomes a like character. */
void msw_text_add_label(msw_text *text, const char *string);

/* Appends a field of tab-separated values: \t, \n, \r and \\ stand for those characters. */
void msw_text_add_tsv(msw_text *text, const char *string);

/* Appends a field of comma-separated values, in quotes where it needs them (RFC 4180). */
void msw_text_add_csv(msw_text *text, const char *string);

/* Appends one line for the eye: control characters are written out (\n, \x1b), so a terminal obeys
 * nothing of it. */
void msw_text_add_visible(msw_text *text, const char *string);

/* The same for several lines: line ends stay. */
void msw_text_add_visible_lines(msw_text *text, const char *string);

/* Appends a name that is one file in its folder whatever the string holds; other strings give other
 * names. Letters, digits, '-', '_', '.', '@' stay, the rest is written %XX. */
void msw_text_add_file_name(msw_text *text, const char *string);

/* Measures the UTF-8 sequence at the start of `size` bytes. Returns its length, 0 when there is
 * none. */
size_t msw_utf8_length(const char *bytes, size_t size);

#endif

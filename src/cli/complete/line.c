/* SPDX-License-Identifier: MIT */
#include "cli/complete/complete.h"

#include <string.h>

static const cli_option *find_option(const cli_command *command, const char *word, size_t size,
                                     char letter)
{
    for (const cli_option *o = command->options; o && o->name; o++)
        if (word ? strlen(o->name) == size && strncmp(o->name, word, size) == 0
                 : o->letter == letter)
            return o;
    return NULL;
}

/* The option whose value the next word is, when `word` does not hold it already. */
static const cli_option *awaits(const cli_command *command, const char *word)
{
    const cli_option *o = NULL;
    if (strncmp(word, "--", 2) == 0 && !strchr(word, '='))
        o = find_option(command, word + 2, strlen(word + 2), 0);
    else if (word[0] == '-' && word[1] && word[1] != '-')
        for (const char *letter = word + 1; *letter; letter++) {
            o = find_option(command, NULL, 0, *letter);
            if (!o || o->kind != CLI_FLAG)
                return o && !letter[1] ? o : NULL;
        }
    return o && o->kind != CLI_FLAG ? o : NULL;
}

static void note_value(cli_line *l, const cli_option *o, const char *value)
{
    if (strcmp(o->name, "sweep") == 0)
        l->sweep = value;
    else if (strcmp(o->name, "fidelity") == 0)
        l->fidelity = value;
}

/* Reads what comes before the word to complete. Returns the option that waits for it, or NULL. */
static const cli_option *read_words(cli_line *l, char *const *words, size_t count)
{
    const cli_option *waiting = NULL;
    for (size_t i = 0; i < count; i++) {
        if (waiting) {
            note_value(l, waiting, words[i]);
            waiting = NULL;
            continue;
        }
        waiting = awaits(l->command, words[i]);
        if (words[i][0] != '-' && l->operand_count < sizeof l->operands / sizeof *l->operands)
            l->operands[l->operand_count++] = words[i];
    }
    return waiting;
}

static void offer_options(cli_line *l)
{
    char word[80];
    cli_offer(l, "--help");
    for (const cli_option *o = l->command->options; o && o->name; o++) {
        snprintf(word, sizeof word, "--%s", o->name);
        cli_offer(l, word);
    }
}

/* "--format=js": the value of an option in its own word. */
static bool offer_attached(cli_line *l)
{
    const char *equals = strchr(l->part, '=');
    if (!equals)
        return false;
    const cli_option *o = find_option(l->command, l->part + 2, (size_t)(equals - l->part) - 2, 0);
    l->before = l->part;
    l->before_size = (size_t)(equals - l->part) + 1;
    l->part = equals + 1;
    if (o && o->kind != CLI_FLAG)
        cli_offer_option(l, o);
    return true;
}

static void offer_operand(cli_line *l)
{
    const cli_operand *o = l->command->operands;
    for (size_t i = 0; o && o->name && i < l->operand_count; i++)
        if (o->count != CLI_MANY && o->count != CLI_ANY)
            o++;
    if (o && o->name)
        cli_offer_operand(l, o);
}

void cli_complete(const cli *c, char *const *words, size_t count, msw_text *out)
{
    cli_line l = {.c = c, .before = "", .part = count ? words[count - 1] : "", .out = out};
    if (count < 3) {
        for (const cli_command *const *command = c->commands; *command; command++)
            cli_offer(&l, (*command)->name);
        return;
    }
    l.command = cli_find_command(c, words[1]);
    if (!l.command)
        return;
    const cli_option *waiting = read_words(&l, words + 2, count - 3);
    if (waiting)
        cli_offer_option(&l, waiting);
    else if (strncmp(l.part, "--", 2) == 0 && offer_attached(&l))
        return;
    else if (l.part[0] == '-')
        offer_options(&l);
    else
        offer_operand(&l);
}

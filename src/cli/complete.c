/* SPDX-License-Identifier: MIT */
/* Completes command lines: reads the words so far, offers names from tables and files, and writes
 * the few lines that bash and zsh run to ask the program. Nothing that comes from a file is ever
 * evaluated by the shell. */
#include "cli/reading.h"

#include "memsweep/mech/engine.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* A command line up to the word that is to be completed. */
typedef struct cli_line {
    const cli *c;
    const cli_command *command;
    const char *operands[8]; /* those before that word; the first ones when there are more */
    size_t operand_count;
    const char *before; /* what of the word stays as it is: a list up to its last comma */
    size_t before_size;
    const char *part; /* what is to be completed of it */
    msw_text *out;    /* a line per word that fits; ":files yaml" asks for files, too */
} cli_line;

static void offer(cli_line *l, const char *word)
{
    if (strncmp(word, l->part, strlen(l->part)) != 0 || strpbrk(word, "\n\r"))
        return;
    msw_text_add_bytes(l->out, l->before, l->before_size);
    msw_text_add(l->out, "%s\n", word);
}

static void offer_files(cli_line *l, const char *ending)
{
    msw_text_add(l->out, ":files %s\n", ending);
}

static void offer_all(cli_line *l, const char *const *words)
{
    for (; words && *words; words++)
        offer(l, *words);
}

/* Of a list only what comes after the last comma is completed. */
static void start_part(cli_line *l)
{
    const char *comma = strrchr(l->part, ',');
    if (!comma || l->before_size)
        return;
    l->before = l->part;
    l->part = comma + 1 + strspn(comma + 1, " ");
    l->before_size = (size_t)(l->part - l->before);
}

static void offer_names(cli_line *l, cli_what from, cli_what to, const char *owner)
{
    cli_names names = {0};
    if (cli_names_all(&names, false, NULL) == 0)
        for (size_t i = 0; i < names.count; i++)
            if (names.list[i].what >= from && names.list[i].what <= to &&
                (!owner || strcmp(names.list[i].owner, owner) == 0))
                offer(l, names.list[i].name);
    cli_names_free(&names);
}

/* Names of files with an ending in a folder, without it. */
static void offer_stems(cli_line *l, const char *folder, const char *ending)
{
    DIR *dir = opendir(folder);
    size_t cut = strlen(ending);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        size_t size = strlen(e->d_name);
        char *stem = size > cut && strcmp(e->d_name + size - cut, ending) == 0
                         ? msw_strfmt("%.*s", (int)(size - cut), e->d_name)
                         : NULL;
        if (stem)
            offer(l, stem);
        free(stem);
    }
    if (dir)
        closedir(dir);
}

static void offer_sweep_files(cli_line *l)
{
    offer_files(l, "yaml");
    for (const char *const *dir = l->c->context.data_dirs; dir && *dir; dir++) {
        char *folder = msw_strfmt("%s/sweeps", *dir);
        if (folder)
            offer_stems(l, folder, ".yaml");
        free(folder);
    }
}

static void offer_databases(cli_line *l)
{
    offer_files(l, "db");
    offer_stems(l, cli_results_dir(), ".db");
}

/* Parameters and metrics, whichever of them a database has. */
static void offer_columns(cli_line *l)
{
    start_part(l);
    offer_names(l, CLI_PARAMETER, CLI_METRIC, NULL);
}

/* ---- eval ---- */

static const msw_mech *mechanism(const cli_line *l)
{
    return l->operand_count ? msw_mech_find(l->operands[0]) : NULL;
}

static void offer_details(cli_line *l)
{
    const msw_mech *mech = mechanism(l);
    for (const msw_detail *d = mech ? mech->details : NULL; d && d->name; d++)
        offer(l, d->name);
}

/* "page_size=" and then its choices. Parameters of front ends can be set, too. */
static void offer_setting(cli_line *l)
{
    cli_names names = {0};
    const char *equals = strchr(l->part, '=');
    if (cli_names_all(&names, true, NULL))
        return;
    for (size_t i = 0; mechanism(l) && i < names.count; i++) {
        const cli_named *n = &names.list[i];
        bool own = n->what == CLI_PARAMETER && (strcmp(n->owner, mechanism(l)->name) == 0 ||
                                                (!msw_mech_find(n->owner) && *l->part));
        const msw_param *param = own ? n->thing : NULL;
        char word[160];
        snprintf(word, sizeof word, "%s=", n->name);
        if (own && !equals)
            offer(l, word);
        for (size_t k = 0; own && equals && k < msw_param_choices(param); k++) {
            char value[MSW_PARAM_TEXT];
            snprintf(word, sizeof word, "%s=%s", n->name, msw_param_print(param, (double)k, value));
            offer(l, word);
        }
    }
    cli_names_free(&names);
}

/* ---- options and operands ---- */

static void offer_kind(cli_line *l, cli_kind kind, const char *const *choices)
{
    if (kind == CLI_CHOICE)
        offer_all(l, choices);
    else if (kind == CLI_NAME)
        offer_names(l, CLI_MECHANISM, CLI_METRIC, NULL);
    else if (kind == CLI_SWEEP)
        offer_sweep_files(l);
    else if (kind == CLI_DATABASE)
        offer_databases(l);
    else if (kind == CLI_FILE)
        offer_files(l, "");
}

static void offer_option(cli_line *l, const cli_option *o)
{
    static const char *const COLUMNS[] = {"columns", "metric", "factor", "filter",
                                          "order",   "over",   NULL};
    bool reads = l->command->operands && l->command->operands->kind == CLI_DATABASE;
    for (size_t i = 0; COLUMNS[i]; i++)
        if (reads && o->kind != CLI_CHOICE && strcmp(o->name, COLUMNS[i]) == 0) {
            offer_columns(l);
            return;
        }
    if (strcmp(o->name, "preset") == 0 && mechanism(l))
        offer_names(l, CLI_PRESET, CLI_PRESET, mechanism(l)->name);
    else if (strcmp(o->name, "details") == 0)
        offer_details(l);
    else if (strcmp(o->name, "workload") == 0 && !reads) {
        start_part(l);
        offer_names(l, CLI_WORKLOAD, CLI_WORKLOAD, NULL);
        offer_files(l, "");
    } else
        offer_kind(l, o->kind, o->choices);
}

/* After `describe neummu.` what belongs to the mechanism. */
static void offer_described(cli_line *l)
{
    const char *dot = strchr(l->part, '.');
    char *owner = dot ? msw_strfmt("%.*s", (int)(dot - l->part), l->part) : NULL;
    offer_files(l, "");
    if (owner) {
        l->before = l->part;
        l->before_size = (size_t)(dot + 1 - l->part);
        l->part = dot + 1;
        offer_names(l, CLI_PARAMETER, CLI_METRIC, owner);
    }
    free(owner);
}

/* What the value of an option, or an operand, can be. */
static void offer_for_operand(cli_line *l, const cli_operand *o)
{
    if (strcmp(o->name, "mechanism") == 0)
        offer_names(l, CLI_MECHANISM, CLI_MECHANISM, NULL);
    else if (strcmp(o->name, "setting") == 0)
        offer_setting(l);
    else {
        offer_kind(l, o->kind, o->choices);
        if (o->kind == CLI_NAME && strcmp(l->command->name, "describe") == 0)
            offer_described(l);
    }
}

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

/* Reads what comes before the word to complete. Returns the option that waits for it, or NULL. */
static const cli_option *read_words(cli_line *l, char *const *words, size_t count)
{
    const cli_option *waiting = NULL;
    for (size_t i = 0; i < count; i++) {
        bool is_value = waiting != NULL;
        waiting = is_value ? NULL : awaits(l->command, words[i]);
        if (!is_value && words[i][0] != '-' &&
            l->operand_count < sizeof l->operands / sizeof *l->operands)
            l->operands[l->operand_count++] = words[i];
    }
    return waiting;
}

static void offer_options(cli_line *l)
{
    char word[80];
    offer(l, "--help");
    for (const cli_option *o = l->command->options; o && o->name; o++) {
        snprintf(word, sizeof word, "--%s", o->name);
        offer(l, word);
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
        offer_option(l, o);
    return true;
}

static void offer_operand(cli_line *l)
{
    const cli_operand *o = l->command->operands;
    for (size_t i = 0; o && o->name && i < l->operand_count; i++)
        if (o->count != CLI_MANY && o->count != CLI_ANY)
            o++;
    if (o && o->name)
        offer_for_operand(l, o);
}

void cli_complete(const cli *c, char *const *words, size_t count, msw_text *out)
{
    cli_line l = {.c = c, .before = "", .part = count ? words[count - 1] : "", .out = out};
    if (count < 3) {
        for (const cli_command *const *command = c->commands; *command; command++)
            offer(&l, (*command)->name);
        return;
    }
    l.command = cli_find_command(c, words[1]);
    if (!l.command)
        return;
    const cli_option *waiting = read_words(&l, words + 2, count - 3);
    if (waiting)
        offer_option(&l, waiting);
    else if (strncmp(l.part, "--", 2) == 0 && offer_attached(&l))
        return;
    else if (l.part[0] == '-')
        offer_options(&l);
    else
        offer_operand(&l);
}

static const char BASH[] =
    "# bash completion for memsweep, made by 'memsweep completion bash'\n"
    "_memsweep_files() {\n"
    "    local IFS=$'\\n' f\n"
    "    for f in $(compgen -f -- \"$cur\"); do\n"
    "        if [ -d \"$f\" ]; then COMPREPLY+=(\"$f/\")\n"
    "        elif [ -z \"$1\" ] || [[ $f == *.$1 ]]; then COMPREPLY+=(\"$f\"); fi\n"
    "    done\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "_memsweep() {\n"
    "    local cur line i words=() from=0 spaceless=\n"
    "    COMPREPLY=()\n"
    "    # bash cuts words at '=': they are put together again\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        if [ $i -gt 1 ] && { [[ ${COMP_WORDS[i]} == = ]] || [[ ${COMP_WORDS[i-1]} == = ]]; "
    "}; then\n"
    "            words[${#words[@]}-1]+=${COMP_WORDS[i]}\n"
    "            from=${#words[-1]}\n"
    "            [[ ${COMP_WORDS[i]} == = ]] || from=$((from - ${#COMP_WORDS[i]}))\n"
    "        else\n"
    "            words+=(\"${COMP_WORDS[i]}\")\n"
    "            from=0\n"
    "        fi\n"
    "    done\n"
    "    cur=${words[-1]}\n"
    "    cur=${cur#[\\'\\\"]}\n"
    "    words[${#words[@]}-1]=$cur\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        ':files '*) cur=${cur:from} _memsweep_files \"${line#:files }\" ;;\n"
    "        *) COMPREPLY+=(\"${line:from}\") ;;\n"
    "        esac\n"
    "    done < <(\"${COMP_WORDS[0]}\" completion words -- \"${words[@]}\" 2>/dev/null)\n"
    "    case ${COMPREPLY[0]-} in\n"
    "    *= | */) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;;\n"
    "    esac\n"
    "}\n"
    "complete -F _memsweep memsweep\n";

static const char ZSH[] =
    "#compdef memsweep\n"
    "# zsh completion for memsweep, made by 'memsweep completion zsh'\n"
    "_memsweep() {\n"
    "    local line ending files=\n"
    "    local -a names open\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        ':files '*) files=yes ending=${line#:files } ;;\n"
    "        *=) open+=(\"$line\") ;;\n"
    "        *) names+=(\"$line\") ;;\n"
    "        esac\n"
    "    done < <(\"${words[1]}\" completion words -- \"${(@Q)words[1,CURRENT]}\" 2>/dev/null)\n"
    "    [[ ${#names} -eq 0 ]] || compadd -- \"${names[@]}\"\n"
    "    [[ ${#open} -eq 0 ]] || compadd -S '' -- \"${open[@]}\"\n"
    "    [[ -z $files ]] || _files ${ending:+-g} ${ending:+\"*.$ending\"}\n"
    "}\n"
    "if [[ $funcstack[1] == _memsweep ]]; then _memsweep \"$@\"; else compdef _memsweep memsweep; "
    "fi\n";

void cli_completion_bash(msw_text *out)
{
    msw_text_add(out, "%s", BASH);
}

void cli_completion_zsh(msw_text *out)
{
    msw_text_add(out, "%s", ZSH);
}

/* The bash completion script, made from the command tables. Names that tables hold are written into
 * it; files are looked up when completing. */
#include "cli.h"

#include "memsweep/quote.h"

#include <stdlib.h>
#include <string.h>

static void add_commands(msw_text *out)
{
    for (const cli_command *const *c = cli_commands; *c; c++)
        msw_text_add(out, "%s%s", c == cli_commands ? "" : " ", (*c)->name);
}

static void add_names(msw_text *out)
{
    cli_names names = {0};
    if (cli_names_all(&names, NULL) == 0)
        for (size_t i = 0; i < names.count; i++)
            msw_text_add(out, "%s%s", i ? " " : "", names.list[i].name);
    cli_names_free(&names);
}

/* What a word of a kind can be: a call of one of the script's functions. */
static void add_action(cli_kind kind, const char *const *choices, msw_text *out)
{
    switch (kind) {
    case CLI_CHOICE:
        msw_text_add(out, "_memsweep_words '");
        for (size_t i = 0; choices[i]; i++)
            msw_text_add(out, "%s%s", i ? " " : "", choices[i]);
        msw_text_add(out, "'");
        break;
    case CLI_NAME:
        msw_text_add(out, "_memsweep_words \"$_memsweep_names\"");
        break;
    case CLI_SWEEP:
        msw_text_add(out, "_memsweep_files yaml");
        break;
    case CLI_DATABASE:
        msw_text_add(out, "_memsweep_files db");
        break;
    case CLI_FILE:
        msw_text_add(out, "_memsweep_files ''");
        break;
    default:
        msw_text_add(out, ":");
    }
}

static void add_case(const char *command, const char *dashes, const char *option, msw_text *out)
{
    char *words = msw_strfmt("%s %s%s", command, dashes, option);
    msw_text_add(out, "        ");
    msw_text_add_shell(out, words ? words : "");
    msw_text_add(out, ") ");
    out->failed = out->failed || !words;
    free(words);
}

static void add_values(const cli_command *command, msw_text *out)
{
    for (const cli_option *o = command->options; o && o->name; o++) {
        if (o->kind == CLI_FLAG)
            continue;
        add_case(command->name, "--", o->name, out);
        add_action(o->kind, o->choices, out);
        msw_text_add(out, "; return ;;\n");
        if (o->letter) {
            add_case(command->name, "-", (const char[]){o->letter, '\0'}, out);
            add_action(o->kind, o->choices, out);
            msw_text_add(out, "; return ;;\n");
        }
    }
}

static void add_options(const cli_command *command, msw_text *out)
{
    msw_text_add(out, "        %s) options='--help", command->name);
    for (const cli_option *o = command->options; o && o->name; o++)
        msw_text_add(out, " --%s", o->name);
    msw_text_add(out, "' ;;\n");
}

static void add_operand(const cli_command *command, msw_text *out)
{
    const cli_operand *o = command->operands;
    if (!o || !o->name)
        return;
    msw_text_add(out, "        %s) ", command->name);
    add_action(o->kind, o->choices, out);
    msw_text_add(out, " ;;\n");
}

static const char HEAD[] =
    "_memsweep_words() {\n"
    "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "_memsweep_files() {\n"
    "    local IFS=$'\\n' f\n"
    "    COMPREPLY=()\n"
    "    for f in $(compgen -f -- \"$cur\"); do\n"
    "        if [ -d \"$f\" ]; then COMPREPLY+=(\"$f/\")\n"
    "        elif [ -z \"$1\" ] || [[ $f == *.$1 ]]; then COMPREPLY+=(\"$f\"); fi\n"
    "    done\n"
    "    compopt -o filenames -o nospace 2>/dev/null\n"
    "    [ ${#COMPREPLY[@]} -eq 1 ] && [ ! -d \"${COMPREPLY[0]}\" ] && compopt +o nospace "
    "2>/dev/null\n"
    "}\n";

void cli_completion_bash(msw_text *out)
{
    msw_text_add(out, "# bash completion for memsweep, made by 'memsweep completion bash'\n");
    msw_text_add(out, "_memsweep_names='");
    add_names(out);
    msw_text_add(out,
                 "'\n%s_memsweep() {\n"
                 "    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
                 "    local prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
                 "    COMPREPLY=()\n"
                 "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _memsweep_words '",
                 HEAD);
    add_commands(out);
    msw_text_add(out, "'\n        return\n    fi\n    case \"$command $prev\" in\n");
    for (const cli_command *const *c = cli_commands; *c; c++)
        add_values(*c, out);
    msw_text_add(out, "    esac\n    if [[ $cur == -* ]]; then\n        case $command in\n");
    for (const cli_command *const *c = cli_commands; *c; c++)
        add_options(*c, out);
    msw_text_add(out, "        esac\n        _memsweep_words \"$options\"\n        return\n    fi\n"
                      "    case $command in\n");
    for (const cli_command *const *c = cli_commands; *c; c++)
        add_operand(*c, out);
    msw_text_add(out, "    esac\n}\ncomplete -F _memsweep memsweep\n");
}

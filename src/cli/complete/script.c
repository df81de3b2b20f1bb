/* SPDX-License-Identifier: MIT */
/* What bash and zsh run: a few lines that ask the program. Nothing that comes from a file is ever
 * evaluated by the shell. */
#include "cli/complete/complete.h"

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

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every file include only headers of its own module and of the modules before it? The path of a
# file says its module: src/<module>/..., include/memsweep/<module>/<part>.h. Headers below src are
# private to their module.
source "$(dirname "$0")/files.sh"
source tests/lint/modules.sh
declare -A rank
i=0
for module in $order; do
    rank[$module]=$((i++))
done

while read -r path; do
    module_of "$path"
    [ -n "$module" ] || fail "$path: in no module of: $order"
done < <(files 'src/*.c' 'src/*.h' 'include/memsweep/*.h')

while IFS=: read -r path line header; do
    module_of "$path"
    [ -n "$module" ] || continue
    own=$module
    if [[ $header == memsweep/* ]]; then
        module_of "include/$header"
        if [ -z "$module" ] || [ ! -f "include/$header" ]; then
            fail "$path:$line: no public header $header"
        elif [ "${rank[$module]}" -gt "${rank[$own]}" ]; then
            fail "$path:$line: $own may not include $header: $module comes after it"
        fi
    elif [ ! -f "src/$header" ]; then
        fail "$path:$line: write the path of $header from src"
    elif [ "${header%%/*}" != "$own" ]; then
        fail "$path:$line: $header is private to ${header%%/*}"
    fi
done < <(files 'src/*.c' 'src/*.h' 'include/memsweep/*.h' |
    xargs grep -nE '^ *# *include *"' | sed -E 's/^([^:]*:[0-9]+):[^"]*"([^"]*)".*/\1:\2/')
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# GSL ends the process where it fails, unless its handler is off. Is that the first thing the program
# does, and is what its functions allocate looked at before it is used?
set -u
cd "${MEMSWEEP_SOURCE:?}" || exit 1
bad=0
grep -A 2 '^static int prepare_process(' src/cli/main/main.c | grep -q 'gsl_set_error_handler_off();' || {
    echo "src/cli/main/main.c: prepare_process() does not begin with gsl_set_error_handler_off()"
    bad=1
}
while IFS=: read -r file line text; do
    # "x = gsl_..._alloc(...);" may be broken before the call; the next line asks whether x is NULL.
    case $text in
    *=*) name=${text%%=*} ;;
    *) name=$(sed -n "$((line - 1))s/ =\$//p" "$file") ;;
    esac
    name=$(echo "$name" | sed -E 's/ +$//; s/.*[ *]//')
    sed -n "$((line + 1))p" "$file" | grep -qF "if (!$name)" || {
        echo "$file:$line: what GSL allocates is not compared with NULL in the next line"
        bad=1
    }
done < <(grep -rnE '\bgsl_\w+_c?alloc\(' src)
exit $bad

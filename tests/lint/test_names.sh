#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do identifiers and file names keep to the field's words? words.tsv says which words were replaced
# (old, new, meaning); parts of an identifier between underscores are compared.
source "$(dirname "$0")/files.sh"
table=tests/lint/words.tsv

# One word, one meaning: no old word twice, no new word twice, no new word that is an old one.
while read -r word; do
    fail "$table: '$word' stands twice"
done < <(cut -f1,2 "$table" | tr '\t' '\n' | sort | uniq -d)
while IFS=$'\t' read -r old new meaning rest; do
    [ -n "$meaning" ] && [ -z "$rest" ] || fail "$table: '$old': three columns are wanted"
done <"$table"

# Comments go by the preprocessor, strings and includes by sed.
identifiers() {
    local path
    for path in "$@"; do
        ${CC:-cc} -fpreprocessed -dD -E -P -x c "$path" 2>/dev/null |
            sed -E '/^#include/d; s/"([^"\\]|\\.)*"//g' | grep -oE '[A-Za-z_][A-Za-z0-9_]*' |
            sort -u | sed "s|^|$path: |"
    done
}

old=$(cut -f1 "$table" | paste -sd '|')
while read -r path name; do
    fail "$path $name has a word that was replaced ($table)"
done < <(identifiers $(files 'src/*.c' 'src/*.h' 'include/*.h') |
    grep -iE ": (.*_)?($old)(_.*)?\$")
# What is run is a program on a sweep, and a front is a Pareto front: parts of hardware have neither.
while read -r path name; do
    fail "$path $name: in the parts of hardware nothing is called run or front"
done < <(identifiers $(files 'src/sim/*.c' 'src/sim/*.h' 'include/memsweep/sim/*.h') |
    grep -iE ': (.*_)?(run|runs|front)(_.*)?$')
while read -r path; do
    fail "$path: its name has a word that was replaced ($table)"
done < <(files 'src/*' 'include/*' 'tests/*' | grep -iE "(.*[/_-])($old)([._-][^/]*)?\$")
exit $bad

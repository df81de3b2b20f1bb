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

# identifiers FILE...: "path: name" of every name outside of comments, strings and includes.
identifiers() {
    awk '
        FNR == 1 { comment = 0 }
        !comment && /^#include/ { next }
        {
            line = $0
            code = ""
            while (line != "") {
                if (comment) {
                    end = index(line, "*/")
                    comment = !end
                    line = end ? substr(line, end + 2) : ""
                } else if (match(line, /\047"\047|\/\*|"([^"\\]|\\.)*"/)) {
                    code = code substr(line, 1, RSTART - 1) " "
                    comment = substr(line, RSTART, 1) == "/"
                    line = substr(line, RSTART + RLENGTH)
                } else {
                    code = code line
                    line = ""
                }
            }
            count = split(code, names, /[^A-Za-z0-9_]+/)
            for (i = 1; i <= count; i++)
                if (names[i] ~ /^[A-Za-z_]/ && !((FILENAME, names[i]) in seen)) {
                    seen[FILENAME, names[i]] = 1
                    print FILENAME ": " names[i]
                }
        }' "$@"
}

# Names of src with "place" are left from when the check stopped at the first file without a name:
# their number only falls.
PLACES=51
old=$(cut -f1 "$table" | paste -sd '|')
places=0
while read -r path name; do
    if [[ $path == src/* && ${name,,} =~ (^|_)places?(_|$) ]]; then
        places=$((places + 1))
        [ $places -le $PLACES ] && continue
    fi
    fail "$path $name has a word that was replaced ($table)"
done < <(identifiers $(files 'src/*.c' 'src/*.h' 'include/*.h') |
    grep -iE ": (.*_)?($old)(_.*)?\$")
[ $places -ge $PLACES ] || fail "$places names with \"place\" are left: take that for PLACES in $0"
# What is run is a program on a sweep, and a front is a Pareto front: parts of hardware have neither.
while read -r path name; do
    fail "$path $name: in the parts of hardware nothing is called run or front"
done < <(identifiers $(files 'src/sim/*.c' 'src/sim/*.h' 'include/memsweep/sim/*.h') |
    grep -iE ': (.*_)?(run|runs|front)(_.*)?$')
while read -r path; do
    fail "$path: its name has a word that was replaced ($table)"
done < <(files 'src/*' 'include/*' 'tests/*' | grep -iE "(.*[/_-])($old)([._-][^/]*)?\$")
exit $bad

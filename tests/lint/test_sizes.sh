#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are functions and files short? Says median and 95th percentile; refuses more than 80 lines in a
# function and 500 in a file. Generated tables are left out.
source "$(dirname "$0")/files.sh"
generated='^src/design/sobol_numbers\.c$'

while read -r path; do
    lines=$(wc -l <"$path")
    [ "$lines" -le 500 ] || fail "$path: $lines lines, at most 500 are allowed"
done < <(files 'src/*.c' 'src/*.h' 'include/*.h' | grep -vE "$generated")

ctags --version 2>/dev/null | grep -q Universal || {
    echo "skipped functions: no universal-ctags"
    [ "$bad" = 1 ] || bad=77
    exit "$bad"
}
lengths=$(files 'src/*.c' | grep -vE "$generated" |
    ctags -L - -f - --languages=C --kinds-C=f --fields=+ne --excmd=number --sort=no |
    awk -F '\t' '{
        line = end = 0
        for (i = 4; i <= NF; i++) {
            if ($i ~ /^line:/) line = substr($i, 6)
            if ($i ~ /^end:/) end = substr($i, 5)
        }
        if (end) print end - line + 1, $2 ":" line, $1
    }' | sort -n)
echo "$lengths" | awk '
    { n[NR] = $1; short += $1 <= 40 }
    END {
        printf "%d functions: median %d, 95th percentile %d, longest %d lines, %.1f %% within 40\n",
            NR, n[int((NR + 1) / 2)], n[int(NR * 0.95 + 0.5)], n[NR], 100 * short / NR
    }'
while read -r length place name; do
    [ "$length" -le 80 ] || fail "$place: $name has $length lines, at most 80 are allowed"
done <<<"$lengths"
exit $bad

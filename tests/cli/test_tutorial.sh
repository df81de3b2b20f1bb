#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the README, the tutorial and the page on analysis print what the commands print?
#
# Every block whose first line names a file (# first.yaml) is written to that file, every line
# "$ command" of a console block is run, and the text is compared with the same text with today's
# output in it. What differs from run to run (times, rates, dates) is masked; what Python
# and R print is believed where there is none. nvcc is never run: the PTX it would make is committed.
#   MEMSWEEP_UPDATE=1   rewrites the pages instead; a line that differs in masked parts only stays as it is
#   MEMSWEEP_FULL=1     runs the studies in docs/studies too (minutes)
set -euo pipefail
[ -x "$MEMSWEEP_BUILD/memsweep" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$MEMSWEEP_BUILD:$PATH MEMSWEEP_DATA=$MEMSWEEP_SOURCE
unset MEMSWEEP_RESULTS OMP_NUM_THREADS
without_python=yes
if command -v python3 >/dev/null; then without_python=; fi
without_r=yes
if Rscript -e 'library(RSQLite)' >/dev/null 2>&1; then without_r=; fi

run() {
    bash -c "$1" 2>&1 </dev/null | grep -vE '^ *[0-9]+ % [0-9,]+ of [0-9,]+ points' || true
}

# today PAGE: the page with the output of today.
today() {
    local state=text file= line kept=
    while IFS= read -r line; do
        case $state:$line in
        'text:```console') state=console ;;
        'text:```yaml' | 'text:```python' | 'text:```r' | 'text:```simt' | 'text:```awk') state=yaml file= ;;
        console:'```' | yaml:'```') state=text ;;
        yaml:'# '*.yaml | yaml:'# '*.py | yaml:'# '*.R | yaml:'# '*.simt | yaml:'# '*.awk) [ -n "$file" ] || file=${line#\# } && : >"$file" ;;
        esac
        if [ $state = yaml ] && [ -n "$file" ]; then
            printf '%s\n' "$line" >>"$file"
        fi
        case $line in
        '$ python3 '*) kept=$without_python ;;
        '$ Rscript '*) kept=$without_r ;;
        '$ nvcc '*)
            kept=yes
            cp "$MEMSWEEP_SOURCE/workloads/simt/example/${line##* }" .
            ;;
        '$ '* | '```') kept= ;;
        esac
        if [ "$kept" ] || [ $state != console ] || [ "$line" = '```console' ]; then
            printf '%s\n' "$line"
        elif [[ $line == '$ '* ]]; then
            printf '%s\n' "$line"
            run "${line#\$ }"
        fi
    done <"$1"
}

mask() {
    sed -E 's/[0-9.,]+(e[+-]?[0-9]+)? points\/s/RATE points\/s/
        s/ in [0-9.]+ (ns|us|ms|s|min)/ in TIME/
        s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/DATE/'
}

# renewed PAGE TODAY: today's lines, but those of the page where the masks are all that differs.
renewed() {
    paste -d $'\001' <(mask <"$1") "$1" >"$work/old"
    paste -d $'\001' <(mask <"$2") "$2" >"$work/new"
    awk -F $'\001' '
        NR == FNR { old[$1, ++count[$1]] = $2; next }
        { print ++used[$1] <= count[$1] ? old[$1, used[$1]] : $2 }' "$work/old" "$work/new"
}

bad=0
pages=(README.md docs/tutorial.md docs/statistics.md docs/programs.md docs/analysis.md
    docs/simt-tutorial.md)
if [ -n "${MEMSWEEP_FULL:-}" ]; then
    for page in "$MEMSWEEP_SOURCE"/docs/studies/*.md; do
        pages+=("${page#"$MEMSWEEP_SOURCE"/}")
    done
fi
for page in "${pages[@]}"; do
    name=$(basename "$page" .md)
    mkdir "$work/$name"
    cd "$work/$name"
    today "$MEMSWEEP_SOURCE/$page" >"$work/today.md"
    if [ -n "${MEMSWEEP_UPDATE:-}" ]; then
        renewed "$MEMSWEEP_SOURCE/$page" "$work/today.md" >"$work/renewed.md"
        cp "$work/renewed.md" "$MEMSWEEP_SOURCE/$page"
        continue
    fi
    mask <"$MEMSWEEP_SOURCE/$page" >"$work/expected"
    mask <"$work/today.md" >"$work/found"
    diff -u --label "$page" --label "$page, run today" "$work/expected" "$work/found" || bad=1
done
exit $bad

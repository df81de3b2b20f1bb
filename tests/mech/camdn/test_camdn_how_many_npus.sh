#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1280. Does a user get from a mix with deadlines to a number of NPUs by the commands of
# docs/studies/camdn-npus.md, and is it the page's? MEMSWEEP_FULL=1 runs what it asks of `full`.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
page=$MEMSWEEP_SOURCE/docs/studies/camdn-npus.md
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE PATH=${memsweep%/*}:$PATH
sed -n '/^# how-many.yaml$/,/^```$/p' "$page" | sed '$d' >how-many.yaml
while IFS= read -r command; do
    case $command in
    *'--fidelity full'*) [ -n "${MEMSWEEP_FULL:-}" ] || continue ;;
    esac
    bash -c "$command" >out 2>err </dev/null || fail "exit code $?: $command: $(head -n 3 err)"
    [ "${command#*query}" = "$command" ] || cp out answer
done < <(awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$page")
found=$(awk '$1 == "tags" || $1 == "pages" { row[$1] = row[$1] " " $3 }
    END { print "tags" row["tags"]; print "pages" row["pages"] }' answer)
shown=$(sed -nE 's/^\| .*\(`(tags|pages)`\) \| ([0-9]+) \| ([0-9]+) \| ([0-9]+) \|$/\1 \2 \3 \4/p' "$page")
same "$found" "$shown" 'NPUs, by gang'
finish

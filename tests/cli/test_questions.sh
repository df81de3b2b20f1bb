#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every command of docs/questions.md run, in its order, on the sweep that the page shows; and are
# there at least twenty questions, each with a figure?
source "$(dirname "$0")/common.sh"
top=${MEMSWEEP_SOURCE:?}
page=$top/docs/questions.md
export MEMSWEEP_DATA=$top PATH=${memsweep%/*}:$PATH
sed -n '/^# mmu.yaml$/,/^```$/p' "$page" | sed '$d' >mmu.yaml
cp "$top/workloads/npu/tiles/example.csv" my-network.csv
cp "$top/workloads/trace/example.trace" my.trace
while IFS= read -r command; do
    bash -c "$command" >out 2>err </dev/null || fail "exit code $?: $command: $(head -n 3 err)"
    [ -s out ] || [ -s err ] || fail "prints nothing: $command"
done < <(awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$page")
[ "$(grep -c '^\*\*' "$page")" -ge 20 ] || fail "$(grep -c '^\*\*' "$page") questions"
while IFS= read -r title; do
    grep -qxF "### ${title%.}" "$top/docs/gallery.md" || fail "no figure: $title"
done < <(sed -nE 's/^\*\*([^*]*)\*\*.*/\1/p' "$page")
same "$(grep -c '^!\[.*](figures/' "$top/docs/gallery.md")" 20 'figures'
finish

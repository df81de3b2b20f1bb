#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a search say how its front grew, while it goes on and at its end: in status, and in a figure
# whose last point is the statement's?
source "$(dirname "$0")/../cli/common.sh"

cat >g.yaml <<'YAML'
sweep: g
mechanism: "null"
workloads: [synth/small]
design: {kind: search, evaluations: 200, audit: 20}
vary:
  x1: {from: 0.1, to: 0.9}
  x2: {from: 0, to: 1, count: 9}
fix: {function: zdt1}
objectives: {minimize: [f1, f2]}
YAML
gives 0 "$memsweep" run g.yaml -o g.db -q
front=$("$memsweep" pareto g.db -f csv | tail -n +2 | wc -l)
gives 0 "$memsweep" status g.db
has "$out" "g: the search has a front of $front vectors after 180 evaluations"
has "$out" "% of the space extend it"
command -v gnuplot >/dev/null || exit 77
gives 0 "$memsweep" plot g.db --figure growth --data
same "$(grep hypervolume g-growth.tsv | tail -1 | cut -f 2-4)" "$(printf 'hypervolume\t200\t1')" 'its end'
grep hypervolume g-growth.tsv | cut -f 4 | sort -gc || { echo "a hypervolume shrinks" && exit 1; }
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 690. Is there a figure of the indices at a quarter, a half and all base rows, and does the
# figure of the indices keep to all of them?
source "$(dirname "$0")/../cli/common.sh"

printf 'sweep: s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: saltelli, base_rows: 64, scrambles: 8}\nvary: {gain: {from: 1, to: 3}, carry: {from: 0, to: 1}}\n' >s.yaml
gives 0 "$memsweep" run s.yaml -o s.db -q
gives 0 "$memsweep" sensitivity s.db -m cycles --convergence --save
has "$out" "64 base rows were"
command -v gnuplot >/dev/null || exit 77
gives 0 "$memsweep" plot s.db --figure settling --data
gives 0 "$memsweep" plot s.db --figure sensitivity --data
same "$(tail -n +2 s-settling.tsv | cut -f 3 | sort -nu | tr '\n' ' ')" '16 32 64 ' 'base rows drawn'
same "$(tail -n +2 s-settling.tsv | wc -l)" 6 'rows of settling'
same "$(tail -n +2 s-sensitivity.tsv | wc -l)" 2 'rows of sensitivity'
has "$(cat s-settling.svg)" "base rows"
finish

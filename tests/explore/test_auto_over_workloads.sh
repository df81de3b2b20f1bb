#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 853. Does fidelity auto over workloads choose whole designs, judge them as --over does, and
# name where the closed form misleads; and does it do so for each way of taking workloads together?
set -euo pipefail
memsweep=$MEMSWEEP_BUILD/memsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
command -v sqlite3 >/dev/null || exit 77
bad=0
for by in worst mean geomean 'weighted(synth/small=3, synth/even=1)'; do
    cat >a.yaml <<YAML
sweep: a
mechanism: "null"
workloads: [synth/small, synth/even]
fidelity: auto
auto: {budget: 25%, batch: 20, over: workload, by: "$by"}
vary: {gain: {from: 1, to: 3, count: 9}, carry: {from: 0, to: 1, count: 9}, x1: [0.1, 0.5]}
derive: {price: "1 / gain + (1 - carry) + x1"}
objectives: {minimize: [slowdown, price]}
YAML
    rm -f a.db
    "$memsweep" run a.yaml -o a.db 2>/dev/null >out
    grep -q 'discarded designs are wrong' out || { echo "$by:" && cat out && bad=1; }
    # Both workloads of each design, and no other points.
    uneven=$(sqlite3 a.db 'SELECT count(*) FROM (SELECT chosen % 162 FROM msw_choice GROUP BY 1 HAVING count(*) <> 2)')
    [ "$uneven" = 0 ] || { echo "$by: $uneven designs in part" && bad=1; }
    # The front that was announced is that of the rows in full taken together.
    "$memsweep" run a.yaml -o a.db --fidelity full -q
    "$memsweep" pareto a.db -s "a@auto-full@$by" -f tsv --columns point | tail -n +2 | sort >ranked
    sqlite3 a.db "SELECT chosen FROM msw_choice WHERE state = 'front' AND chosen < 162" | sort >announced
    [ -s announced ] && [ "$(wc -l <announced)" -le "$(wc -l <ranked)" ] || { echo "$by: fronts differ" && wc -l announced ranked && bad=1; }
done

# Planted spikes that an audit of half the space cannot but find.
cat >b.yaml <<YAML
sweep: b
mechanism: "null"
workloads: [synth/small]
fidelity: auto
auto: {budget: 60%, audit: 90%, batch: 20}
vary: {x1: {from: 0.1, to: 0.9, count: 9}, x2: {from: 0, to: 1, count: 5}, x3: {from: 0, to: 1, count: 5}}
fix: {function: zdt1, planted_spikes: 30%, planted_depth: 2}
objectives: {minimize: [f1, f2]}
YAML
"$memsweep" run b.yaml -o b.db 2>/dev/null >out
grep -q 'found wrong, by at most' out && grep -q 'most of them: synth/small' out &&
    grep -q 'estimate without guarantee' out || { cat out && bad=1; }
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are the indices of 'sensitivity --estimator salib' those of SALib's sobol.analyze with
# calc_second_order? Its formulas are written down again here, on the rows of the database: outputs
# less their mean over their deviation, first order from AB rows alone, pairs from BA and AB rows.
source "$(dirname "$0")/../cli/common.sh"
command -v python3 >/dev/null || exit 77

printf 'sweep: s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: saltelli, base_rows: 64, second_order: on}\nvary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}}\nfix: {function: ishigami}\n' >s.yaml
gives 0 "$memsweep" run s.yaml -o s.db -q
gives 0 "$memsweep" sensitivity s.db -m y --second --resamples 0 --estimator salib -f json
cp out ours.json
gives 0 "$memsweep" sensitivity s.db -m y --second --resamples 0 -f json
cmp -s out ours.json && fail "salib is the default"
gives 0 "$memsweep" query s.db -c y,point -f json
python3 - ours.json out <<'END' || fail "SALib's formulas give other numbers"
import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])] if open(sys.argv[1]).read(1) == "{" else json.load(open(sys.argv[1]))
ours = {r["factor"]: r for r in rows}
text = open(sys.argv[2]).read()
points = [json.loads(l) for l in text.splitlines()] if text[0] == "{" else json.loads(text)
y = [p["y"] for p in sorted(points, key=lambda p: p["point"])]
d, mean = 3, sum(y) / len(y)
deviation = (sum((v - mean) ** 2 for v in y) / len(y)) ** 0.5
y = [(v - mean) / deviation for v in y]
step = 2 * d + 2
A, B = y[::step], y[step - 1 :: step]
AB = [y[1 + j :: step] for j in range(d)]
BA = [y[1 + d + j :: step] for j in range(d)]
average = lambda v: sum(v) / len(v)
both = A + B
variance = average([v * v for v in both]) - average(both) ** 2
first = [average([b * (ab - a) for a, b, ab in zip(A, B, AB[j])]) / variance for j in range(d)]
total = [average([(a - ab) ** 2 for a, ab in zip(A, AB[j])]) / 2 / variance for j in range(d)]
names = ["x1", "x2", "x3"]
for j in range(d):
    assert abs(ours[names[j]]["first"] - first[j]) < 1e-9, (names[j], ours[names[j]], first[j])
    assert abs(ours[names[j]]["total"] - total[j]) < 1e-9, names[j]
    for k in range(j + 1, d):
        pair = average([ba * ab - a * b for a, b, ab, ba in zip(A, B, AB[k], BA[j])]) / variance
        name = names[j] + " * " + names[k]
        assert abs(ours[name]["interaction"] - (pair - first[j] - first[k])) < 1e-9, name
END
finish

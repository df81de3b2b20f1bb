#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do runs that differ in their seed attain what python computes from their rows, does coverage count
# what it says, and are both sides drawn?
source "$(dirname "$0")/../cli/common.sh"
command -v python3 >/dev/null || exit 77

sweep='sweep: r\nmechanism: "null"\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: random, points: %d}\nvary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}}\nfix: {function: zdt1}\nobjectives: {minimize: [f1, f2]}\n'
# shellcheck disable=SC2059
printf "$sweep" 20 >a.yaml
# shellcheck disable=SC2059
printf "$sweep" 30 >b.yaml
for seed in 1 2 3; do
    gives 0 "$memsweep" run a.yaml --seed $seed -o a.db -q
    gives 0 "$memsweep" run b.yaml --seed $((seed + 10)) -o b.db -q
    for s in a b; do "$memsweep" query $s.db -c f1,f2 -f csv | tail -n +2 | tr ',' ' ' | sed "s/^/$seed /" >>$s.rows; done
done
gives 0 "$memsweep" run b.yaml --seed 11 -o a.db -q # other settings: no run of a.yaml
gives 0 "$memsweep" pareto a.db -s r --against b.db -f csv
got=$(python3 -c 'import csv, sys; r = next(csv.DictReader(sys.stdin)); print(r["coverage"], r["coverage_back"])' <<<"$out")
gives 0 "$memsweep" run a.yaml --seed 3 -o a.db -q
gives 0 "$memsweep" pareto a.db -s r --seeds --against b.db -f csv --save
python3 - "$out" "$got" <<'E' || exit 1
import csv, io, sys
def rows(name):
    runs = {}
    for line in open(name):
        seed, x, y = line.split()
        runs.setdefault(seed, []).append((float(x), float(y)))
    return [runs[s] for s in sorted(runs)]
def surface(runs, k):
    out, last = [], float("inf")
    for x in sorted(p[0] for r in runs for p in r):
        y = sorted(min([p[1] for p in r if p[0] <= x], default=float("inf")) for r in runs)[k - 1]
        if y < last:
            out.append((x, y))
            last = y
    return out
def front(points):
    return [p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)]
def covered(a, b):
    b = front(b)
    return sum(any(p[0] <= q[0] and p[1] <= q[1] for p in a) for q in b) / len(b)
a, b = rows("a.rows"), rows("b.rows")
for name, runs in (("this", a), ("other", b)):
    for k, word in ((1, "one"), (2, "half"), (3, "all")):
        got = [(float(r["f1"]), float(r["f2"])) for r in csv.DictReader(io.StringIO(sys.argv[1]))
               if r["runs"] == name and r["attained_by"] == word]
        if got != surface(runs, k):
            sys.exit(f"{name} {word}: {got} instead of {surface(runs, k)}")
want = [covered(b[0], b[2]), covered(b[2], b[0])]
got = [float(x) for x in sys.argv[2].split()]
if got != want:
    sys.exit(f"coverage {got} instead of {want}")
E
gives 0 "$memsweep" pareto a.db -s r --seeds
has "$out" "this: 3 runs, hypervolume"
command -v gnuplot >/dev/null || exit 77
gives 0 "$memsweep" plot a.db -s r --figure attainment
has "$(cat r-attainment.svg)" "other, half"
finish

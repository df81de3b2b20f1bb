#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the analysis commands choose, count, refuse and keep as they say?
source "$(dirname "$0")/common.sh"

# study NAME LINE...: writes NAME.yaml over the null mechanism.
study() {
    local name=$1
    shift
    printf 'sweep: %s\nmechanism: null\nfidelity: analytic\n' "$name" >"$name.yaml"
    printf '%s\n' "$@" >>"$name.yaml"
}

# ---- sensitivity: the method follows from the design ----
two='workloads: [synth/small, synth/even]'
study grid "$two" 'vary: {gain: [1, 2, 4], carry: [0, 0.5], synth.shape: all}'
study drawn "$two" 'design: {kind: lhs, points: 64}' \
    'vary: {gain: {from: 1, to: 10, scale: log}, carry: {from: 0, to: 1}, synth.shape: all}'
study walk "$two" 'design: {kind: morris, trajectories: 8}' 'vary: {gain: {from: 1, to: 10}, carry: [0, 0.1, 0.9]}'
study rows "$two" 'design: {kind: saltelli, base_rows: 32}' 'vary: {gain: {from: 1, to: 10}, carry: {from: 0, to: 1}}'
study one 'workloads: [synth/small]' 'design: {kind: list, points: [{gain: 2, carry: 0.1}, {gain: 1, carry: 0.1}, {gain: 4, carry: 0.1}, {gain: 2, carry: 0.5}]}'
for name in grid drawn walk rows one; do
    gives 0 "$memsweep" run -q $name.yaml
done
for pair in grid:anova drawn:regression walk:effects rows:Saltelli one:'one factor at a time'; do
    gives 0 "$memsweep" sensitivity ${pair%%:*} -m slowdown
    has "$out" "${pair#*:}"
    [ "${pair%%:*}" = one ] || has "$out" "mean over 2 workloads"
    for format in tsv csv json; do
        gives 0 "$memsweep" sensitivity ${pair%%:*} -m slowdown -f $format
        [ -z "$err" ] || fail "sensitivity ${pair%%:*} -f $format says: $err"
    done
done
for method in anova regression pce oat; do
    gives 0 "$memsweep" sensitivity grid -m slowdown --method $method
done
gives 0 "$memsweep" sensitivity one -m slowdown -f tsv
has "$out" $'gain\t2\t2.1\t1.1\t4.1\t1\t4\t2.99'
gives 0 "$memsweep" sensitivity grid -m slowdown --method oat --baseline 'gain=4,carry=0.5' -f tsv
has "$out" $'gain\t4\t4.5'

# Factors taken as one: all of them are all of the variance, a single one is itself.
gives 0 "$memsweep" sensitivity grid -m slowdown -f tsv \
    --groups 'all = gain + carry + synth_shape, carry, both=gain+carry'
same "$(awk '$1 == "all" { printf "%.9f %.9f", $2, $3 }' out)" "1.000000000 1.000000000" "all as one"
same "$(grep -c $'^carry\t' out)" 2 "rows for carry"
same "$(awk '$1 == "carry" { printf "%.9f %.9f\n", $2, $3 }' out | sort -u | wc -l)" 1 "shares of carry alone and as a group"
gives 0 "$memsweep" sensitivity drawn -m slowdown --method pce --groups 'both = gain + carry' -f tsv
has "$out" $'both\t'
gives 2 "$memsweep" sensitivity grid -m slowdown --groups 'gain + nothing'
has "$err" "'nothing' is no factor"
gives 2 "$memsweep" sensitivity rows -m slowdown --groups 'gain + carry'
has "$err" "--groups needs a method"

# Groups of a design. Ishigami: x2 stands alone, so {x1, x3} has all the rest (shares of Ishigami and
# Homma 1990: 0.3139 + 0.2437 and 0.4424). G function: with V1 = 1/3, V2 = 1/12, V3 = 1/90.75 and
# V4 = 1/300 the first pair has ((1 + V1)(1 + V2) - 1) / V = 0.9553, and 1 - ((1 + V3)(1 + V4) - 1) / V
# = 0.9691 in total. Linear: a pair moves by 2, 0 or -2 steps, a factor by one.
one='workloads: [synth/small]'
ranges='x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}'
study waves "$one" 'fix: {function: ishigami}' "vary: {$ranges}" \
    'design: {kind: saltelli, base_rows: 1024, groups: {outer: [x3, x1]}}'
study pairs "$one" 'fix: {function: sobol_g}' "vary: {$ranges, x4: {from: 0, to: 1}}" \
    'design: {kind: saltelli, base_rows: 1024, second_order: on, groups: {minor: [x3, x4], major: [x1, x2]}}'
study steps "$one" 'fix: {function: linear}' "vary: {$ranges}" \
    'design: {kind: morris, trajectories: 400, groups: {outer: [x1, x3]}}'
for name in waves pairs steps; do
    gives 0 "$memsweep" run -q $name.yaml
done
# about FACTOR COLUMN VALUE TOLERANCE: of the table in `out`.
about() {
    awk -F'\t' -v f="$1" -v c="$2" -v v="$3" -v t="$4" '$1 == f { n++; if ($c > v - t && $c < v + t) good++ }
        END { exit !(n == 1 && good == 1) }' out || fail "$1, column $2 is not $3 +- $4: $(cat out)"
}
gives 0 "$memsweep" sensitivity waves -m y --resamples 0 -f tsv
about outer 2 0.5576 0.02
about outer 3 0.5576 0.02
about x2 2 0.4424 0.02
about x2 3 0.4424 0.02
same "$(grep -c '^x[13]' out)" 0 "rows of members"
gives 0 "$memsweep" sensitivity pairs -m y --second --resamples 0 -f tsv
about major 2 0.9553 0.01
about major 3 0.9691 0.01
has "$out" "major * minor"
gives 0 "$memsweep" sensitivity steps -m y --resamples 0 -f tsv
about outer 2 1 0.2
about x2 2 1 0.000001
gives 0 "$memsweep" plan waves.yaml
has "$out" "group"
study odd "$one" "vary: {$ranges}" 'design: {kind: morris, groups: {a: [x1, x9], b: [x2, x1], x3: [x2], C: [], d: 5}}'
gives 2 "$memsweep" check odd.yaml
for text in "'x9' is no factor that varies" "'x1' is listed twice" "'x3' is the name of a factor" \
    "'C' is no name" "a group without factors"; do
    has "$err" "$text"
done
study flat "$one" 'vary: {gain: [1, 2]}' 'design: {kind: grid, groups: {a: [gain]}}'
gives 2 "$memsweep" check flat.yaml
has "$err" "groups"

# A range of few whole numbers has fewer places than the design's grid.
study few 'workloads: [synth/small]' 'design: {kind: morris, trajectories: 8, levels: 10}' \
    'vary: {synth.strata: {from: 1, to: 2, scale: log}, gain: {from: 1, to: 2}}'
gives 0 "$memsweep" run -q few.yaml
gives 0 "$memsweep" sensitivity few -m cycles
has "$out" "synth_strata"

# Groups, filters, factors of one's own, expressions.
gives 0 "$memsweep" sensitivity grid -m slowdown -g workload -f tsv
[ "$(wc -l <out)" -eq 7 ] || fail "two workloads with three factors: $(wc -l <out) lines"
gives 0 "$memsweep" sensitivity grid -m cycles --factors gain,carry,synth_shape,workload -f tsv
has "$out" $'workload\t'
gives 0 "$memsweep" sensitivity grid -m 'log(cycles)' -w 'gain > 1'
gives 0 "$memsweep" sensitivity grid -m cycles -w 'gain = 1'
lacks "$out" "gain"
gives 0 "$memsweep" sensitivity rows -m slowdown --resamples 0 -f tsv
lacks "$out" "first_low"
gives 0 "$memsweep" sensitivity rows -m slowdown -f tsv
first=$out
gives 0 "$memsweep" sensitivity rows -m slowdown -f tsv
same "$out" "$first" "the same resamples"

# What cannot be done is refused with a way out.
refuses() {
    local wanted=$1
    shift
    gives 2 "$memsweep" "$@"
    has "$err" "$wanted"
}
refuses "needs the design saltelli" sensitivity grid --method sobol
refuses "needs the design morris" sensitivity grid --method morris
refuses "no such grid" sensitivity drawn --method anova
refuses "second_order" sensitivity rows --second
refuses "is a text" sensitivity grid -m bound_by
refuses "a share between 0 and 1" sensitivity rows --confidence 95
refuses "no rows" sensitivity grid -w 'gain > 100'
refuses "did you mean" sensitivity grid -m slowdwn
refuses "is a range" sensitivity drawn --method oat -m slowdown
refuses "allowed are" sensitivity grid --method sobl

# Conditional sampling is said.
study picky 'workloads: [synth/small]' 'design: {kind: saltelli, base_rows: 32, constrained: conditional}' \
    'vary: {gain: {from: 1, to: 10}, carry: {from: 0, to: 1}}' 'where: "gain * carry <= 5"'
gives 0 "$memsweep" run -q picky.yaml
gives 0 "$memsweep" sensitivity picky -m slowdown
has "$out" "sampling is conditional"

# A budget dealt to several parameters, and a factor under a condition.
study dealt 'workloads: [synth/small]' 'fix: {function: linear}' \
    'split: {budget: {total: 2, parts: 4, over: {x1: 2, x2: 2}}}' 'vary: {gain: [1, 2], carry: {values: [0, 0.5], when: "gain > 1"}}'
gives 0 "$memsweep" run -q dealt.yaml
gives 0 "$memsweep" sensitivity dealt -m slowdown
has "$out" "budget"
has "$out" "read q2 first"

# ---- results stay in the file ----
gives 0 "$memsweep" sensitivity grid -m slowdown --save
gives 0 "$memsweep" surrogate grid -m slowdown --degree 2 --save
gives 0 "$memsweep" pareto grid --minimize slowdown,gain --hypervolume --save
gives 0 "$memsweep" query grid --sql "SELECT kind, json_extract(settings, '\$.method') AS method, json_array_length(result) AS n FROM msw_analysis ORDER BY id" -f tsv
same "$out" $'kind\tmethod\tn\nsensitivity\tauto\t3\nsurrogate\t\t4\npareto\t\t2' "what was saved"

# ---- surrogate ----
gives 0 "$memsweep" surrogate drawn -m slowdown -f tsv
has "$out" "q2"
gives 0 "$memsweep" surrogate drawn -m slowdown --at 'gain=2,carry=0.5,synth_shape=normal' --degree 5 -f tsv
awk -F '\t' 'NR == 2 { exit !($4 > 2.4 && $4 < 2.6 && $5 < $4 && $4 < $6) }' out || fail "slowdown at gain 2, carry 0.5 is 2.5: $out"
printf 'carry, gain, synth_shape\n# a note\n0.25, 2, normal\n\n0.75, 8, lognormal\n' >points.csv
gives 0 "$memsweep" surrogate drawn -m slowdown --points points.csv -f tsv
[ "$(wc -l <out)" -eq 3 ] || fail "two points: $out"
gives 0 "$memsweep" surrogate grid -m slowdown --at 'gain=2,carry=0.5,synth_shape=normal' -f tsv
has "$out" $'\trow'
refuses "has 3 levels" surrogate grid -m slowdown --at 'gain=3,carry=0.5,synth_shape=normal'
refuses "surrogate --at" predict grid -m slowdown --at 'gain=2,carry=0.5,synth_shape=normal'
refuses "outside the rows" surrogate grid -m slowdown --at 'gain=9,carry=0,synth_shape=normal'
refuses "has none" surrogate grid -m slowdown --at 'gain=2,carry=0'
refuses "is no factor" surrogate grid -m slowdown --at 'ways=2'
refuses "the rows have" surrogate grid -m slowdown --at 'gain=2,carry=0,synth_shape=box'
refuses "not by both" surrogate grid --at gain=2 --points points.csv -m slowdown
echo 'gain,carry,synth_shape' >bad.csv
echo '2,0,normal,7' >>bad.csv
refuses "bad.csv:2" surrogate grid -m slowdown --points bad.csv
gives 3 "$memsweep" surrogate grid -m slowdown --points none.csv

# ---- agree ----
study three 'workloads: [synth/small, synth/even]' 'vary: {gain: [1, 2, 4], carry: [0, 0.5]}' 'replicates: 2'
gives 0 "$memsweep" run -q three.yaml -o three.db
refuses "--fidelity full -o three.db" agree three.db
for fidelity in sampled full; do
    gives 0 "$memsweep" run -q three.yaml --fidelity $fidelity -o three.db
done
gives 0 "$memsweep" agree three.db -f tsv
has "$out" $'analytic\tfull\tcycles\t24\t0'
has "$out" $'sampled\tfull\tcycles\t24\t0'
has "$out" $'analytic\tsampled\tbound_by'
gives 0 "$memsweep" agree three.db -m cycles,work,slowdown
has "$out" "verdict  within"
has "$out" "holds"
gives 0 "$memsweep" agree three.db -m cycles -g workload -w 'gain > 1' -f tsv
[ "$(grep -c '	cycles	8	' out)" -eq 6 ] || fail "8 pairs per workload and two fidelities: $out"
gives 0 "$memsweep" agree three.db --worst 2 -f tsv
has "$out" "relative_error"
has "$out" "gain"
[ "$(wc -l <out)" -eq 7 ] || fail "the two worst of three comparisons: $out"
gives 0 "$memsweep" agree three.db --save
gives 0 "$memsweep" run -q three.yaml --fidelity full -o alone.db
gives 0 "$memsweep" agree three.db alone.db -m cycles -f tsv
has "$out" $'full\tfull\tcycles\t24\t0\t0\t0'
refuses "no point of sweep" agree three.db rows

# ---- pareto: value and doubt ----
study noisy 'workloads: [synth/skewed]' 'vary: {gain: [1, 1.01, 1.5, 4], carry: [0, 0.01, 0.5]}' \
    'derive: {price: "1 / gain"}' 'objectives: {minimize: [slowdown, price]}'
sed -i 's/fidelity: analytic/fidelity: sampled/' noisy.yaml
gives 0 "$memsweep" run -q noisy.yaml
gives 0 "$memsweep" pareto noisy --uncertain -f tsv
has "$out" $'probability\tcertain\tmeasured_front\tsample_more'
gives 0 "$memsweep" pareto noisy --uncertain
has "$out" "certainly on it"
has "$out" "taken as exact, for want of a half-width: price"
gives 0 "$memsweep" pareto noisy --exclusive --reference slowdown=5,price=2 -f tsv
has "$out" "exclusive"
gives 0 "$memsweep" pareto grid --minimize slowdown,carry -g gain --hypervolume -f tsv
[ "$(wc -l <out)" -eq 4 ] || fail "one line per gain: $out"
gives 0 "$memsweep" pareto grid --minimize slowdown,carry
has "$out" "equal to another"
refuses "not a number" pareto noisy --hypervolume --reference slowdown=x,price=1
refuses "no value" pareto noisy --hypervolume --reference slowdown=1
refuses "one front with one" pareto noisy --against noisy -g gain
finish

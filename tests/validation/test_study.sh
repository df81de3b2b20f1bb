#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are known answers met from the sweep file to the printed index, through run, file and command?
#
# Origin of the answers: data/README.md. MEMSWEEP_SEEDS: seeds for the coverage (5; 500 at most).
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
data=$MEMSWEEP_SOURCE/tests/validation/data

# study NAME FUNCTION LINE...: writes NAME.yaml over the null mechanism.
study() {
    local name=$1 function=$2
    shift 2
    {
        printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n' "$name"
        printf 'fix: {function: %s%s}\n' "$function" "${fix:+, $fix}"
        printf '%s\n' "$@"
    } >"$name.yaml"
}

# cell ROW COLUMN <TABLE: the number in the row that has ROW in its column `factor`.
cell() {
    awk -F '\t' -v row="$1" -v column="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["factor"] == row { print $at[column] }'
}

# near WANTED FOUND TOLERANCE WHAT: relative where the answer is above 1.
near() {
    awk -v w="$1" -v f="$2" -v t="$3" 'BEGIN {
        d = w > f ? w - f : f - w; s = w > 1 ? w : 1
        printf "%-44s known %.15g found %.15g difference %.2g\n", "'"$4"'", w, f, d
        exit !(f != "" && d <= t * s) }' || fail "$4: known $1, found $2, tolerance $3"
}

# inside KNOWN LOW HIGH WHAT
inside() {
    awk -v k="$1" -v l="$2" -v h="$3" 'BEGIN {
        printf "%-44s known %.6g interval %.6g .. %.6g\n", "'"$4"'", k, l, h
        exit !(l != "" && l <= k && k <= h) }' || fail "$4: $1 is not in $2 .. $3"
}

# exact FUNCTION QUANTITY I J: from the closed forms.
exact() {
    awk -F, -v f="$1" -v q="$2" -v i="$3" -v j="${4:-}" \
        '$1 == f && $4 == q && $5 == i && $6 == j { print $7; exit }' "$data/sa_exact_indices.csv"
}

range3='vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}}'

# ---- Ishigami from a Saltelli design ----
study ishigami ishigami 'design: {kind: saltelli, base_rows: 4096, second_order: on}' "$range3"
gives 0 "$memsweep" run -q ishigami.yaml
for estimator in saltelli jansen janon; do
    gives 0 "$memsweep" sensitivity ishigami -m y --second --estimator $estimator -f tsv
    cp out sobol.tsv
    for i in 1 2 3; do
        for name in first:S1 total:ST; do
            inside "$(exact ishigami "${name#*:}" $i)" "$(cell x$i "${name%:*}_low" <sobol.tsv)" \
                "$(cell x$i "${name%:*}_high" <sobol.tsv)" "ishigami $estimator ${name#*:} x$i"
        done
    done
    inside "$(exact ishigami S2 1 3)" "$(cell 'x1 * x3' interaction_low <sobol.tsv)" \
        "$(cell 'x1 * x3' interaction_high <sobol.tsv)" "ishigami $estimator S2 x1 x3"
done
near 3.5 "$(cell x1 mean <sobol.tsv)" 0.01 "ishigami mean"
gives 0 "$memsweep" sensitivity ishigami -m y --method pce --degree 10 -f tsv
cp out pce.tsv
for i in 1 2 3; do
    near "$(exact ishigami ST $i)" "$(cell x$i total <pce.tsv)" 2e-3 "ishigami polynomial ST x$i"
done

# ---- an exact factorial on a complete grid ----
grid='vary: {x1: [0.1, 0.3, 0.6, 0.9], x2: [0.1, 0.5, 0.9], x3: [0.1, 0.3, 0.5, 0.7, 0.9], x4: [0.2, 0.7]}'
study factorial factorial "$grid"
gives 0 "$memsweep" run -q factorial.yaml
gives 0 "$memsweep" sensitivity factorial -m y --second -f tsv
cp out anova.tsv
lines=0
while IFS=, read -r quantity i j _ value; do
    case $quantity in
    S1) found=$(cell "x$i" first <anova.tsv) ;;
    ST) found=$(cell "x$i" total <anova.tsv) ;;
    S2) found=$(cell "x$i * x$j" interaction <anova.tsv) ;;
    mean | variance) found=$(cell x1 "$quantity" <anova.tsv) ;;
    *) continue ;;
    esac
    near "$value" "$found" 1e-12 "factorial $quantity x$i x$j"
    lines=$((lines + 1))
done <"$data/sa_discrete_factorial_exact.csv"
[ $lines -ge 16 ] || fail "only $lines exact indices were compared"
# The same rows without the grid's structure: a polynomial of full degree is the table.
gives 0 "$memsweep" sensitivity factorial -m y --method pce --degree 10 -f tsv
near "$(cell x1 total <anova.tsv)" "$(cell x1 total <out)" 1e-2 "factorial polynomial ST x1"

# ---- Morris on a sum: every effect is the same ----
study sum linear 'design: {kind: morris, trajectories: 20}' "$range3"
gives 0 "$memsweep" run -q sum.yaml
gives 0 "$memsweep" sensitivity sum -m y -f tsv
for i in 1 2 3; do
    near 1 "$(cell x$i mu_star <out)" 1e-12 "sum mu* x$i"
    near 0 "$(cell x$i sigma <out)" 1e-12 "sum sigma x$i"
done

# ---- fronts and their hypervolume ----
fix="x3: 0, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0"
axis='{from: 0, to: 1, count: 1001}'
for front in zdt1:0.8766666666666667 zdt2:0.5433333333333333; do
    name=${front%:*}
    study "$name" "$name" "vary: {x1: $axis, x2: [0, 0.5]}" 'objectives: {minimize: [f1, f2]}'
    gives 0 "$memsweep" run -q "$name.yaml"
    gives 0 "$memsweep" pareto "$name" --hypervolume --reference f1=1.1,f2=1.1 -f csv
    same "$(tail -n 1 out | cut -d, -f 3)" 1001 "$name: points of the front"
    near "${front#*:}" "$(tail -n 1 out | cut -d, -f 4)" 1e-3 "$name hypervolume"
done
gives 0 "$memsweep" pareto zdt1 -f tsv -c 'f2 - (1 - sqrt(f1)) AS above'
awk -F '\t' 'NR > 1 && ($4 > 1e-12 || $4 < -1e-12) { exit 1 }' out || fail "zdt1: a point off the front"
gives 0 "$memsweep" pareto zdt1 --against zdt1 -f csv
same "$(tail -n 1 out | cut -d, -f 8,9)" 0,0 "zdt1: epsilon to itself"
fix="x3: 0.5, x4: 0.5, x5: 0.5, x6: 0.5, x7: 0.5, x8: 0.5, x9: 0.5, x10: 0.5"
axis='{from: 0, to: 1, count: 101}'
study sphere dtlz2 "vary: {x1: $axis, x2: $axis}" 'objectives: {minimize: [f1, f2, f3]}'
gives 0 "$memsweep" run -q sphere.yaml
gives 0 "$memsweep" pareto sphere --hypervolume --reference f1=1.1,f2=1.1,f3=1.1 -f csv
near 0.8074012244017011 "$(tail -n 1 out | cut -d, -f 4)" 2e-2 "dtlz2 hypervolume"
fix=

# ---- a tenth of the points fail, a twentieth has no value ----
fix='fail_share: 0.1, nan_share: 0.05'
study broken ishigami 'design: {kind: saltelli, base_rows: 1024}' "$range3"
gives 1 "$memsweep" run -q broken.yaml
gives 0 "$memsweep" sensitivity broken -m y
has "$err" "of the base rows are dropped"
has "$out" "without a value: "
has "$out" " failed, "
has "$out" " not defined"
gives 0 "$memsweep" sensitivity broken -m y -f tsv
cp out broken.tsv
# 5 points a base row: (0.9 x 0.95)^5 = 46 % of them are whole.
near 0.457 "$(awk -F '\t' 'NR == 2 { print $(NF - 1) / ($(NF - 1) + $NF) }' broken.tsv)" 0.06 \
    "share of whole base rows"
for i in 1 2 3; do
    inside "$(exact ishigami ST $i)" "$(cell x$i total_low <broken.tsv)" \
        "$(cell x$i total_high <broken.tsv)" "broken ST x$i"
done
study holes factorial "$grid"
gives 1 "$memsweep" run -q holes.yaml
gives 2 "$memsweep" sensitivity holes -m y --method anova
has "$err" "must be complete"
gives 0 "$memsweep" sensitivity holes -m y
has "$out" "read q2 first"
study walks ishigami 'design: {kind: morris, trajectories: 200}' "$range3"
gives 1 "$memsweep" run -q walks.yaml
gives 0 "$memsweep" sensitivity walks -m y
has "$err" "of the trajectories are dropped"
fix=

# ---- how often intervals cover, over seeds ----
seeds=${MEMSWEEP_SEEDS:-5}
[ "$seeds" -le 500 ] || seeds=500
study cover ishigami 'design: {kind: saltelli, base_rows: 256}' "$range3"
for ((seed = 1; seed <= seeds; seed++)); do
    rm -f results/cover.db
    "$memsweep" run -q cover.yaml --seed "$seed" && "$memsweep" sensitivity cover -m y -f tsv \
        --resamples 500
done >cover.tsv
covered=$(awk -F '\t' -v s="$(exact ishigami S1 1),$(exact ishigami S1 2),$(exact ishigami S1 3)" \
    -v t="$(exact ishigami ST 1),$(exact ishigami ST 2),$(exact ishigami ST 3)" '
    BEGIN { split(s, first, ","); split(t, total, ",") }
    $1 == "factor" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { f = substr($1, 2); n += 2
      hits += $at["first_low"] <= first[f] && first[f] <= $at["first_high"]
      hits += $at["total_low"] <= total[f] && total[f] <= $at["total_high"] }
    END { printf "%d %d", hits, n }' cover.tsv)
echo "coverage of 95 % intervals over $seeds seeds: ${covered% *} of ${covered#* }"
[ "${covered#* }" -eq $((6 * seeds)) ] || fail "indices are missing: ${covered#* } of $((6 * seeds))"
[ $((100 * ${covered% *})) -ge $((85 * ${covered#* })) ] || fail "intervals cover too seldom: $covered"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are figures remade from the database alone, the same bytes each time, and is it said what stands
# in the way?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
cat >two.yaml <<'END'
sweep: two
mechanism: null
workloads: [synth/even, synth/small]
fidelity: sampled
vary:
  x1: [0, 0.25, 0.5, 0.75, 1]
  gain: [1, 2, 4, 8]
fix: {function: zdt1}
objectives: {minimize: [f1, f2]}
END
gives 0 "$memsweep" run two.yaml -o two.db

# Without gnuplot: the tables, and what to install.
mkdir empty
gives 3 env PATH="$work/empty" "$memsweep" plot two.db --figure lines,front -o bare
has "$err" "install gnuplot"
has "$out" "bare/two-lines.tsv"
has "$(head -n 1 bare/two-front.tsv)" "panel"
[ ! -e bare/two-lines.svg ] || fail "a figure without gnuplot"

gives 2 "$memsweep" plot two.db --figure linse
has "$err" "did you mean 'lines'?"
gives 2 "$memsweep" plot two.db --figure lines --metric cycels
has "$err" "did you mean 'cycles'?"
gives 2 "$memsweep" plot two.db --figure tornado
gives 2 "$memsweep" plot two.db --filter 'x1 <'

command -v gnuplot >/dev/null || finish

for format in svg png pdf; do
    gives 0 "$memsweep" plot two.db --format $format -o first
    has "$out" "first/two-front.$format"
    gives 0 "$memsweep" plot two.db --format $format -o second
done
for name in front heat lines parallel stack; do
    for format in svg png pdf; do
        [ -s first/two-$name.$format ] || fail "no first/two-$name.$format"
    done
done
diff -r first second >/dev/null || fail "two runs of plot gave different bytes"

# The threads that made the rows leave no trace.
gives 0 "$memsweep" run two.yaml -o other/two.db --threads 1
gives 0 "$memsweep" plot other/two.db -o other
for name in front heat lines parallel stack; do
    cmp -s first/two-$name.svg other/two-$name.svg || fail "$name depends on the run"
done
has "$(cat first/two-lines.svg)" "gain"
has "$(cat first/two-stack.svg)" "cycles"
has "$(cat first/two-lines.svg)" "40 rows"
printf 'sweep: m\nmechanism: dram\nworkloads: [trace/example]\nfidelity: analytic\nvary: {stacks: [1, 2]}\n' >m.yaml
gives 0 "$memsweep" run m.yaml -o m.db
gives 0 "$memsweep" plot m.db -F energy -o first
has "$(cat first/m-energy.svg)" "where the energy goes"
has "$(cat first/m-energy.svg)" "energy of rows opened"
gives 2 "$memsweep" plot two.db -F energy
has "$err" "the mechanism null has no energy stack"

# A title names what a mean is over, or the levels that are held: nothing that has one value in the rows shown.
firm() { sed 's/\xc2\xa0/ /g' "$1"; }
has "$(firm first/two-stack.svg)" "at gain = 1<"
gives 0 "$memsweep" plot two.db -F stack --rest mean -o some
has "$(cat some/two-stack.svg)" "mean over gain<"
gives 0 "$memsweep" plot two.db -F stack --filter 'gain = 2' -o some
has "$(cat some/two-stack.svg)" "where gain = 2"
lacks "$(cat some/two-stack.svg)" "mean over"
lacks "$(firm some/two-stack.svg)" "at gain"
gives 0 "$memsweep" plot two.db -F stack --filter 'gain < 3' --rest mean -o some
has "$(cat some/two-stack.svg)" "mean over gain<"

# Figures of other kinds, from rows of one and of two threads: fidelities side by side, fronts with
# doubts, details, the parallelism of runs.
for threads in 1 2; do
    gives 0 "$memsweep" run two.yaml -o kinds$threads/two.db --threads $threads --fidelity full
    gives 0 "$memsweep" run two.yaml -o kinds$threads/two.db --threads $threads
    gives 0 "$memsweep" plot kinds$threads/two.db --fidelity sampled -m cycles,f2 -F agreement,uncertain,detail --data
    for name in agreement uncertain detail; do
        [ -s kinds$threads/two@sampled-$name.svg ] || fail "no kinds$threads/two@sampled-$name.svg"
        cmp -s kinds1/two@sampled-$name.svg kinds$threads/two@sampled-$name.svg || fail "$name depends on the threads"
    done
done
same "$(wc -l <kinds1/two@sampled-agreement.tsv)" 41 "rows of pairs of fidelities"
has "$(cat kinds1/two@sampled-detail.svg)" "stratum"
gives 2 "$memsweep" plot kinds1/two.db -F scaling
gives 2 "$memsweep" plot kinds1/two.db -F detail --detail bursts
gives 0 "$memsweep" plot kinds1/two.db -F detail --detail strata.units
"$memsweep" run two.yaml -o part.db --threads 2 --quiet
gives 0 "$memsweep" merge all.db other/two.db part.db
gives 0 "$memsweep" plot all.db -F scaling -o first
has "$(cat first/two-scaling.svg)" "points per second"

# A kept analysis becomes a figure; a recipe of one's own is found first.
gives 0 "$memsweep" sensitivity two.db --metric cycles --second --save
gives 0 "$memsweep" plot two.db --figure sensitivity,interactions -o first
gives 0 "$memsweep" sensitivity kinds1/two.db --fidelity sampled --metric cycles -g workload --method oat --save \
    --baseline 'x1=0.5,gain=2'
gives 0 "$memsweep" plot kinds1/two.db --fidelity sampled -m cycles -F tornado --data
# All 16 units of synth/small are measured: exact.
same "$(awk -F '\t' 'NR > 1 && $6 > 0 && $7 > 0' kinds1/two@sampled-tornado.tsv | wc -l)" 2 "bars with half-widths"
mkdir own
echo "SELECT workload AS panel, x1 AS x, :metric AS y FROM :rows WHERE status = 'ok'" >own/mine.sql
printf "eval frame(1)\neval panel(1)\nplot data using 'x':'y' with points\neval close\n" >own/mine.gp
gives 0 "$memsweep" plot two.db --figure mine --recipes own --data -m f2 -w 'x1 > 0.3' -o first
[ -s first/two-mine.svg ] || fail "no figure from an own recipe"
same "$(wc -l <first/two-mine.tsv)" 25 "rows of the table kept"
echo "SELECT :metrik FROM :rows" >own/wrong.sql
cp own/mine.gp own/wrong.gp
gives 2 "$memsweep" plot two.db --figure wrong --recipes own
has "$err" "did you mean ':metric'?"
finish

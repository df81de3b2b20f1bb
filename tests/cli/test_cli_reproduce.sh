#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is a paper's folder all that reproduce takes: does it run what is missing, judge every row, show
# why a row deviates, write the same page each time, and say what is wrong with the folder?
source "$(dirname "$0")/common.sh"
mkdir -p sweeps/paper/toy
toy=sweeps/paper/toy
cat >$toy/lines.yaml <<'END'
sweep: toy-lines
mechanism: null
workloads: [synth/small]
fidelity: full
vary: {gain: [1, 2, 4], x1: [0, 1]}
END
header=id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note
cat >$toy/published.csv <<END
# A paper of three figures.
$header
half,fig. 1,share of slow points,%,50,stated,text,-2%,+2%,"SELECT 1 / 2.0 AS value, 0.001 AS hw FROM :lines LIMIT 1",,
gain,fig. 1,slowdown at gain 4 over that at gain 2,,7,stated,text,6.9,7.1,"
SELECT (SELECT avg(slowdown) FROM :lines WHERE gain = 4) / (SELECT avg(slowdown) FROM :lines WHERE gain = 2) AS value",because,
shape,fig. 2,"more gain, more cycles",yes/no,,bars,fig. 2,1,,"SELECT min(b.cycles > a.cycles) AS value, ':lines' AS shown
FROM :lines AS a JOIN :lines AS b ON b.gain > a.gain AND a.x1 = b.x1",,
told,fig. 2,what was told,,3,remembered,,,,SELECT count(*) FROM :lines,because,
because,fig. 3,what a gain of 4 is,,,experiment,,,,SELECT 4 AS value FROM :lines LIMIT 1,,by definition
END
gives 0 "$memsweep" reproduce toy
has "$err" "6 of 6 points"
has "$out" "toy: two-sided: 0 pass, 1 miss; one-sided: 1 pass, 0 miss; hollow: 1 pass, 0 miss; 1 without verdict"
has "$out" "because what a gain of 4 is: 4"
has "$out" "more cycles: yes; :lines"
page=$(cat results/paper/toy.md)
has "$page" "| share of slow points | 50 % | 50 % +- 0.1 | 49 .. 51 | pass | hollow: all 0, all 1, no design matters |"
has "$page" "  - experiment \`because\`: what a gain of 4 is: 4; by definition"
has "$page" "  - experiment \`because\`: above" # each is told once
same "$(grep -c 'by definition' results/paper/toy.md)" 1 "places where an experiment is told"
lacks "$page" "## fig. 3"

# What is answered is not computed again; the page is the same; other fidelities have their own.
gives 0 "$memsweep" reproduce toy
lacks "$err" "points to evaluate"
same "$(cat results/paper/toy.md)" "$page" "the page of a second run"
gives 0 "$memsweep" reproduce toy --fidelity analytic --threads 1 -o pages
has "$(cat pages/toy-analytic.md)" "| lines | null, version"
gives 2 "$memsweep" reproduce all --figure 'fig. 0'
has "$err" "none of fig. 1, fig. 2, fig. 3"
has "$err" "none of abstract"
gives 1 "$memsweep" reproduce toy --strict
gives 0 "$memsweep" reproduce toy --strict --figure 'fig. 2' -f tsv
same "$(wc -l <out)" 4 "rows of one figure, and what explains one"

# A paper elsewhere is named by its path.
cp -r $toy mine
gives 0 "$memsweep" reproduce ./mine/ --quiet --figure 'fig. 2' -o pages
has "$(cat pages/mine.md)" "## fig. 2"

# An interrupted run goes on.
rm results/paper/toy.db
gives 0 "$memsweep" run $toy/lines.yaml -o results/paper/toy.db --shard 0/2
gives 0 "$memsweep" reproduce toy
has "$err" "of 6 points to evaluate"
lacks "$err" "6 of 6 points to evaluate"

# Figures are drawn by plot's recipes or by the paper's own; without gnuplot there are their tables.
printf 'figure,sweep,recipe,metric,factor,filter,title\nfig. 2,lines,lines,cycles,gain,,Cycles over gain\n' >$toy/figures.csv
mkdir empty
gives 0 env PATH="$work/empty" "$memsweep" reproduce toy --figure 'fig. 2' -o bare
has "$err" "no gnuplot"
[ -s bare/toy/toy-lines-lines.tsv ] || fail "no table without gnuplot"
has "$(cat bare/toy.md)" "![Cycles over gain](toy/toy-lines-lines.svg)"
gives 0 "$memsweep" reproduce toy --figure 'fig. 1' -o bare
lacks "$(cat bare/toy.md)" "![Cycles"
if command -v gnuplot >/dev/null; then
    gives 0 "$memsweep" reproduce toy -o drawn
    [ -s drawn/toy/toy-lines-lines.svg ] || fail "no figure"
fi
sed -i 's/,lines,lines/,lines,linse/' $toy/figures.csv
gives 2 "$memsweep" reproduce toy
has "$err" "figures.csv:2: "
has "$err" "did you mean 'lines'?"
rm $toy/figures.csv

# What is wrong is told with its place and the nearest name.
gives 2 "$memsweep" reproduce tyo
has "$err" "did you mean 'toy'?"
gives 2 "$memsweep" reproduce toy --figure 'fig. 9'
has "$err" "none of fig. 1, fig. 2, fig. 3"
paper() {
    mkdir -p "sweeps/paper/$1"
    cp $toy/lines.yaml "sweeps/paper/$1"
    printf '%s\n%s\n' "$header" "$2" >"sweeps/paper/$1/published.csv"
    gives 2 "$memsweep" reproduce "$1"
    has "$err" "$3"
}
paper a 'x,f,q,,,stated,,,,SELECT 1 FROM :lnies,,' "published.csv:2: no sweep lnies.yaml in"
has "$err" "did you mean 'lines'?"
paper b 'x,f,q,,,stated,,,,SELECT gian FROM :lines,,' "published.csv:2: x: no column 'gian', did you mean 'gain'?"
paper c 'x,f,q,,,stated,,,,SELECT gain FROM :lines,,' "published.csv:2: x: the query gives 6 rows"
paper d 'x,f,q,,,stated,,,,DELETE FROM :lines,,' "published.csv:2: x: "
paper e 'x,f,q,,1,stated,,-2%,SELECT 1,,' "published.csv:2: 11 fields"
paper f 'x,f,q,,1,remembered,,0,,SELECT 1 FROM :lines,,' "is not judged"
printf 'sweep: toy-lines\nmechanism: nul\n' >sweeps/paper/f/lines.yaml
printf '%s\nx,f,q,,1,stated,,,,SELECT 1 FROM :lines,,\n' "$header" >sweeps/paper/f/published.csv
gives 2 "$memsweep" reproduce f
has "$err" "did you mean 'null'?"
gives 2 "$memsweep" reproduce toy --over-unknowns 4
has "$err" "no parameter of unknown source"

# Over the unknown parameters: the same samples each time, resumed, in spans and a region.
mkdir sweeps/paper/net
cat >sweeps/paper/net/walkers.yaml <<'END'
sweep: net-walkers
mechanism: neummu
workloads: [alexnet/b1]
vary: {ptw_count: [8, 128]}
fix: {prmb_slots: 32, outstanding: 0}
END
cat >sweeps/paper/net/published.csv <<END
$header
more,fig. 1,cycles with 8 walkers over those with 128,,,bars,,1,,"SELECT (SELECT cycles FROM :walkers WHERE ptw_count = 8)
/ (SELECT cycles FROM :walkers WHERE ptw_count = 128) AS value",,
END
gives 0 "$memsweep" reproduce net --over-unknowns 5 --confirm 2
page=$(cat results/paper/net.md)
has "$page" "5 samples (seed 1, latin hypercube, fidelity analytic)"
has "$page" "Of the 1 verdicts that do not follow from others at most 1 pass together, in "
has "$page" "The 2 samples with most passes, computed at full"
has "$page" "| bandwidth | "
lacks "$page" "| ptw_count | "
lacks "$page" "| outstanding | "
gives 0 "$memsweep" reproduce net --over-unknowns 5 --confirm 2
lacks "$err" "points to evaluate"
same "$(cat results/paper/net.md)" "$page" "the page with samples"
gives 0 "$memsweep" reproduce net --over-unknowns 3 --confirm 0 --unknowns bandwidth,tlb_cycles -o few
has "$(cat few/net.md)" "of the 2 parameters"
lacks "$(cat few/net.md)" "computed at full"
gives 2 "$memsweep" reproduce net --over-unknowns 3 --unknowns bandwidht
has "$err" "--unknowns: 'bandwidht' is no parameter"
gives 2 "$memsweep" reproduce net --over-unknowns 3 --unknowns ptw_count
finish

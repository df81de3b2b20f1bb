#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 810. Is a row judged only where the row it names as its condition is not 0? Elsewhere it
# shows both numbers, says why not, and counts as neither pass nor miss; over samples of unknown
# parameters the condition is asked of each sample.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
cat >$toy/lines.yaml <<'END'
sweep: toy-lines
mechanism: null
workloads: [synth/small]
fidelity: analytic
vary: {x1: [0, 1]}
END
header=id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,judged_if
# y = x1 + 4.5.
cat >$toy/published.csv <<END
$header
near,fig. 1,y,cycles,4.5,stated,text,4.4,4.6,SELECT min(y) FROM :lines,,,few
far,fig. 1,y,cycles,9,stated,text,8,10,SELECT max(y) FROM :lines,why,,few many
lost,fig. 1,y there,cycles,9,stated,text,8,10,SELECT max(y) FROM :lines,,,none
miss,fig. 1,y elsewhere,cycles,9,stated,text,8,10,SELECT max(y) FROM :lines,,,few
few,fig. 2,at most two rows,yes/no,,experiment,text,,,"SELECT count(*) <= 2, count(*) || ' rows' AS shown FROM :lines",,,
many,fig. 2,three rows or more,yes/no,,experiment,text,,,"SELECT count(*) > 2, count(*) || ' rows' AS shown FROM :lines",,,
none,fig. 2,a number,,,experiment,text,,,SELECT NULL FROM :lines LIMIT 1,,,
why,fig. 2,the reason,,,experiment,text,,,SELECT count(*) FROM :lines,,,
END
gives 0 "$memsweep" reproduce toy
has "$out" "by the closed form: 1 pass, 1 miss; 2 not comparable; 0 without verdict"
has "$out" "y: 5.5 cycles; not comparable: three rows or more: 2 rows"
has "$out" "because the reason: 2"
has "$out" "y there: 5.5 cycles; not comparable: a number"
page=$(cat results/paper/toy.md)
has "$page" "| y | 9 cycles | 5.5 cycles | 8 .. 10 | not comparable |  |"
has "$page" "2 not comparable"
gives 1 "$memsweep" reproduce toy --strict # for the miss
sed -i '/^miss/d' $toy/published.csv
gives 0 "$memsweep" reproduce toy --strict
# Only the sweeps of what is asked for are needed, with those of its condition.
gives 0 "$memsweep" reproduce toy --figure 'fig. 1'
has "$out" "2 not comparable"

# What cannot be a condition is refused with its place.
refused() {
    printf '%s\n%s\n' "$header" "$1" >$toy/published.csv
    gives 2 "$memsweep" reproduce toy
    has "$err" "published.csv:2: judged_if: $2"
}
refused 'x,f,q,,1,stated,,1,1,SELECT 1 FROM :lines LIMIT 1,,,nobody' "no row 'nobody'"
refused 'x,f,q,,1,stated,,1,1,SELECT 1 FROM :lines LIMIT 1,,,x' "'x' is judged itself: an experiment is wanted"
refused 'x,f,q,,1,stated,,,,SELECT 1 FROM :lines LIMIT 1,,,y
y,f,q,,,experiment,,,,SELECT 1 FROM :lines LIMIT 1,,,' "without low and high there is nothing to judge"

# Over samples: translation slows some of them by less than a fifth. A row that passes everywhere it is
# judged passes in as many samples as one that asks for just that.
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
all,fig. 1,slowdown,,,bars,,0,,SELECT max(slowdown) FROM :walkers,,,
some,fig. 1,slowdown,,,bars,,0,,SELECT max(slowdown) FROM :walkers,,,if
same,fig. 1,slowdown,,,bars,,,1.2,SELECT max(slowdown) FROM :walkers,,,
if,fig. 2,hardly slower,,,experiment,,,,SELECT max(slowdown) <= 1.2 FROM :walkers,,,
END
share() { grep "^| .$1. |" results/paper/net.md | grep -o '[0-9]* %'; }
gives 0 "$memsweep" reproduce net --over-unknowns 24 --confirm 0 --figure 'fig. 1'
gives 0 "$memsweep" reproduce net --over-unknowns 24 --confirm 0
same "$(share all)" "100 %" "the share without a condition"
same "$(share some)" "$(share same)" "the share under a condition"
[ "$(share some)" != "100 %" ] && [ "$(share some)" != "0 %" ] || fail "the condition decides nothing: $(share some)"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 990. A band that a model without the mechanism meets counted as evidence, one fact counted
# as often as it was printed, and a row fitted to the paper as if it were not. y = x1 + 4.5, by hand.
source "$(dirname "$0")/../cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
for at in full analytic; do
    cat >$toy/$at.yaml <<END
sweep: toy-$at
mechanism: null
workloads: [synth/small]
fidelity: $at
vary: {x1: [0, 1]}
END
done
two='(SELECT y FROM :full WHERE x1 = 1)' one='(SELECT y FROM :full WHERE x1 = 0)'
cat >$toy/published.csv <<END
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note
level,fig. 1,y,cycles,4.5,stated,text,4.4,4.6,SELECT min(y) FROM :full,,
twice,fig. 1,y again,cycles,4.5,stated,text,4.4,4.6,SELECT min(y) FROM :full,,
near,fig. 1,ratio that no effect meets,,1.2,stated,text,-20%,+20%,SELECT $two / $one FROM :full LIMIT 1,,
far,fig. 1,ratio,,1.2,stated,text,-5%,+5%,SELECT $two / $one FROM :full LIMIT 1,,
over,fig. 1,more,yes/no,,bars,fig. 1,1,,SELECT $two > $one FROM :full LIMIT 1,,
least,fig. 1,no less,yes/no,,bars,fig. 1,1,,SELECT $two >= $one FROM :full LIMIT 1,,
closed,fig. 1,y,cycles,4.5,stated,text,4.4,4.6,SELECT min(y) FROM :analytic,,
fitted,fig. 1,y,cycles,5.5,stated,text,5.4,5.6,SELECT max(y) FROM :full,,
split,fig. 1,y,cycles,9,stated,text,8,10,SELECT max(y) FROM :full,,
learnt,fig. 1,x1 is all there is,,1,stated,text,0.9,1.1,SELECT max(y) - 4.5 FROM :full,,
cost,fig. 1,work,,42,stated,text,41,43,SELECT max(work) FROM :full,,
END
cat >$toy/facts.csv <<'END'
kind,name,what,why
group,level,level twice,one number
inferred,x1,fitted,x1 is what gives it
conflict,two nines,split,9 is said to be 5
trivial,the input,y=x1+4.5,y is known beforehand
END
gives 0 "$memsweep" reproduce toy --trivial -f tsv
class() { awk -F '\t' -v id="$1" '$1 == id { print $3 }' <<<"$out"; }
same "$(class near)" hollow "a ratio of 1 lies within 1.2 -20 %"
same "$(class least)" hollow "an order without effect"
same "$(class closed)" hollow "the input is known"
same "$(class learnt)" hollow "likewise"
same "$(class cost)" two-sided "a row that names nothing the model knows"
# Without the model that knows it all.
sed -i '/^trivial/d' $toy/facts.csv
gives 0 "$memsweep" reproduce toy --trivial -f tsv
for row in level:two-sided twice:two-sided near:hollow far:two-sided over:one-sided least:hollow \
    "closed:by the closed form" fitted:inferred split:conflict learnt:two-sided; do
    same "$(class "${row%%:*}")" "${row#*:}" "${row%%:*}"
done
gives 0 "$memsweep" reproduce toy --closed-form
has "$out" "toy: two-sided: 4 pass, 0 miss; one-sided: 1 pass, 0 miss; by the closed form: 1 pass, 0 miss; inferred: 1 pass, 0 miss; conflict: 0 pass, 1 miss; hollow: 2 pass, 0 miss; 0 without verdict"
page=$(cat results/paper/toy.md)
has "$page" "| y | 4.5 cycles | 4.5 cycles | 4.5 cycles | 4.4 .. 4.6 | pass | two-sided, of level |"
has "$page" "- two nines (\`split\`): 9 is said to be 5"
sed -i 's/inferred,x1/inferred,x1 y1/' $toy/facts.csv
gives 2 "$memsweep" reproduce toy
has "$err" "toy/facts.csv:3: no sweep has a parameter 'y1'"
finish

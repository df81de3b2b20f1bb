#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 721. Does a row that a fidelity cannot answer say so, instead of missing? Sweeps that only
# such rows read are not run there. And do two sweeps of a folder that ask for the same points both
# answer?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
cat >$toy/one.yaml <<'END'
sweep: toy-one
mechanism: null
workloads: [synth/small]
fidelity: full
vary: {gain: [1, 2]}
END
sed 's/toy-one/toy-two/; s/1, 2/1, 2, 4/' $toy/one.yaml >$toy/two.yaml
sed 's/toy-one/toy-same/' $toy/one.yaml >$toy/same.yaml
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends,fidelities
one,fig. 1,rows of one,,2,stated,text,2,2,SELECT count(*) FROM :one,,,,
same,fig. 1,rows of the same,,2,stated,text,2,2,SELECT count(*) FROM :same,,,,
two,fig. 2,rows of two,,3,stated,text,3,3,SELECT count(*) FROM :two,,,,sampled full
END
gives 0 "$memsweep" reproduce toy --strict
has "$out" "hollow: 3 pass, 0 miss"
gives 0 "$memsweep" reproduce toy --strict --fidelity analytic
has "$out" "hollow: 2 pass, 0 miss; 1 without verdict"
has "$out" "rows of two: ; no answer at analytic, only at sampled full"
lacks "$err" "toy-two"
sed -i 's/sampled full/sampled ful/' $toy/published.csv
gives 2 "$memsweep" reproduce toy
has "$err" "published.csv:4: fidelities 'sampled ful': analytic, sampled and full are known"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 124. A paper's file holds its sweeps at several fidelities, and a bare name means the best
# of them: does `reproduce --fidelity analytic` read its own rows?
source "$(dirname "$0")/../cli/common.sh"

toy=sweeps/paper/toy
mkdir -p $toy
printf 'sweep: toy-lines\nmechanism: null\nworkloads: [synth/small]\nfidelity: full\nvary: {gain: [1, 2]}\n' >$toy/lines.yaml
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note
own,fig. 1,closed forms among the rows,,2,stated,text,2,2,SELECT sum(fidelity = 'analytic') AS value FROM :lines,,
END
gives 0 "$memsweep" reproduce toy --quiet
has "$out" "1 miss"
gives 0 "$memsweep" reproduce toy --quiet --fidelity analytic -o pages
has "$out" "1 pass"
gives 0 "$memsweep" reproduce toy --quiet
has "$out" "1 miss"
finish

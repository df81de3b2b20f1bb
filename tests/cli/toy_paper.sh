# SPDX-License-Identifier: MIT
# Sourced by tests of `calibrate`: a paper on null whose unknowns x1 and x2 are known, in sweeps/paper/toy.
# The closed form answers exactly: y = x1 + x2, f1 = x1, f3 = sin(x1 pi / 2).
toy=sweeps/paper/toy
mkdir -p $toy
toy_sweep() { # WORD FIX [VARY]
    printf 'sweep: toy-%s\nmechanism: null\nworkloads: [synth/small]\nfidelity: full\n%s\nfix: {%s}\n' \
        "$1" "${3:-design: grid}" "$2" >$toy/"$1".yaml
}
toy_sweep sum 'function: linear, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0' 'vary: {x3: [0, 1]}'
toy_sweep first 'function: zdt1'
half='x3: 0.5, x4: 0.5, x5: 0.5, x6: 0.5, x7: 0.5, x8: 0.5, x9: 0.5, x10: 0.5'
toy_sweep sine "function: dtlz2, $half"
# toy_published SINE_BAND: planted are x1 = 0.3 and x2 = 0.6.
toy_published() {
    cat >$toy/published.csv <<END
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
sum,fig. 1,x1 + x2,,0.90,stated,text,0.8,1.0,SELECT y AS value FROM :sum WHERE x3 = 0,,,
again,fig. 1,the same doubled,,1.80,stated,text,1.6,2.0,SELECT 2 * y AS value FROM :sum WHERE x3 = 0,,,sum
first,fig. 2,x1,,0.30,stated,text,0.2,0.4,SELECT f1 AS value FROM :first,,,
sine,fig. 3,sin(x1 pi / 2),,,stated,text,$1,SELECT f3 AS value FROM :sine,,,
order,fig. 3,x2 is more than x1,yes/no,,bars,fig. 3,1,,"SELECT (SELECT y FROM :sum WHERE x3 = 0)
> 2 * (SELECT f1 FROM :first) AS value",,,
END
}
# Small, and quickly run.
small="--unknowns x1,x2 --waves 3 --samples 96 --errors 16 --full 50 --directed 25 --threads 1 --no-figures"
# cells NAME < TSV: the cells of a column.
cells() {
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

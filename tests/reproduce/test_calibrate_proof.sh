#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 910. Unknowns whose levels have 14 combinations: is each run once, and is what none of them
# meets called proven then and only then?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
# With x1 = 0.3, x2 = 0.6 the linear function gives 0.9 and, with x3 = 1, 1.9; Ishigami's gives there
# sin(a) (1 + 0.1 c^4) + 7 sin(b)^2 = -7.797 with a = -0.4 pi, b = 0.2 pi, c = pi.
planted='x1: 0.3, x2: 0.6, x4: 0, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0'
toy_sweep any "$planted" 'vary: {x3: [0, 1]}'
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
line,fig. 1,x1 + x2,,0.90,stated,text,0.88,0.92,SELECT y AS value FROM :any WHERE x3 = 0,,,
wave,fig. 2,Ishigami,,-7.80,stated,text,-8.0,-7.6,SELECT y AS value FROM :any WHERE x3 = 1,,,
END
calibrated() { gives 0 "$memsweep" calibrate toy --errors 4 --directed 25 --threads 1 --no-figures "$@"; }
calibrated --unknowns function,predict_flags --samples 14
has "$out" "14 settings of 2 unknowns in 1 waves, at the closed form first, 14 of them at full"
has "$out" "1 sets of up to 5 quantities are met by none of 14 settings (proof: all 14 combinations were run)"
has "$(cat results/paper/toy-region.md)" "| 1 | line, wave | 14 | 0 | "
has "$(cat results/paper/toy-region.md)" "| all combinations were run |"
same "$(tail -n +2 results/paper/toy-settings.tsv | cut -f 2 | sort -u)" full "fidelity"
same "$(tail -n +2 results/paper/toy-settings.tsv | cut -f 6,7 | sort -u | wc -l)" 14 "combinations"

# One of them cannot be run: no proof.
calibrated --unknowns function,predict_flags --samples 13
lacks "$out" proof
lacks "$(cat results/paper/toy-region.md)" "all combinations were run |"
# Nor where an unknown has a range.
calibrated --unknowns function,gain --samples 14
lacks "$out" proof
# Nor where points had no answer.
toy_sweep any "$planted, fail_share: 0.2" 'vary: {x3: [0, 1]}'
gives 1 "$memsweep" calibrate toy --errors 4 --directed 25 --threads 1 --no-figures --unknowns function,predict_flags --results failed
lacks "$out" proof
has "$out" "not all combinations were run with an answer"

# What is left of the prior is a share of the combinations: one function of seven.
toy_sweep any "$planted" 'vary: {x3: [0, 1]}'
sed -i '/^wave/d' $toy/published.csv
calibrated --unknowns function,predict_flags --samples 99 --results left
has "$out" "14.3 % of the prior is left (2 settings at full)"
has "$out" "No set of up to 5 quantities is unmet."
finish

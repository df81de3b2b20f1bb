#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 868. Anybody's measurements take the place of what was published: is a model calibrated to
# them, told how well it fits, and where not?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
printf 'id,measured,error\nsum,1.2,0.05\nfirst,0.7,0.05\n' >measured.csv
gives 0 "$memsweep" calibrate toy $small --against measured.csv --table unknowns -f tsv
awk -v a="$(cells median <out | head -1)" -v b="$(cells median <out | tail -1)" \
    'BEGIN { exit !(a > 0.66 && a < 0.74 && b > 0.44 && b < 0.56) }' || fail "0.7 and 0.5 are measured: $(cat out)"
printf 'id,measured,error\nsum,1.2,0.05\nfirst,0.7,0.05\nsine,0.2,0.05\n' >measured.csv
gives 0 "$memsweep" calibrate toy $small --against measured.csv
has "$out" "Nothing is left"
has "$out" "first, sine" # where it does not fit
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 905. Does calibrate tell which fronts of a paper's sweeps hang on what the paper does not
# say? A front that cannot depend on the unknowns, and one whose shares are known by hand.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'

# y = x1 + x2 + x3 is least at x3 = 0 whatever x1 and x2 are; the price falls with x3, so each of three
# points is on the front. What costs more than both is on none.
toy_sweep always "function: linear, x5: 0, x6: 0, x7: 0, x8: 0, x9: 0, x10: 0" \
    'design: {kind: list, points: [{x3: 0, x4: 0}, {x3: 0.5, x4: 0}, {x3: 1, x4: 0}, {x3: 1, x4: 0.5}]}'
cat >>$toy/always.yaml <<'END'
derive: {price: 1 - x3}
objectives: {minimize: [y, price]}
END
# The point whose x3 is nearest to x1 has the front for itself: x3 = 0 where x1 is under 0.25, x3 = 1
# where it is above 0.75. Of a latin hypercube of 96 settings that is a quarter each to the last setting.
toy_sweep nearest 'function: linear' 'vary: {x3: [0, 0.5, 1]}'
cat >>$toy/nearest.yaml <<'END'
derive: {miss: abs(x1 - x3)}
objectives: {minimize: [miss]}
END
cat >>$toy/published.csv <<'END'
fronts,fig. 4,that sweeps are read,yes/no,,bars,fig. 4,1,,"SELECT (SELECT min(y) FROM :always)
< (SELECT max(y) FROM :nearest) AS value",,,
END

gives 0 "$memsweep" calibrate toy $small --conclusions 96
words=$out
gives 0 "$memsweep" calibrate toy $small --conclusions 96 --table fronts -f tsv
fronts=$(cut -f 1,2,4- <<<"$out")
row() { grep "^$1	" <<<"$fronts" || fail "no row '$1' in: $fronts"; }
has "$(row 'always	x3 = 0, x4 = 0')" "	100	100	yes	no: on it"
has "$(row 'always	x3 = 0.5, x4 = 0')" "	100	100	yes	no: on it"
has "$(row 'always	x3 = 1, x4 = 0')" "	100	100	yes	no: on it"
lacks "$fronts" "x4 = 0.5"
lacks "$fronts" "sum	x3 = 1"
# The prior, by hand; at the defaults x1 is 0.5.
same "$(row 'nearest	x3 = 0' | cut -f 4,5)" "25	no" "x3 = 0: prior, defaults"
same "$(row 'nearest	x3 = 0.5' | cut -f 4,5)" "50	yes" "x3 = 0.5: prior, defaults"
same "$(row 'nearest	x3 = 1' | cut -f 3-6)" "0	25	no	no: off it" "x3 = 1"
# Given what was published x1 is 0.3 with a deviation of 0.05: under 0.25 in Phi(-1) = 16 %.
share=$(row 'nearest	x3 = 0' | cut -f 3)
awk -v s="$share" 'BEGIN { exit !(s > 6 && s < 26) }' || fail "x3 = 0 is on the front in $share %, 16 are"
same "$(row 'nearest	x3 = 0' | cut -f 6)" yes "x3 = 0 depends"
has "$words" "of 6 design points on a front, 4 are on it whatever the unknowns are; 2 depend on them."

# The same front at the defaults as `pareto` finds it.
gives 0 "$memsweep" pareto results/paper/toy.db -s toy-always -c x3,x4 -f tsv
same "$(cells x3 <<<"$out" | sort | tr '\n' ' ')" "0 0.5 1 " "front of pareto"

# Quantities that have no answer anywhere leave no weight: the nearest settings stand in, and that is said.
sed -i 's/,SELECT [^,]* FROM :\([a-z]*\)\( WHERE x3 = 0\)\?,,,/,SELECT max(NULL) AS value FROM :\1,,,/' $toy/published.csv
gives 0 "$memsweep" calibrate toy $small --samples 16 --directed 0 --full-conclusions 1000
has "$out" "No setting has any weight."
has "$out" "over 32 settings nearest to what was published, as none has any weight, and as many of the prior"
toy_published ',0.6'

# None asked for, none looked at.
gives 0 "$memsweep" calibrate toy $small --directed 0 --conclusions 0
lacks "$out" "on a front"
lacks "$(cat results/paper/toy-region.md)" "Design points on a front"
has "$(cat results/paper/toy-region.md)" " --conclusions 0 "

# Where all is at full it takes points at full, and those are not run unasked.
sed -i '1s/$/,fidelities/; /^sum\|^again\|^first\|^sine/s/$/,full sampled/; /^> 2/s/$/,full sampled/' $toy/published.csv
gives 0 "$memsweep" calibrate toy $small --waves 1 --samples 16 --directed 0
has "$out" "Too many points to conclude of: sum ("
has "$out" " points at full: --full-conclusions)."
gives 0 "$memsweep" calibrate toy $small --waves 1 --samples 16 --directed 0 --full-conclusions 1000
has "$out" "Conclusions at the fidelity of the files over 32 settings drawn from the weights"
finish

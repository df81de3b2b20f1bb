#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 867. Does calibrate say what is wrong with its input, and where?
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
gives 2 "$memsweep" calibrate tony
has "$err" "tony"
gives 2 "$memsweep" calibrate toy --unknowns x11
has "$err" "--unknowns: 'x11' is no parameter"
gives 2 "$memsweep" calibrate toy
has "$err" "the sweeps leave no parameter of unknown source open"
gives 2 "$memsweep" calibrate toy $small --figure 'fig. 9'
has "$err" "none of fig. 1, fig. 2, fig. 3"
gives 2 "$memsweep" calibrate toy $small --hold-out 'fig. 9'
has "$err" "--hold-out 'fig. 9': none of fig. 1, fig. 2, fig. 3"
measured() {
    printf 'id,measured,error\n%s\n' "$1" >measured.csv
    gives 2 "$memsweep" calibrate toy $small --against measured.csv
    has "$err" "measured.csv:2: $2"
}
measured fist,0.5,0.01 "id 'fist': the paper's published.csv has no such row"
measured first,half,0.01 "measured 'half': a number is wanted"
measured first,0.5,0 "error '0': the standard deviation of the measurement is wanted, above 0"
measured first,0.5 "2 fields, the header has 3"
printf 'id,measured,error\n' >measured.csv
gives 2 "$memsweep" calibrate toy $small --against measured.csv
has "$err" "measured.csv: no rows"
sed -i '1s/$/,discrepancy/; 2,$s/$/,/' $toy/published.csv
sed -i 's/^first\(.*\),$/first\1,-1/' $toy/published.csv
sed -i 's/^> 2 \(.*\)$/> 2 \1/; s/^\(order.*\),$/\1/' $toy/published.csv
gives 2 "$memsweep" calibrate toy $small
has "$err" "discrepancy '-1': a number in the unit is wanted, 0 or more"

# Only yes/no rows: nothing to compare with.
toy_published ',0.6'
sed -i '2,5d' $toy/published.csv
gives 2 "$memsweep" calibrate toy $small
has "$err" "no row is a number with a band"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 143. A footer was cut off at the edge by a filter or by three averaged factors, and the
# filter of an analysis that was kept was not in it: the one of the plot was, which had no part in
# it.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
sweep foot
sed -i 's|  gain: .*|  gain: [1, 2, 3]\n  x3: [0.1, 0.2, 0.3]\n  x4: [0.4, 0.5]\n  x5: [0.6, 0.7]|' foot.yaml
gives 0 "$memsweep" run foot.yaml -o foot.db -q
filter='x1 < 0.95 AND x2 > 0.05 AND gain IN (1, 2, 3) AND x3 BETWEEN 0.05 AND 0.35 AND x4 <> 0.77'
gives 0 "$memsweep" plot foot.db --figure lines,heat,front -f svg -o . --filter "$filter"
for figure in lines heat front; do
    inside_frame foot-$figure.svg
    has "$(said foot-$figure.svg | tr '\n' ' ')" "where $filter"
done
others=$(said foot-lines.svg | tr '\n' ' ' | grep -o 'mean over [a-z0-9, ]*')
has "$others" x5
long="'$(printf 'x%.0s' $(seq 90))' <> ''"
gives 0 "$memsweep" plot foot.db --figure lines -f svg -o . --filter "$long"
inside_frame foot-lines.svg
gives 0 "$memsweep" sensitivity foot.db -m f2 --filter 'x1 < 0.95' --method pce --degree 2 --save
gives 0 "$memsweep" plot foot.db --figure sensitivity -f svg -o . --filter 'x2 < 0.5'
footer=$(said foot-sensitivity.svg | tr '\n' ' ')
has "$footer" 'sensitivity of f2, where x1 < 0.95, method pce, degree 2'
lacks "$footer" 'x2 < 0.5'
finish

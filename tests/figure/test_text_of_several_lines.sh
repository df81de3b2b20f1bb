#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 042. Do figures and pages take filters and folders of several lines, and names with quotes?
source "$(dirname "$0")/../cli/common.sh"
command -v gnuplot >/dev/null || exit 77
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
filter=$'gain < 3\nAND x1 >= 0'
gives 0 "$memsweep" plot small.db -F lines,front,heat -w "$filter" -o figures
has "$(cat figures/small-lines.svg)" "where gain &lt; 3 AND x1"
gives 0 "$memsweep" plot small.db -F lines -o $'two\nlines'
[ -s $'two\nlines/small-lines.svg' ] || fail "no figure in a folder with a line end"
if [ -f /usr/share/nodejs/d3/dist/d3.min.js ]; then
    gives 0 "$memsweep" report small.db -w "$filter" -o $'page\n.html' -F lines
    has "$(cat $'page\n.html')" '<figure id="figure-lines">'
    gives 0 env TMPDIR="$work"/$'two\nlines' "$memsweep" report small.db -o lines.html -F lines
    has "$(cat lines.html)" '<figure id="figure-lines">'
fi

# A workload's file may have a quote, a line end or a gnuplot word in its name.
name=$'net "a" \'b\' `c` #d %s\n.csv'
cat >"$name" <<'END'
Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
conv1, 16, 16, 3, 3, 8, 16, 1,
conv2, 14, 14, 3, 3, 16, 16, 1,
END
cp "$name" plain.csv
cat >net.yaml <<'END'
sweep: net
mechanism: neummu
workloads: ["net \"a\" 'b' `c` #d %s\n.csv", plain.csv]
fidelity: analytic
vary:
  ptw_count: [1, 2, 4]
END
"$memsweep" run net.yaml -o net.db -q >out.txt 2>err.txt || fail "a workload of an odd name: $(cat err.txt)"
gives 0 "$memsweep" plot net.db -F lines -o figures
has "$(cat figures/net-lines.svg)" "net ”a” 'b' "
gives 0 "$memsweep" query net.db -c workload

finish

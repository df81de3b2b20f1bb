#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 063. More derived columns than SQLite can show were accepted, and the sweep could not be
# read.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
with() {
    printf 'sweep: wide\nmechanism: null\nworkloads: [synth/small]\nvary: {x1: [0, 1]}\nderive:\n'
    for ((i = 0; i < $1; i++)); do
        echo "  d$i: x1 + $i"
    done
}
with 2500 >wide.yaml
gives 2 "$memsweep" check wide.yaml
has "$err" "wide.yaml:6:3: derive: 2500 columns, at most"
most=$(echo "$err" | sed 's/.*at most \([0-9]*\) are possible.*/\1/')
with $((most + 1)) >wide.yaml
gives 2 "$memsweep" check wide.yaml
with "$most" >wide.yaml
gives 0 "$memsweep" run wide.yaml -o x.db -q
gives 0 "$memsweep" query x.db --columns "d0,d$((most - 1))" --format tsv
same "$(tail -n 1 out)" "$(printf '1\t%d' "$most")" "the last row"
gives 0 "$memsweep" query x.db --format csv
gives 0 "$memsweep" digest x.db
gives 0 "$memsweep" sensitivity x.db --metric y --group-by workload
finish

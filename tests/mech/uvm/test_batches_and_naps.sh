#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 590. Batches of faults, naps and pins act in runs, with answers worked out by hand; rows of
# a page trace are in order of time for each SM, and the reader takes them.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# metric NAME FILE: of a row that eval printed as tsv.
metric() {
    awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} NR == 2 {print $c}' "$2"
}

# Eight SMs fault on a page of 2 MiB each in one cycle, 149. A batch takes 45 us = 66645 cycles of
# 1.481 GHz, a page 2605.75; the next batch is begun when the pages of the last are here.
for sm in 0 1 2 3 4 5 6 7; do
    echo "$sm $sm 0 16 $((2048 * sm)) r"
done >eight.pages
# starts LIMIT: when the first page of each batch leaves the host.
starts() {
    "$memsweep" eval uvm -w eight.pages -f csv -d link sms=8 prefetcher=none fault_charge=batched batch_faults="$1" |
        awk -F, 'NR == 2 || $1 > last + 3000 {if (NR > 1) printf "%s ", $1} {last = $1}'
}
same "$(starts 256)" "66794 " "one batch: 149 + 66645"
same "$(starts 8)" "66794 " "a batch that is full"
same "$(starts 4)" "66794 143862 " "two: 66794 + 4 pages + 66645"
same "$(starts 3)" "66794 141257 215720 " "three"

# 16 pages of the image are taken back by the host in each turn. With the driver's numbers a
# nap is as long as the lapse: a page that comes after one is calm again, so none is pinned, and all
# come in each turn. With a lapse of four naps each naps ten times, then is pinned for the rest.
many=uvm/srad_v2/side=128,iterations
driver() { # [NAME=VALUE ...]: writes srad.tsv
    printf 'sweep: srad\nmechanism: uvm\nworkloads: ["%s=%s"]\npreset: driver\nfidelity: full\nfix: {sms: 28%s}\n' \
        "$many" "$turns" "$1" >srad.yaml
    rm -f srad.db
    "$memsweep" run srad.yaml -o srad.db -q && "$memsweep" export srad.db -f tsv -o srad.tsv 2>/dev/null >&2
}
turns=40
driver ', thrash: off'
same "$(metric naps srad.tsv) $(metric pins srad.tsv) $(metric bytes_in srad.tsv)" "0 0 $((40 * 16 * 4096))" "no thrashing"
driver ''
same "$(metric pins srad.tsv) $(metric bytes_in srad.tsv)" "0 $((40 * 16 * 4096))" "the driver's numbers"
same "$(($(metric naps srad.tsv) > 0 && $(metric naps srad.tsv) % 16 == 0))" 1 "all pages nap as often"
for turns in 20 24; do
    driver ', thrash_lapse: 2000000'
    same "$(metric naps srad.tsv) $(metric pins srad.tsv)" "160 16" "ten naps, then a pin, $turns turns"
    same "$(metric bytes_in srad.tsv)" "$(((3 + 3 + 9) * 16 * 4096))" "moves, $turns turns"
done

"$memsweep" eval uvm -w uvm/2dconv/h=64 -d pages -f csv page_trace=walk sms=4 >walk.pages
per_sm=$(awk -F, 'NR > 1 {bad += $1 < last[$2]; last[$2] = $1} END {print bad + 0}' walk.pages)
same "$per_sm" 0 "rows of an SM out of order"
"$memsweep" eval uvm -w walk.pages -f tsv sms=4 prefetcher=none >again.tsv || fail "the reader refuses what was written"
same "$(metric lines again.tsv)" "$(($(wc -l <walk.pages) - 1))" "lines replayed"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 462. A page trace that a run writes, replayed: the same pages, and as many faults on
# demand; text and binary say the same; what is no access is refused with its place.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

# metric NAME FILE: of a row that eval printed as tsv.
metric() {
    awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} NR == 2 {print $c}' "$2"
}

for what in first walk all; do
    "$memsweep" eval uvm -w uvm/streamtriad/n=16Ki -d pages -f csv page_trace=$what sms=4 >$what.pages ||
        fail "the trace of $what"
done
same "$(tail -n +2 first.pages | cut -d, -f5 | sort -u | wc -l)" 48 "different pages, first walks"
same "$(tail -n +2 walk.pages | cut -d, -f5 | sort -u | wc -l)" 48 "different pages, walks"
same "$(($(wc -l <first.pages) - 1))" 48 "first walks"
"$memsweep" eval uvm -w uvm/streamtriad/n=16Ki -f tsv sms=4 >run.tsv
same "$(($(wc -l <walk.pages) - 1))" "$(metric walks run.tsv)" "walks told and counted"
same "$(($(wc -l <all.pages) - 1))" "$(metric lines run.tsv)" "lines told and counted"

for what in first walk all; do
    "$memsweep" eval uvm -w $what.pages -f tsv sms=4 prefetcher=none >$what.tsv || fail "replay of $what"
    same "$(metric far_faults $what.tsv)" 48 "faults on demand of $what"
    same "$(metric lines $what.tsv)" "$(($(wc -l <$what.pages) - 1))" "lines of $what"
done
"$memsweep" eval uvm -w walk.pages -f tsv --fidelity analytic prefetcher=tree >tree.tsv
same "$(metric pages_in tree.tsv)" "$("$memsweep" eval uvm -w uvm/streamtriad/n=16Ki -f tsv --fidelity analytic |
    awk -F '\t' 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "pages_in") c = i} NR == 2 {print $c}')" "pages under the tree"

# 3 accesses: pages 512 (read), 513 (written by another SM), 9000 (read)
printf '0 0 0 0x10 512 r\n3,1,2,24,513,1\n5 0 0 16 9000 R # far away\n' >t.pages
{
    printf 'MSWPAGE1'
    printf '\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\20\0\0\0\0\0\0\0'
    printf '\3\0\0\0\0\0\0\0\1\2\0\0\0\0\0\200\30\0\0\0\1\0\2\0'
    printf '\5\0\0\0\0\0\0\0\50\43\0\0\0\0\0\0\20\0\0\0\0\0\0\0'
} >t.pagebin
for file in t.pages t.pagebin; do
    "$memsweep" eval uvm -w $file -f tsv sms=2 prefetcher=none | cut -f 3- >$file.tsv
done
same "$(md5sum <t.pages.tsv)" "$(md5sum <t.pagebin.tsv)" "text and binary"
same "$(metric far_faults t.pages.tsv) $(metric accesses t.pages.tsv)" "3 3" "faults and accesses by hand"

refused() {
    printf "$1" >bad.pages
    "$memsweep" eval uvm -w bad.pages >out 2>&1 && fail "accepted: $1"
    grep -qF "$2" out || fail "'$(cat out)' does not say '$2'"
}
refused '0 0 0 16 512\n' "bad.pages:1:1: found '0', allowed: time sm warp pc page r|w"
refused '0 0 0 16 512 r\n0 0 64 16 512 r\n' "bad.pages:2:5: found '64', allowed: a warp of an SM from 0 to 63"
refused '5 0 0 16 512 r\n4 0 0 16 512 r\n' "bad.pages:2:1: found '4', allowed: times of a warp that never go back"
refused '# nothing\n' "found no access"
printf 'MSWPAGE1\0' >bad.pagebin
"$memsweep" eval uvm -w bad.pagebin >out 2>&1 && fail "accepted: half an access"
grep -qF '24 for each access' out || fail "$(cat out)"
printf 'MSWPAGE2%024d' 0 >bad.pagebin
"$memsweep" eval uvm -w bad.pagebin >out 2>&1 && fail "accepted: another magic"
grep -qF 'bad.pagebin: found other bytes at its start, allowed: MSWPAGE1' out || fail "$(cat out)"
finish

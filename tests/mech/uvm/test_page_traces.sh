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
cat >o.pages <<'END'
# CTA 0, then CTA 1 in its place: an access of two lines each, pages 515 and 514, 513 and 512
0 0 0 1 515 r 0 0 0
1 0 0 1 514 r 0 0 0
900 0 0 1 513 r 1 0 0
901 0 0 1 512 r 1 0 0
END
{
    printf 'MSWPAGE2'
    printf '\0\0\0\0\0\0\0\0\3\2\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\2\2\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\204\3\0\0\0\0\0\0\1\2\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0'
    printf '\205\3\0\0\0\0\0\0\0\2\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0'
} >o.pagebin
grep -v '^#' o.pages | cut -d' ' -f1-6 >p.pages
for file in o.pages o.pagebin p.pages; do
    "$memsweep" eval uvm -w $file -f tsv sms=1 prefetcher=block | cut -f 3- >$file.tsv
done
same "$(md5sum <o.pages.tsv)" "$(md5sum <o.pagebin.tsv)" "text and binary with CTAs"
# the first line faults (pages 512 to 515 are one transfer), the second of its access joins it, and
# those of the next CTA find theirs here: 2 hits of 4 walks; where each line waits for the one before
# there are 3, and with both CTAs at once none
same "$(metric joined o.pages.tsv) $(metric page_hit_rate o.pages.tsv)" "1 0.5" "joined and hits by hand"
same "$(metric joined p.pages.tsv) $(metric page_hit_rate p.pages.tsv)" "0 0.75" "the same without CTAs"
# lines, CTAs and launches as recorded give the program's walks, within 5 %; without, less than half
"$memsweep" eval uvm -w uvm/atax/n=128 -f tsv sms=4 >atax.tsv
"$memsweep" eval uvm -w uvm/atax/n=128 -d pages -f csv page_trace=all sms=4 >nine.pages
cut -d, -f1-6 nine.pages >six.pages
for file in nine six; do "$memsweep" eval uvm -w $file.pages -f tsv sms=4 >$file.tsv; done
walks=$(metric walks atax.tsv)
[ $((20 * $(metric walks nine.tsv))) -ge $((19 * walks)) ] || fail "$(metric walks nine.tsv) walks of $walks"
[ $((2 * $(metric walks six.tsv))) -le "$walks" ] || fail "$(metric walks six.tsv) walks of $walks without CTAs"
"$memsweep" describe six.pages | grep -q 'Lost: CTAs' || fail "what is lost without CTAs is not said"
"$memsweep" describe nine.pages | grep -q 'CTAs, launches and the lines of an access are as recorded' ||
    fail "what is kept is not said"
same "$(metric far_faults t.pages.tsv) $(metric accesses t.pages.tsv)" "3 3" "faults and accesses by hand"

refused() {
    printf "$1" >bad.pages
    "$memsweep" eval uvm -w bad.pages >out 2>&1 && fail "accepted: $1"
    grep -qF "$2" out || fail "'$(cat out)' does not say '$2'"
}
refused '0 0 0 16 512\n' "bad.pages:1:1: found '0', allowed: time sm warp pc page r|w, in all lines or in none: cta launch access"
refused '0 0 0 16 512 r 0 0 0\n0 0 0 16 512 r\n' "bad.pages:2:1: found '0', allowed: time sm warp"
refused '0 0 0 16 512 r 0 1 0\n0 0 0 16 512 r 0 0 0\n' "bad.pages:2:18: found '0', allowed: launches that never go back"
refused '0 0 0 16 512 r 1048576 0 0\n' "bad.pages:1:16: found '1048576', allowed: a CTA of a launch below 2^20"
refused '0 0 0 16 512 r\n0 0 64 16 512 r\n' "bad.pages:2:5: found '64', allowed: a warp of an SM from 0 to 63"
refused '5 0 0 16 512 r\n4 0 0 16 512 r\n' "bad.pages:2:1: found '4', allowed: times of a warp that never go back"
refused '# nothing\n' "found no access"
printf 'MSWPAGE1\0' >bad.pagebin
"$memsweep" eval uvm -w bad.pagebin >out 2>&1 && fail "accepted: half an access"
grep -qF '24 for each access' out || fail "$(cat out)"
printf 'MSWPAGE3%024d' 0 >bad.pagebin
"$memsweep" eval uvm -w bad.pagebin >out 2>&1 && fail "accepted: another magic"
grep -qF 'bad.pagebin: found other bytes at its start, allowed: MSWPAGE1' out || fail "$(cat out)"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 770. A table of points ended at a million values. Is one of any form read (units, quotes,
# CR LF, a byte order mark, points that come twice), and a wrong one told with line and column? Do
# shards and going on give the points of the list in YAML?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
head='sweep: t\nmechanism: neummu\nworkloads: [alexnet/b1]\nfidelity: analytic\n'
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
printf "${head}design: {kind: list, file: 'a table.csv'}\n" >t.yaml
printf "${head}design:\n  kind: list\n  points:\n" >y.yaml
printf '    - {ptw_count: 8, page_size: 64KiB}\n    - {page_size: 4KiB, ptw_count: 16}\n' >>y.yaml
digest_of() { "$memsweep" check "$1" | grep -oE '[0-9a-f]{32}'; }
alike() { # alike TEXT: the same points as the list
    printf "$1" >'a table.csv'
    same "$(digest_of t.yaml)" "$(digest_of y.yaml)" "digest of '$1'"
}
alike 'ptw_count,page_size\n8,64KiB\n16,4096\n'
alike '\xef\xbb\xbf# by hand\r\nptw_count, "page_size [KiB]"\r\n\r\n"8",64\r\n16 , "4"'
alike 'page_size [B],ptw_count [walkers]\n65536,8\n4KiB,16\n'

refused() { # refused TEXT WANTED
    printf "$1" >'a table.csv'
    gives 2 "$memsweep" check t.yaml
    has "$err" "a table.csv:$2"
}
refused '' '1:1: an empty table'
refused 'ptw_count\n' '1:1: a table without points'
refused 'ptw_cuont\n8\n' "1:1: unknown parameter 'ptw_cuont', did you mean 'ptw_count'?"
refused 'page_size,ptw_count,ptw_count\n' "1:21: 'ptw_count' is listed here, but listed at"
refused 'ptw_count\n8\n\n8,9\n' '4:1: found 2 values, but the first line names 1'
refused 'page_size,ptw_count\n4KiB, 9999\n4KiB,8\n4,8' '2:7: ptw_count = 9999 is out of range'
has "$err" 'a table.csv:4:1: page_size = 4'
refused 'ptw_count\n"8\n' '2:1: a quote that is not closed'
refused 'ptw_count\n"8"9\n' "2:4: '9' behind a closing quote"
refused 'ptw_count\r8\r' '1:1: a carriage return inside a line'
refused 'p\0t\0' '1:1: byte 0x00'
refused 'ptw_count [KiB]\n8\n' "2:1: ptw_count: '8KiB'"
sed -i "s/'a table.csv'/'-'/" t.yaml
gives 2 "$memsweep" check t.yaml
has "$err" "file '-': the points are read again"

# Values of some and of many different kinds.
awk 'BEGIN { print "gain,x1,x2"; for (i = 0; i < 700; i++) printf "%d.%03d,%.9f,%.6f\n", i % 9 + 1, i % 300, i / 700, i * 7 % 700 / 700
    print "1.000,0.000000000,0.000000" }' >long.csv
printf 'sweep: l\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\ndesign: {kind: list, file: long.csv}\n' >l.yaml
gives 0 "$memsweep" run l.yaml -q -o all.db
gives 0 "$memsweep" query all.db -w 'point IN (0, 1, 299, 600, 699)' -c 'gain, x1, x2' -f csv --order point
index=0
for line in 2 3 301 602 701; do
    index=$((index + 1))
    IFS=, read -r gain x1 x2 <<<"$(echo "$out" | sed -n "$((index + 1))p")"
    same "$(printf '%.3f,%.9f,%.6f' "$gain" "$x1" "$x2")" "$(sed -n "${line}p" long.csv)" "line $line"
done
for shard in 0 1; do
    gives 0 "$memsweep" run l.yaml -q -o s$shard.db --shard $shard/2
done
gives 0 "$memsweep" merge m.db s1.db s0.db
same "$("$memsweep" digest m.db)" "$("$memsweep" digest all.db)" "digest of two shards"
gives 0 "$memsweep" run l.yaml -o all.db
has "$out" "701 points, 701 answered before"
finish

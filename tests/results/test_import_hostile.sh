#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 671. Does every table that is not what it should be get one clear message with its line, or
# the right handling, and leave no database behind when it is refused?
source "$(dirname "$0")/../cli/common.sh"

# refused TEXT MESSAGE OPTIONS...
refused() {
    printf "$1" >h.csv
    local wanted=$2
    shift 2
    gives 2 "$memsweep" import h.csv -o h.db "$@"
    has "$err" "memsweep: $wanted"
    same "$(wc -l <<<"$err")" 1 "lines of '$wanted'"
    [ ! -e h.db ] || fail "a database behind '$wanted'"
}

# taken TEXT SAID OPTIONS...: and what is in it, as CSV, in $out
taken() {
    printf "$1" >h.csv
    local said=$2
    shift 2
    rm -f h.db
    gives 0 "$memsweep" import h.csv -o h.db "$@"
    has "$out" "$said"
    gives 0 "$memsweep" query h.db -f csv -c 'a, y'
}
plain=(-i a -u y)

refused 'a,y\n1,2\n,3\n' "h.csv:3: column 'a': '' is no value: an input has one in every row" "${plain[@]}"
refused 'a,y\n1,2\nx,3\n' "h.csv:3: column 'a': 'x' is no number, and line 2 has '1'; say 'a text'" "${plain[@]}"
refused 'a,y\n1,2\n2,fast\n' "h.csv:3: column 'y': 'fast' is no number" "${plain[@]}"
refused 'a,a,y\n1,2,3\n' "h.csv:1: 2 columns are called 'a'" "${plain[@]}"
refused 'A b,a_b,y\n1,2,3\n' "'A b' and 'a_b' are both called 'a_b': say 'a_b as NAME'" -i "'A b', a_b" -u y
refused 'order,y\n1,2\n' "--inputs: column 'order': 'order' is an SQL keyword; say 'order as NAME'" -i order -u y
refused 'status,y\n1,2\n' "--inputs: column 'status': 'status' is a name memsweep keeps for itself" -i status -u y
refused 'a,y\ninf,1\n2,2\n' "h.csv:2: column 'a': 'inf' is infinite" "${plain[@]}"
refused 'a\ty\n1\t2\n' "h.csv:1: one column, 'a\\ty': values are separated by commas here, not by tabs" "${plain[@]}"
refused 'a,y\n1,2\n1,2,3\n' 'h.csv:3: 3 fields, the header has 2' "${plain[@]}"
refused 'a,y\n1,"2\n' 'h.csv:2: a quote is not closed' "${plain[@]}"
refused '' 'h.csv: empty: the first line names the columns' "${plain[@]}"
refused 'a,y\n' 'h.csv: a header and no rows' "${plain[@]}"
refused 'a,y\n1,2\0003\n' 'h.csv: byte 8 is zero: this is no text' "${plain[@]}"
refused '\xff\xfea\0' 'h.csv: is UTF-16: save it as UTF-8' "${plain[@]}"
refused 'a,y\n\xff\xfe,2\nb,3\n' "h.csv:2: column 'a': " "${plain[@]}"
refused 'a,y\n1,2\n1,3\n2,4\n' 'h.csv:3: the inputs of line 2 appear once more, while those of line 4 appear less often' "${plain[@]}"
refused 'aa,y\n1,2\n' "--inputs: no column 'ab' in h.csv, did you mean 'aa'?; it has aa, y" -i ab -u y
refused 'aa,y\n1,2\n' "--inputs: names no column; h.csv has aa, y"
refused 'a,y\n0x10,2\n3,3\n' "h.csv:2: column 'a': '0x10' is no number" "${plain[@]}"
refused 'a,y\n1,2\n' "sweep name 'x y'" "${plain[@]}" -s 'x y'
refused 'a,b,y\n1,1,2\n2,2,3\n' '--design grid: h.csv has 2 designs' -i a,b -u y --design grid
refused 'a,y,y_hw\n5,1,-1\n' "h.csv:2: column 'y_hw': '-1' is no half-width" "${plain[@]}"
refused 'a,y\n1,2\n' "--inputs: 'min' behind 'a'; allowed: [unit], A..B, log, text, as NAME" -i 'a min' -u y
refused 'a,y\n9,2\n' "--inputs: 'a' is said to go from 0 to 1 and has 9" -i 'a 0..1' -u y
refused 'a,y\n0,2\n1,2\n' "--inputs: 'a' is said to be log and has 0" -i 'a log' -u y
refused 'a,y\n1,1\n1,2\n2,1\n2,2\n1,3\n2,3\n4,4\n' 'h.csv:3: the inputs of line 2 appear once more' "${plain[@]}"

taken '\xef\xbb\xbfa,y\r\n1,2\r\n2,3\r\n' 'h: 2 rows, 2 designs (a complete grid)' "${plain[@]}"
same "$out" $'a,y\n1,2\n2,3' 'CRLF and a byte order mark'
gives 0 "$memsweep" import h.csv --check "${plain[@]}"
same "$(wc -l <<<"$out")" 1 'lines: the mark is no part of a title'
taken 'a,"y, ""all"""\n"1","2"\n2,3\n' 'column y, "all": y' -i a -u "'y, \"all\"' as y"
same "$out" $'a,y\n1,2\n2,3' 'quoted commas'
taken 'a,y\n1,\n2,NaN\n3,5\n4,-inf\n' '3 rows have no output at all: they count as failed' "${plain[@]}"
same "$out" $'a,y\n1,\n2,\n3,5\n4,' 'cells without a value'
taken 'a,b,b,y\n1,2,3,4\n2,2,3,5\n' '2 rows' "${plain[@]}" # a double that nobody asks for
taken 'a,y\n16,2\nnone,3\n' '2 designs' -i 'a text' -u y
same "$out" $'a,y\n16,2\nnone,3' 'numbers as words'
taken 'a,y [ns]\n64KiB,2us\n1MiB,300\n' 'column y [ns]: y [ns]' -i 'a [B] log' -u 'y min'
same "$out" $'a,y\n65536,2000\n1048576,300' 'units'
taken "a,y\n\"x'; DROP TABLE msw_sweep; --\",1\n\"say \"\"hi\"\", you\",2\n" '2 designs' "${plain[@]}"
same "$out" $'a,y\nx\'; DROP TABLE msw_sweep; --,1\n"say ""hi"", you",2' 'words of SQL'
taken 'a,y\n1,2\n1,3\n2,4\n2,5\n' '2 designs (a complete grid), 2 repetitions of each' "${plain[@]}"
taken 'a,b,y\n1,1,2\n2,2,3\n1,2,4\n' '3 designs (list)' -i a,b -u y
taken "a,y,junk\n1,2,$(head -c 100000 /dev/zero | tr '\0' x)\n2,3,q\n" '2 rows' "${plain[@]}"
taken 'a,w,y\n1,p,2\n2,p,3\n1,q,4\n' '1 point of the design has no row: it is missing' "${plain[@]}" -l w
same "$out" $'a,y\n1,2\n2,3\n1,4' 'a hole'
taken 'a,y,"w@1 (x)"\n1,2,p@q\n2,3,p@q\n1,5,"r, s"\n2,1,"r, s"\n' '2 workloads' "${plain[@]}" -l 'w@1 (x)'
gives 0 "$memsweep" pareto h.db --minimize y --over workload --by 'mean(p@q)'
has "$out" 'each a design over its workloads (mean(p@q))'
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 535. The access log of UVMSmart, as print_time_and_access writes it, is replayed as the
# page trace it stands for: blanks or commas, pages of 4 KiB or 2 MiB, lines of kernels; what is no
# line of it is refused with its place.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C

replay() { "$memsweep" eval uvm -w "$1" -f tsv --details pages sms=2 prefetcher=block page_trace=all >"$1.tsv"; }

# by hand: SM 0 reads pages 0xc0000 and 0xc0001, SM 1 writes page 0xc0010, SM 0 writes what it read
cat >small.uvmsmart <<'END'
786432 0xc0000000 128 222151 1 0 0
786433 0xc0001080 128 222160 1 0 0
786448 0xc0010000 32 222161 0 1 3
786432 0xc0000f80 128 222170 0 0 0
K: 222150 272491
END
tr ' ' ',' <small.uvmsmart | grep -v K: >commas.uvmsmart
gzip -c small.uvmsmart >packed.uvmsmart.gz
# 1536 is 0xc0000000 in pages of 2 MiB
sed 's/^7864[0-9]*/1536/' small.uvmsmart >large.uvmsmart
printf '0 0 0 0 786432 r\n1 0 0 0 786433 r\n2 1 3 1 786448 w\n3 0 0 1 786432 w\n' >same.pages
for file in small.uvmsmart commas.uvmsmart packed.uvmsmart.gz large.uvmsmart same.pages; do
    replay $file || fail "$file"
    same "$(md5sum <$file.tsv)" "$(md5sum <small.uvmsmart.tsv)" "$file"
done
same "$(grep -c . small.uvmsmart.tsv)" 5 "lines of a replay of 4 accesses"

refused() {
    printf "$1" >bad.uvmsmart
    "$memsweep" eval uvm -w bad.uvmsmart ${3:-} >out 2>&1 && fail "accepted: $1"
    grep -qF "$2" out || fail "'$(cat out)' does not say '$2'"
}
good='786432 0xc0000000 128 9 1 0 0\n'
refused '786432 0xc0000000 128 9 1 0\n' "bad.uvmsmart:1:1: found '786432', allowed: page 0xaddress size"
refused "${good}786432 0xc0001000 128 9 1 0 0\n" "bad.uvmsmart:2:8: found '0xc0001000', allowed: a page of 4 KiB, or of 2 MiB"
refused "${good}1536 0xc0000000 128 9 1 0 0\n" "bad.uvmsmart:2:6: found '0xc0000000', allowed: a page"
refused '786432 0xc0000000 0 9 1 0 0\n' ":1:19: found '0', allowed: a size from 1 to 4096"
refused '786432 0xc0000000 128 9 2 0 0\n' "found '2', allowed: 1 (read) or 0"
refused '786432 0xc0000000 128 9 1 256 0\n' "found '256', allowed: an SM from 0 to 255"
refused '786432 0xc0000000 128 9 1 0 64\n' "found '64', allowed: a warp"
refused "${good}786432 0xc0000000 128 8 1 0 0\n" ":2:23: found '8', allowed: times of a warp"
refused '18446744073709551615 0xfffff000 128 9 1 0 0\n' "found '18446744073709551615', allowed: a page below"
refused '786432 0x1c0000000 128 9 1 0 0\n' "found '0x1c0000000', allowed: a page"
refused 'K: 1 x\n' ":1:6: found 'x'"
refused 'K: 1 2\n' "found no access, allowed: lines 'page 0xaddress"
refused "$good" "allowed: 4096" pages_size=64KiB
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a real simulator work as a mechanism? valgrind's cachegrind on a blocked matrix multiply, 12
# designs at the small size: misses as cachegrind itself prints them, the setting it took, what cannot
# be built, and the finding of docs/studies/cachegrind.md at that size.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/common.sh"
for program in valgrind cc; do
    command -v $program >/dev/null || {
        echo "skipped: no $program"
        exit 77
    }
done
cp "$here"/../../sweeps/programs/{mm.c,cachegrind.yaml,tiles.yaml} .
cc -O2 -o mm mm.c || exit 1
sed -i 's/d1: .*/d1: [8KiB, 64KiB]/; s/assoc: .*/assoc: [8]/; s/ll: .*/ll: [256KiB]/; s/fidelity: full/fidelity: analytic/' tiles.yaml
gives 0 memsweep_runs tiles.yaml --program cachegrind.yaml -t 2 -o tiles.db
same "$("$memsweep" query tiles.db -c status -w "status = 'ok'" -f tsv | sed 1d | wc -l)" 12 "answers"
[ ! -e tiles.runs ] || fail "folders are left: $(find tiles.runs)"

# The same run by hand, in the same surroundings, of which the length of the folder's name is one:
# data misses of reads and writes, per level.
hand=$work/$(printf '%0*d' $((127 - ${#work})) 0)
mkdir "$hand"
ln -s "$work/mm" "$hand/mm"
(cd "$hand" && env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=. TMPDIR=. LC_ALL=C valgrind --tool=cachegrind \
    --cache-sim=yes --I1=32768,8,64 --D1=8192,8,64 --LL=262144,16,64 --cachegrind-out-file=cg.out ./mm 96 16 </dev/null >stdout 2>stderr)
by_hand=$(awk '/^summary:/ { print $2, $6 + $9, $4 + $7 + $10 }' "$hand/cg.out")
same "$("$memsweep" query tiles.db -c 'instructions, d1_misses, ll_misses' -w 'tile = 16 AND d1 = 8192 AND ll = 262144' -f tsv |
    sed 1d | tr '\t' ' ')" "$by_hand" "counts of cachegrind itself"

# Elsewhere it is the same.
mkdir -p a/folder/further/down
printf 'sweep: one\nmechanism: {program: cachegrind.yaml}\nfidelity: analytic\nvary: {tile: [16, 64]}\n' >one.yaml
gives 0 memsweep_runs one.yaml --program cachegrind.yaml -o one.db
gives 0 memsweep_runs one.yaml --program cachegrind.yaml -o a/folder/further/down/one.db
same "$("$memsweep" digest one.db)" "$("$memsweep" digest a/folder/further/down/one.db)" "answers elsewhere"

# Blocks of 16 or 32 in the smaller caches miss less than no blocks in the larger ones.
best() { "$memsweep" query tiles.db -c d1_misses -w "$1" --order d1_misses -n 1 -f tsv | sed 1d; }
[ "$(best 'tile < 192 AND d1 = 8192')" -lt "$(best 'tile = 192 AND d1 = 8192')" ] || fail "blocks save nothing"

# 24 KiB in 8 ways are no power of two of sets.
gives 1 "$memsweep" eval cachegrind.yaml --fidelity analytic d1=24KiB
has "$out" 'not a power of two'
finish

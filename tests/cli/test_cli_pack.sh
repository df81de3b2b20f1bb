#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is a packed sweep computed anew elsewhere, from the archive alone, to the same digest, whatever files
# it was read from; and is it said by name what is not the same? Expected digests: those of the runs
# that were packed.
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || exit 77
top=${MEMSWEEP_SOURCE:?}
export MEMSWEEP_DATA=$top

# members ARCHIVE: names, in their order.
members() {
    python3 -c 'import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(*z.namelist())' "$1"
}

# doctor FROM TO NAME OLD NEW: the archive with a text in a member exchanged; without NEW, without it.
doctor() {
    python3 - "$@" <<'P'
import sys, zipfile
source, target, name, *change = sys.argv[1:]
old = zipfile.ZipFile(source)
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
    for entry in old.infolist():
        data = old.read(entry)
        if entry.filename == name:
            if not change:
                continue
            assert change[0].encode() in data, change[0]
            data = data.replace(change[0].encode(), change[1].encode())
        new.writestr(entry, data)
P
}

# ---- a sweep with a base above it, points in a table, and a network of its own ----
mkdir -p here/sweeps here/nets elsewhere
cp "$top/workloads/npu/alexnet.csv" here/nets/mine.csv 2>/dev/null ||
    cp "$(find "$top/workloads" -name '*.csv' | sort | head -n 1)" here/nets/mine.csv
cat >here/base.yaml <<'Y'
mechanism: neummu
fidelity: analytic
objectives: {minimize: [slowdown]}
Y
cat >here/sweeps/study.yaml <<'Y'
extends: ../base.yaml
sweep: study
workloads: [nets/mine.csv, rnn1/b1]
design: {kind: list, file: points.csv}
Y
printf 'ptw_count,tlb_entries\n8,64\n16,128\n32,256\n' >here/sweeps/points.csv
cd here || exit 1
gives 0 "$memsweep" run sweeps/study.yaml -q
wanted=$("$memsweep" digest study | cut -d' ' -f1)
gives 3 "$memsweep" pack sweeps/study.yaml -d nothing.db
gives 0 "$memsweep" pack sweeps/study.yaml --figure lines
has "$out" "$wanted"
listed=$(members results/study.zip)
for name in inputs/sweeps/study.yaml inputs/base.yaml inputs/sweeps/points.csv inputs/nets/mine.csv \
    versions.json results.db ro-crate-metadata.json README.md; do
    has " $listed " " $name "
done
has "$listed" data/workloads/
cp results/study.zip first.zip
gives 0 "$memsweep" pack sweeps/study.yaml --figure lines -q
cmp -s first.zip results/study.zip || fail "the same content, other bytes"
mv first.zip ../elsewhere/study.zip
cd ..
mv here gone
cd elsewhere || exit 1

# ---- elsewhere: nothing there but the archive ----
gives 0 "$memsweep" replay study.zip --only-check
has "$out" "same versions"
[ ! -e results ] || fail "--only-check made files"
gives 0 "$memsweep" replay study.zip -t 2
has "$out" "same digest: $wanted, 6 rows"
lacks "$out" "computed before"
same "$("$memsweep" digest results/study-replay.db | cut -d' ' -f1)" "$wanted" "digest of the replay"
gives 0 "$memsweep" replay study.zip
has "$out" "6 of them computed before"
[ "$(ls -A)" = "$(printf 'err\nout\nresults\nstudy.zip')" ] || fail "what is left: $(ls -A)"
MEMSWEEP_DATA=. gives 0 "$memsweep" replay study.zip -o bare.db -q # not even memsweep's own workloads

# ---- what differs is said by name, and nothing is computed ----
doctor study.zip other.zip versions.json '"neummu": ' '"neummu": 9'
gives 1 "$memsweep" replay other.zip -o other.db
has "$err" "neummu: packed with 9"
[ ! -e other.db ] || fail "computed although versions differ"
gives 1 "$memsweep" replay other.zip --only-check
gives 0 "$memsweep" replay other.zip --anyway -o other.db
has "$out" "same digest"
doctor study.zip other.zip versions.json "\"architecture\": \"$(uname -m)\"" '"architecture": "pdp11"'
gives 1 "$memsweep" replay other.zip --only-check
has "$err" "architecture: packed with pdp11, here $(uname -m)"
doctor study.zip other.zip versions.json "$wanted" 00000000000000000000000000000000
gives 1 "$memsweep" replay other.zip -o other2.db
has "$err" "another digest: $wanted"

# ---- rows that differ, by point and column ----
if command -v sqlite3 >/dev/null; then
    python3 -c 'import zipfile; zipfile.ZipFile("study.zip").extract("results.db")'
    sqlite3 results.db 'UPDATE points_neummu SET slowdown = 7.5 WHERE id = (SELECT max(id) FROM points_neummu)'
    python3 - <<'P'
import re, zipfile
old = zipfile.ZipFile("study.zip")
with zipfile.ZipFile("rows.zip", "w", zipfile.ZIP_DEFLATED) as new:
    for entry in old.infolist():
        data = old.read(entry)
        if entry.filename == "results.db":
            data = open("results.db", "rb").read()
        if entry.filename == "versions.json":  # another digest of the rows; the database is not listed
            text = re.sub(r'(?m)^.*"results.db".*\n', "", data.decode(), count=1)
            data = re.sub(r'("count": 6, "digest": ")\w{4}', r"\g<1>0000", text).encode()
        new.writestr(entry, data)
P
    gives 1 "$memsweep" replay rows.zip -o rows.db
    has "$err" "of 6 rows 1 differ, 0 are missing; the first:"
    has "$err" "slowdown is"
    has "$err" "packed was 7.5"
    rm -f results.db
fi

# ---- files that are damaged, exchanged, gone ----
doctor study.zip bad.zip inputs/sweeps/points.csv 16,128 16,129
gives 2 "$memsweep" replay bad.zip -o bad.db
has "$err" "inputs/sweeps/points.csv is not the one that was packed"
doctor study.zip bad.zip inputs/base.yaml
gives 2 "$memsweep" replay bad.zip -o bad.db
has "$err" "lacks the file inputs/base.yaml"
head -c 3000 study.zip >bad.zip
gives 2 "$memsweep" replay bad.zip -o bad.db
gives 3 "$memsweep" replay missing.zip
gives 2 "$memsweep" replay ../gone/sweeps/study.yaml
[ ! -e bad.db ] || fail "computed from a bad archive"
cd ../gone || exit 1

# ---- a sweep below the folder that the command runs in, and one above it ----
mkdir -p deep/er
printf 'sweep: only\nmechanism: null\nfidelity: analytic\nfix: {x1: 0.5}\n' >deep/only.yaml
gives 0 "$memsweep" run deep/only.yaml -q
gives 0 "$memsweep" pack deep/only.yaml --no-page --no-figures
has " $(members results/only.zip) " " inputs/deep/only.yaml "
gives 0 "$memsweep" replay results/only.zip --only-check
printf 'sweep: up\nmechanism: neummu\nfidelity: analytic\nworkloads: [mine.csv]\n' >up.yaml
cd deep/er || exit 1
cp ../../nets/mine.csv .
gives 0 "$memsweep" run ../../up.yaml -o up.db -q
gives 0 "$memsweep" pack ../../up.yaml -d up.db -o up.zip --no-page --no-figures
same "$(members up.zip | tr ' ' '\n' | grep inputs | tr '\n' ' ')" "inputs/up.yaml inputs/deep/er/mine.csv " "members"
gives 0 "$memsweep" replay up.zip --only-check
cd ../.. || exit 1

# ---- what cannot be packed ----
printf 'sweep: abs\nmechanism: null\nfidelity: analytic\ndesign: {kind: list, file: %s/p.csv}\n' "$PWD" >abs.yaml
printf 'x1,x2\n0,1\n' >p.csv
gives 0 "$memsweep" run abs.yaml -q
gives 2 "$memsweep" pack abs.yaml --no-page --no-figures
has "$err" "by its whole path"
gives 2 "$memsweep" pack "$PWD/abs.yaml" --no-page --no-figures
has "$err" "could not be replayed"
[ ! -e results/abs.zip ] || fail "an archive that cannot be replayed was left"
printf 'sweep: part\nmechanism: null\nfidelity: analytic\nvary: {x1: [0, 0.25, 0.5, 1]}\n' >part.yaml
gives 0 "$memsweep" run part.yaml --shard 0/2 -o part.db -q
gives 2 "$memsweep" pack part.yaml -d part.db
has "$err" "of 4 points of sweep 'part' are answered"
gives 0 "$memsweep" pack part.yaml -d part.db --partial --no-page --no-figures -o part.zip
gives 0 "$memsweep" replay part.zip
has "$out" "same answers: all"
gives 2 "$memsweep" pack part.yaml -d part.db --partial --no-page --no-figures -o base.yaml
has "$err" "is no archive that memsweep wrote"
gives 2 sh -c "'$memsweep' pack - <part.yaml"
finish

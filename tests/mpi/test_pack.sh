#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a replay on several ranks give the digest that was packed, with rank 0 alone reading the archive,
# and do all ranks end when versions differ or the archive is bad?
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
gives 0 "$memsweep" pack small.yaml -d small.db -o small.zip --no-page --no-figures
wanted=$(digest small.db | cut -d' ' -f1)
gives 0 ranks 2 replay small.zip -t 1 -o again.db
has "$out" "2 ranks x 1 thread"
has "$out" "same digest: $wanted, 363 rows"
same "$(printf '%s\n' "$out" | grep -c 'same digest')" 1 "ranks that tell it"
if command -v python3 >/dev/null; then
    python3 - <<'P'
import zipfile
old = zipfile.ZipFile("small.zip")
with zipfile.ZipFile("other.zip", "w") as new:
    for entry in old.infolist():
        data = old.read(entry)
        if entry.filename == "versions.json":
            data = data.replace(b'"null": ', b'"null": 9')
        new.writestr(entry, data)
P
    gives 1 ranks 2 replay other.zip -o other.db
    has "$err" "null: packed with 9"
    [ ! -e other.db ] || fail "computed although versions differ"
fi
head -c 2000 small.zip >bad.zip
ranks 2 replay bad.zip -o bad.db >out 2>err </dev/null && fail "a bad archive was replayed"
same "$(grep -c 'bad.zip' err)" 1 "ranks that tell it"
[ ! -e bad.db ] || fail "computed from a bad archive"
finish

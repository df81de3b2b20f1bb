#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 001. Does --scratch keep the rows when it names the database's own folder, in whatever
# spelling?
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
sweep own
gives 0 "$memsweep" run own.yaml -q -o x.db
wanted=$("$memsweep" digest x.db)
ln -s . here
ln -s x.db link.db
for scratch in . ./ "$work" "$work/" "../${work##*/}" here here/. ./here/../; do
    gives 0 "$memsweep" run own.yaml -q -o x.db --scratch "$scratch"
    same "$("$memsweep" digest x.db)" "$wanted" "digest after --scratch $scratch"
done
gives 0 "$memsweep" run own.yaml -q -o "$work/here/x.db" --scratch .
gives 0 "$memsweep" run own.yaml -q -o link.db --scratch here
same "$("$memsweep" digest x.db)" "$wanted" "digest after links"
[ -L link.db ] || fail "the link to the database was replaced by a file"

# Rows are added, too, and nothing but the database stays.
sed -i 's/gain: \[1, 2, 3\]/gain: [1, 2, 3, 4]/' own.yaml
chmod 640 x.db
gives 0 "$memsweep" run own.yaml -o x.db --scratch .
has "$out" "121 to evaluate"
gives 0 "$memsweep" digest x.db
has "$out" "484 rows"
same "$(stat -c %a x.db)" 640 "permissions of the database"
rm -f here link.db out err
same "$(echo *)" "own.yaml x.db" "what is left in the folder"
finish

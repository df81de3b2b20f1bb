#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 061. What SQLite says about a user's own expression ended with the code for internal
# errors, or showed parts of SQL that the user did not write.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
for expression in "x1 LIKE 'a' ESCAPE 22" "workload LIKE 'a' ESCAPE 'bc'"; do
    gives 2 "$memsweep" query x.db --filter "$expression"
    lacks "$err" x.db
    gives 2 "$memsweep" query x.db --columns "$expression AS c"
    gives 2 "$memsweep" query x.db --order "$expression"
    gives 2 "$memsweep" pareto x.db --filter "$expression"
    gives 2 "$memsweep" pareto x.db --minimize "$expression" --maximize x1
    gives 2 "$memsweep" export x.db --filter "$expression"
    gives 2 "$memsweep" sensitivity x.db --metric "$expression"
    gives 2 "$memsweep" sensitivity x.db --metric f1 --filter "$expression"
done
for statement in 'SELECT zeroblob(2000000000)' \
    "SELECT 1 LIMIT 'a'" "SELECT 'a' LIKE 'b' ESCAPE 'cd'" 'SELECT nosuch(1)' 'SELECT 1 2'; do
    gives 2 "$memsweep" query x.db --sql "$statement"
done

# A derived column that fails where it is read; a fixed one fails its points; where is asked first.
sed 's/^fix:/derive: {d: "x1 LIKE 1 ESCAPE 22"}\nfix:/; s/small/derived/' small.yaml >d.yaml
sed -i 's/^workloads.*/workloads: [synth\/small]/' d.yaml
gives 0 "$memsweep" run d.yaml -o d.db -q
gives 2 "$memsweep" query d.db
gives 2 "$memsweep" sensitivity d.db --metric f1 --group-by d
sed 's/^fix:/where: "x1 LIKE 1 ESCAPE 22"\nfix:/' \
    small.yaml >w.yaml
gives 2 "$memsweep" run w.yaml -o w.db

# In terms of what was written.
gives 2 "$memsweep" query x.db --filter 'x1 BETWEEN 1'
has "$err" "something is missing at the end of 'x1 BETWEEN 1'"
gives 2 "$memsweep" query x.db --filter 'x1 4'
has "$err" "near \"4\": syntax error in 'x1 4'"
gives 2 "$memsweep" query x.db --filter 'x1 KiB'
has "$err" "near \"KiB\": syntax error in"
gives 2 "$memsweep" query x.db --sql 'SELECT x11 FROM small'
has "$err" "no column 'x11', did you mean 'x1'?"
gives 2 "$memsweep" query x.db --sql 'SELECT x1 FROM smal'
has "$err" "no table or sweep 'smal', did you mean 'small'?"
gives 2 "$memsweep" query x.db --sql 'DELETE FROM small'
has "$err" "only SELECT is possible here, not 'DELETE FROM small'"
finish

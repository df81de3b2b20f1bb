#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 123. A run at another fidelity took over the sweep's name and hid the good rows under a
# digest. NAME is the best complete fidelity, NAME@full and so on name each, --fidelity does, and
# status shows it.
source "$(dirname "$0")/../cli/common.sh"

cat >s.yaml <<'END'
sweep: s
mechanism: null
workloads: [synth/small]
vary: {x1: [0, 0.25, 0.5, 1], x2: [0, 0.5, 1]}
objectives: {minimize: [y, x2]}
END
tab=$'\t'

# names FILE WANTED: name, fidelity and state of every sweep, in order.
names() {
    gives 0 "$memsweep" status "$1" -f tsv
    same "$(awk -F'\t' 'NR > 1 { printf "%s %s %s\n", $1, $3, $8 }' out)" "$2" "what status shows"
}
# reads WORD FIDELITY: what a name means.
reads() {
    gives 0 "$memsweep" query s.db -s "$1" -c fidelity -n 1 -f tsv
    same "$(tail -1 out)" "$2" "what $1 means"
}

gives 0 "$memsweep" run -q s.yaml --fidelity full -o s.db
names s.db "s full complete"
gives 0 "$memsweep" query s.db -s s@full -c fidelity -n 1
gives 0 "$memsweep" run -q s.yaml --fidelity analytic -o s.db
gives 0 "$memsweep" run -q s.yaml --fidelity sampled -o s.db
names s.db "s full complete
s@analytic analytic complete
s@sampled sampled complete"
reads s full
for fidelity in analytic sampled full; do
    reads s@$fidelity $fidelity
    reads @$fidelity $fidelity
    gives 0 "$memsweep" digest s.db --fidelity $fidelity
    cp out digest.$fidelity
    gives 0 "$memsweep" query s.db --fidelity $fidelity -c fidelity -n 1 -f tsv
    same "$(tail -1 out)" $fidelity "query --fidelity"
    gives 0 "$memsweep" export s.db --fidelity $fidelity -c fidelity -o x.tsv
    same "$(tail -1 x.tsv)" $fidelity "export --fidelity"
    gives 0 "$memsweep" pareto s.db --fidelity $fidelity -c fidelity -f tsv
    has "$out" "$tab$fidelity"
    for command in "sensitivity -m y" "surrogate -m y"; do
        gives 0 "$memsweep" ${command%% *} s.db ${command#* } --fidelity $fidelity
        shown=s@$fidelity
        [ $fidelity = full ] && shown=s
        has "$out" "y of $shown: 12 rows"
    done
    gives 0 "$memsweep" query s.db --sql "SELECT min(fidelity) AS f FROM \"s@$fidelity\"" -f tsv
    same "$(tail -1 out)" $fidelity "the view s@$fidelity in --sql"
    gives 0 "$memsweep" report s.db --no-figures --fidelity $fidelity -o $fidelity.html
    has "$(cat $fidelity.html)" "$shown"
done
cmp -s digest.analytic digest.full && fail "digest reads the same rows at two fidelities"
# For other programs, the same names.
same "$(sqlite3 s.db "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY 1" 2>/dev/null | tr '\n' ' ')" \
    "s s@analytic s@full s@sampled " "the views of the file"

gives 2 "$memsweep" query s.db -s s@full --fidelity sampled
has "$err" "say 's@sampled', or leave --fidelity out"
gives 2 "$memsweep" query s.db -s s@digest
has "$err" "there is s (full), s@analytic, s@sampled"
gives 2 "$memsweep" query s.db --fidelity ful
has "$err" "did you mean 'full'?"
gives 2 "$memsweep" query s.db --sql 'SELECT 1' --fidelity full
has "$err" "--sql goes with no other option"

# Another plan of the name and fidelity: the older one keeps its digest.
old=$("$memsweep" query s.db --sql "SELECT digest || '' AS d FROM msw_sweep WHERE fidelity = 'analytic'" -f tsv | tail -1)
sed -i 's/0.25, //' s.yaml
gives 0 "$memsweep" run -q s.yaml --fidelity analytic -o s.db
names s.db "s@full full complete
s@${old:0:8} analytic complete
s@sampled sampled complete
s analytic complete"
gives 0 "$memsweep" query s.db -s "s@${old:0:8}" --sql "SELECT count(*) AS n FROM \"s@${old:0:8}\"" -f tsv
same "$(tail -1 out)" 12 "rows of the older plan"

# Not complete: infeasible is an answer, failed is none.
cat >f.yaml <<'END'
sweep: s
mechanism: null
workloads: [synth/small]
vary: {x1: [0, 0.5, 1]}
fix: {fail_share: 1}
END
gives 0 "$memsweep" run -q s.yaml --fidelity analytic -o g.db
"$memsweep" run -q f.yaml --fidelity full -o f.db >/dev/null 2>&1
"$memsweep" run -q f.yaml --fidelity sampled -o f.db >/dev/null 2>&1
gives 0 "$memsweep" query f.db -c fidelity -n 1 -f tsv
same "$(tail -1 out)" sampled "the one run last, where none is complete"
has "$err" "no fidelity of sweep 's' is complete: s@sampled, run last, is read"

# Merged, in any order.
for order in "full analytic" "analytic full"; do
    rm -f m.db
    for fidelity in $order; do
        gives 0 "$memsweep" run -q s.yaml --fidelity $fidelity -o one-$fidelity.db
        gives 0 "$memsweep" merge -q m.db one-$fidelity.db
    done
    gives 0 "$memsweep" query m.db -c fidelity -n 1 -f tsv
    same "$(tail -1 out)" full "after merging $order"
    gives 0 "$memsweep" query m.db --fidelity analytic -c fidelity -n 1 -f tsv
    same "$(tail -1 out)" analytic "after merging $order"
done

# A file of an older version, as it is: the same rule.
source_db=$MEMSWEEP_SOURCE/tests/golden/databases/null.db
cp "$source_db" kept.db
gives 0 "$memsweep" status kept.db -f tsv
has "$out" "null-store${tab}null${tab}sampled${tab}12${tab}12" # full is there in part
has "$out" "null-store@full${tab}null${tab}full${tab}12${tab}9"
gives 0 "$memsweep" query kept.db --fidelity analytic -c fidelity -n 1 -f tsv
same "$(tail -1 out)" analytic "an older file at --fidelity analytic"
cmp -s "$source_db" kept.db || fail "reading an older file changed it"
finish

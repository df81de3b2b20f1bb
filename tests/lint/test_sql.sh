#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does SQL keep to what SQLite 3.26 understands, which clusters still run? Looks for words that came
# later in the strings of the sources and in the queries of figures. What expressions may call is
# registered for every version (src/expr/math.c) and free to use.
source "$(dirname "$0")/files.sh"
strings=$(mktemp)
trap 'rm -f "$strings"' EXIT

# A literal is often written in several pieces, over several lines; a quote in one, or alone as a
# constant, neither begins nor ends it.
for path in $(files 'src/store/*.[ch]' 'src/expr/*.[ch]' 'src/results/*.[ch]' 'src/figure/*.[ch]' \
    'src/report/*.[ch]' 'src/reproduce/*.[ch]' 'src/cli/*.[ch]'); do
    tr '\n' ' ' <"$path" | sed -E "s/'\"'//g"'; s/\\"/`/g; s/" *\\? *"//g' | grep -oE '"([^"\\]|\\.)*"' |
        sed "s|^|$path: |" || true
done >"$strings"
files 'analysis/*.sql' | xargs grep -H '' >>"$strings"
[ "$(grep -c 'SELECT' "$strings")" -gt 50 ] || fail "where have the queries gone?"

# later VERSION PATTERN: fails for every string that matches.
later() {
    local hit
    while IFS= read -r hit; do
        fail "${hit:0:300}: needs SQLite $1"
    done < <(grep -E -- "$2" "$strings")
}

later 3.28 'EXCLUDE (NO OTHERS|CURRENT ROW|GROUP|TIES)'
later 3.30 'NULLS (FIRST|LAST)|\) FILTER \('
later 3.31 'GENERATED ALWAYS|\) STORED'
later 3.33 'UPDATE [^;()]* SET [^;()]* FROM '
later 3.35 '(^|[^A-Z])RETURNING |DROP COLUMN|MATERIALIZED'
later 3.37 '\) STRICT|pragma_table_list'
later 3.38 '->>|unixepoch\(|SELECT.*[^a-z_.]format\('
later 3.39 '(RIGHT|FULL)( OUTER)? JOIN|IS (NOT )?DISTINCT FROM'
later 3.44 '(string_agg|[^_]concat|concat_ws)\('

# Every n-th row of a grid shares levels: recipes thin by a choice that has nothing to do with place.
while IFS= read -r hit; do
    fail "$hit: thins by a remainder: ORDER BY :random_order LIMIT ..., or msw_permute, instead"
done < <(
    files 'analysis/*.sql' | xargs grep -nE '%|mod\(' || true
    files 'analysis/*.gp' | xargs grep -nE ' every :*[0-9]' || true
    files 'src/analysis/*.c' 'src/figure/*.c' 'src/report/*.c' 'src/results/*.c' 'src/reproduce/*.c' |
        xargs grep -nE ' % (step|stride|every|skip)\b' || true
    # On the page remainders choose numbers of an axis, colours and units.
    files 'analysis/report/*.js' | grep -vE '/(axes|filters|base)\.js$' | xargs grep -nE ' %=? ' || true
)
# A sweep may be called as it likes but for msw_: a table of a recipe of that name would be taken for
# its view, which is SQL text of the file and not run.
while IFS= read -r hit; do
    fail "$hit: tables of a recipe begin with msw_"
done < <(files 'analysis/*.sql' | xargs grep -noE '^(WITH| {5}) ?[a-z_]+ AS \(SELECT' | grep -v msw_)
exit $bad

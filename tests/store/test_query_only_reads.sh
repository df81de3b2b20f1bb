#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 022. Can SQL of a user or of a figure's recipe do more than read? VACUUM INTO wrote files.
source "$(dirname "$0")/../cli/common.sh"
sweep quick 'x3: 0'
gives 0 "$memsweep" run quick.yaml -q -o x.db
rm -f out err
before=$(cksum x.db; ls)

# refused WANTED SQL: exit code 2, a message, and nothing has changed.
refused() {
    gives 2 "$memsweep" query x.db --sql "$2"
    has "$err" "$1"
    same "$(cksum x.db; rm -f out err; ls)" "$before" "after: $2"
}

refused "only SELECT is possible" "VACUUM INTO 'made.db'"
refused "only SELECT is possible" "VACUUM"
refused "only SELECT is possible" "REINDEX"
refused "only SELECT is possible" "ANALYZE"
refused "only SELECT is possible" "BEGIN IMMEDIATE"
refused "only SELECT is possible" "SAVEPOINT a"
refused "'memsweep merge' joins them" "ATTACH 'made.db' AS made"
refused "only SELECT is possible" "DELETE FROM points_null"
refused "only SELECT is possible" "INSERT INTO msw_run(sweep) VALUES(1) RETURNING id"
refused "" "WITH a AS (SELECT 1) DELETE FROM points_null WHERE id IN a"
refused "only SELECT is possible" "CREATE TEMP TABLE t(a)"
refused "PRAGMAs are not possible" "PRAGMA journal_mode = WAL"
refused "PRAGMAs are not possible" "PRAGMA user_version"
refused "PRAGMAs are not possible" "SELECT * FROM pragma_table_info('points_null')"
refused "only SELECT is possible" "SELECT * FROM pragma_database_list"
refused "load_extension() is not possible" "SELECT load_extension('x.so')"
refused "" "SELECT writefile('made', 'x')"
refused "" "SELECT fts3_tokenizer('simple')"
refused "" "SELECT * FROM sqlite_dbpage"
refused "one statement at a time" "SELECT 1; VACUUM INTO 'made.db'"
refused "one statement at a time" "SELECT 1; SELECT 2"
refused "an empty query" ""
refused "an empty query" "-- nothing"
refused "an empty query" ";"
refused "without a schema" "SELECT count(*) FROM main.quick"
refused "without a schema" "SELECT x1 FROM main.quick"

# What reads goes on.
gives 0 "$memsweep" query x.db -f tsv --sql "WITH best AS (SELECT * FROM quick ORDER BY f2 LIMIT 3)
    SELECT count(*) AS n, (SELECT count(*) FROM points_null) AS all_rows FROM best -- all of them"
has "$out" 363
gives 0 "$memsweep" query x.db --sql "SELECT value FROM json_each('[1, 2]');"
gives 0 "$memsweep" query x.db --sql "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
    WHERE i < 9) SELECT sum(i) AS total, row_number() OVER () AS row FROM n"
has "$out" 45

# What a statement defines itself may have the name of a sweep.
sweep other 'x3: 0.5'
gives 0 "$memsweep" run other.yaml -q -o x.db
gives 0 "$memsweep" query x.db -f tsv --sql 'WITH quick AS (SELECT count(*) AS n FROM other) SELECT 100 + n FROM quick'
has "$out" 463
gives 2 "$memsweep" query x.db --sql 'WITH quick AS (SELECT count(*) AS n FROM main.other) SELECT n FROM quick'
has "$err" "without a schema"
gives 2 "$memsweep" query x.db --sql 'WITH quick AS (SELECT count(*) AS n FROM quick) SELECT n FROM quick'
has "$err" "reads 'quick', which is itself: give it another name"

# A recipe is held to the same.
mkdir recipes
printf 'VACUUM INTO '"'made.db'"'\n' >recipes/bad.sql
printf 'plot data\n' >recipes/bad.gp
gives 2 "$memsweep" plot x.db -s quick -F bad --recipes recipes -o figures
has "$err" "only SELECT is possible"
[ ! -e made.db ] || fail "a recipe made a file"
finish

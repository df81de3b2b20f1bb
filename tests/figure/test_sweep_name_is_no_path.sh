#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 043. Does a sweep called like a path stay inside the folder asked for? "../" in the name of
# a sweep in a database wrote figures outside of -o.
source "$(dirname "$0")/../cli/common.sh"
command -v gnuplot >/dev/null && command -v sqlite3 >/dev/null || exit 77
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
for name in '../outside' '/tmp/memsweep-outside' '.hidden' $'a\nb' '%2E' "$(printf 'x%.0s' $(seq 200))"; do
    cp small.db odd.db
    sqlite3 odd.db "SELECT sql FROM sqlite_master WHERE name = 'small'" |
        sed "1s|^CREATE VIEW \"small\"||" >rest.sql
    {
        echo "DROP VIEW small; UPDATE msw_sweep SET name = '$name'; CREATE VIEW \"$name\" "
        cat rest.sql
    } | sqlite3 odd.db
    mkdir -p deep/out
    "$memsweep" plot odd.db -F lines -o deep/out --data >said 2>&1
    code=$?
    case $code in
    0) [ "$(ls -A deep/out | wc -l)" -eq 2 ] || fail "figures of '${name:0:20}': $(ls -A deep/out)" ;;
    2 | 3) ;; # refused
    *) fail "exit code $code: $(cat said)" ;;
    esac
    rm -rf deep
    [ -z "$(find . -name '*outside*')" ] && [ -z "$(find /tmp -maxdepth 1 -name 'memsweep-outside*')" ] ||
        fail "written outside of the folder asked for"
done
finish

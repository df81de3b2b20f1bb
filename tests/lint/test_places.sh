#!/usr/bin/env bash
# Is every outside library used only in its place?
source "$(dirname "$0")/files.sh"

# place WHERE WHAT: only paths that match WHERE may hold a line that matches WHAT.
place() {
    local path
    while read -r path; do
        [[ $path =~ ^($1) ]] || fail "$path: $(grep -nE "$2" "$path" | head -n 1): belongs in $1"
    done < <(files 'src/*.c' 'src/*.h' 'include/*.h' | xargs grep -lE "$2" || true)
}

place 'src/(expr|store)/' '# *include *<sqlite3'
place 'src/run/mpi\.c' '# *include *<mpi\.h'
place 'src/run/pool\.c' '# *include *<omp\.h|# *pragma *omp'
place 'src/sweep/' '# *include *<libfyaml'
place 'src/base/' '# *include *<xxhash'
place 'src/workload/lines\.c' '# *include *<zlib'

# A file's own SQL text is never run: only connections that are locked down, one place that attaches, and
# one reader of the text of views.
place 'src/store/harden\.c|src/expr/host\.c' 'sqlite3_open'
place 'src/store/merge_source\.c' '"ATTACH '
place 'src/store/(view_shape|catalogue|schema|merge_tables)\.c' 'view_sql'
exit $bad

#!/usr/bin/env bash
# Is every outside library used only in its place?
source "$(dirname "$0")/files.sh"

# belongs WHERE WHAT: only paths that match WHERE may hold a line that matches WHAT.
belongs() {
    local path
    while read -r path; do
        [[ $path =~ ^($1) ]] || fail "$path: $(grep -nE "$2" "$path" | head -n 1): belongs in $1"
    done < <(files 'src/*.c' 'src/*.h' 'include/*.h' | xargs grep -lE "$2" || true)
}

belongs 'src/(expr|store)/' '# *include *<sqlite3'
belongs 'src/run/mpi\.c' '# *include *<mpi\.h'
belongs 'src/run/pool\.c' '# *include *<omp\.h|# *pragma *omp'
belongs 'src/sweep/' '# *include *<libfyaml'
belongs 'src/base/' '# *include *<xxhash'
belongs 'src/workload/text/lines\.c' '# *include *<zlib'

# A file's own SQL text is never run: only connections that are locked down, one place that attaches, and
# one reader of the text of views.
belongs 'src/store/sql/harden\.c|src/expr/host\.c' 'sqlite3_open'
belongs 'src/store/merge/source\.c' '"ATTACH '
belongs 'src/store/(catalogue/(view_shape|catalogue|schema)|merge/(tables|catalogue))\.c' 'view_sql'
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
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
belongs 'src/base/yaml.c' '# *include *<libfyaml'
belongs 'src/base/' '# *include *<xxhash'
belongs 'src/(store/inputs|workload/text/lines|report/code)\.c' '# *include *<zlib'

# A file's own SQL text is never run: only connections that are locked down, one place that attaches, and
# one reader of the text of views.
belongs 'src/store/sql/sql\.c|src/expr/host\.c' 'sqlite3_open'
belongs 'src/store/merge/source\.c' '"ATTACH '
belongs 'src/store/(catalogue/(view_shape|catalogue|schema)|merge/(tables|catalogue))\.c' 'view_sql'

# Small arithmetic has one place: the smaller and the larger of two, logarithms, powers of two, set bits,
# division rounded up, alignment.
bits='include/memsweep/base/bits\.h|src/base/math'
belongs "$bits" 'return (\w+) [<>]=? (\w+) \? (\1 : \2|\2 : \1);'
belongs "$bits" '\+ \(?(\w+) - 1\)?\)* / \(?\1\b'
belongs "$bits" '__builtin_(ctz|clz|popcount|ffs)'
belongs "$bits" '\+ \(?(\w+ - 1|7|15|31|63)\)?\)* & ~'
belongs "$bits" '(while \(|&& )\(*(UINT64_C\(1\)|\(uint64_t\)1|1u?) << \w+\)* < \w+\)$'
belongs "$bits" 'while \(\w+ >> \(?\w+( \+ 1)?\)*\)$'
while read -r path; do
    fail "$path: a loop for a power of two or a number of bits: memsweep/base/bits.h has both"
done < <(files 'src/*.c' 'src/*.h' | xargs awk '
    FNR == 1 { name = ""; word = 0 }
    name && $0 ~ "^ +" name " (\\*= 2|<<= 1);" { print FILENAME ":" FNR }
    word && /^ +[a-z_]+\+\+;/ { print FILENAME ":" FNR }
    { name = match($0, /while \([a-z_]+ < [^&|]*$/) ? substr($0, RSTART + 7) : "" }
    { sub(/ .*/, "", name); word = /[a-z_]+ &= [a-z_]+ - 1\)$/ }')
exit $bad

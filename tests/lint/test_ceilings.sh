#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the source stay as small as it is? Prints the lines of every module of src (of mech: of every
# mechanism) and refuses more than ceilings.tsv allows; a raised ceiling says there what pays for it.
source "$(dirname "$0")/files.sh"
table=tests/lint/ceilings.tsv

# measure: "module lines", summed over the source files and headers of src.
measure() {
    files 'src/*.c' 'src/*.h' | xargs awk '
        {
            n = split(FILENAME, part, "/")
            module = part[2] (part[2] == "mech" ? n > 3 ? "/" part[3] : "/registry" : "")
            lines[module]++
            total++
        }
        END {
            for (module in lines) print module, lines[module]
            print "total", total
        }' | sort
}

# judge TABLE: says every module that has more lines than its ceiling, none, or one for no module.
judge() {
    awk -F '\t' '
        FNR == NR { if ($1 !~ /^#/) { ceiling[$1] = $2; pays[$1] = $3 } next }
        { split($0, a, " "); seen[a[1]] = 1 }
        !(a[1] in ceiling) { print a[1] ": no ceiling in the table"; next }
        a[2] > ceiling[a[1]] + 0 {
            print a[1] ": " a[2] " lines, at most " ceiling[a[1]] " are allowed"
        }
        END {
            for (m in ceiling) {
                if (!(m in seen)) print m ": a ceiling for no module"
                if (pays[m] == "") print m ": the table does not say what pays"
            }
        }' "$1" -
}

sizes=$(measure)
while read -r module lines; do
    printf '%-24s %6d\n' "$module" "$lines"
done <<<"$sizes"
while read -r finding; do
    fail "$table: $finding"
done < <(judge "$table" <<<"$sizes")

# Does it find what is planted?
planted=$(printf 'a\t10\tfirst\nb\t10\tfirst\nd\t1\tfirst\nt\t9\t\n')
found=$(judge <(echo "$planted") <<<$'a 10\nb 11\nc 1\nt 9')
[ "$(grep -cE '^(b: 11 lines|c: no ceiling|d: a ceiling for no|t: the table does not)' <<<"$found")" = 4 ] &&
    [ "$(wc -l <<<"$found")" = 4 ] || fail "does not find the planted overrun: $found"
exit $bad

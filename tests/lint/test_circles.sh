#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is there no circle? Folders below src need one another in one direction, and so do files but for
# those listed here. Read from compiled objects: who needs a symbol that another defines.
source "$(dirname "$0")/objects.sh"

# Circles that stay, one a line: the files, sorted, and why. At most five files each.
allowed=""

edges=$(mktemp) names=$(mktemp)
trap 'rm -f "$edges" "$names"' EXIT
program=$objects/../../memsweep.dir/src
for root in "$objects" "$program"; do
    [ ! -d "$root" ] || (cd "$root" && find . -name '*.o' -print0 | xargs -0 -n 100 nm -A) |
        sed -E 's|^\./([^:]*)\.o:|\1 |'
done | while read -r source symbol; do
    [ ! -f "src/$source" ] || echo "$source $symbol"
done >"$names"
[ -s "$names" ] || exit 77
awk 'NF == 4 && $3 ~ /^[TDRBVC]$/ { home[$4] = $1 }
     NF == 3 && $2 == "U" { user[++n] = $1; needs[n] = $3 }
     END { for (i = 1; i <= n; i++) if (needs[i] in home) print user[i], home[needs[i]] }' \
    "$names" | sort -u >"$edges"
[ "$(wc -l <"$edges")" -gt 500 ] || fail "only $(wc -l <"$edges") uses found: where are the objects?"

# A mechanism is one folder: its record names the functions of its own folders, which read the
# tables beside it.
while read -r circle; do
    fail "circle of folders: $circle"
done < <(sed -E 's|/[^/ ]+ | |; s|/[^/]+$||; s#(mech/[a-z_]+)/[a-z0-9_]+#\1#g' "$edges" |
    awk -f tests/lint/circles.awk)

while read -r circle; do
    circle=$(tr ' ' '\n' <<<"$circle" | sort | tr '\n' ' ')
    circle=${circle% }
    [ "$(wc -w <<<"$circle")" -le 5 ] || fail "circle of more than five files: $circle"
    grep -qE "^$circle: .+" <<<"$allowed" || fail "circle of files without a reason: $circle"
done < <(awk -f tests/lint/circles.awk "$edges")
while IFS=: read -r circle reason; do
    [ -z "$circle" ] || tr ' ' '\n' <<<"$circle" | while read -r path; do
        [ -f "src/$path" ] || { echo "listed circle of a file that is gone: $path"; exit 1; }
    done || bad=1
done <<<"$allowed"
exit $bad

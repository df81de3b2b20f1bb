#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does every record list the parts of sim that its models use? Read from the objects of closed/ (closed
# form) and machine/ (cycle model), and of the parts that these use in turn: a part that is used and
# not listed would change answers without changing keys. What lies at the top of a mechanism's folder
# (costs, streams) serves both and is looked at by hand.
. "$MEMSWEEP_SOURCE/tests/lint/objects.sh"
failed=0

# part OBJECT: the part that an object of src/sim belongs to.
part() {
    case $1 in
    sim/translation/pagetable) echo pagetable ;;
    sim/translation/*) echo translation ;;
    sim/cache/reuse) echo reuse ;;
    sim/cache/*) echo cache ;;
    sim/dram/analytic) echo dram_analytic ;;
    sim/dram/config) echo dram_map ;;
    sim/dram/line*) echo dram_lines ;;
    sim/dram/*) echo dram ;;
    sim/learn/*) echo learn ;;
    sim/cost | sim/event | sim/link | sim/part) basename "$1" ;;
    *) echo "unknown:$1" ;;
    esac
}

# symbols FOLDER OPTION...: "object symbol" of what nm tells about a folder.
symbols() {
    all_objects "$1" | xargs nm -A "${@:2}" |
        sed -nE "s|^$objects/||; s|\.c\.o:[0-9a-f ]* ([A-Za-z]) ([A-Za-z0-9_]+)\$| \2|p"
}

# used FOLDER: the objects of sim that its objects reach.
used() {
    awk -v folder="$1/" '
        FILENAME ~ /defined$/ {home[$2] = $1; next}
        {count++; from[count] = $1; what[count] = $2}
        END {
            for (grown = 1; grown;) {
                grown = 0
                for (i = 1; i <= count; i++)
                    if ((index(from[i], folder) == 1 || from[i] in reached) && what[i] in home &&
                        !(home[what[i]] in reached)) {
                        reached[home[what[i]]] = 1
                        grown = 1
                    }
            }
            for (object in reached) print object
        }' "$work/defined" "$work/wanted"
}

# listed RECORD LIST: the parts in one of its lists, and in those of configs that use more of them
# (LIST_...: in keys by `revision`).
listed() {
    awk -v list="$2[A-Z_]*\\\\[" '$0 ~ list {on = 1} on {print} on && /;/ {on = 0}' "$1" |
        grep -o 'msw_part_[a-z_]*' | sed 's/msw_part_//'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
symbols sim -g --defined-only >"$work/defined"
{ symbols sim -u && symbols mech -u; } >"$work/wanted"
[ -s "$work/defined" ] && [ -s "$work/wanted" ] || { echo "no objects to read" && exit 1; }

seen=0
for record in "$MEMSWEEP_SOURCE"/src/mech/*/record.c; do
    mech=$(basename "$(dirname "$record")")
    for side in closed machine; do
        for name in $(used "mech/$mech/$side" | while IFS= read -r o; do part "$o"; done | sort -u); do
            seen=$((seen + 1))
            listed "$record" "PARTS_${side^^}" | grep -qx "$name" && continue
            echo "src/mech/$mech/record.c: $side/ uses the part $name, PARTS_${side^^} does not list it"
            failed=1
        done
    done
done
[ $seen -gt 10 ] || { echo "found $seen uses of parts only" && failed=1; }

# What models do not reach is named in its header, in a paragraph "No model calls".
outside=$(sed -n '/No model calls/,/\*\//p' "$MEMSWEEP_SOURCE"/{include/memsweep/sim,src/sim/*}/*.h | grep -oE '(msw|learn)_[a-z_]+')
{ symbols . -u | awk '{print $2}' | sort -u; } >"$work/anywhere"
while read -r object symbol; do
    case $symbol in msw_part_* | msw_parts) continue ;; esac
    grep -qx "$symbol" "$work/anywhere" && continue
    grep -qx "$symbol" <<<"$outside" && continue
    echo "src/$object.c: no model calls $symbol, and its header does not say so"
    failed=1
done <"$work/defined"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Has the source as many rooms as it needs, and are they on the map? At most 30 files in a folder and
# 30 fields in a struct but for those listed here; docs/architecture.md names every folder of src and
# every step of a plan; numbers that docs/adding-a-mechanism.md takes from a test are those of it.
source "$(dirname "$0")/files.sh"
map=docs/architecture.md

# Folders of more than 30 files, and why.
folders() {
    cat <<'END'
src/sweep: a file is a step of a plan
END
}

# Structs of more than 30 fields, and why: a table of parameters, metrics or a record is as long as
# what it describes.
structs() {
    cat <<'END'
msw_mech: the record of a mechanism
msw_plan: a sweep file, resolved
msw_frontend: the record of a front end
msw_cost: a table of costs
msw_npu_row: a row of an operator table, by its columns
neummu_config: parameters
htmmu_config: parameters
camdn_config: parameters
mpu_config: parameters
uvm_config: parameters
uvm_learner: parameters
msw_calibration: goes as a whole
END
}

while read -r count folder; do
    [ "$count" -le 30 ] || grep -qE "^$folder: ." <<<"$(folders)" ||
        fail "$folder: $count files, at most 30 are allowed"
done < <(files 'src/*.c' 'src/*.h' | sed 's|/[^/]*$||' | sort | uniq -c)

# fields FILE...: "count name path" of every struct; a line with commas declares several.
fields() {
    awk '
        FNR == 1 { inside = 0 }
        /^typedef struct( [a-z_0-9]+)? \{$|^struct [a-z_0-9]+ \{$/ {
            inside = 1; count = depth = 0
            name = /^typedef/ ? "" : $2
            next
        }
        inside && /^\}/ {
            sub(/^\} ?/, ""); sub(/;.*/, "")
            print count, $0 == "" ? name : $0, FILENAME
            inside = 0
            next
        }
        inside {
            line = $0
            gsub(/\/\*.*\*\//, "", line); sub(/\/\*.*/, "", line)
            if (comment) { if (line !~ /\*\//) next; comment = 0; next }
            if ($0 ~ /\/\*/ && $0 !~ /\*\//) comment = 1
            if (line ~ /\{$/) depth++
            if (line ~ /^ *\}/) depth--
            while (line ~ /\([^()]*\)/) sub(/\([^()]*\)/, "", line)
            gsub(/\[[^]]*\]/, "", line)
            if (!depth && line ~ /[a-z0-9_]/) count += gsub(/,/, ",", line) + (line ~ /;/)
        }' "$@"
}
mapfile -t sources < <(files 'src/*.c' 'src/*.h' 'include/*.h')
while read -r count name path; do
    [ "$count" -le 30 ] || grep -qE "^$name: ." <<<"$(structs)" ||
        fail "$path: struct $name has $count fields, at most 30 are allowed"
done < <(fields "${sources[@]}")

listed=$(fields "${sources[@]}" | awk '$1 > 30 { print $2 }')
while IFS=: read -r name why; do
    grep -qx "$name" <<<"$listed" || fail "$name: no struct of more than 30 fields: take it from the list"
done < <(structs)

while read -r folder; do
    grep -qE "\`(.*/)?${folder##*/}/?\`" "$map" || fail "$map does not name $folder"
done < <(files 'src/*.c' | sed 's|/[^/]*$||' | sort -u)

steps=$(sed -n '/STEPS\[\]/,/};/p' src/sweep/plan.c | grep -oE 'msw_step_[a-z]+' | sed 's/msw_step_//')
[ "$(wc -l <<<"$steps")" -gt 10 ] || fail "src/sweep/plan.c: no list of steps found"
told=$(tr '\n' ' ' <"$map" | grep -oE 'a sweep is understood:[^.]*\.' | grep -oE '`[a-z]+`' | tr -d '`')
[ "$steps" = "$told" ] || fail "$map: the steps of a plan are not those of src/sweep/plan.c:
$(diff <(echo "$told") <(echo "$steps") || true)"

# "10 configs (`CONFIGS` in `tests/x.c`)": a name without a file is of the file named before it.
file=
while read -r number name path; do
    [ -z "$path" ] || file=$path
    real=$(grep -oE "\b$name = [0-9]+" "$file" | sed 's/.* //')
    [ "$number" = "$real" ] || fail "docs/adding-a-mechanism.md: $number, $name in $file is ${real:-not there}"
done < <(tr '\n' ' ' <docs/adding-a-mechanism.md | sed 's/  */ /g' |
    grep -oE '[0-9]+( [a-z]+)* \(`[A-Z_]+`( in `[a-z_/]+\.c`)?\)' |
    sed -E 's/^([0-9]+)[a-z ]*\(`([A-Z_]+)`( in `([^`]*)`)?\)/\1 \2 \4/')
[ -n "$file" ] || fail "docs/adding-a-mechanism.md: no number of a test found"

# Does it find what is planted?
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
{
    echo 'typedef struct planted {'
    for i in 1 2 3 4 5 6 7 8; do echo "    int64_t a$i, b$i, c$i; /* three */"; done
    for i in 1 2 3 4 5 6 7; do echo "    int (*f$i)(void *, int, int);"; done
    echo '} planted;'
} >"$planted"
[ "$(fields "$planted" | cut -d' ' -f1,2)" = "31 planted" ] || {
    fields "$planted"
    fail "does not count the 31 fields of the planted struct"
}
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is a failure passed on in the one way of CONTRIBUTING.md (Failing): no chain of calls that ends in
# "? -1 : 0", and no label but `done`? --count says how many each module has,
# with those that are allowed.
source "$(dirname "$0")/files.sh"
source tests/lint/modules.sh

# What stays as it is: a path or a part of one at its beginning, and why.
allowed() {
    cat <<'END'
src/reproduce/calibrate/: goes as a whole
END
}

# findings FILE...: "path:line: what", with statements that span lines joined.
findings() {
    awk '
        FNR == 1 { all = "" }
        /^ *(\/\*|\*)/ { next }
        /^[a-z_]+:$/ && $1 != "done:" && $1 != "default:" { print FILENAME ":" FNR ": the label " $1 }
        {
            all = all " " $0
            if (/[;{}]( *\/\*.*)?$/) {
                if (all ~ /(\|\||&&)[^;]*\? -1 *: 0;/ && all ~ /[a-z_0-9]\([^;]*\?/) {
                    gsub(/ +/, " ", all)
                    print FILENAME ":" FNR ":" all
                }
                all = ""
            }
        }' "$@"
}

mapfile -t sources < <(files 'src/*.c' 'src/*.h' 'include/*.h')
all=$(mktemp)
planted=$(mktemp)
trap 'rm -f "$all" "$planted"' EXIT
findings "${sources[@]}" >"$all"
if [ "${1:-}" = --count ]; then
    for module in $order; do
        printf '%-10s %d\n' "$module" "$(grep -c "^src/$module/" "$all")"
    done
    exit 0
fi
while IFS=: read -r path why; do
    [ -n "$why" ] || fail "$path: no reason"
    grep -q "^$path" "$all" || fail "$path: nothing is found there: take it from the list"
    grep -v "^$path" "$all" >"$planted" || true
    cp "$planted" "$all"
done < <(allowed)
while IFS= read -r hit; do
    fail "${hit:0:200}: pass it on by MSW_TRY, or by the label done"
done <"$all"

# Does it find what is planted, and only that?
cat >"$planted" <<'END'
    return open_file(p, err) || read_rows(p, err) ? -1 : 0;
    int rc = open_file(p, err) ||
                     read_rows(p, err)
                 ? -1
                 : 0;
    return rc || close_file(p) ? -1 : 0;
    if (p->rows)
        return open_file(p, err) && read_rows(p, err) ? -1 : 0;
fail:
done:
    return failed ? -1 : 0;
    return order ? order : (x > y) - (x < y);
    MSW_TRY(open_file(p, err));
END
found=$(findings "$planted" | wc -l)
[ "$found" -eq 5 ] || {
    findings "$planted"
    fail "found $found of 5 planted examples"
}
exit $bad

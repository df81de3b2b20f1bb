#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are arrays that grow, bisections, hash tables and sorts those of base (vec, search, map, sort)?
# Looks for functions that grow an array, realloc, qsort, bsearch, loops that halve a range, loops
# that probe slots, comparisons of single plain values. --count says how many each module has,
# with those that are allowed.
source "$(dirname "$0")/files.sh"
source tests/lint/modules.sh

# What stays as it is: a path or a part of one at its beginning, and why.
allowed() {
    cat <<'END'
src/base/: the toolbox itself
src/sim/cache/assoc.c: entries are removed
src/sim/cache/reuse.c: a slot also holds the last use, which moves with it
src/mech/camdn/plan/levels.c: what is searched for need not rise with its number
src/run/remote.c: kept artifacts have a change of their own
src/explore/calibrate/: goes as a whole
src/reproduce/calibrate/: goes as a whole
END
}

# findings FILE...: "path:line: what".
findings() {
    awk '
        function found(what) { print FILENAME ":" FNR ": " what }
        FNR == 1 { loop = comparison = 0 }
        /^ *(\/\*|\*)/ { next }
        /^[a-z].*[ *](grow|make_room|reserve)(_[a-z_]+)?\([^;]*$/ { found("a function that grows an array") }
        /[^a-z_](realloc|qsort|bsearch)\(/ {
            match($0, /(realloc|qsort|bsearch)\(/)
            found(substr($0, RSTART, RLENGTH - 1))
        }
        /(while|for) \(/ { loop = FNR }
        /[a-z_]+ = ([a-z_]+ \+ \([a-z_]+ - [a-z_]+( \+ 1)?\)|\([a-z_]+ \+ [a-z_]+( \+ 1)?\)) \/ 2;/ {
            if (loop && FNR - loop <= 2 && !/double/)
                found("a bisection")
        }
        match($0, /[a-z_]+ = \([a-z_]+ \+ 1\) [&%] /) {
            split(substr($0, RSTART, RLENGTH), word, / = \(| \+ /)
            if (word[1] == word[2] && loop && FNR - loop <= 2)
                found("a loop that probes slots")
        }
        /^static .*\(const void \*[a-z_]+, const void \*[a-z_]+\)$/ {
            comparison = FNR
            plain = 1
            casts = 0
        }
        comparison && FNR > comparison {
            if (/\((char \*const|const (double|size_t|u?int[0-9]+_t|char \*const)) \*\)|const (double|size_t|u?int[0-9]+_t) \*[a-z]+ = /)
                casts = 1
            if (/->|if \(|\[|context|\?.*:.*:/)
                plain = 0
            if (/^}/) {
                if (plain && casts)
                    print FILENAME ":" comparison ": a comparison of plain values"
                comparison = 0
            }
        }' "$@"
}

mapfile -t sources < <(files 'src/*.c' 'src/*.h')
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
# Both ways: what is found stands in the list, and what stands in the list is found.
while IFS=: read -r path why; do
    [ -n "$why" ] || fail "$path: no reason"
    grep -q "^$path" "$all" || fail "$path: nothing is found there: take it from the list"
    grep -v "^$path" "$all" >"$planted" || true
    cp "$planted" "$all"
done < <(allowed)
while IFS= read -r hit; do
    fail "$hit: base has it (vec.h, search.h, map.h, sort.h)"
done <"$all"

# Does it find what is planted, and only that?
cat >"$planted" <<'END'
static int grow(parts *p)
static bool make_room(parts *p, size_t more)
    double *list = realloc(p->list, room);
    qsort(list, count, sizeof *list, compare);
    const size_t *at = bsearch(&key, list, count, sizeof key, compare);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
    while (low < high) {
        uint32_t m = (low + high + 1) / 2;
    while (slots[at] && slots[at] != key)
        at = (at + 1) & mask;
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static int by_gain(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return msw_compare_f64(x->gain, y->gain);
}
    rc = msw_vec_reserve(&list, &room, count, sizeof *list, err);
    double middle = low + (high - low) / 2;
END
found=$(findings "$planted" | wc -l)
[ "$found" -eq 10 ] || {
    findings "$planted"
    fail "found $found of 10 planted examples"
}
exit $bad

# SPDX-License-Identifier: MIT
# What the tests of this folder share: `golden MECHANISM` runs the mechanism's sweeps at every
# fidelity, opens, resumes and merges its database, and compares what comes out with digests.txt.
# With MEMSWEEP_UPDATE=1 it rewrites the mechanism's lines there instead.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C
golden=$MEMSWEEP_SOURCE/tests/golden
digests=$golden/digests.txt
found=$work/found
: >"$found"

# note SWEEP FIDELITY WHAT VALUE...: one line to compare.
note() {
    printf '%s %s\n' "$mechanism" "$*" >>"$found"
}

# said SWEEP_FILE WORD: what stands behind a word at the start of a line.
said() {
    sed -nE "s/^$2: *(.*)/\1/p" "$1"
}

# asked FILE SELECT: rows without their heading.
asked() {
    "$memsweep" query "$1" --sql "$2" -f tsv | tail -n +2
}

# view FILE DIGEST: a name of a sweep that no other sweep takes over.
view() {
    asked "$1" "SELECT name || '@' || substr(digest, 1, 8) AS view FROM msw_sweep WHERE digest = '$2'"
}

rows_of() {
    "$memsweep" digest "$1" -s "$(view "$1" "$2")" 2>&1 | tr -s ' '
}

hash_of() {
    sha256sum | cut -c 1-64
}

# compute SWEEP_FILE FIDELITY DATABASE THREADS: points may fail on purpose, all else may not.
compute() {
    "$memsweep" run "$1" --fidelity "$2" -o "$3" --threads "$4" -q >/dev/null 2>log
    [ $? -le 1 ] || fail "run $(basename "$1") --fidelity $2: $(cat log)"
}

plan_of() {
    "$memsweep" check "$1" --fidelity "$2" 2>&1 | grep -oE '[0-9a-f]{32}$'
}

# outputs SWEEP_FILE FIDELITY DATABASE VIEW PREFIX: the bytes of every command that the file names;
# of a sweep that is not complete some refuse, which is an answer, too.
outputs() {
    local line name number=0 args code
    while IFS= read -r line; do
        number=$((number + 1))
        eval "args=(${line//%view/$4})"
        name=$5$number-${args[0]}
        case " $line " in
        *' --sql '*) ;;
        *) args+=(-s "$4") ;;
        esac
        "$memsweep" "${args[0]}" "$3" "${args[@]:1}" >printed 2>log </dev/null
        code=$?
        [ $code -eq 0 ] && code=$(hash_of <printed) || code=exit-code-$code
        note "$(said "$1" sweep)" "$2" "$name" "$code"
    done < <(said "$1" '# output')
}

# fresh SWEEP_FILE: computes a sweep at every fidelity into one file, and notes all that it gives.
fresh() {
    local name fidelity plan view
    name=$(said "$1" sweep)
    for fidelity in analytic sampled full; do
        plan=$(plan_of "$1" $fidelity)
        compute "$1" $fidelity "$name.db" 1
        note "$name" $fidelity plan "$plan"
        note "$name" $fidelity rows "$(rows_of "$name.db" "$plan")"
        outputs "$1" $fidelity "$name.db" "$(view "$name.db" "$plan")" ''
    done
}

# stored NAME SWEEP_FILE: what the database holds as it is, which no version may read otherwise.
stored() {
    local plan fidelity view
    while IFS=$'\t' read -r plan fidelity; do
        view=$(view kept.db "$plan")
        note "$1" "$fidelity" stored-plan "$plan"
        note "$1" "$fidelity" stored-rows "$(rows_of kept.db "$plan")"
        note "$1" "$fidelity" stored-state \
            "$("$memsweep" status kept.db -f tsv | awk -F '\t' -v f="$fidelity" '$3 == f {print $4, $5, $6}')"
        outputs "$2" "$fidelity" kept.db "$view" stored-
    done < <(asked kept.db 'SELECT digest, fidelity FROM msw_sweep ORDER BY id')
}

# resumed NAME SWEEP_FILE: how many rows a run adds to the database, and what it holds then.
resumed() {
    local fidelity plan before after count="SELECT count(*) AS n FROM points_$mechanism"
    cp kept.db resumed.db
    for fidelity in analytic sampled full; do
        plan=$(plan_of "$2" $fidelity)
        before=$(asked resumed.db "$count")
        compute "$2" $fidelity resumed.db 2
        after=$(asked resumed.db "$count")
        note "$1" $fidelity resumed-new $((after - before))
        same "$(rows_of resumed.db "$plan")" "$(rows_of "$1.db" "$plan")" \
            "$1 $fidelity: a database resumed and one computed at once"
    done
}

# merged NAME INTO WHAT: every sweep of the database is found again in the file it was added to.
merged() {
    local plan fidelity
    cp kept.db from.db
    "$memsweep" merge -q "$2" from.db 2>log || fail "merge into $3: $(cat log)"
    while IFS=$'\t' read -r plan fidelity; do
        note "$1" "$fidelity" "merged-$3" "$(rows_of "$2" "$plan")"
    done < <(asked kept.db 'SELECT digest, fidelity FROM msw_sweep ORDER BY id')
}

compare() {
    local key value sweep fidelity what
    declare -A wanted=()
    while read -r _ sweep fidelity what value; do
        wanted["$sweep $fidelity $what"]=$value
    done < <(grep "^$mechanism " "$digests")
    while read -r _ sweep fidelity what value; do
        key="$sweep $fidelity $what"
        [ "${wanted[$key]-}" = "$value" ] ||
            fail "sweep $sweep, fidelity $fidelity, $what: expected ${wanted[$key]-nothing}, found $value"
        unset "wanted[$key]"
    done <"$found"
    for key in "${!wanted[@]}"; do
        fail "$key: expected ${wanted[$key]}, found nothing"
    done
    echo "$(wc -l <"$found") lines of $mechanism"
}

# Lines of `stored` stand for a file that does not change; they are written once.
update() {
    [ $bad -eq 0 ] || return
    (
        flock 9
        grep "^$mechanism .* stored-" "$digests" >old
        grep ' stored-' "$found" >new
        [ ! -s old ] || diff old new || exit 1
        { grep -v "^$mechanism " "$digests"; cat "$found"; } >all
        { grep '^#' all; grep -v '^#' all | sort -s -k 1,1; } >"$digests"
    ) 9<"$golden" || fail "what the database holds is read otherwise than before"
}

# older: the database that an older version wrote.
older() {
    local store
    store=$(grep -l "^mechanism: $mechanism\$" "$golden"/sweeps/*-store.yaml)
    cp "$golden/databases/$mechanism.db" kept.db
    set -- "$(said "$store" sweep)"
    stored "$1" "$store"
    resumed "$1" "$store"
    merged "$1" none.db none
    : >empty.db
    merged "$1" empty.db empty
    merged "$1" "$1.db" fresh
}

golden() {
    mechanism=$1
    local file
    for file in $(grep -l "^mechanism: $mechanism\$" "$golden"/sweeps/*.yaml); do
        fresh "$file"
    done
    [ ! -f "$golden/databases/$mechanism.db" ] || older
    if [ -n "${MEMSWEEP_UPDATE:-}" ]; then
        update
    else
        compare
    fi
    finish
}

# SPDX-License-Identifier: MIT
# What the scripts of this folder share: a folder of their own, the program, and checks that say
# what they wanted. Source it; end with `finish`.
set -u
memsweep=${MEMSWEEP_BUILD:?}/memsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset MEMSWEEP_RESULTS MEMSWEEP_DATA OMP_NUM_THREADS
bad=0

fail() {
    printf 'FAILED: %s\n' "$*"
    bad=1
}

# gives CODE COMMAND...: runs it; leaves what it printed in $out and $err.
gives() {
    local wanted=$1 got
    shift
    "$@" >out 2>err </dev/null
    got=$?
    out=$(cat out)
    err=$(cat err)
    [ $got -eq "$wanted" ] || fail "exit code $got, wanted $wanted: $* (${err:0:300})"
}

# has TEXT WANTED: whether a text contains another.
has() {
    case $1 in
    *"$2"*) ;;
    *) fail "wanted '$2' in '${1:0:400}'" ;;
    esac
}

lacks() {
    case $1 in
    *"$2"*) fail "did not want '$2' in '${1:0:400}'" ;;
    esac
}

# same A B WHAT
same() {
    [ "$1" = "$2" ] || fail "$3: '$1' and '$2' differ"
}

# caught PID: waits until the program runs there and catches Ctrl-C (bit 1 of the mask). A shell that
# has not become the program yet catches it too, so the name decides as well.
caught() {
    catches "$1" || fail "process $1 never caught Ctrl-C"
}

# catches PID: the same for a process that may be over before anybody looks: then it does not.
catches() {
    local i name mask
    for ((i = 0; i < 400; i++)); do
        [ -r "/proc/$1/status" ] || break
        # Its name first: before it has one the signals are those of the shell it is made from.
        name=$(cat "/proc/$1/comm" 2>/dev/null)
        mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$1/status" 2>/dev/null)
        [ "$name" != memsweep ] || [ $((0x${mask:-0} & 2)) -eq 0 ] || return 0
        sleep 0.05
    done
    return 1
}

# appears FILE: waits until a file is there and not empty.
appears() {
    local i
    for ((i = 0; i < 400; i++)); do
        [ ! -s "$1" ] || return 0
        sleep 0.05
    done
    fail "$1 never came"
}

# sweep NAME FIX...: writes NAME.yaml, 11 x 11 x 3 points of a known front.
sweep() {
    local name=$1
    shift
    {
        printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n' "$name"
        printf 'vary:\n  x1: {from: 0, to: 1, count: 11}\n  x2: {from: 0, to: 1, count: 11}\n'
        printf '  gain: [1, 2, 3]\nobjectives: {minimize: [f1, f2]}\nfix:\n  function: zdt1\n'
        printf '  %s\n' "$@"
    } >"$name.yaml"
}

# slow_sweep NAME: writes NAME.yaml, 2,001 points of no cost and then 299 of a second each.
slow_sweep() {
    printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small]\nfidelity: full\n' "$1" >"$1.yaml"
    printf 'vary:\n  x1: {from: 0, to: 1, count: 2300}\nfix:\n  cost_kind: sleep\n' >>"$1.yaml"
    printf '  cost: "iif(x1 >= 0.8699, 1e9, 0)"\n' >>"$1.yaml"
}

# until_rows FILE CONDITION COUNT: waits until so many rows of points_null are committed.
until_rows() {
    local i
    for ((i = 0; i < 300; i++)); do
        "$memsweep" query "$1" -f tsv --sql \
            "SELECT count(*) >= $3 FROM points_null WHERE $2" 2>/dev/null | grep -qx 1 && return
        sleep 0.05
    done
    return 1
}

finish() {
    [ $bad -eq 0 ] && echo "all as wanted"
    exit $bad
}

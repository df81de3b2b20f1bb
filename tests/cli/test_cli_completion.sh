#!/usr/bin/env bash
# Does bash complete commands, options, choices, names and files?
source "$(dirname "$0")/common.sh"
"$memsweep" completion bash >script
source ./script || fail "the script has errors"
sweep quick 'x3: 0'
mkdir results sweeps
: >results/quick.db

# offers WANTED WORD...: completes the last word.
offers() {
    local wanted=$1
    shift
    COMP_WORDS=(memsweep "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _memsweep 2>/dev/null
    case " ${COMPREPLY[*]} " in
    *" $wanted "*) ;;
    *) fail "completing '$*' offers '${COMPREPLY[*]}', wanted '$wanted'" ;;
    esac
}

complete -p memsweep >/dev/null || fail "nothing is registered"
offers run ru
offers query ""
offers --threads run --thr
offers --help run --h
offers analytic run quick.yaml --fidelity a
offers json query x.db -f j
offers quick.yaml run qui
offers sweeps/ run sw
offers results/quick.db query results/
offers results/quick.db run quick.yaml -o results/
offers synth/even describe synth/e
offers sobol describe sob
offers bash completion b
offers pareto help par
offers workloads list w
finish

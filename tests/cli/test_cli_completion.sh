#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do bash and zsh complete commands, options, choices, names, files, what tables hold and what a
# mechanism can be set to? Is nothing that a file holds run?
source "$(dirname "$0")/common.sh"
export PATH=$MEMSWEEP_BUILD:$PATH MEMSWEEP_DATA=$MEMSWEEP_SOURCE
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
    local word
    for word in "${COMPREPLY[@]}"; do
        [ "$word" != "$wanted" ] || return 0
    done
    fail "completing '$*' offers '${COMPREPLY[*]}', wanted '$wanted'"
}

complete -p memsweep >/dev/null || fail "nothing is registered"
offers run ru
offers neummu.ptw_count describe neummu.ptw_c
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
offers zsh completion z

# Names of tables, whatever a database holds; lists go on behind a comma.
gives 0 "$memsweep" run quick.yaml -q -o results/real.db
offers real query re
offers gain query real -s other -c ga
offers x1,gain query real -s other -c x1,ga
offers slowdown sensitivity real -s other --metric slowd
offers quickstart run quicks

# A question: presets, parameters, their choices, workloads behind a comma, tables.
offers neummu eval neu
offers oracle eval neummu --preset or
offers ptw_count= eval neummu ptw_c
offers shared eval neummu path_cache = sh # bash cuts words at '='
offers none eval neummu path_cache =
offers layers eval neummu --details la
offers synth/even,synth/small eval null -w synth/even,synth/sm
offers json query x.db --format = js

# Names with blanks and quotes are words as they are, and what a file holds is never run.
: >"results/a b'c.db"
: >'results/$(touch INJECTED)`touch INJECTED`.db'
offers "a b'c" query "a b"
offers '$(touch INJECTED)`touch INJECTED`' query '$'
[ -z "$(find . -name INJECTED)" ] || fail "a name was run"

# zsh calls the same, with words of its own.
"$memsweep" completion zsh >_memsweep
if command -v zsh >/dev/null; then
    zsh -f -c 'module_path+=(); compdef() { :; }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@"; }
        _files() { :; }; source ./_memsweep
        words=(memsweep query real -s other -c x1,ga) CURRENT=7; _memsweep
        words=(memsweep eval neummu path_cache=sh) CURRENT=4; _memsweep' >zsh.out || fail "zsh"
    has "$(cat zsh.out)" "x1,gain"
    has "$(cat zsh.out)" "path_cache=shared"
fi
offers pareto help par
offers workloads list w
finish

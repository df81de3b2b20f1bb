#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a misspelt word get exit code 2 and the nearest right one?
source "$(dirname "$0")/common.sh"
sweep quick 'x3: 0'

wrong() { # wrong WANTED WORD...
    local wanted=$1
    shift
    gives 2 "$memsweep" "$@"
    has "$err" "$wanted"
    has "$err" "memsweep: "
    [ -z "$out" ] || fail "an error on standard output: $* -> $out"
}

wrong "did you mean 'query'?" qurey
wrong "did you mean 'run'?" help rnu
wrong "did you mean '--threads'?" run quick.yaml --thread 2
wrong "--threads needs a value" run quick.yaml --threads
wrong "a whole number from 0 to" run quick.yaml --threads two
wrong "a whole number from 0 to" run quick.yaml --threads -1
wrong "a time such as 10s" run quick.yaml --point-timeout soon
wrong "--quiet takes no value" run quick.yaml --quiet=yes
wrong "no option '-z'" run quick.yaml -z
wrong "one word too many" run quick.yaml other.yaml
wrong "<sweep> is missing" run
wrong "did you mean 'analytic'?" run quick.yaml --fidelity analitic
wrong "did you mean 'json'?" list --format jsn
wrong "did you mean 'workloads'?" list workload
wrong "nothing is called 'zzz*'" list workloads 'zzz*'
wrong "did you mean 'feasible_sum'?" describe feasable_sum

# Examples, which are there to be copied, are shown when asked for; sweeps may name them.
gives 0 "$memsweep" list mechanisms
has "$out" null_forward
lacks "$out" template
gives 0 "$memsweep" list mechanisms --all
has "$out" template
wrong "nothing is called 'template'" describe template
gives 0 "$memsweep" describe template --all
has "$out" "mechanism template"

wrong "did you mean 'synth/even'?" describe synth/evn
wrong "allowed are bash" completion fish
wrong "did you mean '--minimize'?" pareto quick --minimise f1

gives 2 "$memsweep" check missing.yaml
has "$err" "missing.yaml"
sed -i 's/x1:/x1x:/' quick.yaml
gives 2 "$memsweep" check quick.yaml
has "$err" "quick.yaml:6:3: "
sed -i 's/x1x:/x1:/' quick.yaml

# Values attached or apart, short or long, in any place; '--' ends options.
gives 0 "$memsweep" run -qt1 -o a.db quick.yaml
gives 0 "$memsweep" run --threads=1 quick.yaml --output=a.db -q
gives 0 "$memsweep" run -q -o a.db -- quick.yaml
[ -z "$out$err" ] || fail "--quiet prints: $out$err"
wrong "did you mean" query a.db --filter 'gian > 1'
wrong "did you mean" query a.db --filter '"gian" > 1'
wrong "did you mean" pareto a.db --minimize f1,f22
wrong "no sweep 'quik'" query a.db --sweep quik
finish

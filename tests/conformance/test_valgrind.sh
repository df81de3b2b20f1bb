#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does one small sweep of every mechanism, at every fidelity, run under valgrind without an invalid
# access, a use of what was never set, or a leak? Minutes: with MEMSWEEP_FULL only.
source "$MEMSWEEP_SOURCE/tests/cli/common.sh"
[ -n "${MEMSWEEP_FULL:-}" ] || {
    echo "skipped: only with MEMSWEEP_FULL"
    exit 77
}
command -v valgrind >/dev/null || {
    echo "skipped: no valgrind"
    exit 77
}
# What the sanitizers were built into cannot run under valgrind, too.
if grep -qE 'MEMSWEEP_SANITIZE:[A-Z]*=.' "$MEMSWEEP_BUILD/CMakeCache.txt"; then
    echo "skipped: built with sanitizers"
    exit 77
fi
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# Mechanism, workload, what makes it small. A mechanism that is not here fails the test.
models='null|synth/small|gain: 2
null_forward|synth/small|gain: 2
neummu|ncf/b1|ptw_count: 8
neummu_sparse|karate|sparse_batches: 1
htmmu|karate|sparse_batches: 1
camdn|mix/small|tasks: 1
mpu|axpy/n=1Ki|row_buffers: 1
uvm|uvm/streamtriad/n=4Ki|sms: 2
uvm_predictor|uvm/streamtriad/n=4Ki|sms: 2'

# checked FIDELITY MODEL: exit code 9 is valgrind's own; 1 is that of points that failed.
checked() {
    local mechanism workload fix
    IFS='|' read -r mechanism workload fix <<<"$2"
    printf 'sweep: small-%s\nmechanism: %s\nworkloads: ["%s"]\nsampling: {target: 20%%, pilot: 4}\nfix: {%s}\n' \
        "$mechanism" "$mechanism" "$workload" "$fix" >"$mechanism.yaml"
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
        "$memsweep" run "$mechanism.yaml" --fidelity "$1" -t 1 -q -o "$mechanism-$1.db" >out 2>err
    [ $? -le 1 ] || fail "$mechanism at $1: $(head -c 2000 err)"
}

while read -r mechanism; do
    [[ $'\n'$models == *$'\n'"$mechanism|"* ]] || fail "mechanism $mechanism is not looked at"
done < <("$memsweep" list mechanisms | awk '$1 == "mechanism" { print $2 }')
while read -r model; do
    for fidelity in analytic sampled full; do
        checked $fidelity "$model"
    done
done <<<"$models"
for command in 'digest null-full.db' 'verify null-full.db' 'merge all.db null-full.db null-analytic.db'; do
    # shellcheck disable=SC2086 # a list of words
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$memsweep" \
        $command >out 2>err || fail "$command: $(head -c 2000 err)"
done
finish

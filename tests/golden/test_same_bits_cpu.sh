#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a CPU without AVX2 and fused multiply-add give the same rows and the same figures? The C library takes
# other ways through its functions then; ours must not notice. Every sweep of this folder, at every fidelity.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE LC_ALL=C
# Names before glibc 2.33 end in _Usable; a name that is not known is passed over.
plain=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX512F_Usable

[ "$(uname -m)" = x86_64 ] || {
    echo "skipped: $(uname -m) has no such switch"
    exit 77
}

# digest_of SWEEP_FILE FIDELITY DATABASE: points may fail on purpose, all else may not.
digest_of() {
    rm -f "$3"*
    "$memsweep" run "$1" --fidelity "$2" -o "$3" --threads 2 -q >/dev/null 2>log
    [ $? -le 1 ] || fail "run $(basename "$1") --fidelity $2: $(cat log)"
    "$memsweep" digest "$3" 2>&1 | tr -s ' '
    ! grep -q '^derive:' "$1" || "$memsweep" query "$3" -f tsv -c 'point, shape' 2>&1 | sha256sum
}

# What a user computes goes through the same functions.
cat >expressions.yaml <<'YAML'
sweep: expressions
mechanism: null
workloads: [synth/small]
design: {kind: sobol, points: 64}
vary:
  x1: {from: 0.01, to: 1, scale: log}
  x2: {from: 0, to: 1}
where: "exp(-x1) + sin(9 * x2) > 0.2"
fix: {x3: "tanh(x1) * cos(x1 * x2) / 4", carry: "ln(1 + x1) / 3"}
derive: {shape: "pow(cycles, 1.0 / 3) * log10(cycles + exp(x1))"}
YAML

sweeps=0
# Where logarithms scale factors and intervals are drawn, bits are at stake; all sweeps in the
# long form.
chosen=("$MEMSWEEP_SOURCE"/tests/golden/sweeps/*-lhs.yaml)
[ -z "${MEMSWEEP_FULL:-}" ] || chosen=("$MEMSWEEP_SOURCE"/tests/golden/sweeps/*.yaml)
for file in "${chosen[@]}" expressions.yaml; do
    for fidelity in analytic sampled full; do
        usual=$(digest_of "$file" $fidelity usual.db)
        other=$(GLIBC_TUNABLES=$plain digest_of "$file" $fidelity other.db)
        same "$usual" "$other" "$(basename "$file") $fidelity, with and without AVX2 and FMA"
        sweeps=$((sweeps + 1))
    done
done
echo "$sweeps sweeps compared"
finish

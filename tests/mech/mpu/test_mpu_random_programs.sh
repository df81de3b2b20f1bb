#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random programs of 2 to 40 launches that build, gather, scatter, count, scan and sort in each
# other's arrays. Where no branch depends on data, does the closed form count the instructions,
# loads, stores of the cycle model? Where lines differ, or any count of the others, does it say that
# its answer is not to be trusted? (Not where threads race for an element that is an address later:
# such a program has no one answer.) Of every fourth program branches depend on data, but no launch
# comes twice or writes what it reads, so that each stands for itself: are all counts equal, and
# nothing doubtful? MEMSWEEP_FULL: 100 programs. MEMSWEEP_SEEDS: those behind that number.
source "$(dirname "$0")/../../cli/common.sh"
small="processors=1 processor_columns=1 cores=4 core_columns=2"
cp "${MEMSWEEP_SOURCE:?}/tests/support/joints.ptx" .

cat >draw.awk <<'END_AWK'
function below(n) { state = (state * 16807) % 2147483647; return state % n }
BEGIN {
    steady = "build:a,c,n gather:a,b,c,n chase:a,c,n zero:c,n permute:a,c,n heavy:a,c,n " \
             "scatter:a,b,c,n"
    branching = " swap_pairs:c,n,0 swap_pairs:c,n,1 count:a,c,n scan:a,c,n rows:a,b,c,n " \
                "keep:a,n recall:a,c,n"
    if (distinct) {
        sub(" permute:a,c,n", "", steady) # of several threads that write an element one is the last
        sub(" scatter:a,b,c,n", "", steady)
        branching = " scan:a,c,n rows:a,b,c,n recall:a,c,n"
    }
    kinds = split(steady (branches ? branching : ""), kind, " ")
    state = 7919 * (seed + 1)
    for (i = 0; i < 10; i++) below(2)
    print "ptx joints.ptx\nsize n = 300 in 1 .. 1Mi"
    for (a = 0; a < 6; a++) printf "array a%d u32[n] = random(i, %d, n)\n", a, a
    for (launches = 2 + below(39); launches > 0;) {
        split(kind[1 + below(kinds)], parts, ":")
        count = split(parts[2], args, ",")
        line = ""
        first = below(6)
        for (i = 1; i <= count; i++) {
            array = distinct ? (first + (i - 1) * (1 + launches % 2)) % 6 : below(6)
            line = line (i > 1 ? ", " : "") (args[i] ~ /[abc]/ ? "a" array : args[i])
        }
        if (distinct && drawn[parts[1] line]++) { if (++tries > 500) break; else continue }
        printf "launch %s grid(up(n, 64)) block(64) args(%s)\n", parts[1], line
        launches--
    }
}
END_AWK

# counts FIDELITY NAME...: their values of p.simt in a line, the doubt behind them
counts() {
    local fidelity=$1
    shift
    # shellcheck disable=SC2086
    "$memsweep" eval mpu -w p.simt --fidelity "$fidelity" $small -f tsv |
        awk -F'\t' -v names="$* doubt" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { n = split(names, name, " ")
                      for (i = 1; i <= n; i++) printf "%s ", at[name[i]] ? $at[name[i]] : "-" }'
}

# Whether two threads of a launch may write one element, or one what another one reads.
races() {
    grep -qE 'launch (permute|scatter)' p.simt ||
        awk -F'[(,) ]+' '/launch (gather|chase|rows|recall)/ { for (i = 9; i < NF - 2; i++) if ($i == $(NF - 2)) found = 1 }
            END { exit !found }' p.simt
}

programs=10
[ -z "${MEMSWEEP_FULL:-}" ] || programs=100
trusted=0
exact=(instructions loads stores atomics shared_accesses)
behind=${MEMSWEEP_SEEDS:-0}
for ((seed = behind + 1; seed <= behind + programs; seed++)); do
    awk -v branches=$((seed % 2)) -v distinct=$((seed % 4 == 1)) -v seed=$seed -f draw.awk >p.simt
    full=$(counts full "${exact[@]}" local_lines remote_lines dram_bytes)
    closed=$(counts analytic "${exact[@]}" local_lines remote_lines dram_bytes)
    [ "${#full}" -gt 20 ] || fail "no answer for program $seed: $full"
    if ((seed % 2 == 0)); then
        same "$(cut -d ' ' -f 1-5 <<<"$closed")" "$(cut -d ' ' -f 1-5 <<<"$full")" "counts of $seed"
    fi
    case $closed in
    *depends*) ;;
    *) ! races || continue
        same "$closed" "$full" "counts of program $seed, which is not doubtful"
        trusted=$((trusted + seed % 2))
        ;;
    esac
done
echo "$trusted programs with branches on data are not doubtful"
[ "$trusted" -ge $((programs / 5)) ] || fail "$trusted programs with branches on data are not doubtful"
finish

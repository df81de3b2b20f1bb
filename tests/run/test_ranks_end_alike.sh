#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 826. Rank 0 could not read the sweep file (exit code 3); the others, who were told only
# that there is no sweep, ended with 2, and the launcher gave the code of whoever ended first.
source "$(dirname "$0")/../mpi/common.sh"
faults=$MEMSWEEP_BUILD/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep small 'x3: 0'
# The launcher only says that a process ended: each writes down its own code.
cat >each <<'END'
#!/usr/bin/env bash
"$@"
code=$?
echo $code >"code.$OMPI_COMM_WORLD_RANK"
exit $code
END
chmod +x each
codes() { # codes WANTED COMMAND...: all three ranks end with it
    local wanted=$1
    shift
    rm -f code.*
    mpirun --oversubscribe --bind-to none -n 3 --mca orte_abort_on_non_zero_status 0 ./each "$@" >out 2>err </dev/null
    same "$(sort -u code.? | tr '\n' ' ')$(ls code.? | wc -l)" "$wanted 3" "exit codes of the ranks"
}
codes 3 "$faults" --program open 1 1 0 run small.yaml -q -o x.db
has "$(cat err)" "small.yaml: Input/output error"
sed -i 's/gain/gian/' small.yaml
codes 2 "$memsweep" run small.yaml -q -o x.db
mkdir x.db
sed -i 's/gian/gain/' small.yaml
codes 3 "$memsweep" run small.yaml -q -o x.db
finish

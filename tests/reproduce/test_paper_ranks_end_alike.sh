#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 902. Do all ranks of calibrate and reproduce end with the exit code of one process and its
# one message, where rank 0 fails before there are points, between plans, or where they are written?
source "$(dirname "$0")/../mpi/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
small="--unknowns x1,x2 --waves 1 --samples 16 --errors 4 --full 4 --directed 0 --threads 1 --no-figures"
# The launcher only says that a process ended: each writes down its own code.
cat >each <<'END'
#!/usr/bin/env bash
"$@"
code=$?
echo $code >"code.${OMPI_COMM_WORLD_RANK:-alone}"
exit $code
END
chmod +x each

# alike WORDS COMMAND...: one process and each of two ranks end alike, and say the same once.
alike() {
    local words=$1 wanted
    shift
    rm -rf code.* results
    ./each "$memsweep" "$@" >out 2>err </dev/null
    wanted=$(cat code.alone)
    has "$(cat err)" "$words"
    [ "$wanted" -gt 0 ] || fail "it is no failure: $*"
    rm -rf code.* results
    timeout -k 5 60 mpirun --oversubscribe --bind-to none -n 2 --mca orte_abort_on_non_zero_status 0 \
        ./each "$memsweep" "$@" >out 2>err </dev/null
    same "$(cat code.0 code.1 | tr '\n' ' ')" "$wanted $wanted " "exit codes of the ranks: $*"
    same "$(grep -cF -- "$words" err)" 1 "times that '$words' is said: $*"
}

alike "no paper 'tpy', did you mean 'toy'" calibrate tpy $small
alike "no paper 'tpy', did you mean 'toy'" reproduce tpy
alike "--figure 'fig. 9': none of" calibrate toy $small --figure 'fig. 9'
alike "x11" calibrate toy $small --unknowns x11
alike "--waves '0'" calibrate toy --waves 0
alike "no option '--wave'" calibrate toy --wave 2
alike "no option '--wave'" reproduce toy --wave 2
touch taken
alike "taken" calibrate toy $small --results taken
# After some plans were computed: the folder of the page is a file.
alike "taken" calibrate toy $small -o taken
alike "taken" reproduce toy --no-figures -o taken
# A query that fails between plans.
sed -i 's/SELECT f1 AS/SELECT f11 AS/' $toy/published.csv
alike "f11" calibrate toy $small
alike "f11" reproduce toy --no-figures
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 070. Where Slurm is not installed, submit told to correct the script; it says what is
# missing and what to do instead, and leaves nothing behind. A warning time that is no time before
# the limit is refused, or made to fit where nobody asked for it; the log of a merge is named after
# a job, not an array.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
mkdir bin
for tool in sh rm cat mkdir; do
    ln -s "$(command -v $tool)" bin/
done
PATH=$work/bin gives 3 "$memsweep" submit small.yaml -o x.db
has "$err" "sbatch was not found on PATH"
has "$err" "--dry-run prints the job script"
has "$err" "'memsweep run small.yaml' computes on this machine"
[ ! -e x.db ] && [ ! -e x.db.job.sh ] || fail "something was left behind"

signal() {
    gives 0 "$memsweep" submit small.yaml -o x.db --dry-run "$@"
    echo "$out" | sed -n 's/^#SBATCH --signal=B:USR1@//p'
}
same "$(signal --time 0:30)" 7 "warning for 30 s"
same "$(signal --time 1)" 15 "warning for a minute"
same "$(signal --time 1:00)" 15 "warning for a minute and no seconds"
same "$(signal --time 1:00:00)" 120 "warning for an hour"
same "$(signal --time 1-0)" 120 "warning for a day"
same "$(signal --time 0-0:5)" 75 "warning for five minutes"
same "$(signal --time UNLIMITED)" 120 "warning without a limit"
echo 'submit: {warning: 100}' >>small.yaml
same "$(signal --time 2:00)" 100 "warning as asked for"
gives 2 "$memsweep" submit small.yaml -o x.db --dry-run --time 0:30
has "$err" "warning 100 is no time before the limit --time 0:30 (30 s)"

gives 0 "$memsweep" submit small.yaml -o x.db --dry-run --array 3
same "$(grep '^#SBATCH --output' out | tr '\n' ' ')" \
    "#SBATCH --output=x.db.%8A_%1a.log #SBATCH --output=x.db.%8j.log " "logs"
finish

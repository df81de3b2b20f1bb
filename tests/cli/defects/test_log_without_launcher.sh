#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 082. Each drain filled the log of a job with what mpirun makes of exit code 1. The job
# script runs with a stand-in for mpirun, which is warned, and keeps all else that the launcher
# says.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
mkdir bin
cat >bin/mpirun <<'END'
#!/bin/bash
rule=--------------------------------------------------------------------------
trap 'asked=yes' USR1
echo "to standard output"
touch started
while [ ! "$asked" ] && [ ! -e alone ]; do sleep 0.05; done
{
    echo "mpirun: Forwarding signal 10 to job"
    echo "memsweep: interrupted: 60 of 507 done"
    printf '%s\nA warning of the launcher.\n\nIn two parts.\n%s\n' $rule $rule
    printf '%s\nPrimary job  terminated normally, but 1 process returned\n' $rule
    printf 'a non-zero exit code. Per user-direction, the job has been aborted.\n%s\n' $rule
    printf '%s\nmpirun detected that one or more processes exited with non-zero status\n\n' $rule
    printf '  Process name: [[12263,1],0]\n  Exit code:    %s\n%s\n' "$(cat code)" $rule
    printf 'the last word, without an end of line'
} >&2
exit $(cat code)
END
printf '#!/bin/sh\necho RUNNING\n' >bin/squeue
printf '#!/bin/sh\necho "scontrol $*"\n' >bin/scontrol
chmod +x bin/*
PATH=$work/bin:$PATH
export SLURM_JOB_ID=7 SLURM_NTASKS=1 SLURM_JOB_NODELIST=n0
gives 0 "$memsweep" submit small.yaml -o x.db --dry-run
cp out job.sh

echo 1 >code
bash job.sh >log 2>&1 &
job=$!
for ((i = 0; i < 200; i++)); do
    [ -e started ] && break
    sleep 0.05
done
kill -USR1 $job
wait $job
same $? 1 "exit code of a job with work left"
log=$(cat log)
for text in "to standard output" "asked to end" "interrupted: 60 of 507 done" "A warning of the" \
    "In two parts." "the last word" "goes back to the queue" "scontrol requeue 7"; do
    has "$log" "$text"
done
for text in Forwarding "Primary job" "non-zero" "Process name" "Exit code"; do
    lacks "$log" "$text"
done
same "$(grep -c -- ------- log)" 2 "rules of the launcher's own warning"

# A run that broke by itself: what mpirun says stays.
echo 3 >code
touch alone
gives 3 bash job.sh
has "$err" "Exit code:    3"
lacks "$out" requeue
finish

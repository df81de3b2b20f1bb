#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 044. Is every word of a job script one word to its shell, and is refused what a directive
# cannot hold? A shard's path stood in double quotes, and line ends in options added lines to the
# script.
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 "$memsweep" submit small.yaml -o 'a$(touch${IFS}INJECTED)b.db' --array 2 --dry-run
has "$out" "--output 'a\$(touch\${IFS}INJECTED)b.shard-'\"\$SLURM_ARRAY_TASK_ID\"-of-2.db"

# What the job would run, run by a shell: the words arrive as they were given.
mkdir bin
printf '#!/bin/sh\nfor word; do printf "<%%s>\\n" "$word"; done >>"%s/ran"\n' "$work" >bin/mpirun
chmod +x bin/mpirun
PATH=$work/bin:$PATH SLURM_ARRAY_TASK_ID=1 SLURM_NTASKS=1 SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n \
    bash -c "$(sed '/^#!.bin.bash$/{x;s/^/x/;/^xx/{x;Q};x}' out)" >/dev/null 2>&1
has "$(cat ran)" '<a$(touch${IFS}INJECTED)b.shard-1-of-2.db>'
gives 0 "$memsweep" submit small.yaml -o x.db --scratch '$TMPDIR/a b;touch INJECTED;`touch INJECTED`' --dry-run
rm -f ran
PATH=$work/bin:$PATH TMPDIR='/t m/*' SLURM_NTASKS=1 SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n \
    bash -c "$out" >/dev/null 2>&1
has "$(cat ran)" '</t m/*/a b;touch INJECTED;`touch INJECTED`>'

# Nothing can be quoted in a directive.
for option in --partition --time; do
    for value in $'x\n#SBATCH --uid=0' 'a b' 'a"b' "a'b" 'a#b' 'a\b'; do
        gives 2 "$memsweep" submit small.yaml -o x.db $option "$value" --dry-run
        has "$err" "$option: a line of a job script cannot hold"
    done
done
for file in $'x\ny.db' 'x y.db' 'x%j.db' "x'.db"; do
    gives 2 "$memsweep" submit small.yaml -o "$file" --dry-run
    has "$err" "--output"
done
gives 2 "$memsweep" submit small.yaml -o x.db --scratch $'a\nb' --dry-run
[ -z "$(find . -name 'INJECTED*')" ] || fail "a word was run"

# A script that memsweep did not write is not replaced.
echo 'precious' >x.db.job.sh
printf '#!/bin/sh\necho 7\n' >bin/sbatch
printf '#!/bin/sh\nexit 0\n' >bin/scontrol
chmod +x bin/*
gives 2 env PATH="$work/bin:$PATH" "$memsweep" submit small.yaml -o x.db
same "$(cat x.db.job.sh)" precious "a script of somebody else"
rm x.db.job.sh
gives 0 env PATH="$work/bin:$PATH" "$memsweep" submit small.yaml -o x.db
gives 0 env PATH="$work/bin:$PATH" "$memsweep" submit small.yaml -o x.db
gives 3 env PATH="/nowhere" "$memsweep" submit small.yaml -o x.db
has "$err" "sbatch was not found"
finish

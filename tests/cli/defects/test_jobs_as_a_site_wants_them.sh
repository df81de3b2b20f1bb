#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 703. Do jobs carry what a site asks for: options of sbatch that memsweep does not know,
# commands that come first, a limit for points? And
# are options refused that would break the job?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

printf 'sweep: site\nmechanism: null\nsubmit: {sbatch: qos=low, prologue: module load a}\n' >site.yaml
gives 0 "$memsweep" submit site.yaml --array 2 --dry-run
same "$(grep -c '^#SBATCH --qos=low$' out)" 2 'lines with the qos of the sweep file'
same "$(grep -c '^module load a$' out)" 2 'prologues of the sweep file'
printf 'sweep: site\nmechanism: null\nsubmit: {sbatch: qos=high exclusive account=me, prologue: export A=1,
  launcher: srun, lives: 3}\n' >other.yaml
gives 0 "$memsweep" submit other.yaml --retry --point-timeout 500ms --dry-run
has "$out" '#SBATCH --qos=high'
has "$out" '#SBATCH --account=me'
has "$out" 'srun --mpi=pmix'
has "$out" 'at most 3'
has "$out" '#SBATCH --exclusive'
has "$out" 'export A=1'
has "$out" ' --point-timeout 0.5'
lacks "$out" 'qos=low'
sed -n '/^#!/,$p' out >job.sh
gives 0 bash -n job.sh
same "$(life=1; eval "echo $(grep -o '$(\[ $life.*--retry)' job.sh)")" --retry 'first start'
same "$(life=2; eval "echo $(grep -o '$(\[ $life.*--retry)' job.sh)")" '' 'second start'

for wrong in time=3 --qos=x "'comment=\"a\"'"; do
    printf 'sweep: site\nmechanism: null\nsubmit: {sbatch: %s}\n' "$wrong" >wrong.yaml
    gives 2 "$memsweep" submit wrong.yaml --dry-run
    [ "$wrong" != time=3 ] || has "$err" "'time' is set by 'memsweep submit' itself"
done
printf 'sweep: site\nmechanism: null\nsubmit: {launcher: ssh}\n' >slip.yaml
gives 2 "$memsweep" check slip.yaml
has "$err" "srun"
printf 'sweep: site\nmechanism: null\nsubmit: {sbach: qos=low}\n' >slip.yaml
gives 2 "$memsweep" check slip.yaml
has "$err" "sbatch"
# what a cluster is asked for changes no answer
printf 'sweep: site\nmechanism: null\n' >plain.yaml
same "$("$memsweep" check site.yaml | grep -oE '[0-9a-f]{32}')" \
    "$("$memsweep" check plain.yaml | grep -oE '[0-9a-f]{32}')" 'digest of the sweep'
finish

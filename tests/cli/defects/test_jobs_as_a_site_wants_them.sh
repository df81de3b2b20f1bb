#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 703. Do jobs carry what a site asks for: options of sbatch that memsweep does not know,
# commands that come first, a limit for points? From the command line and from the sweep file; and
# are options refused that would break the job?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

printf 'sweep: site\nmechanism: null\nsubmit: {sbatch: qos=low, prologue: module load a}\n' >site.yaml
gives 0 "$memsweep" submit site.yaml --array 2 --dry-run
same "$(grep -c '^#SBATCH --qos=low$' out)" 2 'lines with the qos of the sweep file'
same "$(grep -c '^module load a$' out)" 2 'prologues of the sweep file'
gives 0 "$memsweep" submit site.yaml --sbatch 'qos=high exclusive' --prologue 'export A=1' \
    --retry --point-timeout 500ms --dry-run
has "$out" '#SBATCH --qos=high'
has "$out" '#SBATCH --exclusive'
has "$out" 'export A=1'
has "$out" ' --point-timeout 0.5'
lacks "$out" 'qos=low'
sed -n '/^#!/,$p' out >job.sh
gives 0 bash -n job.sh
same "$(life=1; eval "echo $(grep -o '$(\[ $life.*--retry)' job.sh)")" --retry 'first start'
same "$(life=2; eval "echo $(grep -o '$(\[ $life.*--retry)' job.sh)")" '' 'second start'

gives 2 "$memsweep" submit site.yaml --sbatch time=3 --dry-run
has "$err" "'time' is set by 'memsweep submit' itself"
gives 2 "$memsweep" submit site.yaml --sbatch --qos=x --dry-run
gives 2 "$memsweep" submit site.yaml --sbatch 'comment="a"' --dry-run
printf 'sweep: site\nmechanism: null\nsubmit: {sbach: qos=low}\n' >slip.yaml
gives 2 "$memsweep" check slip.yaml
has "$err" "sbatch"
# what a cluster is asked for changes no answer
printf 'sweep: site\nmechanism: null\n' >plain.yaml
same "$("$memsweep" check site.yaml | grep -oE '[0-9a-f]{32}')" \
    "$("$memsweep" check plain.yaml | grep -oE '[0-9a-f]{32}')" 'digest of the sweep'
finish

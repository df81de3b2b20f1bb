#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 101. `pareto -g gain -c x2` showed fronts without telling which is which.
source "$(dirname "$0")/../cli/common.sh"

sweep quick
gives 0 "$memsweep" run -q quick.yaml
gives 0 "$memsweep" pareto quick -g gain -c x2 -f tsv
same "$(head -1 out)" $'f1\tf2\tpoint\tgain\tx2' "columns"
same "$(cut -f4 out | sort -u | tr '\n' ' ')" "1 2 3 gain " "its values"
gives 0 "$memsweep" pareto quick -g gain -c 'gain, x2' -f tsv
same "$(head -1 out)" $'f1\tf2\tpoint\tgain\tx2' "each once"
gives 0 "$memsweep" pareto quick -g 'gain > 1' -f tsv
has "$out" $'gain > 1'
gives 0 "$memsweep" pareto quick -c x2 -f tsv
same "$(head -1 out)" $'f1\tf2\tpoint\tx2' "no groups"
finish

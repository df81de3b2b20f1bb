#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 490. 'report' reads chosen rows: of a mechanism with bounds, and of one that states a
# region, it asked for a column that only the view of all rows had ("no column 'bound_resource'").
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
gives 0 "$memsweep" run quickstart -q -o quick.db
gives 0 "$memsweep" report quick.db -o quick.html
has "$(cat quick.html)" "bound_resource"

printf 'sweep: h\nmechanism: htmmu\nworkloads: [large/b64]\nvary: {l2_entries: [128, 512]}\n' >h.yaml
printf 'objectives: {minimize: [cycles, sram_bytes]}\n' >>h.yaml
gives 0 "$memsweep" run h.yaml -q
gives 0 "$memsweep" report h -o h.html
finish

# SPDX-License-Identifier: MIT
# Sourced by the lint scripts that look at modules: their order, left to right.
order="base expr param sim workload mech design program sweep store run analysis format results figure report"
order+=" explore reproduce cli"

# module_of PATH: sets `module` to the module of a source or public header; empty where none.
module_of() {
    module=${1#include/memsweep/}
    module=${module#src/}
    module=${module%%/*}
    [[ " $order " == *" $module "* ]] || module=
}

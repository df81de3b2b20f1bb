#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does translation in front of a shared cache go the ways that are published? Orders alone, as their
# numbers were read in abstracts: a shared pool of walkers is faster than parts of it (mNPUsim, IISWC
# 2023); a second TLB for tenants that share weights saves walks (Hao et al., HPCA 2017); walks
# through a last-level cache cost less than walks to memory (Koenig et al., arXiv:2502.17398); page
# control moves less than tags with translation on, too (CaMDN, DAC 2025).
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# metric NAME SETTING...: a metric of one evaluation
metric() {
    "$memsweep" eval camdn -w "$mix" tenants=4 tasks=2 "${@:2}" -f tsv 2>err |
        awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
            NR == 2 { print $at }'
}
# less WHAT SHARE A B: A is below so much of B
less() {
    awk -v a="$3" -v b="$4" -v part="$2" 'BEGIN { exit !(a > 0 && a < part * b) }' ||
        fail "$1: $3 and $4: $(cat err)"
}

mix=mix/small small="tlb_entries=16 path_cache=shared"
less "pool, parts" 1 "$(metric cycles translation=shared_walkers ptw_count=8 $small)" \
    "$(metric cycles translation=shared_walkers ptw_count=8 walker_share=parts $small)"
shared="translation=shared_walkers weights=shared tlb_entries=16"
less "a second TLB" 0.5 "$(metric walks $shared tlb2_entries=4096)" "$(metric walks $shared)"
walks="translation=shared_walkers tlb_entries=16"
less "walks through the cache" 0.7 "$(metric wait_translation $walks walk_memory=cache)" \
    "$(metric wait_translation $walks walk_memory=memory)"
mix=mix:mobilenet_v2 on="translation=private bypass=on cache_size=4MiB draw=deck"
less "page control" 0.9 "$(metric traffic $on cache_control=pages)" \
    "$(metric traffic $on cache_control=tags)"
finish

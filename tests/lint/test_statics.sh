#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Is there no mutable static data below the command line? Read from the compiled objects: a symbol in
# .data, .bss or their thread-local kin; constants with addresses in them (.data.rel.ro) are fine.
source "$(dirname "$0")/objects.sh"
source tests/lint/modules.sh
while read -r source symbol; do
    fail "$source: mutable static data: $symbol"
done < <(
    {
        all_objects ${order% cli}
        [ ! -f "$merged" ] || echo "$merged"
    } |
        xargs objdump -t |
        awk '/file format/ { source = $1 }
             /\t[0-9a-f]+ / && $NF !~ /^(\.|__gnu_lto)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ &&
             $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ { print source, $NF }' |
        sed -E "s|^$objects/||; s|\.o:||"
)
exit $bad

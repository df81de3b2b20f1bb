#!/usr/bin/env bash
# Is there no mutable static data below the command line? Read from the compiled objects: a symbol in
# .data, .bss or their thread-local kin; constants with addresses in them (.data.rel.ro) are fine.
source "$(dirname "$0")/objects.sh"
while read -r object; do
    found=$(objdump -t "$object" |
        awk '/\t[0-9a-f]+ / && $NF !~ /^\./ { print $(NF - 2), $NF }' |
        grep -E '^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)' | grep -v '^\.data\.rel\.ro' || true)
    [ -z "$found" ] || fail "${object#"$objects"/}: mutable static data:" $found
done < <(all_objects base expr param sim workload mech design sweep store run analysis report)
exit $bad

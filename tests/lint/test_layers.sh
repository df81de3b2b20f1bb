#!/usr/bin/env bash
# Does every file include only headers of its own module and of the modules before it?
#
# A public header belongs to the module of its name, or else to the first module, in order, that has
# a source file of its name; `named` holds those without. Private headers are for their own module.
source "$(dirname "$0")/files.sh"

order="base expr param sim workload mech design sweep store run analysis report cli"
declare -A rank home
i=0
for module in $order; do
    rank[$module]=$((i++))
done

while read -r path; do
    rest=${path#src/}
    module=${rest%%/*}
    [ -n "${rank[$module]:-}" ] || fail "$path: src/$module is not in the module order: $order"
    name=$(basename "$path" .c)
    known=${home[$name]:-}
    [ -z "$known" ] || [ "${rank[$module]:-99}" -lt "${rank[$known]}" ] || continue
    home[$name]=$module
done < <(files 'src/*.c')
declare -A named=([sensitivity]=analysis [accesses]=workload)
for name in "${!named[@]}"; do
    home[$name]=${named[$name]}
done
for module in $order; do
    home[$module]=$module
done

# check PATH MODULE: compares the includes of a file with the module it belongs to.
check() {
    local path=$1 module=$2 line header other
    while IFS=: read -r line header; do
        case $header in
        memsweep/*)
            other=${home[$(basename "$header" .h)]:-}
            if [ -z "$other" ]; then
                fail "$path:$line: no source file says which module $header belongs to"
            elif [ "${rank[$other]}" -gt "${rank[$module]}" ]; then
                fail "$path:$line: $module may not include $header, which belongs to $other"
            fi
            ;;
        */*)
            other=${header%%/*}
            [ "$other" = "$module" ] || [ -z "${rank[$other]:-}" ] ||
                fail "$path:$line: $header is private to $other"
            ;;
        esac
    done < <(grep -nE '^ *# *include *"' "$path" | sed -E 's/^([0-9]+):[^"]*"([^"]*)".*/\1:\2/')
}

while read -r path; do
    rest=${path#src/}
    [ -z "${rank[${rest%%/*}]:-}" ] || check "$path" "${rest%%/*}"
done < <(files 'src/*.c' 'src/*.h')
while read -r path; do
    name=$(basename "$path" .h)
    if [ -n "${home[$name]:-}" ]; then
        check "$path" "${home[$name]}"
    else
        fail "$path: no source file says which module it belongs to"
    fi
done < <(files 'include/memsweep/*.h')
exit $bad

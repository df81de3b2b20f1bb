#!/usr/bin/env bash
# Does every file include only headers of its own module and of the modules before it?
#
# A public header in a folder of include/memsweep belongs to the module of that name. One that lies
# beside those folders belongs to the module of its own name, or else to the first module, in order,
# that has a source file of its name; `named` holds those without. Private headers are for their own
# module.
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
    name=${path##*/}
    name=${name%.c}
    known=${home[$name]:-}
    [ -z "$known" ] || [ "${rank[$module]:-99}" -lt "${rank[$known]}" ] || continue
    home[$name]=$module
done < <(files 'src/*.c')
declare -A named=([sensitivity]=analysis [accesses]=workload [bits]=base)
for name in "${!named[@]}"; do
    home[$name]=${named[$name]}
done
for module in $order; do
    home[$module]=$module
done

# find_module PATH: sets `module`; empty where the path has none.
find_module() {
    case $1 in
    src/*/* | include/memsweep/*/* | memsweep/*/*)
        module=${1#src/}
        module=${module#include/}
        module=${module#memsweep/}
        module=${module%%/*}
        [ -n "${rank[$module]:-}" ] || module=
        ;;
    *)
        module=${1##*/}
        module=${home[${module%.h}]:-}
        ;;
    esac
}

# check: reads "path:line:header", one per include, and compares it with the module of the file.
check() {
    local path module line header other own
    while IFS=: read -r path line header; do
        find_module "$path"
        [ -n "$module" ] || continue
        case $header in
        memsweep/*)
            own=$module
            find_module "$header"
            other=$module
            module=$own
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
    done
}

while read -r path; do
    find_module "$path"
    [ -n "$module" ] || fail "$path: no source file says which module it belongs to"
done < <(files 'include/memsweep/*.h')
check < <(files 'src/*.c' 'src/*.h' 'include/memsweep/*.h' |
    xargs grep -nE '^ *# *include *"' | sed -E 's/^([^:]*:[0-9]+):[^"]*"([^"]*)".*/\1:\2/')
exit $bad

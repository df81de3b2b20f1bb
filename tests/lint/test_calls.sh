#!/usr/bin/env bash
# Does code call only what its module may? Below the command line nothing prints or ends the process
# but base/log; sim, workload and mech neither do input and output nor touch the heap (one exception:
# workload.c frees what the loader of a plan allocated).
source "$(dirname "$0")/objects.sh"
output='printf|vprintf|puts|putchar|putc|perror|stdout|exit|_exit|_Exit|quick_exit|abort'
files='f(open|dopen|reopen|close|printf|puts|putc|write|read|gets|getc|scanf|seek|tell|flush)'
files+='|vfprintf|stderr|stdin|getenv|open|openat|close|read|write|mmap|getline|tmpfile|system|popen'
heap='malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|strndup|memalign'

# forbid OBJECT PATTERN WHY: fails when the object needs a symbol that matches.
forbid() {
    local found
    found=$(nm -u "$1" | awk '{ print $NF }' | sed 's/@.*//' | grep -xE "($2)" | sort -u || true)
    [ -z "$found" ] || fail "${1#"$objects"/}: $3:" $found
}

while read -r object; do
    case $object in
    */base/log.c.o) ;;
    *) forbid "$object" "$output" "prints or ends the process" ;;
    esac
done < <(all_objects base expr param design sweep store run analysis report)
while read -r object; do
    forbid "$object" "$output|$files" "does input or output"
    case $object in
    */workload/workload.c.o) forbid "$object" "${heap/|free|/|}" "touches the heap" ;;
    *) forbid "$object" "$heap" "touches the heap" ;;
    esac
done < <(all_objects sim workload mech)
exit $bad

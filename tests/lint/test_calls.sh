#!/usr/bin/env bash
# Does code call only what its module may? Below the command line nothing prints or ends the process
# but base/log; sim, workload and mech neither do input and output nor touch the heap (exceptions:
# workload.c frees what the loader of a plan allocated; stated.c, laws.c and question.c open what
# records state, for commands and tests, and evaluate no point). Objects for link-time optimisation do not name the
# compiler's own functions: of the heap, a build without it sees more.
source "$(dirname "$0")/objects.sh"
source tests/lint/modules.sh
output='printf|vprintf|puts|putchar|putc|perror|stdout|exit|_exit|_Exit|quick_exit|abort'
files='f(open|dopen|reopen|close|printf|puts|putc|write|read|gets|getc|scanf|seek|tell|flush)'
files+='|vfprintf|stderr|stdin|getenv|open|openat|close|read|write|mmap|getline|tmpfile|system|popen'
heap='malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|strndup|memalign'

# needs FOLDER...: "source symbol" for every symbol that objects below these folders need.
needs() {
    all_objects "$@" | xargs nm -A -u | sed -E "s|^$objects/||; s|\.o: +U | |; s|@.*||"
}

# forbid PATTERN WHY: reads what `needs` prints; fails for every symbol that matches.
forbid() {
    local source symbol
    while read -r source symbol; do
        fail "$source: $2: $symbol"
    done < <(grep -E " ($1)\$" | sort -u)
}

forbid "$output" "prints or ends the process" < <(
    needs ${order% cli} | grep -v '^base/log\.c '
)
forbid "$output|$files" "does input or output" < <(needs sim workload mech)
forbid "$heap" "touches the heap" < <(
    needs sim workload mech | grep -vE '^(workload/workload\.c free|mech/engine/(stated|laws|question)\.c (calloc|free))$'
)
exit $bad

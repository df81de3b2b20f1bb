#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
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
disk='f(open|dopen|reopen)(64)?|(open|openat|creat|p?read|p?write|truncate|ftruncate)(64)?|renameat2?|rename'
disk+='|fsync|fdatasync|flock|lockf|unlink|unlinkat|remove|rmdir|mkdir|mkdirat|mkdtemp|mkstemp|tmpfile|f?chmod|link|symlink'
heap='malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|strndup|memalign'

# needs FOLDER...: "source symbol" for every symbol that objects below these folders need.
needs() {
    all_objects "$@" | xargs nm -A -u | sed -E "s|^$objects/||; s|\.o: +U | |; s|@.*||"
}

cli_needs() {
    local cli=${objects%memsweep_objects.dir/src}memsweep_cli.dir/src
    find "$cli" -name '*.o' -exec nm -A -u {} + | sed -E "s|^$cli/||; s|\.o: +U | |; s|@.*||" |
        while read -r source symbol; do
            [ ! -f "src/$source" ] || echo "$source $symbol"
        done
}

# forbid PATTERN WHY: reads what `needs` prints; fails for every symbol that matches.
forbid() {
    local source symbol
    while read -r source symbol; do
        fail "$source: $2: $symbol"
    done < <(grep -E " ($1)\$" | sort -u)
}

# Files have one place, where tests can stand in for the system. A pipe of another program and a
# signal's last words are no files.
forbid "$disk" "calls the system about a file, which is for memsweep/base/disk.h" < <(
    { needs ${order% cli}; cli_needs; } |
        grep -vE '^(base/disk\.c .*|base/program\.c read|cli/run/process\.c write)$'
)
forbid "clock_gettime|gettimeofday" "reads a clock, which is for memsweep/base/clock.h" < <(
    { needs ${order% cli}; cli_needs; } | grep -v '^base/clock\.c '
)
forbid "$output" "prints or ends the process" < <(
    needs ${order% cli} | grep -v '^base/log\.c '
)
forbid "$output|$files" "does input or output" < <(needs sim workload mech)
forbid "$heap" "touches the heap" < <(
    needs sim workload mech | grep -vE '^(workload/workload\.c free|mech/engine/(stated|laws|question)\.c (calloc|free))$'
)
exit $bad

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What becomes of runs that do what few programs do: every signal, exit codes of shells, scripts without
# a first line, folders that are shut, outputs of odd kinds and sizes, values at the ends of ranges,
# folders with odd names?
source "$(dirname "$0")/common.sh"
sed -i '/^slow)/i core) ulimit -c unlimited 2>/dev/null; kill -QUIT $$ ;;\
signal) kill -"$2" $$; sleep 9 ;;\
code) exit "$2" ;;\
shut) answer "$2"; chmod 000 . ;;\
huge) truncate -s 70M out.json ;;\
device) mknod out.json c 1 5 || mkfifo out.json ;;\
folder) mkdir out.json ;;\
part) echo "{\\"cycles\\": 1}" >out.json ;;\
writer) answer "$2"; (while :; do echo x >>more; sleep 0.01; done) >/dev/null 2>\&1 \& ;;\
descriptors) answer "$(ls /proc/self/fd | wc -l)" ;;' sim.sh
told=$(sed -n 's/^\([a-z]*\)) .*/\1/p' sim.sh | paste -sd, | sed 's/,/, /g')
reason() { "$memsweep" query "$1" -c 'reason' -w "$2" -f tsv | sed 1d; }

define
sweep odd 'told: [ok, core, shut, huge, device, folder, part, writer, descriptors]'
gives 1 memsweep_runs odd.yaml -o odd.db --program sim.yaml -t 2
has "$(row odd.db core)" 'failed   signal 3'
[ -z "$(find odd.runs -name 'core*')" ] || fail "core dumps"
# Root reads in any folder.
case $(row odd.db shut) in 'ok 15 5 ' | 'failed   metric cycles'*) ;; *) fail "a folder that is shut: $(row odd.db shut)" ;; esac
has "$(row odd.db huge)" "failed   metric cycles: 'out.json' has more than 64 MiB"
has "$(row odd.db device)" "failed   metric cycles: 'out.json' is a pipe or a device, no file"
has "$(row odd.db folder)" 'failed   metric cycles: '
has "$(row odd.db part)" "failed   metric time: "
has "$(row odd.db writer)" 'failed   it ended while'
# Standard input, output and error, and the folder that ls itself opens.
has "$(row odd.db descriptors)" 'ok 12 4'
define 'leftovers: yes'
sweep left 'told: [writer]'
gives 0 memsweep_runs left.yaml -o left.db --program sim.yaml
has "$(row left.db writer)" 'ok 15 5'

# Each signal that ends a program, and each kind of exit code.
define
sweep signals 'told: [ok, signal], a: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31]'
gives 1 memsweep_runs signals.yaml -o signals.db --program sim.yaml -t 2
same "$("$memsweep" query signals.db --sql "SELECT count(*) FROM signals WHERE status = 'failed' AND told = 'signal' AND reason LIKE 'signal ' || a || ' (%'" -f tsv | sed 1d)" 17 "signals that are named"
sweep codes 'told: [ok, code], a: [2, 126, 127, 137, 153, 255]'
gives 1 memsweep_runs codes.yaml -o codes.db --program sim.yaml -t 2
same "$("$memsweep" query codes.db --sql "SELECT count(*) FROM codes WHERE status = 'failed' AND reason = 'exit code ' || a" -f tsv | sed 1d)" 6 "exit codes that are told"

# A script without a first line is no program; a shell runs it.
echo 'echo "{\"cycles\": 1, \"time\": \"1 ns\"}" >out.json' >bare.sh
chmod +x bare.sh
files=', bare.sh' define
sed -i 's/^command.*/command: [.\/bare.sh]/' sim.yaml
gives 1 "$memsweep" eval sim.yaml
has "$out" "'./bare.sh' cannot be started: Exec format error"
sed -i 's/^command.*/command: [sh, bare.sh]/' sim.yaml
gives 0 "$memsweep" eval sim.yaml
sed -i 's/^command.*/command: [no-such-program]/' sim.yaml
gives 2 "$memsweep" eval sim.yaml
has "$err" 'no-such-program'

# The value that a program is given is the value that the row has: to the last bit, whatever its size.
cat >echo.yaml <<'END'
program: echo
parameters: {x: {kind: real, from: -1e300, to: 1e300, default: 1}, n: {from: -9007199254740991, to: 9007199254740991, default: 1}}
metrics: {y: {read: {key: y}}, m: {read: {key: m}}}
command: [printf, 'y = %s\nm = %s\n', "@x@", "@n@"]
END
printf 'sweep: ends\nmechanism: {program: echo.yaml}\nvary: {x: [-1e300, 1e300, 0.1, 1e-300, 5e-324, 0.30000000000000004, 123456789.123456789], n: [-9007199254740991, 9007199254740991, 0]}\n' >ends.yaml
gives 0 memsweep_runs ends.yaml -o ends.db --program echo.yaml -t 2
same "$("$memsweep" query ends.db --sql "SELECT count(*) FROM ends WHERE status = 'ok' AND x = y AND n = m" -f tsv | sed 1d)" 21 "values that came back as they were"

# Folders with odd names, for the definition and for the runs.
odd=$(printf "a b'\"@a@\$x\n-c")
mkdir -- "$odd" "$odd/-w"
define
sweep names 'a: {from: 1, to: 3}'
cp sim.sh sim.yaml names.yaml "$odd"
(cd "$odd" && "$memsweep" run ./names.yaml -q -o ./-n.db --program sim.yaml --work ./-w >../out 2>../err) || fail "a folder with an odd name: $(cat err)"
same "$("$memsweep" digest "$odd/-n.db")" "$("$memsweep" run names.yaml -q -o names.db --program sim.yaml && "$memsweep" digest names.db)" "digests of runs in a folder with an odd name"

# A folder for runs that cannot be written to; a definition that inherits, and one from standard input.
: >file
gives 3 memsweep_runs names.yaml -o n.db --program sim.yaml --work file/runs
printf 'sweep: child\nextends: names.yaml\nfidelity: full\n' >child.yaml
gives 0 memsweep_runs child.yaml -o child.db --program sim.yaml
same "$("$memsweep" query child.db -f tsv -c cycles)" "$("$memsweep" query names.db -f tsv -c cycles)" "rows of a sweep that extends another"
gives 2 "$memsweep" run names.yaml -o n.db --program -
printf 'sweep: dash\nmechanism: {program: "-"}\n' >dash.yaml
gives 2 "$memsweep" check dash.yaml

# Folders lie on two levels, so that a million of them can.
define 'keep: all'
sweep many 'a: {from: 1, to: 40}'
gives 0 memsweep_runs many.yaml -o many.db --program sim.yaml -t 2
same "$(find many.runs -mindepth 3 -maxdepth 3 -type d | wc -l)" 41 "folders that are kept"
[ "$(find many.runs -mindepth 2 -maxdepth 2 | wc -l)" -gt 15 ] || fail "few folders of the first level"
finish

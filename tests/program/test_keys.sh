#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does all that decides a program's answer count as such, and nothing else? A definition with another
# time limit has the same rows; one with another reader, or another executable, has none yet.
source "$(dirname "$0")/common.sh"
digest_of() { "$memsweep" check keys.yaml | sed 's/.*digest //'; }
define
sweep keys 'a: {from: 1, to: 4}'
first=$(digest_of)
gives 0 memsweep_runs keys.yaml -o keys.db --program sim.yaml
define 'limits: {timeout: 50s, memory: 1GiB, cpus: 2}' 'retry: {times: 2, on: [signal]}' 'keep: none' \
    'cost: 3s'
same "$(digest_of)" "$first" "the digest with other limits"
gives 0 "$memsweep" run keys.yaml -o keys.db --program sim.yaml
has "$out" '4 answered before; none to evaluate'

for line in 'env: {X: "1"}' "expect: {file: out.json, line: 'cycles'}" 'random: yes'; do
    define "$line"
    [ "$(digest_of)" != "$first" ] || fail "the digest does not know $line"
done
define
sed -i 's/json: cycles}/json: cycles, scale: 2}/' sim.yaml
[ "$(digest_of)" != "$first" ] || fail "the digest does not know the reader"
define
echo '# another executable' >>sim.sh
[ "$(digest_of)" != "$first" ] || fail "the digest does not know the executable"
gives 0 "$memsweep" run keys.yaml -o keys.db --program sim.yaml
has "$out" '4 to evaluate'
# Why the rows of before do not count is said.
gives 0 "$memsweep" status keys.db
has "$out" 'do not count for it: other '
has "$(grep 'do not count' out)" 'sim.sh'

# A file that is not there is told before anything runs.
files=', missing' define
gives 2 memsweep_runs keys.yaml -o missing.db --program sim.yaml
has "$err" 'missing: No such file'

# An executable that changes during a run ends it: rows so far stay, exit code 3.
cat >later.sh <<'END'
#!/bin/sh
[ "$2" -lt 3 ] || echo '# changed' >>"$(readlink -f sim.sh)"
END
chmod +x later.sh
files=', later.sh' define
sed -i 's/^command.*/command: [sh, -c, "sh .\/sim.sh ok $1; sh .\/later.sh x $1", sh, "@a@"]/' sim.yaml
gives 3 "$memsweep" run keys.yaml -o changed.db --program sim.yaml -t 1
has "$err" 'no longer the file that this sweep was planned with'
same "$("$memsweep" query changed.db -f tsv | sed 1d | wc -l)" 3 "rows before the change"

# A program that gives another answer each time is no function of its key.
define
sweep twice 'told: [random], a: {from: 1, to: 3}'
gives 3 "$memsweep" run twice.yaml -o twice.db --program sim.yaml -t 1
has "$err" 'the same point gave cycles'

# What fails alike from the start stores nothing; what does not alike is a row each.
define
sweep alike 'told: [three], a: {from: 1, to: 30}'
gives 3 "$memsweep" run alike.yaml -o alike.db --program sim.yaml
has "$err" 'the first 10 points failed alike, nothing is stored: exit code 3: no such thing'
same "$("$memsweep" query alike.db -c status -w "status IS NOT NULL" -f tsv 2>/dev/null | sed 1d | wc -l)" 0 "rows of a typo"

# The surroundings of a run: fixed environment, no input, no files of ours.
define
sweep around 'told: [environment, files, reads]'
FOO=bar gives 0 memsweep_runs around.yaml -o around.db --program sim.yaml
# PATH, HOME, TMPDIR, LC_ALL, and the shell's own PWD (its SHLVL, _ and OLDPWD where it sets them).
read -r _ count _ <<<"$(row around.db environment)"
[ $((count / 3)) -le 8 ] || fail "$((count / 3)) variables"
has "$(row around.db reads)" 'ok 0 0'
finish

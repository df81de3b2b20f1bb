# SPDX-License-Identifier: MIT
# What the scripts of this folder share: a program that does as it is told by its parameter, and a
# definition of it. Source it; end with `finish`.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"
export XDG_CONFIG_HOME=$work/config
memsweep_runs() { "$memsweep" run "$@" -q; }

cat >sim.sh <<'END'
#!/bin/sh
# sim.sh DO A: writes out.json as DO says.
answer() { echo "{\"cycles\": $(($1 * 3)), \"time\": \"$1 ns\"}" >out.json; }
mark=$(cat mark 2>/dev/null) && echo "$1" >>"$mark"
case $1 in
ok) answer "$2" ;;
three) echo "no such thing: three" >&2; exit 3 ;;
unfit) echo "not a power of two" >&2; exit 1 ;;
hang) sleep 60 ;;
deaf) trap '' TERM; answer "$2"; while :; do sleep 1; done ;;
stopped) kill -STOP $$ ;;
segv) kill -SEGV $$ ;;
daemon) answer "$2"; setsid sh -c 'setsid sleep 61 & sleep 61' >/dev/null 2>&1 & ;;
half) printf '{"cycles": 12, "tim' >out.json ;;
nan) echo '{"cycles": "nan", "time": "1 ns"}' >out.json ;;
big) echo '{"cycles": 1e999, "time": "1 ns"}' >out.json ;;
unitless) echo '{"cycles": 1, "time": "1"}' >out.json ;;
inches) echo '{"cycles": 1, "time": "1 inch"}' >out.json ;;
picos) echo '{"cycles": 1, "time": "1500 ps"}' >out.json ;;
none) : ;;
empty) : >out.json ;;
link) answer "$2"; mv out.json real.json; ln -s real.json out.json ;;
fifo) mkfifo out.json ;;
late) answer "$2"; exit 4 ;;
log) yes ;;
gone) rm -rf "$PWD"; exit 0 ;;
locked) answer "$2"; mkdir in; touch in/side; chmod 000 in ;;
reads) cat >got; answer "$(wc -c <got)" ;;
environment) env | sort >env.txt; answer "$(wc -l <env.txt)" ;;
files) ls /proc/self/fd | wc -l >fds; answer "$(cat fds)" ;;
random) answer "$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')" ;;
eats) head -c 300m /dev/zero | tail -c 300m >/dev/null; exit $? ;;
slow) sleep 1; answer "$2" ;;
esac
END
chmod +x sim.sh

# The names of all that it can be told, for `choices`.
told=$(sed -n 's/^\([a-z]*\)) .*/\1/p' sim.sh | paste -sd, | sed 's/,/, /g')

# define [LINE...]: writes sim.yaml with these lines in addition.
define() {
    cat >sim.yaml <<END
program: sim
parameters:
  told: {choices: [$told], default: ok}
  a: {from: 0, to: 1000, default: 5}
metrics:
  cycles: {goal: lower, read: {file: out.json, json: cycles}}
  time: {unit: ns, goal: lower, read: {file: out.json, json: time, unit: text}}
command: [./sim.sh, "@told@", "@a@"]
files: [sim.sh${files:-}]
infeasible: {exit: 1, stderr: 'not a power of two'}
END
    printf '%s\n' "$@" >>sim.yaml
}

# sweep NAME VARY: a sweep of it.
sweep() {
    printf 'sweep: %s\nmechanism: {program: sim.yaml}\ndesign: grid\nvary: {%s}\nobjectives: {minimize: [cycles]}\n' "$1" "$2" >"$1.yaml"
}

# row FILE DO: status, reason and metrics of the point that was told DO.
row() {
    "$memsweep" query "$1" -c 'status, cycles, time, reason' -w "told = '$2'" -f tsv | sed '1d; s/\t/ /g'
}

# nobody PATTERN: no process of this name is left, after a moment.
nobody() {
    local i
    for ((i = 0; i < 100; i++)); do
        pgrep -f "$1" >/dev/null || return 0
        sleep 0.05
    done
    fail "left behind: $(pgrep -af "$1")"
}

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does `eval --stdin` answer each line as `eval` answers one call, and say of a wrong line what is
# wrong with it without losing the next?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
command -v python3 >/dev/null || exit 77
cat >compare.py <<'PY'
import json, random, subprocess, sys
program, random = sys.argv[1], random.Random(5)
draw = {'null': lambda: {'x1': random.random(), 'gain': random.choice([1, 2.5, '3']),
                         'function': random.choice(['zdt1', 'ishigami'])},
        'neummu': lambda: {'ptw_count': random.choice([1, 8, 64]), 'prmb_slots': random.choice([0, 8]),
                           'page_size': random.choice(['4KiB', '2MiB'])}}
cases = [('null', 'synth/even,synth/small', 'analytic', 8), ('null', 'synth/small', 'sampled', 3),
         ('neummu', 'alexnet/b1', 'analytic', 8)]
for mechanism, workloads, fidelity, count in cases:
    start = [program, 'eval', mechanism, '--fidelity', fidelity, '-w']
    asked = [dict(draw[mechanism](), workload=random.choice(workloads.split(',')), id=n)
             for n in range(count)]
    loop = subprocess.Popen(start + [workloads, '--stdin'], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    for point in asked:
        loop.stdin.write(json.dumps(point) + '\n')
        loop.stdin.flush()
        line = json.loads(loop.stdout.readline())
        assert line.pop('id') == point.pop('id')
        workload = point.pop('workload')
        words = ['%s=%s' % item for item in point.items()]
        alone = json.loads(subprocess.check_output(start + [workload, '-f', 'json'] + words))[0]
        for name, value in line.items():
            assert alone.get(name) == value, (point, name, value, alone.get(name))
        assert line['status'] == 'ok' and 'cycles' in line
    loop.stdin.close()
    assert loop.wait() == 0
PY
gives 0 python3 compare.py "$memsweep"
printf '%s\n' '{"x1": 2}' '{"nope": 1, "id": "a"}' '{"synth_units": 3}' '[1]' 'no' '{"x1": [1]}' \
    '{"workload": "other"}' '' '{"cost": "1us"}' >lines
"$memsweep" eval null gain='x1 + 1' --fidelity analytic --stdin <lines >out 2>err
same $? 1 "exit code with wrong lines"
same "$(grep -c '"error"' out)" 7 "lines that are wrong"
same "$(tail -n 1 out | grep -c '"status": "ok"')" 1 "the line behind them"
has "$(sed -n 1p out)" "x1 = 2 is out of range"
echo '{"gain": 2}' | "$memsweep" eval null gain='x1 + 1' --fidelity analytic --stdin >out
has "$(cat out)" "'gain' follows from others"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the program in docs/python.md run, do its numbers equal those of the commands, are errors
# exceptions of the right class, and does Ctrl-C store what was done?
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || exit 77
top=${MEMSWEEP_SOURCE:?}
export MEMSWEEP_DATA=$top MEMSWEEP=$memsweep PYTHONPATH=$top/analysis/python PYTHONDONTWRITEBYTECODE=1
sed -n '/^```python$/,/^```$/p' "$top/docs/python.md" | grep -v '^```' >page.py
python3 page.py >printed 2>err || fail "docs/python.md: $(tail -n 3 err)"
has "$(cat printed)" "24 of 24"
has "$(cat printed)" "20 points of a front of 21"
cat >more.py <<'P'
import memsweep as ms
study = ms.open("results/mmu.db")
assert len(study.frame()) == 24
value = ms.evaluate("null", fidelity="analytic", x1=0.25, x2=0)["y"]
assert value == 4.25, value  # linear: the sum of x1 to x10, which are 0.5
front = study.front(minimize="slowdown,sram_bytes")
assert 0 < len(front) == len(list(front)) <= 24
for wrong, kind, code in ((lambda: ms.evaluate("null", x99=1), ms.UsageError, 2),
                          (lambda: ms.run({"sweep": "z", "mechanism": "nul"}), ms.UsageError, 2),
                          (lambda: ms.open("missing.db"), ms.FileTrouble, 3),
                          (lambda: study.query("SELECT nothing FROM mmu"), ms.UsageError, 2)):
    try:
        wrong()
    except kind as error:
        assert error.code == code and str(error), error
    else:
        raise AssertionError("no error")
try:
    ms.run({"sweep": "fails", "mechanism": "null", "fidelity": "analytic", "fix": {"fail_share": 1}})
except ms.SomeFailed as error:
    assert len(error.study.frame()) == 1
else:
    raise AssertionError("no error")
P
python3 more.py 2>err || fail "$(tail -n 3 err)"
same "$("$memsweep" pareto mmu -f tsv | wc -l)" "$(python3 -c 'import memsweep as ms
print(len(ms.open("results/mmu.db").front()) + 1)')" "lines of the front"

# Numbers as numpy has them, exceptions without words, a sweep among others in its file, and messages
# that name nothing that is gone.
cat >odd.py <<'P'
import memsweep as ms

class Scalar:
    def __init__(self, value):
        self.value = value
    def item(self):
        return self.value

one = {"sweep": "one", "mechanism": "null", "fidelity": "analytic", "vary": {"x1": [Scalar(0), Scalar(1)]}}
a, b = ms.run(one, database="both.db"), ms.run({**one, "sweep": "two", "vary": {"x1": [0, 0.5, 1]}}, database="both.db")
assert (len(a.frame()), len(b.frame())) == (2, 3)
with open("lab.yaml", "w") as file:
    file.write("{program: lab, by: hand, parameters: {x: {from: 0, to: 9, default: 1}}, metrics: {loss: {goal: lower}}}")
sweep = {"sweep": "lab", "mechanism": {"program": "lab.yaml"}, "vary": {"x": [1, 2, 3]}, "objectives": {"minimize": ["loss"]}}
study = ms.open("both.db", sweep=sweep)
points = study.ask(3)
study.tell(points[0], loss=Scalar(2))
study.tell(points[1], failed=AssertionError())
for told, wanted in (({"loss": float("nan")}, "metric loss: found 'nan', expected a number"),
                     ({"loss": 1, "failed": "x"}, 'both "failed" and "metrics"'), ({"los": 1}, "has no metric 'los'")):
    try:
        study.tell(points[2], **told)
    except ms.UsageError as error:
        assert wanted in str(error), error
    else:
        raise AssertionError(f"{told} was taken")
told = study.query("SELECT loss, reason FROM lab ORDER BY x")
assert told["reason"][1] == "AssertionError" if hasattr(told, "to_dict") else told[1]["reason"] == "AssertionError"
assert len(study.front()) == 1
try:
    ms.open("c.db", sweep={**sweep, "vray": 1}).ask()
except ms.UsageError as error:
    assert str(error).startswith("the sweep:") and "vray" in str(error), error
P
python3 odd.py 2>err || fail "$(tail -n 3 err)"

# A simulator of the user's starts with consent only.
cat >twice.yaml <<'END'
program: twice
parameters: {a: {from: 0, to: 9, default: 1}}
metrics: {y: {goal: lower, read: {key: y}}}
command: [sh, -c, 'echo y = $(($1 * 2))', sh, "@a@"]
END
cat >own.py <<'P'
import memsweep as ms
sweep = {"sweep": "own", "mechanism": {"program": "twice.yaml"}, "vary": {"a": [1, 2, 3]}}
try:
    ms.run(sweep)
except ms.UsageError as error:
    assert "consent" in str(error), error
else:
    raise AssertionError("it was started")
assert len(ms.run(sweep, program="twice.yaml").frame()) == 3
P
python3 own.py 2>err || fail "$(tail -n 3 err)"

# Ctrl-C: of 400 points of 20 ms some are stored, and the same call computes the others.
cat >slow.py <<'P'
import signal
import memsweep as ms
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
try:
    ms.run({"sweep": "slow", "mechanism": "null", "fidelity": "analytic",
            "fix": {"cost": 20000000, "cost_kind": "sleep"}, "vary": {"x1": {"from": 0, "to": 1, "count": 400}}},
           threads=2)
except KeyboardInterrupt:
    print("interrupted")
P
python3 slow.py >out 2>err &
pid=$!
for _ in $(seq 100); do
    [ "$("$memsweep" query slow --sql 'SELECT count(*) AS n FROM slow' -f tsv 2>/dev/null | tail -n 1)" -gt 0 ] 2>/dev/null && break
    sleep 0.1
done
kill -INT $pid
wait $pid
has "$(cat out)" interrupted
stored=$("$memsweep" query slow --sql 'SELECT count(*) AS n FROM slow' -f tsv | tail -n 1)
[ "$stored" -gt 0 ] && [ "$stored" -lt 400 ] || fail "stored $stored of 400 points"
finish

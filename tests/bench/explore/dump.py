"""Writes a space whose designs were all run, by the closed form and in full, as one table per workload.

Usage: dump.py DATABASE SWEEP OBJECTIVE EXACT FLOOR FACTOR,... FOLDER
"""
import sqlite3
import sys

database, sweep, objective, exact, floor, factors, folder = sys.argv[1:]
factors = factors.split(",")
file = sqlite3.connect(f"file:{database}?mode=ro", uri=True)


def rows(fidelity):
    columns = ", ".join(["workload", *factors, "bound_by", exact, objective])
    return file.execute(f'SELECT {columns} FROM "{sweep}@{fidelity}" ORDER BY point').fetchall()


both = list(zip(rows("analytic"), rows("full")))
for workload in dict.fromkeys(a[0] for a, _ in both):
    mine = [(a, f) for a, f in both if a[0] == workload]
    levels = [
        sorted({a[1 + k] for a, _ in mine}, key=lambda v: (v is None, str(type(v)), v))
        for k in range(len(factors) + 1)
    ]
    place = [{v: i for i, v in enumerate(l)} for l in levels]
    with open(f"{folder}/{sweep}.{workload.replace('/', '_')}.tbl", "w") as out:
        print(len(mine), len(levels), file=out)
        print(*[len(l) for l in levels], file=out)
        print(*[int(not isinstance(l[0], str) and l[0] is not None) for l in levels], file=out)
        print(floor, file=out)
        for a, f in mine:
            assert a[-2] == f[-2], "an exact objective differs"
            print(*[place[k][a[1 + k]] for k in range(len(levels))], repr(f[-2]), repr(a[-1]), repr(f[-1]), file=out)

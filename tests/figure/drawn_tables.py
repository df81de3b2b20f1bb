# SPDX-License-Identifier: MIT
"""Draws every recipe on thirteen sweeps, and compares the table behind each figure with SQL of its own.

drawn_tables.py MEMSWEEP    prints what differs; works in the folder where it is started
"""
import csv
import math
import sqlite3
import statistics
import subprocess
import sys

bad = []
drawn = set()


def run(*words):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        bad.append(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr[:300]}")


class Sweep:
    """A sweep that was run: its rows by SQL, and the tables behind its figures."""

    rows = None  # a query that stands for its rows, where they are not those of a stored view

    def __init__(self, name, text, *options, view=None, mechanism="null"):
        with open(f"{name}.yaml", "w") as file:
            file.write(f'sweep: {name}\nmechanism: "{mechanism}"\n{text}')
        self.name, self.file, self.view = name, f"{name}.db", view or name
        run("run", f"{name}.yaml", "-o", self.file, "-q", "-t", "2", *options)

    def sql(self, text):
        with sqlite3.connect(self.file) as base:
            return base.execute(text.replace(":v", self.rows or f'"{self.view}"')).fetchall()

    def table(self, figure, *options):
        run("plot", self.file, "-s", self.view, "-F", figure, "--data", "-o", "fig", *options)
        drawn.add(figure)
        try:
            with open(f"fig/{self.view}-{figure}.tsv") as file:
                return list(csv.DictReader(file, delimiter="\t"))
        except OSError:
            return []


def number(cell):
    if cell is None or cell == "":
        return None
    try:
        return float(cell)
    except ValueError:
        return cell


def cells(rows, *names):
    return [tuple(number(row.get(name)) for name in names) for row in rows]


def close(a, b, tolerance):
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    return a == b


def rounded(row):
    return tuple(f"{x:.6g}" if isinstance(x, float) else str(x) for x in row)


def same(sweep, what, got, wanted, tolerance=1e-9):
    got = sorted(got, key=rounded)
    wanted = sorted((tuple(number(x) for x in row) for row in wanted), key=rounded)
    if not wanted:
        bad.append(f"{sweep.name} {what}: nothing to compare")
    if len(got) != len(wanted):
        bad.append(f"{sweep.name} {what}: {len(got)} rows, wanted {len(wanted)}")
    for a, b in zip(got, wanted):
        if not all(close(x, y, tolerance) for x, y in zip(a, b)):
            bad.append(f"{sweep.name} {what}: {a}, wanted {b}")
            return


def check(sweep, what, holds):
    if not holds:
        bad.append(f"{sweep.name} {what}")


def beaten(columns, a="a", b="b"):
    return " AND ".join(f"{b}.{c} <= {a}.{c}" for c in columns) + " AND (" + " OR ".join(
        f"{b}.{c} < {a}.{c}" for c in columns) + ")"


def front_of(sweep, columns, where="1"):
    """Points that no other row of their workload beats."""
    return {row[0] for row in sweep.sql(
        f"WITH r AS (SELECT * FROM :v WHERE status = 'ok' AND {where}) SELECT a.point FROM r AS a "
        f"WHERE NOT EXISTS (SELECT 1 FROM r AS b WHERE b.workload = a.workload AND {beaten(columns)})")}


def fronts(sweep, columns, where="1"):
    """The figure of the front and the parallel axes: front and rows that it dominates."""
    front = front_of(sweep, columns, where)
    rows = sweep.table("front")
    places = ", ".join(columns)
    once = {row[0] for row in sweep.sql(
        f"SELECT min(point) FROM :v WHERE status = 'ok' AND {where} GROUP BY workload, {places}")}
    same(sweep, "front", [(number(r["point"]),) for r in rows if r["front"] == "1"], [(p,) for p in front & once])
    stored = {row[0]: row[1:] for row in sweep.sql(f"SELECT point, workload, {places} FROM :v WHERE status = 'ok' AND {where}")}
    check(sweep, "front: a point that is none", all(int(r["point"]) in stored for r in rows))
    same(sweep, "front: places", cells(rows, "panel", *"xyz"[:len(columns)]), [stored[int(r["point"])] for r in rows])
    rows = sweep.table("parallel")
    on = [int(r["point"]) for r in rows if r["front"] == "1"]
    off = [int(r["point"]) for r in rows if r["front"] == "0"]
    check(sweep, f"parallel: {len(on)} of {len(front)} on the front", set(on) <= front and len(on) == min(1000, len(front)))
    check(sweep, f"parallel: {len(off)} others", not set(off) & front and len(off) == min(1000, len(stored) - len(front)))
    check(sweep, "parallel: how many there are", {int(r["of"]) for r in rows} == {len(stored)})
    same(sweep, "parallel: places", cells(rows, "panel", *columns), [stored[int(r["point"])] for r in rows])


def shapes(sweep, metric, x, series, where="1", held="1", rest="mean", aggregate="avg"):
    """Lines, heat and stack of a grid: a value and a count for each place that has rows."""
    where = f"status = 'ok' AND {metric} IS NOT NULL AND {where} AND {held}"
    options = ("-m", metric, "-x", f"{x},{series}", "--rest", rest)
    rows = sweep.table("lines", *options)
    same(sweep, f"lines, {rest}", cells(rows, "panel", "series", "x", "y"), sweep.sql(
        f"SELECT workload, {series}, {x}, {aggregate}({metric}) FROM :v WHERE {where} GROUP BY workload, {series}, {x}"))
    rows = sweep.table("heat", *options)
    steps = [{v[0]: i for i, v in enumerate(sweep.sql(f"SELECT DISTINCT {f} FROM :v ORDER BY 1"))} for f in (x, series)]
    same(sweep, f"heat, {rest}", cells(rows, "panel", "x", "y", "z"), [(w, float(steps[0][a]), float(steps[1][b]), z) for w, a, b, z in sweep.sql(
        f"SELECT workload, {x}, {series}, {aggregate}({metric}) FROM :v WHERE {where} GROUP BY workload, {x}, {series}")])


def grids():
    names = ["x1: [0.1, 0.2, 0.5, 0.9]", "gain: [1, 2, 3]", "x2: [0, 0.5, 1]"]
    vary = "vary: {" + ", ".join(names) + "}\nobjectives: {minimize: [f1, f2]}\n"
    one = Sweep("one", "workloads: [synth/even]\nfidelity: analytic\nfix: {function: zdt1}\n" + vary)
    fronts(one, ["f1", "f2"])
    shapes(one, "f2", "x1", "x2")
    several = Sweep("several", "workloads: [synth/small, synth/even]\nfidelity: analytic\nfix: {function: zdt1}\n" + vary)
    fronts(several, ["f1", "f2"])
    shapes(several, "f2", "x1", "x2")
    shapes(several, "f2", "x1", "gain", held="x2 = 0.5", rest="hold")
    rows = several.table("stack", "-x", "gain", "--rest", "mean")
    same(several, "stack", cells(rows, "panel", "x", "busy", "stall"), several.sql(
        "SELECT workload, 1.0 * (gain - 1), avg(busy), avg(stall) FROM :v GROUP BY workload, gain"))
    memory = Sweep("memory", "workloads: [trace/example, trace/lackey]\nfidelity: analytic\nvary: {stacks: [1, 2, 4]}\n", mechanism="dram")
    parts = ("energy_rows_nj", "energy_bits_nj", "energy_ready_nj")
    same(memory, "energy", cells(memory.table("energy", "-x", "stacks"), "panel", *parts), memory.sql(
        f"SELECT workload, {', '.join(parts)} FROM :v"))
    analyses_of_a_grid(several)
    third = Sweep("third", "workloads: [synth/even]\nfidelity: analytic\nfix: {function: dtlz2, x3: 0.5}\n"
                  "vary: {x1: [0.1, 0.45, 0.9], x2: [0.2, 0.5, 0.7], gain: [1, 2]}\nobjectives: {minimize: [f1, f2, f3]}\n")
    fronts(third, ["f1", "f2", "f3"])
    limited = Sweep("limited", "workloads: [synth/even, synth/small]\nfidelity: analytic\nfix: {function: zdt1}\n" + vary
                    + 'subject_to: ["x1 + x2 + gain / 10 <= 1.2"]\n')
    fronts(limited, ["f1", "f2"], "x1 + x2 + gain / 10 <= 1.2")
    shapes(limited, "f2", "x1", "gain", "x1 + x2 + gain / 10 <= 1.2", aggregate="min")
    lacking = Sweep("lacking", "workloads: [synth/even, synth/small]\nfidelity: analytic\nfix: {function: zdt1, "
                    "feasible_sum: 1.5}\nvary: {x1: [0.2, 0.6, 1], x2: [0, 0.2, 1], synth.units: [16, 32]}\n"
                    "objectives: {minimize: [f1, f2]}\n")
    fronts(lacking, ["f1", "f2"])
    shapes(lacking, "f2", "x1", "x2")
    shapes(lacking, "f1", "x1", "x2", held="synth_units = 16", rest="hold")


def effects(sweep, factors, metric, over=""):
    """Variances of the means of a grid: of one factor, of two, and of all but one."""
    def of(names):
        means = [r[0] for r in sweep.sql(f"SELECT avg({metric}) FROM :v {over} GROUP BY {', '.join(names)}")]
        return statistics.pvariance(means)
    whole = of(factors)
    first = {f: of([f]) / whole for f in factors}
    total = {f: 1 - of([g for g in factors if g != f]) / whole for f in factors}
    pairs = {(f, g): of([f, g]) / whole - first[f] - first[g]
             for i, f in enumerate(factors) for g in factors[i + 1:]}
    return first, total, pairs


def analyses_of_a_grid(sweep):
    factors = ["x1", "gain", "x2"]
    run("sensitivity", sweep.file, "-m", "f2", "--over", "none", "--second", "--save")
    first, total, pairs = effects(sweep, factors, "f2")
    same(sweep, "sensitivity", cells(sweep.table("sensitivity"), "series", "first", "total"),
         [(f, first[f], total[f]) for f in factors])
    got = {tuple(sorted((r["x"], r["series"]))): number(r["z"]) for r in sweep.table("interactions")}
    check(sweep, f"interactions {got}", got.keys() == {tuple(sorted(p)) for p in pairs} and all(
        close(got[tuple(sorted(p))], z, 1e-9) for p, z in pairs.items()))
    run("sensitivity", sweep.file, "-m", "f2", "--method", "oat", "-g", "workload", "--save")
    centre = {"x1": 0.5, "gain": 1, "x2": 0.5}
    wanted = []
    for f in factors:
        fixed = " AND ".join(f"{g} = {v}" for g, v in centre.items() if g != f)
        wanted += [(w, f, low, high, high - low) for w, low, high in sweep.sql(
            f"SELECT workload, min(f2), max(f2) FROM :v WHERE {fixed} GROUP BY workload")]
    same(sweep, "tornado", cells(sweep.table("tornado"), "panel", "series", "low", "high", "swing"), wanted)


def place(values, ends):
    """Where values lie on the paper, from 0 to 1: an axis that spans more than a factor of 20 is logarithmic."""
    return [math.log(v / low) / math.log(high / low) if 0 < 20 * low < high < 1e6 * low else (v - low) / (high - low)
            for v, (low, high) in zip(values, ends)]


def many():
    """10^5 rows: bins, thinned planes, thinned lines."""
    many = Sweep("many", "workloads: [synth/even, synth/small]\nfidelity: analytic\ndesign: {kind: random, points: 50000}\n"
                 "vary: {x1: {from: 0, to: 1}, gain: [1, 2, 3], x2: {from: 0, to: 1}}\nfix: {function: zdt1}\n"
                 "objectives: {minimize: [f1, f2]}\n")
    stored = {r[0]: r[1:] for r in many.sql("SELECT point, workload, f1, f2, gain FROM :v")}
    front = set()
    for workload in ("synth/even", "synth/small"):  # by sorting: 10^10 comparisons are too many
        least = math.inf
        for f2, point in ((v[2], p) for p, v in sorted(stored.items(), key=lambda i: i[1][1:3]) if v[0] == workload):
            if f2 < least:
                least = f2
                front.add(point)
    rows = many.table("front")
    on = [int(r["point"]) for r in rows if r["front"] == "1"]
    check(many, "front: a point that is beaten", set(on) <= front)
    ends = [(min(c), max(c)) for c in zip(*(v[1:3] for v in stored.values()))]
    shown = [(stored[p][0], place(stored[p][1:3], ends)) for p in on]
    for point in front:  # each is drawn, or another one less than a 100th of the paper from it
        at = place(stored[point][1:3], ends)
        check(many, f"front: {point} is not drawn", any(
            w == stored[point][0] and max(abs(a - b) for a, b in zip(at, q)) < 0.01 for w, q in shown))
    same(many, "front: places", cells(rows, "panel", "x", "y"), [stored[int(r["point"])][:3] for r in rows])
    rows = many.table("parallel")
    off = [r for r in rows if r["front"] == "0"]
    check(many, f"parallel: {len(off)} others", len({r["point"] for r in off}) == 1000 and {r["of"] for r in rows} == {"100000"})
    same(many, "parallel: places", cells(rows, "panel", "f1", "f2", "gain"), [stored[int(r["point"])] for r in rows])
    for level in "123":
        share = sum(r["gain"] == level for r in off) / len(off)
        check(many, f"parallel: {share} of the lines at gain {level}", 0.26 < share < 0.41)
    ends = many.sql("SELECT min(x1), max(x1) FROM :v")[0]
    rows = many.table("lines", "-m", "f2", "-x", "x1,gain", "--rest", "mean")
    check(many, f"lines: {sum(int(r['points']) for r in rows)} rows in bins", sum(int(r["points"]) for r in rows) == 100000)
    same(many, "lines", cells(rows, "panel", "series", "y"), many.sql(
        f"SELECT workload, gain, avg(f2) FROM :v GROUP BY workload, gain, min(15, CAST((x1 - {ends[0]!r}) / ({ends[1]!r} - {ends[0]!r}) * 16 AS INTEGER))"), 2e-2)


def chosen_and_measured():
    chosen = Sweep("chosen", "workloads: [synth/small, synth/even]\nfidelity: auto\nauto: {budget: 30%, batch: 20}\n"
                   "vary: {gain: [1, 2, 3], carry: {from: 0, to: 1, count: 5}, x1: [0.1, 0.5]}\n"
                   'derive: {price: "1 / gain + (1 - carry) + x1"}\nobjectives: {minimize: [slowdown, price]}\n')
    fronts(chosen, ["slowdown", "price"], "fidelity = 'full'")
    joint = Sweep("joint", "workloads: [synth/small, synth/even]\nfidelity: auto\n"
                  "auto: {budget: 40%, batch: 20, over: workload}\n"
                  "vary: {gain: [1, 2, 3], carry: {from: 0, to: 1, count: 5}, x1: [0.1, 0.5]}\n"
                  'derive: {price: "1 / gain + (1 - carry) + x1"}\nobjectives: {minimize: [slowdown, price]}\n', view="joint@worst")
    joint.rows = ("(SELECT design_index AS point, 'worst of 2' AS workload, 'ok' AS status, max(slowdown) AS slowdown, "
                  "max(price) AS price FROM joint WHERE fidelity = 'full' GROUP BY design_index HAVING count(*) = 2)")
    fronts(joint, ["slowdown", "price"])
    two = Sweep("two", "workloads: [synth/even, synth/skewed]\nfidelity: sampled\nsampling: {target: 10%, pilot: 20}\n"
                "vary: {gain: [1, 1.2, 1.4, 2], carry: [0, 0.2, 0.5, 1]}\n"
                'derive: {price: "1 / gain + slowdown / 9"}\nobjectives: {minimize: [slowdown, price]}\n')
    for part in "01":
        run("run", "two.yaml", "--fidelity", "full", "--shard", f"{part}/2", "-t", str(1 + int(part)), "-o", f"part{part}.db", "-q")
    run("merge", "measured.db", "two.db", "part0.db", "part1.db")
    two.file, two.view = "measured.db", "two@sampled"
    rows = two.table("agreement")
    same(two, "agreement", cells(rows, "panel", "x", "y", "x_hw", "y_hw"), two.sql(
        "SELECT a.workload, f.slowdown, a.slowdown, coalesce(f.slowdown_hw, 0.0), coalesce(a.slowdown_hw, 0.0) FROM :v AS a "
        'JOIN "two@full" AS f ON f.workload = a.workload AND f.gain = a.gain AND f.carry = a.carry'))
    rows = two.table("convergence")
    measured = dict(two.sql("SELECT point, slowdown_hw / slowdown FROM :v WHERE slowdown_hw > 0 AND units_measured < units_total"))
    check(two, "convergence: rows", sum(int(r["points"]) for r in rows) == len(measured))
    same(two, "convergence", cells(rows, "point", "y"), [(int(r["point"]), measured.get(int(r["point"]))) for r in rows])
    rows = two.table("detail", "-x", "carry,gain", "--rest", "mean")
    same(two, "detail", cells(rows, "panel", "series", "x", "y"), two.sql(
        "SELECT r.workload, r.gain, d.stratum, avg(d.mean_weight) FROM :v AS r JOIN detail_null_strata AS d "
        "ON d.row_id = r.row_id GROUP BY 1, 2, 3"))
    uncertain(two)
    two.view = "two"
    rows = two.table("scaling")
    same(two, "scaling", cells(rows, "x", "y"), two.sql(
        "SELECT ranks * threads, avg(row_count / max(1e-3, (julianday(ended) - julianday(started)) * 86400)) FROM msw_run "
        'WHERE sweep = 2 GROUP BY 1'), 1e-6)


def uncertain(sweep):
    """Rows, half-widths and the rule of who may be on the front: beaten for sure is none of them."""
    rows = sweep.table("uncertain")
    stored = {r[0]: r[1:] for r in sweep.sql("SELECT point, workload, slowdown, price, coalesce(slowdown_hw, 0.0), "
                                             "coalesce(slowdown_hw, 0.0) / 9 FROM :v")}
    same(sweep, "uncertain: places", cells(rows, "panel", "x", "y", "x_hw", "y_hw"), [stored[int(r["point"])] for r in rows])
    measured = front_of(sweep, ["slowdown", "price"])
    may = {int(r["point"]) for r in rows if r["kind"] != "-1"}
    check(sweep, f"uncertain: points of the measured front that are not drawn: {measured - may}", measured <= may)
    check(sweep, "uncertain: no point that is beaten for sure", any(r["kind"] == "-1" for r in rows))
    sure = {int(r["point"]) for r in rows if r["kind"] == "1"}
    check(sweep, f"uncertain: certain and not on the measured front: {sure - measured}", sure <= measured)


def designs():
    walk = Sweep("walk", "workloads: [synth/even, synth/small]\nfidelity: analytic\ndesign: {kind: morris, trajectories: 6}\n"
                 "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}}\nfix: {function: ishigami}\n")
    run("sensitivity", walk.file, "-m", "y", "-g", "workload", "--save")
    wanted = []
    for workload in ("synth/even", "synth/small"):
        rows = walk.sql(f"SELECT x1, x2, x3, y FROM :v WHERE workload = '{workload}' ORDER BY point")
        moves = [[], [], []]
        for i, (a, b) in enumerate(zip(rows, rows[1:])):
            if i % 4 != 3:
                moved, = [f for f in range(3) if a[f] != b[f]]
                moves[moved].append((b[3] - a[3]) / (b[moved] - a[moved]))
        wanted += [(workload, f"x{f + 1}", statistics.mean(map(abs, m)), statistics.stdev(m)) for f, m in enumerate(moves)]
    same(walk, "morris", cells(walk.table("morris"), "panel", "series", "x", "y"), wanted)
    salt = Sweep("salt", "workloads: [synth/even]\nfidelity: analytic\ndesign: {kind: saltelli, base_rows: 64}\n"
                 "vary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}}\nfix: {function: ishigami}\n")
    run("sensitivity", salt.file, "-m", "y", "--convergence", "--save")
    y = [r[0] for r in salt.sql("SELECT y FROM :v ORDER BY point")]
    wanted = []
    for base in (16, 32, 64):
        blocks = [y[i * 5:i * 5 + 5] for i in range(base)]
        spread = statistics.pvariance([b[i] for b in blocks for i in (0, 4)])
        wanted += [(f"x{f}", base, statistics.mean((b[0] - b[f]) ** 2 for b in blocks) / 2 / spread) for f in (1, 2, 3)]
    same(salt, "settling", cells(salt.table("settling"), "series", "x", "y"), wanted)
    same(salt, "sensitivity", cells(salt.table("sensitivity"), "series", "total"), [(f, t) for f, n, t in wanted if n == 64])


class Paper(Sweep):
    """What `calibrate` kept, beside the table of settings that it wrote."""

    def __init__(self):
        self.name, self.file, self.view = "toy-sum", "results/paper/toy.db", "toy-sum"


def regions():
    toy = Paper()
    with open("results/paper/toy-settings.tsv") as file:
        settings = [r for r in csv.DictReader(file, delimiter="\t") if r["worst"]]
    kind = {("1", "full"): 1.0, ("1", "analytic"): -1.0, ("0", "full"): 0.0, ("0", "analytic"): -1.0}
    at = lambda r, u: number(f"{number(r[u]):.4g}")
    known = {(at(r, u), min(number(r["worst"]), 30.0), kind[r["left"], r["fidelity"]]): u
             for r in settings for u in ("x1", "x2")}
    rows = toy.table("region")
    check(toy, "region: a setting that is none", all(known.get(cells([r], "x", "y", "kind")[0]) == r["panel"] for r in rows))
    for k in set(kind.values()):
        all_of = sum(kind[r["left"], r["fidelity"]] == k for r in settings)
        drawn_of = sum(number(r["kind"]) == k and r["panel"] == "x1" for r in rows)
        check(toy, f"region: {drawn_of} of {all_of} of kind {k}", drawn_of == (all_of if k == 1 else min(100, all_of)))
    rows = toy.table("region_pairs")
    places = {(at(r, "x1"), at(r, "x2"), min(number(r["worst"]), 12.0)) for r in settings}
    turned = "x" if all(r["panel"] == "x2 over x1" for r in rows) else "y"
    got = {cells([r], turned, "xy".replace(turned, ""), "worst")[0] for r in rows}
    check(toy, f"region_pairs: {len(got)} of {len(places)}", got <= places and len(got) == min(1000, len(places)))


def vectors_of(points):
    return sorted({p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)})


def area(front, corner):
    total, y = 0.0, corner[1]
    for p in front:
        total += max(0.0, corner[0] - p[0]) * max(0.0, y - p[1])
        y = min(y, p[1])
    return total


def attained(runs, k):
    out, last = [], math.inf
    for x in sorted(p[0] for r in runs for p in r):
        y = sorted(min((p[1] for p in r if p[0] <= x), default=math.inf) for r in runs)[k - 1]
        if y < last:
            out.append((x, y))
            last = y
    return out


def searches():
    text = ("workloads: [synth/even]\nfidelity: analytic\ndesign: {kind: search, evaluations: 120, audit: 10}\n"
            "vary: {x1: {from: 0.1, to: 1}, x2: {from: 0, to: 1}}\nfix: {function: zdt1}\nobjectives: {minimize: [f1, f2]}\n")
    runs = []
    for seed in ("1", "2", "3"):
        seek = Sweep("seek", text, "--seed", seed)
        runs.append(seek.sql("SELECT f1, f2 FROM :v ORDER BY point"))
    drawn_rows, logs = seek.table("growth"), [tuple(map(math.log, p)) for p in runs[-1]]
    last = vectors_of(logs)
    corner = [max(c) + 0.1 * (max(c) - min(c)) for c in zip(*last)]
    wanted = []
    for x in sorted({int(r["x"]) for r in drawn_rows}):
        front = vectors_of(logs[:x])
        wanted += [("hypervolume", x, area(front, corner) / area(last, corner)),
                   ("vectors of the front", x, len(front) / len(last))]
    same(seek, "growth", cells(drawn_rows, "series", "x", "y"), wanted)
    check(seek, "growth: its end", max(w[1] for w in wanted) == len(logs))
    run("pareto", seek.file, "-s", "seek", "--seeds", "--save")
    wanted = [("this, " + word, *p) for k, word in ((1, "one"), (2, "half"), (3, "all")) for p in attained(runs, k)]
    same(seek, "attainment", cells(seek.table("attainment"), "series", "x", "y"), wanted)


grids()
searches()
many()
chosen_and_measured()
designs()
regions()
print("\n".join(bad))
print("recipes:", " ".join(sorted(drawn)), file=sys.stderr)

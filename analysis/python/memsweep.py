# SPDX-License-Identifier: MIT
"""memsweep from Python: run sweeps, read their rows, ask for one answer or many.

The program `memsweep` does the work, as a process of its own; rows are read from its database, which
is SQLite. The standard library is enough; with pandas, tables are data frames. MEMSWEEP names the
program where it is not on the path.

    import memsweep as ms
    study = ms.run({"sweep": "mmu", "mechanism": "neummu", "fidelity": "analytic",
                    "vary": {"ptw_count": [8, 32, 128]},
                    "objectives": {"minimize": ["slowdown", "sram_bytes"]}})
    study.frame()
    study.front()
"""

import html
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import tempfile
import threading

__all__ = ["run", "open", "evaluate", "Evaluator", "Point", "Study", "Rows", "Error", "SomeFailed", "UsageError",
           "FileTrouble", "InternalError"]

try:
    import pandas
except ImportError:
    pandas = None


# ---- errors: one class for each exit code ----

class Error(Exception):
    """What the program said; `code` is its exit code."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class SomeFailed(Error):
    """Some points are not answered (1); `study` has the others."""

    study = None


class UsageError(Error, ValueError):
    """Wrong usage, or a wrong sweep (2)."""


class FileTrouble(Error, OSError):
    """Trouble with a file or the machine (3)."""


class InternalError(Error):
    """An error of memsweep itself (4)."""


_ERRORS = {1: SomeFailed, 2: UsageError, 3: FileTrouble}


def _fail(code, said):
    lines = [line for line in said.splitlines() if line.strip() and not _PROGRESS.search(line)]
    message = "\n".join(line[10:] if line.startswith("memsweep: ") else line for line in lines)
    raise _ERRORS.get(code, InternalError)(message or f"memsweep ended with {code}", code)


# ---- the program ----

_PROGRESS = re.compile(r"^ *\d+ % ([\d,]+) of ([\d,]+) points")


def _program():
    return os.environ.get("MEMSWEEP", "memsweep")


def _start(words, **more):
    try:
        # A session of its own: Ctrl-C reaches it once, from here, and not from the terminal, too.
        return subprocess.Popen([_program(), *words], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True, **more)
    except FileNotFoundError as error:
        raise FileTrouble(f"there is no program '{_program()}': install memsweep, or name it in MEMSWEEP",
                          3) from error


def _watch(pipe, on_progress, said):
    """Reads standard error; lines of progress end with a carriage return."""
    line = ""
    while True:
        byte = pipe.read(1)
        if byte in ("\r", "\n", ""):
            found = _PROGRESS.search(line)
            if found and on_progress:
                on_progress(*(int(number.replace(",", "")) for number in found.groups()))
            elif line and not found:
                said.append(line)
            line = ""
        if byte == "":
            return
        if byte not in "\r\n":
            line += byte


def _call(words, text="", on_progress=None):
    """Runs a command to its end. Returns what it printed."""
    said = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        process = _start(words, stdout=printed)
        watcher = threading.Thread(target=_watch, args=(process.stderr, on_progress, said), daemon=True)
        watcher.start()
        try:
            try:
                process.stdin.write(text)
                process.stdin.close()
            except BrokenPipeError:
                pass
            code = process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # it stores the points in hand, and ends
            process.wait()
            raise
        finally:
            watcher.join()
            process.stderr.close()
        printed.seek(0)
        out = printed.read()
    if code:
        _fail(code, "\n".join(said))
    return out


def _json(value):
    """As JSON: numbers of numpy are numbers, and nan, which JSON lacks, is a text that is refused by name."""
    def other(found):
        for method in ("tolist", "item"):  # arrays and scalars of numpy
            if hasattr(found, method):
                return getattr(found, method)()
        raise TypeError(f"{type(found).__name__} cannot be sent to memsweep: {found!r}")

    def finite(found):
        if isinstance(found, float) and not math.isfinite(found):
            return str(float(found))
        if isinstance(found, dict):
            return {name: finite(one) for name, one in found.items()}
        return [finite(one) for one in found] if isinstance(found, (list, tuple)) else found

    try:
        return json.dumps(value, default=other, allow_nan=False)
    except ValueError:
        return json.dumps(finite(json.loads(json.dumps(value, default=other))))


def _options(**values):
    words = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, ", ".join(value) if isinstance(value, (list, tuple)) else str(value)]
    return words


# ---- rows ----

class Rows(list):
    """Rows as dicts, in order; `units` of the columns that have one. Without pandas, a table."""

    def __init__(self, rows=(), units=None):
        super().__init__(rows)
        self.units = units or {}

    @property
    def columns(self):
        return list(self[0]) if self else []

    def column(self, name):
        return [row[name] for row in self]

    def _repr_html_(self):
        def cell(value):
            return html.escape("" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value))

        def head(name):
            return html.escape(name + (f" [{self.units[name]}]" if self.units.get(name) else ""))

        lines = ["".join(f"<th>{head(name)}</th>" for name in self.columns)]
        lines += ["".join(f"<td>{cell(value)}</td>" for value in row.values()) for row in self[:60]]
        more = f"<p>{len(self)} rows</p>" if len(self) > 60 else ""
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>" + more


def _frame(rows, units):
    if pandas is None:
        return Rows(rows, units)
    frame = pandas.DataFrame(rows)
    frame.attrs["units"] = {name: unit for name, unit in units.items() if name in frame.columns}
    return frame


class Front:
    """Points that no other point beats: `rows`, and a picture where gnuplot is installed."""

    def __init__(self, study, rows, options):
        self.rows, self._study, self._options = rows, study, options

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows.to_dict("records") if pandas is not None else self.rows)

    def _repr_html_(self):
        return self.rows._repr_html_()

    def svg(self):
        """The figure of the front as SVG, or None where it cannot be drawn."""
        words = {k: v for k, v in self._options.items() if k in ("over", "by", "filter", "fidelity", "doubtful")}
        with tempfile.TemporaryDirectory() as folder:
            try:
                _call(["plot", self._study.path, "--figure", "front", "-o", folder,
                       *_options(sweep=self._study.sweep, **words)])
            except Error:
                return None
            for name in sorted(os.listdir(folder)):
                if name.endswith(".svg"):
                    with io_open(os.path.join(folder, name), encoding="utf-8") as file:
                        return file.read()
        return None

    def _repr_svg_(self):
        return self.svg()


io_open = open  # `open` below opens databases


class Point:
    """A point to evaluate: `values` by name, `workload`, `fidelity`, and the `key` that `tell` wants."""

    def __init__(self, given):
        for name in ("key", "workload", "fidelity", "replicate", "deadline", "values"):
            setattr(self, name, given[name])

    def __repr__(self):
        return f"Point({self.values}, {self.workload!r}, {self.fidelity!r})"


class Study:
    """A sweep in a database."""

    def __init__(self, path, sweep=None):
        self._asks = sweep is not None and (isinstance(sweep, dict) or sweep.endswith((".yaml", ".yml")))
        if not self._asks and not os.path.exists(path):
            raise FileTrouble(f"no database '{path}'", 3)
        name = sweep.get("sweep") if isinstance(sweep, dict) else None if self._asks else sweep
        self.path, self.sweep, self._file = path, name, sweep

    def _hand(self, command, text="", **options):
        if not self._asks:
            raise UsageError(f"{command}: open the study with its sweep: ms.open(path, sweep='FILE.yaml')", 2)
        if not isinstance(self._file, dict):
            return _call([command, self._file, "-o", self.path, *_options(**options)], text)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=".", encoding="utf-8") as file:
            file.write(_json(self._file))  # beside the definition that it names
            file.flush()
            try:
                return _call([command, file.name, "-o", self.path, *_options(**options)], text)
            except Error as error:  # the file is gone when anybody reads this
                raise type(error)(re.sub(re.escape(file.name) + r"(:1:\d+)?", "the sweep", str(error)),
                                  error.code) from None

    def ask(self, count=1, lease="1h", again=False, retry=False):
        """Points to evaluate, which nobody else is given until the lease expires; [] when none is left.

        again=True also gives those that are handed out: to go on after a loop was killed."""
        given = self._hand("ask", count=count, lease=lease, again=again, retry=retry, format="json")
        return [Point(point) for point in json.loads(given)]

    def tell(self, point, failed=None, infeasible=None, **metrics):
        """Stores the answer of a point: its metrics, or why there is none."""
        ends = {"failed": failed, "infeasible": infeasible}
        # An exception may have no words: its name says something, too.
        answer = {name: str(why) or type(why).__name__ for name, why in ends.items() if why not in (None, False)}
        answer = {**answer, **({"metrics": metrics} if metrics or not answer else {})}
        self.tell_all([(point, answer)])

    def tell_all(self, answers):
        """Stores many at once, or none: pairs of a point and its metrics, or {"failed": why}."""
        lines = []
        for point, answer in answers:
            ended = set(answer) & {"metrics", "failed", "infeasible"}
            lines.append(_json({"key": getattr(point, "key", point), **(answer if ended else {"metrics": answer})}))
        self._hand("tell", "\n".join(lines) + "\n", quiet=True)

    def __repr__(self):
        return f"Study({self.path!r}" + (f", {self.sweep!r})" if self.sweep else ")")

    def _read(self, command, **options):
        options.setdefault("sweep", self.sweep)
        return json.loads(_call([command, self.path, *_options(**options), "--format", "json"]))

    def _units(self):
        return {name: column["unit"] for name, column in self.columns.items() if column["unit"]}

    @property
    def columns(self):
        """What the columns are: name -> {role, unit, kind, goal, doc}."""
        names = ("role", "unit", "kind", "goal", "doc")
        with sqlite3.connect(f"file:{os.path.abspath(self.path)}?mode=ro", uri=True) as db:
            rows = db.execute(f"SELECT name, {', '.join(names)} FROM msw_column").fetchall()
        db.close()
        return {row[0]: dict(zip(names, row[1:])) for row in rows}

    def frame(self, columns=None, where=None, order=None, limit=None, fidelity=None):
        """Rows of the sweep: a data frame with units in `attrs`, or Rows without pandas."""
        rows = self._read("query", columns=columns, filter=where, order=order, limit=limit, fidelity=fidelity,
                          all=columns is None)
        return _frame(rows, self._units())

    def query(self, sql):
        """Rows of your own SELECT."""
        rows = json.loads(_call(["query", self.path, "--sql", sql, "--format", "json"]))
        return _frame(rows, self._units())

    def front(self, minimize=None, maximize=None, **options):
        """Points that no other point beats; options are those of `memsweep pareto`."""
        rows = self._read("pareto", minimize=minimize, maximize=maximize, **options)
        return Front(self, _frame(rows, self._units()), options)

    def sensitivity(self, metric, **options):
        """Which factors a metric depends on; options are those of `memsweep sensitivity`."""
        return _frame(self._read("sensitivity", metric=metric, **options), {})


def open(path, sweep=None):  # pylint: disable=redefined-builtin
    """A study of a database. `sweep`: which, where it holds several; or, to ask and tell, its file or dict."""
    return Study(path, sweep)


def run(sweep, database=None, threads=0, fidelity=None, on_progress=None, retry=False, program=None):
    """Computes what is missing of a sweep: a dict, as a sweep file has it, or the path of one.

    on_progress(done, points) is called while it runs. Returns the Study. Ctrl-C stores what is done
    and raises KeyboardInterrupt; the same call goes on. Where points failed, SomeFailed has the study
    with all that is answered as `study`. A sweep of a simulator of yours starts it only with your
    consent: program="DEFINITION.yaml".
    """
    text = _json(sweep) if isinstance(sweep, dict) else ""
    name = sweep.get("sweep", "sweep") if isinstance(sweep, dict) else os.path.splitext(os.path.basename(sweep))[0]
    path = database or os.path.join(os.environ.get("MEMSWEEP_RESULTS", "results"), f"{name}.db")
    study = sweep.get("sweep") if text else None
    words = ["run", "-" if text else str(sweep), "-o", path]
    words += _options(threads=threads or None, fidelity=fidelity, retry=retry, program=program,
                      quiet=on_progress is None)
    try:
        _call(words, text, on_progress)
    except SomeFailed as error:
        error.study = Study(path, study)
        raise
    return Study(path, study)


# ---- answers without a database ----

class Evaluator:
    """One process that answers point after point, for loops: thousands of answers a second.

    with ms.Evaluator("neummu", workload="resnet50/b1", fidelity="analytic") as answer:
        answer(ptw_count=8)["slowdown"]
    """

    def __init__(self, mechanism, workload=None, fidelity="full", preset=None, seed=None):
        words = ["eval", mechanism, "--stdin", *_options(workload=workload, fidelity=fidelity, preset=preset,
                                                         seed=seed)]
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")
        try:
            self._process = subprocess.Popen([_program(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=self._said, text=True, start_new_session=True)
        except FileNotFoundError as error:
            raise FileTrouble(f"there is no program '{_program()}'", 3) from error

    def __call__(self, **values):
        try:
            self._process.stdin.write(_json(values) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self._process.wait()
            self._said.seek(0)
            _fail(code or 4, self._said.read())
        answer = json.loads(line)
        if "error" in answer:
            raise UsageError(answer["error"], 2)
        return answer

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._said.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def evaluate(mechanism, workload=None, fidelity="full", preset=None, **values):
    """One answer: all metrics of one configuration, as a dict."""
    with Evaluator(mechanism, workload, fidelity, preset) as answer:
        return answer(**values)

"""Acts on a report as its reader would, and checks what is seen; prints what is wrong.

report_page.py small PAGE FOLDER    a page of every column, exactly
report_page.py large PAGE FOLDER    a page of rounded columns; CSV beside that of `memsweep query`
report_page.py hostile PAGE FOLDER  a page made of a database that means harm
report_page.py opens PAGE FOLDER    a page of few rows, or none
report_page.py watch PAGE FOLDER    a page that loads itself again
report_page.py speed PAGE FOLDER    prints load, brush and cube times of a page
"""
import csv
import math
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import browser as chromium  # noqa: E402

bad = []
SETTLED = "Number(document.documentElement.dataset.settled || 0)"


def same(got, wanted, what):
    if got != wanted:
        bad.append(f"{what}: {got!r}, wanted {wanted!r}")


def check(holds, what):
    if not holds:
        bad.append(what)


def ready(page, seconds=60):
    page.wait(f"document.readyState === 'complete' && {SETTLED} >= 1 && !settling.under && !redrawing.under", seconds)


def act(page, what, seconds=60):
    """Runs something that changes the selection, and waits for all that follows."""
    before = page.run(SETTLED)
    page.run(what + "; 1") if isinstance(what, str) else what()
    page.wait(f"{SETTLED} > {before} && !settling.under && !redrawing.under", seconds)


def count(page):
    return page.run("byId('count').value")


def selected(page):
    return int(count(page).split(" ")[0].replace(",", ""))


def axis(page, name):
    """Where an axis stands in the window: x, its lowest y, its highest y."""
    page.run("byId('parallel').scrollIntoView({block: 'center'}); 1")
    return page.run("(() => {const a = parallel.axes.find((a) => a.name === '%s'), r = byId('parallel')"
                    ".getBoundingClientRect(); return [r.x + a.x, r.y + parallel.height - parallel.margin.bottom,"
                    " r.y + parallel.margin.top]})()" % name)


def brush(page, name, low, high):
    x, bottom, top = axis(page, name)
    y = [bottom + share * (top - bottom) for share in (high, (low + high) / 2, low)]
    page.mouse("mouseMoved", x, y[0])
    page.wait("few() || !prepare.under")
    act(page, lambda: page.drag((x, y[0]), (x, y[1]), (x, y[2])))


def saved(page, button):
    page.run("byId('text').value = ''; delete document.documentElement.dataset.saved; byId('%s').click(); 1" % button)
    page.wait("document.documentElement.dataset.saved")
    return page.run("byId('text').value")


def rows_of(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


# ---- small ----

def by_mouse(page, folder):
    total = selected(page)
    same(page.run("[...document.querySelectorAll('#front tbody td:first-child')].map((c) => 1 + Number((/and (\\d+) more/.exec(c.textContent) || [0, 0])[1])).reduce((a, b) => a + b)"),
         page.run("report.front.count"), "points of the front")
    page.run("const far = {...columnOf.get('f1'), name: 'far', labels: undefined, unit: '', goal: -1, role: '', values: Float64Array.of(NaN, 1, 1.001, 1.01, 2, 9)}; 1")
    same(page.run("[shiftOf(far), prefersLog(far), scaleOf(far, true, [0, 1])(1)]"), [1, True, 0], "the scale of a slowdown")
    same(page.run("[2097152, 1536, 1000].map((v) => numberText(v, {unit: 'B'}))"), ["2 MiB", "1,536 B", "1,000 B"], "bytes")
    same(page.run("document.querySelector('main h2').textContent"), "Front", "what comes first")
    brush(page, "x1", -0.02, 0.55)
    number = selected(page)
    check(0 < number < total, f"brushing an axis selected {count(page)}")
    same(page.run("document.querySelectorAll('#selection tbody tr').length"), number, "rows of the table")
    rows = rows_of(saved(page, "csv"))
    same(len(rows), number, "rows saved")
    check(all(float(r["x1"]) <= 0.55 for r in rows), "a row saved that is not selected")
    same(number, page.run("held.all.filter((r) => r.value(columnOf.get('x1'))[0] <= 0.55).length"), "rows below 0.55")
    with open(os.path.join(folder, "saved.yaml"), "w") as file:
        file.write(saved(page, "sweep"))
    act(page, "byId('clear').click()")
    same(selected(page), total, "count after selecting all")


def by_keyboard(page):
    total = selected(page)
    page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; }); 1")
    act(page, "const i = byId('range-1-x1'); i.value = '0.1'; i.dispatchEvent(new Event('change'))")
    same(selected(page), page.run("held.all.filter((r) => r.value(columnOf.get('x1'))[0] <= 0.1).length"), "x1 up to 0.1")
    same(page.run("document.activeElement.id"), "range-1-x1", "what has the focus")
    act(page, "byId('clear').click()")
    page.run("document.querySelector('#parallel .axis .end').focus(); 1")
    act(page, lambda: page.key("ArrowUp"))
    check(selected(page) < total, "the arrow key moved no end of a range")
    act(page, lambda: page.key("Home"))
    same(selected(page), total, "count with the end back")
    names = page.run("state.axes.map((a) => a.name)")
    page.run(f"byId('axis-{names[0]}').focus(); 1")
    act(page, lambda: page.key("ArrowRight"))
    same(page.run("state.axes.map((a) => a.name)"), [names[1], names[0], *names[2:]], "axes after moving one")
    act(page, lambda: page.key("i"))
    same(page.run("state.axes[1].inverted"), True, "whether the axis is inverted")
    same(page.run("document.activeElement.id"), f"axis-{names[0]}", "focus after inverting")


def by_label(page):
    act(page, "byId('label-0-function').click()")
    wanted = page.run("held.all.filter((r) => r.text(columnOf.get('function')) !== columnOf.get('function').labels[0]).length")
    same(selected(page), wanted, "without a label")
    act(page, "byId('add-selection').click()")
    same(selected(page), page.run("report.shown"), "a second selection")
    same(page.run("document.querySelectorAll('#selections .tab').length"), 2, "selections")


def state_is_kept(browser, page, address):
    first = page.run("[byId('count').value, location.hash, JSON.stringify(state.axes), state.active]")
    again = browser.open(address + first[1])
    ready(again)
    same(again.run("[byId('count').value, location.hash, JSON.stringify(state.axes), state.active]"), first, "state of an address")
    act(again, "byId('selection-0').click()")
    act(page, "byId('selection-0').click()")
    same(count(again), count(page), "the other selection")
    for hash_ in ("#", "#%7B", "#%E0%A4%A", "#null", '#{"s":[[["x1",{"range":["a",null]}],["nothing",{}],7],5],"a":[3,["<b>"]],"x":"<img>","p":["1",2.5]}'):
        odd = browser.open(address + urllib.parse.quote(hash_, safe="#%"))
        ready(odd)
        same(selected(odd), page.run("report.shown"), f"rows for the address {hash_}")
        same(odd.said, [], f"console for the address {hash_}")
    return again.said


def details_and_order(page):
    page.run("document.querySelector('#front th button').click(); 1")
    same(page.run("document.querySelector('#front th').ariaSort"), "ascending", "order of the front")
    page.run("byId('detail').replaceChildren(); byId('scatter').scrollIntoView({block: 'center'}); 1")
    place = page.run("(() => {const r = byId('scatter').getBoundingClientRect(), f = held.front[0]; return "
                     "[r.x + scatter.x.at[f.code(scatter.x.column)], r.y + scatter.y.at[f.code(scatter.y.column)]]})()")
    page.mouse("mouseMoved", *place)
    page.wait("document.querySelectorAll('#detail dt').length > 10")


def small(browser, address, folder):
    page = browser.open(address)
    ready(page)
    by_mouse(page, folder)
    by_keyboard(page)
    by_label(page)
    details_and_order(page)
    check(page.run("byId('shares').textContent.includes('x1')"), "no shares of the variance")
    check(page.run("byId('answer').textContent.includes('Front over workloads')"), "no front over workloads")
    check(page.run("byId('known').textContent.includes('Importance of factors')"), "no importance of factors")
    return page.said + state_is_kept(browser, page, address)


# ---- large ----

def compare(page, exact, rows):
    """Levels as they are, the rest within half a step, the front exactly."""
    about = {c["name"]: c for c in page.run("columns.map(({name, steps, low, high, log, labels}) => ({name, steps, low, high, log, text: Boolean(labels)}))")}
    rough = {row["point"] for row in rows if row["exact"] == "0"}
    off = 0
    for row in rows:
        wanted = exact[row["point"]]
        for name, c in about.items():
            if c["text"] or not row[name]:
                same(row[name], wanted[name], f"{name} of point {row['point']}")
            elif not c.get("steps") or row["point"] not in rough:
                same(float(row[name]), float(wanted[name]), f"{name} of point {row['point']}")
            else:
                place = (lambda v: math.log(v / c["low"]) / math.log(c["high"] / c["low"])) if c["log"] else (
                    lambda v: (v - c["low"]) / (c["high"] - c["low"]))
                step = abs(place(float(row[name])) - place(float(wanted[name]))) * (c["steps"] - 1)
                off = max(off, step)
                check(step <= 0.5000001, f"{name} of point {row['point']} is off by {step} steps")
    check(rough and off > 0.2, "nothing was rounded")


def large(browser, address, folder):
    page = browser.open(address)
    ready(page)
    total = page.run("report.shown")
    same(page.run("few()"), False, "whether all lines are drawn")
    with open(os.path.join(folder, "exact.csv")) as file:
        exact = {row["point"]: row for row in csv.DictReader(file)}
    same(len(exact), total, "rows")
    parts = page.run("csvOf([], report.shown).then((parts) => parts.join(''))")
    check("memsweep query" in parts.split("\n")[1], "no command for exact values in the CSV")
    rows = rows_of(parts)
    same(len(rows), total, "rows saved")
    compare(page, exact, rows)
    # While brushing, counts come from sums over bins; afterwards from the rows. Both are right.
    brush(page, "x1", 0.2, 0.6)
    page.run("near(parallel.axes.find((a) => a.name === 'x1')); 1")
    page.wait("!prepare.under")
    bins = page.run("(() => {const a = parallel.axes.find((a) => a.name === 'x1'), f = filtersOf().get('x1'), "
                    "[from, to] = placesOf(a.column, a.log, f); return binsBetween(a.active, from - 1 / 512, to + 1 / 512)})()")
    same(page.run("cube.starts[%d + 1] - cube.starts[%d]" % (bins[1], bins[0])), selected(page), "sums over bins")
    same(page.run("JSON.stringify(slices(%s).map((p) => [...p.counts])) === JSON.stringify(seen.parts.map((p) => [...p.counts]))" % bins),
         True, "whether cells of sums are those of rows")
    low, high = page.run("filtersOf().get('x1').range")
    same(selected(page), sum(low <= float(row["x1"]) <= high for row in rows), "rows in the range")
    same(page.run("seen.parts.at(-1).counts.reduce((a, b) => a + b)"), selected(page), "rows in the plane")
    check("\u2248" in page.run("byId('selection').textContent"), "rounded numbers are not marked")
    check("point IN" in page.run("describe(rowsOf({rows: [1], points: [1], front: [0], codes: new Uint16Array(columns.length).fill(1)})[0])"
                                 ".textContent") or page.run("exact.index.has(1)"), "no command for one row")
    return page.said


def hostile(browser, address, _):
    page = browser.open(address)
    ready(page)
    same(page.run("document.querySelectorAll('img, b').length"), 0, "elements from the database")
    check("<img src=x" in page.run("document.body.innerText"), "the database's text is not shown")
    page.run("show(held.front[0] || held.all[0]); 1")
    act(page, "state.colour = columns.find((c) => c.labels).name; redraw()")
    same(page.run("document.querySelectorAll('img, b').length"), 0, "elements from the database")
    return page.said


def opens(browser, address, _):
    page = browser.open(address)
    page.wait("document.readyState === 'complete'")
    rows = page.run("report.shown")
    if rows:
        ready(page)
        same(selected(page), rows, "rows selected")
    same(page.run("byId('fault').hidden"), True, "whether nothing went wrong")
    return page.said


def watch(browser, address, folder):
    """The file grows while we look; what is selected stays."""
    page = browser.open(address)
    ready(page)
    first = page.run("report.shown")
    # In one go: the page may load itself again between any two steps.
    page.wait("filtersOf().set('x1', {range: [0.3, 0.8]}), keepState(), settle(), location.hash.includes('range')")
    ranges = [[0.3, 0.8], page.run("location.hash")]
    open(os.path.join(folder, "looked"), "w").close()
    page.wait(f"report.shown > {first} && !report.watch", 90)
    ready(page)
    same(page.run("[filtersOf().get('x1').range, location.hash]"), ranges, "range and address after loading again")
    same(page.run("byId('watching').hidden"), True, "whether it still says that the run goes on")
    check(selected(page) < page.run("report.shown"), "nothing is selected any more")
    same(page.run("[...document.querySelectorAll('#live figcaption')].map((c) => c.textContent.split(':')[0])"),
         ["front in f1 and f2, after so many points", "points per second", "points on the front", "best f1 so far", "best f2 so far"], "charts of a watched run")
    same(page.run("[...document.querySelectorAll('#live .earlier title, #live .now title')].map((t) => t.textContent)"),
         [f"after {first} points", "after 1,000 points"], "fronts of a watched run, the earlier ones first")
    check(page.run("document.querySelectorAll('#live .earlier circle').length"), "the earlier front has no points")
    same(page.run("document.querySelectorAll('#live .now circle').length"), page.run("report.live.moments.slice(-1)[0].front"), "points of the last front")
    same(page.run("Math.max(...report.live.moments.map((m) => m.rows))"), 1000, "rows at the last moment")
    return page.said


def speed(browser, address, _):
    page = browser.open(address)
    ready(page, 120)
    paint = page.run("performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime)")
    print(f"bytes {os.path.getsize(urllib.parse.unquote(address[7:]))}, rows {page.run('report.shown')}, load {os.getloadavg()[0]:.1f}")
    print(f"first paint {paint[0]:.0f} ms, rows at hand {page.run('times.opened'):.0f} ms")
    for name in page.run("state.axes.map((a) => a.name)")[:3]:
        page.run("times.moves = []; times.cubes = []; 1")
        x, bottom, top = axis(page, name)
        page.mouse("mouseMoved", x, bottom - 40)
        page.wait("few() || times.cubes.length")
        act(page, lambda: page.drag((x, bottom - 40), *[(x, bottom - 44 - 2 * k) for k in range(100)]))
        moves = sorted(page.run("times.moves"))
        print(f"axis {name}: {len(moves)} moves, p50 {moves[len(moves) // 2]:.1f} ms, p95 {moves[len(moves) * 95 // 100]:.1f} ms,"
              f" worst {moves[-1]:.1f} ms; sums {page.run('times.cubes')} ms; {count(page)}; load {os.getloadavg()[0]:.1f}")
    return page.said


def main():
    what, path, folder = sys.argv[1:]
    with chromium.Browser(os.path.join(folder, "profile")) as browser:
        said = globals()[what](browser, "file://" + urllib.parse.quote(os.path.abspath(path)), folder)
    same(said, [], "console")
    for line in bad[:20]:
        print("FAILED:", line)
    return 1 if bad else 0


if __name__ == "__main__":
    if chromium.find() is None:
        print("skipped: no chromium")
        sys.exit(77)
    sys.exit(main())

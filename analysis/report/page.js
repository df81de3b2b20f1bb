// SPDX-License-Identifier: MIT
// How the parts are linked: what changes, and what follows.
const FEW = 2000, LINES = 1500, SOME = 400, ROWS = 200;
const times = {opened: 0, moves: [], cubes: []}; // milliseconds, for who wants to measure
const told = {near, filter: filterAxis, box: filterBox, changed: redraw, set: setFilter, activate, add: addSelection, drop: dropSelection};
const parallel = new Parallel("parallel", told);
const scatter = new Scatter("scatter", told);
const held = {all: [], front: [], lines: [], others: [], pinned: []};
const seen = {parts: null, colours: null, counts: [], shade: null};
let selection, frontTable, cube = null;

const few = () => report.shown <= FEW;
const pairsNow = () => [...parallel.pairs, scatter.pair];
const tint = (k = state.active) => rgbOf(shadeOf(k));

// ---- drawing ----

// Selections beside the active one keep the colour of their own.
function colourOf(k = state.active) {
    const column = k === state.active && columnOf.get(state.colour);
    if (!column) { return (row) => (row.front ? PALETTE[1] : shadeOf(k)); }
    return (row) => { const c = 3 * row.code(column), t = seen.shade; return `rgb(${t[c]},${t[c + 1]},${t[c + 2]})`; };
}

function drawDensity(parts, k, strength) {
    const look = {tint: tint(k), strength};
    parallel.density(parallel.top, parts, look);
    scatter.density(scatter.top, parts[parts.length - 1], look);
}

function drawRows(rows, k, least) {
    parallel.lines(parallel.top, rows, colourOf(k), least);
    scatter.dots(scatter.top, rows, colourOf(k), least);
}

// The front comes last, so that it is drawn on top.
const frontLast = (rows) => rows.filter((r) => !r.front).concat(rows.filter((r) => r.front));

function drawTop(parts, lines) {
    parallel.clear(parallel.top);
    scatter.clear(scatter.top);
    held.others.forEach(({parts: others, rows, k}) => (few() ? drawRows(rows, k, 0.1) : drawDensity(others, k, 0.6)));
    if (!few()) { drawDensity(parts, state.active, 1); }
    drawRows(frontLast(lines), state.active, few() ? 0.12 : 0.3);
    if (held.pinned.length) { parallel.lines(parallel.top, held.pinned, () => theme("ink"), 1); scatter.dots(scatter.top, held.pinned, () => theme("ink"), 1); }
}

async function drawBack() {
    parallel.clear(parallel.back);
    scatter.clear(scatter.back);
    const filters = workloadFilter(), rest = theme("rest");
    if (few()) {
        const rows = held.all.filter((r) => isIn(r, filters));
        parallel.lines(parallel.back, rows, () => rest, 0.25);
        scatter.dots(scatter.back, rows, () => rest, 0.5);
        return rows.length;
    }
    const found = await engine.ask("density", {filters, pairs: pairsNow().map(plain)});
    parallel.density(parallel.back, found.parts, {tint: rgbOf(rest), strength: 0.8});
    scatter.density(scatter.back, found.parts[found.parts.length - 1], {tint: rgbOf(rest)});
    return found.count;
}

function tell(number) {
    seen.counts[state.active] = number;
    byId("count").value = `${count(number)} of ${count(seen.all)} points selected`;
}

// ---- brushing ----

// Counts of all pairs by bins of one axis, under the filters of the others: what a move of its brush needs.
const keyOf = (axis) => JSON.stringify([axis.name, axis.log, state.axes, state.x, state.y, state.workload, state.active,
    [...filtersOf()].filter(([name]) => name !== axis.name)]);

const prepare = new Latest(async (axis, key) => {
    if (cube && cube.key === key) { return; }
    const began = performance.now(), pairs = pairsNow();
    const active = {column: axis.active.column, bins: axis.active.bins, count: axis.active.count};
    const found = await engine.ask("cube", {filters: passes(state.active, axis.name), active, pairs: pairs.map(plain)});
    cube = {key, ...found};
    times.cubes.push(performance.now() - began);
});

function near(axis) {
    if (few() || (cube && cube.key === keyOf(axis))) { return; }
    prepare.run(axis, keyOf(axis));
}

function slices([low, high]) {
    return pairsNow().map((pair, k) => {
        const cells = pair.a.count * pair.b.count, sums = cube.parts[k], counts = new Uint32Array(cells);
        const from = low * cells, to = (high + 1) * cells;
        for (let c = 0; c < cells; c++) { counts[c] = sums[to + c] - sums[from + c]; }
        return {counts, colours: seen.colours && seen.colours[k]};
    });
}

const ask = new Latest(async () => {
    const found = await engine.ask("density", {filters: passes(), pairs: pairsNow().map(plain)});
    seen.parts = found.parts;
    tell(found.count);
    drawTop(found.parts, held.front.filter((r) => isIn(r, passes())));
});

function move(axis, bins) {
    const began = performance.now(), filters = passes();
    if (few()) {
        const rows = held.all.filter((r) => isIn(r, filters));
        tell(rows.length);
        drawTop(null, rows);
    } else if (axis && bins && cube && cube.key === keyOf(axis)) {
        const [low, high] = bins[0] <= bins[1] ? bins : [0, -1];
        seen.parts = slices([low, high]);
        tell(cube.starts[high + 1] - cube.starts[low]);
        drawTop(seen.parts, held.front.filter((r) => isIn(r, filters)));
    } else {
        ask.run();
    }
    times.moves.push(performance.now() - began);
}

function put(axis, bins) {
    const {column} = axis;
    if (bins) { filtersOf().set(column.name, filterOfBins(column, axis.active, bins[0], bins[1])); } else { filtersOf().delete(column.name); }
}

function filterAxis(axis, bins, done) {
    put(axis, bins);
    if (done) { settle(); } else { move(axis, bins); }
}

function filterBox(ranges, done) {
    ranges.forEach(([axis, bins]) => put(axis, bins));
    if (done) { settle(); } else { move(null, null); }
}

function setFilter(column, filter, focus) {
    if (filter) { filtersOf().set(column.name, filter); } else { filtersOf().delete(column.name); }
    settle(focus);
}

// ---- selections ----

function activate(k) { state.active = k; redraw(`selection-${k}`); }

function addSelection() {
    state.selections.push(new Map());
    activate(state.selections.length - 1);
}

function dropSelection() {
    state.selections.splice(state.active, 1);
    seen.counts = [];
    activate(Math.max(0, state.active - 1));
}

async function findOthers() {
    held.others = [];
    for (let k = 0; k < state.selections.length; k++) {
        if (k === state.active) { continue; }
        const rows = few() ? held.all.filter((r) => isIn(r, passes(k))) : [];
        const found = few() ? {count: rows.length} : await engine.ask("density", {filters: passes(k), pairs: pairsNow().map(plain)});
        seen.counts[k] = found.count;
        held.others.push({k, rows, parts: found.parts});
    }
}

// ---- after a change is finished: what is costly, and what shows the same elsewhere ----

async function findSelected(filters) {
    const column = columnOf.get(state.colour), colour = column && {column: column.index, table: seen.shade};
    if (few()) {
        held.lines = held.all.filter((r) => isIn(r, filters));
        return {count: held.lines.length, parts: null};
    }
    const found = await engine.ask("density", {filters, pairs: pairsNow().map(plain), colour});
    const some = found.count <= LINES ? await engine.ask("some", {filters, most: SOME}) : null;
    held.lines = some ? rowsOf(some.records).filter((r) => !r.front) : [];
    seen.colours = colour ? found.parts.map((p) => p.colours) : null;
    return found;
}

const settling = new Latest(async (focus) => {
    const filters = passes();
    await findOthers();
    const found = await findSelected(filters);
    seen.parts = found.parts;
    tell(found.count);
    drawTop(found.parts, few() ? held.lines : [...held.lines, ...held.front.filter((r) => isIn(r, filters))]);
    parallel.placeBrushes(filtersOf());
    drawFilters(told);
    drawSelections(seen.counts, told);
    drawLegend(columnOf.get(state.colour), seen.shade);
    if (focus && byId(focus)) { byId(focus).focus(); }
    await tabulate();
    await drawInsight(filters);
    keepState();
    byId("export-note").textContent = "";
    document.documentElement.dataset.settled = String(Number(document.documentElement.dataset.settled || 0) + 1);
});
const settle = (focus) => settling.run(focus);

async function tabulate(after) {
    const found = await engine.ask("table", {filters: passes(), ...selection.order, most: ROWS});
    selection.draw(rowsOf(found.records), found.count);
    if (after) { after(); }
}

const redrawing = new Latest(async (focus) => {
    cube = null;
    parallel.reset(state.axes);
    scatter.reset(columnOf.get(state.x), columnOf.get(state.y));
    seen.shade = shades(columnOf.get(state.colour));
    seen.all = await drawBack();
    const id = focus && (byId(focus) ? focus : `axis-${focus}`);
    if (id && byId(id)) { byId(id).focus(); }
    settle(id);
});
function redraw(focus) { redrawing.run(typeof focus === "string" ? focus : ""); }

// ---- one row ----

function show(row) {
    byId("detail").replaceChildren(describe(row));
    parallel.mark(row);
    scatter.mark(row);
}

async function findPinned() {
    held.pinned = [];
    if (state.pinned.length) {
        const rows = await engine.ask("numbers", {points: state.pinned});
        held.pinned = rowsOf(rows);
    }
    drawPinned();
}

function drawPinned() {
    const tab = (row) => element("button", {className: "tab", textContent: `${row.point} \u00d7`, ariaLabel: `unpin point ${row.point}`,
        onfocus: () => show(row), onmouseenter: () => show(row), onclick: () => pin(row)});
    byId("pinned").replaceChildren(...(held.pinned.length ? ["pinned: "] : []), ...held.pinned.map(tab));
}

function pin(row) {
    const at = state.pinned.indexOf(row.point);
    if (at < 0) { state.pinned.push(row.point); } else { state.pinned.splice(at, 1); }
    findPinned().then(() => settle());
}

const look = new Latest(async (chart, place) => {
    const found = await engine.ask("nearest", {filters: passes(), place});
    if (found) { show(rowsOf(found)[0]); }
});

function hover(chart) {
    chart.place.addEventListener("mousemove", (event) => {
        if (event.buttons) { return; }
        const box = chart.place.getBoundingClientRect();
        const place = chart.question(event.clientX - box.left, event.clientY - box.top);
        if (place) { look.run(chart, place); }
    });
}

// ---- controls ----

function choices(select, names, chosen, changed) {
    byId(select).replaceChildren(...names.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
    byId(select).onchange = (event) => changed(event.target.value);
}

function exports() {
    byId("csv").onclick = async () => {
        const total = seen.counts[state.active];
        save(`${report.sweep}-chosen.csv`, "text/csv", await csvOf(passes(), total));
        byId("export-note").textContent = rounded() ? "columns named in the first line are rounded where exact is 0" : "";
        document.documentElement.dataset.saved = "csv";
    };
    byId("again").hidden = !report.runnable;
    byId("sweep").onclick = async () => {
        const {text, why} = await sweepOf(passes(), seen.counts[state.active], byId("fidelity").value);
        if (text) { save(`${report.sweep}-chosen.yaml`, "application/yaml", [text]); }
        byId("export-note").textContent = why || "";
        document.documentElement.dataset.saved = "sweep";
    };
}

function control() {
    const all = columns.map((c) => [c.name, c.name]);
    const set = (name) => (value) => { state[name] = value; redraw(name); };
    choices("x", all, state.x, set("x"));
    choices("y", all, state.y, set("y"));
    choices("colour", [["", "selection and front"], ...all], state.colour, set("colour"));
    choices("workload", [["", "all"], ...report.workloads.map((w) => [w, w])], state.workload, set("workload"));
    choices("fidelity", ["analytic", "sampled", "full"].map((f) => [f, f]), report.next_fidelity, () => {});
    byId("clear").onclick = () => { filtersOf().clear(); scatter.unbrush(); settle(); };
    exports();
}

// ---- the page ----

function about() {
    byId("about").replaceChildren(...report.about.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
    const facts = new Map(report.about), told = ["mechanism", "fidelity", "points", "limits", "doubtful", "errors unknown", "outside"];
    byId("lead").textContent = told.filter((name) => facts.has(name)).map((name) => (told.indexOf(name) > 2 ? `${name}: ` : "") + facts.get(name)).join(" \u00b7 ");
    plainTable("runs", "Runs", report.runs);
    plainTable("failures", "Points without an answer", report.failures);
    byId("canonical").textContent = report.canonical;
    byId("front-note").textContent = report.front_note;
    const names = report.left_out.map(([name, why]) => (why === "does not fit" ? `${name} (${why})` : name));
    const out = names.length ? ` Not here but in the database: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ` and ${names.length - 12} more` : ""}.` : "";
    byId("thinned").textContent = report.thinned + out;
    byId("left-out").textContent = names.join(", ");
    byId("left-out-all").hidden = names.length <= 12;
    drawKnown();
}

function choose() {
    const factors = columns.filter((c) => c.role === "factor");
    const goals = report.objectives.filter((name) => columnOf.has(name));
    const first = [...goals, ...factors.map((c) => c.name), ...columns.map((c) => c.name)];
    [state.x, state.y] = [first[0], first[1] || first[0]];
    let names = [...new Set([...factors.slice(0, 8).map((c) => c.name), ...goals.slice(0, 4)])];
    if (names.length < 2) { names = first.slice(0, 2); }
    state.axes = names.map((name) => ({name, inverted: false, log: prefersLog(columnOf.get(name))}));
    return {factors, goals};
}

// Of points with the same objectives the front shows the first, and how many more there are.
function withoutTies(rows, goals) {
    const first = new Map(), known = [columnOf.get("workload"), ...goals.map((name) => columnOf.get(name))].filter(Boolean);
    for (const row of rows) {
        const values = known.map((c) => row.value(c)), rough = values.some(([, r]) => r);
        const key = rough ? `row ${row.row}` : values.map(([v]) => v).join(" "), tied = first.get(key);
        if (tied) { tied.ties += 1; } else { first.set(key, Object.assign(row, {ties: 0})); }
    }
    return [...first.values()];
}

async function drawFront(narrow, goals) {
    const once = withoutTies(held.front, goals);
    frontTable = new RowTable("front", narrow, {show, pin, sorted: drawSorted});
    if (columnOf.has(goals[0])) { frontTable.by = columnOf.get(goals[0]); }
    function drawSorted(after) {
        const sign = frontTable.down ? -1 : 1, by = frontTable.by;
        const key = (r) => (by === POINT ? r.point : by.labels ? by.labels[r.value(by)[0]] || "" : r.value(by)[0]);
        const rows = once.slice().sort((a, b) => { const p = key(a), q = key(b); return sign * (p < q ? -1 : p > q ? 1 : 0); });
        frontTable.draw(rows.slice(0, 1000), rows.length);
        if (after) { after(); }
    }
    drawSorted();
}

async function begin() {
    const opened = await openRows();
    times.opened = performance.now();
    const {factors, goals} = choose();
    readState();
    if (few()) { held.all = rowsOf((await engine.ask("some", {filters: [], most: FEW})).records); }
    held.front = rowsOf(await engine.ask("rows", {rows: Array.from(opened.front.subarray(0, 5000))}));
    const narrow = columns.filter((c) => c.name === "workload" || goals.includes(c.name) || factors.includes(c));
    selection = new RowTable("selection", narrow, {show, pin, sorted: tabulate});
    await findPinned();
    control();
    await drawFront(narrow, goals);
    redraw();
    if (held.front.length) { show(held.front[0]); }
    hover(parallel);
    hover(scatter);
    watchWindow();
}

let width = window.innerWidth;
function watchWindow() {
    window.addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; redraw(); } });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
    window.addEventListener("hashchange", () => { if (location.hash !== addressOf()) { readState(); control(); findPinned().then(() => redraw()); } });
}

// A run goes on: the file is written again beside us. A hand on the mouse or in a field is waited for.
function watch() {
    let down = false;
    window.addEventListener("pointerdown", () => { down = true; });
    window.addEventListener("pointerup", () => { down = false; });
    byId("watching").hidden = false;
    byId("watching").textContent = `The run goes on: this page loads itself again every ${report.watch} s.`;
    const busy = () => down || document.hidden || document.activeElement.type === "number";
    setInterval(() => { if (!busy()) { keepState(); location.reload(); } }, 1000 * report.watch);
}

about();
// The packed rows are the last thing of the page.
window.addEventListener("DOMContentLoaded", () => {
    if (report.shown) { begin().catch((error) => fault(error.message)); }
});
if (report.live) { drawLive(report.live); }
if (report.watch) { watch(); }
